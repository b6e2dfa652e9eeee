/* From the windows down, level by level. What the cache knows is not asked for; the children of an
 * item come from the cache only when it has them all. */
#include "backend/atspi/tree.h"

/* With more unknown items than this, the cache is read once more instead of asking item by item. */
#define MANY_UNKNOWN 8

/* --- answers ---------------------------------------------------------------------------------- */

/* True when there is an answer to read; else the item is marked. */
static bool answered(struct tree_item *item, enum bus_outcome outcome)
{
	if (outcome == BUS_NO_ANSWER)
		item->silent = true;
	if (outcome == BUS_GONE)
		item->gone = true;
	return outcome == BUS_OK;
}

static void on_role(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	/* Every accessible object has a role: one that refuses is none (any more). */
	if (outcome == BUS_REFUSED)
		item->gone = true;
	if (answered(item, outcome) && sd_bus_message_read(m, "u", &item->role) > 0)
		item->known |= ITEM_ROLE;
}

static void on_states(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	if (answered(item, outcome) && bus_read_states(m, &item->states))
		item->known |= ITEM_STATES;
}

static void on_ifaces(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];

	if (answered(item, outcome) && bus_read_ifaces(m, &item->ifaces))
		item->known |= ITEM_IFACES;
}

static void on_name(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	struct tree_item *item = &r->items[tag];
	const char *name;

	if (answered(item, outcome) && bus_read_variant_string(m, &name)) {
		item->name = arena_text(&r->arena, name);
		item->known |= ITEM_NAME;
	}
}

static void on_role_name(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	const char *name;

	if (outcome == BUS_OK && sd_bus_message_read(m, "s", &name) > 0)
		r->items[tag].role_name = arena_text(&r->arena, name);
}

static void on_count(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_item *item = &((struct tree_reader *)ctx)->items[tag];
	int64_t count;

	if (answered(item, outcome) && bus_read_variant_int(m, &count) && count >= 0 &&
	    count <= INT32_MAX)
		item->child_count = (int32_t)count;
}

/* One child reference into the tree. */
static void add_child(struct tree_reader *r, uint32_t parent, const char *name, const char *path)
{
	struct atspi_peer *peer = r->items[parent].peer;

	if (strcmp(path, ATSPI_NULL) == 0)
		return;
	/* A part from another process: a plug, or a web view. */
	if (*name && strcmp(name, peer->bus) != 0)
		peer = bus_peer(r->bus, name);
	if (peer)
		reader_add(r, peer, path, parent);
}

static void on_children(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_reader *r = ctx;
	const char *name, *path;

	if (!answered(&r->items[tag], outcome) || sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return;
	r->items[tag].known |= ITEM_CHILDREN;
	while (sd_bus_message_read(m, "(so)", &name, &path) > 0) {
		if (r->items[tag].n >= LIM_ATSPI_CHILDREN) {
			r->items[tag].children_cut = true;
			break;
		}
		add_child(r, tag, name, path);
	}
}

/* --- asking ----------------------------------------------------------------------------------- */

static int ask(struct bus_pipe *p, struct tree_reader *r, uint32_t i, const char *member,
               bus_answer_fn *fn, struct error *e)
{
	struct bus_target t = { r->items[i].peer, r->items[i].path, ATSPI_I_ACCESSIBLE, member };

	return bus_pipe_call(p, t, 0, fn, r, i, e, NULL);
}

static int ask_property(struct bus_pipe *p, struct tree_reader *r, uint32_t i, const char *property,
                        bus_answer_fn *fn, struct error *e)
{
	struct bus_target t = { r->items[i].peer, r->items[i].path, DBUS_I_PROPERTIES, "Get" };

	return bus_pipe_call(p, t, 0, fn, r, i, e, "ss", ATSPI_I_ACCESSIBLE, property);
}

static bool alive(const struct tree_item *item)
{
	return !item->gone && !item->silent;
}

static int ask_info(struct bus_pipe *p, struct tree_reader *r, uint32_t i, struct error *e)
{
	uint32_t missing = ITEM_INFO & ~r->items[i].known;
	int result = 0;

	if (missing & ITEM_ROLE)
		result = ask(p, r, i, "GetRole", on_role, e);
	if (result == 0 && (missing & ITEM_STATES))
		result = ask(p, r, i, "GetState", on_states, e);
	if (result == 0 && (missing & ITEM_IFACES))
		result = ask(p, r, i, "GetInterfaces", on_ifaces, e);
	if (result == 0 && (missing & ITEM_NAME))
		result = ask_property(p, r, i, "Name", on_name, e);
	return result;
}

/* --- cache ------------------------------------------------------------------------------------ */

static void take_info(struct tree_item *item, const struct cache_entry *entry)
{
	item->role = entry->role;
	item->states = entry->states;
	item->ifaces = entry->ifaces;
	item->name = entry->name;
	item->description = entry->description;
	item->child_count = entry->child_count;
	item->known |= ITEM_INFO;
}

/* Children that the cache has all; true when nothing is left to ask. */
static bool take_children(struct tree_reader *r, uint32_t i, const struct tree_cache *cache,
                          const struct cache_entry *entry)
{
	const struct cache_entry *child;
	uint32_t n = (uint32_t)entry->child_count;

	if (entry->child_count == 0) {
		r->items[i].known |= ITEM_CHILDREN;
		return true;
	}
	child = n <= LIM_ATSPI_CHILDREN ? cache_children(cache, entry) : NULL;
	if (!child)
		return false;
	for (uint32_t k = 0; k < n; k++)
		reader_add(r, r->items[i].peer, child[k].path, i);
	r->items[i].known |= ITEM_CHILDREN;
	return true;
}

static void look_up(struct tree_reader *r, uint32_t i)
{
	const struct tree_cache *cache = reader_cache_of(r, r->items[i].peer);
	const struct cache_entry *entry = cache ? cache_find(cache, r->items[i].path) : NULL;

	if (!entry)
		return;
	take_info(&r->items[i], entry);
	if (!(r->items[i].known & ITEM_CHILDREN))
		take_children(r, i, cache, entry);
}

/* The cache may come to know the item later: only its children are asked for now. */
static bool cache_may_tell(struct tree_reader *r, const struct tree_item *item)
{
	const struct tree_cache *cache = reader_cache_of(r, item->peer);

	return cache && cache->n > 0;
}

/* --- one level -------------------------------------------------------------------------------- */

/* Whether what lies below is wanted. An item that its program hides has nothing to see below. */
static bool worth_descending(const struct tree_reader *r, const struct tree_item *item)
{
	if (!alive(item) || (item->known & ITEM_CHILDREN))
		return false;
	if (atspi_state(item->states, ATSPI_STATE_DEFUNCT))
		return false;
	if (r->opts->raw || !(item->known & ITEM_STATES))
		return true;
	return atspi_state(item->states, ATSPI_STATE_VISIBLE) ||
	       atspi_state(item->states, ATSPI_STATE_SHOWING) ||
	       item->peer->toolkit == ATSPI_TOOLKIT_GTK4;
}

/* Lists, tables and trees may have any number of children: count them first. */
static bool may_be_huge(const struct tree_item *item)
{
	static const uint8_t huge[] = { 31, 55, 65, 66, 92, 98 };

	if (item->child_count >= 0)
		return item->child_count > LIM_ATSPI_CHILDREN;
	if (atspi_state(item->states, ATSPI_STATE_MANAGES_DESCENDANTS))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(huge); i++)
		if (item->role == huge[i])
			return true;
	return false;
}

static int level_info(struct tree_reader *r, uint32_t from, uint32_t to, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = from; i < to && result == 0; i++) {
		look_up(r, i);
		if (!alive(&r->items[i]) || cache_may_tell(r, &r->items[i]))
			continue;
		r->walked = r->walked || r->items[i].parent != UI_NONE;
		result = ask_info(&p, r, i, e);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int level_counts(struct tree_reader *r, uint32_t from, uint32_t to, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = from; i < to && result == 0; i++)
		if (worth_descending(r, &r->items[i]) && r->items[i].child_count < 0 &&
		    may_be_huge(&r->items[i]))
			result = ask_property(&p, r, i, "ChildCount", on_count, e);
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int level_children(struct tree_reader *r, uint32_t from, uint32_t to, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = from; i < to && result == 0; i++) {
		struct tree_item *item = &r->items[i];

		if (!worth_descending(r, item) || may_be_huge(item))
			continue;
		result = ask(&p, r, i, "GetChildren", on_children, e);
	}
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int level_huge(struct tree_reader *r, uint32_t from, uint32_t to, struct error *e)
{
	for (uint32_t i = from; i < to; i++) {
		int result = 0;

		if (worth_descending(r, &r->items[i]) && may_be_huge(&r->items[i]))
			result = reader_huge(r, i, e);
		if (result < 0)
			return result;
	}
	return 0;
}

/* --- what is still unknown -------------------------------------------------------------------- */

static bool lacks_info(const struct tree_item *item)
{
	return alive(item) && (item->known & ITEM_INFO) != ITEM_INFO;
}

static int fill_unknown(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	uint32_t unknown = 0;
	int result = 0;

	for (uint32_t i = 0; i < r->n; i++)
		unknown += lacks_info(&r->items[i]);
	if (unknown > MANY_UNKNOWN) {
		result = reader_read_caches(r, e);
		if (result < 0 || r->out_of_time)
			return result;
		for (uint32_t i = 0; i < r->n; i++)
			if (lacks_info(&r->items[i]))
				look_up(r, i);
	}
	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++)
		if (lacks_info(&r->items[i]))
			result = ask_info(&p, r, i, e);
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

static int read_role_names(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++)
		if (alive(&r->items[i]) && (r->items[i].known & ITEM_ROLE) &&
		    atspi_role_needs_name(r->items[i].role))
			result = ask(&p, r, i, "GetRoleName", on_role_name, e);
	return result < 0 ? result : bus_pipe_wait(&p, e);
}

int reader_walk(struct tree_reader *r, struct error *e)
{
	int result = reader_read_caches(r, e);
	unsigned limit = r->opts->depth >= 0 ? (unsigned)r->opts->depth : LIM_TREE_DEPTH;
	uint32_t from = 0;

	/* The first level holds the programs and their windows. */
	for (unsigned depth = 0; result == 0 && from < r->n && !r->out_of_time; depth++) {
		uint32_t to = r->n;

		result = level_info(r, from, to, e);
		if (result == 0)
			result = level_counts(r, from, to, e);
		if (result == 0)
			result = level_children(r, from, to, e);
		if (result == 0)
			result = level_huge(r, from, to, e);
		result = reader_stage(r, result, e);
		from = to;
		if (depth + 1 >= limit)
			break;
	}
	if (result == 0 && !r->out_of_time)
		result = reader_stage(r, fill_unknown(r, e), e);
	if (result == 0 && !r->out_of_time)
		result = reader_stage(r, read_role_names(r, e), e);
	return result;
}
