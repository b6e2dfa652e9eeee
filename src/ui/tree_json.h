/* Trees as JSON: the runner's reply and `snapshot --json`/`--raw` use the same node shape
 * (runner protocol 6.9 and agent surface 4.1, our additions documented in docs/runner-protocol.md).
 * Absent means false, 0 or none; rects are {x,y,width,height}; never a non-finite number. */
#ifndef DEFT_UI_TREE_JSON_H
#define DEFT_UI_TREE_JSON_H

#include "ui/node.h"

/* {"nodes":[…],"truncated":bool,"snapshotQuality":{…},"appName"?,"appBundleId"?,"surface"?,
 *  "screen"?,"warnings"?,"droppedNodes"?}; new reference. */
json_t *ui_tree_to_json(const struct ui_tree *t);
json_t *ui_node_to_json(const struct ui_tree *t, uint32_t index);
/* Reads the same back. Tolerant where the specification says so (unknown types become UI_OTHER),
 * strict where the tree would be wrong (parentIndex >= index): -ERR_COMMAND_FAILED. */
int ui_tree_from_json(const json_t *data, struct ui_tree *ret, struct error *e);

#endif
