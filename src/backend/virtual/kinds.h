/* What a scene can be made of. One row a kind: the word in scene files, our role, the class name each
 * flavour shows, the height in points, and what it is by nature. docs/scenes.md lists the same. */
#ifndef DEFT_BACKEND_VIRTUAL_KINDS_H
#define DEFT_BACKEND_VIRTUAL_KINDS_H

#include "ui/role.h"

enum vd_flavour_id { VD_ANDROID, VD_IOS, VD_LINUX, VD_FLAVOURS };

enum vd_trait {
	VT_STACK = 1 << 0,    /* lays its children out below each other */
	VT_ROW = 1 << 1,      /* lays its children out beside each other */
	VT_SCROLLS = 1 << 2,  /* clips and scrolls its children */
	VT_PRESS = 1 << 3,    /* takes a press */
	VT_TEXT_IN = 1 << 4,  /* takes text */
	VT_CHECK = 1 << 5,    /* has a checked state that a press flips */
	VT_CONTROL = 1 << 6,  /* has a numeric value */
	VT_CHOICE = 1 << 7,   /* has options, one of them chosen */
	VT_ANIMATED = 1 << 8, /* looks different at every tick of the clock */
	VT_SECRET = 1 << 9,   /* its text is never shown */
	VT_MULTILINE = 1 << 10,
};

/* X(NAME, word, role, android class, ios type, linux role name, height, traits) */
/* clang-format off */
#define VD_KINDS(X) \
	X(COLUMN,   "column",   UI_GROUP,        "android.widget.LinearLayout", "Other", "panel", 0, VT_STACK) \
	X(CARD,     "card",     UI_GROUP,        "android.widget.FrameLayout", "Other", "panel", 0, VT_STACK) \
	X(ROW,      "row",      UI_GROUP,        "android.widget.LinearLayout", "Other", "panel", 0, VT_ROW) \
	X(SCROLL,   "scroll",   UI_SCROLL_AREA,  "android.widget.ScrollView", "ScrollView", "scroll pane", 240, VT_STACK | VT_SCROLLS) \
	X(LIST,     "list",     UI_LIST,         "androidx.recyclerview.widget.RecyclerView", "Table", "list", 320, VT_STACK | VT_SCROLLS) \
	X(ITEM,     "item",     UI_LIST_ITEM,    "android.view.ViewGroup", "Cell", "list item", 48, VT_PRESS) \
	X(HEADER,   "header",   UI_HEADING,      "android.widget.TextView", "StaticText", "heading", 32, 0) \
	X(TEXT,     "text",     UI_TEXT,         "android.widget.TextView", "StaticText", "label", 22, 0) \
	X(HEADING,  "heading",  UI_HEADING,      "android.widget.TextView", "StaticText", "heading", 36, 0) \
	X(LINK,     "link",     UI_LINK,         "android.widget.TextView", "Link", "link", 32, VT_PRESS) \
	X(BUTTON,   "button",   UI_BUTTON,       "android.widget.Button", "Button", "push button", 44, VT_PRESS) \
	X(FIELD,    "field",    UI_TEXT_FIELD,   "android.widget.EditText", "TextField", "entry", 48, VT_PRESS | VT_TEXT_IN) \
	X(SEARCH,   "search",   UI_SEARCH,       "android.widget.EditText", "SearchField", "entry", 44, VT_PRESS | VT_TEXT_IN) \
	X(PASSWORD, "password", UI_PASSWORD_FIELD, "android.widget.EditText", "SecureTextField", "password text", 48, VT_PRESS | VT_TEXT_IN | VT_SECRET) \
	X(AREA,     "area",     UI_TEXT_VIEW,    "android.widget.EditText", "TextView", "text", 96, VT_PRESS | VT_TEXT_IN | VT_MULTILINE) \
	X(DATE,     "date",     UI_PICKER,       "android.widget.DatePicker", "Picker", "date editor", 48, VT_PRESS | VT_TEXT_IN) \
	X(SWITCH,   "switch",   UI_SWITCH,       "android.widget.Switch", "Switch", "switch", 44, VT_PRESS | VT_CHECK) \
	X(CHECKBOX, "checkbox", UI_CHECK_BOX,    "android.widget.CheckBox", "CheckBox", "check box", 44, VT_PRESS | VT_CHECK) \
	X(RADIO,    "radio",    UI_RADIO_BUTTON, "android.widget.RadioButton", "Other", "radio button", 44, VT_PRESS | VT_CHECK) \
	X(SEGMENTS, "segments", UI_SEGMENTED_CONTROL, "android.widget.RadioGroup", "SegmentedControl", "page tab list", 40, VT_CHOICE) \
	X(DROPDOWN, "dropdown", UI_COMBO_BOX,    "android.widget.Spinner", "Button", "combo box", 48, VT_PRESS | VT_CHOICE) \
	X(SLIDER,   "slider",   UI_SLIDER,       "android.widget.SeekBar", "Slider", "slider", 48, VT_CONTROL) \
	X(STEPPER,  "stepper",  UI_STEPPER,      "android.widget.NumberPicker", "Stepper", "spin button", 48, VT_CONTROL) \
	X(RATING,   "rating",   UI_RATING,       "android.widget.RatingBar", "Other", "rating", 48, VT_CONTROL) \
	X(SPINNER,  "spinner",  UI_PROGRESS_BAR, "android.widget.ProgressBar", "Other", "progress bar", 40, VT_ANIMATED) \
	X(PROGRESS, "progress", UI_PROGRESS_BAR, "android.widget.ProgressBar", "Other", "progress bar", 24, 0) \
	X(IMAGE,    "image",    UI_IMAGE,        "android.widget.ImageView", "Image", "image", 120, 0) \
	X(DIVIDER,  "divider",  UI_SEPARATOR,    "android.view.View", "Other", "separator", 9, 0) \
	X(SPACE,    "space",    UI_OTHER,        "android.view.View", "Other", "filler", 16, 0) \
	X(TABS,     "tabs",     UI_TAB_BAR,      "android.widget.TabWidget", "TabBar", "page tab list", 56, VT_ROW) \
	X(TAB,      "tab",      UI_TAB,          "android.widget.TextView", "Button", "page tab", 56, VT_PRESS) \
	X(NAVBAR,   "navbar",   UI_NAVIGATION_BAR, "android.widget.Toolbar", "NavigationBar", "tool bar", 56, VT_ROW) \
	X(WEB,      "web",      UI_WEB_AREA,     "android.webkit.WebView", "Other", "document web", 0, VT_STACK) \
	X(SCREEN,   "screen",   UI_APPLICATION,  "android.widget.FrameLayout", "Application", "application", 0, VT_STACK) \
	X(BODY,     "body",     UI_SCROLL_AREA,  "android.widget.ScrollView", "ScrollView", "scroll pane", 0, VT_STACK | VT_SCROLLS) \
	X(ALERT,    "alert",    UI_ALERT,        "android.app.AlertDialog", "Alert", "alert", 0, VT_STACK) \
	X(SHEET,    "sheet",    UI_SHEET,        "android.widget.FrameLayout", "Sheet", "dialog", 0, VT_STACK) \
	X(POPUP,    "popup",    UI_MENU,         "android.widget.ListView", "Menu", "menu", 0, VT_STACK) \
	X(OPTION,   "option",   UI_MENU_ITEM,    "android.widget.CheckedTextView", "MenuItem", "menu item", 44, VT_PRESS) \
	X(KEYBOARD, "keyboard", UI_KEYBOARD,     "android.inputmethodservice.SoftInputWindow", "Keyboard", "panel", 0, 0)
/* clang-format on */

enum vd_kind {
#define VD_KIND_ENUM(name, word, role, android, ios, linux_, height, traits) VD_##name,
	VD_KINDS(VD_KIND_ENUM)
#undef VD_KIND_ENUM
	    VD_KIND_COUNT
};

struct vd_kind_info {
	const char *word;
	enum ui_role role;
	const char *type[VD_FLAVOURS];
	double height;   /* points; 0: as high as its children */
	unsigned traits; /* enum vd_trait */
};

const struct vd_kind_info *vd_kind_info(enum vd_kind kind);
/* -1: unknown. */
int vd_kind_from_word(const char *word);
/* Kinds that a scene file may name; the others are made by the device itself. */
int vd_kind_is_public(enum vd_kind kind);

/* How a device of a flavour looks and behaves. */
struct vd_flavour {
	enum vd_flavour_id id;
	const char *name;
	double width, height, scale; /* points; pixels per point */
	double status_bar, keyboard; /* heights; keyboard 0: none */
	int system_back;             /* a back that is not a button on the screen */
	const char *set_action, *increment_action, *decrement_action, *press_action;
};
const struct vd_flavour *vd_flavour(enum vd_flavour_id id);
const struct vd_flavour *vd_flavour_from_name(const char *name);

#endif
