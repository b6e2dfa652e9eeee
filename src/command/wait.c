/* wait: until something shows, is gone or is still, or for a time. It looks again and again until a
 * deadline; "not there" and "could not look" are different answers. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"
#include "command/surface.h"
#include "command/wait_for.h"
#include "ui/fingerprint.h"

#include <string.h>

/* All times are the device's (pf_time_ms). */
struct wait {
	struct wait_for want;
	struct pf_device *device;
	int64_t started_ms;
	/* what was seen */
	unsigned captures, readable;
	int64_t last_good_ms; /* 0: never */
	json_t *surface;      /* of the last capture, owned */
	struct error failure; /* of the last capture that failed */
	bool last_incomplete; /* the last look failed, or proves nothing */
	uint32_t matches;     /* gone: still there */
	char *first_match;    /* gone: its line, owned */
	uint32_t nodes;
	uint64_t fingerprint;
	int64_t still_since_ms; /* valid with seen */
	bool seen;
};

static void wait_done(struct wait *w)
{
	wait_for_done(&w->want);
	free(w->first_match);
	json_decref(w->surface);
	error_clear(&w->failure);
}

/* What is left of the wait; the request itself may have less. */
static int64_t left_ms(const struct dm_request *rq, const struct wait *w)
{
	int64_t left = w->started_ms + w->want.timeout_ms - pf_time_ms(w->device);
	int64_t request = deadline_left(rq->call.deadline);

	left = left < request ? left : request;
	return left > 0 ? left : 0;
}

/* --- looking ----------------------------------------------------------------------------------- */

static bool shows_text(const struct ui_tree *t, const char *text)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];

		if ((n->label && ui_text_contains(n->label, text)) ||
		    (n->value && !ui_node_secret(n) && ui_text_contains(n->value, text)) ||
		    (n->identifier && ui_text_contains(n->identifier, text)))
			return true;
	}
	return false;
}

static bool is_still(struct wait *w, const struct ui_tree *t)
{
	uint64_t fp = ui_fingerprint(t, true);
	int64_t now = pf_time_ms(w->device);

	if (!w->seen || fp != w->fingerprint) {
		w->seen = true;
		w->fingerprint = fp;
		w->still_since_ms = now;
		return false;
	}
	return now - w->still_since_ms >= w->want.quiet_ms;
}

/* 1: what was waited for holds, 0: not (yet). */
static int judge(struct wait *w, const struct ui_tree *t, struct error *e)
{
	struct ui_matches m = { 0 };
	int r;

	if (w->want.kind == WAIT_TEXT)
		return shows_text(t, w->want.what);
	if (w->want.kind == WAIT_STABLE)
		return is_still(w, t);
	r = ui_selector_find(w->want.selector, t, &m, e);
	if (r < 0)
		return r;
	w->matches = m.count;
	free(TAKE(w->first_match));
	if (m.count)
		w->first_match = ui_node_line(t, m.nodes[0]);
	free(m.nodes);
	/* Only a tree that was read whole proves that something is gone. */
	return w->want.kind == WAIT_GONE ? w->matches == 0 && act_capture_complete(t) : w->matches > 0;
}

/* One look: 1 done, 0 go on, negative: waiting has no sense any more. A capture that has begun may
 * end a little after the deadline: stopping it would cost the runner. Then it can still succeed, but
 * it does not count as one that saw nothing in time. */
static int look(struct dm_request *rq, struct wait *w, struct error *e)
{
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error failure = ERROR_INIT;
	struct call call = call_limit(rq->call, left_ms(rq, w) + LIM_WAIT_GRACE_MS);
	bool in_time = left_ms(rq, w) > 0; /* else it is the last look, at the very end */
	int r;

	w->captures++;
	r = act_capture(rq, call, &t, &failure);
	if (r < 0) {
		w->last_incomplete = true;
		if (failure.code != ERR_CANCELED && error_retriable(failure.code)) {
			error_move(&w->failure, &failure);
			return 0;
		}
		error_move(e, &failure);
		return r;
	}
	w->last_incomplete = (in_time && left_ms(rq, w) == 0) ||
	                     (w->want.kind == WAIT_GONE && !act_capture_complete(&t));
	w->readable += !w->last_incomplete;
	w->last_good_ms = pf_time_ms(w->device);
	w->nodes = t.count;
	json_decref(w->surface);
	w->surface = surface_json(&t);
	return judge(w, &t, e);
}

/* --- answers ----------------------------------------------------------------------------------- */

static const char *const verbs[] = { "", "", "showed", "matched", "went away", "stood still" };

static void name_condition(const struct wait *w, struct buf *out)
{
	if (w->want.kind == WAIT_STABLE)
		buf_adds(out, "the screen");
	else if (w->want.kind == WAIT_TEXT)
		buf_add_quoted(out, w->want.what);
	else
		buf_adds(out, w->want.what);
}

static int timed_out(const struct wait *w, struct error *e)
{
	static const char *const reasons[] = { "",
		                                   "",
		                                   "wait_target_absent",
		                                   "wait_target_absent",
		                                   "wait_target_present",
		                                   "wait_stable_timeout" };
	auto_buf struct buf name, seen;
	bool stalled = w->readable == 0 || (w->last_incomplete && w->want.kind == WAIT_GONE);

	buf_init(&name, LIM_ERROR_TEXT);
	buf_init(&seen, LIM_ERROR_TEXT);
	name_condition(w, &name);
	surface_words(w->surface, &seen);
	if (stalled)
		error_set(e, ERR_TIMEOUT,
		          "whether %s %s is not known: the screen could not be read within %lld ms%s%s",
		          name.data, verbs[w->want.kind], (long long)w->want.timeout_ms,
		          w->failure.message ? ": " : "", w->failure.message ? w->failure.message : "");
	else if (w->want.kind == WAIT_GONE)
		error_set(e, ERR_TIMEOUT, "%s did not go away within %lld ms; %u still there, first %s",
		          name.data, (long long)w->want.timeout_ms, w->matches,
		          w->first_match ? w->first_match : "?");
	else if (w->want.kind == WAIT_STABLE)
		error_set(e, ERR_TIMEOUT, "the screen was not still for %lld ms within %lld ms",
		          (long long)w->want.quiet_ms, (long long)w->want.timeout_ms);
	else
		error_set(e, ERR_TIMEOUT, "%s did not show within %lld ms; on the screen: %s", name.data,
		          (long long)w->want.timeout_ms, seen.data);
	error_reason(e, stalled ? "wait_capture_stalled" : reasons[w->want.kind]);
	error_detail_int(e, "timeoutMs", w->want.timeout_ms);
	error_detail_int(e, "captures", w->captures);
	error_detail_int(e, "readableCaptures", w->readable);
	if (w->last_good_ms)
		error_detail_int(e, "lastGoodCaptureAgeMs", pf_time_ms(w->device) - w->last_good_ms);
	if (w->surface)
		error_detail(e, "currentSurface", json_incref(w->surface));
	if (stalled)
		error_hint(e, "the program may be busy: try again with a longer --timeout");
	return -ERR_TIMEOUT;
}

static json_t *answer(const struct wait *w)
{
	static const char *const keys[] = { "", "", "text", "selector", "gone", NULL };
	json_t *data = json_object();
	int64_t waited = pf_time_ms(w->device) - w->started_ms;
	auto_buf struct buf name;

	buf_init(&name, LIM_ERROR_TEXT);
	jx_set_int(data, "waitedMs", waited);
	if (w->want.kind == WAIT_MS) {
		cmd_message(data, "Waited %lld ms", (long long)waited);
		return data;
	}
	if (keys[w->want.kind])
		jx_set_str(data, keys[w->want.kind], w->want.what);
	jx_set_int(data, "captures", w->captures);
	if (w->want.kind == WAIT_STABLE)
		jx_set_int(data, "nodeCount", w->nodes);
	if (w->want.kind == WAIT_STABLE) {
		cmd_message(data, "Stable after %lld ms", (long long)waited);
		return data;
	}
	name_condition(w, &name);
	cmd_message(data, "%s %s after %lld ms", name.data, verbs[w->want.kind], (long long)waited);
	return data;
}

/* --- run --------------------------------------------------------------------------------------- */

static int wait_until(struct dm_request *rq, struct wait *w, struct error *e)
{
	for (;;) {
		int r = look(rq, w, e);

		if (r != 0)
			return r < 0 ? r : 0;
		int64_t left = left_ms(rq, w);

		if (left == 0)
			return timed_out(w, e);
		dm_progress(rq, "waiting", pf_time_ms(w->device) - w->started_ms, w->want.timeout_ms);
		r = pf_idle(w->device, rq->call, left < LIM_WAIT_POLL_MS ? left : LIM_WAIT_POLL_MS, e);
		if (r < 0)
			return r;
	}
}

static int wait_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	__attribute__((cleanup(wait_done))) struct wait w = { .failure = ERROR_INIT };
	int r = wait_for_read(rq, &w.want, e);

	if (r < 0)
		return r;
	w.device = dm_device(rq);
	r = pf_idle(w.device, rq->call, 0, e);
	if (r < 0)
		return r;
	w.started_ms = pf_time_ms(w.device);
	r = w.want.kind == WAIT_MS ? pf_idle(w.device, rq->call, w.want.ms, e) : wait_until(rq, &w, e);
	if (r == 0)
		*ret_data = answer(&w);
	return r;
}

static const struct cmd_param params[] = {
	{ .name = "condition",
	  .type = CMD_LIST,
	  .positional = true,
	  .where = CMD_ONLY_CLI,
	  .budget = true,
	  .help =
	      "<ms>, text <words>, a selector, @ref, gone <selector>, or stable [quiet ms]; a number "
	      "at the end is the time limit in ms" },
	{ .name = "ms",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 0,
	  .has_max = true,
	  .max = LIM_REQUEST_MAX_MS - LIM_REQUEST_MARGIN_MS,
	  .unit = "ms",
	  .budget = true,
	  .help = "just wait this long" },
	{ .name = "text", .type = CMD_STRING, .help = "until a label, value or id contains this text" },
	{ .name = "selector", .type = CMD_STRING, .help = "until this selector matches" },
	{ .name = "gone", .type = CMD_STRING, .help = "until this selector matches nothing any more" },
	{ .name = "stable", .type = CMD_BOOL, .help = "until the screen does not change" },
	{ .name = "quietMs",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = 60000,
	  .dflt = "500",
	  .unit = "ms",
	  .help = "how long it must stay the same to be stable" },
	{ .name = "timeout",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_REQUEST_MAX_MS - LIM_REQUEST_MARGIN_MS,
	  .unit = "ms",
	  .budget = true,
	  .help = "give up after this long; default 10000" },
};
static const char *const examples[] = { "deft wait text \"Order placed\"",
	                                    "deft wait 'role=button label=\"Pay\"' 5000",
	                                    "deft wait gone 'role=dialog' --timeout 3000",
	                                    "deft wait stable",
	                                    "deft wait 500",
	                                    NULL };

const struct cmd_entry cmd_entry_wait = {
	.spec = { .name = "wait",
	          .summary = "Wait until something shows, is gone or is still, or for a time",
	          .details =
	              "A timeout says which of two things happened: the target was not there in "
	              "captures that could be read (reason wait_target_absent), or the screen could "
	              "not be read (wait_capture_stalled), and what is on the screen instead. Quote "
	              "a text that ends with a number.",
	          .group = "Screen",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_NEEDS_SESSION | CMD_LOCKS | CMD_READ_ONLY },
	CMD_CODE(wait_run, cmd_render_message),
};
