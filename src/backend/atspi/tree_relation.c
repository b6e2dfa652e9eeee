/* Labels by relation: a field without a name of its own is called by the label that points at
 * it. */
#include "backend/atspi/tree.h"

static void on_relations(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	struct tree_item *item = &r->items[tag];
	char path[256];
	uint32_t *slot;

	if (outcome != BUS_OK)
		return;
	bus_read_labelled_by(m, path, sizeof(path));
	slot = path[0] ? reader_slot(r, item->peer, path) : NULL;
	if (slot && *slot)
		item->labelled_by = *slot - 1;
}

static bool wants_label(const struct tree_item *item)
{
	enum ui_role role = atspi_role_to_ui(item->role, item->role_name, item->states);

	return atspi_wants_relation(item->peer->toolkit, role, item->name);
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
