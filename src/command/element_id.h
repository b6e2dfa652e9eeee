/* element_id: a handle for an element that outlives snapshots, runners and sessions. It is a digest of
 * what does not change when the element's value, place or order does: platform, app, identifier,
 * platform type, role, the identified ancestors, and (only where there is no identifier) the label, if no
 * digit is in it. Nothing is stored anywhere: an id means the one element of the present screen that has
 * this digest. Elements that can't be told apart this way have no id. */
#ifndef DEFT_COMMAND_ELEMENT_ID_H
#define DEFT_COMMAND_ELEMENT_ID_H

#include "ui/node.h"

#define ELEMENT_ID_SIZE 28 /* "el_", 24 hex digits, NUL */

/* False: another element of the tree has the same digest, so there is no id. */
bool element_id_of(const struct ui_tree *t, const char *platform, uint32_t node,
                   char out[ELEMENT_ID_SIZE]);
/* The element of an id, or UI_NONE. */
uint32_t element_id_find(const struct ui_tree *t, const char *platform, const char *id);
/* A label that may change with the value: one with a digit in it. */
bool element_label_bears_value(const char *label);
/* The text has the form of an id. */
bool element_id_valid(const char *id);
/* Adds "elementId" to the nodes of a snapshot's JSON that a value can be set on. `raw`: the tree as it
 * was captured, `view`: the one that is shown and was made into `nodes`. */
void element_ids_put(json_t *nodes, const struct ui_tree *view, const struct ui_tree *raw,
                     const char *platform);

#endif
