/* Labels by relation: a field without a name of its own is called by the label that points at it. */
#include "backend/atspi/tree.h"

#define RELATION_LABELLED_BY 2u

static uint32_t find_item(const struct tree_reader *r, const struct atspi_peer *peer, const char *path)
{
	uint32_t *slot = reader_slot(r, peer, path);

	return slot && *slot ? *slot - 1 : UI_NONE;
}

static uint32_t first_target(struct tree_reader *r, const struct tree_item *item, sd_bus_message *m)
{
	const char *name, *path;
	uint32_t found = UI_NONE;

	if (sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return UI_NONE;
	while (sd_bus_message_read(m, "(so)", &name, &path) > 0)
		if (found == UI_NONE)
			found = find_item(r, item->peer, path);
	sd_bus_message_exit_container(m);
	return found;
}

static void on_relations(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	struct tree_item *item = &r->items[tag];
	uint32_t type;

	if (outcome != BUS_OK || sd_bus_message_enter_container(m, 'a', "(ua(so))") < 0)
		return;
	while (sd_bus_message_enter_container(m, 'r', "ua(so)") > 0) {
		uint32_t target;

		if (sd_bus_message_read(m, "u", &type) <= 0)
			return;
		target = first_target(r, item, m);
		if (type == RELATION_LABELLED_BY && item->labelled_by == UI_NONE)
			item->labelled_by = target;
		if (sd_bus_message_exit_container(m) < 0)
			return;
	}
}

static bool wants_label(const struct tree_item *item)
{
	enum ui_role role = atspi_role_to_ui(item->role, item->role_name, item->states);
	bool named = item->name && *item->name &&
	             !(item->peer->toolkit == ATSPI_TOOLKIT_GTK4 && atspi_name_is_class(item->name));

	/* GTK 3 names a combo box by what it shows. */
	if (role == UI_COMBO_BOX && item->peer->toolkit == ATSPI_TOOLKIT_GTK3)
		named = false;
	return !named && (ui_role_is_text_input(role) || ui_role_is_adjustable(role) ||
	                  role == UI_COMBO_BOX || role == UI_SWITCH || role == UI_PROGRESS_BAR);
}

int reader_relations(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++) {
		struct tree_item *item = &r->items[i];
		struct bus_target t = { item->peer, item->path, ATSPI_I_ACCESSIBLE, "GetRelationSet" };

		if (item->gone || item->silent || !wants_label(item) ||
		    (!r->opts->raw && !atspi_state(item->states, ATSPI_STATE_VISIBLE) &&
		     !atspi_state(item->states, ATSPI_STATE_SHOWING)))
			continue;
		result = bus_pipe_call(&p, t, 0, on_relations, r, i, e, NULL);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}
