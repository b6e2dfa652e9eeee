/* Programs and AT-SPI's numbers, inside the reading half. */
#ifndef DEFT_BACKEND_ATSPI_APP_H
#define DEFT_BACKEND_ATSPI_APP_H

#include "backend/atspi/atspi.h"

enum atspi_state_bit {
	ATSPI_STATE_ACTIVE = 1,
	ATSPI_STATE_BUSY = 3,
	ATSPI_STATE_CHECKED = 4,
	ATSPI_STATE_COLLAPSED = 5,
	ATSPI_STATE_DEFUNCT = 6,
	ATSPI_STATE_EDITABLE = 7,
	ATSPI_STATE_ENABLED = 8,
	ATSPI_STATE_EXPANDABLE = 9,
	ATSPI_STATE_EXPANDED = 10,
	ATSPI_STATE_FOCUSABLE = 11,
	ATSPI_STATE_FOCUSED = 12,
	ATSPI_STATE_HORIZONTAL = 14,
	ATSPI_STATE_MODAL = 16,
	ATSPI_STATE_MULTI_LINE = 17,
	ATSPI_STATE_PRESSED = 20,
	ATSPI_STATE_SELECTABLE = 22,
	ATSPI_STATE_SELECTED = 23,
	ATSPI_STATE_SENSITIVE = 24,
	ATSPI_STATE_SHOWING = 25,
	ATSPI_STATE_VERTICAL = 29,
	ATSPI_STATE_VISIBLE = 30,
	ATSPI_STATE_MANAGES_DESCENDANTS = 31,
	ATSPI_STATE_INDETERMINATE = 32,
	ATSPI_STATE_CHECKABLE = 41,
	ATSPI_STATE_READ_ONLY = 43,
};

static inline bool atspi_state(uint64_t states, enum atspi_state_bit bit)
{
	return (states >> bit & 1) != 0;
}

enum atspi_role_number {
	ATSPI_ROLE_CHECK_BOX = 7,
	ATSPI_ROLE_COMBO_BOX = 11,
	ATSPI_ROLE_DIAL = 15,
	ATSPI_ROLE_FILLER = 20,
	ATSPI_ROLE_FRAME = 23,
	ATSPI_ROLE_MENU_BAR = 34,
	ATSPI_ROLE_PASSWORD = 40,
	ATSPI_ROLE_PROGRESS_BAR = 42,
	ATSPI_ROLE_SCROLL_BAR = 48,
	ATSPI_ROLE_SLIDER = 51,
	ATSPI_ROLE_SPIN_BUTTON = 52,
	ATSPI_ROLE_SPLIT_PANE = 53,
	ATSPI_ROLE_TEXT = 61,
	ATSPI_ROLE_EXTENDED = 70,
	ATSPI_ROLE_LEVEL_BAR = 103,
	ATSPI_ROLE_RATING = 114,
};

enum atspi_toolkit atspi_toolkit_from_name(const char *name);
/* Our role of an AT-SPI number; the name (what GetRoleName says, NULL: unknown) counts only for
 * 0, 67 and 70, which mean nothing by themselves. */
enum ui_role atspi_role_to_ui(uint32_t role, const char *name, uint64_t states);
bool atspi_role_needs_name(uint32_t role);
/* A window by its place: Qt shows a bare widget as a filler. */
enum ui_role atspi_top_level_role(enum ui_role role);
/* What the node's `type` shows: a stable name of the number, whatever the toolkit calls it. */
const char *atspi_role_name(uint32_t role);
/* States and role to enum ui_flag; UI_VISIBLE is not set here (atspi_shown()). */
uint32_t atspi_flags(uint64_t states, uint32_t role, enum ui_role ui_role);
/* Menus, tool tips, and the lists of combo boxes: may lie outside of their window. */
bool atspi_opens_over(uint32_t role, uint32_t parent_role);
bool atspi_role_is_menu(uint32_t role); /* menu, popup menu, tool tip */
/* The role of what is in an open popup: the rows of GTK 4's combo boxes are drawn, and call themselves
 * nothing. */
enum ui_role atspi_popup_role(enum atspi_toolkit toolkit, uint32_t role, uint64_t states,
                              enum ui_role ui_role);
/* A name that is only a widget class ("GtkScale", "QSlider"): no label. */
bool atspi_name_is_class(const char *name);

/* What there is to call an element by; any may be NULL. */
struct atspi_texts {
	const char *name;        /* Accessible.Name */
	const char *related;     /* name of the label that points at it */
	const char *description; /* Accessible.Description */
	const char *text;        /* Text content */
	const char *caption;     /* the first text inside it */
};
/* One of the texts; NULL: none will do. */
const char *atspi_label(enum atspi_toolkit toolkit, enum ui_role role, const struct atspi_texts *t);
/* The name when it is one; NULL for blanks and class names. */
const char *atspi_name(enum atspi_toolkit toolkit, const char *name);
/* True when the toolkit names such an element by what it shows as chosen (combo boxes). */
bool atspi_name_is_choice(enum atspi_toolkit toolkit, enum ui_role role);
/* True when the first text inside would help: rows of lists; GTK 4 calls every tab "Tab". Toolkits
 * show another row in the same object after scrolling: the caption tells them apart. */
bool atspi_wants_caption(enum atspi_toolkit toolkit, enum ui_role role, const char *name);
/* A caption is looked for this deep and among so many objects, in document order. */
#define ATSPI_CAPTION_LEVELS 8
#define ATSPI_CAPTION_OBJECTS 16
/* True when a LABELLED_BY relation would help. */
bool atspi_wants_relation(enum atspi_toolkit toolkit, enum ui_role role, const char *name);

/* Fills in what the listed programs say; only != 0: nothing is asked of the others. */
int apps_gather(struct atspi *a, struct call c, pid_t only, struct atspi_apps *apps,
                struct error *e);
/* The pid of "name#pid" or of a bare number; 0: neither. */
pid_t atspi_pid_of_id(const char *which);
/* The index of the frontmost program, -1 when nothing shows. Never fails: without an X server, or
 * with a silent one, the accessibility states alone decide. */
int atspi_frontmost(struct atspi *a, struct call c, const struct atspi_apps *apps);

#endif
