#include "backend/atspi/pixels.h"

#include "base/cleanup.h"

#include <png.h>
#include <string.h>

int pixels_check(const struct pixel_image *img, struct error *e)
{
	const struct pixel_format *f = &img->format;
	if (f->bytes < 2 || f->bytes > 4 || f->red == 0 || f->green == 0 || f->blue == 0)
		return error_set(e, ERR_UNSUPPORTED_OPERATION,
		                 "pictures of this screen's colour format (%u bytes a pixel) can't be read",
		                 f->bytes);
	if (img->stride < (size_t)img->width * f->bytes || img->size < img->stride * img->height)
		return error_set(e, ERR_COMMAND_FAILED, "the X server sent too short a picture");
	return 0;
}

static uint32_t pixel_at(const uint8_t *p, const struct pixel_format *f)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < f->bytes; i++)
		v |= (uint32_t)p[i] << 8 * (f->big_endian ? f->bytes - 1 - i : i);
	return v;
}

/* The bits under a mask, stretched to 0..255. */
static uint8_t channel(uint32_t v, uint32_t mask)
{
	int shift = __builtin_ctz(mask);
	uint32_t max = mask >> shift;
	return (uint8_t)(((v & mask) >> shift) * 255 / max);
}

static void row_any(const uint8_t *in, unsigned width, const struct pixel_format *f, uint8_t *out)
{
	for (unsigned i = 0; i < width; i++, in += f->bytes, out += 3) {
		uint32_t v = pixel_at(in, f);
		out[0] = channel(v, f->red);
		out[1] = channel(v, f->green);
		out[2] = channel(v, f->blue);
	}
}

/* What nearly every server has: four bytes, each channel one of them. */
static bool byte_order(const struct pixel_format *f, unsigned at[3])
{
	const uint32_t masks[3] = { f->red, f->green, f->blue };
	if (f->bytes != 4)
		return false;
	for (int i = 0; i < 3; i++) {
		unsigned shift = (unsigned)__builtin_ctz(masks[i]);
		if (masks[i] >> shift != 0xff || shift % 8 != 0)
			return false;
		at[i] = f->big_endian ? 3 - shift / 8 : shift / 8;
	}
	return true;
}

void pixels_row(const struct pixel_image *img, unsigned row, uint8_t *out)
{
	const uint8_t *in = img->data + (size_t)row * img->stride;
	unsigned at[3];
	if (!byte_order(&img->format, at)) {
		row_any(in, img->width, &img->format, out);
		return;
	}
	for (unsigned i = 0; i < img->width; i++, in += 4, out += 3) {
		out[0] = in[at[0]];
		out[1] = in[at[1]];
		out[2] = in[at[2]];
	}
}

int pixels_digest(const struct pixel_image *img, uint64_t *ret, struct error *e)
{
	int r = pixels_check(img, e);
	if (r < 0)
		return r;
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
	for (unsigned y = 0; y < img->height; y++) {
		const uint8_t *at = img->data + (size_t)y * img->stride;
		for (size_t i = 0; i < (size_t)img->width * img->format.bytes; i++)
			h = (h ^ at[i]) * 0x100000001b3u;
	}
	*ret = h;
	return 0;
}

static void png_to_buf(png_structp png, png_bytep data, size_t len)
{
	if (!buf_add(png_get_io_ptr(png), data, len))
		png_error(png, "too large");
}

static void png_no_flush(png_structp png)
{
	(void)png;
}

static _Noreturn void png_fail(png_structp png, png_const_charp text)
{
	(void)text;
	png_longjmp(png, 1);
}

static void png_quiet(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

static void write_all(png_structp png, png_infop info, const struct pixel_image *img, uint8_t *row,
                      struct buf *out)
{
	png_set_write_fn(png, out, png_to_buf, png_no_flush);
	png_set_IHDR(png, info, img->width, img->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
	             PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	/* Screens are flat areas and repeated rows: one fixed filter instead of a search per row. */
	png_set_filter(png, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_SUB);
	png_set_compression_level(png, 1);
	png_set_compression_buffer_size(png, 65536);
	png_write_info(png, info);
	for (unsigned y = 0; y < img->height; y++) {
		pixels_row(img, y, row);
		png_write_row(png, row);
	}
	png_write_end(png, info);
}

int pixels_to_png(const struct pixel_image *img, struct buf *out, struct error *e)
{
	int r = pixels_check(img, e);
	if (r < 0)
		return r;
	uint8_t *row = malloc((size_t)img->width * 3 + 1);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_fail, png_quiet);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (!row || !info || setjmp(png_jmpbuf(png))) {
		r = out->over ? error_set(e, ERR_LIMIT_EXCEEDED, "the picture is too large")
		              : error_set(e, ERR_COMMAND_FAILED, "the picture can't be encoded");
	} else {
		write_all(png, info, img, row, out);
	}
	png_destroy_write_struct(&png, &info);
	free(row);
	return r;
}
