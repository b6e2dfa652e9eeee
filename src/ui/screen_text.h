/* Writing texts of the screen so that they stay data: one line, no terminal escapes, no tricks with
 * writing direction. What is written reads back as a JSON string (agent surface 5.1). */
#ifndef DEFT_UI_SCREEN_TEXT_H
#define DEFT_UI_SCREEN_TEXT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* At most max code points, escaped, without quotes around them; SIZE_MAX: all. */
void ui_add_escaped(struct buf *out, const char *s, size_t max);
/* The same between double quotes. */
void ui_add_quoted(struct buf *out, const char *s);
/* For headers and notices: line breaks become blanks, controls U+FFFD, nothing else is escaped. */
void ui_add_one_line(struct buf *out, const char *s);
/* A number without floating-point dust (0.30000000000000004 is 0.3). */
void ui_add_number(struct buf *out, double v);
/* More than max code points. */
bool ui_text_longer(const char *s, size_t max);

#endif
