/* Operations on one element, inside the reading half. */
#ifndef DEFT_BACKEND_ATSPI_NODE_H
#define DEFT_BACKEND_ATSPI_NODE_H

#include "backend/atspi/app.h"
#include "backend/atspi/bus.h"
#include "backend/atspi/tree.h"

/* An element and what lies above it, from itself (0) to its top-level window (n - 1). */
struct node_step {
	char path[256];
	uint32_t role;
	uint64_t states;
	struct tree_extents extents;
	bool has_extents;
	char name[256];
};

#define NODE_STEPS 64
#define NODE_POLL_MS 10 /* between two looks at what was set */

struct node_chain {
	struct node_step *steps; /* free() */
	uint32_t n;
	bool cut; /* more than NODE_STEPS above */
};

int node_chain_read(struct atspi *a, struct call c, const struct atspi_node *n,
                    struct node_chain *ret, struct error *e);
/* The place of what is around step i: its popover's or its window's. *ret_popup: the step where the
 * popover starts, UI_NONE when it is in none. */
struct tree_place node_chain_place(struct place_desk *desk, const struct atspi_node *n,
                                   const struct node_chain *chain, uint32_t i, uint32_t *ret_popup);
/* Screen rectangle of step i; false: unknown. */
bool node_chain_rect(struct atspi *a, struct call c, const struct atspi_node *n,
                     const struct node_chain *chain, uint32_t i, struct ui_rect *ret);

/* Marks `at` as covered when a click at its point would meet something else, or come to nothing. Of an
 * element without a point only a dialog is of interest. in_popup: the element is in a menu or list. */
int node_look_down(struct place_desk *desk, const struct atspi_node *n,
                   const struct node_chain *chain, const struct tree_place *place, bool in_popup,
                   struct rb_located *at, struct error *e);
/* The same by the program's own word. Pages of a GTK 4 stack lie at one place, and only asking tells
 * which one is shown (tree_stack.c). */
int node_look_inside(struct atspi *a, struct call c, const struct atspi_node *n,
                     const struct node_chain *chain, const struct tree_place *place,
                     struct rb_located *at, struct error *e);

/* The first text inside, "" when there is none. */
int node_caption(struct atspi *a, struct call c, const struct atspi_node *n, char *ret, size_t size,
                 struct error *e);

/* A call on the element itself. */
struct bus_target node_target(const struct atspi_node *n, const char *iface, const char *member);
/* One property; the reply is to be unref'd. */
int node_property(struct atspi *a, struct call c, const struct atspi_node *n, const char *iface,
                  const char *name, sd_bus_message **ret_m, struct error *e);
int node_double(struct atspi *a, struct call c, const struct atspi_node *n, const char *name,
                double *ret, struct error *e); /* of the Value interface */
/* atspi_control_set() of an element already found. */
int node_value_set(struct atspi *a, struct call c, const struct atspi_node *n, double value,
                   struct error *e);
/* States as they are now. */
int node_states(struct atspi *a, struct call c, const struct atspi_node *n, uint64_t *ret,
                struct error *e);
/* "button Save" for messages; static, valid until the next call. */
const char *node_words(const struct atspi_node *n);
/* The machine names of the element's actions, n at most LIM_TREE_ACTIONS; each at most 127
 * bytes. */
struct node_actions {
	char names[LIM_TREE_ACTIONS][128];
	uint32_t n;
};
int node_actions_read(struct atspi *a, struct call c, const struct atspi_node *n,
                      struct node_actions *ret, struct error *e);
int node_action_do(struct atspi *a, struct call c, const struct atspi_node *n, uint32_t index,
                   struct error *e);
/* Index of the first of these names, NULL-terminated; -1: none. */
int node_action_index(const struct node_actions *list, const char *const *names);

#endif
