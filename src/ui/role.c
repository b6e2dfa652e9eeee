#include "ui/role.h"

#include "base/cleanup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64 /* longer names are nobody's role */

enum trait {
	INTERACTIVE = 1u << 0,
	TEXT_INPUT = 1u << 1,
	ADJUSTABLE = 1u << 2,
	CHECKABLE = 1u << 3,
	OVERLAY = 1u << 4,
	PLAIN = 1u << 5,
	SURFACE = 1u << 6,
};

static const char *const display_names[] = {
#define DISPLAY(name, display, container) display,
	UI_ROLES(DISPLAY)
#undef DISPLAY
};

static const bool containers[] = {
#define FLAG(name, display, container) container,
	UI_ROLES(FLAG)
#undef FLAG
};

static const uint8_t traits[UI_ROLE_COUNT] = {
	[UI_OTHER] = PLAIN,
	[UI_WINDOW] = SURFACE,
	[UI_DIALOG] = SURFACE | OVERLAY,
	[UI_ALERT] = SURFACE | OVERLAY,
	[UI_SHEET] = SURFACE | OVERLAY,
	[UI_POPOVER] = OVERLAY,
	[UI_GROUP] = PLAIN,
	[UI_CELL] = INTERACTIVE,
	[UI_LIST_ITEM] = INTERACTIVE,
	[UI_TREE_ITEM] = INTERACTIVE,
	[UI_COLUMN_HEADER] = INTERACTIVE,
	[UI_TAB_BAR] = OVERLAY,
	[UI_TAB] = INTERACTIVE,
	[UI_MENU] = INTERACTIVE | OVERLAY,
	[UI_MENU_ITEM] = INTERACTIVE,
	[UI_TOOLBAR] = OVERLAY,
	[UI_NAVIGATION_BAR] = OVERLAY,
	[UI_BUTTON] = INTERACTIVE,
	[UI_TOGGLE_BUTTON] = INTERACTIVE | CHECKABLE,
	[UI_CHECK_BOX] = INTERACTIVE | CHECKABLE,
	[UI_RADIO_BUTTON] = INTERACTIVE | CHECKABLE,
	[UI_SWITCH] = INTERACTIVE | CHECKABLE,
	[UI_LINK] = INTERACTIVE,
	[UI_TEXT] = PLAIN,
	[UI_HEADING] = PLAIN,
	[UI_TEXT_FIELD] = INTERACTIVE | TEXT_INPUT,
	[UI_TEXT_VIEW] = INTERACTIVE | TEXT_INPUT,
	[UI_PASSWORD_FIELD] = INTERACTIVE | TEXT_INPUT,
	[UI_SEARCH] = INTERACTIVE | TEXT_INPUT,
	[UI_TERMINAL] = INTERACTIVE,
	[UI_COMBO_BOX] = INTERACTIVE,
	[UI_SLIDER] = INTERACTIVE | ADJUSTABLE,
	[UI_SPIN_BUTTON] = INTERACTIVE | ADJUSTABLE,
	[UI_STEPPER] = INTERACTIVE | ADJUSTABLE,
	[UI_RATING] = INTERACTIVE | ADJUSTABLE,
	[UI_PICKER] = INTERACTIVE | ADJUSTABLE,
	[UI_SEGMENTED_CONTROL] = INTERACTIVE,
	[UI_SCROLL_BAR] = ADJUSTABLE,
	[UI_IMAGE] = PLAIN,
	[UI_SEPARATOR] = PLAIN,
	[UI_TOOLTIP] = PLAIN,
	[UI_KEYBOARD] = OVERLAY,
	[UI_KEY] = INTERACTIVE,
};

/* Display names and what platforms call the same things, without '-', '_' and blanks, sorted.
 * Android's TextView is text, everybody else's is an editor: see from_java(). */
static const struct word {
	const char *word;
	enum ui_role role;
} words[] = {
	/* clang-format off */
	{ "alert", UI_ALERT }, { "alertdialog", UI_DIALOG }, { "animation", UI_IMAGE },
	{ "application", UI_APPLICATION }, { "autocompletetextview", UI_TEXT_FIELD },
	{ "button", UI_BUTTON }, { "canvas", UI_CANVAS }, { "caption", UI_TEXT },
	{ "cell", UI_CELL }, { "checkbox", UI_CHECK_BOX }, { "checkbutton", UI_CHECK_BOX },
	{ "checkedtextview", UI_TEXT }, { "checkmenuitem", UI_MENU_ITEM },
	{ "collection", UI_COLLECTION }, { "collectionview", UI_COLLECTION },
	{ "colorchooser", UI_DIALOG }, { "columnheader", UI_COLUMN_HEADER },
	{ "combobox", UI_COMBO_BOX }, { "datepicker", UI_PICKER }, { "dial", UI_SLIDER },
	{ "dialog", UI_DIALOG }, { "document", UI_WEB_AREA }, { "documentframe", UI_WEB_AREA },
	{ "documenttext", UI_TEXT_VIEW }, { "documentweb", UI_WEB_AREA },
	{ "drawingarea", UI_CANVAS }, { "dropdown", UI_COMBO_BOX }, { "edittext", UI_TEXT_FIELD },
	{ "embedded", UI_GROUP }, { "entry", UI_TEXT_FIELD }, { "filechooser", UI_DIALOG },
	{ "filler", UI_GROUP }, { "floatingactionbutton", UI_BUTTON }, { "fontchooser", UI_DIALOG },
	{ "form", UI_GROUP }, { "frame", UI_WINDOW }, { "grid", UI_TABLE },
	{ "gridview", UI_COLLECTION }, { "group", UI_GROUP }, { "grouping", UI_GROUP },
	{ "heading", UI_HEADING }, { "horizontalscrollview", UI_SCROLL_AREA }, { "icon", UI_IMAGE },
	{ "image", UI_IMAGE }, { "imagebutton", UI_BUTTON }, { "imageview", UI_IMAGE },
	{ "infobar", UI_STATUS_BAR }, { "internalframe", UI_WINDOW }, { "key", UI_KEY },
	{ "keyboard", UI_KEYBOARD }, { "label", UI_TEXT }, { "layeredpane", UI_GROUP },
	{ "levelbar", UI_LEVEL_BAR }, { "levelindicator", UI_LEVEL_BAR }, { "link", UI_LINK },
	{ "list", UI_LIST }, { "listbox", UI_LIST }, { "listitem", UI_LIST_ITEM },
	{ "listview", UI_LIST }, { "materialbutton", UI_BUTTON }, { "materialtextview", UI_TEXT },
	{ "menu", UI_MENU }, { "menubar", UI_MENU_BAR }, { "menuitem", UI_MENU_ITEM },
	{ "meter", UI_LEVEL_BAR }, { "multiautocompletetextview", UI_TEXT_FIELD },
	{ "navigationbar", UI_NAVIGATION_BAR }, { "nestedscrollview", UI_SCROLL_AREA },
	{ "notification", UI_ALERT }, { "numberpicker", UI_PICKER }, { "other", UI_OTHER },
	{ "pagetab", UI_TAB }, { "pagetablist", UI_TAB_BAR }, { "panel", UI_GROUP },
	{ "paragraph", UI_TEXT }, { "passwordfield", UI_PASSWORD_FIELD },
	{ "passwordtext", UI_PASSWORD_FIELD }, { "picker", UI_PICKER }, { "pickerwheel", UI_PICKER },
	{ "popover", UI_POPOVER }, { "popupbutton", UI_COMBO_BOX }, { "popupmenu", UI_MENU },
	{ "popupwindow", UI_POPOVER }, { "progressbar", UI_PROGRESS_BAR },
	{ "progressindicator", UI_PROGRESS_BAR }, { "pushbutton", UI_BUTTON },
	{ "pushbuttonmenu", UI_BUTTON }, { "radio", UI_RADIO_BUTTON },
	{ "radiobutton", UI_RADIO_BUTTON }, { "radiomenuitem", UI_MENU_ITEM },
	{ "rating", UI_RATING }, { "ratingbar", UI_RATING }, { "ratingindicator", UI_RATING },
	{ "recyclerview", UI_LIST }, { "row", UI_ROW }, { "scrollarea", UI_SCROLL_AREA },
	{ "scrollbar", UI_SCROLL_BAR }, { "scrollpane", UI_SCROLL_AREA },
	{ "scrollview", UI_SCROLL_AREA }, { "search", UI_SEARCH }, { "searchbox", UI_SEARCH },
	{ "searchfield", UI_SEARCH }, { "searchview", UI_SEARCH }, { "section", UI_GROUP },
	{ "securetextfield", UI_PASSWORD_FIELD }, { "seekbar", UI_SLIDER },
	{ "segmentedcontrol", UI_SEGMENTED_CONTROL }, { "separator", UI_SEPARATOR },
	{ "sheet", UI_SHEET }, { "slider", UI_SLIDER }, { "spinbox", UI_SPIN_BUTTON },
	{ "spinbutton", UI_SPIN_BUTTON }, { "spinner", UI_COMBO_BOX }, { "splitpane", UI_GROUP },
	{ "static", UI_TEXT }, { "statictext", UI_TEXT }, { "statusbar", UI_STATUS_BAR },
	{ "stepper", UI_STEPPER }, { "surfaceview", UI_CANVAS }, { "switch", UI_SWITCH },
	{ "switchcompat", UI_SWITCH }, { "tab", UI_TAB }, { "tabbar", UI_TAB_BAR },
	{ "tablayout", UI_TAB_BAR }, { "table", UI_TABLE }, { "tablecell", UI_CELL },
	{ "tablecolumnheader", UI_COLUMN_HEADER }, { "tablerow", UI_ROW }, { "tablist", UI_TAB_BAR },
	{ "tabwidget", UI_TAB_BAR }, { "tearoffmenuitem", UI_MENU_ITEM },
	{ "terminal", UI_TERMINAL }, { "text", UI_TEXT }, { "textarea", UI_TEXT_VIEW },
	{ "textbox", UI_TEXT_FIELD }, { "textfield", UI_TEXT_FIELD }, { "textureview", UI_CANVAS },
	{ "textview", UI_TEXT_VIEW }, { "timepicker", UI_PICKER },
	{ "togglebutton", UI_TOGGLE_BUTTON }, { "toolbar", UI_TOOLBAR }, { "tooltip", UI_TOOLTIP },
	{ "tree", UI_TREE }, { "treeitem", UI_TREE_ITEM }, { "treetable", UI_TABLE },
	{ "view", UI_GROUP }, { "viewgroup", UI_GROUP }, { "viewport", UI_GROUP },
	{ "webarea", UI_WEB_AREA }, { "webview", UI_WEB_AREA }, { "window", UI_WINDOW },
	/* clang-format on */
};

static int compare_word(const void *key, const void *row)
{
	return strcmp(key, ((const struct word *)row)->word);
}

/* Lower case without '-', '_' and blanks; false when it is longer than any role's name. */
static bool squeeze(const char *name, char out[WORD_MAX])
{
	size_t n = 0;
	for (; *name; name++) {
		if (*name == '-' || *name == '_' || *name == ' ')
			continue;
		if (n + 1 >= WORD_MAX)
			return false;
		out[n++] = *name >= 'A' && *name <= 'Z' ? (char)(*name + 'a' - 'A') : *name;
	}
	out[n] = '\0';
	return n > 0;
}

/* The last part of "android.widget.Button", "Outer$Inner" or "XCUIElementTypeButton". */
static const char *tail(const char *name, bool *ret_java)
{
	static const char prefix[] = "XCUIElementType";
	*ret_java = false;
	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0)
		return name + sizeof(prefix) - 1;
	for (const char *p = name; *p; p++) {
		if ((*p == '.' || *p == '$') && p[1]) {
			name = p + 1;
			*ret_java = true;
		}
	}
	return name;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && memcmp(s + n - m, end, m) == 0;
}

static bool from_java(const char *word, int *ret)
{
	if (strcmp(word, "textview") != 0 && strcmp(word, "appcompattextview") != 0)
		return false;
	*ret = UI_TEXT;
	return true;
}

int ui_role_from_name(const char *name)
{
	char word[WORD_MAX];
	bool java;
	int role;
	if (!name || !squeeze(tail(name, &java), word))
		return -1;
	if (java && from_java(word, &role))
		return role;
	const char *w = word;
	if (java && strncmp(w, "appcompat", 9) == 0) /* AppCompatButton is a Button */
		w += 9;
	const struct word *found = bsearch(w, words, ARRAY_SIZE(words), sizeof(words[0]), compare_word);
	if (found)
		return (int)found->role;
	return ends_with(w, "layout") ? UI_GROUP : -1;
}

int ui_role_from_display_name(const char *name)
{
	char word[WORD_MAX], display[WORD_MAX];
	if (!name || !squeeze(name, word))
		return -1;
	for (int r = 0; r < UI_ROLE_COUNT; r++) {
		if (squeeze(display_names[r], display) && strcmp(word, display) == 0)
			return r;
	}
	return -1;
}

bool ui_type_equal(const char *a, const char *b)
{
	char x[WORD_MAX], y[WORD_MAX];
	bool java;
	return a && b && squeeze(tail(a, &java), x) && squeeze(tail(b, &java), y) && strcmp(x, y) == 0;
}

const char *ui_role_name(enum ui_role r)
{
	return display_names[(unsigned)r < UI_ROLE_COUNT ? r : UI_OTHER];
}

bool ui_role_is_container(enum ui_role r)
{
	return containers[r];
}

bool ui_role_is_interactive(enum ui_role r)
{
	return (traits[r] & INTERACTIVE) != 0;
}

bool ui_role_is_text_input(enum ui_role r)
{
	return (traits[r] & TEXT_INPUT) != 0;
}

bool ui_role_is_adjustable(enum ui_role r)
{
	return (traits[r] & ADJUSTABLE) != 0;
}

bool ui_role_is_checkable(enum ui_role r)
{
	return (traits[r] & CHECKABLE) != 0;
}

bool ui_role_is_overlay(enum ui_role r)
{
	return (traits[r] & OVERLAY) != 0;
}

bool ui_role_is_plain(enum ui_role r)
{
	return (traits[r] & PLAIN) != 0;
}

bool ui_role_is_surface(enum ui_role r)
{
	return (traits[r] & SURFACE) != 0;
}
