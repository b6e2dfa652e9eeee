/* What stands on the screen, in a few words: for errors that say what was seen instead. */
#ifndef DEFT_COMMAND_SURFACE_H
#define DEFT_COMMAND_SURFACE_H

#include "base/buf.h"
#include "ui/node.h"

/* {"labels":[≤6],"buttons":[≤4]}: the first unique texts in document order. */
json_t *surface_json(const struct ui_tree *t);
/* "Not now", "Continue": the buttons, else the labels, of surface_json(); "nothing with a text". */
void surface_words(const json_t *surface, struct buf *out);

#endif
