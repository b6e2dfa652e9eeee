/* One element looked at afresh: where it is, and what can be seen of it (node_cover.c: what lies on
 * top). */
#include "backend/atspi/node.h"
#include "backend/atspi/x11.h"

#include <math.h>

#define LOCATED_FOR_MS 100 /* what was located counts as read just now */

struct sight {
	struct ui_rect clip; /* what its ancestors and the screen let through */
	bool clipped_away;
	bool in_popup;     /* below a menu, tool tip or combo list: may lie outside of its window */
	bool hidden_above; /* an ancestor is not shown */
};

static bool clips(uint32_t role)
{
	return role == 49 || role == 68; /* scroll pane, viewport */
}

/* Step i opens over its window, or (popup) is where a popover starts. */
static bool leaves_window(const struct node_chain *chain, uint32_t i, uint32_t popup)
{
	uint32_t up = i + 1 < chain->n ? chain->steps[i + 1].role : 0;

	return i == popup || atspi_opens_over(chain->steps[i].role, up);
}

static void cut(struct sight *s, struct ui_rect by)
{
	if (!ui_rect_usable(s->clip))
		s->clip = by;
	else if (!ui_rect_intersect(s->clip, by, &s->clip))
		s->clipped_away = true;
}

static struct ui_rect screen_rect(struct atspi *a)
{
	int width = 0, height = 0;

	if (a->x11)
		x11_screen_size(a->x11, &width, &height);
	return (struct ui_rect){ 0, 0, width, height };
}

static bool step_hidden(const struct node_step *step, enum atspi_toolkit toolkit)
{
	if (!atspi_state(step->states, ATSPI_STATE_VISIBLE) &&
	    !atspi_state(step->states, ATSPI_STATE_SHOWING))
		return true;
	return toolkit != ATSPI_TOOLKIT_GTK4 && step->has_extents &&
	       !atspi_state(step->states, ATSPI_STATE_SHOWING) && !place_extents_sane(&step->extents);
}

/* As in tree_look.c: GTK 3 computes SHOWING down from the window, also past a viewport that scrolling
 * has put at INT_MIN. */
static bool vouches_for_itself(const struct node_step *self, enum atspi_toolkit toolkit)
{
	return toolkit == ATSPI_TOOLKIT_GTK3 && atspi_state(self->states, ATSPI_STATE_SHOWING) &&
	       self->has_extents && place_extents_sane(&self->extents);
}

/* Looks from the element up to its window. popup: the step where its popover starts. */
static void look_up(struct atspi *a, const struct atspi_node *n, const struct node_chain *chain,
                    const struct tree_place *place, uint32_t popup, struct sight *s)
{
	s->clip = screen_rect(a);
	s->in_popup = leaves_window(chain, 0, popup);
	for (uint32_t i = 1; i < chain->n; i++) {
		const struct node_step *step = &chain->steps[i];
		bool top = i == chain->n - 1;
		struct ui_rect rect;

		s->hidden_above =
		    s->hidden_above || (step_hidden(step, n->peer->toolkit) &&
		                        !vouches_for_itself(&chain->steps[0], n->peer->toolkit));
		if (!s->in_popup && (top || clips(step->role)) && step->has_extents &&
		    place_rect(place, &step->extents, &rect) && ui_rect_usable(rect))
			cut(s, rect);
		s->in_popup = s->in_popup || leaves_window(chain, i, popup);
	}
}

/* --- the point -------------------------------------------------------------------------------- */

static void no_point(struct rb_located *at, const char *why)
{
	at->has_point = false;
	at->no_point_reason = why;
}

/* The middle of what is to be seen of the element. */
static void find_point(struct rb_located *at, const struct sight *s, const struct tree_place *place,
                       const struct node_step *self, const struct atspi_node *n)
{
	struct ui_rect seen = at->rect;

	if (s->hidden_above || step_hidden(self, n->peer->toolkit)) {
		no_point(at, "it is not shown");
		return;
	}
	if (place->kind == PLACE_UNKNOWN) {
		no_point(at, place->why);
		return;
	}
	if (!self->has_extents || !place_rect(place, &self->extents, &at->rect) ||
	    !ui_rect_usable(at->rect)) {
		no_point(at, "its program tells no place for it");
		return;
	}
	seen = at->rect;
	if (s->clipped_away ||
	    (ui_rect_usable(s->clip) && !ui_rect_intersect(at->rect, s->clip, &seen)) ||
	    !ui_rect_usable(seen)) {
		at->offscreen = true;
		no_point(at, "it lies outside of what is visible");
		return;
	}
	at->has_point = true;
	ui_rect_center(seen, &at->x, &at->y);
	at->x = floor(at->x);
	at->y = floor(at->y);
}

/* A group box of Qt that can be checked calls itself a check box, and its middle is what is in it. */
static bool is_checked_group(struct atspi *a, struct call c, const struct atspi_node *n)
{
	auto_message sd_bus_message *m = NULL;
	int64_t children = 0;

	return n->peer->toolkit == ATSPI_TOOLKIT_QT && n->role == ATSPI_ROLE_CHECK_BOX &&
	       node_property(a, c, n, ATSPI_I_ACCESSIBLE, "ChildCount", &m, NULL) == 0 &&
	       bus_read_variant_int(m, &children) && children > 0;
}

static int locate(struct atspi *a, struct call c, const struct atspi_node *n,
                  const struct node_chain *chain, struct rb_located *at, struct error *e)
{
	struct sight s = { .in_popup = false };
	auto_desk struct place_desk desk;
	struct tree_place place;
	uint32_t popup;
	int r;

	place_desk_init(&desk, a, c);
	place = node_chain_place(&desk, n, chain, 0, &popup);
	look_up(a, n, chain, &place, popup, &s);
	at->flags = n->flags;
	at->role = n->ui_role;
	bus_copy(at->label, sizeof(at->label), n->label);
	find_point(at, &s, &place, &chain->steps[0], n);
	if (at->has_point && is_checked_group(a, c, n))
		no_point(at, "its middle belongs to what is in it");
	if (!s.hidden_above && !step_hidden(&chain->steps[0], n->peer->toolkit))
		at->flags |= UI_VISIBLE;
	if (at->has_point && (n->flags & UI_ENABLED))
		at->flags |= UI_HITTABLE;
	at->semantic = atspi_has_press(a, c, n);
	if (popup != UI_NONE)
		at->role = atspi_popup_role(n->peer->toolkit, n->role, n->states, n->ui_role);
	r = node_look_down(&desk, n, chain, &place, s.in_popup, at, e);
	return r < 0 || popup != UI_NONE ? r : node_look_inside(a, c, n, chain, &place, at, e);
}

int atspi_locate(struct atspi *a, struct call c, const char *handle, struct rb_located *ret,
                 struct error *e)
{
	struct rb_located at = { .has_point = false };
	struct node_chain chain;
	struct atspi_node n;
	int r = atspi_node_find(a, c, handle, &n, e);

	if (r == 0)
		r = node_chain_read(a, c, &n, &chain, e);
	if (r < 0)
		return r;
	r = locate(a, c, &n, &chain, &at, e);
	if (r == 0) {
		bus_copy(a->located.handle, sizeof(a->located.handle), handle);
		bus_copy(a->located.title, sizeof(a->located.title), chain.steps[chain.n - 1].name);
		a->located.pid = n.peer->pid;
		a->located.at_ms = clock_now_ms();
		*ret = at;
	}
	free(chain.steps);
	return r;
}

int atspi_node_window(struct atspi *a, struct call c, const char *handle, pid_t *ret_pid,
                      char *ret_title, size_t size, struct error *e)
{
	struct node_chain chain;
	struct atspi_node n;
	int r;

	if (strcmp(a->located.handle, handle) == 0 &&
	    clock_now_ms() - a->located.at_ms < LOCATED_FOR_MS) {
		*ret_pid = a->located.pid;
		bus_copy(ret_title, size, a->located.title);
		return 0;
	}
	r = atspi_node_find(a, c, handle, &n, e);
	if (r == 0)
		r = node_chain_read(a, c, &n, &chain, e);
	if (r < 0)
		return r;
	*ret_pid = n.peer->pid;
	bus_copy(ret_title, size, chain.steps[chain.n - 1].name);
	free(chain.steps);
	return 0;
}
