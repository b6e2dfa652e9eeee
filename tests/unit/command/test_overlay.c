/* Refs on a picture: boxes where the elements are, labels where they hide the least. */
#include "command/overlay.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/image.h"

#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 200, HEIGHT = 120 };

static char dir[] = "/tmp/deft-overlay-XXXXXX";
static char path[64];
static uint8_t before[WIDTH * HEIGHT * 3], after[WIDTH * HEIGHT * 3];

static int make_dir(void **state)
{
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/shot.png", dir);
	return 0;
}

static int remove_dir(void **state)
{
	unlink(path);
	return rmdir(dir);
}

static void save(void)
{
	auto_buf struct buf png;
	const struct image img = { WIDTH, HEIGHT, WIDTH * 3, IMAGE_RGB, before };

	buf_init(&png, 1 << 20);
	assert_int_equal(image_to_png(&img, &png, NULL), 0);
	assert_int_equal(fs_write(path, png.data, png.len, 0600, NULL), 0);
}

static void load(void)
{
	png_image png = { .version = PNG_IMAGE_VERSION };

	assert_true(png_image_begin_read_from_file(&png, path));
	assert_int_equal(png.width, WIDTH);
	assert_int_equal(png.height, HEIGHT);
	png.format = PNG_FORMAT_RGB;
	assert_true(png_image_finish_read(&png, NULL, after, 0, NULL));
}

static bool changed(int x, int y)
{
	size_t at = ((size_t)y * WIDTH + (size_t)x) * 3;
	return memcmp(before + at, after + at, 3) != 0;
}

static unsigned changes(int x, int y, int width, int height)
{
	unsigned n = 0;
	for (int j = y; j < y + height; j++)
		for (int i = x; i < x + width; i++)
			n += changed(i, j);
	return n;
}

static void draw(struct overlay_mark *marks, size_t n)
{
	save();
	assert_int_equal(overlay_draw(path, marks, n, 1, NULL), 0);
	load();
}

static void blank(void)
{
	memset(before, 0xff, sizeof(before));
}

static void a_box_is_a_frame(void **state)
{
	struct overlay_mark m = { 7, { 20, 30, 100, 60 } };
	blank();
	draw(&m, 1);
	assert_true(changed(20, 60) && changed(119, 60) && changed(70, 30) && changed(70, 89));
	assert_false(changed(19, 60) || changed(120, 60) || changed(70, 29) || changed(70, 90));
	assert_false(changed(80, 60));
}

static void a_label_avoids_what_is_there(void **state)
{
	struct overlay_mark m = { 12, { 0, 0, 200, 120 } };
	blank();
	/* Stripes everywhere but at the lower right. */
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			if (!(x > 140 && y > 80) && x % 2)
				before[(y * WIDTH + x) * 3] = 0;
	draw(&m, 1);
	assert_true(changes(150, 95, 48, 23) > 100);
	assert_int_equal(changes(4, 4, 60, 30), 0);
}

static void labels_do_not_hide_each_other(void **state)
{
	struct overlay_mark same[3] = { { 1, { 10, 10, 120, 80 } },
		                            { 2, { 10, 10, 120, 80 } },
		                            { 3, { 10, 10, 120, 80 } } };
	struct overlay_mark one = { 1, { 10, 10, 120, 80 } };
	blank();
	draw(&one, 1);
	unsigned single = changes(0, 0, WIDTH, HEIGHT);
	draw(same, 3);
	assert_true(changes(0, 0, WIDTH, HEIGHT) > single + 200);
}

static void what_lies_outside_is_cut_or_left_out(void **state)
{
	struct overlay_mark m[3] = { { 1, { -50, -50, 100, 100 } },
		                         { 2, { 500, 10, 20, 20 } },
		                         { 3, { 0, 0, 0, 0 } } };
	blank();
	draw(m, 3);
	assert_true(m[0].rect.x == 0 && m[0].rect.width == 50 && m[0].rect.height == 50);
	assert_true(m[1].rect.width == 0 && m[2].rect.width == 0);
	assert_true(changed(49, 20));
}

static void no_picture_is_a_typed_error(void **state)
{
	auto_error struct error e = ERROR_INIT;
	struct overlay_mark m = { 1, { 0, 0, 5, 5 } };
	assert_int_equal(fs_write(path, "no png", 6, 0600, NULL), 0);
	assert_int_equal(overlay_draw(path, &m, 1, 1, &e), -ERR_IO_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_is_a_frame),
		cmocka_unit_test(a_label_avoids_what_is_there),
		cmocka_unit_test(labels_do_not_hide_each_other),
		cmocka_unit_test(what_lies_outside_is_cut_or_left_out),
		cmocka_unit_test(no_picture_is_a_typed_error),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
