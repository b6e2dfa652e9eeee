#include "base/image.h"

#include "base/cleanup.h"

#include <png.h>
#include <string.h>

static void to_buf(png_structp png, png_bytep data, size_t len)
{
	if (!buf_add(png_get_io_ptr(png), data, len))
		png_error(png, "too large");
}

static void no_flush(png_structp png)
{
	(void)png;
}

static _Noreturn void fail(png_structp png, png_const_charp text)
{
	(void)text;
	png_longjmp(png, 1);
}

static void quiet(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

/* One row as red, green, blue; the row itself where it is that already. */
static const uint8_t *rgb_row(const struct image *img, unsigned y, uint8_t *room)
{
	const uint8_t *in = img->data + (size_t)y * img->stride;
	uint8_t *out = room;
	if (img->layout == IMAGE_RGB)
		return in;
	for (unsigned i = 0; i < img->width; i++, in += 4, out += 3) {
		uint32_t v;
		memcpy(&v, in, sizeof(v));
		out[0] = (uint8_t)(v >> 16);
		out[1] = (uint8_t)(v >> 8);
		out[2] = (uint8_t)v;
	}
	return room;
}

static void write_all(png_structp png, png_infop info, const struct image *img, uint8_t *room,
                      struct buf *out)
{
	png_set_write_fn(png, out, to_buf, no_flush);
	png_set_IHDR(png, info, img->width, img->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
	             PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	/* One fixed filter instead of a search per row. */
	png_set_filter(png, PNG_FILTER_TYPE_DEFAULT, PNG_FILTER_UP);
	png_set_compression_level(png, 1);
	png_set_compression_buffer_size(png, 65536);
	png_write_info(png, info);
	for (unsigned y = 0; y < img->height; y++)
		png_write_row(png, rgb_row(img, y, room));
	png_write_end(png, info);
}

/* Apart from its caller, so that no variable of ours lives across the jump. */
static bool write_or_jump(png_structp png, png_infop info, const struct image *img, uint8_t *room,
                          struct buf *out)
{
	if (setjmp(png_jmpbuf(png)))
		return false;
	write_all(png, info, img, room, out);
	return true;
}

int image_to_png(const struct image *img, struct buf *out, struct error *e)
{
	auto_free uint8_t *room = malloc((size_t)img->width * 3 + 1);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, quiet);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	bool written = room && info && write_or_jump(png, info, img, room, out);

	png_destroy_write_struct(&png, &info);
	if (written)
		return 0;
	return out->over ? error_set(e, ERR_LIMIT_EXCEEDED, "the picture is too large")
	                 : error_set(e, ERR_COMMAND_FAILED, "the picture can't be encoded");
}
