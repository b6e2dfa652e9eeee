/* Comparing the texts of a screen as people read them (agent surface 5.2): blanks around dropped,
 * every run of Unicode white space one blank, case folded. No allocation while comparing. */
#ifndef DEFT_UI_TEXT_H
#define DEFT_UI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Walks the folded code points of a text. */
struct ui_folded {
	const char *at;
	bool started;     /* something other than blanks was given out */
	uint32_t pending; /* code point that waits behind a blank */
};

struct ui_folded ui_folded_start(const char *s);
/* The next code point, 0 at the end. */
uint32_t ui_folded_next(struct ui_folded *f);

/* A text prepared for many comparisons: linear in the haystack, whatever the two look like. */
struct ui_needle {
	uint32_t *points;   /* folded */
	uint32_t *fallback; /* Knuth-Morris-Pratt */
	size_t count;
};

bool ui_needle_init(struct ui_needle *n, const char *s); /* false: memory ran out */
void ui_needle_done(struct ui_needle *n);
bool ui_needle_equals(const struct ui_needle *n, const char *s);
/* An empty needle is found everywhere; NULL contains nothing. */
bool ui_needle_found(const struct ui_needle *n, const char *haystack);

#endif
