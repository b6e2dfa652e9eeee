/* The first text inside an element, by the rule of whole trees (tree_label.c). */
#include "backend/atspi/node.h"

struct child {
	char path[256];
	char name[256];
	uint32_t role;
	uint64_t states;
	bool hidden; /* has no size */
};

struct children {
	struct child list[ATSPI_CAPTION_OBJECTS];
	uint32_t n;
};

struct search {
	struct atspi *a;
	struct call c;
	struct atspi_peer *peer;
	unsigned objects;
	char *out;
	size_t size;
};

static void on_children(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct children *to = ctx;
	const char *path;

	if (outcome != BUS_OK || sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return;
	while (to->n < ATSPI_CAPTION_OBJECTS && sd_bus_message_read(m, "(so)", NULL, &path) > 0)
		if (strcmp(path, ATSPI_NULL) != 0)
			bus_copy(to->list[to->n++].path, sizeof(to->list[0].path), path);
}

enum { ASK_ROLE, ASK_STATES, ASK_NAME, ASK_EXTENTS };

static void on_part(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct child *child = ctx;
	struct tree_extents x;
	const char *text;

	if (outcome != BUS_OK)
		return;
	if (tag == ASK_EXTENTS && sd_bus_message_read(m, "(iiii)", &x.x, &x.y, &x.width, &x.height) > 0)
		child->hidden = !place_extents_sane(&x);
	if (tag == ASK_ROLE && sd_bus_message_read(m, "u", &child->role) <= 0)
		child->role = 0;
	if (tag == ASK_STATES && !bus_read_states(m, &child->states))
		child->states = 0;
	if (tag == ASK_NAME && bus_read_variant_string(m, &text))
		bus_copy(child->name, sizeof(child->name), text);
}

static int read_children(struct search *s, const char *path, struct children *ret, struct error *e)
{
	struct bus_target t = { s->peer, path, ATSPI_I_ACCESSIBLE, "GetChildren" };
	auto_pipe struct bus_pipe p;
	int r;

	bus_pipe_init(&p, s->a->bus, s->c);
	r = bus_pipe_call(&p, t, 0, on_children, ret, 0, e, NULL);
	if (r == 0)
		r = bus_pipe_wait(&p, e);
	for (uint32_t i = 0; i < ret->n && r == 0; i++) {
		struct child *child = &ret->list[i];
		struct bus_target role = { s->peer, child->path, ATSPI_I_ACCESSIBLE, "GetRole" };
		struct bus_target states = { s->peer, child->path, ATSPI_I_ACCESSIBLE, "GetState" };
		struct bus_target get = { s->peer, child->path, DBUS_I_PROPERTIES, "Get" };
		struct bus_target extents = { s->peer, child->path, ATSPI_I_COMPONENT, "GetExtents" };

		r = bus_pipe_call(&p, role, 0, on_part, child, ASK_ROLE, e, NULL);
		if (r == 0)
			r = bus_pipe_call(&p, states, 0, on_part, child, ASK_STATES, e, NULL);
		if (r == 0)
			r = bus_pipe_call(&p, get, 0, on_part, child, ASK_NAME, e, "ss", ATSPI_I_ACCESSIBLE,
			                  "Name");
		if (r == 0)
			r = bus_pipe_call(&p, extents, 0, on_part, child, ASK_EXTENTS, e, "u",
			                  place_coord_type(s->peer->toolkit));
	}
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

static int search_below(struct search *s, const char *path, unsigned levels, struct error *e);

/* Looks at the children of one object in order, and below each before the next. */
static int search_children(struct search *s, const struct children *below, unsigned levels,
                           struct error *e)
{
	int r = 0;

	for (uint32_t i = 0; i < below->n && r == 0 && !s->out[0]; i++) {
		const struct child *child = &below->list[i];
		const char *name = atspi_name(s->peer->toolkit, child->name);

		if (s->objects++ >= ATSPI_CAPTION_OBJECTS)
			break;
		if (child->hidden)
			continue;
		if (name && atspi_role_to_ui(child->role, NULL, child->states) == UI_TEXT)
			bus_copy(s->out, s->size, name);
		else if (levels > 1)
			r = search_below(s, child->path, levels - 1, e);
	}
	return r;
}

static int search_below(struct search *s, const char *path, unsigned levels, struct error *e)
{
	struct children *below = calloc(1, sizeof(*below));
	int r;

	if (!below)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	r = read_children(s, path, below, e);
	if (r == 0)
		r = search_children(s, below, levels, e);
	free(below);
	return r;
}

int node_caption(struct atspi *a, struct call c, const struct atspi_node *n, char *ret, size_t size,
                 struct error *e)
{
	struct search s = { .a = a, .c = c, .peer = n->peer, .out = ret, .size = size };

	ret[0] = '\0';
	return search_below(&s, n->handle.path, ATSPI_CAPTION_LEVELS, e);
}
