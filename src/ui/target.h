/* What a command acts on: @ref, selector, or point; and how a match becomes one node (agent
 * surface 5.3, 5.5). Ambiguity is an error with candidates, never a quiet choice. */
#ifndef DEFT_UI_TARGET_H
#define DEFT_UI_TARGET_H

#include "ui/node.h"
#include "ui/selector.h"

enum ui_target_kind { UI_TARGET_NONE, UI_TARGET_REF, UI_TARGET_SELECTOR, UI_TARGET_POINT };

struct ui_target {
	enum ui_target_kind kind;
	uint32_t ref;          /* @eN */
	uint64_t generation;   /* @eN~sG: G; 0: not pinned */
	double x, y;
	char *selector;        /* owned */
};

/* "@e3", "@e3~s12", "e3", "120 44" / "120,44", or a selector. A bare word is -ERR_INVALID_ARGS whose
 * hint proposes text="…". */
int ui_target_parse(const char *text, struct ui_target *ret, struct error *e);
void ui_target_done(struct ui_target *t);

enum ui_pick { UI_PICK_TOUCH, UI_PICK_TEXT_INPUT, UI_PICK_READ };

/* One node for a selector. Several matches are fine only when they lie on one ancestor-descendant
 * chain and lead to the same actionable node (check box and its inner label; group and its title).
 * -ERR_ELEMENT_NOT_FOUND, -ERR_AMBIGUOUS_MATCH with details {selector, matches, candidates[≤5]},
 * each candidate as '@e3 [button] "Save"' when the node carries a ref. */
int ui_target_pick(const struct ui_tree *t, const struct ui_selector *s, const char *text,
                   enum ui_pick pick, uint32_t *ret_node, struct error *e);
/* Touch promotion of one node: itself when it can be pressed, else the single pressable descendant
 * with the same rect, else the nearest pressable ancestor that is not viewport-sized. */
uint32_t ui_target_promote(const struct ui_tree *t, uint32_t node, enum ui_pick pick);
/* One line for messages and candidates: '@e3 [button] "Save"'. Caller frees. */
char *ui_node_line(const struct ui_tree *t, uint32_t node);

#endif
