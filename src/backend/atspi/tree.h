/* Reading whole trees. The stages, each in its own file:
 *
 *   tree_cache.c   Cache.GetItems: names, roles, states and structure of a program in one call
 *   tree_walk.c    level by level from the windows down; what the cache lacks is asked for
 *   tree_detail.c  places, values, texts: one pipelined pass, only where they count; then
 *                  tree_stack.c (hidden pages), tree_relation.c (labels), tree_action.c
 *   tree_look.c    what is shown, and where: tree_place.c has the rules of each toolkit
 *   tree_emit.c    the ui_tree, with tree_label.c and tree_quality.c
 *
 * A reader lives for one snapshot. Items are in order of discovery; the children of one item are
 * neighbours, so that (first, n) names them. Executor thread only. */
#ifndef DEFT_BACKEND_ATSPI_TREE_H
#define DEFT_BACKEND_ATSPI_TREE_H

#include "backend/atspi/app.h"
#include "backend/atspi/bus.h"

/* --- strings of one snapshot ------------------------------------------------------------------ */

struct tree_arena {
	struct arena_block *blocks;
	char *at;
	size_t left;
};
/* NULL when memory ran out. */
void *arena_alloc(struct tree_arena *a, size_t size);
const char *arena_text(struct tree_arena *a, const char *s);
void arena_done(struct tree_arena *a);

/* --- items ------------------------------------------------------------------------------------ */

enum item_known {
	ITEM_CHILDREN = 1u << 0,
	ITEM_ROLE = 1u << 1,
	ITEM_STATES = 1u << 2,
	ITEM_IFACES = 1u << 3,
	ITEM_NAME = 1u << 4,
	ITEM_EXTENTS = 1u << 5,
	ITEM_VALUE = 1u << 6,
	ITEM_MIN = 1u << 7,
	ITEM_MAX = 1u << 8,
	ITEM_INFO = ITEM_ROLE | ITEM_STATES | ITEM_IFACES | ITEM_NAME,
};

struct tree_extents {
	int32_t x, y, width, height;
};

struct tree_item {
	struct atspi_peer *peer;
	const char *path;
	uint32_t parent;   /* UI_NONE: a program */
	uint32_t first, n; /* children */
	uint32_t window;   /* item of the top level it is in; UI_NONE for programs */
	uint32_t known;    /* enum item_known */
	uint32_t role, ifaces;
	uint64_t states;
	int32_t child_count; /* as told, -1 unknown */
	const char *name, *description, *role_name, *id;
	bool gone;                   /* vanished, or was never an accessible object */
	bool silent;                 /* it (or its program) does not answer */
	bool beneath;                /* a page that another one lies over */
	bool children_cut;           /* more children than LIM_ATSPI_CHILDREN */
	struct tree_extents extents; /* as told, in the coordinates asked for */
	double min, max, step, current;
	const char *text;
	bool text_cut;
	uint32_t chars;
	uint32_t labelled_by; /* item, UI_NONE none */
	const char **actions;
	uint32_t n_actions;
};

/* --- places ----------------------------------------------------------------------------------- */

/* Where a window's items are on the screen. */
struct tree_place {
	enum place_kind { PLACE_SCREEN, PLACE_WINDOW, PLACE_UNKNOWN } kind;
	double scale;    /* pixels of the X server in one of the program's */
	double dx, dy;   /* PLACE_WINDOW: added to scaled WINDOW extents */
	uint32_t window; /* PLACE_WINDOW: of the X server */
	const char *why; /* PLACE_UNKNOWN: static text */
};

/* The coordinate type (0 screen, 1 window) to ask a toolkit for. */
uint32_t place_coord_type(enum atspi_toolkit toolkit);
/* All windows of the X server, topmost first: asked for once in an operation. */
struct place_desk {
	struct atspi *atspi;
	struct call call;
	bool asked;
	struct x11_window *windows;
	size_t n;
};
void place_desk_init(struct place_desk *d, struct atspi *a, struct call c);
void place_desk_done(struct place_desk *d);
#define auto_desk __attribute__((cleanup(place_desk_done)))
/* False: there are none to see (no X server, or it does not answer). */
bool place_desk_look(struct place_desk *d);
/* A popup (menu, list, tool tip) of the program is shown; pid 0: of any. NULL: none. */
const struct x11_window *place_desk_popup(struct place_desk *d, pid_t pid);
/* GTK 4 windows are found through the X server by title and size; other toolkits are PLACE_SCREEN.
 * frame: extents of the top level, NULL when unknown. */
struct tree_place place_of_window(struct place_desk *d, struct atspi_peer *peer, const char *title,
                                  const struct tree_extents *frame);
/* True when extents x below the parent's extents up are those of a GTK 4 popover that has a window of
 * its own: *place, the place of what is around it, becomes that of what is in it. */
bool place_of_popup(struct place_desk *d, const struct atspi_peer *peer,
                    const struct tree_extents *x, const struct tree_extents *up,
                    struct tree_place *place);
/* Screen rectangle; false for sentinels, empty and impossible ones. */
bool place_rect(const struct tree_place *p, const struct tree_extents *x, struct ui_rect *ret);
bool place_extents_sane(const struct tree_extents *x);

/* --- the reader ----------------------------------------------------------------------------- */

struct tree_reader {
	struct atspi *atspi;
	struct atspi_bus *bus;
	struct call call; /* ends a little before the command's own */
	const struct rb_snapshot_opts *opts;
	struct tree_arena arena;
	struct tree_item *items;
	uint32_t n, cap;
	uint32_t *seen; /* hash of (peer, path), item + 1; 0 free */
	uint32_t seen_cap;
	struct tree_cache *caches;
	struct place_desk desk;
	bool out_of_time, too_many, walked;
	uint32_t dropped;
	int fatal; /* negative code: canceled, bus gone */
};

void reader_init(struct tree_reader *r, struct atspi *a, struct call c,
                 const struct rb_snapshot_opts *o);
void reader_done(struct tree_reader *r);
#define auto_reader __attribute__((cleanup(reader_done)))

/* Appends an item; UI_NONE when it is in the tree already, LIM_TREE_NODES is met, or memory ran
 * out. Pointers into r->items are invalid afterwards. */
uint32_t reader_add(struct tree_reader *r, struct atspi_peer *peer, const char *path,
                    uint32_t parent);
/* The slot of an object in r->seen, 0 in it: not in the tree. NULL: no tree yet. */
uint32_t *reader_slot(const struct tree_reader *r, const struct atspi_peer *peer, const char *path);
/* Adds the program and its windows as the list shows them. */
uint32_t reader_add_app(struct tree_reader *r, const struct atspi_app *app);
/* Every stage returns 0 also when time ran out (r->out_of_time), and a negative code only when
 * nothing can be shown: canceled, bus gone. */
int reader_walk(struct tree_reader *r, struct error *e);
/* Children of an item that has more than LIM_ATSPI_CHILDREN, or may have: the ones around what is
 * shown (tree_huge.c). item->child_count is their number. */
int reader_huge(struct tree_reader *r, uint32_t i, struct error *e);
int reader_details(struct tree_reader *r, struct error *e);
/* Marks the pages of GTK 4 stacks that are not shown (tree_stack.c). */
int reader_stacks(struct tree_reader *r, struct error *e);
/* What may be such a page: its extents are needed. */
bool stack_page_candidate(const struct tree_reader *r, const struct tree_item *item);
int reader_relations(struct tree_reader *r, struct error *e);
int reader_actions(struct tree_reader *r, struct error *e);
int reader_emit(struct tree_reader *r, const struct atspi_apps *apps, struct ui_tree *t,
                struct error *e);
/* The handle of an item; programs have none. -ERR_LIMIT_EXCEEDED. */
int reader_handle(const struct tree_reader *r, uint32_t i, struct buf *out);
/* Turns a timeout into r->out_of_time. */
int reader_stage(struct tree_reader *r, int result, struct error *e);

/* --- cache ------------------------------------------------------------------------------------ */

struct cache_entry {
	const char *path, *parent_path, *name, *description;
	int32_t index, child_count;
	uint32_t role, ifaces;
	uint64_t states;
};

struct tree_cache {
	struct tree_cache *next;
	struct atspi_peer *peer;
	struct cache_entry *entries; /* sorted by parent path, then index */
	uint32_t n, cap;
	uint32_t *by_path; /* hash, entry + 1 */
	uint32_t hash_cap;
	struct tree_arena *arena;
};

/* Reads the caches of all programs in the reader that have one (pipelined). May be called again
 * later: a toolkit that makes accessible objects on demand then knows more of them. */
int reader_read_caches(struct tree_reader *r, struct error *e);
struct tree_cache *reader_cache_of(struct tree_reader *r, const struct atspi_peer *peer);
const struct cache_entry *cache_find(const struct tree_cache *c, const char *path);
/* The children of path when the cache has them all (as many as it says, indices 0…n-1): the first
 * of n neighbouring entries. NULL: ask the program. */
const struct cache_entry *cache_children(const struct tree_cache *c, const struct cache_entry *of);
void caches_free(struct tree_cache *c);
uint32_t tree_hash(const char *s);

#endif
