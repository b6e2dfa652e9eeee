/* Selectors (agent surface 5): chain of alternatives "a || b", each a conjunction of terms key=value.
 * Keys: id role text label value appname windowtitle; flags: visible hidden editable selected
 * enabled hittable focused checked, alone or with =true, =false. Comparison: trimmed, folded, inner
 * white space collapsed (every Unicode space counts), then equality; where some nodes match to the byte,
 * only those count (case J04). `label*="part"` (contains) is ours.
 * Brackets and the like are literal; both kinds of quotes with JSON escapes, and a backslash before
 * anything else stands for itself (case J01).
 *
 * label= also compares the description of a node that has no label. text= compares the first non-empty
 * of label, value, identifier. role= takes the names that snapshots print and the platform's types
 * ("edittext", "push button", "XCUIElementTypeButton"): a name that snapshots print means that role only;
 * another word means the nodes of this very type or, where there are none, of the role it stands for.
 * Values of secret fields match nothing. visible: shown by its program and inside its viewport. */
#ifndef DEFT_UI_SELECTOR_H
#define DEFT_UI_SELECTOR_H

#include "ui/node.h"

struct ui_selector; /* parsed, immutable */

/* -ERR_INVALID_ARGS naming the position and what was expected there. */
int ui_selector_parse(const char *text, struct ui_selector **ret, struct error *e);
void ui_selector_free(struct ui_selector *s);
/* True when the text has the form of a selector (a known key before '='), so that it is not taken
 * for free text. */
bool ui_selector_looks_like(const char *text);
bool ui_selector_matches(const struct ui_selector *s, unsigned alternative, const struct ui_tree *t,
                         uint32_t node);
unsigned ui_selector_alternatives(const struct ui_selector *s);

struct ui_matches {
	uint32_t *nodes; /* indices in document order; free() */
	uint32_t count;
	unsigned alternative; /* the first alternative that matched anything */
};
int ui_selector_find(const struct ui_selector *s, const struct ui_tree *t, struct ui_matches *ret,
                     struct error *e);

/* Text comparison of selectors. */
bool ui_text_equal(const char *a, const char *b);
bool ui_text_contains(const char *haystack, const char *needle);

/* A selector chain for a node, best first: id; role+label; label; value; text (agent surface 5.4).
 * Only alternatives that find exactly this node in t are kept, unless none does. Caller frees. */
char *ui_selector_for(const struct ui_tree *t, uint32_t node);

#endif
