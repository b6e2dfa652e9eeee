/* The element that has the keyboard: the deepest FOCUSED one in the active window. */
#include "backend/atspi/tree.h"

static uint32_t find_focused(const struct tree_reader *r)
{
	uint32_t found = UI_NONE;

	/* Discovery goes down level by level: a later one lies as deep or deeper. */
	for (uint32_t i = 0; i < r->n; i++) {
		const struct tree_item *item = &r->items[i];
		const struct tree_item *window = item->window == UI_NONE ? item : &r->items[item->window];
		bool active = atspi_state(window->states, ATSPI_STATE_ACTIVE);
		bool better = found == UI_NONE || active ||
		              !atspi_state(r->items[r->items[found].window].states, ATSPI_STATE_ACTIVE);

		if (item->parent != UI_NONE && !item->gone && better &&
		    atspi_state(item->states, ATSPI_STATE_FOCUSED))
			found = i;
	}
	return found;
}

int atspi_focused(struct atspi *a, struct call c, const char *app, struct buf *out, struct error *e)
{
	static const struct rb_snapshot_opts opts = { .interactive_only = true, .depth = -1 };
	const struct atspi_apps *apps;
	const struct atspi_app *which = NULL;
	auto_reader struct tree_reader r = { NULL };
	uint32_t found;
	int result = atspi_app_refresh(a, c, app, &apps, &which, e);

	if (result < 0)
		return result;
	reader_init(&r, a, c, &opts);
	reader_add_app(&r, which);
	result = reader_walk(&r, e);
	if (result < 0)
		return result;
	found = find_focused(&r);
	if (found == UI_NONE) {
		error_set(e, ERR_ELEMENT_NOT_FOUND, "nothing in %s has the keyboard focus", which->name);
		error_hint(e, "press the field first, or name it");
		return -ERR_ELEMENT_NOT_FOUND;
	}
	return reader_handle(&r, found, out);
}
