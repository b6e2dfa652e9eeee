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

/* One node for a selector: for touch and text input the node that takes the input (promoted), for
 * reading the node that matched. Several matches are fine only when no choice is made between things
 * on the screen:
 *   - they lead to the same actionable node (a check box and its inner label; two texts of one row);
 *   - they lie on one ancestor-descendant chain and all that take input are of one role: the innermost
 *     (case A26); when nothing takes input, the innermost too (a group and its title);
 *   - what its program does not show, and for touch and text input what leads to nothing that takes
 *     the input, does not count beside a match that does (the text "Volume" beside the slider).
 * -ERR_ELEMENT_NOT_FOUND with details {reason, selector, near?[≤5]}: elements whose text contains the
 * text looked for, or is contained in it. -ERR_AMBIGUOUS_MATCH with details {selector, matches,
 * candidates[≤5], more?}: each candidate as '@e3 [button] "Save"' (the ref only when the node carries
 * one), with its id, container or place when two would read the same; `more` counts the rest. */
int ui_target_pick(const struct ui_tree *t, const struct ui_selector *s, const char *text,
                   enum ui_pick pick, uint32_t *ret_node, struct error *e);
/* Touch promotion of one node: itself when it is a field, an adjustable or a checkable control, else
 * the pressable descendant with the same rect (the innermost of a chain; several side by side: none),
 * else itself when it can be pressed, else the nearest pressable ancestor unless that fills 90 % of its
 * viewport, else itself. For text input: itself, else the only field inside, else the field around. */
uint32_t ui_target_promote(const struct ui_tree *t, uint32_t node, enum ui_pick pick);
/* One line for messages and candidates: '@e3 [button] "Save"'. Caller frees. */
char *ui_node_line(const struct ui_tree *t, uint32_t node);

#endif
