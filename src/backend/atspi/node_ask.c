/* Small questions to one element. */
#include "backend/atspi/node.h"

struct bus_target node_target(const struct atspi_node *n, const char *iface, const char *member)
{
	return (struct bus_target){ n->peer, n->handle.path, iface, member };
}

int node_property(struct atspi *a, struct call c, const struct atspi_node *n, const char *iface,
                  const char *name, sd_bus_message **ret_m, struct error *e)
{
	return bus_call(a->bus, c, node_target(n, DBUS_I_PROPERTIES, "Get"), ret_m, e, "ss", iface,
	                name);
}

int node_double(struct atspi *a, struct call c, const struct atspi_node *n, const char *name,
                double *ret, struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int r = node_property(a, c, n, ATSPI_I_VALUE, name, &m, e);

	if (r < 0)
		return r;
	if (!bus_read_variant_double(m, ret))
		return error_set(e, ERR_UNKNOWN, "%s of the control is no number", name);
	return 0;
}

int node_states(struct atspi *a, struct call c, const struct atspi_node *n, uint64_t *ret,
                struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int r = bus_call(a->bus, c, node_target(n, ATSPI_I_ACCESSIBLE, "GetState"), &m, e, NULL);

	if (r < 0)
		return r;
	return bus_read_states(m, ret) ? 0 : error_set(e, ERR_UNKNOWN, "the states can't be read");
}

const char *node_words(const struct atspi_node *n)
{
	static char words[320];
	struct buf b;

	buf_init(&b, sizeof(words) - 1);
	buf_adds(&b, ui_role_name(n->ui_role));
	if (n->label[0])
		buf_addf(&b, " \"%s\"", n->label);
	bus_copy(words, sizeof(words), b.data);
	buf_done(&b);
	return words;
}

/* --- actions ---------------------------------------------------------------------------------- */

static void on_name(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct node_actions *list = ctx;
	const char *name;

	if (outcome == BUS_OK && sd_bus_message_read(m, "s", &name) > 0)
		bus_copy(list->names[tag], sizeof(list->names[tag]), name);
}

static int read_names(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct node_actions *list, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, a->bus, c);
	for (uint32_t i = 0; i < list->n && r == 0; i++)
		r = bus_pipe_call(&p, node_target(n, ATSPI_I_ACTION, "GetName"), 0, on_name, list, i, e,
		                  "i", (int32_t)i);
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

int node_actions_read(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct node_actions *ret, struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int64_t count = 0;
	int r;

	*ret = (struct node_actions){ .n = 0 };
	if (!(n->ifaces & ATSPI_IF_ACTION))
		return 0;
	r = node_property(a, c, n, ATSPI_I_ACTION, "NActions", &m, e);
	if (r < 0)
		return r;
	if (!bus_read_variant_int(m, &count) || count <= 0)
		return 0;
	ret->n = count < LIM_TREE_ACTIONS ? (uint32_t)count : LIM_TREE_ACTIONS;
	return read_names(a, c, n, ret, e);
}

int node_action_index(const struct node_actions *list, const char *const *names)
{
	for (; *names; names++)
		for (uint32_t i = 0; i < list->n; i++)
			if (strcmp(list->names[i], *names) == 0)
				return (int)i;
	return -1;
}

int node_action_do(struct atspi *a, struct call c, const struct atspi_node *n, uint32_t index,
                   struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int done = 0;
	int r =
	    bus_call(a->bus, c, node_target(n, ATSPI_I_ACTION, "DoAction"), &m, e, "i", (int32_t)index);

	if (r < 0)
		return r;
	if (sd_bus_message_read(m, "b", &done) <= 0 || !done)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s refused the action", node_words(n));
	return 0;
}
