/* focus, performAction, readControl, setValue, step: elements by their own means, not by a point. */
#include "runner/commands.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "runner/actionability.h"

#include <math.h>
#include <string.h>

/* --- focus and actions ----------------------------------------------------------------------- */

int rc_cmd_focus(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                 struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status;

	if (!env->backend->ops->focus)
		return rc_unsupported(env, r, e);
	status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = env->backend->ops->focus(env->backend, c, t.node, e);
	if (status < 0)
		return status;
	*ret = rc_message("focused");
	rc_put_element(*ret, &t.at);
	return 0;
}

int rc_cmd_perform_action(struct rc_env *env, const struct wire_request *r, struct call c,
                          json_t **ret, struct error *e)
{
	struct rc_target auto_target t = { 0 };
	const char *name = r->action;
	int status;

	if (!env->backend->ops->perform)
		return rc_unsupported(env, r, e);
	status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = env->backend->ops->perform(env->backend, c, t.node, r->action, &name, e);
	if (status < 0)
		return status;
	*ret = rc_message("performed");
	jx_set_str(*ret, "action", name);
	rc_put_element(*ret, &t.at);
	return 0;
}

/* --- values ---------------------------------------------------------------------------------- */

/* `at`: where the element was found when the request began; it tells whether it is shown. */
static void put_control(json_t *data, const struct rb_control *k, const struct rb_located *at)
{
	if (k->has_value)
		jx_set_num(data, "value", k->value);
	if (k->has_range) {
		jx_set_num(data, "min", k->min);
		jx_set_num(data, "max", k->max);
		if (k->step > 0)
			jx_set_num(data, "step", k->step);
	}
	if (k->raw[0])
		jx_set_str(data, "raw", k->raw);
	jx_set_bool(data, "canSet", k->can_set);
	jx_set_bool(data, "canIncrement", k->can_increment);
	jx_set_bool(data, "canDecrement", k->can_decrement);
	jx_set_bool(data, "enabled", (k->flags & UI_ENABLED) != 0);
	jx_set_bool(data, "visible", (at->flags & UI_VISIBLE) != 0);
	if (k->flags & UI_READ_ONLY)
		jx_set_bool(data, "readOnly", true);
	if (k->flags & UI_CHECKABLE)
		jx_set_bool(data, "checked", (k->flags & UI_CHECKED) != 0);
	if (k->has_rect)
		jx_set(data, "rect", rc_rect_json(k->rect));
	jx_set_bool(data, "vertical", k->vertical);
	jx_set_bool(data, "rightToLeft", k->rtl);
}

static int reads_of(const struct wire_request *r, int *ret, struct error *e)
{
	double n = r->reads.has ? r->reads.v : 1;

	if (n != floor(n) || n < 1 || n > LIM_CONTROL_READS)
		return error_set(e, ERR_INVALID_ARGS, "reads must be a whole number 1..%d",
		                 LIM_CONTROL_READS);
	*ret = (int)n;
	return 0;
}

/* Time between two readings: the device's own where it has one. */
static int let_pass(struct rc_env *env, struct call c, int64_t ms, struct error *e)
{
	int64_t now;

	if (env->backend->ops->idle)
		return env->backend->ops->idle(env->backend, c, ms, &now, e);
	return clock_wait(ms, c.cancel, e);
}

/* The readings a request asks for: all of them under `readings` when there are several, the last one
 * in the object itself. */
static int put_readings(struct rc_env *env, const struct rc_target *t, int reads, struct call c,
                        json_t *data, struct error *e)
{
	auto_json json_t *list = json_array();

	for (int i = 0; i < reads; i++) {
		struct rb_control k = { 0 };
		int status = i ? let_pass(env, c, LIM_CONTROL_GAP_MS, e) : 0;
		json_t *one;

		if (status == 0)
			status = env->backend->ops->control_read(env->backend, c, t->node, &k, e);
		if (status < 0)
			return status;
		one = json_object();
		put_control(one, &k, &t->at);
		json_array_append_new(list, one);
	}
	json_object_update(data, json_array_get(list, json_array_size(list) - 1));
	if (reads > 1)
		jx_set(data, "readings", TAKE(list));
	rc_put_element(data, &t->at);
	return 0;
}

/* What was carried out was carried out, also when it can't be read afterwards. */
static int put_outcome(struct rc_env *env, const struct rc_target *t, int reads, struct call c,
                       const char *message, json_t **ret)
{
	auto_error struct error unread = ERROR_INIT;
	json_t *data = rc_message(message);

	if (put_readings(env, t, reads, c, data, &unread) < 0)
		jx_set(data, "unread",
		       json_pack("{s:s, s:s}", "code", error_code_name(unread.code), "message",
		                 unread.message));
	*ret = data;
	return 0;
}

int rc_cmd_read_control(struct rc_env *env, const struct wire_request *r, struct call c,
                        json_t **ret, struct error *e)
{
	struct rc_target auto_target t = { 0 };
	auto_json json_t *data = json_object();
	int reads = 1, status = reads_of(r, &reads, e);

	if (status == 0 && !env->backend->ops->control_read)
		status = rc_unsupported(env, r, e);
	if (status == 0 && r->delay_ms > 0)
		status = let_pass(
		    env, c, r->delay_ms < LIM_CONTROL_SETTLE_MS ? r->delay_ms : LIM_CONTROL_SETTLE_MS, e);
	if (status == 0)
		status = rc_target_node(env, r, c, 0, &t, e);
	if (status == 0)
		status = put_readings(env, &t, reads, c, data, e);
	if (status == 0)
		*ret = TAKE(data);
	return status;
}

int rc_cmd_set_value(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int reads = 1, status;

	if (!r->value.has || !isfinite(r->value.v))
		return error_set(e, ERR_INVALID_ARGS, "setValue requires value");
	if (!env->backend->ops->control_set || !env->backend->ops->control_read)
		return rc_unsupported(env, r, e);
	status = reads_of(r, &reads, e);
	if (status == 0)
		status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = env->backend->ops->control_set(env->backend, c, t.node, r->value.v, e);
	if (status == 0)
		status = put_outcome(env, &t, reads, c, "value set", ret);
	if (status == 0)
		jx_set_num(*ret, "requested", r->value.v);
	return status;
}

/* --- steps ----------------------------------------------------------------------------------- */

static int direction_of(const struct wire_request *r, int *ret, struct error *e)
{
	if (r->direction && strcmp(r->direction, "increment") == 0)
		*ret = 1;
	else if (r->direction && strcmp(r->direction, "decrement") == 0)
		*ret = -1;
	else
		return error_set(e, ERR_INVALID_ARGS, "step requires direction increment|decrement");
	return 0;
}

static int count_of(const struct wire_request *r, int *ret, struct error *e)
{
	double n = r->count.has ? r->count.v : 1;

	if (n != floor(n) || n < 1 || n > LIM_PRESS_COUNT)
		return error_set(e, ERR_INVALID_ARGS, "count must be a whole number 1..%d",
		                 LIM_PRESS_COUNT);
	*ret = (int)n;
	return 0;
}

static int take_steps(struct rc_env *env, const struct rc_target *t, struct call c, int direction,
                      int count, int *ret_done, struct error *e)
{
	for (int i = 0; i < count; i++) {
		int status = call_check(c, "step", e);

		if (status == 0)
			status = env->backend->ops->control_step(env->backend, c, t->node, direction, e);
		if (status < 0) {
			*ret_done = i;
			return error_detail_int(e, "stepsDone", i);
		}
	}
	*ret_done = count;
	return 0;
}

int rc_cmd_step(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int direction = 0, count = 0, done = 0, reads = 1;
	int status = direction_of(r, &direction, e);

	if (status == 0)
		status = count_of(r, &count, e);
	if (status == 0)
		status = reads_of(r, &reads, e);
	if (status == 0 && (!env->backend->ops->control_step || !env->backend->ops->control_read))
		status = rc_unsupported(env, r, e);
	if (status == 0)
		status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = take_steps(env, &t, c, direction, count, &done, e);
	if (status == 0)
		status = put_outcome(env, &t, reads, c, "stepped", ret);
	if (status == 0)
		jx_set_int(*ret, "steps", done);
	return status;
}
