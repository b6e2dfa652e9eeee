#include "ui/screen_text.h"

#include "base/utf8.h"

#include <math.h>
#include <stdint.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

/* Line separators, and the marks that reorder what stands around them. */
static bool is_layout(uint32_t cp)
{
	return (cp >= 0x2028 && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069) || cp == 0xFEFF;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

static void add_point(struct buf *out, uint32_t cp, const char *bytes, size_t len)
{
	switch (cp) {
	case '"': buf_adds(out, "\\\""); return;
	case '\\': buf_adds(out, "\\\\"); return;
	case '\n': buf_adds(out, "\\n"); return;
	case '\r': buf_adds(out, "\\r"); return;
	case '\t': buf_adds(out, "\\t"); return;
	default: break;
	}
	if (is_control(cp) || is_layout(cp))
		buf_addf(out, "\\u%04x", (unsigned)cp);
	else
		buf_add(out, bytes, len);
}

void ui_add_escaped(struct buf *out, const char *s, size_t max)
{
	while (*s && max > 0) {
		const char *p = s;
		while (max > 0 && is_plain((unsigned char)*p)) {
			p++;
			max--;
		}
		buf_add(out, s, (size_t)(p - s));
		s = p;
		if (!*s || max == 0)
			return;
		uint32_t cp = utf8_next(&p);
		add_point(out, cp, s, (size_t)(p - s));
		s = p;
		max--;
	}
}

void ui_add_quoted(struct buf *out, const char *s)
{
	buf_addc(out, '"');
	ui_add_escaped(out, s, SIZE_MAX);
	buf_addc(out, '"');
}

void ui_add_one_line(struct buf *out, const char *s)
{
	while (*s) {
		const char *p = s;
		uint32_t cp = utf8_next(&p);
		if (cp == '\n' || cp == '\r' || cp == '\t' || cp == 0x2028 || cp == 0x2029)
			buf_addc(out, ' ');
		else if (is_control(cp) || is_layout(cp))
			buf_adds(out, REPLACEMENT);
		else
			buf_add(out, s, (size_t)(p - s));
		s = p;
	}
}

void ui_add_number(struct buf *out, double v)
{
	double rounded = round(v * 1e9) / 1e9;
	bool dust = fabs(v) < 1e6 && fabs(rounded - v) < 1e-12;
	buf_add_number(out, dust ? rounded : v);
}

bool ui_text_longer(const char *s, size_t max)
{
	for (; *s; s++) {
		if (((unsigned char)*s & 0xC0) != 0x80 && max-- == 0)
			return true;
	}
	return false;
}
