/* Entering text: the element's own text interface first, keys as the alternative, and in both cases
 * what the field holds afterwards is read back.
 *
 * A line end in a single-line field: one at the end of the text means "and press Enter", which the
 * route says ("…+enter"); one inside the text is refused, since no such field can hold it. */
#include "backend/atspi/acting.h"

#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>

#define POLL_MS 20
#define SLOW_KEY_MS 15

/* One entry of text into one field. */
struct entry {
	struct atspi *a;
	enum rb_text_mode mode;
	const char *text; /* without the line end that becomes Enter */
	int delay_ms;
	bool enter;   /* press Enter afterwards */
	char *handle; /* NULL: nothing that can be named has the focus */
	struct atspi_node node;
	bool secret, readable;
	char *own_text; /* when a line end was taken off */
};

static void entry_done(struct entry *t)
{
	free(t->handle);
	/* The text may be a password. */
	if (t->own_text)
		explicit_bzero(t->own_text, strlen(t->own_text));
	free(t->own_text);
}

/* --- which field ---------------------------------------------------------------------------- */

static int find_field(struct entry *t, struct call c, const char *node, struct error *e)
{
	if (node) {
		t->handle = strdup(node);
	} else {
		auto_buf struct buf b;
		auto_error struct error none = ERROR_INIT;
		buf_init(&b, LIM_SELECTOR);
		int r = atspi_focused(t->a, c, NULL, &b, &none);
		if (r < 0 && r != -ERR_ELEMENT_NOT_FOUND && r != -ERR_DEVICE_UNAVAILABLE) {
			error_move(e, &none);
			return r;
		}
		if (r < 0)
			return 0;
		t->handle = buf_detach(&b);
	}
	if (!t->handle)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	int r = atspi_node_find(t->a, c, t->handle, &t->node, e);
	t->secret = t->node.flags & UI_PASSWORD;
	t->readable = t->node.ifaces & ATSPI_IF_TEXT;
	return r;
}

static bool takes_text(const struct atspi_node *n)
{
	return (n->flags & UI_EDITABLE) || (n->ifaces & ATSPI_IF_EDITABLE_TEXT) ||
	       ui_role_is_text_input(n->ui_role) || n->ui_role == UI_TERMINAL;
}

static int check_field(const struct entry *t, bool named, struct error *e)
{
	if (!t->handle && t->mode == RB_TEXT_REPLACE)
		return error_set(e, ERR_ELEMENT_NOT_FOUND,
		                 "nothing that takes text has the focus, so there is nothing to replace");
	if (!t->handle)
		return 0;
	int r = atspi_node_enabled(&t->node, e);
	if (r < 0)
		return r;
	if (t->node.flags & UI_READ_ONLY)
		return error_set(e, ERR_INVALID_TARGET, "[%s] \"%s\" is read-only",
		                 ui_role_name(t->node.ui_role), t->node.label);
	/* Keys may go to whatever has the focus: a canvas may read them. */
	if ((named || t->mode == RB_TEXT_REPLACE) && !takes_text(&t->node))
		return error_set(e, ERR_INVALID_TARGET, "[%s] \"%s\" takes no text",
		                 ui_role_name(t->node.ui_role), t->node.label);
	return 0;
}

static bool is_single_line(const struct entry *t)
{
	return t->handle && !(t->node.flags & UI_MULTILINE) &&
	       (t->node.ui_role == UI_TEXT_FIELD || t->node.ui_role == UI_PASSWORD_FIELD ||
	        t->node.ui_role == UI_SEARCH || t->node.ui_role == UI_SPIN_BUTTON);
}

static int line_ends(struct entry *t, struct error *e)
{
	const char *nl = strpbrk(t->text, "\r\n");
	if (!nl || !is_single_line(t))
		return 0;
	if (strcmp(nl, "\n") != 0 && strcmp(nl, "\r\n") != 0 && strcmp(nl, "\r") != 0) {
		error_set(e, ERR_INVALID_ARGS, "[%s] \"%s\" holds one line, and the text has several",
		          ui_role_name(t->node.ui_role), t->node.label);
		error_reason(e, "newline_in_single_line");
		error_hint(e, "leave the line ends out; press Enter with `deft key enter`");
		return -ERR_INVALID_ARGS;
	}
	t->own_text = strndup(t->text, (size_t)(nl - t->text));
	if (!t->own_text)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	t->text = t->own_text;
	t->enter = true;
	return x11_require(t->a->x11, "press Enter", e);
}

/* --- reading back --------------------------------------------------------------------------- */

/* What the field holds; a password only how much. */
struct content {
	struct buf text;
	uint32_t chars;
};

static int read_content(const struct entry *t, struct call c, struct content *ret, struct error *e)
{
	buf_reset(&ret->text);
	return atspi_node_text(t->a, c, &t->node, &ret->text, &ret->chars, e);
}

/* `now` is `before` with `added` put in at one place. */
static bool is_insertion(const struct buf *before, const struct buf *now, const char *added)
{
	size_t len = strlen(added), p = 0;
	if (now->len != before->len + len)
		return false;
	/* The longest common beginning is the last place it can be; any earlier one is found from it. */
	while (p < before->len && before->data[p] == now->data[p])
		p++;
	for (;; p--) {
		if (memcmp(now->data + p, added, len) == 0 &&
		    memcmp(now->data + p + len, before->data + p, before->len - p) == 0)
			return true;
		if (p == 0 || len == 0)
			return false;
	}
}

static bool is_as_wanted(const struct entry *t, const struct content *before,
                         const struct content *now)
{
	uint32_t added = (uint32_t)utf8_count(t->text);
	if (t->secret)
		return now->chars == added + (t->mode == RB_TEXT_APPEND ? before->chars : 0);
	if (t->mode == RB_TEXT_APPEND)
		return is_insertion(&before->text, &now->text, t->text);
	return strcmp(now->text.data, t->text) == 0;
}

/* Programs take keys when they come to it: read until it is right, or for a while. */
static int await_content(const struct entry *t, struct call c, const struct content *before,
                         struct content *now, bool *ret_right, struct error *e)
{
	struct deadline until = deadline_min(deadline_in(LIM_TEXT_SETTLE_MS), c.deadline);
	for (;;) {
		int r = read_content(t, c, now, e);
		if (r < 0)
			return r;
		*ret_right = is_as_wanted(t, before, now);
		if (*ret_right || deadline_over(until))
			return 0;
		r = clock_wait(POLL_MS, c.cancel, e);
		if (r < 0)
			return r;
	}
}

/* --- by keys -------------------------------------------------------------------------------- */

static int press_all(struct entry *t, struct call c, const char *const *chords, struct error *e)
{
	int r = 0;
	for (; *chords && r == 0; chords++)
		r = x11_key(t->a->x11, c, *chords, e);
	return r;
}

/* Keys reach the focused element of the active window: both are made so, and the caret goes to the
 * end (taking the focus selects the text in some toolkits, and a key would replace it). */
static int take_focus(struct entry *t, struct call c, struct error *e)
{
	struct x11_window w;
	int r = acting_raise_node(t->a, c, t->handle, &w, e);
	if (r == 0)
		r = atspi_node_find(t->a, c, t->handle, &t->node, e);
	if (r < 0 || (t->node.flags & UI_FOCUSED))
		return r;
	r = atspi_focus(t->a, c, t->handle, e);
	if (r == 0)
		r = press_all(t, c, (const char *const[]){ is_single_line(t) ? "end" : "ctrl+end", NULL },
		              e);
	return r;
}

static bool wait_empty(const struct entry *t, struct call c, struct content *now)
{
	const struct entry empty = {
		.a = t->a, .mode = RB_TEXT_REPLACE, .text = "", .node = t->node, .secret = t->secret
	};
	bool right = false;
	return await_content(&empty, c, NULL, now, &right, NULL) == 0 && right;
}

static int clear_by_keys(struct entry *t, struct call c, struct content *now, struct error *e)
{
	static const char *const all[] = { "ctrl+a", "delete", NULL };
	static const char *const by_moving[] = { "ctrl+home", "ctrl+shift+end", "delete", NULL };
	int r = press_all(t, c, all, e);
	if (r == 0 && t->readable && !wait_empty(t, c, now))
		r = press_all(t, c, by_moving, e);
	return r;
}

static int type_once(struct entry *t, struct call c, int delay_ms, struct content *now,
                     struct error *e)
{
	int r = t->mode == RB_TEXT_REPLACE ? clear_by_keys(t, c, now, e) : 0;
	return r == 0 && *t->text ? x11_type(t->a->x11, c, t->text, delay_ms, e) : r;
}

static int by_keys(struct entry *t, struct call c, struct rb_text_result *ret, struct error *e)
{
	struct content before = { .chars = 0 }, now = { .chars = 0 };
	bool right = false;
	buf_init(&before.text, LIM_RUNNER_REQUEST);
	buf_init(&now.text, LIM_RUNNER_REQUEST);
	int r = x11_require(t->a->x11, "type keys", e);
	if (r == 0 && t->handle)
		r = take_focus(t, c, e);
	if (r == 0 && t->readable)
		r = read_content(t, c, &before, e);
	if (r == 0)
		r = type_once(t, c, t->delay_ms, &now, e);
	if (r == 0 && t->readable)
		r = await_content(t, c, &before, &now, &right, e);
	if (r == 0 && t->readable && !right && t->mode == RB_TEXT_REPLACE) {
		/* A field that formats or lags: once more, slowly. */
		r = type_once(t, c, t->delay_ms > SLOW_KEY_MS ? t->delay_ms : SLOW_KEY_MS, &now, e);
		if (r == 0)
			r = await_content(t, c, &before, &now, &right, e);
	}
	if (r == 0) {
		ret->route = "keys";
		ret->verified = right;
		ret->read_back = t->readable && !t->secret;
		if (ret->read_back)
			buf_add(&ret->actual, now.text.data, now.text.len);
	}
	buf_done(&before.text);
	buf_done(&now.text);
	return r;
}

/* --- by the text interface ------------------------------------------------------------------ */

static int directly(struct entry *t, struct call c, struct rb_text_result *ret, struct error *e)
{
	struct buf *out = t->secret ? NULL : &ret->actual;
	bool verified = false;
	int r = t->mode == RB_TEXT_REPLACE
	            ? atspi_set_text(t->a, c, &t->node, t->text, &verified, out, e)
	            : atspi_insert_text(t->a, c, &t->node, t->text, &verified, out, e);
	if (r < 0)
		return r;
	ret->route = "editable-text";
	ret->verified = verified;
	ret->read_back = t->readable && !t->secret;
	return 0;
}

static int enter_text(struct entry *t, struct call c, struct rb_text_result *ret, struct error *e)
{
	bool direct = t->handle && (t->node.ifaces & ATSPI_IF_EDITABLE_TEXT) && t->delay_ms == 0;
	int r = -ERR_UNSUPPORTED_OPERATION;
	if (direct)
		r = directly(t, c, ret, e);
	/* What was set and reads back otherwise can be replaced by keys; an insertion can't be undone. */
	bool again = direct && r == 0 && !ret->verified && ret->read_back &&
	             t->mode == RB_TEXT_REPLACE && x11_available(t->a->x11);
	if (r != -ERR_UNSUPPORTED_OPERATION && !again)
		return r;
	error_clear(e);
	buf_reset(&ret->actual);
	return by_keys(t, c, ret, e);
}

/* The length of a secret is all that can be compared; a field that tells no length proves nothing. */
static int check_secret(const struct entry *t, struct call c, const struct rb_text_result *ret,
                        struct error *e)
{
	uint32_t chars = 0, wanted = (uint32_t)utf8_count(t->text);
	if (!t->secret || ret->verified || t->mode != RB_TEXT_REPLACE)
		return 0;
	if (atspi_node_text(t->a, c, &t->node, NULL, &chars, NULL) < 0 || chars == 0)
		return 0;
	error_set(e, ERR_TEXT_ENTRY_MISMATCH, "the password field holds %u characters, not %u", chars,
	          wanted);
	error_detail_int(e, "expectedLength", wanted);
	error_detail_int(e, "actualLength", chars);
	return -ERR_TEXT_ENTRY_MISMATCH;
}

static int press_enter(struct entry *t, struct call c, struct rb_text_result *ret, struct error *e)
{
	int r = take_focus(t, c, e);
	if (r == 0)
		r = x11_key(t->a->x11, c, "enter", e);
	if (r == 0)
		ret->route = strcmp(ret->route, "keys") == 0 ? "keys+enter" : "editable-text+enter";
	return r;
}

int atspi_text(struct atspi *a, struct call c, const struct rb_text *o, struct rb_text_result *ret,
               struct error *e)
{
	struct entry t = { .a = a, .mode = o->mode, .text = o->text, .delay_ms = o->delay_ms };
	if (o->mode == RB_TEXT_APPEND && !*o->text)
		return error_set(e, ERR_INVALID_ARGS, "there is no text to type");
	int r = find_field(&t, c, o->node, e);
	if (r == 0)
		r = check_field(&t, o->node != NULL, e);
	if (r == 0)
		r = line_ends(&t, e);
	if (r == 0)
		r = enter_text(&t, c, ret, e);
	if (r == 0)
		r = check_secret(&t, c, ret, e);
	if (r == 0 && t.enter && (ret->verified || !ret->read_back))
		r = press_enter(&t, c, ret, e);
	if (r == 0)
		ret->secret = t.secret;
	entry_done(&t);
	return r;
}
