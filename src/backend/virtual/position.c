#include "backend/virtual/position.h"

#include <string.h>

struct scan {
	const char *at, *end;
};

static void blanks(struct scan *s)
{
	while (s->at < s->end && strchr(" \t\r\n", *s->at))
		s->at++;
}

static void skip_string(struct scan *s)
{
	for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
		if (*s->at == '\\')
			s->at++;
	if (s->at < s->end)
		s->at++;
}

static void skip_value(struct scan *s)
{
	int depth = 0;
	blanks(s);
	while (s->at < s->end) {
		char c = *s->at;
		if (c == '"') {
			skip_string(s);
		} else {
			if (depth == 0 && strchr(",]}", c))
				return;
			depth += c == '{' || c == '[';
			depth -= c == '}' || c == ']';
			s->at++;
		}
		if (depth == 0 && strchr("]}\"", c))
			return;
	}
}

static bool same_key(const char *from, const char *to, const char *key)
{
	size_t len = strlen(key);
	return (size_t)(to - from) == len + 2 && memcmp(from + 1, key, len) == 0;
}

/* From the first character of a container to the first character of a member; false: not there. */
static bool enter(struct scan *s, const struct vd_where *step)
{
	blanks(s);
	s->at++;
	for (size_t i = 0;; i++) {
		blanks(s);
		if (s->at >= s->end || *s->at == ']' || *s->at == '}')
			return false;
		bool here = !step->key && i == step->index;
		if (step->key) {
			const char *from = s->at;
			skip_string(s);
			here = same_key(from, s->at, step->key);
			blanks(s);
			s->at++;
			blanks(s);
		}
		if (here)
			return true;
		skip_value(s);
		blanks(s);
		if (s->at < s->end && *s->at == ',')
			s->at++;
	}
}

static bool descend(struct scan *s, const struct vd_where *where)
{
	if (!where)
		return true;
	return descend(s, where->up) && enter(s, where);
}

void vd_position(const char *text, size_t len, const struct vd_where *where, int *ret_line,
                 int *ret_column)
{
	struct scan s = { text, text + len };
	blanks(&s);
	if (!descend(&s, where) || s.at > s.end)
		s.at = text;
	int line = 1, column = 1;
	for (const char *p = text; p < s.at; p++) {
		if (*p == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)*p & 0xC0) != 0x80) {
			column++;
		}
	}
	*ret_line = line;
	*ret_column = column;
}

void vd_where_print(const struct vd_where *where, struct buf *out)
{
	if (!where)
		return;
	vd_where_print(where->up, out);
	if (!where->key)
		buf_addf(out, "[%zu]", where->index);
	else
		buf_addf(out, "%s%s", out->len ? "." : "", where->key);
}
