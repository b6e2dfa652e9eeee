/* Finding elements in a fresh capture, for commands that name them by selector or point. */
#ifndef DEFT_RUNNER_MATCH_H
#define DEFT_RUNNER_MATCH_H

#include "runner/dispatch.h"
#include "ui/target.h"

/* A capture of the request's app and surface, whole depth. */
int rc_capture(struct rc_env *env, const struct wire_request *r, struct call c, struct ui_tree *ret,
               struct error *e);
/* One node whose id, label, value or text (key) equals value: -ERR_INVALID_ARGS for another key,
 * -ERR_ELEMENT_NOT_FOUND, -ERR_AMBIGUOUS_MATCH. */
int rc_match(const struct ui_tree *t, const char *key, const char *value, enum ui_pick pick,
             uint32_t *ret_node, struct error *e);
/* The first node whose label, identifier or value contains text, folded; UI_NONE. */
uint32_t rc_find_text(const struct ui_tree *t, const char *text);
/* What a person would read of a node: inputs value, label, identifier; others label, value,
 * identifier. NULL when there is nothing. */
const char *rc_readable(const struct ui_node *n);
/* The readable node under a point: inputs before others, smaller before larger; UI_NONE. */
uint32_t rc_text_at(const struct ui_tree *t, double x, double y);

#endif
