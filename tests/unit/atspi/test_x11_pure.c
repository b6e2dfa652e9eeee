/* The parts of the X11 half that need no server: chords, keymaps and typing plans, pixels, names. */
#include "backend/atspi/near.h"
#include "backend/atspi/pixels.h"
#include "backend/atspi/x11_chord.h"
#include "backend/atspi/x11_keymap.h"
#include "base/cleanup.h"
#include "base/utf8.h"

#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- chords --------------------------------------------------------------------------------- */

static void reads_chords(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned mods;
		xkb_keysym_t sym;
	} cases[] = {
		{ "a", 0, XKB_KEY_a },
		{ "A", 0, XKB_KEY_A },
		{ "+", 0, XKB_KEY_plus },
		{ "-", 0, XKB_KEY_minus },
		{ "plus", 0, XKB_KEY_plus },
		{ "ctrl++", X11_MOD_CTRL, XKB_KEY_plus },
		{ "ctrl+-", X11_MOD_CTRL, XKB_KEY_minus },
		{ "ctrl+A", X11_MOD_CTRL, XKB_KEY_a },
		{ "shift+A", X11_MOD_SHIFT, XKB_KEY_A },
		{ "Ctrl+Shift+A", X11_MOD_CTRL | X11_MOD_SHIFT, XKB_KEY_a },
		{ "control+alt+Delete", X11_MOD_CTRL | X11_MOD_ALT, XKB_KEY_Delete },
		{ "cmd+space", X11_MOD_SUPER, XKB_KEY_space },
		{ "enter", 0, XKB_KEY_Return },
		{ "ESC", 0, XKB_KEY_Escape },
		{ "page-down", 0, XKB_KEY_Next },
		{ "PageDown", 0, XKB_KEY_Next },
		{ "page_up", 0, XKB_KEY_Prior },
		{ "arrow-left", 0, XKB_KEY_Left },
		{ "f1", 0, XKB_KEY_F1 },
		{ "F24", 0, XKB_KEY_F24 },
		{ "alt+F4", X11_MOD_ALT, XKB_KEY_F4 },
		{ "super", 0, XKB_KEY_Super_L },
		{ "ctrl+shift", X11_MOD_CTRL, XKB_KEY_Shift_L },
		{ "ä", 0, XKB_KEY_adiaeresis },
		{ "ctrl+Ä", X11_MOD_CTRL, XKB_KEY_adiaeresis },
		{ "XF86AudioMute", 0, XKB_KEY_XF86AudioMute },
		{ "Multi_key", 0, XKB_KEY_Multi_key },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct x11_chord c = { 0 };
		auto_error struct error e = ERROR_INIT;
		if (x11_chord_parse(cases[i].text, &c, &e) < 0)
			fail_msg("%s: %s", cases[i].text, e.message);
		if (c.mods != cases[i].mods || c.keysym != cases[i].sym)
			fail_msg("%s: mods %u keysym %#x", cases[i].text, c.mods, c.keysym);
	}
}

static void names_the_nearest_to_an_unknown_key(void **state)
{
	(void)state;
	static const struct {
		const char *text, *hint;
	} cases[] = {
		{ "entr", "\"enter\"" },
		{ "ctlr+a", "\"ctrl\"" },
		{ "ctrl+pagedwon", "page-down" },
		{ "backspce", "backspace" },
		{ "escpae", "\"escape\"" },
		{ "F99", "F1..F24" },
		{ "F0", "F1..F24" },
		{ "hyperdrive", "F1..F24" },
		{ "a+b", "modifiers" },
		{ "", "" },
		{ "ctrl+", "" },
		{ "\xff", "" },
		{ "++", "" },
		{ "ab", "" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct x11_chord c = { 77, 77 };
		auto_error struct error e = ERROR_INIT;
		assert_int_equal(x11_chord_parse(cases[i].text, &c, &e), -ERR_INVALID_ARGS);
		assert_int_equal(c.mods, 77);
		if (!strstr(error_hint_text(&e), cases[i].hint))
			fail_msg("%s: %s", cases[i].text, error_hint_text(&e));
	}
}

/* --- keymaps -------------------------------------------------------------------------------- */

static struct x11_keymap keymap_of(const char *layout, unsigned group)
{
	struct xkb_context *ctx = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
	struct xkb_rule_names names = { .rules = "evdev", .model = "pc105", .layout = layout };
	struct xkb_keymap *k = xkb_keymap_new_from_names(ctx, &names, XKB_KEYMAP_COMPILE_NO_FLAGS);
	assert_non_null(k);
	struct x11_keymap m;
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(x11_keymap_init(&m, k, group, &e), 0);
	xkb_keymap_unref(k);
	xkb_context_unref(ctx);
	return m;
}

/* What a program would read from the strokes, each under its own group and modifiers. */
static void expect_text(const struct x11_keymap *m, const struct x11_plan *p, const char *text,
                        size_t *ret_spare)
{
	struct xkb_state *s = xkb_state_new(m->keymap);
	const char *at = text;
	*ret_spare = 0;
	for (size_t i = 0; i < p->n; i++) {
		uint32_t cp = utf8_next(&at);
		const struct x11_stroke *k = &p->strokes[i];
		if (k->keycode == 0) {
			assert_int_equal(k->character, cp);
			++*ret_spare;
			continue;
		}
		xkb_state_update_mask(s, k->mods, 0, 0, 0, 0, k->layout);
		xkb_keysym_t sym = xkb_state_key_get_one_sym(s, k->keycode);
		uint32_t got = sym == XKB_KEY_Return ? '\n' : xkb_keysym_to_utf32(sym);
		if (got != cp)
			fail_msg("character %zu: U+%04X, not U+%04X", i, got, cp);
	}
	assert_int_equal(*at, '\0');
	xkb_state_unref(s);
}

static void plans_with_each_layout(void **state)
{
	(void)state;
	static const struct {
		const char *layout;
		unsigned group;
		const char *text;
		size_t spare; /* characters without a key of their own */
	} cases[] = {
		{ "us", 0, "Hello, World! {}[]|\\~`^\n\t_", 0 },
		{ "us", 0, "Fünf", 1 },
		{ "us", 0, "日本", 2 },
		{ "us", 0, "🙂", 1 },
		{ "de", 0, "Fünf Größen: y_z 'K Ä @{}[]\\|~€", 0 },
		{ "de", 0, "^`´", 3 }, /* dead keys there: never used */
		{ "fr", 0, "àéèç 0123456789 azqwm_?.;/@#{[|", 0 },
		{ "us,ru", 0, "yes", 0 },
		{ "us,ru", 1, "yes да", 0 }, /* the us group for latin letters */
		{ "us,ru", 0, "yes да", 0 },
		{ "us,de,fr,ru", 3, "д ß ç x", 0 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct x11_keymap m = keymap_of(cases[i].layout, cases[i].group);
		struct x11_plan p = { NULL };
		auto_error struct error e = ERROR_INIT;
		size_t spare = 0;
		if (x11_plan_text(&m, cases[i].text, &p, &e) < 0)
			fail_msg("%s: %s", cases[i].text, e.message);
		expect_text(&m, &p, cases[i].text, &spare);
		if (spare != cases[i].spare)
			fail_msg("%s, %s: %zu spare keys", cases[i].layout, cases[i].text, spare);
		x11_plan_done(&p);
		x11_keymap_done(&m);
	}
}

static void prefers_the_active_group(void **state)
{
	(void)state;
	struct x11_keymap m = keymap_of("us,ru", 1);
	struct x11_stroke s;
	assert_true(x11_keymap_find(&m, XKB_KEY_Cyrillic_ef, &s));
	assert_int_equal(s.layout, 1);
	assert_true(x11_keymap_find(&m, XKB_KEY_Return, &s)); /* means the same in all groups */
	assert_int_equal(s.layout, 1);
	assert_true(x11_keymap_find(&m, XKB_KEY_period, &s)); /* on another key in each */
	assert_int_equal(s.layout, 1);
	assert_true(x11_keymap_find(&m, XKB_KEY_a, &s));
	assert_int_equal(s.layout, 0);
	assert_false(x11_keymap_find(&m, XKB_KEY_ssharp, &s));
	assert_true(m.n_spare > 4);
	assert_true(m.mod_key[0] != 0 && m.mod_key[2] != 0);
	assert_int_equal(m.mod_key[1], 0); /* Caps Lock locks: it is not held */
	x11_keymap_done(&m);
}

static void a_letter_without_a_key_is_an_error_before_typing(void **state)
{
	(void)state;
	struct x11_keymap m = keymap_of("us", 0);
	struct x11_plan p = { NULL };
	auto_error struct error e = ERROR_INIT;
	m.n_spare = 0;
	assert_int_equal(x11_plan_text(&m, "abä", &p, &e), -ERR_UNSUPPORTED_OPERATION);
	assert_string_equal(json_string_value(json_object_get(e.details, "character")), "ä");
	assert_null(p.strokes);
	assert_int_equal(x11_plan_text(&m, "ab\x1b", &p, &e), -ERR_INVALID_ARGS);
	assert_int_equal(x11_plan_text(&m, "ab\xc2\x85", &p, &e), -ERR_INVALID_ARGS);
	x11_keymap_done(&m);
}

static void cuts_plans_to_the_spare_keys(void **state)
{
	(void)state;
	struct x11_keymap m = keymap_of("us", 0);
	struct x11_plan p = { NULL };
	auto_error struct error e = ERROR_INIT;
	uint32_t out[2];
	size_t n = 9;
	/* ä x ä ö | ü ä | € : two different ones at a time */
	assert_int_equal(x11_plan_text(&m, "äxäöüä€", &p, &e), 0);
	assert_int_equal(x11_plan_segment(&p, 0, 2, out, &n), 4);
	assert_int_equal(n, 2);
	assert_int_equal(out[0], 0xe4);
	assert_int_equal(out[1], 0xf6);
	assert_int_equal(x11_plan_segment(&p, 4, 2, out, &n), 6);
	assert_int_equal(x11_plan_segment(&p, 6, 2, out, &n), 7);
	assert_int_equal(n, 1);
	assert_int_equal(x11_plan_segment(&p, 7, 2, out, &n), 7);
	assert_int_equal(n, 0);
	x11_plan_done(&p);
	x11_keymap_done(&m);
}

/* --- pixels --------------------------------------------------------------------------------- */

static void expect_rgb(struct pixel_format f, const uint8_t *data, uint32_t wanted)
{
	struct pixel_image img = { data, 8, 8, 1, 1, f };
	uint8_t rgb[3];
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(pixels_check(&img, &e), 0);
	pixels_row(&img, 0, rgb);
	assert_int_equal(rgb[0] << 16 | rgb[1] << 8 | rgb[2], wanted);
}

static void reads_pixels_of_all_servers(void **state)
{
	(void)state;
	const uint8_t d[8] = { 0x11, 0x22, 0x33, 0x44 };
	expect_rgb((struct pixel_format){ 4, false, 0xff0000, 0xff00, 0xff }, d, 0x332211);
	expect_rgb((struct pixel_format){ 4, true, 0xff0000, 0xff00, 0xff }, d, 0x223344);
	expect_rgb((struct pixel_format){ 4, false, 0xff, 0xff00, 0xff0000 }, d, 0x112233);
	expect_rgb((struct pixel_format){ 4, false, 0xff000000, 0xff0000, 0xff00 }, d, 0x443322);
	expect_rgb((struct pixel_format){ 3, false, 0xff0000, 0xff00, 0xff }, d, 0x332211);
	expect_rgb((struct pixel_format){ 3, true, 0xff0000, 0xff00, 0xff }, d, 0x112233);
	const uint8_t white565[8] = { 0xff, 0xff }, red565[8] = { 0x00, 0xf8 };
	expect_rgb((struct pixel_format){ 2, false, 0xf800, 0x7e0, 0x1f }, white565, 0xffffff);
	expect_rgb((struct pixel_format){ 2, false, 0xf800, 0x7e0, 0x1f }, red565, 0xff0000);
	const uint8_t white30[8] = { 0xff, 0xff, 0xff, 0x3f };
	expect_rgb((struct pixel_format){ 4, false, 0x3ff00000, 0xffc00, 0x3ff }, white30, 0xffffff);
}

static void refuses_pictures_that_are_too_short(void **state)
{
	(void)state;
	uint8_t d[64] = { 0 };
	const struct pixel_format rgb = { 4, false, 0xff0000, 0xff00, 0xff };
	const struct pixel_image bad[] = {
		{ d, 63, 32, 8, 2, rgb },
		{ d, 64, 28, 8, 2, rgb },
		{ d, 64, 32, 8, 2, { 1, false, 7, 0x38, 0xc0 } },
		{ d, 64, 32, 8, 2, { 4, false, 0, 0xff00, 0xff } },
	};
	auto_buf struct buf png;
	buf_init(&png, 65536);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		auto_error struct error e = ERROR_INIT;
		assert_true(pixels_to_png(&bad[i], &png, &e) < 0);
		assert_int_equal(png.len, 0);
	}
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf small;
	buf_init(&small, 20);
	assert_int_equal(pixels_to_png(&(struct pixel_image){ d, 64, 32, 8, 2, rgb }, &small, &e),
	                 -ERR_LIMIT_EXCEEDED);
}

static void writes_pictures_others_can_read(void **state)
{
	(void)state;
	enum { W = 37, H = 23 };
	static uint8_t d[W * H * 4];
	for (size_t i = 0; i < sizeof(d); i++)
		d[i] = (uint8_t)(i * 7 + i / 97);
	const struct pixel_image img = { d, sizeof(d), (size_t)W * 4,
		                             W, H,         { 4, false, 0xff0000, 0xff00, 0xff } };
	auto_buf struct buf png;
	buf_init(&png, 65536);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(pixels_to_png(&img, &png, &e), 0);
	png_image in = { .version = PNG_IMAGE_VERSION };
	assert_true(png_image_begin_read_from_memory(&in, png.data, png.len));
	in.format = PNG_FORMAT_RGB;
	assert_int_equal(in.width, W);
	assert_int_equal(in.height, H);
	uint8_t rgb[W * H * 3];
	assert_true(png_image_finish_read(&in, NULL, rgb, 0, NULL));
	for (size_t i = 0; i < (size_t)W * H; i++) {
		assert_int_equal(rgb[i * 3], d[i * 4 + 2]);
		assert_int_equal(rgb[i * 3 + 2], d[i * 4]);
	}
	uint64_t one = 0, other = 0;
	assert_int_equal(pixels_digest(&img, &one, &e), 0);
	d[sizeof(d) - 1] ^= 1;
	assert_int_equal(pixels_digest(&img, &other, &e), 0);
	assert_true(one != other);
}

/* --- near names ----------------------------------------------------------------------------- */

static void counts_edits(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		unsigned max, wanted;
	} cases[] = {
		{ "", "", 3, 0 },
		{ "abc", "abc", 3, 0 },
		{ "abc", "ABC", 3, 0 },
		{ "abc", "abd", 3, 1 },
		{ "abc", "ab", 3, 1 },
		{ "ab", "abc", 3, 1 },
		{ "abcd", "abdc", 3, 1 },
		{ "ctlr", "ctrl", 3, 1 },
		{ "kitten", "sitting", 3, 3 },
		{ "kitten", "xxxxxxx", 3, 4 },
		{ "", "abcd", 3, 4 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(near_distance(cases[i].a, cases[i].b, cases[i].max), cases[i].wanted);
	char longer[100];
	memset(longer, 'a', 99);
	longer[99] = '\0';
	assert_int_equal(near_distance(longer, "a", 2), 3);
}

static void offers_the_nearest_first(void **state)
{
	(void)state;
	struct near_names n = { .word = "galculatr" };
	static const char *const names[] = { "mousepad",   "Calculator",   "galculator",
		                                 "galculator", "galculatrice", "gal" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		near_offer(&n, names[i]);
	assert_int_equal(n.n, 3);
	assert_string_equal(n.name[0], "galculator");
	assert_string_equal(n.name[1], "Calculator");
	assert_string_equal(n.name[2], "galculatrice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_chords),
		cmocka_unit_test(names_the_nearest_to_an_unknown_key),
		cmocka_unit_test(plans_with_each_layout),
		cmocka_unit_test(prefers_the_active_group),
		cmocka_unit_test(a_letter_without_a_key_is_an_error_before_typing),
		cmocka_unit_test(cuts_plans_to_the_spare_keys),
		cmocka_unit_test(reads_pixels_of_all_servers),
		cmocka_unit_test(refuses_pictures_that_are_too_short),
		cmocka_unit_test(writes_pictures_others_can_read),
		cmocka_unit_test(counts_edits),
		cmocka_unit_test(offers_the_nearest_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
