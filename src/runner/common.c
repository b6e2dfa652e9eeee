#include "runner/commands.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "runner/reply.h"

#include <math.h>

int rc_unsupported(const struct rc_env *env, const struct wire_request *r, struct error *e)
{
	return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s is not supported by the %s backend",
	                 wire_command_traits(r->command)->name, env->backend->ops->name);
}

json_t *rc_message(const char *text)
{
	json_t *data = json_object();

	jx_set_str(data, "message", text);
	return data;
}

/* --- screen ---------------------------------------------------------------------------------- */

static void read_screen(struct rc_env *env, struct call c)
{
	auto_json
	json_t *facts = NULL;

	if (env->backend->ops->describe(env->backend, call_limit(c, 2000), &facts, NULL) < 0)
		return;
	const json_t *screen = json_object_get(facts, "screen");

	env->screen = (struct rc_screen){ .width = jx_get_num(screen, "width", 0),
		                              .height = jx_get_num(screen, "height", 0),
		                              .read_at_ms = clock_now_ms(),
		                              .known = true };
}

struct rc_screen rc_screen(struct rc_env *env, struct call c)
{
	if (!env->screen.known || clock_now_ms() - env->screen.read_at_ms > RC_SCREEN_FRESH_MS)
		read_screen(env, c);
	return env->screen;
}

static bool on_screen(const struct rc_screen *s, double x, double y)
{
	return s->width <= 0 || s->height <= 0 || (x >= 0 && y >= 0 && x < s->width && y < s->height);
}

int rc_check_point(struct rc_env *env, struct call c, double x, double y, struct error *e)
{
	struct rc_screen s = rc_screen(env, c);

	if (!isfinite(x) || !isfinite(y))
		return error_set(e, ERR_INVALID_ARGS, "x and y must be finite");
	if (!on_screen(&s, x, y)) {
		read_screen(env, c);
		s = env->screen;
	}
	if (!on_screen(&s, x, y))
		return error_set(e, ERR_INVALID_ARGS, "the point (%d, %d) is outside of the %d x %d screen",
		                 (int)fmax(fmin(x, 1e9), -1e9), (int)fmax(fmin(y, 1e9), -1e9), (int)s.width,
		                 (int)s.height);
	return 0;
}

/* --- reply fields ---------------------------------------------------------------------------- */

json_t *rc_rect_json(struct ui_rect r)
{
	json_t *j = json_object();

	jx_set_num(j, "x", r.x);
	jx_set_num(j, "y", r.y);
	jx_set_num(j, "width", r.width);
	jx_set_num(j, "height", r.height);
	return j;
}

void rc_put_touch(json_t *data, const struct rc_env *env, double x, double y)
{
	jx_set_num(data, "x", x);
	jx_set_num(data, "y", y);
	if (env->screen.width > 0 && env->screen.height > 0) {
		jx_set_num(data, "referenceWidth", env->screen.width);
		jx_set_num(data, "referenceHeight", env->screen.height);
	}
}

void rc_put_drag(json_t *data, const struct rc_env *env, const struct rb_drag *d)
{
	rc_put_touch(data, env, d->x, d->y);
	jx_set_num(data, "x2", d->x2);
	jx_set_num(data, "y2", d->y2);
}

void rc_put_times(json_t *data, double start_ms)
{
	jx_set_num(data, "gestureStartUptimeMs", start_ms);
	jx_set_num(data, "gestureEndUptimeMs", rc_uptime_ms());
}

int rc_duration(struct wire_num n, int dflt, int min, int max)
{
	return n.has ? (int)fmax(min, fmin(max, round(n.v))) : dflt;
}

/* --- interaction frame ----------------------------------------------------------------------- */

static bool is_window(const struct ui_node *n)
{
	return (n->role == UI_WINDOW || n->role == UI_DIALOG) && ui_has(n, UI_HAS_RECT) &&
	       ui_rect_usable(n->rect);
}

static bool window_frame(const struct ui_tree *t, struct ui_rect *ret)
{
	uint32_t best = UI_NONE;

	for (uint32_t i = 0; i < t->count; i++) {
		if (!is_window(&t->nodes[i]))
			continue;
		if (best == UI_NONE ||
		    (ui_has(&t->nodes[i], UI_ACTIVE) && !ui_has(&t->nodes[best], UI_ACTIVE)))
			best = i;
	}
	if (best == UI_NONE)
		return false;
	*ret = t->nodes[best].rect;
	return true;
}

int rc_interaction_frame(struct rc_env *env, const struct wire_request *r, struct call c,
                         struct ui_rect *ret, struct error *e)
{
	const struct rb_snapshot_opts opts = { .app = r->app, .surface = r->surface, .depth = 1 };
	struct rc_screen s = rc_screen(env, c);
	struct ui_rect screen = { 0, 0, s.width, s.height }, window;
	struct ui_tree auto_tree tree = { 0 };
	int status = env->backend->ops->snapshot(env->backend, c, &opts, &tree, e);

	if (status < 0)
		return status;
	if (window_frame(&tree, &window)) {
		if (!ui_rect_usable(screen) || !ui_rect_intersect(window, screen, ret))
			*ret = window;
		return 0;
	}
	if (!ui_rect_usable(screen))
		return error_set(e, ERR_DEVICE_UNAVAILABLE,
		                 "%s could not resolve a usable interaction frame",
		                 wire_command_traits(r->command)->name);
	*ret = screen;
	return 0;
}
