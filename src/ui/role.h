/* Roles: what deft calls the things on a screen, whatever the platform calls them.
 * X(NAME, display name, container): the display name is printed in snapshots and accepted by
 * role= in selectors. Source of the display names: agent surface 4.3. */
#ifndef DEFT_UI_ROLE_H
#define DEFT_UI_ROLE_H

#include <stdbool.h>

/* clang-format off */
#define UI_ROLES(X) \
	X(OTHER, "other", false) \
	X(APPLICATION, "application", true)   X(WINDOW, "window", true)          X(DIALOG, "dialog", true) \
	X(ALERT, "alert", true)               X(SHEET, "sheet", true)            X(POPOVER, "popover", true) \
	X(GROUP, "group", true)               X(SCROLL_AREA, "scroll-area", true) X(LIST, "list", true) \
	X(COLLECTION, "collection", true)     X(TABLE, "table", true)            X(TREE, "tree", true) \
	X(ROW, "row", true)                   X(CELL, "cell", true)              X(LIST_ITEM, "list-item", true) \
	X(TREE_ITEM, "tree-item", true)       X(COLUMN_HEADER, "column-header", false) \
	X(TAB_BAR, "tab-bar", true)           X(TAB, "tab", false)               X(MENU_BAR, "menu-bar", true) \
	X(MENU, "menu", true)                 X(MENU_ITEM, "menu-item", false)   X(TOOLBAR, "toolbar", true) \
	X(NAVIGATION_BAR, "navigation-bar", true) X(STATUS_BAR, "status-bar", true) X(WEB_AREA, "web-area", true) \
	X(BUTTON, "button", false)            X(TOGGLE_BUTTON, "toggle-button", false) X(CHECK_BOX, "check-box", false) \
	X(RADIO_BUTTON, "radio-button", false) X(SWITCH, "switch", false)        X(LINK, "link", false) \
	X(TEXT, "text", false)                X(HEADING, "heading", false)       X(TEXT_FIELD, "text-field", false) \
	X(TEXT_VIEW, "text-view", false)      X(PASSWORD_FIELD, "password-field", false) X(SEARCH, "search", false) \
	X(TERMINAL, "terminal", false)        X(COMBO_BOX, "combo-box", true)    X(SLIDER, "slider", false) \
	X(SPIN_BUTTON, "spin-button", false)  X(STEPPER, "stepper", false)       X(RATING, "rating", false) \
	X(PICKER, "picker", false)            X(SEGMENTED_CONTROL, "segmented-control", true) \
	X(PROGRESS_BAR, "progress-bar", false) X(LEVEL_BAR, "level-bar", false)  X(SCROLL_BAR, "scroll-bar", false) \
	X(IMAGE, "image", false)              X(CANVAS, "canvas", false)         X(SEPARATOR, "separator", false) \
	X(TOOLTIP, "tooltip", false)          X(KEYBOARD, "keyboard", true)      X(KEY, "key", false)
/* clang-format on */

enum ui_role {
#define UI_ROLE_ENUM(name, display, container) UI_##name,
	UI_ROLES(UI_ROLE_ENUM)
#undef UI_ROLE_ENUM
	UI_ROLE_COUNT
};

const char *ui_role_name(enum ui_role r);
/* By display name; case, '-', '_' and blanks do not count; also the platform words of agent surface
 * 4.3 (edittext, statictext, imagebutton, pushbutton, …), with XCUIElementType or a Java package
 * before them. -1: unknown. */
int ui_role_from_name(const char *name);
/* By display name only, without the platform words. -1: none. */
int ui_role_from_display_name(const char *name);
/* Both are the same word for role=: compared as above, package and prefix left out. */
bool ui_type_equal(const char *a, const char *b);
bool ui_role_is_container(enum ui_role r);
/* Roles a person presses, types into or moves. */
bool ui_role_is_interactive(enum ui_role r);
bool ui_role_is_text_input(enum ui_role r);
/* Slider, spin button, stepper, rating, scroll bar, picker: what a value can be set on. */
bool ui_role_is_adjustable(enum ui_role r);
/* Check box, radio button, switch, toggle button: their answer is a state, not a text. */
bool ui_role_is_checkable(enum ui_role r);
/* Stands for its text only: text, heading, image, tooltip, separator, group, other. */
bool ui_role_is_plain(enum ui_role r);
/* Window, dialog, alert, sheet: a surface of its own, whose title heads a flat list. */
bool ui_role_is_surface(enum ui_role r);
/* Overlays that may cover what lies below: dialog, alert, sheet, popover, menu, bars, keyboard. */
bool ui_role_is_overlay(enum ui_role r);

#endif
