#include "backend/atspi/tree.h"

/* Kept back from the command's time for putting the tree together. */
#define FINISH_SHARE 10 /* one part in … */

void reader_init(struct tree_reader *r, struct atspi *a, struct call c,
                 const struct rb_snapshot_opts *o)
{
	int64_t left = deadline_left(c.deadline);

	if (left > LIM_SNAPSHOT_BUDGET_MS)
		left = LIM_SNAPSHOT_BUDGET_MS;
	*r = (struct tree_reader){ .atspi = a, .bus = a->bus, .opts = o };
	r->call = call_limit(c, left - left / FINISH_SHARE);
	place_desk_init(&r->desk, a, r->call);
}

void reader_done(struct tree_reader *r)
{
	caches_free(r->caches);
	place_desk_done(&r->desk);
	free(r->items);
	free(r->seen);
	arena_done(&r->arena);
}

int reader_stage(struct tree_reader *r, int result, struct error *e)
{
	if (result != -ERR_TIMEOUT)
		return result;
	r->out_of_time = true;
	error_clear(e);
	return 0;
}

/* --- items ------------------------------------------------------------------------------------ */

static uint32_t object_hash(const struct atspi_peer *peer, const char *path)
{
	return tree_hash(path) ^ (uint32_t)((uintptr_t)peer >> 4) * 2654435761u;
}

static bool grow_seen(struct tree_reader *r)
{
	uint32_t cap = r->seen_cap ? r->seen_cap * 2 : 1024;
	uint32_t *seen = calloc(cap, sizeof(*seen));

	if (!seen)
		return false;
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t at = object_hash(r->items[i].peer, r->items[i].path) & (cap - 1);

		while (seen[at])
			at = (at + 1) & (cap - 1);
		seen[at] = i + 1;
	}
	free(r->seen);
	r->seen = seen;
	r->seen_cap = cap;
	return true;
}

uint32_t *reader_slot(const struct tree_reader *r, const struct atspi_peer *peer, const char *path)
{
	uint32_t at;

	if (r->seen_cap == 0)
		return NULL;
	at = object_hash(peer, path) & (r->seen_cap - 1);
	while (r->seen[at]) {
		const struct tree_item *item = &r->items[r->seen[at] - 1];

		if (item->peer == peer && strcmp(item->path, path) == 0)
			break;
		at = (at + 1) & (r->seen_cap - 1);
	}
	return &r->seen[at];
}

static bool have_room(struct tree_reader *r)
{
	struct tree_item *grown;
	uint32_t cap;

	if (r->n >= LIM_TREE_NODES) {
		r->too_many = true;
		return false;
	}
	if (r->n * 2 >= r->seen_cap && !grow_seen(r))
		return false;
	if (r->n < r->cap)
		return true;
	cap = r->cap ? r->cap * 2 : 512;
	grown = realloc(r->items, cap * sizeof(*grown));
	if (!grown)
		return false;
	r->items = grown;
	r->cap = cap;
	return true;
}

uint32_t reader_add(struct tree_reader *r, struct atspi_peer *peer, const char *path,
                    uint32_t parent)
{
	uint32_t *slot;
	const char *copy;

	if (!have_room(r))
		return UI_NONE;
	slot = reader_slot(r, peer, path);
	copy = *slot ? NULL : arena_text(&r->arena, path);
	/* A second way to the same object: trees have none; the first one counts. */
	if (!copy)
		return UI_NONE;
	r->items[r->n] = (struct tree_item){
		.peer = peer,
		.path = copy,
		.parent = parent,
		.window = UI_NONE,
		.child_count = -1,
		.labelled_by = UI_NONE,
	};
	if (parent != UI_NONE) {
		struct tree_item *up = &r->items[parent];

		if (up->n == 0)
			up->first = r->n;
		up->n++;
		r->items[r->n].window = up->parent == UI_NONE ? r->n : up->window;
	}
	*slot = r->n + 1;
	return r->n++;
}

uint32_t reader_add_app(struct tree_reader *r, const struct atspi_app *app)
{
	const char *root = app->peer->root[0] ? app->peer->root : ATSPI_ROOT;
	uint32_t index = reader_add(r, app->peer, root, UI_NONE);
	struct tree_item *item;

	if (index == UI_NONE)
		return UI_NONE;
	item = &r->items[index];
	item->known = ITEM_INFO | ITEM_CHILDREN;
	item->role = 75;
	item->name = arena_text(&r->arena, app->name);
	item->silent = app->unresponsive;
	item->states =
	    1ull << ATSPI_STATE_SENSITIVE | 1ull << ATSPI_STATE_VISIBLE | 1ull << ATSPI_STATE_SHOWING;
	for (uint32_t i = 0; i < app->n_windows; i++) {
		const struct atspi_window *w = &app->windows[i];
		uint32_t k = reader_add(r, app->peer, w->path, index);

		if (k == UI_NONE)
			continue;
		r->items[k].known = ITEM_ROLE | ITEM_STATES | ITEM_NAME;
		r->items[k].role = w->role;
		r->items[k].states = w->states;
		r->items[k].name = w->title ? arena_text(&r->arena, w->title) : NULL;
		r->items[k].silent = w->unresponsive;
	}
	return index;
}
