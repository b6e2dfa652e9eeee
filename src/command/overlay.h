/* Refs drawn onto a picture of the screen: a box around each element, its ref in a corner of it. */
#ifndef DEFT_COMMAND_OVERLAY_H
#define DEFT_COMMAND_OVERLAY_H

#include "base/error.h"
#include "ui/node.h"

#include <stddef.h>

struct overlay_mark {
	uint32_t ref;
	struct ui_rect rect; /* in pixels of the picture; cut to it when it is drawn */
};

/* Draws the marks onto the PNG at path and writes it again. scale: pixels a point, so that lines and
 * letters are as thick on every screen. A mark that lies outside gets an empty rect and is not drawn.
 * -ERR_IO_ERROR, -ERR_LIMIT_EXCEEDED. */
int overlay_draw(const char *path, struct overlay_mark *marks, size_t n, double scale,
                 struct error *e);

#endif
