/* Where a scrollable's content stands: a digest of the places of its children and the values of its
 * scroll bars. Equal before and after a scroll: nothing moved. */
#include "backend/atspi/node.h"

#define MAX_PARTS 64 /* children looked at; those at the front move as far as those at the back */
#define LEVELS 3     /* scroll pane, viewport, content */

struct parts {
	struct part {
		char path[256];
		int64_t numbers[4];
		double value;
	} list[MAX_PARTS];
	uint32_t n;
};

static void mix(uint64_t *hash, const void *data, size_t size)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < size; i++)
		*hash = (*hash ^ p[i]) * 1099511628211u;
}

static void on_children(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct parts *parts = ctx;
	const char *path;

	if (outcome != BUS_OK || sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return;
	while (parts->n < MAX_PARTS && sd_bus_message_read(m, "(so)", NULL, &path) > 0)
		bus_copy(parts->list[parts->n++].path, sizeof(parts->list[0].path), path);
}

static void on_extents(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct part *part = &((struct parts *)ctx)->list[tag];
	int32_t x[4];

	if (outcome == BUS_OK && sd_bus_message_read(m, "(iiii)", &x[0], &x[1], &x[2], &x[3]) > 0)
		for (unsigned i = 0; i < 4; i++)
			part->numbers[i] = x[i];
}

static void on_value(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	double value;

	if (outcome == BUS_OK && bus_read_variant_double(m, &value))
		((struct parts *)ctx)->list[tag].value = value;
}

static int ask_children(struct bus_pipe *p, struct parts *parts, struct atspi_peer *peer,
                        const char *path, struct error *e)
{
	struct bus_target t = { peer, path, ATSPI_I_ACCESSIBLE, "GetChildren" };

	return bus_pipe_call(p, t, 0, on_children, parts, 0, e, NULL);
}

static int ask_part(struct bus_pipe *p, struct parts *parts, struct atspi_peer *peer, uint32_t i,
                    struct error *e)
{
	struct bus_target extents = { peer, parts->list[i].path, ATSPI_I_COMPONENT, "GetExtents" };
	struct bus_target value = { peer, parts->list[i].path, DBUS_I_PROPERTIES, "Get" };
	int r =
	    bus_pipe_call(p, extents, 0, on_extents, parts, i, e, "u", place_coord_type(peer->toolkit));

	if (r == 0)
		r = bus_pipe_call(p, value, 0, on_value, parts, i, e, "ss", ATSPI_I_VALUE, "CurrentValue");
	return r;
}

static int read_parts(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct parts *parts, struct error *e)
{
	auto_pipe struct bus_pipe p;
	uint32_t from = 0;
	int r;

	bus_pipe_init(&p, a->bus, c);
	r = ask_children(&p, parts, n->peer, n->handle.path, e);
	if (r == 0)
		r = bus_pipe_wait(&p, e);
	for (unsigned level = 1; level < LEVELS && r == 0; level++) {
		uint32_t to = parts->n;

		for (uint32_t i = from; i < to && r == 0; i++)
			r = ask_children(&p, parts, n->peer, parts->list[i].path, e);
		if (r == 0)
			r = bus_pipe_wait(&p, e);
		from = to;
	}
	for (uint32_t i = 0; i < parts->n && r == 0; i++)
		r = ask_part(&p, parts, n->peer, i, e);
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

int atspi_scroll_digest(struct atspi *a, struct call c, const char *handle, uint64_t *ret,
                        struct error *e)
{
	struct parts *parts = calloc(1, sizeof(*parts));
	uint64_t hash = 14695981039346656037u;
	struct atspi_node n;
	int r;

	if (!parts)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	r = atspi_node_find(a, c, handle, &n, e);
	if (r == 0)
		r = read_parts(a, c, &n, parts, e);
	for (uint32_t i = 0; i < parts->n && r == 0; i++) {
		mix(&hash, parts->list[i].path, strlen(parts->list[i].path));
		mix(&hash, parts->list[i].numbers, sizeof(parts->list[i].numbers));
		mix(&hash, &parts->list[i].value, sizeof(parts->list[i].value));
	}
	free(parts);
	if (r == 0)
		*ret = hash;
	return r;
}
