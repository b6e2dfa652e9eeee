/* AT-SPI role numbers and states in our words. The number decides and not the name: toolkits and
 * versions disagree about names ("push button", "button"), hardly ever about numbers. */
#include "backend/atspi/app.h"

#include "base/cleanup.h"

#include <ctype.h>

struct role_row {
	const char *name;
	enum ui_role role;
};

/* By number, as in the AT-SPI role enumeration. */
static const struct role_row roles[] = {
	[0] = { "invalid", UI_OTHER },
	[1] = { "accelerator label", UI_TEXT },
	[2] = { "alert", UI_ALERT },
	[3] = { "animation", UI_IMAGE },
	[4] = { "arrow", UI_BUTTON },
	[5] = { "calendar", UI_GROUP },
	[6] = { "canvas", UI_CANVAS },
	[7] = { "check box", UI_CHECK_BOX },
	[8] = { "check menu item", UI_MENU_ITEM },
	[9] = { "color chooser", UI_DIALOG },
	[10] = { "column header", UI_COLUMN_HEADER },
	[11] = { "combo box", UI_COMBO_BOX },
	[12] = { "date editor", UI_PICKER },
	[13] = { "desktop icon", UI_IMAGE },
	[14] = { "desktop frame", UI_GROUP },
	[15] = { "dial", UI_SLIDER },
	[16] = { "dialog", UI_DIALOG },
	[17] = { "directory pane", UI_GROUP },
	[18] = { "drawing area", UI_CANVAS },
	[19] = { "file chooser", UI_DIALOG },
	[20] = { "filler", UI_GROUP },
	[21] = { "focus traversable", UI_OTHER },
	[22] = { "font chooser", UI_DIALOG },
	[23] = { "frame", UI_WINDOW },
	[24] = { "glass pane", UI_GROUP },
	[25] = { "html container", UI_WEB_AREA },
	[26] = { "icon", UI_IMAGE },
	[27] = { "image", UI_IMAGE },
	[28] = { "internal frame", UI_WINDOW },
	[29] = { "label", UI_TEXT },
	[30] = { "layered pane", UI_GROUP },
	[31] = { "list", UI_LIST },
	[32] = { "list item", UI_LIST_ITEM },
	[33] = { "menu", UI_MENU },
	[34] = { "menu bar", UI_MENU_BAR },
	[35] = { "menu item", UI_MENU_ITEM },
	[36] = { "option pane", UI_GROUP },
	[37] = { "page tab", UI_TAB },
	[38] = { "page tab list", UI_TAB_BAR },
	[39] = { "panel", UI_GROUP },
	[40] = { "password text", UI_PASSWORD_FIELD },
	[41] = { "popup menu", UI_MENU },
	[42] = { "progress bar", UI_PROGRESS_BAR },
	[43] = { "button", UI_BUTTON },
	[44] = { "radio button", UI_RADIO_BUTTON },
	[45] = { "radio menu item", UI_MENU_ITEM },
	[46] = { "root pane", UI_GROUP },
	[47] = { "row header", UI_CELL },
	[48] = { "scroll bar", UI_SCROLL_BAR },
	[49] = { "scroll pane", UI_SCROLL_AREA },
	[50] = { "separator", UI_SEPARATOR },
	[51] = { "slider", UI_SLIDER },
	[52] = { "spin button", UI_SPIN_BUTTON },
	[53] = { "split pane", UI_GROUP },
	[54] = { "status bar", UI_STATUS_BAR },
	[55] = { "table", UI_TABLE },
	[56] = { "table cell", UI_CELL },
	[57] = { "table column header", UI_COLUMN_HEADER },
	[58] = { "table row header", UI_CELL },
	[59] = { "tearoff menu item", UI_MENU_ITEM },
	[60] = { "terminal", UI_TERMINAL },
	[61] = { "text", UI_TEXT_FIELD },
	[62] = { "toggle button", UI_TOGGLE_BUTTON },
	[63] = { "tool bar", UI_TOOLBAR },
	[64] = { "tool tip", UI_TOOLTIP },
	[65] = { "tree", UI_TREE },
	[66] = { "tree table", UI_TREE },
	[67] = { "unknown", UI_OTHER },
	[68] = { "viewport", UI_GROUP },
	[69] = { "window", UI_WINDOW },
	[70] = { "extended", UI_OTHER },
	[71] = { "header", UI_GROUP },
	[72] = { "footer", UI_GROUP },
	[73] = { "paragraph", UI_TEXT },
	[74] = { "ruler", UI_OTHER },
	[75] = { "application", UI_APPLICATION },
	[76] = { "autocomplete", UI_TEXT_FIELD },
	[77] = { "edit bar", UI_TEXT_FIELD },
	[78] = { "embedded", UI_GROUP },
	[79] = { "entry", UI_TEXT_FIELD },
	[80] = { "chart", UI_IMAGE },
	[81] = { "caption", UI_TEXT },
	[82] = { "document frame", UI_WEB_AREA },
	[83] = { "heading", UI_HEADING },
	[84] = { "page", UI_GROUP },
	[85] = { "section", UI_GROUP },
	[86] = { "redundant object", UI_OTHER },
	[87] = { "form", UI_GROUP },
	[88] = { "link", UI_LINK },
	[89] = { "input method window", UI_WINDOW },
	[90] = { "table row", UI_ROW },
	[91] = { "tree item", UI_TREE_ITEM },
	[92] = { "document spreadsheet", UI_TABLE },
	[93] = { "document presentation", UI_GROUP },
	[94] = { "document text", UI_TEXT_VIEW },
	[95] = { "document web", UI_WEB_AREA },
	[96] = { "document email", UI_GROUP },
	[97] = { "comment", UI_GROUP },
	[98] = { "list box", UI_LIST },
	[99] = { "grouping", UI_GROUP },
	[100] = { "image map", UI_IMAGE },
	[101] = { "notification", UI_ALERT },
	[102] = { "info bar", UI_STATUS_BAR },
	[103] = { "level bar", UI_LEVEL_BAR },
	[104] = { "title bar", UI_GROUP },
	[105] = { "block quote", UI_GROUP },
	[106] = { "audio", UI_OTHER },
	[107] = { "video", UI_IMAGE },
	[108] = { "definition", UI_TEXT },
	[109] = { "article", UI_GROUP },
	[110] = { "landmark", UI_GROUP },
	[111] = { "log", UI_GROUP },
	[112] = { "marquee", UI_TEXT },
	[113] = { "math", UI_TEXT },
	[114] = { "rating", UI_RATING },
	[115] = { "timer", UI_TEXT },
	[116] = { "static", UI_TEXT },
	[117] = { "math fraction", UI_TEXT },
	[118] = { "math root", UI_TEXT },
	[119] = { "subscript", UI_TEXT },
	[120] = { "superscript", UI_TEXT },
	[121] = { "description list", UI_LIST },
	[122] = { "description term", UI_TEXT },
	[123] = { "description value", UI_TEXT },
	[124] = { "footnote", UI_TEXT },
	[125] = { "content deletion", UI_GROUP },
	[126] = { "content insertion", UI_GROUP },
	[127] = { "mark", UI_GROUP },
	[128] = { "suggestion", UI_GROUP },
	[129] = { "push button menu", UI_BUTTON },
	[130] = { "switch", UI_SWITCH },
};

const char *atspi_role_name(uint32_t role)
{
	return role < ARRAY_SIZE(roles) ? roles[role].name : "unknown";
}

bool atspi_role_needs_name(uint32_t role)
{
	return role == 0 || role == 67 || role == ATSPI_ROLE_EXTENDED || role >= ARRAY_SIZE(roles);
}

enum ui_role atspi_role_to_ui(uint32_t role, const char *name, uint64_t states)
{
	if (atspi_role_needs_name(role)) {
		int known = name && *name ? ui_role_from_name(name) : -1;

		return known >= 0 ? (enum ui_role)known : UI_OTHER;
	}
	if (role == ATSPI_ROLE_TEXT) {
		/* One number for entry, editor and a piece of text. */
		if (atspi_state(states, ATSPI_STATE_MULTI_LINE))
			return UI_TEXT_VIEW;
		if (!atspi_state(states, ATSPI_STATE_EDITABLE) &&
		    !atspi_state(states, ATSPI_STATE_FOCUSABLE))
			return UI_TEXT;
	}
	return roles[role].role;
}

bool atspi_role_is_menu(uint32_t role)
{
	return role == 33 || role == 41 || role == 64;
}

bool atspi_opens_over(uint32_t role, uint32_t parent_role)
{
	return atspi_role_is_menu(role) ||
	       (parent_role == ATSPI_ROLE_COMBO_BOX && (role == 31 || role == 98 || role == 69));
}

enum ui_role atspi_popup_role(enum atspi_toolkit toolkit, uint32_t role, uint64_t states,
                              enum ui_role ui_role)
{
	bool row = toolkit == ATSPI_TOOLKIT_GTK4 && role == ATSPI_ROLE_FILLER &&
	           atspi_state(states, ATSPI_STATE_FOCUSABLE);

	return row ? UI_LIST_ITEM : ui_role;
}

enum ui_role atspi_top_level_role(enum ui_role role)
{
	return role == UI_GROUP || role == UI_OTHER ? UI_WINDOW : role;
}

static const struct {
	enum atspi_state_bit bit;
	uint32_t flag;
} state_flags[] = {
	{ ATSPI_STATE_ENABLED, UI_ENABLED },      { ATSPI_STATE_SENSITIVE, UI_ENABLED },
	{ ATSPI_STATE_FOCUSED, UI_FOCUSED },      { ATSPI_STATE_FOCUSABLE, UI_FOCUSABLE },
	{ ATSPI_STATE_SELECTED, UI_SELECTED },    { ATSPI_STATE_CHECKED, UI_CHECKED },
	{ ATSPI_STATE_CHECKABLE, UI_CHECKABLE },  { ATSPI_STATE_EDITABLE, UI_EDITABLE },
	{ ATSPI_STATE_EXPANDED, UI_EXPANDED },    { ATSPI_STATE_EXPANDABLE, UI_EXPANDABLE },
	{ ATSPI_STATE_MODAL, UI_MODAL },          { ATSPI_STATE_READ_ONLY, UI_READ_ONLY },
	{ ATSPI_STATE_MULTI_LINE, UI_MULTILINE }, { ATSPI_STATE_INDETERMINATE, UI_MIXED },
};

static bool checkable(uint32_t role, enum ui_role ui_role)
{
	return ui_role == UI_CHECK_BOX || ui_role == UI_RADIO_BUTTON || ui_role == UI_SWITCH ||
	       ui_role == UI_TOGGLE_BUTTON || role == 8 || role == 45;
}

uint32_t atspi_flags(uint64_t states, uint32_t role, enum ui_role ui_role)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(state_flags); i++)
		if (atspi_state(states, state_flags[i].bit))
			flags |= state_flags[i].flag;
	if (checkable(role, ui_role))
		flags |= UI_CHECKABLE;
	/* GTK 4 shows a toggle button as a button; only while it is down it can be told. */
	if ((ui_role == UI_TOGGLE_BUTTON || ui_role == UI_BUTTON) &&
	    atspi_state(states, ATSPI_STATE_PRESSED))
		flags |= UI_CHECKED | UI_CHECKABLE;
	if (role == ATSPI_ROLE_PASSWORD)
		flags |= UI_PASSWORD;
	if (ui_role == UI_SCROLL_AREA)
		flags |= UI_SCROLLABLE;
	/* A row can be ACTIVE too; ours says: the window that has the keyboard. */
	if ((ui_role == UI_WINDOW || ui_role == UI_DIALOG || ui_role == UI_ALERT) &&
	    atspi_state(states, ATSPI_STATE_ACTIVE) && atspi_state(states, ATSPI_STATE_SHOWING))
		flags |= UI_ACTIVE;
	if (!atspi_state(states, ATSPI_STATE_EXPANDABLE) && atspi_state(states, ATSPI_STATE_EXPANDED))
		flags |= UI_EXPANDABLE;
	return flags;
}

bool atspi_name_is_class(const char *name)
{
	static const char *const prefixes[] = {
		"Gtk", "Adw", "Hdy", "Vte", "Gdk", "Shumate", "WebKit"
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t n = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], n) != 0 || !isupper((unsigned char)name[n]))
			continue;
		while (isalnum((unsigned char)name[n]))
			n++;
		return name[n] == '\0';
	}
	return false;
}
