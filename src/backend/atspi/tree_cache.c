/* Cache.GetItems: a program's objects in one reply. The order is arbitrary and some may be missing
 * or stale, so the reply is only a source to look things up in: the walk decides what is in the
 * tree.
 *
 *   a((so)(so)(so)iiassusau)    self, application, parent, index, child count, interfaces, …
 *   a((so)(so)(so)a(so)assusau) before 2011 and in Qt 5: the children themselves */
#include "backend/atspi/tree.h"

#define ITEM_NEW "(so)(so)(so)iiassusau"
#define ITEM_OLD "(so)(so)(so)a(so)assusau"

uint32_t tree_hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

struct tree_cache *reader_cache_of(struct tree_reader *r, const struct atspi_peer *peer)
{
	for (struct tree_cache *c = r->caches; c; c = c->next)
		if (c->peer == peer)
			return c;
	return NULL;
}

void caches_free(struct tree_cache *c)
{
	while (c) {
		struct tree_cache *next = c->next;

		free(c->entries);
		free(c->by_path);
		free(c);
		c = next;
	}
}

/* --- lookup ----------------------------------------------------------------------------------- */

const struct cache_entry *cache_find(const struct tree_cache *c, const char *path)
{
	if (c->hash_cap == 0)
		return NULL;
	for (uint32_t at = tree_hash(path) & (c->hash_cap - 1); c->by_path[at];
	     at = (at + 1) & (c->hash_cap - 1)) {
		const struct cache_entry *entry = &c->entries[c->by_path[at] - 1];

		if (strcmp(entry->path, path) == 0)
			return entry;
	}
	return NULL;
}

static int by_place(const void *a, const void *b)
{
	const struct cache_entry *x = a, *y = b;
	int r = strcmp(x->parent_path, y->parent_path);

	if (r != 0)
		return r;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool build_hash(struct tree_cache *c)
{
	uint32_t cap = 16;

	while (cap < c->n * 2)
		cap *= 2;
	free(c->by_path);
	c->by_path = calloc(cap, sizeof(*c->by_path));
	c->hash_cap = c->by_path ? cap : 0;
	for (uint32_t i = 0; i < c->n && c->by_path; i++) {
		uint32_t at = tree_hash(c->entries[i].path) & (cap - 1);

		while (c->by_path[at])
			at = (at + 1) & (cap - 1);
		c->by_path[at] = i + 1;
	}
	return c->by_path != NULL;
}

/* The first entry with this parent, by halving. */
static uint32_t first_child(const struct tree_cache *c, const char *parent)
{
	uint32_t low = 0, high = c->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (strcmp(c->entries[mid].parent_path, parent) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct cache_entry *cache_children(const struct tree_cache *c, const struct cache_entry *of)
{
	uint32_t first = first_child(c, of->path), n = (uint32_t)of->child_count;

	if (of->child_count <= 0 || n > c->n - first)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		const struct cache_entry *child = &c->entries[first + i];

		if (child->index != (int32_t)i || strcmp(child->parent_path, of->path) != 0)
			return NULL;
	}
	/* One more of the same parent: something is stale. */
	if (first + n < c->n && strcmp(c->entries[first + n].parent_path, of->path) == 0)
		return NULL;
	return &c->entries[first];
}

/* --- parsing ---------------------------------------------------------------------------------- */

static struct cache_entry *entry_new(struct tree_cache *c)
{
	if (c->n >= LIM_TREE_NODES)
		return NULL;
	if (c->n == c->cap) {
		uint32_t cap = c->cap ? c->cap * 2 : 256;
		struct cache_entry *grown = realloc(c->entries, cap * sizeof(*grown));

		if (!grown)
			return NULL;
		c->entries = grown;
		c->cap = cap;
	}
	c->entries[c->n] = (struct cache_entry){ .index = -1, .child_count = -1 };
	return &c->entries[c->n];
}

/* The old form: children by reference. Only their number is kept, their places come from asking. */
static bool read_child_list(sd_bus_message *m)
{
	return sd_bus_message_skip(m, "a(so)") >= 0;
}

static bool read_entry(struct tree_cache *c, sd_bus_message *m, bool old, struct cache_entry *entry)
{
	const char *path, *parent, *parent_bus, *name, *description;

	if (sd_bus_message_read(m, "(so)(so)(so)", NULL, &path, NULL, NULL, &parent_bus, &parent) <= 0)
		return false;
	/* Embedded in another program: the path means nothing among ours. */
	if (*parent_bus && strcmp(parent_bus, c->peer->bus) != 0)
		parent = "";
	if (old ? !read_child_list(m)
	        : sd_bus_message_read(m, "ii", &entry->index, &entry->child_count) <= 0)
		return false;
	if (!bus_read_ifaces(m, &entry->ifaces) ||
	    sd_bus_message_read(m, "sus", &name, &entry->role, &description) <= 0 ||
	    !bus_read_states(m, &entry->states))
		return false;
	entry->path = arena_text(c->arena, path);
	entry->parent_path = arena_text(c->arena, parent);
	entry->name = arena_text(c->arena, name);
	entry->description = *description ? arena_text(c->arena, description) : NULL;
	return entry->path && entry->parent_path && entry->name;
}

static bool parse(struct tree_cache *c, sd_bus_message *m)
{
	const char *signature = sd_bus_message_get_signature(m, true);
	bool old = strcmp(signature, "a(" ITEM_OLD ")") == 0;
	const char *item = old ? ITEM_OLD : ITEM_NEW;
	int r;

	if (!old && strcmp(signature, "a(" ITEM_NEW ")") != 0)
		return false;
	c->n = 0;
	if (sd_bus_message_enter_container(m, 'a', old ? "(" ITEM_OLD ")" : "(" ITEM_NEW ")") < 0)
		return false;
	while ((r = sd_bus_message_enter_container(m, 'r', item)) > 0) {
		struct cache_entry *entry = entry_new(c);

		if (!entry || !read_entry(c, m, old, entry) || sd_bus_message_exit_container(m) < 0)
			return false;
		c->n++;
	}
	if (c->n > 0)
		qsort(c->entries, c->n, sizeof(*c->entries), by_place);
	return r >= 0 && build_hash(c);
}

static void on_items(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct tree_cache *c = ctx;

	if (outcome == BUS_OK && parse(c, m) && c->n > 0) {
		c->peer->cache = BUS_CACHE_GOOD;
		return;
	}
	c->n = 0;
	c->hash_cap = 0;
	/* Qt 5 answers with an empty list, for ever. A refusal may be a program that is still
	 * starting. */
	if (outcome == BUS_OK && c->peer->cache == BUS_CACHE_UNTRIED)
		c->peer->cache = BUS_CACHE_NONE;
	else if (outcome == BUS_REFUSED && ++c->peer->cache_refusals >= 3)
		c->peer->cache = BUS_CACHE_NONE;
}

static struct tree_cache *cache_for(struct tree_reader *r, struct atspi_peer *peer)
{
	struct tree_cache *c = reader_cache_of(r, peer);

	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->peer = peer;
	c->arena = &r->arena;
	c->next = r->caches;
	r->caches = c;
	return c;
}

int reader_read_caches(struct tree_reader *r, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int result = 0;

	bus_pipe_init(&p, r->bus, r->call);
	for (uint32_t i = 0; i < r->n && result == 0; i++) {
		struct atspi_peer *peer = r->items[i].peer;
		struct bus_target t = { peer, ATSPI_CACHE_PATH, ATSPI_I_CACHE, "GetItems" };
		struct tree_cache *c;

		if (r->items[i].parent != UI_NONE || peer->cache == BUS_CACHE_NONE || r->items[i].silent)
			continue;
		c = cache_for(r, peer);
		if (c)
			result = bus_pipe_call(&p, t, LIM_ATSPI_BULK_MS, on_items, c, 0, e, NULL);
	}
	return reader_stage(r, result < 0 ? result : bus_pipe_wait(&p, e), e);
}
