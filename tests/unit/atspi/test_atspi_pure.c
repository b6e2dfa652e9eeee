/* Handles, roles, states, labels, places: what needs no bus. */
#include "atspi_fixture.h"

#include "backend/atspi/tree.h"
#include "backend/atspi/x11.h"

#include <string.h>

/* --- handles ---------------------------------------------------------------------------------- */

static const struct atspi_handle sample = {
	"0123456789abcdef", ":1.27", 43, 0xdeadbeef, "/org/a11y/atspi/accessible/249",
};

static void test_handle_round_trip(void **state)
{
	struct atspi_handle h;
	auto_buf struct buf text;

	buf_init(&text, 512);
	assert_int_equal(atspi_handle_format(&sample, &text), 0);
	assert_int_equal(atspi_handle_parse(text.data, &h, NULL), 0);
	assert_string_equal(h.bus_id, sample.bus_id);
	assert_string_equal(h.bus, sample.bus);
	assert_string_equal(h.path, sample.path);
	assert_int_equal(h.role, sample.role);
	assert_int_equal(h.parent_hash, sample.parent_hash);
}

static void test_handle_refuses_what_it_did_not_make(void **state)
{
	static const char *const bad[] = {
		"",
		"1",
		"1|a|:1.2|43|deadbeef",
		"2|a|:1.2|43|deadbeef|/a",
		"1|a|:1.2|-1|deadbeef|/a",
		"1|a|:1.2|99999999|deadbeef|/a",
		"1|a|:1.2|43|deadbee|/a",
		"1|a|:1.2|43|DEADBEEF|/a",
		"1|a|org.example.Name|43|deadbeef|/a",
		"1|a|:1.2|43|deadbeef|a",
		"1|a|:1.2|43|deadbeef|/a b",
		"1|a|:1.2|43|deadbeef|/a|b",
		"1|0123456789abcdef0|:1.2|43|deadbeef|/a",
	};
	struct atspi_handle h = { .role = 7 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(atspi_handle_parse(bad[i], &h, NULL), -ERR_INVALID_ARGS);
	assert_int_equal(h.role, 7);
}

static void test_handle_refuses_long_parts(void **state)
{
	struct atspi_handle h;
	auto_buf struct buf text;

	buf_init(&text, 1024);
	buf_adds(&text, "1|a|:1.2|43|deadbeef|/");
	buf_fill(&text, 'p', sizeof(h.path));
	assert_int_equal(atspi_handle_parse(text.data, &h, NULL), -ERR_INVALID_ARGS);
}

/* --- roles and states ------------------------------------------------------------------------- */

static void test_role_number_decides(void **state)
{
	assert_int_equal(atspi_role_to_ui(43, "button", 0), UI_BUTTON);
	assert_int_equal(atspi_role_to_ui(43, "push button", 0), UI_BUTTON);
	assert_int_equal(atspi_role_to_ui(43, "slider", 0), UI_BUTTON);
	assert_string_equal(atspi_role_name(43), "button");
	assert_int_equal(atspi_role_to_ui(15, NULL, 0), UI_SLIDER);
	assert_int_equal(atspi_role_to_ui(40, "text", 0), UI_PASSWORD_FIELD);
	assert_int_equal(atspi_role_to_ui(130, NULL, 0), UI_SWITCH);
}

static void test_role_name_only_where_the_number_says_nothing(void **state)
{
	assert_int_equal(atspi_role_to_ui(0, "button", 0), UI_BUTTON);
	assert_int_equal(atspi_role_to_ui(70, "check box", 0), UI_CHECK_BOX);
	assert_int_equal(atspi_role_to_ui(67, NULL, 0), UI_OTHER);
	assert_int_equal(atspi_role_to_ui(70, "no such thing", 0), UI_OTHER);
	assert_int_equal(atspi_role_to_ui(100000, "link", 0), UI_LINK);
	assert_string_equal(atspi_role_name(100000), "unknown");
}

static void test_text_is_three_things(void **state)
{
	assert_int_equal(atspi_role_to_ui(61, NULL, S(EDITABLE)), UI_TEXT_FIELD);
	assert_int_equal(atspi_role_to_ui(61, NULL, S(FOCUSABLE)), UI_TEXT_FIELD);
	assert_int_equal(atspi_role_to_ui(61, NULL, S(EDITABLE) | S(MULTI_LINE)), UI_TEXT_VIEW);
	assert_int_equal(atspi_role_to_ui(61, NULL, 0), UI_TEXT);
}

static void test_enabled_or_sensitive(void **state)
{
	assert_true(atspi_flags(S(SENSITIVE), 43, UI_BUTTON) & UI_ENABLED);
	assert_true(atspi_flags(S(ENABLED), 43, UI_BUTTON) & UI_ENABLED);
	assert_false(atspi_flags(S(VISIBLE), 43, UI_BUTTON) & UI_ENABLED);
}

static void test_active_needs_showing(void **state)
{
	assert_true(atspi_flags(S(ACTIVE) | S(SHOWING), 23, UI_WINDOW) & UI_ACTIVE);
	assert_false(atspi_flags(S(ACTIVE), 23, UI_WINDOW) & UI_ACTIVE);
	assert_false(atspi_flags(S(ACTIVE) | S(SHOWING), 32, UI_LIST_ITEM) & UI_ACTIVE);
}

static void test_toggle_is_checked_when_pressed(void **state)
{
	uint32_t flags = atspi_flags(S(PRESSED), 62, UI_TOGGLE_BUTTON);

	assert_true(flags & UI_CHECKED);
	assert_true(flags & UI_CHECKABLE);
}

/* --- labels ----------------------------------------------------------------------------------- */

static void test_class_names_are_no_labels(void **state)
{
	assert_true(atspi_name_is_class("GtkScale"));
	assert_true(atspi_name_is_class("AdwSwitchRow"));
	assert_false(atspi_name_is_class("Gtk"));
	assert_false(atspi_name_is_class("Gtk Demo"));
	assert_false(atspi_name_is_class("Gtkscale"));
	assert_null(atspi_name(ATSPI_TOOLKIT_GTK4, "GtkScale"));
	assert_string_equal(atspi_name(ATSPI_TOOLKIT_GTK3, "GtkScale"), "GtkScale");
	assert_null(atspi_name(ATSPI_TOOLKIT_QT, " \t"));
}

static void test_label_order(void **state)
{
	struct atspi_texts t = { "Name", "Related", "Description", "Text" };

	assert_string_equal(atspi_label(ATSPI_TOOLKIT_GTK3, UI_SLIDER, &t), "Name");
	/* A GTK 3 combo box is named by what it shows. */
	assert_string_equal(atspi_label(ATSPI_TOOLKIT_GTK3, UI_COMBO_BOX, &t), "Related");
	t.name = "";
	assert_string_equal(atspi_label(ATSPI_TOOLKIT_GTK3, UI_SLIDER, &t), "Related");
	t.related = NULL;
	assert_string_equal(atspi_label(ATSPI_TOOLKIT_GTK3, UI_BUTTON, &t), "Description");
	assert_string_equal(atspi_label(ATSPI_TOOLKIT_GTK3, UI_TEXT, &t), "Text");
	assert_null(atspi_label(ATSPI_TOOLKIT_GTK3, UI_GROUP, &t));
}

/* --- places ----------------------------------------------------------------------------------- */

static void test_sentinels_are_no_places(void **state)
{
	static const struct tree_extents bad[] = {
		{ INT32_MIN, INT32_MIN, 1, 1 },
		{ INT32_MIN, INT32_MIN, -1, -1 },
		{ 0, 0, 0, 0 },
		{ 10, 10, INT32_MAX, 20 },
		{ 10, 10, 20, -1 },
		{ INT32_MAX, 0, 5, 5 },
		{ 10, 10, INT32_MAX, INT32_MAX },
		{ INT32_MIN, 10, 20, 20 },
		{ 10, INT32_MIN, 20, 20 },
	};
	struct tree_place p = { PLACE_SCREEN, 1, 0, 0 };
	struct ui_rect r = { 1, 2, 3, 4 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(place_rect(&p, &bad[i], &r));
	assert_true(r.x == 1 && r.height == 4);
}

static void test_window_place_is_added(void **state)
{
	struct tree_place p = { PLACE_WINDOW, 1, 137, 41 };
	struct tree_extents x = { 17, 5, 266, 24 };
	struct ui_rect r;

	assert_true(place_rect(&p, &x, &r));
	assert_true(r.x == 154 && r.y == 46 && r.width == 266 && r.height == 24);
	/* Extents (32,23,40,20) at scale 2: a click in the middle goes to (104,66). */
	p = (struct tree_place){ PLACE_SCREEN, 2, 0, 0 };
	x = (struct tree_extents){ 32, 23, 40, 20 };
	assert_true(place_rect(&p, &x, &r));
	assert_true(r.x + r.width / 2 == 104 && r.y + r.height / 2 == 66);
	p.kind = PLACE_UNKNOWN;
	assert_false(place_rect(&p, &x, &r));
}

static void test_only_gtk4_is_asked_for_window_coordinates(void **state)
{
	assert_int_equal(place_coord_type(ATSPI_TOOLKIT_GTK4), 1);
	assert_int_equal(place_coord_type(ATSPI_TOOLKIT_GTK3), 0);
	assert_int_equal(place_coord_type(ATSPI_TOOLKIT_QT), 0);
	assert_int_equal(place_coord_type(ATSPI_TOOLKIT_CHROMIUM), 0);
	assert_int_equal(atspi_toolkit_from_name("gtk"), ATSPI_TOOLKIT_GTK3);
	assert_int_equal(atspi_toolkit_from_name("GTK"), ATSPI_TOOLKIT_GTK4);
	assert_int_equal(atspi_toolkit_from_name("gTK"), ATSPI_TOOLKIT_OTHER);
}

/* --- popovers of GTK 4 ------------------------------------------------------------------------ */

/* Numbers of a real drop-down: the popover says (12, 18, 402, 184) below its button at (12, 12), and its
 * window stands at (759, 471). */
static void test_popover_has_the_place_of_its_own_window(void **state)
{
	struct x11_window windows[] = {
		{ .id = 9,
		  .pid = 8,
		  .client = { 0, 0, 402, 190 },
		  .override_redirect = true,
		  .viewable = true },
		{ .id = 7,
		  .pid = 5,
		  .client = { 759, 471, 402, 190 },
		  .override_redirect = true,
		  .viewable = true },
		{ .id = 6,
		  .pid = 5,
		  .client = { 9, 9, 402, 190 },
		  .override_redirect = true }, /* not shown */
		{ .id = 4, .pid = 5, .client = { 750, 427, 420, 360 }, .viewable = true },
	};
	struct place_desk desk = { .asked = true, .windows = windows, .n = 4 };
	struct atspi_peer peer = { .toolkit = ATSPI_TOOLKIT_GTK4, .pid = 5, .scale = 1 };
	const struct tree_extents up = { 12, 12, 396, 34 }, popover = { 12, 18, 402, 184 },
	                          row = { 24, 101, 378, 16 }, other = { 16, 21, 394, 176 };
	const struct tree_place window = {
		.kind = PLACE_WINDOW, .scale = 1, .dx = 750, .dy = 427, .window = 4
	};
	struct tree_place place = window;
	struct ui_rect rect;

	assert_false(place_of_popup(&desk, &peer, &other, &up, &place));
	assert_int_equal(place.window, 4);
	assert_true(place_of_popup(&desk, &peer, &popover, &up, &place));
	assert_int_equal(place.window, 7);
	assert_true(place_rect(&place, &row, &rect));
	assert_true(rect.x == 771 && rect.y == 560);
	/* What is in it is not looked for in the same window again. */
	assert_false(place_of_popup(&desk, &peer, &popover, &up, &place));
	/* Another one of its size: no place rather than the wrong one. */
	windows[2].viewable = true;
	place = window;
	assert_true(place_of_popup(&desk, &peer, &popover, &up, &place));
	assert_int_equal(place.kind, PLACE_UNKNOWN);
	assert_non_null(strstr(place.why, "look the same"));
	peer.toolkit = ATSPI_TOOLKIT_QT;
	assert_false(place_of_popup(&desk, &peer, &popover, &up, &place));
}

static void test_popover_scaled(void **state)
{
	struct x11_window windows[] = {
		{ .id = 7,
		  .pid = 5,
		  .client = { 100, 200, 804, 380 },
		  .override_redirect = true,
		  .viewable = true },
	};
	struct place_desk desk = { .asked = true, .windows = windows, .n = 1 };
	struct atspi_peer peer = { .toolkit = ATSPI_TOOLKIT_GTK4, .pid = 5, .scale = 2 };
	const struct tree_extents up = { 12, 12, 396, 34 }, popover = { 12, 18, 402, 184 };
	struct tree_place place = { .kind = PLACE_WINDOW, .scale = 2 };
	struct ui_rect rect;

	assert_true(place_of_popup(&desk, &peer, &popover, &up, &place));
	assert_true(place_rect(&place, &popover, &rect));
	assert_true(rect.x == 100 && rect.y == 212 && rect.width == 804);
}

static void test_what_opens_over_a_window(void **state)
{
	assert_true(atspi_opens_over(33, 0));
	assert_true(atspi_opens_over(31, ATSPI_ROLE_COMBO_BOX));
	assert_false(atspi_opens_over(31, 39));
	assert_int_equal(
	    atspi_popup_role(ATSPI_TOOLKIT_GTK4, ATSPI_ROLE_FILLER, S(FOCUSABLE), UI_GROUP),
	    UI_LIST_ITEM);
	assert_int_equal(atspi_popup_role(ATSPI_TOOLKIT_GTK4, ATSPI_ROLE_FILLER, 0, UI_GROUP),
	                 UI_GROUP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handle_round_trip),
		cmocka_unit_test(test_handle_refuses_what_it_did_not_make),
		cmocka_unit_test(test_handle_refuses_long_parts),
		cmocka_unit_test(test_role_number_decides),
		cmocka_unit_test(test_role_name_only_where_the_number_says_nothing),
		cmocka_unit_test(test_text_is_three_things),
		cmocka_unit_test(test_enabled_or_sensitive),
		cmocka_unit_test(test_active_needs_showing),
		cmocka_unit_test(test_toggle_is_checked_when_pressed),
		cmocka_unit_test(test_class_names_are_no_labels),
		cmocka_unit_test(test_label_order),
		cmocka_unit_test(test_sentinels_are_no_places),
		cmocka_unit_test(test_window_place_is_added),
		cmocka_unit_test(test_only_gtk4_is_asked_for_window_coordinates),
		cmocka_unit_test(test_popover_has_the_place_of_its_own_window),
		cmocka_unit_test(test_popover_scaled),
		cmocka_unit_test(test_what_opens_over_a_window),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
