/* What an item is called, and what a combo box shows. */
#include "backend/atspi/tree_look.h"

static const char *own_name(const struct tree_item *item)
{
	if (!item->name || !*item->name)
		return NULL;
	if (item->peer->toolkit == ATSPI_TOOLKIT_GTK4 && atspi_name_is_class(item->name))
		return NULL;
	return item->name;
}

const char *look_label(const struct tree_reader *r, const struct tree_look *looks, uint32_t i)
{
	const struct tree_item *item = &r->items[i];
	const char *name = own_name(item);

	if (name)
		return name;
	if (item->labelled_by != UI_NONE && item->labelled_by < r->n) {
		name = own_name(&r->items[item->labelled_by]);
		if (name)
			return name;
	}
	if (item->description && *item->description && ui_role_is_interactive(looks[i].role))
		return item->description;
	return NULL;
}

/* The only selected descendant of a combo box, a few levels down. */
static uint32_t selected_below(const struct tree_reader *r, uint32_t i, unsigned levels)
{
	const struct tree_item *item = &r->items[i];

	for (uint32_t k = 0; k < item->n; k++) {
		uint32_t child = item->first + k, found;

		if (atspi_state(r->items[child].states, ATSPI_STATE_SELECTED))
			return child;
		found = levels > 0 ? selected_below(r, child, levels - 1) : UI_NONE;
		if (found != UI_NONE)
			return found;
	}
	return UI_NONE;
}

const char *look_choice(const struct tree_reader *r, const struct tree_look *looks, uint32_t i)
{
	const struct tree_item *item = &r->items[i];
	uint32_t chosen;

	if (looks[i].role != UI_COMBO_BOX)
		return NULL;
	chosen = selected_below(r, i, 2);
	if (chosen != UI_NONE)
		return own_name(&r->items[chosen]);
	/* GTK 3 calls a combo box by what it shows. */
	return item->peer->toolkit == ATSPI_TOOLKIT_GTK3 ? own_name(item) : NULL;
}
