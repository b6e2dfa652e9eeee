/* Reduced copies of screenshots, as large as a message may hold (cases G12). */
#include "base/cleanup.h"
#include "command/picture.h"

#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[64], from[96], to[96];

static int set_up(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/deft-test-picture-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(from, sizeof(from), "%s/from.png", dir);
	snprintf(to, sizeof(to), "%s/to.png", dir);
	return 0;
}

static int tear_down(void **state)
{
	unlink(from);
	unlink(to);
	return rmdir(dir);
}

typedef void paint(unsigned x, unsigned y, uint8_t rgb[3]);

static void half_and_half(unsigned x, unsigned y, uint8_t rgb[3])
{
	rgb[0] = x % 2 ? 200 : 100;
	rgb[1] = y < 50 ? 0 : 255;
	rgb[2] = 7;
}

static void noise(unsigned x, unsigned y, uint8_t rgb[3])
{
	uint32_t h = x * 2654435761u ^ y * 2246822519u;
	for (int c = 0; c < 3; c++) {
		h ^= h >> 15;
		h *= 2246822519u;
		rgb[c] = (uint8_t)(h >> 24);
	}
}

static void write_picture(unsigned width, unsigned height, paint *p)
{
	png_image png = {
		.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB
	};
	auto_free uint8_t *data = malloc((size_t)width * height * 3);
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++)
			p(x, y, data + ((size_t)y * width + x) * 3);
	assert_true(png_image_write_to_file(&png, from, 0, data, 0, NULL));
}

/* Pixel (x, y) of the copy, which must have this size. */
static void read_pixel(unsigned width, unsigned height, unsigned x, unsigned y, uint8_t rgb[3])
{
	png_image png = { .version = PNG_IMAGE_VERSION };
	assert_true(png_image_begin_read_from_file(&png, to));
	assert_int_equal(png.width, width);
	assert_int_equal(png.height, height);
	png.format = PNG_FORMAT_RGB;
	auto_free uint8_t *data = malloc((size_t)width * height * 3);
	assert_true(png_image_finish_read(&png, NULL, data, 0, NULL));
	memcpy(rgb, data + ((size_t)y * width + x) * 3, 3);
}

static void a_picture_that_fits_is_left_alone(void **state)
{
	unsigned w = 1, h = 1;
	write_picture(100, 40, half_and_half);
	assert_int_equal(picture_reduce(from, to, 100, 100000, &w, &h, NULL), 0);
	assert_int_equal(access(to, F_OK), -1);
}

static void pixels_are_averages(void **state)
{
	unsigned w, h;
	uint8_t top[3], bottom[3];
	write_picture(200, 100, half_and_half);
	assert_int_equal(picture_reduce(from, to, 100, 100000, &w, &h, NULL), 1);
	assert_int_equal(w, 100);
	assert_int_equal(h, 50);
	read_pixel(100, 50, 10, 24, top);
	read_pixel(100, 50, 99, 25, bottom);
	assert_memory_equal(top, ((uint8_t[]){ 150, 0, 7 }), 3);
	assert_memory_equal(bottom, ((uint8_t[]){ 150, 255, 7 }), 3);
}

static void odd_sizes_keep_their_shape(void **state)
{
	unsigned w, h;
	write_picture(7, 301, half_and_half);
	assert_int_equal(picture_reduce(from, to, 16, 100000, &w, &h, NULL), 1);
	assert_int_equal(w, 1);
	assert_int_equal(h, 16);
}

static void noise_is_reduced_until_its_bytes_fit(void **state)
{
	unsigned w, h;
	struct stat st;
	write_picture(720, 1560, noise);
	assert_int_equal(picture_reduce(from, to, 1568, 700 * 1024, &w, &h, NULL), 1);
	assert_int_equal(stat(to, &st), 0);
	assert_in_range(st.st_size, 300 * 1024, 700 * 1024);
	assert_true(w < 720 && h < 1560);
	assert_true(h * 100 / w >= 214 && h * 100 / w <= 219); /* 216.7 */
}

static void what_is_no_picture_is_an_error(void **state)
{
	auto_error struct error e = ERROR_INIT;
	unsigned w, h;
	auto_close int fd = open(from, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(picture_reduce(from, to, 16, 1000, &w, &h, &e), -ERR_IO_ERROR);
	assert_int_equal(write(fd, "\x89PNG\r\n\x1a\nbroken", 14), 14);
	assert_int_equal(picture_reduce(from, to, 16, 1000, &w, &h, &e), -ERR_IO_ERROR);
	unlink(from);
	assert_int_equal(picture_reduce(from, to, 16, 1000, &w, &h, &e), -ERR_IO_ERROR);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_picture_that_fits_is_left_alone), TEST(pixels_are_averages),
		TEST(odd_sizes_keep_their_shape),        TEST(noise_is_reduced_until_its_bytes_fit),
		TEST(what_is_no_picture_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
