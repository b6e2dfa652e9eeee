/* Reduced copies of pictures, for readers with a limit. */
#ifndef DEFT_COMMAND_PICTURE_H
#define DEFT_COMMAND_PICTURE_H

#include "base/error.h"

#include <stddef.h>

/* Writes `to` as a copy of the PNG `from` with at most max_side pixels a side and at most max_bytes
 * encoded; pixels are averages of the areas they stand for. 1: written, *ret_width and *ret_height
 * are its size; 0: `from` fits already, nothing was written; -ERR_IO_ERROR, -ERR_LIMIT_EXCEEDED. */
int picture_reduce(const char *from, const char *to, unsigned max_side, size_t max_bytes,
                   unsigned *ret_width, unsigned *ret_height, struct error *e);

#endif
