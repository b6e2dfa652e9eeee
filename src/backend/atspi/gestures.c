/* Pointer gestures and focus. */
#include "backend/atspi/acting.h"

#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

#define POLL_MS 20
#define SCROLL_SETTLE_MS 400
#define POINTS_PER_CLICK 50 /* what one click of a wheel moves in common toolkits, about */
#define WHEEL_MAX 200

/* --- aiming --------------------------------------------------------------------------------- */

/* The window a node is in: pid and title as the accessibility tree has them, and the X window when
 * they name one. */
struct owner {
	pid_t pid;
	struct x11_window window;
	bool has_window;
};

static int owner_of(struct atspi *a, struct call c, const char *node, const struct x11_window *list,
                    size_t n, struct owner *o, struct error *e)
{
	char title[256] = "";
	*o = (struct owner){ .pid = 0 };
	int r = atspi_node_window(a, c, node, &o->pid, title, sizeof(title), e);
	if (r < 0)
		return r;
	r = x11_pick_window(list, n, o->pid, title[0] ? title : NULL, &o->window, NULL);
	/* A title may differ between the tree and the X server: then the only window is meant. */
	if (r == -ERR_ELEMENT_NOT_FOUND && title[0])
		r = x11_pick_window(list, n, o->pid, NULL, &o->window, NULL);
	o->has_window = r == 0;
	return 0;
}

/* The click would reach the element's own window, or a popup (menu, list) of its program. */
static bool reaches(const struct owner *o, const struct x11_hit *hit)
{
	if (hit->client == 0 || hit->on_decoration)
		return false;
	if (o->has_window && hit->client == o->window.id)
		return true;
	if (hit->override_redirect && hit->pid == o->pid)
		return true;
	/* A window nobody can tell apart by pid and title: the program's word must do. */
	return !o->has_window && (hit->pid == o->pid || hit->pid == 0);
}

static int covered(const struct x11_hit *hit, double x, double y, struct error *e)
{
	const char *what = hit->client == 0         ? "nothing of a program"
	                   : hit->on_decoration     ? "the decoration of a window"
	                   : hit->override_redirect ? "a menu or popup"
	                                            : "another window";
	error_set(e, ERR_ELEMENT_COVERED, "at (%.0f, %.0f) lies %s%s%s%s", x, y, what,
	          hit->title[0] ? " \"" : "", hit->title, hit->title[0] ? "\"" : "");
	error_detail_str(e, "coveredBy", hit->title);
	error_detail_int(e, "coveredByPid", hit->pid);
	return -ERR_ELEMENT_COVERED;
}

/* Makes a click at (x, y) reach the element: brings its window forward when something else lies over
 * the point. -ERR_ELEMENT_COVERED when that does not help. */
static int aim(struct atspi *a, struct call c, const char *node, double x, double y,
               struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0;
	struct owner o;
	struct x11_hit hit;
	int r = x11_list_windows(a->x11, c, 0, &list, &n, e);
	if (r == 0)
		r = owner_of(a, c, node, list, n, &o, e);
	if (r == 0)
		r = x11_hit_among(a->x11, c, list, n, x, y, &hit, e);
	if (r < 0 || reaches(&o, &hit))
		return r;
	if (o.has_window) {
		r = x11_raise(a->x11, c, o.window.id, e);
		if (r == 0)
			r = x11_top_window_at(a->x11, c, x, y, &hit, e);
		if (r < 0)
			return r;
	}
	return reaches(&o, &hit) ? 0 : covered(&hit, x, y, e);
}

int acting_raise_node(struct atspi *a, struct call c, const char *node, struct x11_window *ret,
                      struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0;
	struct owner o;
	int r = x11_list_windows(a->x11, c, 0, &list, &n, e);
	if (r == 0)
		r = owner_of(a, c, node, list, n, &o, e);
	if (r < 0)
		return r;
	if (!o.has_window) {
		error_set(e, ERR_DEVICE_UNAVAILABLE, "the element's window is not known on display %s",
		          x11_display(a->x11));
		error_reason(e, "no_window");
		return -ERR_DEVICE_UNAVAILABLE;
	}
	r = x11_raise(a->x11, c, o.window.id, e);
	if (r == 0)
		*ret = o.window;
	return r;
}

/* --- gestures ------------------------------------------------------------------------------- */

int atspi_tap(struct atspi *a, struct call c, const struct rb_tap *t, struct error *e)
{
	static const enum x11_button buttons[] = { [RB_BUTTON_PRIMARY] = X11_LEFT,
		                                       [RB_BUTTON_SECONDARY] = X11_RIGHT,
		                                       [RB_BUTTON_MIDDLE] = X11_MIDDLE };
	int r = x11_require(a->x11, "press at a point", e);
	if (r == 0 && t->node)
		r = aim(a, c, t->node, t->x, t->y, e);
	if (r < 0)
		return r;
	return x11_click(a->x11, c, t->x, t->y, buttons[t->button], t->clicks, t->hold_ms, e);
}

int atspi_drag(struct atspi *a, struct call c, const struct rb_drag *d, struct error *e)
{
	return x11_drag(a->x11, c, d->x, d->y, d->x2, d->y2, d->duration_ms, e);
}

/* Wheel clicks for a distance: one at least, so that a small wish is not lost. */
static int wheel_clicks(double points)
{
	double n = fmin(ceil(fabs(points) / POINTS_PER_CLICK), WHEEL_MAX);
	return points == 0 ? 0 : (int)n;
}

static int turn_wheel(struct atspi *a, struct call c, const struct rb_scroll *s, struct error *e)
{
	int r = 0, down = wheel_clicks(s->dy), right = wheel_clicks(s->dx);
	if (down > 0)
		r = x11_wheel(a->x11, c, s->x, s->y, s->dy > 0 ? X11_WHEEL_DOWN : X11_WHEEL_UP, down, e);
	if (r == 0 && right > 0)
		r = x11_wheel(a->x11, c, s->x, s->y, s->dx > 0 ? X11_WHEEL_RIGHT : X11_WHEEL_LEFT, right,
		              e);
	return r;
}

/* Where a scrolled element stands: by what its program says, and by what can be seen of it. */
struct standing {
	uint64_t told, seen;
	bool has_told, has_seen;
};

static struct standing look(struct atspi *a, struct call c, const char *node,
                            const struct ui_rect *place)
{
	struct standing s = { 0 };
	s.has_told = atspi_scroll_digest(a, c, node, &s.told, NULL) == 0;
	s.has_seen = place && x11_pixel_digest(a->x11, c, place, &s.seen, NULL) == 0;
	return s;
}

/* What the program says is proof that it moved, the same picture that it did not; a picture that
 * differs alone may be a highlight under the pointer. */
static int moved_between(const struct standing *before, const struct standing *now)
{
	if (before->has_told && now->has_told && before->told != now->told)
		return 1;
	return before->has_seen && now->has_seen && before->seen == now->seen ? 0 : -1;
}

/* Programs scroll when they come to it, some with an animation: looked at until it has moved. */
static int await_moved(struct atspi *a, struct call c, const char *node,
                       const struct ui_rect *place, const struct standing *before)
{
	struct deadline until = deadline_min(deadline_in(SCROLL_SETTLE_MS), c.deadline);
	for (;;) {
		struct standing now = look(a, c, node, place);
		int moved = moved_between(before, &now);
		if (moved == 1 || deadline_over(until) || clock_wait(POLL_MS, c.cancel, NULL) < 0)
			return moved;
	}
}

int atspi_scroll(struct atspi *a, struct call c, const struct rb_scroll *s, int *ret_moved,
                 struct error *e)
{
	struct standing before = { 0 };
	struct rb_located at = { .has_point = false };
	const struct ui_rect *place = NULL;
	int r = x11_require(a->x11, "turn the wheel", e);
	if (r == 0 && s->node)
		r = aim(a, c, s->node, s->x, s->y, e);
	if (r == 0 && s->node)
		r = atspi_locate(a, c, s->node, &at, e);
	if (r < 0)
		return r;
	if (s->node && ui_rect_usable(at.rect))
		place = &at.rect;
	if (s->node)
		before = look(a, c, s->node, place);
	r = turn_wheel(a, c, s, e);
	if (r == 0 && ret_moved)
		*ret_moved = s->node ? await_moved(a, c, s->node, place, &before) : -1;
	return r;
}

/* --- focus and keys ------------------------------------------------------------------------- */

/* A text input takes the focus by a click without any further effect; others would be pressed. */
static int focus_by_click(struct atspi *a, struct call c, const char *node, struct error *e)
{
	struct rb_located at;
	int r = atspi_locate(a, c, node, &at, e);
	if (r < 0)
		return r;
	if (!ui_role_is_text_input(at.role)) {
		error_set(e, ERR_UNSUPPORTED_OPERATION,
		          "this program gives no way to focus a %s without pressing it",
		          ui_role_name(at.role));
		error_hint(e, "press it, or reach it with `deft key tab`");
		return -ERR_UNSUPPORTED_OPERATION;
	}
	if (!at.has_point)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "can't focus \"%s\": %s", at.label,
		                 at.no_point_reason ? at.no_point_reason : "it has no point to press");
	const struct rb_tap tap = { .x = at.x, .y = at.y, .clicks = 1, .node = node };
	return atspi_tap(a, c, &tap, e);
}

static int wait_focused(struct atspi *a, struct call c, const char *node, struct error *e)
{
	struct deadline until = deadline_min(deadline_in(LIM_TEXT_SETTLE_MS), c.deadline);
	for (;;) {
		struct atspi_node n;
		int r = atspi_node_find(a, c, node, &n, e);
		if (r < 0 || (n.flags & UI_FOCUSED))
			return r;
		if (deadline_over(until)) {
			error_set(e, ERR_NO_EFFECT, "\"%s\" did not take the keyboard focus", n.label);
			error_reason(e, "no_focus");
			return -ERR_NO_EFFECT;
		}
		r = clock_wait(POLL_MS, c.cancel, e);
		if (r < 0)
			return r;
	}
}

int atspi_focus(struct atspi *a, struct call c, const char *node, struct error *e)
{
	int r = atspi_grab_focus(a, c, node, e);
	if (r != -ERR_UNSUPPORTED_OPERATION || !x11_available(a->x11))
		return r;
	error_clear(e);
	r = focus_by_click(a, c, node, e);
	return r < 0 ? r : wait_focused(a, c, node, e);
}

int atspi_key(struct atspi *a, struct call c, const char *chord, struct error *e)
{
	return x11_key(a->x11, c, chord, e);
}
