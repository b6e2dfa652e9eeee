/* Typing and chords against a real X server and a program that reads its keys as toolkits do. */
#include "xserver.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xtest.h>

#include <cmocka.h>

static struct xserver server;
static bool have_server;
static struct x11 *x;

#define TEST(name) cmocka_unit_test_teardown(name, xclient_close_all)
#define NEEDS_SERVER()    \
	do {                  \
		if (!have_server) \
			skip();       \
	} while (0)

static struct call soon(void)
{
	return (struct call){ deadline_in(20000), NULL };
}

static int start(void **state)
{
	(void)state;
	have_server = xserver_start(&server, "800x600x24");
	if (have_server)
		x = xserver_connect(&server);
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

static void set_layout(const char *layout, const char *option)
{
	const char *argv[] = { "setxkbmap", "-layout", layout, "-option", "", "-option", option, NULL };
	if (!option)
		argv[5] = NULL;
	xserver_run(&server, argv);
}

static struct xclient *focused_client(const struct xclient_opts *o)
{
	struct xclient_opts d = { .title = "field", .x = 20, .y = 20, .width = 200, .height = 50 };
	struct xclient *p = xclient_open(&server, o ? o : &d);
	xclient_focus(p);
	return p;
}

static void expect_typed(struct xclient *p, const char *text, int delay_ms)
{
	auto_error struct error e = ERROR_INIT;
	xclient_clear(p);
	int r = x11_type(x, soon(), text, delay_ms, &e);
	if (r < 0)
		fail_msg("%s", e.message);
	assert_string_equal(xclient_text(p, strlen(text)), text);
}

static const char *const texts[] = {
	"Hello, World 42",
	"Fünf Größen: y_z 'K Ä",
	"Œuvre",
	"日本",
	"🙂",
	"^ ~ ` ' \" ´ @ # \\ | { } [ ] < > _ - + = / ? €",
	"ada.lovelace+test+73kmc@example.test",
	"Some%sText%s! 100% %%s % s",
	"it's \"quoted\" C:\\temp\\new `date` $HOME $(id)",
	"e\xcc\x81 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
	"line one\nline two\n\nend",
	"привет, mixed текст",
	"aaaaAAAAaaAAaa  11!!",
};

static void type_everything(const char *layout)
{
	set_layout(layout, NULL);
	struct xclient *p = focused_client(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		expect_typed(p, texts[i], 0);
	xclient_close(p);
}

static void types_with_layout_us(void **state)
{
	(void)state;
	NEEDS_SERVER();
	type_everything("us");
}

static void types_with_layout_de(void **state)
{
	(void)state;
	NEEDS_SERVER();
	type_everything("de");
}

static void types_with_layout_fr(void **state)
{
	(void)state;
	NEEDS_SERVER();
	type_everything("fr");
}

/* Locks a group as the layout switch of a desktop does: by the option's own key. */
static void press_key(const char *keysym_chord)
{
	auto_error struct error e = ERROR_INIT;
	if (x11_key(x, soon(), keysym_chord, &e) < 0)
		fail_msg("%s", e.message);
}

static void types_with_the_second_group_active(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us,ru", "grp:menu_toggle");
	struct xclient *p = focused_client(NULL);
	press_key("ISO_Next_Group");
	xclient_clear(p);
	press_key("a");
	press_key("ф");
	assert_string_equal(xclient_text(p, 3), "aф");
	assert_int_equal(xclient_state(p, 0) >> 13 & 3, 0); /* "a" is typed through the us group */
	assert_int_equal(xclient_state(p, 1) >> 13 & 3, 1); /* and ru is active again */
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		expect_typed(p, texts[i], 0);
	xclient_clear(p);
	press_key("ф");
	assert_int_equal(xclient_state(p, 0) >> 13 & 3, 1);
	press_key("ISO_Next_Group");
	xclient_close(p);
}

static void types_slowly_when_asked(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	expect_typed(p, "slow ä", 1);
	xclient_close(p);
}

/* More different characters than there are spare keys, and long runs. */
static void types_more_characters_than_spare_keys(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	auto_buf struct buf b;
	buf_init(&b, 4096);
	for (unsigned i = 0; i < 300; i++) {
		unsigned cp = 0x4e00 + i * 7 % 300;
		buf_addc(&b, (char)(0xe0 | cp >> 12));
		buf_addc(&b, (char)(0x80 | (cp >> 6 & 0x3f)));
		buf_addc(&b, (char)(0x80 | (cp & 0x3f)));
		buf_adds(&b, "x");
	}
	expect_typed(p, b.data, 0);
	xclient_close(p);
}

/* Without _NET_WM_PING nobody says when the keys were read: their meaning must stay. */
static void types_into_a_program_without_ping(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient_opts o = { .title = "mute", .width = 100, .height = 50, .no_ping = true };
	struct xclient *p = focused_client(&o);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_type(x, soon(), "äöü", 0, &e), 0);
	assert_string_equal(xclient_text(p, 6), "äöü");
	xclient_close(p);
}

static size_t spare_keys_in_use(void)
{
	xcb_connection_t *c = xcb_connect(server.display, NULL);
	const xcb_setup_t *setup = xcb_get_setup(c);
	uint8_t n = (uint8_t)(setup->max_keycode - setup->min_keycode + 1);
	auto_free xcb_get_keyboard_mapping_reply_t *r =
	    xcb_get_keyboard_mapping_reply(c, xcb_get_keyboard_mapping(c, setup->min_keycode, n), NULL);
	const xcb_keysym_t *syms = xcb_get_keyboard_mapping_keysyms(r);
	size_t used = 0;
	for (int i = 0; i < xcb_get_keyboard_mapping_keysyms_length(r); i++)
		used += syms[i] == 0x010065e5; /* U+65E5 */
	xcb_disconnect(c);
	return used;
}

static void gives_spare_keys_back(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	expect_typed(p, "日", 0);
	assert_int_equal(spare_keys_in_use(), 0);
	xclient_close(p);
	struct xclient_opts o = { .title = "mute", .width = 100, .height = 50, .no_ping = true };
	p = focused_client(&o);
	struct x11 *other = xserver_connect(&server);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_type(other, soon(), "日", 0, &e), 0);
	assert_string_equal(xclient_text(p, 3), "日");
	assert_true(spare_keys_in_use() > 0); /* the program may still have to read it */
	x11_close(other);
	assert_int_equal(spare_keys_in_use(), 0);
	xclient_close(p);
}

static void fake_key(uint8_t type, uint8_t keycode)
{
	xcb_connection_t *c = xcb_connect(server.display, NULL);
	xcb_test_fake_input(c, type, keycode, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
	free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
	xcb_disconnect(c);
}

#define KEY_SHIFT_L 50
#define KEY_CAPS_LOCK 66

static void lets_go_of_a_held_shift(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	fake_key(XCB_KEY_PRESS, KEY_SHIFT_L);
	expect_typed(p, "lower 123", 0);
	fake_key(XCB_KEY_RELEASE, KEY_SHIFT_L);
	xclient_close(p);
}

static void types_through_caps_lock_and_leaves_it_on(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	fake_key(XCB_KEY_PRESS, KEY_CAPS_LOCK);
	fake_key(XCB_KEY_RELEASE, KEY_CAPS_LOCK);
	expect_typed(p, "Mixed Case", 0);
	xclient_clear(p);
	fake_key(XCB_KEY_PRESS, 38); /* the key of "a", as a person would press it */
	fake_key(XCB_KEY_RELEASE, 38);
	assert_string_equal(xclient_text(p, 1), "A");
	fake_key(XCB_KEY_PRESS, KEY_CAPS_LOCK);
	fake_key(XCB_KEY_RELEASE, KEY_CAPS_LOCK);
	xclient_close(p);
}

static void refuses_control_characters_before_the_first_key(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_type(x, soon(), "abc\x07", 0, &e), -ERR_INVALID_ARGS);
	expect_typed(p, "z", 0); /* nothing of "abc" came before it */
	xclient_close(p);
}

static void presses_chords_with_their_modifiers(void **state)
{
	(void)state;
	NEEDS_SERVER();
	set_layout("us", NULL);
	struct xclient *p = focused_client(NULL);
	struct {
		const char *chord;
		unsigned state;
	} cases[] = {
		{ "ctrl+a", XCB_MOD_MASK_CONTROL },
		{ "ctrl+A", XCB_MOD_MASK_CONTROL },
		{ "ctrl+shift+a", XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_SHIFT },
		{ "alt+F4", XCB_MOD_MASK_1 },
		{ "super+d", XCB_MOD_MASK_4 },
		{ "A", XCB_MOD_MASK_SHIFT },
		{ "ctrl++", XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_SHIFT },
		{ "page-down", 0 },
		{ "ctrl+alt+ä", XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		xclient_clear(p);
		press_key(cases[i].chord);
		press_key("q");
		assert_int_equal(xclient_state(p, 0), cases[i].state);
		assert_int_equal(xclient_state(p, 1), 0); /* every modifier was let go again */
	}
	xclient_close(p);
}

static void waits_no_longer_than_the_call(void **state)
{
	(void)state;
	NEEDS_SERVER();
	struct xclient *p = focused_client(NULL);
	auto_error struct error e = ERROR_INIT;
	struct cancel cancel;
	assert_int_equal(cancel_init(&cancel, &e), 0);
	cancel_fire(&cancel);
	struct call c = { deadline_in(20000), &cancel };
	assert_int_equal(x11_type(x, c, "abc", 0, &e), -ERR_CANCELED);
	expect_typed(p, "z", 0);
	cancel_done(&cancel);
	xclient_close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(types_with_layout_us),
		TEST(types_with_layout_de),
		TEST(types_with_layout_fr),
		TEST(types_with_the_second_group_active),
		TEST(types_slowly_when_asked),
		TEST(types_more_characters_than_spare_keys),
		TEST(types_into_a_program_without_ping),
		TEST(gives_spare_keys_back),
		TEST(lets_go_of_a_held_shift),
		TEST(types_through_caps_lock_and_leaves_it_on),
		TEST(refuses_control_characters_before_the_first_key),
		TEST(presses_chords_with_their_modifiers),
		TEST(waits_no_longer_than_the_call),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
