/* The actions of all items that have some, by machine name. */
#include "backend/atspi/tree.h"
#include "backend/atspi/words.h"

/* What tells one action of a widget class from others: role, place in the list, and what it
 * shows. */
static const char *action_key(struct tree_reader *r, const struct tree_item *item, uint32_t k,
                              const char *shown, const char *description)
{
	auto_buf struct buf key;

	buf_init(&key, LIM_TREE_STRING);
	buf_addf(&key, "%u:%u:", (unsigned)item->role, (unsigned)k);
	buf_adds(&key, shown);
	buf_addc(&key, '\n');
	buf_adds(&key, description);
	return arena_text(&r->arena, key.data);
}

static void on_actions(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	struct tree_item *item = &r->items[tag];
	const char *shown, *description;

	if (outcome != BUS_OK || sd_bus_message_enter_container(m, 'a', "(sss)") < 0)
		return;
	item->actions = arena_alloc(&r->arena, LIM_TREE_ACTIONS * sizeof(*item->actions));
	while (item->actions && item->n_actions < LIM_TREE_ACTIONS &&
	       sd_bus_message_read(m, "(sss)", &shown, &description, NULL) > 0) {
		const char *key = action_key(r, item, item->n_actions, shown, description);

		if (!key)
			break;
		item->actions[item->n_actions++] = key;
	}
}

static void on_machine(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	const char *name;

	if (outcome == BUS_OK && sd_bus_message_read(m, "s", &name) > 0 && *name)
		words_set(ctx, name);
}

/* Every label of GTK 4 offers to copy itself: eight actions that nobody asks for, on half of a
 * tree. */
static bool wants_actions(const struct tree_reader *r, const struct tree_item *item)
{
	enum ui_role role = atspi_role_to_ui(item->role, item->role_name, item->states);
	bool shown = atspi_state(item->states, ATSPI_STATE_VISIBLE) ||
	             atspi_state(item->states, ATSPI_STATE_SHOWING);

	if (!(item->ifaces & ATSPI_IF_ACTION) || item->gone || item->silent)
		return false;
	if (r->opts->raw)
		return true;
	return shown && !(role == UI_TEXT && item->peer->toolkit == ATSPI_TOOLKIT_GTK4);
}

static int ask_actions(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++) {
		struct tree_item *item = &r->items[i];
		struct bus_target t = { item->peer, item->path, ATSPI_I_ACTION, "GetActions" };

		if (wants_actions(r, item))
			result = bus_pipe_call(&p, t, 0, on_actions, r, i, e, NULL);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int ask_machine_names(struct tree_reader *r, struct bus_pipe *p, struct tree_item *item,
                             struct error *e)
{
	struct bus_target t = { item->peer, item->path, ATSPI_I_ACTION, "GetName" };
	int result = 0;

	for (uint32_t k = 0; k < item->n_actions && result == 0; k++) {
		struct bus_word *w;

		if (words_know(item->peer, item->actions[k]))
			continue;
		w = words_add(item->peer, item->actions[k]);
		if (w)
			result = bus_pipe_call(p, t, 0, on_machine, w, 0, e, "i", (int32_t)k);
	}
	return result;
}

/* Keys into names; what has none is left out. */
static void name_actions(struct tree_item *item)
{
	uint32_t kept = 0;

	for (uint32_t k = 0; k < item->n_actions; k++) {
		const char *machine = words_machine(item->peer, item->actions[k]);

		if (machine)
			item->actions[kept++] = machine;
	}
	item->n_actions = kept;
}

int reader_actions(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = ask_actions(r, e);

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++)
		result = ask_machine_names(r, &p, &r->items[i], e);
	if (result == 0)
		result = bus_pipe_wait(&p, e);
	for (uint32_t i = 0; i < r->n; i++)
		name_actions(&r->items[i]);
	for (uint32_t i = 0; i < r->n; i++)
		if (r->items[i].parent == UI_NONE)
			words_forget_unanswered(r->items[i].peer);
	return result;
}
