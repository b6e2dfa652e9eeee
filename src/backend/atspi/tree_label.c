/* What an item is called, and what a combo box shows. */
#include "backend/atspi/tree_look.h"

static const char *own_name(const struct tree_item *item)
{
	return atspi_name(item->peer->toolkit, item->name);
}

const char *look_label(const struct tree_reader *r, const struct tree_look *looks, uint32_t i)
{
	const struct tree_item *item = &r->items[i];
	struct atspi_texts texts = { item->name, NULL, item->description, item->text };

	if (item->labelled_by < r->n)
		texts.related = r->items[item->labelled_by].name;
	if (looks[i].flags & UI_PASSWORD)
		texts.text = NULL;
	return atspi_label(item->peer->toolkit, looks[i].role, &texts);
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
	return atspi_name_is_choice(item->peer->toolkit, UI_COMBO_BOX) ? own_name(item) : NULL;
}
