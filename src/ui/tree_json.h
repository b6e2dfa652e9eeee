/* Trees as JSON: the runner's reply and `snapshot --json`/`--raw` use the same node shape
 * (runner protocol 6.9 and agent surface 4.1, our additions documented in docs/runner-protocol.md).
 * Absent means false, 0 or none; rects are {x,y,width,height}; never a non-finite number. "enabled",
 * "hittable" and "visible" are always written. A value of a secret node is neither written nor read. */
#ifndef DEFT_UI_TREE_JSON_H
#define DEFT_UI_TREE_JSON_H

#include "ui/node.h"

/* {"nodes":[…],"truncated":bool,"snapshotQuality":{…},"appName"?,"appBundleId"?,"surface"?,
 *  "windowTitle"?,"screen"?,"warnings"?,"droppedNodes"?}; new reference. */
json_t *ui_tree_to_json(const struct ui_tree *t);
json_t *ui_node_to_json(const struct ui_tree *t, uint32_t index);
/* Reads the same back. Tolerant where the specification says so (unknown types become UI_OTHER,
 * unknown keys and values of a wrong type are passed over), strict where the tree would be wrong
 * (index other than the position, parentIndex >= index, a parent whose subtree has already ended):
 * -ERR_COMMAND_FAILED. `depth` is derived from the parents. Runners that never say "visible" (XCTest)
 * list only what is shown: then every node is. More than LIM_TREE_NODES nodes are cut, what lies
 * deeper than LIM_TREE_DEPTH is flattened; both set `truncated`. */
int ui_tree_from_json(const json_t *data, struct ui_tree *ret, struct error *e);

#endif
