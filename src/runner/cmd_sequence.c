/* sequence: up to LIM_SEQUENCE_STEPS gestures in one request (runner protocol 5). All steps are
 * checked before the first runs; a step that fails is data, not an error of the command. */
#include "runner/commands.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "runner/actionability.h"
#include "runner/reply.h"

#include <math.h>
#include <string.h>

#define STEP_ERROR_BYTES 200
#define PAUSE_MAX_MS 10000

enum kind { TAP, DOUBLE_TAP, LONG_PRESS, DRAG, KIND_COUNT };

static const char *const kind_names[KIND_COUNT] = { "tap", "doubleTap", "longPress", "drag" };

static enum kind kind_of(const char *name)
{
	int k = 0;

	while (k < KIND_COUNT && strcmp(kind_names[k], name) != 0)
		k++;
	return (enum kind)k;
}

/* --- checking -------------------------------------------------------------------------------- */

static bool finite_pair(struct wire_num x, struct wire_num y)
{
	return x.has && y.has && isfinite(x.v) && isfinite(y.v);
}

static int check_step(const struct wire_step *s, size_t i, bool has_node, struct error *e)
{
	enum kind k = kind_of(s->kind);

	if (k == KIND_COUNT)
		return error_set(
		    e, ERR_INVALID_ARGS,
		    "sequence step %zu has unsupported kind \"%.64s\"; allowed: tap, doubleTap, "
		    "longPress, drag",
		    i, s->kind);
	if (!finite_pair(s->x, s->y) && !(has_node && !s->x.has && !s->y.has))
		return error_set(e, ERR_INVALID_ARGS, "sequence step %zu (%s) requires finite x and y", i,
		                 s->kind);
	if (k == DRAG && !finite_pair(s->x2, s->y2))
		return error_set(e, ERR_INVALID_ARGS, "sequence step %zu (drag) requires finite x2 and y2",
		                 i);
	return 0;
}

static int check_steps(const struct wire_request *r, struct error *e)
{
	if (!r->has_steps || r->n_steps == 0)
		return error_set(e, ERR_INVALID_ARGS, "sequence requires at least one step");
	if (r->n_steps > LIM_SEQUENCE_STEPS)
		return error_set(e, ERR_INVALID_ARGS, "sequence accepts at most %d steps, received %zu",
		                 LIM_SEQUENCE_STEPS, r->n_steps);
	for (size_t i = 0; i < r->n_steps; i++) {
		int status = check_step(&r->steps[i], i, r->node != NULL, e);

		if (status < 0)
			return status;
	}
	return 0;
}

/* A step without x and y acts on the request's element. */
static void step_point(const struct wire_step *s, const struct rc_target *t, double *x, double *y)
{
	*x = s->x.has ? s->x.v : t->x;
	*y = s->y.has ? s->y.v : t->y;
}

static int check_places(struct rc_env *env, const struct wire_request *r, struct call c,
                        const struct rc_target *t, struct error *e)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct wire_step *s = &r->steps[i];
		double x, y;

		step_point(s, t, &x, &y);
		if (rc_check_point(env, c, x, y, e) < 0 ||
		    (kind_of(s->kind) == DRAG && rc_check_point(env, c, s->x2.v, s->y2.v, e) < 0))
			return error_prefix(e, "sequence step %zu (%s)", i, s->kind);
	}
	return 0;
}

/* --- running --------------------------------------------------------------------------------- */

static int run_step(struct rc_env *env, const struct wire_step *s, const struct rc_target *t,
                    struct call c, struct error *e)
{
	const struct rb_ops *ops = env->backend->ops;
	enum kind k = kind_of(s->kind);
	struct rb_tap tap = { .clicks = k == DOUBLE_TAP ? 2 : 1, .node = t->node };
	int status = call_check(c, "sequence", e);

	step_point(s, t, &tap.x, &tap.y);
	if (status < 0)
		return status;
	if (k != DRAG) {
		if (k == LONG_PRESS)
			tap.hold_ms = rc_duration(s->duration_ms, 800, LIM_SWIPE_MIN_MS, LIM_HOLD_MS);
		return ops->tap(env->backend, c, &tap, e);
	}
	if (!ops->drag)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "drag is not supported by the %s backend",
		                 ops->name);

	const struct rb_drag drag = {
		.x = tap.x,
		.y = tap.y,
		.x2 = s->x2.v,
		.y2 = s->y2.v,
		.duration_ms = rc_duration(s->duration_ms, 250, LIM_SWIPE_MIN_MS, LIM_SWIPE_MAX_MS),
	};

	return ops->drag(env->backend, c, &drag, e);
}

static json_t *step_result(const struct wire_step *s, const struct error *e, double start)
{
	json_t *result = json_object();

	jx_set_bool(result, "ok", e->code == ERR_OK);
	jx_set_str(result, "kind", s->kind);
	if (e->code != ERR_OK) {
		auto_free
		char *text =
		    e->message ? utf8_repair(e->message, strlen(e->message), STEP_ERROR_BYTES, NULL) : NULL;

		jx_set_str(result, "errorCode", error_code_name(e->code));
		jx_set_str(result, "errorMessage", text ? text : "");
	}
	rc_put_times(result, start);
	return result;
}

static void pause_after(struct rc_env *env, const struct wire_step *s, struct call c)
{
	const struct rb_ops *ops = env->backend->ops;
	int64_t ms = rc_duration(s->pause_ms, 0, 0, PAUSE_MAX_MS), now;

	if (ms > deadline_left(c.deadline))
		ms = deadline_left(c.deadline);
	if (ms > 0 && ops->idle)
		ops->idle(env->backend, c, ms, &now, NULL);
	else if (ms > 0)
		clock_wait(ms, c.cancel, NULL);
}

/* Runs steps until one fails; returns how many were performed. */
static size_t run_steps(struct rc_env *env, const struct wire_request *r, const struct rc_target *t,
                        struct call c, json_t *results)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		struct error auto_error e = ERROR_INIT;
		double start = rc_uptime_ms();
		int status = run_step(env, &r->steps[i], t, c, &e);

		json_array_append_new(results, step_result(&r->steps[i], &e, start));
		if (status < 0)
			return i;
		pause_after(env, &r->steps[i], c);
	}
	return r->n_steps;
}

static json_t *summary(const struct rc_env *env, const struct wire_request *r,
                       const struct rc_target *t, size_t done, json_t *results)
{
	json_t *data = rc_message("sequence");
	size_t last = json_array_size(results) - 1;
	double x, y;

	jx_set_int(data, "completedSteps", (int64_t)done);
	if (done < r->n_steps)
		jx_set_int(data, "failedStepIndex", (int64_t)done);
	jx_set(data, "gestureStartUptimeMs",
	       json_incref(json_object_get(json_array_get(results, 0), "gestureStartUptimeMs")));
	jx_set(data, "gestureEndUptimeMs",
	       json_incref(json_object_get(json_array_get(results, last), "gestureEndUptimeMs")));
	step_point(&r->steps[0], t, &x, &y);
	rc_put_touch(data, env, x, y);
	jx_set(data, "sequenceResults", results);
	return data;
}

int rc_cmd_sequence(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                    struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status = check_steps(r, e);

	if (status == 0 && r->node)
		status = rc_target_node(env, r, c, RC_NEED_TOUCH, &t, e);
	if (status == 0)
		status = check_places(env, r, c, &t, e);
	if (status < 0)
		return status;

	json_t *results = json_array();
	size_t done = run_steps(env, r, &t, c, results);

	*ret = summary(env, r, &t, done, results);
	return 0;
}
