/* What of a node can be seen at all: its effective viewport (agent surface 4.5, step 8).
 *
 * The viewport of a node is the rectangle of its nearest scrollable ancestor, else of its window,
 * else the screen, each cut down by the one it lies in. Menus, popovers and dialogs are drawn over
 * their parents and may leave them, so they start again with the screen. A part that is not known (no rect,
 * no screen size) limits nothing. */
#ifndef DEFT_UI_VIEWPORT_H
#define DEFT_UI_VIEWPORT_H

#include "ui/node.h"

struct ui_viewport {
	struct ui_rect rect; /* valid when known */
	bool known;
	bool empty;        /* the container itself lies outside: nothing in it is in view */
	uint32_t scroller; /* the node whose hints speak for what is outside, UI_NONE: none */
};

/* What the screen gives to roots. */
struct ui_viewport ui_viewport_screen(const struct ui_tree *t);
/* What node i gives to its children, when `outer` is its own. */
struct ui_viewport ui_viewport_inside(const struct ui_tree *t, uint32_t i,
                                      const struct ui_viewport *outer);
/* The node's own viewport, found by walking up. */
struct ui_viewport ui_viewport_of(const struct ui_tree *t, uint32_t i);

enum ui_place { UI_IN_VIEW, UI_ABOVE, UI_BELOW, UI_LEFT, UI_RIGHT, UI_NOWHERE };

/* Where the node lies. Without a rect, or without a known viewport, it counts as in view; an empty
 * rect lies nowhere. */
enum ui_place ui_viewport_place(const struct ui_node *n, const struct ui_viewport *v);
/* It cuts its children off: a scroll area, or whatever says that it scrolls. */
bool ui_node_scrolls(const struct ui_node *n);

#endif
