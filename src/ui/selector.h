/* Selectors (agent surface 5): chain of alternatives "a || b", each a conjunction of terms key=value.
 * Keys: id role text label value appname windowtitle; flags: visible hidden editable selected
 * enabled hittable focused checked. Comparison: trimmed, folded, inner white space collapsed (every
 * Unicode space counts), then equality. `label*="part"` (contains) is ours.
 * Brackets and the like are literal; both kinds of quotes with JSON escapes. */
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
