/* What lies under bars, menus, dialogs and the keyboard (agent surface 4.5, step 6). Only overlays are
 * looked at: a row's own children or its neighbours never count as covering it (case C08). */
#include "base/cleanup.h"
#include "ui/view.h"

#define OVERLAYS_MAX 64 /* the last ones, which are on top; keeps the pass linear */

struct overlays {
	uint32_t nodes[OVERLAYS_MAX];
	uint32_t count;
};

static bool has_place(const struct ui_node *n)
{
	return ui_has(n, UI_HAS_RECT) && ui_rect_usable(n->rect);
}

static void collect(const struct ui_viewer *v, struct overlays *list)
{
	list->count = 0;
	for (uint32_t i = v->raw->count; i-- > 0 && list->count < OVERLAYS_MAX;) {
		const struct ui_node *n = &v->raw->nodes[i];
		if (ui_role_is_overlay(n->role) && ui_has(n, UI_VISIBLE) && has_place(n) &&
		    v->marks[i].shown)
			list->nodes[list->count++] = i;
	}
}

/* Opened over everything else, wherever the tree lists it. */
static bool floats(enum ui_role role)
{
	return role == UI_KEYBOARD || role == UI_MENU || role == UI_POPOVER;
}

/* Which of two windows is on top is known only when one of them is the active one. What is drawn inside
 * a window lies above it; menus and the keyboard are above everything. */
static bool above(const struct ui_tree *t, uint32_t overlay, const uint32_t *windows,
                  uint32_t window)
{
	enum ui_role role = t->nodes[overlay].role;
	uint32_t parent = t->nodes[overlay].parent;
	if (windows[overlay] == window || floats(role))
		return true;
	if (parent != UI_NONE && windows[parent] == window)
		return true;
	if (!ui_role_is_surface(role))
		return false;
	return window == UI_NONE || !ui_has(&t->nodes[window], UI_ACTIVE) ||
	       ui_has(&t->nodes[overlay], UI_ACTIVE);
}

static bool covered(const struct ui_viewer *v, const struct overlays *list, const uint32_t *windows,
                    uint32_t i)
{
	const struct ui_tree *t = v->raw;
	double x, y;
	ui_rect_center(t->nodes[i].rect, &x, &y);
	for (uint32_t k = 0; k < list->count; k++) {
		uint32_t o = list->nodes[k];
		bool related = (i >= o && i < v->marks[o].end) || (o >= i && o < v->marks[i].end);
		if (!related && (o > i || floats(t->nodes[o].role)) && above(t, o, windows, windows[i]) &&
		    ui_rect_contains(t->nodes[o].rect, x, y))
			return true;
	}
	return false;
}

int ui_view_mark_covered(struct ui_viewer *v, struct error *e)
{
	const struct ui_tree *t = v->raw;
	struct overlays list;
	collect(v, &list);
	if (list.count == 0)
		return 0;
	auto_free uint32_t *windows = malloc(t->count * sizeof(*windows));
	if (!windows)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t parent = t->nodes[i].parent;
		windows[i] = ui_role_is_surface(t->nodes[i].role) ? i
		             : parent == UI_NONE                  ? UI_NONE
		                                                  : windows[parent];
	}
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		if (v->marks[i].shown && has_place(n) && n->role != UI_APPLICATION &&
		    n->role != UI_WINDOW && covered(v, &list, windows, i))
			v->marks[i].add_flags |= UI_COVERED;
	}
	return 0;
}
