/* scroll and swipe: one plan over a frame (runner protocol 7.3). scroll moves the view, by the
 * container itself where the backend can; swipe draws the finger's way whatever comes of it. */
#include "runner/commands.h"

#include "base/jx.h"
#include "base/limits.h"
#include "runner/actionability.h"
#include "runner/reply.h"
#include "runner/scroll_plan.h"

#define SWIPE_MS 250

/* Where the gesture goes, and over which frame it is planned. */
struct way {
	struct rc_target target; /* node NULL: none was named */
	struct ui_rect frame;
	struct rc_scroll_plan plan;
};

static void way_done(struct way *w)
{
	rc_target_done(&w->target);
}

static int frame_of(struct rc_env *env, const struct wire_request *r, struct call c, struct way *w,
                    bool *has_point, struct error *e)
{
	int status =
	    rc_target_resolve(env, r, c, RC_NEED_ENABLED | RC_NEED_IN_VIEW, &w->target, has_point, e);

	if (status < 0)
		return status;
	if (!w->target.node)
		return rc_interaction_frame(env, r, c, &w->frame, e);
	if (!ui_rect_usable(w->target.at.rect))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the element has no place on the screen");
	w->frame = w->target.at.rect;
	return 0;
}

/* What can be refused without looking at the screen. */
static int check_way(const struct wire_request *r, struct error *e)
{
	const char *name = wire_command_traits(r->command)->name;
	const struct wire_num none = { 0 };
	struct rc_scroll_plan plan;

	if (!rc_scroll_plan(r->direction, none, none, 100, 100, &plan))
		return error_set(e, ERR_INVALID_ARGS, "%s requires direction up|down|left|right", name);
	if (!rc_scroll_plan(r->direction, r->amount, r->pixels, 100, 100, &plan))
		return error_set(e, ERR_INVALID_ARGS, "%s could not compute a gesture plan", name);
	return 0;
}

static int plan_way(struct rc_env *env, const struct wire_request *r, struct call c, struct way *w,
                    struct error *e)
{
	bool has_point = false;
	int status = check_way(r, e);

	if (status == 0)
		status = frame_of(env, r, c, w, &has_point, e);
	if (status < 0)
		return status;
	if (!rc_scroll_plan(r->direction, r->amount, r->pixels, w->frame.width, w->frame.height,
	                    &w->plan))
		return error_set(e, ERR_INVALID_ARGS, "%s could not compute a gesture plan",
		                 wire_command_traits(r->command)->name);
	/* A point named by the caller becomes the middle of the way. */
	bool at_point = has_point && !w->target.node;
	double ox = at_point ? w->target.x - w->frame.width / 2 : w->frame.x;
	double oy = at_point ? w->target.y - w->frame.height / 2 : w->frame.y;

	w->plan.x += ox;
	w->plan.x2 += ox;
	w->plan.y += oy;
	w->plan.y2 += oy;
	return 0;
}

static void put_way(json_t *data, const struct rc_env *env, const struct way *w)
{
	const struct rb_drag drag = {
		.x = w->plan.x, .y = w->plan.y, .x2 = w->plan.x2, .y2 = w->plan.y2
	};

	rc_put_drag(data, env, &drag);
	jx_set_num(data, "referenceWidth", w->frame.width);
	jx_set_num(data, "referenceHeight", w->frame.height);
	jx_set_num(data, "pixels", w->plan.travel);
	if (w->target.node)
		rc_put_element(data, &w->target.at);
}

int rc_cmd_scroll(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                  struct error *e)
{
	__attribute__((cleanup(way_done))) struct way w = { 0 };
	double start = rc_uptime_ms();
	int moved = -1, status;

	if (!env->backend->ops->scroll)
		return rc_unsupported(env, r, e);
	status = plan_way(env, r, c, &w, e);
	if (status < 0)
		return status;

	const struct rb_scroll scroll = {
		.node = w.target.node,
		.x = (w.plan.x + w.plan.x2) / 2,
		.y = (w.plan.y + w.plan.y2) / 2,
		.dx = w.plan.dx,
		.dy = w.plan.dy,
	};

	status = env->backend->ops->scroll(env->backend, c, &scroll, &moved, e);
	if (status < 0)
		return status;
	*ret = rc_message("scrolled");
	put_way(*ret, env, &w);
	if (moved >= 0)
		jx_set_bool(*ret, "moved", moved);
	rc_put_times(*ret, start);
	return 0;
}

/* The finger moves into `direction`: the way of a scroll, walked backwards. */
static void reverse(struct rc_scroll_plan *p)
{
	const struct rc_scroll_plan q = *p;

	p->x = q.x2;
	p->y = q.y2;
	p->x2 = q.x;
	p->y2 = q.y;
}

int rc_cmd_swipe(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                 struct error *e)
{
	__attribute__((cleanup(way_done))) struct way w = { 0 };
	double start = rc_uptime_ms();
	int status;

	if (!env->backend->ops->drag)
		return rc_unsupported(env, r, e);
	status = plan_way(env, r, c, &w, e);
	if (status < 0)
		return status;
	reverse(&w.plan);
	status = rc_check_point(env, c, w.plan.x, w.plan.y, e);
	if (status == 0)
		status = rc_check_point(env, c, w.plan.x2, w.plan.y2, e);
	if (status < 0)
		return status;

	const struct rb_drag drag = {
		.x = w.plan.x,
		.y = w.plan.y,
		.x2 = w.plan.x2,
		.y2 = w.plan.y2,
		.duration_ms = rc_duration(r->duration_ms, SWIPE_MS, LIM_SWIPE_MIN_MS, LIM_SWIPE_MAX_MS),
	};

	status = env->backend->ops->drag(env->backend, c, &drag, e);
	if (status < 0)
		return status;
	*ret = rc_message("swiped");
	put_way(*ret, env, &w);
	rc_put_times(*ret, start);
	return 0;
}
