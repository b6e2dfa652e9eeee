/* The accessibility tree, platform-neutral. A tree is built once by a backend (or read from JSON) and
 * is then read-only; filters make new trees. Nodes are in document order (preorder): a parent comes
 * before its children, and siblings keep the platform's order.
 *
 * Ownership: all strings live in the tree's arena and die with ui_tree_done(). Not thread-safe.
 * Coordinates: the device's point space (Linux: screen pixels of the X screen; phones: points). */
#ifndef DEFT_UI_NODE_H
#define DEFT_UI_NODE_H

#include "base/error.h"
#include "ui/role.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UI_NONE UINT32_MAX

struct ui_rect {
	double x, y, width, height;
};

enum ui_flag {
	UI_ENABLED = 1u << 0,     /* takes input */
	UI_VISIBLE = 1u << 1,     /* shown by its program (may be scrolled out or covered) */
	UI_FOCUSED = 1u << 2,
	UI_FOCUSABLE = 1u << 3,
	UI_SELECTED = 1u << 4,
	UI_CHECKED = 1u << 5,
	UI_CHECKABLE = 1u << 6,
	UI_EDITABLE = 1u << 7,
	UI_PASSWORD = 1u << 8,    /* text is secret: value is never filled, the count may be */
	UI_EXPANDED = 1u << 9,
	UI_EXPANDABLE = 1u << 10,
	UI_MODAL = 1u << 11,
	UI_ACTIVE = 1u << 12,     /* the active window */
	UI_READ_ONLY = 1u << 13,
	UI_MULTILINE = 1u << 14,
	UI_HITTABLE = 1u << 15,   /* has a point to press: visible, enabled, a usable rect */
	UI_SCROLLABLE = 1u << 16,
	UI_COVERED = 1u << 17,    /* something else lies over its centre */
	UI_UNRESPONSIVE = 1u << 18, /* its program did not answer; children are unknown */
	UI_CUT = 1u << 19,        /* label or value was cut at LIM_TREE_STRING */
	UI_HIDDEN_ABOVE = 1u << 20, /* scrollable with more content before / after */
	UI_HIDDEN_BELOW = 1u << 21,
	UI_HAS_RECT = 1u << 22,
	UI_HAS_RANGE = 1u << 23,
	UI_MIXED = 1u << 24,      /* indeterminate check state */
};

/* A numeric control's own state, as the runtime gives it. step 0: unknown. */
struct ui_range {
	double min, max, step, current;
};

struct ui_node {
	uint32_t parent;      /* index in the tree, UI_NONE for a root */
	uint32_t depth;       /* 0 for roots */
	uint32_t flags;       /* enum ui_flag */
	enum ui_role role;
	struct ui_rect rect;  /* valid with UI_HAS_RECT */
	struct ui_range range; /* valid with UI_HAS_RANGE */
	const char *type;     /* platform class or role name, e.g. "android.widget.Button", "push button" */
	const char *label, *value, *identifier, *description; /* NULL when there is none */
	const char *caption;  /* views only: text of a descendant, shown in place of a missing label.
	                       * Derived: never compared with what a runner reads (expectLabel) */
	const char *handle;   /* opaque, meaningful to the runner that made it; NULL when there is none */
	const char *const *actions; /* n_actions names as the platform gives them */
	uint32_t n_actions;
	uint32_t pid;         /* 0: unknown */
	uint32_t ref;         /* N of @eN; 0: none issued */
	uint32_t hidden_count; /* password: number of characters; else 0 */
};

/* What a snapshot says about itself (runner protocol 6.6). */
struct ui_quality {
	const char *state;    /* healthy | recovered | sparse | partial */
	const char *backend;  /* atspi-cache | atspi-walk | virtual | … */
	const char *reason, *reason_code; /* NULL when healthy */
	uint32_t effective_depth;
};

struct ui_tree {
	struct ui_node *nodes;
	uint32_t count, cap;
	bool truncated;            /* a limit cut the tree; reason in quality */
	struct ui_quality quality;
	const char *app, *app_id, *surface, *window_title; /* NULL when unknown */
	struct ui_rect screen;     /* device screen or 0,0,0,0 */
	json_t *warnings;          /* array of strings or NULL */
	uint32_t dropped;          /* nodes that vanished while the tree was read */
	struct ui_arena *arena;
};

int ui_tree_init(struct ui_tree *t, struct error *e);
void ui_tree_done(struct ui_tree *t);
/* 0, or -ERR_LIMIT_EXCEEDED when memory ran out while the tree was built: such a tree may lack texts
 * and is not to be shown. */
int ui_tree_check(const struct ui_tree *t, struct error *e);
#define auto_tree __attribute__((cleanup(ui_tree_done)))
/* Appends a node under parent (UI_NONE: a root); the parent must already be there, and children must
 * be appended in preorder. Returns the index, or UI_NONE when LIM_TREE_NODES is met (truncated is
 * set) or memory ran out. The node starts zeroed with role UI_OTHER. Pointers into t->nodes are
 * invalid after the next add. */
uint32_t ui_tree_add(struct ui_tree *t, uint32_t parent);
/* Copies text into the arena: repaired to valid UTF-8, cut at LIM_TREE_STRING (*flags gets UI_CUT;
 * flags may be NULL). NULL and "" give NULL. */
const char *ui_tree_text(struct ui_tree *t, const char *s, uint32_t *flags);
const char *const *ui_tree_texts(struct ui_tree *t, const char *const *list, uint32_t n);
void ui_tree_warn(struct ui_tree *t, const char *text);
/* Deep copy of one node's strings into another tree; returns the new index. */
uint32_t ui_tree_copy_node(struct ui_tree *to, uint32_t parent, const struct ui_node *from);
/* Index one past the last descendant of i (preorder makes subtrees contiguous). */
uint32_t ui_tree_subtree_end(const struct ui_tree *t, uint32_t i);
/* The same for all nodes in one pass: ret_ends has t->count entries. */
void ui_tree_subtree_ends(const struct ui_tree *t, uint32_t *ret_ends);
bool ui_is_ancestor(const struct ui_tree *t, uint32_t ancestor, uint32_t node);
static inline bool ui_has(const struct ui_node *n, uint32_t flag)
{
	return (n->flags & flag) != 0;
}
/* First non-empty of label, value, identifier; NULL when all are empty. */
const char *ui_node_text(const struct ui_node *n);

/* A flag or a role that says "secret": the value is neither kept, shown, compared nor sent. */
bool ui_node_secret(const struct ui_node *n);

/* --- geometry ------------------------------------------------------------------------------- */
bool ui_rect_known(struct ui_rect r);       /* finite, no sentinel; may be empty */
bool ui_rect_usable(struct ui_rect r);      /* finite, width and height > 1, no sentinel */
bool ui_rect_contains(struct ui_rect r, double x, double y);
bool ui_rect_intersect(struct ui_rect a, struct ui_rect b, struct ui_rect *ret);
void ui_rect_center(struct ui_rect r, double *ret_x, double *ret_y);

#endif
