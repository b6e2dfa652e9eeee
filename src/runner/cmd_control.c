/* focus, performAction, readControl, setValue, step: elements by their own means, not by a point. */
#include "runner/commands.h"

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

static void put_control(json_t *data, const struct rb_control *k)
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
	if (k->flags & UI_CHECKABLE)
		jx_set_bool(data, "checked", (k->flags & UI_CHECKED) != 0);
	if (k->has_rect)
		jx_set(data, "rect", rc_rect_json(k->rect));
	jx_set_bool(data, "vertical", k->vertical);
	jx_set_bool(data, "rightToLeft", k->rtl);
}

/* Reads the control and puts what it says beside `message`. */
static int read_into(struct rc_env *env, const struct rc_target *t, struct call c,
                     const char *message, json_t **ret, struct error *e)
{
	struct rb_control k = { 0 };
	int status = env->backend->ops->control_read(env->backend, c, t->node, &k, e);

	if (status < 0)
		return status;
	*ret = message ? rc_message(message) : json_object();
	put_control(*ret, &k);
	rc_put_element(*ret, &t->at);
	return 0;
}

int rc_cmd_read_control(struct rc_env *env, const struct wire_request *r, struct call c,
                        json_t **ret, struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status;

	if (!env->backend->ops->control_read)
		return rc_unsupported(env, r, e);
	status = rc_target_node(env, r, c, 0, &t, e);
	return status < 0 ? status : read_into(env, &t, c, NULL, ret, e);
}

int rc_cmd_set_value(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status;

	if (!r->value.has || !isfinite(r->value.v))
		return error_set(e, ERR_INVALID_ARGS, "setValue requires value");
	if (!env->backend->ops->control_set || !env->backend->ops->control_read)
		return rc_unsupported(env, r, e);
	status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = env->backend->ops->control_set(env->backend, c, t.node, r->value.v, e);
	if (status == 0)
		status = read_into(env, &t, c, "value set", ret, e);
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
	int direction = 0, count = 0, done = 0;
	int status = direction_of(r, &direction, e);

	if (status == 0)
		status = count_of(r, &count, e);
	if (status == 0 && (!env->backend->ops->control_step || !env->backend->ops->control_read))
		status = rc_unsupported(env, r, e);
	if (status == 0)
		status = rc_target_node(env, r, c, RC_NEED_ENABLED, &t, e);
	if (status == 0)
		status = take_steps(env, &t, c, direction, count, &done, e);
	if (status == 0)
		status = read_into(env, &t, c, "stepped", ret, e);
	if (status == 0)
		jx_set_int(*ret, "steps", done);
	return status;
}
