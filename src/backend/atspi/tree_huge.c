/* Lists and tables with more children than anybody wants to read: only those around what is shown.
 * A table of a hundred thousand rows must neither fill the tree nor hold up its program. */
#include "backend/atspi/tree.h"

#define CLIMB_STEPS 6
#define HEAD 16 /* children at the front that are always read: column headers */

struct object {
	struct atspi_peer *peer;
	char path[256];
};

static bool same(const struct object *o, const struct tree_item *item)
{
	return o->peer == item->peer && strcmp(o->path, item->path) == 0;
}

/* A call that answers an object. */
static bool ask_object(struct tree_reader *r, const struct tree_item *item, const char *iface,
                       const char *member, struct object *ret, const char *types, int32_t x,
                       int32_t y, uint32_t coord)
{
	struct bus_target t = { item->peer, item->path, iface, member };
	auto_message sd_bus_message *m = NULL;
	const char *name, *path;

	if (bus_call(r->bus, r->call, t, &m, NULL, types, x, y, coord) < 0 ||
	    !bus_read_object(m, &name, &path) || strlen(path) >= sizeof(ret->path) ||
	    strcmp(path, ATSPI_NULL) == 0)
		return false;
	ret->peer = *name ? bus_peer(r->bus, name) : item->peer;
	bus_copy(ret->path, sizeof(ret->path), path);
	return ret->peer != NULL;
}

static bool parent_of(struct tree_reader *r, const struct object *o, struct object *ret)
{
	struct bus_target t = { o->peer, o->path, DBUS_I_PROPERTIES, "Get" };
	auto_message sd_bus_message *m = NULL;
	const char *name, *path;

	if (bus_call(r->bus, r->call, t, &m, NULL, "ss", ATSPI_I_ACCESSIBLE, "Parent") < 0 ||
	    !bus_read_object(m, &name, &path) || strlen(path) >= sizeof(ret->path))
		return false;
	ret->peer = *name ? bus_peer(r->bus, name) : o->peer;
	bus_copy(ret->path, sizeof(ret->path), path);
	return ret->peer != NULL;
}

static int32_t index_of(struct tree_reader *r, const struct object *o)
{
	struct bus_target t = { o->peer, o->path, ATSPI_I_ACCESSIBLE, "GetIndexInParent" };
	auto_message sd_bus_message *m = NULL;
	int32_t index;

	if (bus_call(r->bus, r->call, t, &m, NULL, NULL) < 0 ||
	    sd_bus_message_read(m, "i", &index) <= 0)
		return -1;
	return index;
}

/* The index of the child that is shown at the top left; 0 when it can't be told. */
static int32_t first_shown(struct tree_reader *r, const struct tree_item *item)
{
	uint32_t coord = place_coord_type(item->peer->toolkit);
	struct bus_target t = { item->peer, item->path, ATSPI_I_COMPONENT, "GetExtents" };
	auto_message sd_bus_message *m = NULL;
	struct object at, up;
	int32_t x, y, width, height, index;

	if (bus_call(r->bus, r->call, t, &m, NULL, "u", coord) < 0 ||
	    sd_bus_message_read(m, "(iiii)", &x, &y, &width, &height) <= 0 || width < 4 || height < 4)
		return 0;
	/* A little inside, below a header row. */
	if (!ask_object(r, item, ATSPI_I_COMPONENT, "GetAccessibleAtPoint", &at, "iiu",
	                x + (width > 16 ? 8 : 2), y + height / 2, coord))
		return 0;
	for (unsigned i = 0; i < CLIMB_STEPS && !same(&at, item); i++) {
		if (!parent_of(r, &at, &up))
			return 0;
		if (same(&up, item)) {
			index = index_of(r, &at);
			return index > 0 ? index : 0;
		}
		at = up;
	}
	return 0;
}

/* --- children by index ------------------------------------------------------------------------ */

struct slots {
	struct tree_reader *r;
	struct object *list;
	struct atspi_peer *owner;
};

static void on_child(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct slots *s = ctx;
	struct object *slot = &s->list[tag];
	const char *name, *path;

	if (outcome != BUS_OK || !bus_read_object(m, &name, &path) ||
	    strlen(path) >= sizeof(slot->path) || strcmp(path, ATSPI_NULL) == 0)
		return;
	slot->peer = !*name || strcmp(name, s->owner->bus) == 0 ? s->owner : bus_peer(s->r->bus, name);
	bus_copy(slot->path, sizeof(slot->path), path);
}

/* Slot k is child k at the front, then child start + k. */
static int read_range(struct slots *s, uint32_t i, int32_t start, uint32_t n, struct error *e)
{
	struct tree_reader *r = s->r;
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t k = 0; k < n && result == 0; k++) {
		int32_t at = k < HEAD ? (int32_t)k : start + (int32_t)k;

		struct bus_target t = { r->items[i].peer, r->items[i].path, ATSPI_I_ACCESSIBLE,
			                    "GetChildAtIndex" };

		result = bus_pipe_call(&p, t, 0, on_child, s, k, e, "i", at);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

int reader_huge(struct tree_reader *r, uint32_t i, struct error *e)
{
	struct tree_item *item = &r->items[i];
	uint32_t n = LIM_ATSPI_CHILDREN_SHOWN;
	struct slots s = { .r = r, .owner = item->peer };
	int32_t start;
	int result;

	if (item->child_count <= 0)
		return 0;
	start = first_shown(r, item) - (int32_t)n / 2;
	if (start > item->child_count - (int32_t)n)
		start = item->child_count - (int32_t)n;
	if (start < 0)
		start = 0;
	s.list = calloc(n, sizeof(*s.list));
	if (!s.list)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	result = read_range(&s, i, start, n, e);
	for (uint32_t k = 0; k < n; k++)
		if (s.list[k].peer)
			reader_add(r, s.list[k].peer, s.list[k].path, i);
	free(s.list);
	r->items[i].children_cut = true;
	r->items[i].known |= ITEM_CHILDREN;
	return result;
}
