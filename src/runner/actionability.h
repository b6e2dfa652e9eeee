/* The gate before every action on an element: the node is located afresh and looked at, and what
 * can't be acted on is refused with its typed error before any input is sent. */
#ifndef DEFT_RUNNER_ACTIONABILITY_H
#define DEFT_RUNNER_ACTIONABILITY_H

#include "runner/dispatch.h"

/* What an action needs of its element. Staleness is always checked. */
enum rc_need {
	RC_NEED_ENABLED = 1u << 0,
	RC_NEED_IN_VIEW = 1u << 1,
	RC_NEED_UNCOVERED = 1u << 2,
	RC_NEED_POINT = 1u << 3,
	RC_NEED_TOUCH = RC_NEED_ENABLED | RC_NEED_IN_VIEW | RC_NEED_UNCOVERED | RC_NEED_POINT,
};

/* Pure: what speaks against acting, in this order: stale (another role or label than expected,
 * either may be NULL), disabled, off-screen, covered, no point. 0 or -ERR_ELEMENT_STALE,
 * -ERR_ELEMENT_DISABLED, -ERR_ELEMENT_OFFSCREEN, -ERR_ELEMENT_COVERED, -ERR_ELEMENT_NOT_INTERACTABLE. */
int rc_actionable(const struct rb_located *at, const char *expect_role, const char *expect_label,
                  unsigned needs, struct error *e);

/* An element or a point that a request names. */
struct rc_target {
	char *node;           /* owned; NULL: only a point was given */
	struct rb_located at; /* with node */
	double x, y;          /* where to press; valid with has_point */
	bool has_point;
};

/* Resolves nodeId, else selectorKey + selectorValue (matched in a fresh capture), else x and y; and
 * applies the gate. *ret_found is false when the request names none of them. */
int rc_target_resolve(struct rc_env *env, const struct wire_request *r, struct call c,
                      unsigned needs, struct rc_target *ret, bool *ret_found, struct error *e);
/* The same for commands that need an element: -ERR_INVALID_ARGS "<command> requires nodeId …". */
int rc_target_node(struct rc_env *env, const struct wire_request *r, struct call c, unsigned needs,
                   struct rc_target *ret, struct error *e);
void rc_target_done(struct rc_target *t);
#define auto_target __attribute__((cleanup(rc_target_done)))
/* label and role of the element acted on. */
void rc_put_element(json_t *data, const struct rb_located *at);

#endif
