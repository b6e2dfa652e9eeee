#include "command/wait_for.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/number.h"
#include "command/acting.h"
#include "command/shared.h"

#include <string.h>

#define QUIET_DEFAULT_MS 500

void wait_for_done(struct wait_for *w)
{
	free(w->what);
	ui_selector_free(w->selector);
	*w = (struct wait_for){ 0 };
}

static int set_kind(struct wait_for *w, enum wait_kind kind, const char *what, struct error *e)
{
	if (w->kind != WAIT_NONE) {
		error_set(e, ERR_INVALID_ARGS, "`wait` waits for one thing at a time");
		return error_hint(e, "give one of ms, text, selector, gone, stable");
	}
	w->kind = kind;
	if (what)
		w->what = strdup(what);
	if (kind == WAIT_SELECTOR || kind == WAIT_GONE)
		return ui_selector_parse(what, &w->selector, e);
	return 0;
}

/* wait @e3: until the text of that element shows (again). */
static int set_ref(struct dm_request *rq, struct wait_for *w, const char *ref, struct error *e)
{
	auto_target struct act_target t = { 0 };
	int r = act_resolve(rq, ref, UI_PICK_READ, &t, e);
	const char *text;

	if (r < 0)
		return r;
	text = act_node(&t) ? ui_node_text(act_node(&t)) : NULL;
	if (!text) {
		error_set(e, ERR_INVALID_TARGET, "%s has no text to wait for", ref);
		return error_hint(e, "wait for a selector, for example 'role=button id=\"save\"'");
	}
	return set_kind(w, WAIT_TEXT, text, e);
}

/* The words of list from `at` to before `end`, joined by one blank. */
static void join(const json_t *list, size_t at, size_t end, struct buf *out)
{
	for (size_t i = at; i < end; i++) {
		if (i > at)
			buf_addc(out, ' ');
		buf_adds(out, json_string_value(json_array_get(list, i)));
	}
}

static bool is_ref(const char *s)
{
	return s[0] == '@' && s[1] == 'e' && s[2] >= '0' && s[2] <= '9' && !strchr(s, ' ');
}

/* A word that says what the others are. */
static bool is_lead(const char *word)
{
	return !strcmp(word, "text") || !strcmp(word, "gone") || !strcmp(word, "absent");
}

/* The condition in words, the first one and the rest. */
static int set_words(struct dm_request *rq, struct wait_for *w, const char *first, const char *all,
                     const char *rest, struct error *e)
{
	int64_t n;

	if (is_lead(first) && !*rest) {
		error_set(e, ERR_INVALID_ARGS, "`wait %s` lacks what is waited for", first);
		return error_hint(e, "for example `deft wait text Done`, `deft wait gone 'role=dialog'`");
	}
	if (is_lead(first))
		return set_kind(w, !strcmp(first, "text") ? WAIT_TEXT : WAIT_GONE, rest, e);
	if (!strcmp(first, "stable")) {
		if (*rest && (!number_parse_int(rest, &n) || n < 1 || n > LIM_REQUEST_MAX_MS))
			return error_set(e, ERR_INVALID_ARGS, "stable: \"%.80s\" is no time in ms", rest);
		if (*rest)
			w->quiet_ms = n;
		return set_kind(w, WAIT_STABLE, NULL, e);
	}
	if (is_ref(all))
		return set_ref(rq, w, all, e);
	return set_kind(w, ui_selector_looks_like(all) ? WAIT_SELECTOR : WAIT_TEXT, all, e);
}

/* wait 500 | text Done [ms] | label="Done" [ms] | gone role=dialog [ms] | stable [quiet [ms]] */
static int read_condition(struct dm_request *rq, struct wait_for *w, const json_t *list,
                          struct error *e)
{
	auto_buf struct buf all, rest;
	size_t n = json_array_size(list), least;
	const char *first = json_string_value(json_array_get(list, 0));
	int64_t ms;

	buf_init(&all, LIM_SELECTOR);
	buf_init(&rest, LIM_SELECTOR);
	if (n == 1 && number_parse_int(first, &ms)) {
		if (ms < 0 || ms > LIM_REQUEST_MAX_MS)
			return error_set(e, ERR_INVALID_ARGS, "%lld ms is out of range (0..%d)", (long long)ms,
			                 LIM_REQUEST_MAX_MS);
		w->ms = ms;
		return set_kind(w, WAIT_MS, NULL, e);
	}
	least = is_lead(first) || !strcmp(first, "stable") ? 2 : 1;
	if (n > least && number_parse_int(json_string_value(json_array_get(list, n - 1)), &ms) &&
	    ms > 0) {
		if (ms > LIM_REQUEST_MAX_MS)
			return error_set(e, ERR_INVALID_ARGS, "%lld ms is more than %d", (long long)ms,
			                 LIM_REQUEST_MAX_MS);
		w->timeout_ms = ms;
		n--;
	}
	join(list, 0, n, &all);
	join(list, 1, n, &rest);
	if (all.over)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the condition is longer than %d bytes",
		                 LIM_SELECTOR);
	return set_words(rq, w, first, all.data, rest.data, e);
}

int wait_for_read(struct dm_request *rq, struct wait_for *ret, struct error *e)
{
	const json_t *a = rq->args, *condition = json_object_get(a, "condition");
	const char *text = jx_get_str(a, "text", NULL), *selector = jx_get_str(a, "selector", NULL),
	           *gone = jx_get_str(a, "gone", NULL);
	struct wait_for *w = ret;
	int r = 0;

	*w = (struct wait_for){ 0 };
	w->quiet_ms = jx_get_int(a, "quietMs", QUIET_DEFAULT_MS);
	w->timeout_ms = LIM_WAIT_DEFAULT_MS;
	if (json_array_size(condition))
		r = read_condition(rq, w, condition, e);
	if (r == 0 && json_object_get(a, "ms")) {
		w->ms = jx_get_int(a, "ms", 0);
		r = set_kind(w, WAIT_MS, NULL, e);
	}
	if (r == 0 && text)
		r = set_kind(w, WAIT_TEXT, text, e);
	if (r == 0 && selector)
		r = is_ref(selector) ? set_ref(rq, w, selector, e)
		                     : set_kind(w, WAIT_SELECTOR, selector, e);
	if (r == 0 && gone)
		r = set_kind(w, WAIT_GONE, gone, e);
	if (r == 0 && jx_get_bool(a, "stable", false))
		r = set_kind(w, WAIT_STABLE, NULL, e);
	w->timeout_ms = jx_get_int(a, "timeout", w->timeout_ms);
	if (r == 0 && w->kind == WAIT_NONE) {
		error_set(e, ERR_INVALID_ARGS, "`wait` needs something to wait for");
		r = error_hint(e, "for example `deft wait text Done`, `deft wait gone 'role=dialog'`");
	}
	return r;
}
