/* The interactor over a runner: options in, runner requests out. */
#include "platform/platform.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "platform/sequence.h"
#include "ui/tree_json.h"

#include <stdlib.h>
#include <string.h>

int pf_runner_device_init(struct pf_device *d, const struct pf_device_info *info,
                          const struct cl_provider *provider, struct error *e)
{
	*d = (struct pf_device){ .ops = &pf_runner_ops, .info = *info };
	return cl_session_new(&d->runner, provider, e);
}

void pf_runner_device_done(struct pf_device *d)
{
	if (!d)
		return;
	cl_session_free(d->runner);
	d->runner = NULL;
}

static json_t *new_request(const char *command, const char *app)
{
	json_t *request = json_object();
	jx_set_str(request, "command", command);
	jx_set_str(request, "appBundleId", app);
	return request;
}

static int run(struct pf_device *d, struct call c, json_t *request, json_t **ret, struct error *e)
{
	struct cl_trace trace;
	int r = cl_send(d->runner, c, request, ret, &trace, e);
	cl_trace_add(&d->trace, &trace);
	return r;
}

static int info(struct pf_device *d, struct call c, json_t **ret, struct error *e)
{
	json_t auto_json *request = new_request("deviceInfo", NULL);
	return run(d, c, request, ret, e);
}

static int snapshot(struct pf_device *d, struct call c, const struct pf_snapshot_opts *o,
                    struct ui_tree *ret, struct error *e)
{
	json_t auto_json *request = new_request("snapshot", o->app);
	jx_set_str(request, "surface", o->surface);
	if (o->interactive)
		jx_set_bool(request, "interactiveOnly", true);
	if (o->raw)
		jx_set_bool(request, "raw", true);
	if (o->depth >= 0)
		jx_set_int(request, "depth", o->depth);
	json_t auto_json *data = NULL;
	int r = run(d, c, request, &data, e);
	return r < 0 ? r : ui_tree_from_json(data, ret, e);
}

/* --- tap ---------------------------------------------------------------------------------------- */

static bool is_primary(const struct pf_tap_opts *o)
{
	return !o->button || strcmp(o->button, "primary") == 0;
}

static bool is_within(int v, int low, int high)
{
	return v >= low && v <= high;
}

static int check_tap(const struct pf_tap_opts *o, struct error *e)
{
	if (!is_within(o->count, 1, LIM_PRESS_COUNT))
		return error_set(e, ERR_INVALID_ARGS, "count must be between 1 and %d", LIM_PRESS_COUNT);
	if (!is_within(o->interval_ms, 0, LIM_INTERVAL_MS))
		return error_set(e, ERR_INVALID_ARGS, "intervalMs must be between 0 and %d",
		                 LIM_INTERVAL_MS);
	if (!is_within(o->hold_ms, 0, LIM_HOLD_MS))
		return error_set(e, ERR_INVALID_ARGS, "holdMs must be between 0 and %d", LIM_HOLD_MS);
	if (!is_within(o->jitter_px, 0, LIM_JITTER_PX))
		return error_set(e, ERR_INVALID_ARGS, "jitterPx must be between 0 and %d", LIM_JITTER_PX);
	if (o->double_tap && (o->hold_ms || o->jitter_px))
		return error_set(e, ERR_INVALID_ARGS, "a double tap can't be held or jittered");
	return 0;
}

/* The element, as the runner checks it. */
static void set_element(json_t *request, const struct pf_tap_opts *o)
{
	jx_set_str(request, "nodeId", o->node);
	if (o->node) {
		jx_set_str(request, "expectRole", o->expect_role);
		jx_set_str(request, "expectLabel", o->expect_label);
	}
}

/* One press as a command of its own: with a button, held, or plain. */
static int tap_once(struct pf_device *d, struct call c, const struct pf_tap_opts *o, json_t **ret,
                    struct error *e)
{
	json_t auto_json *request = new_request(o->hold_ms ? "longPress" : "tap", o->app);
	set_element(request, o);
	if (!o->node) {
		jx_set_num(request, "x", o->x);
		jx_set_num(request, "y", o->y);
	}
	if (!is_primary(o))
		jx_set_str(request, "button", o->button);
	if (o->hold_ms)
		jx_set_int(request, "durationMs", o->hold_ms);
	if (o->double_tap)
		jx_set_int(request, "count", 2);
	return run(d, c, request, ret, e);
}

static struct pf_step series_step(const struct pf_tap_opts *o, int i, bool has_point, double x,
                                  double y)
{
	static const signed char pattern[][2] = { { 0, 0 }, { 1, 0 },  { 0, 1 },  { -1, 0 }, { 0, -1 },
		                                      { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } };
	const signed char *shift = pattern[(size_t)i % ARRAY_SIZE(pattern)];
	return (struct pf_step){
		.kind = o->double_tap ? "doubleTap"
		        : o->hold_ms  ? "longPress"
		                      : "tap",
		.has_point = has_point,
		.x = x + shift[0] * o->jitter_px,
		.y = y + shift[1] * o->jitter_px,
		.duration_ms = o->hold_ms ? o->hold_ms : -1,
		.pause_ms = o->interval_ms && i + 1 < o->count ? o->interval_ms : -1,
	};
}

/* Where the element is now: a jittered series needs its point before the first press. */
static int locate(struct pf_device *d, struct call c, const struct pf_tap_opts *o, double *ret_x,
                  double *ret_y, struct error *e)
{
	json_t auto_json *request = new_request("locate", o->app);
	set_element(request, o);
	json_t auto_json *data = NULL;
	int r = run(d, c, request, &data, e);
	if (r < 0)
		return r;
	if (jx_num(data, "x", ret_x, NULL) != 1 || jx_num(data, "y", ret_y, NULL) != 1) {
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the element has no point to press: %s",
		          jx_get_str(data, "reason", "its place is not known"));
		return -ERR_ELEMENT_NOT_INTERACTABLE;
	}
	return 0;
}

static json_t *series_head(const struct pf_tap_opts *o, double x, double y, const char *timing)
{
	json_t *data = json_object();
	jx_set_num(data, "x", x);
	jx_set_num(data, "y", y);
	jx_set_int(data, "count", o->count);
	jx_set_int(data, "intervalMs", o->interval_ms);
	jx_set_int(data, "holdMs", o->hold_ms);
	jx_set_int(data, "jitterPx", o->jitter_px);
	jx_set_bool(data, "doubleTap", o->double_tap);
	jx_set_str(data, "timingMode", timing);
	return data;
}

static void series_message(json_t *data)
{
	struct buf auto_buf text;
	buf_init(&text, 100);
	buf_adds(&text, "Tapped (");
	buf_add_number(&text, jx_get_num(data, "x", 0));
	buf_adds(&text, ", ");
	buf_add_number(&text, jx_get_num(data, "y", 0));
	buf_addc(&text, ')');
	jx_set_str(data, "message", text.data);
}

static int tap_sequence(struct pf_device *d, struct call c, const struct pf_tap_opts *o,
                        json_t **ret, struct error *e)
{
	double x = o->x, y = o->y;
	bool has_point = !o->node || o->jitter_px;
	int r = o->node && has_point ? locate(d, c, o, &x, &y, e) : 0;
	if (r < 0)
		return r;
	struct pf_step steps[LIM_PRESS_COUNT];
	for (int i = 0; i < o->count; i++)
		steps[i] = series_step(o, i, has_point, x, y);
	json_t auto_json *base = new_request("sequence", o->app);
	set_element(base, o);
	json_t auto_json *data = NULL;
	r = pf_sequence_run(d, c, base, steps, (size_t)o->count, &data, e);
	if (r < 0)
		return r;
	json_t *whole = series_head(o, x, y, "runner-sequence");
	json_object_update(whole, data);
	series_message(whole);
	*ret = whole;
	return 0;
}

/* Steps of a sequence have no button: another one than the primary is pressed command by command. */
static int tap_one_by_one(struct pf_device *d, struct call c, const struct pf_tap_opts *o,
                          json_t **ret, struct error *e)
{
	json_t auto_json *first = NULL;
	for (int i = 0; i < o->count; i++) {
		struct error auto_error failed = ERROR_INIT;
		json_t auto_json *data = NULL;
		int r = i && o->interval_ms ? pf_idle(d, c, o->interval_ms, &failed) : 0;
		if (r == 0)
			r = tap_once(d, c, o, &data, &failed);
		if (r < 0) {
			error_detail_int(&failed, "failedStepIndex", i);
			error_detail_int(&failed, "completedSteps", i);
			if (i)
				error_detail_str(&failed, "executed", "partly");
			error_move(e, &failed);
			return r;
		}
		if (i == 0)
			first = TAKE(data);
	}
	json_t *whole = series_head(o, o->x, o->y, "direct");
	json_object_update(whole, first);
	jx_set_int(whole, "completedSteps", o->count);
	series_message(whole);
	*ret = whole;
	return 0;
}

static int tap(struct pf_device *d, struct call c, const struct pf_tap_opts *o, json_t **ret,
               struct error *e)
{
	int r = check_tap(o, e);
	if (r < 0)
		return r;
	if (o->count == 1)
		return tap_once(d, c, o, ret, e);
	return is_primary(o) ? tap_sequence(d, c, o, ret, e) : tap_one_by_one(d, c, o, ret, e);
}

static void close_device(struct pf_device *d)
{
	pf_runner_device_done(d);
	free(d);
}

const struct pf_ops pf_runner_ops = {
	.info = info,
	.snapshot = snapshot,
	.tap = tap,
	.run = run,
	.close = close_device,
};
