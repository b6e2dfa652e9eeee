/* UTF-8 at the edges: everything that comes in is checked or repaired before it goes on. */
#ifndef DEFT_BASE_UTF8_H
#define DEFT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed sequence at s (len bytes are there), or 0. */
size_t utf8_step(const char *s, size_t len);
/* True for well-formed UTF-8 (no surrogates, no overlong forms, <= U+10FFFF). NUL bytes are allowed. */
bool utf8_valid(const char *s, size_t len);
/* A new NUL-terminated string: ill-formed sequences become U+FFFD, NULs and other C0 controls
 * except tab and newline become U+FFFD too; cut before max_bytes at a character boundary
 * (*ret_cut says so; may be NULL). Caller frees. NULL when memory ran out. */
char *utf8_repair(const char *s, size_t len, size_t max_bytes, bool *ret_cut);
/* Code points of a valid string. */
size_t utf8_count(const char *s);
/* Decodes one code point at *s and moves on; 0 at the end. The string must be valid. */
uint32_t utf8_next(const char **s);
/* Writes 1..4 bytes, returns how many. */
unsigned utf8_put(uint32_t cp, char out[4]);
/* Byte offset of code point n (or the end). */
size_t utf8_offset(const char *s, size_t n);
/* Simple case folding for matching: ASCII, Latin-1, Latin Extended, Greek, Cyrillic; locale-free. */
uint32_t utf8_fold(uint32_t cp);
/* True for ASCII blanks and the Unicode spaces (U+00A0, U+2000..200B, U+202F, U+205F, U+3000, U+FEFF). */
bool utf8_is_space(uint32_t cp);

#endif
