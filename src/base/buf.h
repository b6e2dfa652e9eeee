/* The one string builder. A buffer has a hard ceiling given at creation; appending above it marks
 * the buffer `over` and changes nothing any more, so that one check at the end is enough.
 *
 * Invariants: data is never NULL and always NUL-terminated (an empty buffer points to ""); len does
 * not count the NUL; len <= max. */
#ifndef DEFT_BASE_BUF_H
#define DEFT_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, cap, max;
	bool over; /* an append met the ceiling, or memory ran out */
};

void buf_init(struct buf *b, size_t max);
void buf_done(struct buf *b);
#define auto_buf __attribute__((cleanup(buf_done)))

/* Each returns false once the buffer is over. */
bool buf_add(struct buf *b, const void *data, size_t len);
bool buf_adds(struct buf *b, const char *s);
bool buf_addc(struct buf *b, char c);
bool buf_fill(struct buf *b, char c, size_t n);
__attribute__((format(printf, 2, 3))) bool buf_addf(struct buf *b, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) bool buf_addv(struct buf *b, const char *fmt, va_list ap);
/* Shortest decimal that reads back as the same double; no locale; "0" for -0; non-finite: "null". */
bool buf_add_number(struct buf *b, double v);
/* Text between double quotes with JSON escapes. */
bool buf_add_quoted(struct buf *b, const char *s);
void buf_reset(struct buf *b);                 /* empty again, `over` cleared */
void buf_drop_front(struct buf *b, size_t n);  /* removes the first n bytes */
char *buf_detach(struct buf *b);               /* caller frees; the buffer is empty afterwards */
/* Grows so that n more bytes fit; returns the write position or NULL; then buf_commit(). */
char *buf_reserve(struct buf *b, size_t n);
void buf_commit(struct buf *b, size_t n);

#endif
