#include "base/buf.h"

#include "base/number.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What data points to while nothing is allocated; never written to. */
static char empty[1];

enum { BUF_FIRST = 64 };

void buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){ .data = empty, .max = max };
}

void buf_done(struct buf *b)
{
	if (!b)
		return;
	if (b->cap)
		free(b->data);
	*b = (struct buf){ .data = empty, .max = b->max };
}

/* Room for n more bytes and the NUL. */
static bool grow(struct buf *b, size_t n)
{
	if (b->over || n > b->max - b->len) {
		b->over = true;
		return false;
	}
	size_t need = b->len + n + 1;
	if (need <= b->cap)
		return true;
	size_t cap = b->cap ? b->cap : BUF_FIRST;
	while (cap < need)
		cap = cap > SIZE_MAX / 2 ? need : cap * 2;
	char *data = realloc(b->cap ? b->data : NULL, cap);
	if (!data) {
		b->over = true;
		return false;
	}
	if (!b->cap)
		data[0] = '\0';
	b->data = data;
	b->cap = cap;
	return true;
}

bool buf_add(struct buf *b, const void *data, size_t len)
{
	if (!grow(b, len))
		return false;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
	return true;
}

bool buf_adds(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

bool buf_addc(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

bool buf_fill(struct buf *b, char c, size_t n)
{
	if (!grow(b, n))
		return false;
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
	return true;
}

bool buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	bool ok = buf_addv(b, fmt, ap);
	va_end(ap);
	return ok;
}

bool buf_addv(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	bool ok = n >= 0 && grow(b, (size_t)n);
	if (n < 0)
		b->over = true;
	if (ok) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	return ok;
}

bool buf_add_number(struct buf *b, double v)
{
	char text[NUMBER_TEXT];
	number_format(v, text);
	return buf_adds(b, text);
}

/* The escape of an ASCII character inside a JSON string, or NULL when it stands for itself. */
static const char *escape_of(unsigned char c, char scratch[8])
{
	switch (c) {
	case '"': return "\\\"";
	case '\\': return "\\\\";
	case '\b': return "\\b";
	case '\f': return "\\f";
	case '\n': return "\\n";
	case '\r': return "\\r";
	case '\t': return "\\t";
	default: break;
	}
	if (c >= 0x20 && c != 0x7f)
		return NULL;
	snprintf(scratch, 8, "\\u%04x", c);
	return scratch;
}

bool buf_add_quoted(struct buf *b, const char *s)
{
	const char *run = s, *end = s + strlen(s);
	buf_addc(b, '"');
	while (s < end) {
		size_t step = utf8_step(s, (size_t)(end - s));
		char scratch[8];
		const char *escape = step == 0   ? "\xef\xbf\xbd"
		                     : step == 1 ? escape_of((unsigned char)*s, scratch)
		                                 : NULL;
		if (!escape) {
			s += step;
			continue;
		}
		buf_add(b, run, (size_t)(s - run));
		buf_adds(b, escape);
		run = ++s;
	}
	buf_add(b, run, (size_t)(s - run));
	return buf_addc(b, '"');
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	b->over = false;
	if (b->cap)
		b->data[0] = '\0';
}

void buf_drop_front(struct buf *b, size_t n)
{
	if (n == 0)
		return;
	if (n >= b->len) {
		bool over = b->over;
		buf_reset(b);
		b->over = over;
		return;
	}
	b->len -= n;
	memmove(b->data, b->data + n, b->len + 1);
}

char *buf_detach(struct buf *b)
{
	char *data = b->cap ? b->data : calloc(1, 1);
	*b = (struct buf){ .data = empty, .max = b->max };
	return data;
}

char *buf_reserve(struct buf *b, size_t n)
{
	return grow(b, n) ? b->data + b->len : NULL;
}

void buf_commit(struct buf *b, size_t n)
{
	b->len += n;
	if (b->cap)
		b->data[b->len] = '\0';
}
