/* Windows, pointer and pictures against a real X server, with and without a window manager. */
#include "xserver.h"

#include "backend/atspi/pixels.h"
#include "base/cleanup.h"

#include <png.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <xcb/xcb.h>

#include <cmocka.h>

static struct xserver server;
static bool have_server, have_wm;
static struct x11 *x;

#define TEST(name) cmocka_unit_test_teardown(name, xclient_close_all)
#define NEEDS_SERVER()    \
	do {                  \
		if (!have_server) \
			skip();       \
	} while (0)
#define NEEDS_WM()    \
	do {              \
		if (!have_wm) \
			skip();   \
	} while (0)
#define OK(call_)                               \
	do {                                        \
		auto_error struct error e = ERROR_INIT; \
		int ok_ = (call_);                      \
		if (ok_ < 0)                            \
			fail_msg("%s", e.message);          \
	} while (0)

static struct call soon(void)
{
	return (struct call){ deadline_in(20000), NULL };
}

static int start(void **state)
{
	(void)state;
	have_server = xserver_start(&server, "1024x768x24");
	if (have_server)
		x = xserver_connect(&server);
	return 0;
}

static int start_wm(void **state)
{
	(void)state;
	if (have_server)
		have_wm = xserver_start_wm(&server);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	x11_close(x);
	if (have_server)
		xserver_stop(&server);
	return 0;
}

/* Waits until pid has n viewable windows. */
static size_t windows_of(pid_t pid, size_t n, struct x11_window *out, size_t max)
{
	for (struct call c = soon();;) {
		auto_free struct x11_window *list = NULL;
		size_t got = 0, viewable = 0;
		OK(x11_list_windows(x, soon(), pid, &list, &got, &e));
		for (size_t i = 0; i < got; i++)
			viewable += list[i].viewable;
		if (viewable >= n) {
			memcpy(out, list, (got < max ? got : max) * sizeof(*out));
			return got;
		}
		OK(clock_wait(5, NULL, &e));
		OK(call_check(c, "windows", &e));
	}
}

static struct xclient *client(const char *title, int px, int py, uint32_t pid, uint32_t colour)
{
	struct xclient_opts o = {
		.title = title, .x = px, .y = py, .width = 200, .height = 100, .colour = colour, .pid = pid
	};
	struct xclient *p = xclient_open(&server, &o);
	struct x11_window w;
	windows_of((pid_t)pid, 1, &w, 1);
	return p;
}

/* --- both worlds ---------------------------------------------------------------------------- */

static void lists_windows_with_their_place(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("Caf\xc3\xa9", 100, 80, 7001, 0xff0000);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7001, "Caf\xc3\xa9", &w, &e));
	assert_int_equal(w.id, xclient_window(p));
	assert_int_equal(w.pid, 7001);
	assert_true(w.viewable);
	assert_false(w.override_redirect);
	assert_true(w.client.width == 200 && w.client.height == 100);
	if (have_wm) {
		assert_int_not_equal(w.top, w.id);
		assert_true(w.net_frame[2] > 0); /* a title bar */
	} else {
		assert_true(w.client.x == 100 && w.client.y == 80);
		assert_int_equal(w.top, w.id);
	}
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_window_for(x, soon(), 7001, "other", &w, &e), -ERR_ELEMENT_NOT_FOUND);
	assert_int_equal(x11_window_for(x, soon(), 1, NULL, &w, &e), -ERR_ELEMENT_NOT_FOUND);
	xclient_close(p);
}

/* The fault of the public tool: a click one row above, because of the window's decoration. */
static void clicks_land_on_the_pixel_meant(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("target", 300, 200, 7002, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7002, NULL, &w, &e));
	struct xclient_button b[8];
	OK(x11_click(x, soon(), w.client.x + 17.5, w.client.y + 3.2, X11_RIGHT, 1, 0, &e));
	assert_int_equal(xclient_buttons(p, 2, b, 8), 2);
	assert_int_equal(b[0].button, 3);
	assert_true(b[0].down && !b[1].down);
	assert_int_equal(b[0].x, 17);
	assert_int_equal(b[0].y, 3);
	xclient_close(p);
}

/* Two slow taps are not a double click. */
static void double_click_is_one_fast_pair(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("double", 300, 200, 7003, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7003, NULL, &w, &e));
	struct xclient_button b[8];
	OK(x11_click(x, soon(), w.client.x + 5, w.client.y + 5, X11_LEFT, 2, 0, &e));
	assert_int_equal(xclient_buttons(p, 4, b, 8), 4);
	assert_true(b[0].down && !b[1].down && b[2].down && !b[3].down);
	assert_true(b[2].time - b[0].time < 250);
	xclient_close(p);
}

static void hold_lasts_and_ends(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("hold", 300, 200, 7004, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7004, NULL, &w, &e));
	struct xclient_button b[8];
	OK(x11_click(x, soon(), w.client.x + 5, w.client.y + 5, X11_LEFT, 1, 60, &e));
	assert_int_equal(xclient_buttons(p, 2, b, 8), 2);
	assert_true(b[1].time - b[0].time >= 60);
	xclient_close(p);
}

static void a_canceled_hold_lets_the_button_go(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("cancel", 300, 200, 7005, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7005, NULL, &w, &e));
	struct xclient_button b[8];
	struct call c = { deadline_in(50), NULL };
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_click(x, c, w.client.x + 5, w.client.y + 5, X11_LEFT, 1, 10000, &e),
	                 -ERR_TIMEOUT);
	assert_int_equal(xclient_buttons(p, 2, b, 8), 2);
	assert_false(b[1].down);
	c.deadline = deadline_in(50);
	assert_int_equal(
	    x11_drag(x, c, w.client.x + 5, w.client.y + 5, w.client.x + 50, w.client.y + 5, 10000, &e),
	    -ERR_TIMEOUT);
	assert_int_equal(xclient_buttons(p, 4, b, 8), 4);
	assert_false(b[3].down);
	xclient_close(p);
}

static void drags_through_points_in_between(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("drag", 300, 200, 7006, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7006, NULL, &w, &e));
	struct xclient_button b[8];
	xclient_clear(p);
	OK(x11_drag(x, soon(), w.client.x + 10, w.client.y + 10, w.client.x + 150, w.client.y + 60, 100,
	            &e));
	assert_int_equal(xclient_buttons(p, 2, b, 8), 2);
	assert_int_equal(b[0].x, 10);
	assert_int_equal(b[1].x, 150);
	assert_int_equal(b[1].y, 60);
	assert_true(xclient_motions(p) >= 5);
	xclient_close(p);
}

static void wheel_clicks_are_counted(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("wheel", 300, 200, 7007, 0);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7007, NULL, &w, &e));
	struct xclient_button b[16];
	OK(x11_wheel(x, soon(), w.client.x + 10, w.client.y + 10, X11_WHEEL_DOWN, 3, &e));
	assert_int_equal(xclient_buttons(p, 6, b, 16), 6);
	for (int i = 0; i < 6; i++)
		assert_int_equal(b[i].button, 5);
	xclient_close(p);
}

static void finds_what_lies_on_top(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *below = client("below", 100, 100, 7008, 0);
	struct xclient *above = client("above", 150, 130, 7009, 0);
	struct x11_window w, v;
	struct x11_hit hit;
	OK(x11_window_for(x, soon(), 7008, NULL, &w, &e));
	OK(x11_window_for(x, soon(), 7009, NULL, &v, &e));
	OK(x11_raise(x, soon(), v.id, &e));
	OK(x11_top_window_at(x, soon(), v.client.x + 20, v.client.y + 20, &hit, &e));
	assert_int_equal(hit.pid, 7009);
	assert_string_equal(hit.title, "above");
	assert_false(hit.on_decoration);
	OK(x11_top_window_at(x, soon(), w.client.x + 2, w.client.y + 2, &hit, &e));
	assert_int_equal(hit.pid, 7008);
	OK(x11_top_window_at(x, soon(), 1000, 700, &hit, &e));
	assert_int_equal(hit.client, 0);
	if (have_wm) {
		OK(x11_top_window_at(x, soon(), v.client.x + 20, v.client.y - 3, &hit, &e));
		assert_int_equal(hit.pid, 7009);
		assert_true(hit.on_decoration);
	}
	/* And the other way round. */
	OK(x11_raise(x, soon(), w.id, &e));
	OK(x11_top_window_at(x, soon(), v.client.x + 20, v.client.y + 20, &hit, &e));
	assert_int_equal(hit.pid, 7008);
	xclient_close(below);
	xclient_close(above);
}

static void popups_belong_to_their_program(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("menu owner", 100, 100, 7010, 0);
	uint32_t popup = xclient_popup(p, 500, 500, 80, 60);
	struct x11_window w[4];
	assert_int_equal(windows_of(7010, 2, w, 4), 2);
	assert_int_equal(w[0].id, popup); /* the topmost first */
	assert_true(w[0].override_redirect);
	assert_int_equal(w[0].pid, 7010);
	struct x11_hit hit;
	OK(x11_top_window_at(x, soon(), 510, 510, &hit, &e));
	assert_int_equal(hit.pid, 7010);
	assert_true(hit.override_redirect);
	OK(x11_window_for(x, soon(), 7010, NULL, &w[0], &e));
	assert_int_equal(w[0].id, xclient_window(p));
	xclient_close(p);
}

static void two_windows_of_one_title_are_ambiguous(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *a = client("same", 100, 100, 7011, 0);
	struct xclient *b = client("same", 400, 100, 7011, 0);
	struct x11_window w[2];
	windows_of(7011, 2, w, 2);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_window_for(x, soon(), 7011, "same", w, &e), -ERR_AMBIGUOUS_MATCH);
	xclient_close(a);
	xclient_close(b);
}

static void asks_windows_to_close(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("closing", 100, 100, 7012, 0);
	OK(x11_close_window(x, soon(), xclient_window(p), &e));
	assert_true(xclient_asked_to_close(p));
	xclient_close(p);
}

static void a_window_that_has_gone_is_stale(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("gone", 100, 100, 7013, 0);
	uint32_t id = xclient_window(p);
	xclient_close(p);
	auto_error struct error e = ERROR_INIT;
	struct x11_window w;
	while (x11_window_for(x, soon(), 7013, NULL, &w, &e) == 0)
		;
	assert_int_equal(x11_raise(x, soon(), id, &e), -ERR_ELEMENT_STALE);
}

/* --- pictures ------------------------------------------------------------------------------- */

static uint32_t png_pixel(const struct buf *png, unsigned px, unsigned py, unsigned *ret_w,
                          unsigned *ret_h)
{
	png_image img = { .version = PNG_IMAGE_VERSION };
	assert_true(png_image_begin_read_from_memory(&img, png->data, png->len));
	img.format = PNG_FORMAT_RGB;
	auto_free uint8_t *rgb = malloc(PNG_IMAGE_SIZE(img));
	assert_true(png_image_finish_read(&img, NULL, rgb, 0, NULL));
	*ret_w = img.width;
	*ret_h = img.height;
	assert_true(px < img.width && py < img.height);
	const uint8_t *p = rgb + ((size_t)py * img.width + px) * 3;
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static void pictures_show_the_screen(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = client("colour", 200, 300, 7014, 0x12a4f7);
	struct x11_window w;
	OK(x11_window_for(x, soon(), 7014, NULL, &w, &e));
	OK(x11_raise(x, soon(), w.id, &e));
	auto_buf struct buf png;
	buf_init(&png, 16 << 20);
	struct ui_rect shown;
	unsigned pw, ph;
	/* The server paints the background when it maps the window; a round trip later it is there. */
	OK(x11_capture(x, soon(), NULL, &png, &shown, &e));
	uint32_t seen = png_pixel(&png, (unsigned)w.client.x + 50, (unsigned)w.client.y + 50, &pw, &ph);
	assert_int_equal(seen, 0x12a4f7);
	assert_int_equal(pw, 1024);
	assert_int_equal(ph, 768);
	buf_reset(&png);
	OK(x11_capture(x, soon(), &w.client, &png, &shown, &e));
	assert_int_equal(png_pixel(&png, 0, 0, &pw, &ph), 0x12a4f7);
	assert_int_equal(pw, 200);
	assert_int_equal(ph, 100);
	/* An odd width: rows are padded. A rect half outside: cut. */
	struct ui_rect odd = { w.client.x + 0.5, w.client.y, 12.1, 7 };
	buf_reset(&png);
	OK(x11_capture(x, soon(), &odd, &png, &shown, &e));
	assert_int_equal(png_pixel(&png, 12, 6, &pw, &ph), 0x12a4f7);
	assert_int_equal(pw, 13);
	struct ui_rect half = { -50, -50, 100, 80 };
	buf_reset(&png);
	OK(x11_capture(x, soon(), &half, &png, &shown, &e));
	png_pixel(&png, 0, 0, &pw, &ph);
	assert_int_equal(pw, 50);
	assert_int_equal(ph, 30);
	struct ui_rect outside = { 5000, 5000, 10, 10 };
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_capture(x, soon(), &outside, &png, &shown, &e), -ERR_INVALID_TARGET);
	xclient_close(p);
}

/* --- no server ------------------------------------------------------------------------------ */

static void says_why_there_is_no_x11(void **state)
{
	(void)state;
	const struct {
		struct x11_env env;
		const char *word;
	} cases[] = {
		{ { NULL, NULL, NULL }, "DISPLAY is not set" },
		{ { "", "wayland-0", "wayland" }, "Wayland" },
		{ { ":65000", NULL, NULL }, "can't be reached" },
		{ { "\xff\xfe", NULL, NULL }, "can't be reached" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct x11 *none = NULL;
		auto_error struct error e = ERROR_INIT;
		assert_int_equal(x11_open(&none, &cases[i].env, &e), 0);
		assert_false(x11_available(none));
		assert_non_null(strstr(x11_why_not(none), cases[i].word));
		assert_int_equal(x11_click(none, soon(), 1, 1, X11_LEFT, 1, 0, &e),
		                 -ERR_UNSUPPORTED_OPERATION);
		assert_non_null(strstr(e.message, cases[i].word));
		assert_non_null(strstr(e.hint, "values and text"));
		assert_int_equal(x11_type(none, soon(), "a", 0, &e), -ERR_UNSUPPORTED_OPERATION);
		x11_close(none);
	}
	assert_false(x11_available(NULL));
}

/* An X server of its own inside a Wayland session is as good as any; Xwayland is not. */
static void a_separate_server_in_a_wayland_session_works(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct x11 *y = NULL;
	struct x11_env env = { server.display, "wayland-0", "wayland" };
	OK(x11_open(&y, &env, &e));
	assert_true(x11_available(y));
	x11_close(y);
}

static void a_server_that_goes_away_is_an_error_until_another_comes(void **state)
{
	(void)state;
	struct xserver other;
	if (!xserver_start(&other, "640x480x16"))
		skip();
	struct x11 *y = xserver_connect(&other);
	auto_buf struct buf png;
	buf_init(&png, 16 << 20);
	struct ui_rect shown;
	OK(x11_capture(y, soon(), NULL, &png, &shown, &e)); /* 16 bits a pixel */
	assert_true(shown.width == 640);
	xserver_stop(&other);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_click(y, soon(), 1, 1, X11_LEFT, 1, 0, &e), -ERR_DEVICE_UNAVAILABLE);
	assert_int_equal(x11_type(y, soon(), "a", 0, &e), -ERR_DEVICE_UNAVAILABLE);
	x11_renew(y); /* nothing has taken its place */
	assert_false(x11_available(y));
	assert_int_equal(x11_click(y, soon(), 1, 1, X11_LEFT, 1, 0, &e), -ERR_UNSUPPORTED_OPERATION);
	/* A new server on the same display, as a restarted one has it. */
	assert_true(xserver_start_on(&other, "800x600x24"));
	for (; !x11_available(y); x11_renew(y))
		assert_int_equal(clock_wait(5, NULL, &e), 0);
	int w, h;
	x11_screen_size(y, &w, &h);
	assert_int_equal(w, 800);
	assert_int_equal(x11_click(y, soon(), 1, 1, X11_LEFT, 1, 0, &e), 0);
	xserver_stop(&other);
	x11_close(y);
}

static void a_server_that_hangs_is_a_timeout(void **state)
{
	(void)state;
	struct xserver other;
	if (!xserver_start(&other, "640x480x24"))
		skip();
	struct x11 *y = xserver_connect(&other);
	auto_buf struct buf png;
	buf_init(&png, 16 << 20);
	struct x11_window w;
	struct ui_rect shown;
	kill(other.server.id.pid, SIGSTOP);
	assert_int_equal(waitpid(other.server.id.pid, NULL, WUNTRACED), other.server.id.pid);
	for (int i = 0; i < 5; i++) {
		struct call c = { deadline_in(30), NULL };
		auto_error struct error e = ERROR_INIT;
		int r = i == 0   ? x11_click(y, c, 1, 1, X11_LEFT, 1, 0, &e)
		        : i == 1 ? x11_type(y, c, "a", 0, &e)
		        : i == 2 ? x11_key(y, c, "a", &e)
		        : i == 3 ? x11_window_for(y, c, 1, NULL, &w, &e)
		                 : x11_capture(y, c, NULL, &png, &shown, &e);
		assert_int_equal(r, -ERR_TIMEOUT);
	}
	kill(other.server.id.pid, SIGCONT);
	OK(x11_click(y, soon(), 1, 1, X11_LEFT, 1, 0, &e));
	OK(x11_type(y, soon(), "a", 0, &e));
	OK(x11_capture(y, soon(), NULL, &png, &shown, &e));
	x11_close(y);
	xserver_stop(&other);
}

static void a_server_that_hangs_from_the_start_is_not_waited_for(void **state)
{
	(void)state;
	struct xserver other;
	if (!xserver_start(&other, "640x480x24"))
		skip();
	struct x11_env env = { other.display, NULL, NULL };
	struct x11 *y = NULL, *given_up = NULL;
	kill(other.server.id.pid, SIGSTOP);
	assert_int_equal(waitpid(other.server.id.pid, NULL, WUNTRACED), other.server.id.pid);
	OK(x11_open(&y, &env, &e));
	assert_false(x11_available(y));
	assert_non_null(strstr(x11_why_not(y), "does not answer"));
	x11_renew(y);
	assert_non_null(strstr(x11_why_not(y), "does not answer"));
	OK(x11_open(&given_up, &env, &e));
	x11_close(given_up);
	kill(other.server.id.pid, SIGCONT);
	for (; !x11_available(y); x11_renew(y))
		assert_int_equal(clock_wait(5, NULL, NULL), 0);
	OK(x11_click(y, soon(), 1, 1, X11_LEFT, 1, 0, &e));
	x11_close(y);
	xserver_stop(&other);
}

static void failures_nobody_reads_keep_their_code(void **state)
{
	(void)state;
	const struct x11_window two[] = { { .id = 1, .pid = 7, .title = "a" },
		                              { .id = 2, .pid = 7, .title = "a" } };
	struct x11_window w;
	assert_int_equal(x11_pick_window(two, 2, 8, NULL, &w, NULL), -ERR_ELEMENT_NOT_FOUND);
	assert_int_equal(x11_pick_window(two, 2, 7, "b", &w, NULL), -ERR_ELEMENT_NOT_FOUND);
	assert_int_equal(x11_pick_window(two, 2, 7, "a", &w, NULL), -ERR_AMBIGUOUS_MATCH);
	assert_int_equal(x11_require(NULL, "press", NULL), -ERR_UNSUPPORTED_OPERATION);
	assert_int_equal(x11_click(NULL, soon(), 1, 1, X11_LEFT, 1, 0, NULL),
	                 -ERR_UNSUPPORTED_OPERATION);
}

/* Another client takes the pointer, as an open menu does. */
static void a_held_pointer_is_noticed(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct x11 *y = xserver_connect(&server);
	assert_false(x11_pointer_is_held(y, soon()));
	assert_false(x11_pointer_is_held(y, soon())); /* and was given back */
	xcb_connection_t *menu = xcb_connect(server.display, NULL);
	xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(menu)).data->root;
	auto_free xcb_grab_pointer_reply_t *r = xcb_grab_pointer_reply(
	    menu,
	    xcb_grab_pointer(menu, 1, root, XCB_EVENT_MASK_BUTTON_PRESS, XCB_GRAB_MODE_ASYNC,
	                     XCB_GRAB_MODE_ASYNC, XCB_NONE, XCB_NONE, XCB_CURRENT_TIME),
	    NULL);
	assert_non_null(r);
	assert_int_equal(r->status, XCB_GRAB_STATUS_SUCCESS);
	assert_true(x11_pointer_is_held(y, soon()));
	xcb_disconnect(menu);
	while (x11_pointer_is_held(y, soon()))
		assert_int_equal(clock_wait(5, NULL, NULL), 0);
	x11_close(y);
}

static void a_window_manager_is_there(void **state)
{
	(void)state;
	NEEDS_SERVER();
	NEEDS_WM();
}

#define BOTH                                                                                \
	TEST(lists_windows_with_their_place), TEST(clicks_land_on_the_pixel_meant),             \
	    TEST(double_click_is_one_fast_pair), TEST(hold_lasts_and_ends),                     \
	    TEST(a_canceled_hold_lets_the_button_go), TEST(drags_through_points_in_between),    \
	    TEST(wheel_clicks_are_counted), TEST(finds_what_lies_on_top),                       \
	    TEST(popups_belong_to_their_program), TEST(two_windows_of_one_title_are_ambiguous), \
	    TEST(asks_windows_to_close), TEST(a_window_that_has_gone_is_stale),                 \
	    TEST(pictures_show_the_screen)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH,
		TEST(says_why_there_is_no_x11),
		TEST(a_separate_server_in_a_wayland_session_works),
		TEST(a_server_that_goes_away_is_an_error_until_another_comes),
		TEST(a_server_that_hangs_is_a_timeout),
		TEST(a_server_that_hangs_from_the_start_is_not_waited_for),
		TEST(failures_nobody_reads_keep_their_code),
		TEST(a_held_pointer_is_noticed),
		cmocka_unit_test_setup(a_window_manager_is_there, start_wm),
		BOTH,
	};
	return cmocka_run_group_tests(tests, start, stop);
}
