#include "command/overlay.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/image.h"
#include "base/limits.h"

#include <limits.h>
#include <math.h>
#include <png.h>
#include <string.h>

/* Letters of five by seven dots, a row a byte: a daemon that draws digits needs no fonts for it. */
enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7 };
static const uint8_t digits[10][GLYPH_HEIGHT] = {
	{ 0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e }, { 0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e },
	{ 0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f }, { 0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e },
	{ 0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02 }, { 0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e },
	{ 0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e }, { 0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08 },
	{ 0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e }, { 0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c },
};
static const uint8_t letter_e[GLYPH_HEIGHT] = { 0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e };

/* Dark enough for white letters, far enough apart for neighbours. */
static const uint8_t colours[][3] = {
	{ 0xd0, 0x21, 0x21 }, { 0x1d, 0x4e, 0xd8 }, { 0x15, 0x75, 0x38 },
	{ 0x7e, 0x22, 0xce }, { 0xb4, 0x41, 0x0c }, { 0x0f, 0x6f, 0x68 },
};
static const uint8_t white[3] = { 0xff, 0xff, 0xff };

struct area {
	int x, y, width, height;
};

struct drawing {
	struct image image;
	int line, dot;       /* pixels: thickness of a box, side of a dot of a letter */
	struct area *labels; /* one a mark, those before n_labels are placed; width 0: none */
	size_t n_labels;
};

static void fill(struct image *img, struct area a, const uint8_t colour[3])
{
	int x1 = a.x > 0 ? a.x : 0, y1 = a.y > 0 ? a.y : 0;
	int x2 = a.x + a.width, y2 = a.y + a.height;
	x2 = x2 < (int)img->width ? x2 : (int)img->width;
	y2 = y2 < (int)img->height ? y2 : (int)img->height;
	for (int y = y1; y < y2; y++) {
		uint8_t *p = img->data + (size_t)y * img->stride + (size_t)x1 * 3;
		for (int x = x1; x < x2; x++, p += 3)
			memcpy(p, colour, 3);
	}
}

static void frame(struct drawing *d, struct area a, const uint8_t colour[3])
{
	int t = d->line;
	fill(&d->image, (struct area){ a.x, a.y, a.width, t }, colour);
	fill(&d->image, (struct area){ a.x, a.y + a.height - t, a.width, t }, colour);
	fill(&d->image, (struct area){ a.x, a.y, t, a.height }, colour);
	fill(&d->image, (struct area){ a.x + a.width - t, a.y, t, a.height }, colour);
}

static void glyph(struct drawing *d, const uint8_t rows[GLYPH_HEIGHT], int x, int y)
{
	for (int row = 0; row < GLYPH_HEIGHT; row++)
		for (int column = 0; column < GLYPH_WIDTH; column++)
			if (rows[row] & 0x10 >> column)
				fill(&d->image,
				     (struct area){ x + column * d->dot, y + row * d->dot, d->dot, d->dot }, white);
}

/* --- labels ------------------------------------------------------------------------------------- */

static bool overlap(struct area a, struct area b)
{
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
	       b.y < a.y + a.height;
}

static bool is_free(const struct drawing *d, struct area a)
{
	if (a.x < 0 || a.y < 0 || a.x + a.width > (int)d->image.width ||
	    a.y + a.height > (int)d->image.height)
		return false;
	for (size_t i = 0; i < d->n_labels; i++)
		if (overlap(a, d->labels[i]))
			return false;
	return true;
}

/* How much there is to see in an area: pixels that differ from their neighbour to the left. */
static unsigned detail(const struct image *img, struct area a)
{
	unsigned n = 0;
	for (int y = a.y; y < a.y + a.height; y++) {
		const uint8_t *p = img->data + (size_t)y * img->stride + (size_t)a.x * 3;
		for (int x = 1; x < a.width; x++, p += 3)
			n += memcmp(p, p + 3, 3) != 0;
	}
	return n;
}

/* In the box, or above or below it: where no other label is and the least is hidden; of equal ones
 * the first. */
static struct area place_label(const struct drawing *d, struct area box, int width, int height)
{
	const int right = box.x + box.width - width, bottom = box.y + box.height - height;
	const int middle = box.x + (box.width - width) / 2, half = box.y + (box.height - height) / 2;
	const struct area places[] = {
		{ box.x, box.y, width, height },          { right, box.y, width, height },
		{ right, bottom, width, height },         { box.x, bottom, width, height },
		{ middle, box.y, width, height },         { middle, bottom, width, height },
		{ right, half, width, height },           { box.x, half, width, height },
		{ box.x, box.y - height, width, height }, { box.x, bottom + height, width, height },
	};
	struct area best = places[0];
	unsigned least = UINT_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		unsigned hidden = is_free(d, places[i]) ? detail(&d->image, places[i]) : UINT_MAX;
		if (hidden < least) {
			least = hidden;
			best = places[i];
		}
	}
	return best;
}

static int text_of(uint32_t ref, char out[12])
{
	return snprintf(out, 12, "%u", ref);
}

static struct area label_place(const struct drawing *d, struct area box, uint32_t ref)
{
	char text[12];
	int letters = text_of(ref, text) + 1;
	return place_label(d, box, letters * (GLYPH_WIDTH + 1) * d->dot + d->dot,
	                   (GLYPH_HEIGHT + 2) * d->dot);
}

static void draw_label(struct drawing *d, struct area a, uint32_t ref, const uint8_t colour[3])
{
	char text[12];
	int n = text_of(ref, text), step = (GLYPH_WIDTH + 1) * d->dot;
	fill(&d->image, a, colour);
	glyph(d, letter_e, a.x + d->dot, a.y + d->dot);
	for (int i = 0; i < n; i++)
		glyph(d, digits[text[i] - '0'], a.x + d->dot + (i + 1) * step, a.y + d->dot);
}

/* --- the picture -------------------------------------------------------------------------------- */

static int load(const char *path, struct image *ret, struct error *e)
{
	png_image png = { .version = PNG_IMAGE_VERSION };
	if (!png_image_begin_read_from_file(&png, path))
		return error_set(e, ERR_IO_ERROR, "%s is no readable PNG", path);
	if (png.width > LIM_IMAGE_SIDE || png.height > LIM_IMAGE_SIDE) {
		png_image_free(&png);
		return error_set(e, ERR_LIMIT_EXCEEDED, "a picture of %u x %u pixels", png.width,
		                 png.height);
	}
	png.format = PNG_FORMAT_RGB;
	struct image img = { .width = png.width,
		                 .height = png.height,
		                 .stride = png.width * (size_t)3 };
	img.data = malloc(img.stride * img.height);
	if (!img.data || !png_image_finish_read(&png, NULL, img.data, 0, NULL)) {
		free(img.data);
		png_image_free(&png);
		return error_set(e, ERR_IO_ERROR, "the picture can't be read: %s", png.message);
	}
	*ret = img;
	return 0;
}

static int save(const struct image *img, const char *path, struct error *e)
{
	auto_buf struct buf png;
	buf_init(&png, LIM_RUNNER_REPLY);
	int r = image_to_png(img, &png, e);
	return r < 0 ? r : fs_write(path, png.data, png.len, 0644, e);
}

/* Whole pixels, cut to the picture; false: nothing of it is there. */
static bool cut(const struct image *img, struct ui_rect *r, struct area *ret)
{
	struct ui_rect whole = { 0, 0, img->width, img->height }, part;
	if (!ui_rect_known(*r) || !ui_rect_intersect(*r, whole, &part)) {
		*r = (struct ui_rect){ 0 };
		return false;
	}
	*r = part;
	int x = (int)floor(part.x), y = (int)floor(part.y);
	*ret = (struct area){ x, y, (int)ceil(part.x + part.width) - x,
		                  (int)ceil(part.y + part.height) - y };
	return true;
}

static const uint8_t *colour_of(uint32_t ref)
{
	return colours[ref % ARRAY_SIZE(colours)];
}

/* Places are chosen on the clean picture; then all boxes, then all labels over them. */
static void draw(struct drawing *d, struct overlay_mark *marks, size_t n)
{
	struct area box;
	for (size_t i = 0; i < n; i++) {
		struct area none = { 0 };
		bool there = cut(&d->image, &marks[i].rect, &box);
		d->labels[i] = there ? label_place(d, box, marks[i].ref) : none;
		d->n_labels = i + 1;
	}
	for (size_t i = 0; i < n; i++)
		if (cut(&d->image, &marks[i].rect, &box))
			frame(d, box, colour_of(marks[i].ref));
	for (size_t i = 0; i < n; i++)
		if (d->labels[i].width)
			draw_label(d, d->labels[i], marks[i].ref, colour_of(marks[i].ref));
}

int overlay_draw(const char *path, struct overlay_mark *marks, size_t n, double scale,
                 struct error *e)
{
	struct drawing d = { .line = (int)fmax(1, round(1.5 * scale)),
		                 .dot = (int)fmax(2, round(1.5 * scale)) };
	int r = load(path, &d.image, e);
	if (r < 0)
		return r;
	d.labels = calloc(n + 1, sizeof(*d.labels));
	if (!d.labels)
		r = error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	if (r == 0) {
		draw(&d, marks, n);
		r = save(&d.image, path, e);
	}
	free(d.labels);
	free(d.image.data);
	return r;
}
