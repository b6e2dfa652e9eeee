#include "ui/viewport.h"

#include "base/limits.h"

static const struct ui_rect *usable(const struct ui_node *n)
{
	return ui_has(n, UI_HAS_RECT) && ui_rect_usable(n->rect) ? &n->rect : NULL;
}

bool ui_node_scrolls(const struct ui_node *n)
{
	return n->role == UI_SCROLL_AREA || ui_has(n, UI_SCROLLABLE);
}

struct ui_viewport ui_viewport_screen(const struct ui_tree *t)
{
	struct ui_viewport v = { .rect = t->screen, .scroller = UI_NONE };
	v.known = ui_rect_usable(t->screen);
	return v;
}

static void cut(struct ui_viewport *v, struct ui_rect by)
{
	if (!v->known) {
		v->rect = by;
		v->known = true;
	} else if (!ui_rect_intersect(v->rect, by, &v->rect)) {
		v->empty = true;
	}
}

struct ui_viewport ui_viewport_inside(const struct ui_tree *t, uint32_t i,
                                      const struct ui_viewport *outer)
{
	const struct ui_node *n = &t->nodes[i];
	const struct ui_rect *rect = usable(n);
	struct ui_viewport v = *outer;
	if (ui_node_scrolls(n)) {
		/* An outer container that is scrolled away speaks for everything in it. */
		if (rect && !v.empty) {
			cut(&v, *rect);
			if (!v.empty)
				v.scroller = i;
		}
	} else if (n->role == UI_WINDOW) {
		v = ui_viewport_screen(t);
		if (rect)
			cut(&v, *rect);
	} else if (n->role == UI_APPLICATION) {
		if (rect && !v.known)
			cut(&v, *rect);
	} else if (ui_role_is_overlay(n->role) && n->role != UI_TOOLBAR && n->role != UI_TAB_BAR) {
		v = ui_viewport_screen(t);
	}
	return v;
}

struct ui_viewport ui_viewport_of(const struct ui_tree *t, uint32_t i)
{
	uint32_t path[LIM_TREE_DEPTH];
	uint32_t n = 0;
	for (uint32_t p = t->nodes[i].parent; p != UI_NONE && n < LIM_TREE_DEPTH;
	     p = t->nodes[p].parent)
		path[n++] = p;
	struct ui_viewport v = ui_viewport_screen(t);
	while (n > 0) {
		n--;
		v = ui_viewport_inside(t, path[n], &v);
	}
	return v;
}

enum ui_place ui_viewport_place(const struct ui_node *n, const struct ui_viewport *v)
{
	const struct ui_rect *r = usable(n);
	struct ui_rect shown;
	if (!ui_has(n, UI_HAS_RECT) || !v->known)
		return UI_IN_VIEW;
	if (!r)
		return UI_NOWHERE;
	if (!v->empty && ui_rect_intersect(*r, v->rect, &shown))
		return UI_IN_VIEW;
	if (r->y + r->height <= v->rect.y)
		return UI_ABOVE;
	if (r->y >= v->rect.y + v->rect.height)
		return UI_BELOW;
	return r->x < v->rect.x ? UI_LEFT : UI_RIGHT;
}
