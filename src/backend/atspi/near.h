/* The nearest names to a word that was not found, for messages. */
#ifndef DEFT_ATSPI_NEAR_H
#define DEFT_ATSPI_NEAR_H

#include <stddef.h>

/* Up to 3 names, nearest first, borrowed. Start with an empty one and offer every name. */
struct near_names {
	const char *word; /* borrowed */
	const char *name[3];
	unsigned distance[3];
	size_t n;
};

/* Edits (ASCII case aside) that lead from a to b: insertions, deletions, replacements and swaps of
 * neighbours; max + 1 when there are more than max. */
unsigned near_distance(const char *a, const char *b, unsigned max);
/* Takes the name when it is near: at most a third of the word's length in edits (one at least), or
 * it contains the word. */
void near_offer(struct near_names *n, const char *name);

#endif
