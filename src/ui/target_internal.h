/* Shared by the parts of target picking. */
#ifndef DEFT_UI_TARGET_INTERNAL_H
#define DEFT_UI_TARGET_INTERNAL_H

#include "ui/target.h"

#define UI_CANDIDATES_MAX 5

/* The node takes this kind of input itself. */
bool ui_target_takes(const struct ui_tree *t, uint32_t node, enum ui_pick pick);
/* Lines for at most UI_CANDIDATES_MAX nodes; where two lines would be the same, what tells the nodes
 * apart is added (id, else the container, else the place). New reference. */
json_t *ui_target_lines(const struct ui_tree *t, const uint32_t *nodes, uint32_t count);
/* Sets -ERR_ELEMENT_NOT_FOUND with what comes near in details.near and the hint. */
int ui_target_not_found(const struct ui_tree *t, const struct ui_selector *s, const char *text,
                        struct error *e);

#endif
