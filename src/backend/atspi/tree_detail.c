/* Places, values, texts: the dear part of a tree, in one pipelined pass over the items where they
 * count. A rectangle costs a GTK 3 program a round trip to the X server. */
#include "backend/atspi/tree.h"

/* --- who gets what ---------------------------------------------------------------------------- */

static bool readable(const struct tree_item *item)
{
	return !item->gone && !item->silent && item->parent != UI_NONE && (item->known & ITEM_STATES);
}

static bool hidden_by_state(const struct tree_item *item)
{
	return !atspi_state(item->states, ATSPI_STATE_VISIBLE) &&
	       !atspi_state(item->states, ATSPI_STATE_SHOWING);
}

static bool is_text_role(enum ui_role role)
{
	return role == UI_TEXT || role == UI_HEADING || role == UI_TOOLTIP;
}

/* Something a person uses. In GTK 4 everything offers actions (texts, to copy them). */
static bool is_interactive(const struct tree_item *item, enum ui_role role)
{
	bool gtk4 = item->peer->toolkit == ATSPI_TOOLKIT_GTK4;
	uint32_t ifaces = ATSPI_IF_VALUE | ATSPI_IF_EDITABLE_TEXT | (gtk4 ? 0 : ATSPI_IF_ACTION);

	if (ui_role_is_interactive(role))
		return true;
	if (is_text_role(role))
		return atspi_state(item->states, ATSPI_STATE_FOCUSABLE) && !gtk4;
	return (item->ifaces & ifaces) != 0 || atspi_state(item->states, ATSPI_STATE_FOCUSABLE) ||
	       atspi_state(item->states, ATSPI_STATE_SELECTABLE);
}

/* What others are seen through or clipped by. */
static bool is_frame(const struct tree_reader *r, const struct tree_item *item, enum ui_role role)
{
	return r->items[item->parent].parent == UI_NONE || role == UI_SCROLL_AREA ||
	       role == UI_WINDOW || role == UI_DIALOG || item->role == 68;
}

/* What stands for a nameless control of GTK 4 is a text inside it, and only its place tells whether that
 * text is shown. */
static bool may_be_caption(const struct tree_reader *r, const struct tree_item *item,
                           enum ui_role role)
{
	const struct tree_item *up = item;

	if (role != UI_TEXT || item->peer->toolkit != ATSPI_TOOLKIT_GTK4)
		return false;
	for (unsigned i = 0; i < ATSPI_CAPTION_LEVELS && up->parent != UI_NONE; i++) {
		up = &r->items[up->parent];
		if (ui_role_is_interactive(atspi_role_to_ui(up->role, up->role_name, up->states)))
			return up->role == ATSPI_ROLE_COMBO_BOX || !atspi_name(up->peer->toolkit, up->name);
	}
	return false;
}

/* A popover of GTK 4 is known by its place. */
static bool may_be_popover(struct tree_reader *r, const struct tree_item *item)
{
	return item->peer->toolkit == ATSPI_TOOLKIT_GTK4 && (item->n > 0 || item->child_count > 0) &&
	       place_desk_popup(&r->desk, item->peer->pid);
}

static bool wants_rect(struct tree_reader *r, const struct tree_item *item, enum ui_role role)
{
	if (!(item->ifaces & ATSPI_IF_COMPONENT))
		return false;
	if (r->opts->raw)
		return true;
	if (hidden_by_state(item))
		return false;
	if (!r->opts->interactive_only || is_interactive(item, role) || is_frame(r, item, role) ||
	    stack_page_candidate(r, item) || may_be_caption(r, item, role) || may_be_popover(r, item))
		return true;
	/* GTK 3 calls what is not mapped VISIBLE: only its place tells. */
	return !atspi_state(item->states, ATSPI_STATE_SHOWING) && item->n > 0 &&
	       item->peer->toolkit == ATSPI_TOOLKIT_GTK3;
}

static bool wants_value(const struct tree_item *item)
{
	return (item->ifaces & ATSPI_IF_VALUE) != 0;
}

static bool wants_text(const struct tree_reader *r, const struct tree_item *item, enum ui_role role)
{
	if (!(item->ifaces & ATSPI_IF_TEXT))
		return false;
	if (ui_role_is_text_input(role) || role == UI_SPIN_BUTTON ||
	    (item->ifaces & ATSPI_IF_EDITABLE_TEXT))
		return true;
	/* Text that is its own name needs no second call. */
	return !r->opts->interactive_only && (!item->name || !*item->name) && is_text_role(role);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void note(struct tree_item *item, enum bus_outcome outcome)
{
	if (outcome == BUS_GONE)
		item->gone = true;
	if (outcome == BUS_NO_ANSWER)
		item->silent = true;
}

static void on_extents(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];
	struct tree_extents x;

	note(item, outcome);
	if (outcome == BUS_OK &&
	    sd_bus_message_read(m, "(iiii)", &x.x, &x.y, &x.width, &x.height) > 0) {
		item->extents = x;
		item->known |= ITEM_EXTENTS;
	}
}

static void on_value(struct tree_item *item, double *field, uint32_t known,
                     enum bus_outcome outcome, sd_bus_message *m)
{
	note(item, outcome);
	if (outcome == BUS_OK && bus_read_variant_double(m, field))
		item->known |= known;
}

static void on_current(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	on_value(item, &item->current, ITEM_VALUE, outcome, m);
}

static void on_min(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	on_value(item, &item->min, ITEM_MIN, outcome, m);
}

static void on_max(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	on_value(item, &item->max, ITEM_MAX, outcome, m);
}

static void on_step(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	on_value(item, &item->step, 0, outcome, m);
}

static void on_text(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	const char *text;

	note(&r->items[tag], outcome);
	if (outcome == BUS_OK && sd_bus_message_read(m, "s", &text) > 0)
		r->items[tag].text = arena_text(&r->arena, text);
}

static void on_chars(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];
	int64_t chars;

	note(item, outcome);
	if (outcome == BUS_OK && bus_read_variant_int(m, &chars) && chars > 0 && chars <= UINT32_MAX)
		item->chars = (uint32_t)chars;
}

/* Newer toolkits let programmers name their widgets for tests. */
static void on_id(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	struct tree_item *item = &r->items[tag];
	const char *id;

	if (outcome == BUS_REFUSED && item->peer->ids == BUS_IDS_UNTRIED)
		item->peer->ids = BUS_IDS_NO;
	if (outcome != BUS_OK || !bus_read_variant_string(m, &id))
		return;
	item->peer->ids = BUS_IDS_YES;
	if (*id)
		item->id = arena_text(&r->arena, id);
}

/* --- asking ----------------------------------------------------------------------------------- */

static int ask_rect(struct bus_pipe *p, struct tree_reader *r, uint32_t i, struct error *e)
{
	struct tree_item *item = &r->items[i];
	struct bus_target t = { item->peer, item->path, ATSPI_I_COMPONENT, "GetExtents" };

	return bus_pipe_call(p, t, 0, on_extents, r, i, e, "u", place_coord_type(item->peer->toolkit));
}

static int ask_property(struct bus_pipe *p, struct tree_reader *r, uint32_t i, const char *iface,
                        const char *name, bus_answer_fn *fn, struct error *e)
{
	struct bus_target t = { r->items[i].peer, r->items[i].path, DBUS_I_PROPERTIES, "Get" };

	return bus_pipe_call(p, t, 0, fn, r, i, e, "ss", iface, name);
}

static int ask_value(struct bus_pipe *p, struct tree_reader *r, uint32_t i, struct error *e)
{
	static const struct {
		const char *name;
		bus_answer_fn *fn;
	} parts[] = {
		{ "CurrentValue", on_current },
		{ "MinimumValue", on_min },
		{ "MaximumValue", on_max },
		{ "MinimumIncrement", on_step },
	};
	int result = 0;

	for (size_t k = 0; k < ARRAY_SIZE(parts) && result == 0; k++)
		result = ask_property(p, r, i, ATSPI_I_VALUE, parts[k].name, parts[k].fn, e);
	return result;
}

/* The text, or of a secret only its length. An end past the last character is fine everywhere; -1
 * is not (GTK 4.8 answers ""). */
static int ask_text(struct bus_pipe *p, struct tree_reader *r, uint32_t i, struct error *e)
{
	struct tree_item *item = &r->items[i];
	struct bus_target t = { item->peer, item->path, ATSPI_I_TEXT, "GetText" };

	if (item->role == ATSPI_ROLE_PASSWORD)
		return ask_property(p, r, i, ATSPI_I_TEXT, "CharacterCount", on_chars, e);
	return bus_pipe_call(p, t, 0, on_text, r, i, e, "ii", 0, (int32_t)LIM_TREE_STRING);
}

/* GTK 4.8 has the property and nothing to fill it with. */
static bool ids_are_empty(const struct atspi_peer *peer)
{
	return peer->toolkit == ATSPI_TOOLKIT_GTK4 && strncmp(peer->toolkit_version, "4.", 2) == 0 &&
	       peer->toolkit_version[2] < '9' && peer->toolkit_version[3] == '.';
}

/* Whether a program has such names is found out at its windows. */
static bool wants_id(const struct tree_reader *r, const struct tree_item *item, enum ui_role role)
{
	if (ids_are_empty(item->peer))
		return false;
	if (item->peer->ids == BUS_IDS_UNTRIED)
		return r->items[item->parent].parent == UI_NONE;
	return item->peer->ids == BUS_IDS_YES &&
	       (is_interactive(item, role) || !r->opts->interactive_only);
}

static int ask_ids(struct tree_reader *r, bool windows, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++) {
		struct tree_item *item = &r->items[i];
		enum ui_role role = atspi_role_to_ui(item->role, item->role_name, item->states);

		if (readable(item) && (r->items[item->parent].parent == UI_NONE) == windows &&
		    wants_id(r, item, role))
			result = ask_property(&p, r, i, ATSPI_I_ACCESSIBLE, "AccessibleId", on_id, e);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int read_ids(struct tree_reader *r, struct error *e)
{
	int result = ask_ids(r, true, e);

	return result < 0 ? result : ask_ids(r, false, e);
}

static int ask_item(struct bus_pipe *p, struct tree_reader *r, uint32_t i, struct error *e)
{
	struct tree_item *item = &r->items[i];
	enum ui_role role = atspi_role_to_ui(item->role, item->role_name, item->states);
	int result = 0;

	if (wants_rect(r, item, role))
		result = ask_rect(p, r, i, e);
	if (result < 0 || (hidden_by_state(item) && !r->opts->raw))
		return result;
	if (wants_value(item))
		result = ask_value(p, r, i, e);
	if (result == 0 && wants_text(r, item, role))
		result = ask_text(p, r, i, e);
	return result;
}

int reader_details(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++)
		if (readable(&r->items[i]))
			result = ask_item(&p, r, i, e);
	result = reader_stage(r, result < 0 ? result : bus_pipe_wait(&p, e), e);
	if (result == 0 && !r->out_of_time)
		result = reader_stage(r, reader_stacks(r, e), e);
	if (result == 0 && !r->out_of_time)
		result = reader_stage(r, reader_relations(r, e), e);
	if (result == 0 && !r->out_of_time)
		result = reader_stage(r, read_ids(r, e), e);
	/* Known roles say enough of what can be done with a thing; the names cost a call each. */
	if (result == 0 && !r->out_of_time && !r->opts->interactive_only)
		result = reader_stage(r, reader_actions(r, e), e);
	return result;
}
