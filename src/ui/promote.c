/* From the node that was named to the node that takes the input (agent surface 5.5). */
#include "ui/filter.h"
#include "ui/target_internal.h"
#include "ui/viewport.h"

#include <math.h>

static bool has_place(const struct ui_node *n)
{
	return ui_has(n, UI_HAS_RECT) && ui_rect_usable(n->rect);
}

static bool same_rect(const struct ui_node *a, const struct ui_node *b)
{
	return has_place(a) && has_place(b) && fabs(a->rect.x - b->rect.x) <= 1 &&
	       fabs(a->rect.y - b->rect.y) <= 1 && fabs(a->rect.width - b->rect.width) <= 1 &&
	       fabs(a->rect.height - b->rect.height) <= 1;
}

static bool is_field(const struct ui_tree *t, uint32_t i)
{
	const struct ui_node *n = &t->nodes[i];
	return ui_role_is_text_input(n->role) || ui_has(n, UI_EDITABLE);
}

/* What a press is meant for; a node that merely scrolls is not. */
static bool is_pressable(const struct ui_tree *t, uint32_t i)
{
	return ui_node_interactive(t, i);
}

/* Controls whose own answer counts; what lies inside them is a part of them. */
static bool is_whole(const struct ui_node *n)
{
	return ui_role_is_checkable(n->role) || ui_has(n, UI_CHECKABLE) ||
	       ui_role_is_adjustable(n->role) || ui_role_is_text_input(n->role) ||
	       n->role == UI_COMBO_BOX;
}

/* As good as the whole view: pressing its centre would hit something else. */
static bool fills_view(const struct ui_tree *t, uint32_t i)
{
	const struct ui_node *n = &t->nodes[i];
	struct ui_viewport v = ui_viewport_of(t, i);
	if (!has_place(n) || !v.known)
		return false;
	return n->rect.width * n->rect.height >= 0.9 * v.rect.width * v.rect.height;
}

/* The pressable descendants with the node's own rect, when they form one chain: the innermost. */
static uint32_t same_place_inside(const struct ui_tree *t, uint32_t node)
{
	uint32_t found = UI_NONE, end = ui_tree_subtree_end(t, node);
	for (uint32_t i = node + 1; i < end; i++) {
		if (!is_pressable(t, i) || !same_rect(&t->nodes[i], &t->nodes[node]))
			continue;
		if (found != UI_NONE && !ui_is_ancestor(t, found, i))
			return UI_NONE;
		found = i;
		if (is_whole(&t->nodes[i]))
			i = ui_tree_subtree_end(t, i) - 1;
	}
	return found;
}

static uint32_t promote_touch(const struct ui_tree *t, uint32_t node)
{
	bool pressable = is_pressable(t, node);
	if (pressable && is_whole(&t->nodes[node]))
		return node;
	uint32_t inside = same_place_inside(t, node);
	if (inside != UI_NONE || pressable)
		return inside != UI_NONE ? inside : node;
	for (uint32_t p = t->nodes[node].parent; p != UI_NONE; p = t->nodes[p].parent) {
		if (is_pressable(t, p))
			return fills_view(t, p) ? node : p;
	}
	return node;
}

/* The one field inside, or the field around. */
static uint32_t promote_field(const struct ui_tree *t, uint32_t node)
{
	uint32_t found = UI_NONE, end = ui_tree_subtree_end(t, node);
	if (is_field(t, node))
		return node;
	for (uint32_t i = node + 1; i < end; i++) {
		if (!is_field(t, i))
			continue;
		if (found != UI_NONE)
			return node;
		found = i;
		i = ui_tree_subtree_end(t, i) - 1;
	}
	if (found != UI_NONE)
		return found;
	for (uint32_t p = t->nodes[node].parent; p != UI_NONE; p = t->nodes[p].parent) {
		if (is_field(t, p))
			return p;
	}
	return node;
}

bool ui_target_takes(const struct ui_tree *t, uint32_t node, enum ui_pick pick)
{
	return pick == UI_PICK_TEXT_INPUT ? is_field(t, node) : is_pressable(t, node);
}

uint32_t ui_target_promote(const struct ui_tree *t, uint32_t node, enum ui_pick pick)
{
	return pick == UI_PICK_TEXT_INPUT ? promote_field(t, node) : promote_touch(t, node);
}
