/* Which nodes are in view, and what tells of those that are not. */
#include "base/cleanup.h"
#include "ui/view.h"

static uint32_t deepest(const struct ui_tree *t)
{
	uint32_t depth = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->nodes[i].depth > depth)
			depth = t->nodes[i].depth;
	}
	return depth;
}

static void note_outside(struct ui_viewer *v, uint32_t i, const struct ui_viewport *port)
{
	struct ui_mark *m = &v->marks[i];
	if (port->scroller == UI_NONE)
		m->loose = true;
	else if (m->place == UI_ABOVE)
		v->marks[port->scroller].add_flags |= UI_HIDDEN_ABOVE;
	else if (m->place == UI_BELOW)
		v->marks[port->scroller].add_flags |= UI_HIDDEN_BELOW;
}

/* A vertical scroll bar knows where its container stands even when the rows outside are not listed:
 * up to 1 % is the top, from 99 % on the bottom. */
static void note_scroll_bar(struct ui_viewer *v, uint32_t i)
{
	const struct ui_node *n = &v->raw->nodes[i];
	double span = n->range.max - n->range.min;
	if (n->role != UI_SCROLL_BAR || !ui_has(n, UI_HAS_RANGE) || !(span > 0) ||
	    !ui_has(n, UI_HAS_RECT) || n->rect.height <= n->rect.width || n->parent == UI_NONE ||
	    !ui_node_scrolls(&v->raw->nodes[n->parent]))
		return;
	double part = (n->range.current - n->range.min) / span;
	if (part > 0.01)
		v->marks[n->parent].add_flags |= UI_HIDDEN_ABOVE;
	if (part < 0.99)
		v->marks[n->parent].add_flags |= UI_HIDDEN_BELOW;
}

int ui_view_mark_visible(struct ui_viewer *v, struct error *e)
{
	const struct ui_tree *t = v->raw;
	/* ports[d]: the viewport of the nodes at depth d below the current path */
	auto_free struct ui_viewport *ports = malloc((deepest(t) + 2) * sizeof(*ports));
	if (!ports)
		return error_set(e, ERR_LIMIT_EXCEEDED, "memory ran out");
	ports[0] = ui_viewport_screen(t);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		struct ui_viewport *port = &ports[n->depth];
		struct ui_mark *m = &v->marks[i];
		m->place = (uint8_t)ui_viewport_place(n, port);
		m->shown = ui_has(n, UI_VISIBLE) && m->place == UI_IN_VIEW;
		if (m->place != UI_IN_VIEW && m->place != UI_NOWHERE)
			note_outside(v, i, port);
		note_scroll_bar(v, i);
		ports[n->depth + 1] = ui_viewport_inside(t, i, port);
	}
	for (uint32_t i = t->count; i-- > 0;) {
		if (v->marks[i].shown && t->nodes[i].parent != UI_NONE)
			v->marks[t->nodes[i].parent].shown = true;
	}
	return 0;
}
