#include "base/cleanup.h"
#include "ui/role.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The look-up is a binary search over hand-sorted words: every display name has to be found. */
static void every_display_name_reads_back(void **state)
{
	(void)state;
	for (int r = 0; r < UI_ROLE_COUNT; r++) {
		const char *name = ui_role_name((enum ui_role)r);
		assert_int_equal(ui_role_from_name(name), r);
		assert_int_equal(ui_role_from_display_name(name), r);
	}
}

static void platform_words(void **state)
{
	(void)state;
	static const struct {
		const char *word;
		int role;
	} table[] = {
		{ "push button", UI_BUTTON },
		{ "pushbutton", UI_BUTTON },
		{ "ImageButton", UI_BUTTON },
		{ "android.widget.Button", UI_BUTTON },
		{ "androidx.appcompat.widget.AppCompatButton", UI_BUTTON },
		{ "XCUIElementTypeButton", UI_BUTTON },
		{ "StaticText", UI_TEXT },
		{ "android.widget.CheckedTextView", UI_TEXT },
		{ "android.widget.TextView", UI_TEXT },
		{ "XCUIElementTypeTextView", UI_TEXT_VIEW },
		{ "TextView", UI_TEXT_VIEW },
		{ "textarea", UI_TEXT_VIEW },
		{ "android.widget.EditText", UI_TEXT_FIELD },
		{ "TextField", UI_TEXT_FIELD },
		{ "SecureTextField", UI_PASSWORD_FIELD },
		{ "password text", UI_PASSWORD_FIELD },
		{ "android.widget.LinearLayout", UI_GROUP },
		{ "androidx.constraintlayout.widget.ConstraintLayout", UI_GROUP },
		{ "android.view.ViewGroup", UI_GROUP },
		{ "android.view.View", UI_GROUP },
		{ "androidx.recyclerview.widget.RecyclerView", UI_LIST },
		{ "ListView", UI_LIST },
		{ "CollectionView", UI_COLLECTION },
		{ "SearchField", UI_SEARCH },
		{ "search box", UI_SEARCH },
		{ "NestedScrollView", UI_SCROLL_AREA },
		{ "scroll pane", UI_SCROLL_AREA },
		{ "page tab list", UI_TAB_BAR },
		{ "menu item", UI_MENU_ITEM },
		{ "check menu item", UI_MENU_ITEM },
		{ "android.widget.SeekBar", UI_SLIDER },
		{ "android.widget.RatingBar", UI_RATING },
		{ "android.widget.NumberPicker", UI_PICKER },
		{ "spin box", UI_SPIN_BUTTON },
		{ "level_bar", UI_LEVEL_BAR },
		{ "frame", UI_WINDOW },
		{ "com.example.Outer$Switch", UI_SWITCH },
		{ "", -1 },
		{ " - ", -1 },
		{ "com.example.Größe", -1 },
		{ "Element(99)", -1 },
		{ NULL, -1 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (ui_role_from_name(table[i].word) != table[i].role)
			fail_msg("%s", table[i].word ? table[i].word : "NULL");
	}
}

static void overlong_names_are_unknown(void **state)
{
	(void)state;
	char name[5000];
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(ui_role_from_name(name), -1);
	assert_false(ui_type_equal(name, name));
}

static void types_compare_without_package(void **state)
{
	(void)state;
	assert_true(ui_type_equal("edittext", "android.widget.EditText"));
	assert_true(ui_type_equal("Push-Button", "push button"));
	assert_false(ui_type_equal("button", "android.widget.ImageButton"));
	assert_false(ui_type_equal("button", NULL));
	assert_false(ui_type_equal("", ""));
}

static void kinds_of_roles(void **state)
{
	(void)state;
	assert_true(ui_role_is_interactive(UI_BUTTON));
	assert_false(ui_role_is_interactive(UI_TEXT));
	assert_true(ui_role_is_text_input(UI_PASSWORD_FIELD));
	assert_false(ui_role_is_text_input(UI_BUTTON));
	assert_true(ui_role_is_adjustable(UI_SCROLL_BAR));
	assert_false(ui_role_is_adjustable(UI_PROGRESS_BAR));
	assert_true(ui_role_is_overlay(UI_DIALOG));
	assert_false(ui_role_is_overlay(UI_WINDOW));
	assert_true(ui_role_is_container(UI_GROUP));
	assert_true(ui_role_is_checkable(UI_SWITCH));
	assert_true(ui_role_is_surface(UI_WINDOW));
	assert_true(ui_role_is_plain(UI_IMAGE));
	assert_string_equal(ui_role_name((enum ui_role)9999), "other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_display_name_reads_back),
		cmocka_unit_test(platform_words),
		cmocka_unit_test(overlong_names_are_unknown),
		cmocka_unit_test(types_compare_without_package),
		cmocka_unit_test(kinds_of_roles),
	};
	return cmocka_run_group_tests_name("role", tests, NULL, NULL);
}
