/* What an item is called, and what a combo box shows. */
#include "backend/atspi/tree_look.h"

static const char *own_name(const struct tree_item *item)
{
	return atspi_name(item->peer->toolkit, item->name);
}

/* The first text among what lies below, in document order. */
static const char *first_text(const struct tree_reader *r, const struct tree_look *looks,
                              uint32_t i, unsigned levels, unsigned *objects)
{
	const struct tree_item *item = &r->items[i];

	for (uint32_t k = 0; k < item->n; k++) {
		uint32_t child = item->first + k;
		const char *text = own_name(&r->items[child]);

		if ((*objects)++ >= ATSPI_CAPTION_OBJECTS)
			return NULL;
		if (!looks[child].visible)
			continue;
		if (text && looks[child].role == UI_TEXT)
			return text;
		text = levels > 1 ? first_text(r, looks, child, levels - 1, objects) : NULL;
		if (text)
			return text;
	}
	return NULL;
}

static const char *caption(const struct tree_reader *r, const struct tree_look *looks, uint32_t i)
{
	unsigned objects = 0;

	return first_text(r, looks, i, ATSPI_CAPTION_LEVELS, &objects);
}

const char *look_label(const struct tree_reader *r, const struct tree_look *looks, uint32_t i)
{
	const struct tree_item *item = &r->items[i];
	struct atspi_texts texts = { item->name, NULL, item->description, item->text, NULL };

	if (item->labelled_by < r->n)
		texts.related = r->items[item->labelled_by].name;
	if (atspi_wants_caption(item->peer->toolkit, looks[i].role, item->name))
		texts.caption = caption(r, looks, i);
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
	if (atspi_name_is_choice(item->peer->toolkit, UI_COMBO_BOX))
		return own_name(item);
	return item->peer->toolkit == ATSPI_TOOLKIT_GTK4 ? caption(r, looks, i) : NULL;
}
