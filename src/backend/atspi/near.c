#include "backend/atspi/near.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 64

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;
	return m < c ? m : c;
}

unsigned near_distance(const char *a, const char *b, unsigned max)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned rows[3][WORD_MAX + 1];
	if (na > WORD_MAX || nb > WORD_MAX)
		return max + 1;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *cur = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned change = lower(a[i - 1]) != lower(b[j - 1]);
			cur[j] = least(up[j] + 1, cur[j - 1] + 1, up[j - 1] + change);
			bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			               lower(a[i - 2]) == lower(b[j - 1]);
			if (swapped && up2[j - 2] + 1 < cur[j])
				cur[j] = up2[j - 2] + 1;
		}
	}
	unsigned d = rows[na % 3][nb];
	return d > max ? max + 1 : d;
}

void near_offer(struct near_names *n, const char *name)
{
	size_t len = strlen(n->word);
	unsigned max = len < 6 ? 1 : (unsigned)(len / 3);
	unsigned d = near_distance(n->word, name, max);
	if (d > max) {
		if (len < 3 || !strcasestr(name, n->word))
			return;
		d = max + 1;
	}
	size_t at = n->n;
	while (at > 0 && n->distance[at - 1] > d)
		at--;
	for (size_t i = 0; i < n->n; i++)
		if (strcasecmp(n->name[i], name) == 0)
			return;
	if (at == 3)
		return;
	if (n->n < 3)
		n->n++;
	for (size_t i = n->n - 1; i > at; i--) {
		n->name[i] = n->name[i - 1];
		n->distance[i] = n->distance[i - 1];
	}
	n->name[at] = name;
	n->distance[at] = d;
}
