/* Faults of the accessibility: a tree as the device would show it, made worse. */
#ifndef DEFT_BACKEND_VIRTUAL_FAULT_TREE_H
#define DEFT_BACKEND_VIRTUAL_FAULT_TREE_H

#include "backend/virtual/faults.h"
#include "ui/node.h"

/* Applies what the command at work meets to a fresh tree, in place. `before` is the tree of the reading
 * before (count 0: there was none). On failure (root-failure, memory) the tree is still the caller's. */
int vd_fault_tree(const struct vd_faults *f, const struct ui_tree *before, struct ui_tree *t,
                  struct error *e);
/* A deep copy. */
int vd_tree_copy(const struct ui_tree *from, struct ui_tree *ret, struct error *e);

#endif
