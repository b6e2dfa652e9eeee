/* What the tests of the ui room share: scenes from tests/data/ui, small trees built by hand, golden
 * files. */
#ifndef DEFT_TESTS_UI_FIXTURE_H
#define DEFT_TESTS_UI_FIXTURE_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "ui/filter.h"
#include "ui/render.h"
#include "ui/selector.h"
#include "ui/tree_json.h"

/* tests/data/ui/NAME; caller frees. */
char *fixture_path(const char *name);
/* The tree of NAME.json; ends the test when it can't be read. */
void fixture_scene(const char *name, struct ui_tree *ret);
/* A tree from JSON text in which ' stands for ". */
void fixture_tree(const char *text, struct ui_tree *ret);
/* Compares with tests/data/ui/NAME; DEFT_UPDATE_GOLDEN=1 writes it instead. */
void fixture_golden(const char *name, const char *text);
/* The first node with this label or caption; UI_NONE: none. */
uint32_t fixture_node(const struct ui_tree *t, const char *label);

#endif
