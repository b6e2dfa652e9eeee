/* The screen as a picture: no golden files, but what must be seen is looked for in its pixels. */
#include "test.h"

#include "backend/virtual/device.h"
#include "backend/virtual/render.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

struct picture {
	int width, height;
	double scale;
	uint8_t *rgb;
};

static struct vd_device dev;

static int open_demo(void **state)
{
	(void)state;
	struct vd_scene *s = NULL;
	vd_device_init(&dev, vd_flavour(VD_ANDROID));
	if (vd_scene_load(DEFT_SCENES_DIR "/demo.json", &s, NULL) < 0)
		return -1;
	return vd_device_open(&dev, s, NULL);
}

static int close_demo(void **state)
{
	(void)state;
	vd_device_done(&dev);
	return 0;
}

static struct picture shoot(const struct ui_rect *part)
{
	struct rb_image image = { 0 };
	struct picture p = { 0 };
	png_image png = { .version = PNG_IMAGE_VERSION };
	buf_init(&image.png, LIM_RUNNER_REPLY);
	assert_int_equal(vd_render(&dev, part, &image, NULL), 0);
	assert_true(png_image_begin_read_from_memory(&png, image.png.data, image.png.len));
	assert_int_equal(png.width, image.width);
	assert_int_equal(png.height, image.height);
	png.format = PNG_FORMAT_RGB;
	p = (struct picture){ image.width, image.height, image.scale, malloc(PNG_IMAGE_SIZE(png)) };
	assert_true(png_image_finish_read(&png, NULL, p.rgb, 0, NULL));
	buf_done(&image.png);
	return p;
}

static const uint8_t *pixel(const struct picture *p, double x, double y)
{
	return p->rgb + 3 * ((size_t)(y * p->scale) * (size_t)p->width + (size_t)(x * p->scale));
}

/* Blue is what can be acted on: the accent colour has far more of it than of red. */
static bool is_accent(const struct picture *p, double x, double y)
{
	const uint8_t *at = pixel(p, x, y);
	return at[2] > at[0] + 80;
}

static double brightness(const struct picture *p, double x, double y)
{
	const uint8_t *at = pixel(p, x, y);
	return (at[0] + at[1] + at[2]) / 765.0;
}

static struct vd_widget *by_id(const char *id)
{
	struct vd_widget *w = vd_device_by_id(&dev, id);
	if (!w)
		fail_msg("no widget %s", id);
	return w;
}

static void go(const char *screen)
{
	vd_navigate(&dev, screen);
	vd_device_layout(&dev);
}

/* Brings a widget into the middle of the screen. */
static struct vd_widget *show(const char *id)
{
	struct vd_widget *w = by_id(id);
	vd_scroll(&dev, vd_scroller_of(w), w->rect.y - dev.height / 2);
	return w;
}

static void the_size_is_the_flavours(void **state)
{
	(void)state;
	struct picture p = shoot(NULL);
	assert_int_equal(p.width, 824);
	assert_int_equal(p.height, 1784);
	free(p.rgb);
	vd_rotate(&dev, true);
	p = shoot(NULL);
	assert_int_equal(p.width, 1784);
	assert_int_equal(p.height, 824);
	free(p.rgb);
}

static void a_part_is_cut_out(void **state)
{
	(void)state;
	const struct vd_widget *w = by_id("count");
	struct picture p = shoot(&w->rect);
	assert_int_equal(p.width, (int)ceil(w->rect.width * 2));
	assert_true(is_accent(&p, w->rect.width / 2, 4));
	free(p.rgb);
	struct ui_rect outside = { 0, 5000, 10, 10 };
	struct rb_image image = { 0 };
	assert_int_equal(vd_render(&dev, &outside, &image, NULL), -ERR_ELEMENT_OFFSCREEN);
}

static void a_switch_shows_its_state(void **state)
{
	(void)state;
	go("controls");
	struct vd_widget *w = show("wifi");
	double x = w->rect.x + w->rect.width - 50, y = w->rect.y + w->rect.height / 2;
	w->checked = false;
	struct picture off = shoot(NULL);
	w->checked = true;
	struct picture on = shoot(NULL);
	assert_false(is_accent(&off, x, y + 13));
	assert_true(is_accent(&on, x, y));
	free(off.rgb);
	free(on.rgb);
}

static double knob_of(const char *id, double value)
{
	struct vd_widget *w = show(id);
	w->control->value = value;
	struct picture p = shoot(NULL);
	double y = w->rect.y + w->rect.height - 14 + 7, sum = 0, n = 0;
	/* Seven points below the middle of the track only the knob is coloured. */
	for (double x = w->rect.x - 10; x < w->rect.x + w->rect.width + 10; x += 0.5)
		if (is_accent(&p, x, y)) {
			sum += x;
			n++;
		}
	free(p.rgb);
	if (n == 0)
		fail_msg("%s shows no knob", id);
	return (sum / n - w->rect.x) / w->rect.width;
}

static void a_knob_stands_where_its_value_is(void **state)
{
	(void)state;
	go("controls");
	assert_true(fabs(knob_of("volume", 0.25) - 0.25) < 0.01);
	assert_true(fabs(knob_of("volume", 0.75) - 0.75) < 0.01);
	assert_true(fabs(knob_of("volume", 1) - 1) < 0.02);
	assert_true(fabs(knob_of("seek-rtl", 75) - 0.75) < 0.01);
	/* And a press there asks for that value. */
	struct vd_widget *w = by_id("seek-rtl");
	assert_true(fabs(vd_control_at(w, w->rect.x + 0.75 * w->rect.width, 0) - 75) < 1e-9);
}

static void dark_is_dark(void **state)
{
	(void)state;
	struct picture light = shoot(NULL);
	dev.dark = true;
	struct picture dark = shoot(NULL);
	double y = dev.height - 100;
	assert_true(brightness(&light, 200, y) > 0.85);
	assert_true(brightness(&dark, 200, y) < 0.15);
	free(light.rgb);
	free(dark.rgb);
}

static void a_dialog_dims_what_it_covers(void **state)
{
	(void)state;
	go("dialogs");
	struct picture before = shoot(NULL);
	double x, y;
	ui_rect_center(by_id("ask")->rect, &x, &y);
	vd_press(&dev, x, y, 1, 0);
	struct picture during = shoot(NULL);
	ui_rect_center(dev.overlays[0]->rect, &x, &y);
	assert_true(brightness(&during, 20, dev.height - 100) <
	            brightness(&before, 20, dev.height - 100) - 0.2);
	assert_true(brightness(&during, dev.overlays[0]->rect.x + 20, dev.overlays[0]->rect.y + 40) >
	            0.9);
	free(before.rgb);
	free(during.rgb);
}

static void a_secret_is_dots_of_its_length(void **state)
{
	(void)state;
	go("form");
	struct vd_widget *w = by_id("password");
	vd_widget_set_text(w, "iiii");
	struct picture a = shoot(&w->rect);
	vd_widget_set_text(w, "WWWW");
	struct picture b = shoot(&w->rect);
	vd_widget_set_text(w, "WWWWWW");
	struct picture c = shoot(&w->rect);
	size_t size = (size_t)a.width * (size_t)a.height * 3;
	assert_memory_equal(a.rgb, b.rgb, size);
	assert_true(memcmp(b.rgb, c.rgb, size) != 0);
	free(a.rgb);
	free(b.rgb);
	free(c.rgb);
}

static void a_sticky_header_hides_the_row_under_it(void **state)
{
	(void)state;
	go("list");
	struct vd_widget *rows = by_id("rows");
	struct ui_rect head = { rows->rect.x, rows->rect.y, rows->rect.width - 8, 32 };
	struct picture before = shoot(&head);
	vd_scroll(&dev, rows, 24);
	struct picture after = shoot(&head);
	assert_memory_equal(before.rgb, after.rgb, (size_t)before.width * (size_t)before.height * 3);
	free(before.rgb);
	free(after.rgb);
}

static void equal_screens_are_equal_bytes(void **state)
{
	(void)state;
	struct rb_image a = { 0 }, b = { 0 };
	go("slow");
	buf_init(&a.png, LIM_RUNNER_REPLY);
	buf_init(&b.png, LIM_RUNNER_REPLY);
	vd_render(&dev, NULL, &a, NULL);
	vd_render(&dev, NULL, &b, NULL);
	assert_int_equal(a.png.len, b.png.len);
	assert_memory_equal(a.png.data, b.png.data, a.png.len);
	/* What turns looks different a moment later. */
	vd_device_advance(&dev, VD_TICK_MS);
	buf_reset(&b.png);
	vd_render(&dev, NULL, &b, NULL);
	assert_true(a.png.len != b.png.len || memcmp(a.png.data, b.png.data, a.png.len) != 0);
	buf_done(&a.png);
	buf_done(&b.png);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_demo, close_demo)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_size_is_the_flavours),
		CASE(a_part_is_cut_out),
		CASE(a_switch_shows_its_state),
		CASE(a_knob_stands_where_its_value_is),
		CASE(dark_is_dark),
		CASE(a_dialog_dims_what_it_covers),
		CASE(a_secret_is_dots_of_its_length),
		CASE(a_sticky_header_hides_the_row_under_it),
		CASE(equal_screens_are_equal_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
