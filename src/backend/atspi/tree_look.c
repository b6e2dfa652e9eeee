/* Visibility and places. AT-SPI's own words are not enough:
 *
 *   GTK 3     pages that are not current are VISIBLE, not SHOWING, and lie at INT_MIN; so is what
 *             is scrolled out, but it has a real place
 *   GTK 4     SHOWING only on windows; what was never mapped has no size, what was mapped once
 *             keeps its place (tree_stack.c)
 *   Qt        rows of a closed combo box are SHOWING, at (0,0) of the screen */
#include "backend/atspi/tree_look.h"

/* A scroll bar may keep this much away from the edge. */
#define EDGE 4

/* The list of a combo box that is not open. */
static bool in_closed_combo(const struct tree_item *item, const struct tree_item *up)
{
	return up->role == ATSPI_ROLE_COMBO_BOX && atspi_opens_over(item->role, up->role) &&
	       !atspi_state(up->states, ATSPI_STATE_EXPANDED) &&
	       item->peer->toolkit == ATSPI_TOOLKIT_QT;
}

static bool visible_by_itself(const struct tree_item *item)
{
	bool placed = (item->known & ITEM_EXTENTS) && place_extents_sane(&item->extents);
	bool misplaced = (item->known & ITEM_EXTENTS) && !placed;

	if (item->beneath)
		return false;
	if (!(item->known & ITEM_STATES))
		return true; /* silent: nothing speaks against it */
	if (atspi_state(item->states, ATSPI_STATE_SHOWING))
		return !misplaced || item->n > 0;
	return atspi_state(item->states, ATSPI_STATE_VISIBLE) && !misplaced;
}

static bool is_top_level(const struct tree_reader *r, const struct tree_item *item)
{
	return item->parent != UI_NONE && r->items[item->parent].parent == UI_NONE;
}

/* The window's own place, or that of the popover which starts here; else the parent's. */
static void find_place(struct tree_reader *r, uint32_t i, struct tree_look *look)
{
	const struct tree_item *item = &r->items[i], *up = &r->items[item->parent];
	const struct tree_extents *x = item->known & ITEM_EXTENTS ? &item->extents : NULL;

	if (is_top_level(r, item))
		look->place = place_of_window(&r->desk, item->peer, item->name, x);
	else if (x && (up->known & ITEM_EXTENTS) &&
	         place_of_popup(&r->desk, item->peer, x, &up->extents, &look->place))
		look->in_popup = look->starts_popup = true;
}

/* Outside of its window, and nothing explains why: the toolkit has told nonsense. */
static bool astray(const struct tree_reader *r, const struct tree_look *looks,
                   const struct tree_look *look, const struct tree_item *item)
{
	const struct tree_look *window = item->window == UI_NONE ? NULL : &looks[item->window];
	struct ui_rect common;

	return window && window->has_rect && !look->in_popup && !look->scrolls_above &&
	       !is_top_level(r, item) && !ui_rect_intersect(window->rect, look->rect, &common);
}

static void find_rect(const struct tree_reader *r, const struct tree_look *looks, uint32_t i,
                      struct tree_look *look)
{
	const struct tree_item *item = &r->items[i];

	if ((item->known & ITEM_EXTENTS) && place_rect(&look->place, &item->extents, &look->rect))
		look->has_rect = ui_rect_usable(look->rect) && !astray(r, looks, look, item);
}

/* GTK 3 computes SHOWING down from the window, so what is SHOWING at a real place is shown, also under
 * a viewport that has lost its own place by scrolling. */
static bool vouches_for_itself(const struct tree_item *item)
{
	return item->peer->toolkit == ATSPI_TOOLKIT_GTK3 && (item->known & ITEM_STATES) &&
	       (item->known & ITEM_EXTENTS) && atspi_state(item->states, ATSPI_STATE_SHOWING) &&
	       place_extents_sane(&item->extents);
}

static void inherit(const struct tree_reader *r, const struct tree_look *looks, uint32_t i,
                    struct tree_look *look)
{
	const struct tree_item *item = &r->items[i];
	const struct tree_look *up = &looks[item->parent];

	look->visible = (up->visible || vouches_for_itself(item)) && visible_by_itself(item) &&
	                !in_closed_combo(item, &r->items[item->parent]);
	look->in_popup = up->in_popup || atspi_opens_over(item->role, r->items[item->parent].role);
	look->scrolls_above = up->scrolls_above || (up->flags & UI_SCROLLABLE) != 0;
	look->clipped_away = up->clipped_away;
	look->clip = up->clip;
	look->place = up->place;
}

/* A menu or popover is seen wherever it is on the screen. */
static void leave_window(const struct tree_reader *r, const struct tree_look *looks, uint32_t i,
                         struct tree_look *look, struct ui_rect screen)
{
	const struct tree_item *item = &r->items[i];
	bool starts = look->in_popup && !looks[item->parent].in_popup;

	if (starts || look->starts_popup || atspi_role_is_menu(item->role)) {
		look->clip = screen;
		look->clipped_away = false;
		look->scrolls_above = false;
	}
}

/* What this item lets be seen of its children. */
static void clip_inside(const struct tree_reader *r, uint32_t i, struct tree_look *look)
{
	const struct tree_item *item = &r->items[i];

	if (!look->has_rect || item->parent == UI_NONE)
		return;
	if (!is_top_level(r, item) && !(look->flags & UI_SCROLLABLE) && item->role != 68)
		return;
	if (!ui_rect_usable(look->clip))
		look->clip = look->rect;
	else if (!ui_rect_intersect(look->clip, look->rect, &look->clip))
		look->clipped_away = true;
}

static bool hittable(const struct tree_look *look)
{
	double x, y;

	if (!look->visible || !look->has_rect || look->clipped_away || !(look->flags & UI_ENABLED))
		return false;
	ui_rect_center(look->rect, &x, &y);
	return !ui_rect_usable(look->clip) || ui_rect_contains(look->clip, x, y);
}

/* A scroll bar along an edge of the item, and not a control that happens to be in it. */
static bool at_edge(const struct tree_item *item, const struct tree_item *bar)
{
	const struct tree_extents *in = &item->extents, *x = &bar->extents;
	bool vertical = x->height > x->width;

	if (bar->role != ATSPI_ROLE_SCROLL_BAR || !(item->known & bar->known & ITEM_EXTENTS))
		return false;
	if (!place_extents_sane(in) || !place_extents_sane(x))
		return false; /* INT_MIN and the like: nothing to reckon with */
	if (vertical)
		return x->height * 2 > in->height && abs(x->x + x->width - in->x - in->width) <= EDGE;
	return x->width * 2 > in->width && abs(x->y + x->height - in->y - in->height) <= EDGE;
}

/* What has a scroll bar of its own scrolls: GTK 4 lists; Qt puts the bar into a filler. */
static bool has_scroll_bar(const struct tree_reader *r, const struct tree_item *item)
{
	for (uint32_t k = 0; k < item->n; k++) {
		const struct tree_item *child = &r->items[item->first + k];

		if (at_edge(item, child) || (child->n == 1 && at_edge(item, &r->items[child->first])))
			return true;
	}
	return false;
}

static void look_at(struct tree_reader *r, struct tree_look *looks, uint32_t i,
                    struct ui_rect screen)
{
	const struct tree_item *item = &r->items[i];
	struct tree_look *look = &looks[i];

	look->role = item->known & ITEM_ROLE
	                 ? atspi_role_to_ui(item->role, item->role_name, item->states)
	                 : UI_OTHER;
	if (is_top_level(r, item))
		look->role = atspi_top_level_role(look->role);
	look->flags = atspi_flags(item->states, item->role, look->role);
	if (has_scroll_bar(r, item))
		look->flags |= UI_SCROLLABLE;
	if (item->parent == UI_NONE) {
		look->visible = true;
		look->clip = screen;
	} else {
		inherit(r, looks, i, look);
		find_place(r, i, look);
		if (look->in_popup)
			look->role =
			    atspi_popup_role(item->peer->toolkit, item->role, item->states, look->role);
		leave_window(r, looks, i, look, screen);
		find_rect(r, looks, i, look);
	}
	if (look->visible)
		look->flags |= UI_VISIBLE;
	if (hittable(look))
		look->flags |= UI_HITTABLE;
	clip_inside(r, i, look);
}

/* What holds something visible is there itself, even when it has lost its own place. */
static void keep_the_way_up(const struct tree_reader *r, struct tree_look *looks)
{
	for (uint32_t i = r->n; i-- > 0;) {
		uint32_t up = r->items[i].parent;

		if (up == UI_NONE || !looks[i].visible || looks[up].visible)
			continue;
		looks[up].visible = true;
		looks[up].flags |= UI_VISIBLE;
	}
}

struct tree_look *looks_make(struct tree_reader *r, struct ui_rect screen)
{
	struct tree_look *looks = calloc(r->n + 1, sizeof(*looks));

	/* A parent is discovered before its children. */
	for (uint32_t i = 0; looks && i < r->n; i++)
		look_at(r, looks, i, screen);
	if (looks)
		keep_the_way_up(r, looks);
	return looks;
}

void looks_free(struct tree_look *looks)
{
	free(looks);
}
