/* tap, longPress, drag: coordinate-first (runner protocol 7.1). The element is located once; input
 * goes to its point, and the platform is never asked to find it again. */
#include "runner/commands.h"

#include "base/jx.h"
#include "base/limits.h"
#include "runner/actionability.h"
#include "runner/reply.h"

#include <math.h>
#include <string.h>

#define LONG_PRESS_MS 800
#define DRAG_MS 250

static int button_of(const struct wire_request *r, enum rb_button *ret, struct error *e)
{
	static const char *const names[] = { "primary", "secondary", "middle" };

	*ret = RB_BUTTON_PRIMARY;
	if (!r->button)
		return 0;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(r->button, names[i]) == 0) {
			*ret = (enum rb_button)i;
			return 0;
		}
	return error_set(e, ERR_INVALID_ARGS, "unsupported mouse button: %s", r->button);
}

static int gesture_of(const struct wire_request *r, int default_hold, struct rb_tap *ret,
                      struct error *e)
{
	*ret = (struct rb_tap){ .clicks = 1 };
	if (r->count.has && r->count.v != 1 && r->count.v != 2)
		return error_set(e, ERR_INVALID_ARGS, "count must be 1 or 2; longer series are a sequence");
	if (r->count.has)
		ret->clicks = (int)r->count.v;
	ret->hold_ms = rc_duration(r->duration_ms, default_hold, 0, LIM_HOLD_MS);
	if (ret->hold_ms > 0 && ret->hold_ms < LIM_SWIPE_MIN_MS)
		ret->hold_ms = LIM_SWIPE_MIN_MS;
	return button_of(r, &ret->button, e);
}

static bool plain(const struct rb_tap *t)
{
	return t->button == RB_BUTTON_PRIMARY && t->clicks == 1 && t->hold_ms == 0;
}

/* The declared alternative where no point can work. */
static int press_semantically(struct rc_env *env, const struct rc_target *t, struct call c,
                              json_t **ret, struct error *e)
{
	double start = rc_uptime_ms();
	const char *name = NULL;
	int status = env->backend->ops->perform(env->backend, c, t->node, NULL, &name, e);

	if (status < 0)
		return status;
	*ret = rc_message("tapped");
	jx_set_str(*ret, "activation", "semantic");
	jx_set_str(*ret, "action", name);
	jx_set_str(*ret, "reason",
	           t->at.no_point_reason ? t->at.no_point_reason : "its place is not known");
	rc_put_element(*ret, &t->at);
	rc_put_times(*ret, start);
	return 0;
}

static int press_point(struct rc_env *env, const struct rc_target *t, struct rb_tap *tap,
                       struct call c, const char *message, json_t **ret, struct error *e)
{
	double start = rc_uptime_ms();
	int status = rc_check_point(env, c, t->x, t->y, e);

	if (status < 0)
		return status;
	tap->x = t->x;
	tap->y = t->y;
	tap->node = t->node;
	status = env->backend->ops->tap(env->backend, c, tap, e);
	if (status < 0)
		return status;
	*ret = rc_message(message);
	jx_set_str(*ret, "activation", "coordinate");
	rc_put_touch(*ret, env, t->x, t->y);
	if (t->node)
		rc_put_element(*ret, &t->at);
	rc_put_times(*ret, start);
	return 0;
}

/* An element and a point: that point of the element, as the track of a slider needs it. */
static int point_inside(const struct wire_request *r, struct rc_target *t, struct error *e)
{
	if (!r->node || !r->x.has || !r->y.has)
		return 0;
	if (!t->has_point || !ui_rect_contains(t->at.rect, r->x.v, r->y.v)) {
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the point (%d, %d) is not on the element",
		          (int)fmax(fmin(r->x.v, 1e9), -1e9), (int)fmax(fmin(r->y.v, 1e9), -1e9));
		return error_reason(e, "point_outside");
	}
	t->x = r->x.v;
	t->y = r->y.v;
	return 0;
}

static int press(struct rc_env *env, const struct wire_request *r, struct call c, int default_hold,
                 const char *message, json_t **ret, struct error *e)
{
	const unsigned needs = RC_NEED_TOUCH & ~(unsigned)RC_NEED_POINT;
	struct rc_target auto_target t = { 0 };
	struct rb_tap tap;
	bool found = false;
	int status = gesture_of(r, default_hold, &tap, e);

	if (status == 0)
		status = rc_target_resolve(env, r, c, needs, &t, &found, e);
	if (status == 0)
		status = point_inside(r, &t, e);
	if (status < 0)
		return status;
	if (!found)
		return error_set(e, ERR_INVALID_ARGS, "%s requires nodeId, a selector or x/y",
		                 wire_command_traits(r->command)->name);
	if (t.has_point)
		return press_point(env, &t, &tap, c, message, ret, e);
	if (t.at.semantic && plain(&tap) && env->backend->ops->perform)
		return press_semantically(env, &t, c, ret, e);
	return rc_actionable(&t.at, NULL, NULL, RC_NEED_POINT, e);
}

int rc_cmd_tap(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
               struct error *e)
{
	return press(env, r, c, 0, "tapped", ret, e);
}

int rc_cmd_long_press(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                      struct error *e)
{
	return press(env, r, c, LONG_PRESS_MS, "long pressed", ret, e);
}

int rc_cmd_drag(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	struct rc_target auto_target from = { 0 };
	double start = rc_uptime_ms();
	bool found = false;
	int status;

	if (!env->backend->ops->drag)
		return rc_unsupported(env, r, e);
	if (!r->x2.has || !r->y2.has)
		return error_set(e, ERR_INVALID_ARGS, "drag requires x, y, x2, and y2");
	status = rc_target_resolve(env, r, c, RC_NEED_TOUCH, &from, &found, e);
	if (status == 0 && !found)
		status = error_set(e, ERR_INVALID_ARGS, "drag requires x, y, x2, and y2");
	if (status == 0)
		status = rc_check_point(env, c, r->x2.v, r->y2.v, e);
	if (status < 0)
		return status;

	const struct rb_drag drag = {
		.x = from.x,
		.y = from.y,
		.x2 = r->x2.v,
		.y2 = r->y2.v,
		.duration_ms = rc_duration(r->duration_ms, DRAG_MS, LIM_SWIPE_MIN_MS, LIM_SWIPE_MAX_MS),
	};

	status = env->backend->ops->drag(env->backend, c, &drag, e);
	if (status < 0)
		return status;
	*ret = rc_message("dragged");
	rc_put_drag(*ret, env, &drag);
	rc_put_times(*ret, start);
	return 0;
}
