#include "ui/text.h"

#include "base/utf8.h"
#include "ui/selector.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(uint32_t cp)
{
	if (cp < 0x80)
		return cp == ' ' || (cp >= '\t' && cp <= '\r');
	/* The line and paragraph separators and Ogham's blank beside those that utf8.h knows. */
	return cp == 0x85 || cp == 0x1680 || cp == 0x2028 || cp == 0x2029 || utf8_is_space(cp);
}

struct ui_folded ui_folded_start(const char *s)
{
	return (struct ui_folded){ .at = s ? s : "" };
}

static uint32_t decode(const char **s)
{
	unsigned char c = (unsigned char)**s;
	if (c >= 0x80)
		return utf8_next(s);
	if (c)
		(*s)++;
	return c;
}

uint32_t ui_folded_next(struct ui_folded *f)
{
	if (f->pending) {
		uint32_t cp = f->pending;
		f->pending = 0;
		return cp;
	}
	bool blank = false;
	uint32_t cp = decode(&f->at);
	for (; cp && is_blank(cp); cp = decode(&f->at))
		blank = true;
	if (!cp)
		return 0; /* blanks at the end do not count */
	cp = utf8_fold(cp);
	if (blank && f->started) {
		f->pending = cp;
		return ' ';
	}
	f->started = true;
	return cp;
}

bool ui_needle_init(struct ui_needle *n, const char *s)
{
	size_t max = strlen(s) + 1; /* folding never makes more code points than there are bytes */
	n->count = 0;
	n->points = malloc(max * sizeof(*n->points));
	n->fallback = calloc(max, sizeof(*n->fallback));
	if (!n->points || !n->fallback) {
		ui_needle_done(n);
		return false;
	}
	struct ui_folded f = ui_folded_start(s);
	for (uint32_t cp; (cp = ui_folded_next(&f));)
		n->points[n->count++] = cp;
	for (size_t i = 1, k = 0; i < n->count; i++) {
		while (k > 0 && n->points[i] != n->points[k])
			k = n->fallback[k - 1];
		if (n->points[i] == n->points[k])
			k++;
		n->fallback[i] = (uint32_t)k;
	}
	return true;
}

void ui_needle_done(struct ui_needle *n)
{
	if (!n)
		return;
	free(n->points);
	free(n->fallback);
	*n = (struct ui_needle){ 0 };
}

bool ui_needle_equals(const struct ui_needle *n, const char *s)
{
	if (!s)
		return n->count == 0;
	struct ui_folded f = ui_folded_start(s);
	for (size_t i = 0; i < n->count; i++) {
		if (ui_folded_next(&f) != n->points[i])
			return false;
	}
	return ui_folded_next(&f) == 0;
}

bool ui_needle_found(const struct ui_needle *n, const char *haystack)
{
	if (!haystack)
		return false;
	if (n->count == 0)
		return true;
	struct ui_folded f = ui_folded_start(haystack);
	size_t k = 0;
	for (uint32_t cp; (cp = ui_folded_next(&f));) {
		while (k > 0 && cp != n->points[k])
			k = n->fallback[k - 1];
		if (cp == n->points[k] && ++k == n->count)
			return true;
	}
	return false;
}

bool ui_text_equal(const char *a, const char *b)
{
	struct ui_folded x = ui_folded_start(a), y = ui_folded_start(b);
	uint32_t cp;
	do {
		cp = ui_folded_next(&x);
		if (cp != ui_folded_next(&y))
			return false;
	} while (cp);
	return true;
}

bool ui_text_contains(const char *haystack, const char *needle)
{
	struct ui_needle n;
	if (!ui_needle_init(&n, needle ? needle : ""))
		return false;
	bool found = ui_needle_found(&n, haystack);
	ui_needle_done(&n);
	return found;
}
