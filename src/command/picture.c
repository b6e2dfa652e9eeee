#include "command/picture.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <math.h>
#include <png.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* A picture that will not shrink below its limit in so many steps never does. */
enum { MAX_STEPS = 8 };

struct pixels {
	unsigned width, height, channels; /* 3 or 4, 8 bits each */
	uint8_t *data;                    /* owned */
};

static int read_pixels(png_image *png, struct pixels *ret, struct error *e)
{
	bool alpha = png->format & PNG_FORMAT_FLAG_ALPHA;
	struct pixels p = { .width = png->width, .height = png->height, .channels = alpha ? 4 : 3 };
	if (p.width > LIM_IMAGE_SIDE || p.height > LIM_IMAGE_SIDE)
		return error_set(e, ERR_LIMIT_EXCEEDED, "a picture of %u x %u pixels", p.width, p.height);
	png->format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
	p.data = malloc((size_t)p.width * p.height * p.channels);
	if (!p.data || !png_image_finish_read(png, NULL, p.data, 0, NULL)) {
		free(p.data);
		return error_set(e, ERR_IO_ERROR, "the picture can't be read: %s", png->message);
	}
	*ret = p;
	return 0;
}

/* Average of the source's pixels [x0,x1) x [y0,y1). */
static void average(const struct pixels *p, const unsigned x[2], const unsigned y[2], uint8_t *out)
{
	uint32_t sum[4] = { 0 }, n = (x[1] - x[0]) * (y[1] - y[0]);
	for (unsigned row = y[0]; row < y[1]; row++) {
		const uint8_t *at = p->data + ((size_t)row * p->width + x[0]) * p->channels;
		for (unsigned column = x[0]; column < x[1]; column++, at += p->channels)
			for (unsigned c = 0; c < p->channels; c++)
				sum[c] += at[c];
	}
	for (unsigned c = 0; c < p->channels; c++)
		out[c] = (uint8_t)((sum[c] + n / 2) / n);
}

/* Where pixel i of n begins in a side of `size` pixels; every pixel gets at least one. */
static unsigned edge(unsigned i, unsigned n, unsigned size)
{
	return (unsigned)((uint64_t)i * size / n);
}

static void scale(const struct pixels *from, struct pixels *to)
{
	uint8_t *out = to->data;
	for (unsigned j = 0; j < to->height; j++) {
		unsigned y[2] = { edge(j, to->height, from->height),
			              edge(j + 1, to->height, from->height) };
		for (unsigned i = 0; i < to->width; i++, out += to->channels) {
			unsigned x[2] = { edge(i, to->width, from->width),
				              edge(i + 1, to->width, from->width) };
			average(from, x, y, out);
		}
	}
}

static int encode(const struct pixels *p, struct buf *out, struct error *e)
{
	png_image png = { .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height };
	png.format = p->channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
	png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(png);
	buf_init(out, room + 1);
	char *at = buf_reserve(out, room);
	if (!at || !png_image_write_to_memory(&png, at, &room, 0, p->data, 0, NULL))
		return error_set(e, ERR_IO_ERROR, "the picture can't be encoded: %s", png.message);
	buf_commit(out, room);
	return 0;
}

/* Encodes at `factor` of the size; *ret_size says what came out, `to` what was written. */
static int write_scaled(const struct pixels *from, double factor, const char *path,
                        size_t max_bytes, struct pixels *to, size_t *ret_size, struct error *e)
{
	auto_free uint8_t *data = NULL;
	auto_buf struct buf png;
	buf_init(&png, 0);
	to->width = (unsigned)fmax(1, floor(from->width * factor));
	to->height = (unsigned)fmax(1, floor(from->height * factor));
	to->channels = from->channels;
	to->data = data = malloc((size_t)to->width * to->height * to->channels);
	if (!data)
		return error_set(e, ERR_LIMIT_EXCEEDED, "no memory for a reduced picture");
	scale(from, to);
	int r = encode(to, &png, e);
	to->data = NULL;
	if (r < 0)
		return r;
	*ret_size = png.len;
	return png.len <= max_bytes ? fs_write(path, png.data, png.len, 0600, e) : 0;
}

static int reduce(const struct pixels *from, const char *path, double factor, size_t max_bytes,
                  struct pixels *to, struct error *e)
{
	for (int step = 0; step < MAX_STEPS; step++) {
		size_t size = 0;
		int r = write_scaled(from, factor, path, max_bytes, to, &size, e);
		if (r < 0)
			return r;
		if (size <= max_bytes)
			return 1;
		factor *= fmin(0.9, 0.95 * sqrt((double)max_bytes / (double)size));
	}
	return error_set(e, ERR_LIMIT_EXCEEDED, "the picture can't be reduced to %zu bytes", max_bytes);
}

int picture_reduce(const char *from, const char *to, unsigned max_side, size_t max_bytes,
                   unsigned *ret_width, unsigned *ret_height, struct error *e)
{
	png_image png = { .version = PNG_IMAGE_VERSION };
	struct pixels whole = { 0 }, reduced = { 0 };
	struct stat st;
	if (stat(from, &st) < 0 || !png_image_begin_read_from_file(&png, from))
		return error_set(e, ERR_IO_ERROR, "%s is no readable PNG", from);
	unsigned side = png.width > png.height ? png.width : png.height;
	if (side <= max_side && (size_t)st.st_size <= max_bytes) {
		png_image_free(&png);
		return 0;
	}
	int r = read_pixels(&png, &whole, e);
	png_image_free(&png);
	if (r == 0)
		r = reduce(&whole, to, side > max_side ? (double)max_side / side : 1, max_bytes, &reduced,
		           e);
	free(whole.data);
	if (r == 1) {
		*ret_width = reduced.width;
		*ret_height = reduced.height;
	}
	return r;
}
