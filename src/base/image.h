/* Pictures in memory and their way into PNG files. */
#ifndef DEFT_BASE_IMAGE_H
#define DEFT_BASE_IMAGE_H

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum image_layout {
	IMAGE_RGB,  /* three bytes a pixel */
	IMAGE_XRGB, /* four bytes, a native uint32_t 0x00RRGGBB (cairo's RGB24) */
};

struct image {
	unsigned width, height; /* pixels */
	size_t stride;          /* bytes from one row to the next */
	enum image_layout layout;
	uint8_t *data;
};

/* Appends a PNG (RGB, 8 bits). Made for screens, flat areas and repeated rows: fast, not small.
 * -ERR_LIMIT_EXCEEDED when it does not fit the buffer's limit. */
int image_to_png(const struct image *img, struct buf *out, struct error *e);

#endif
