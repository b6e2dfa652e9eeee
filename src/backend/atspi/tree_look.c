/* Visibility and places. AT-SPI's own words are not enough:
 *
 *   GTK 3     pages that are not current are VISIBLE, not SHOWING, and lie at INT_MIN; so is what is
 *             scrolled out, but it has a real place
 *   GTK 4     SHOWING only on windows; what is not mapped has no size
 *   Qt        rows of a closed combo box are SHOWING, at (0,0) of the screen */
#include "backend/atspi/tree_look.h"

/* A node may be a little larger than what it lies in. */
#define EDGE 2.0

static bool is_popup_role(uint32_t role)
{
	return role == 33 || role == 41 || role == 64; /* menu, popup menu, tool tip */
}

static bool is_list_role(uint32_t role)
{
	return role == 31 || role == 98 || role == 33 || role == 41 || role == 69;
}

/* The list of a combo box that is not open. */
static bool in_closed_combo(const struct tree_item *item, const struct tree_item *up)
{
	return up->role == 11 && is_list_role(item->role) &&
	       !atspi_state(up->states, ATSPI_STATE_EXPANDED) && item->peer->toolkit == ATSPI_TOOLKIT_QT;
}

static bool visible_by_itself(const struct tree_item *item)
{
	bool placed = (item->known & ITEM_EXTENTS) && place_extents_sane(&item->extents);
	bool misplaced = (item->known & ITEM_EXTENTS) && !placed;

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

/* Places of all windows, by item. */
static struct tree_place *window_places(struct tree_reader *r)
{
	struct tree_place *places = calloc(r->n + 1, sizeof(*places));

	for (uint32_t i = 0; places && i < r->n; i++) {
		const struct tree_item *item = &r->items[i];

		if (is_top_level(r, item) && (item->known & ITEM_EXTENTS))
			places[i] = place_of_window(r->atspi, r->call, item->peer->toolkit, item->peer->pid,
			                            item->name, &item->extents);
	}
	return places;
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

static void find_rect(const struct tree_reader *r, const struct tree_look *looks,
                      const struct tree_place *places, uint32_t i, struct tree_look *look)
{
	static const struct tree_place screen = { PLACE_SCREEN, 0, 0 };
	const struct tree_item *item = &r->items[i];
	const struct tree_place *place = item->window == UI_NONE ? &screen : &places[item->window];

	if (!(item->known & ITEM_EXTENTS) || !place_rect(place, &item->extents, &look->rect))
		return;
	look->has_rect = ui_rect_usable(look->rect) && !astray(r, looks, look, item);
}

static void inherit(const struct tree_reader *r, const struct tree_look *looks, uint32_t i,
                    struct tree_look *look, struct ui_rect screen)
{
	const struct tree_item *item = &r->items[i];
	const struct tree_look *up;

	if (item->parent == UI_NONE) {
		look->visible = true;
		look->clip = screen;
		return;
	}
	up = &looks[item->parent];
	look->visible = up->visible && visible_by_itself(item) &&
	                !in_closed_combo(item, &r->items[item->parent]);
	look->in_popup = up->in_popup || is_popup_role(item->role) ||
	                 (r->items[item->parent].role == 11 && is_list_role(item->role));
	look->scrolls_above = up->scrolls_above || (up->flags & UI_SCROLLABLE) != 0;
	look->clipped_away = up->clipped_away && !is_popup_role(item->role);
	look->clip = is_popup_role(item->role) ? screen : up->clip;
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

/* What has a scroll bar of its own scrolls (Qt lists, GTK 4 scrolled windows). */
static bool has_scroll_bar(const struct tree_reader *r, const struct tree_item *item)
{
	for (uint32_t k = 0; k < item->n; k++)
		if (r->items[item->first + k].role == ATSPI_ROLE_SCROLL_BAR)
			return true;
	return false;
}

static void look_at(struct tree_reader *r, struct tree_look *looks, const struct tree_place *places,
                    uint32_t i, struct ui_rect screen)
{
	const struct tree_item *item = &r->items[i];
	struct tree_look *look = &looks[i];

	look->role = item->known & ITEM_ROLE
	                 ? atspi_role_to_ui(item->role, item->role_name, item->states)
	                 : UI_OTHER;
	look->flags = atspi_flags(item->states, item->role, look->role);
	if (has_scroll_bar(r, item))
		look->flags |= UI_SCROLLABLE;
	inherit(r, looks, i, look, screen);
	find_rect(r, looks, places, i, look);
	if (look->visible)
		look->flags |= UI_VISIBLE;
	if (hittable(look))
		look->flags |= UI_HITTABLE;
	clip_inside(r, i, look);
}

struct tree_look *looks_make(struct tree_reader *r, struct ui_rect screen)
{
	struct tree_look *looks = calloc(r->n + 1, sizeof(*looks));
	struct tree_place *places = window_places(r);

	/* A parent is discovered before its children. */
	for (uint32_t i = 0; looks && places && i < r->n; i++)
		look_at(r, looks, places, i, screen);
	if (!places) {
		free(looks);
		looks = NULL;
	}
	free(places);
	return looks;
}

void looks_free(struct tree_look *looks)
{
	free(looks);
}
