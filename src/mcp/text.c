#include "mcp/text.h"

#include <string.h>

/* Parameters that make a result smaller or page through it, wherever a command has them. */
static bool narrows(const char *name)
{
	static const char *const names[] = { "scope", "depth", "interactive", "limit",
		                                 "lines", "since", "offset",      NULL };
	for (const char *const *n = names; *n; n++)
		if (strcmp(*n, name) == 0)
			return true;
	return false;
}

static void add_advice(struct buf *b, const struct cmd_spec *spec)
{
	const char *before = "; ask for less with ";
	for (size_t i = 0; i < spec->n_params; i++) {
		if (!narrows(spec->params[i].name))
			continue;
		buf_addf(b, "%s%s", before, spec->params[i].name);
		before = ", ";
	}
}

static size_t lines_in(const char *s, size_t len)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		n += s[i] == '\n';
	return n + (len > 0 && s[len - 1] != '\n');
}

/* Where to cut at or before max: after a line, or where no character is broken. */
static size_t cut_at(const char *text, size_t max)
{
	const char *line_end = memrchr(text, '\n', max);
	if (line_end)
		return (size_t)(line_end + 1 - text);
	while (max > 0 && ((unsigned char)text[max] & 0xC0) == 0x80)
		max--;
	return max;
}

void mcp_add_cut_text(struct buf *b, const char *text, size_t max, const struct cmd_spec *spec)
{
	size_t len = strlen(text);
	if (len <= max) {
		buf_add(b, text, len);
		return;
	}
	size_t keep = cut_at(text, max);
	buf_add(b, text, keep);
	if (keep > 0 && text[keep - 1] != '\n')
		buf_addc(b, '\n');
	buf_addf(b, "[cut here: %zu of %zu lines, %zu of %zu bytes not shown",
	         lines_in(text + keep, len - keep), lines_in(text, len), len - keep, len);
	add_advice(b, spec);
	buf_adds(b, "]\n");
}
