/* Pictures: pixels of an X image to PNG. Pure. */
#ifndef DEFT_ATSPI_PIXELS_H
#define DEFT_ATSPI_PIXELS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an X server stores pixels of a TrueColor visual. */
struct pixel_format {
	unsigned bytes; /* per pixel: 2, 3 or 4 */
	bool big_endian;
	uint32_t red, green, blue; /* masks */
};

struct pixel_image {
	const uint8_t *data;
	size_t size;   /* bytes in data */
	size_t stride; /* bytes from one row to the next */
	unsigned width, height;
	struct pixel_format format;
};

/* -ERR_UNSUPPORTED_OPERATION for a format that is none of the above, or data that is too short. */
int pixels_check(const struct pixel_image *img, struct error *e);
/* One row as red, green, blue bytes: 3 * width of them. The image has passed pixels_check(). */
void pixels_row(const struct pixel_image *img, unsigned row, uint8_t *out);
/* A number over all pixels. */
int pixels_digest(const struct pixel_image *img, uint64_t *ret, struct error *e);
/* Appends a PNG (RGB, 8 bits, fastest compression that still folds flat areas). */
int pixels_to_png(const struct pixel_image *img, struct buf *out, struct error *e);

#endif
