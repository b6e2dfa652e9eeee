/* What an element is called: one rule for whole trees and for single elements, so that a label seen
 * in a snapshot is found again when the element is looked at afresh. */
#include "backend/atspi/app.h"

#include "base/utf8.h"

static bool blank(const char *s)
{
	uint32_t cp;

	while (s && (cp = utf8_next(&s)) != 0)
		if (!utf8_is_space(cp))
			return false;
	return true;
}

const char *atspi_name(enum atspi_toolkit toolkit, const char *name)
{
	if (blank(name))
		return NULL;
	/* GTK 4 calls what has no name by its widget class. */
	return toolkit == ATSPI_TOOLKIT_GTK4 && atspi_name_is_class(name) ? NULL : name;
}

bool atspi_name_is_choice(enum atspi_toolkit toolkit, enum ui_role role)
{
	return role == UI_COMBO_BOX && (toolkit == ATSPI_TOOLKIT_GTK3 || toolkit == ATSPI_TOOLKIT_QT);
}

bool atspi_wants_relation(enum atspi_toolkit toolkit, enum ui_role role, const char *name)
{
	if (atspi_name(toolkit, name) && !atspi_name_is_choice(toolkit, role))
		return false;
	return ui_role_is_text_input(role) || ui_role_is_adjustable(role) || role == UI_COMBO_BOX ||
	       role == UI_SWITCH || role == UI_PROGRESS_BAR || role == UI_LEVEL_BAR;
}

static bool tab_of_gtk4(enum atspi_toolkit toolkit, enum ui_role role)
{
	return role == UI_TAB && toolkit == ATSPI_TOOLKIT_GTK4;
}

bool atspi_wants_caption(enum atspi_toolkit toolkit, enum ui_role role, const char *name)
{
	if (tab_of_gtk4(toolkit, role))
		return true;
	return !atspi_name(toolkit, name) &&
	       (role == UI_LIST_ITEM || role == UI_TREE_ITEM || role == UI_ROW || role == UI_CELL ||
	        role == UI_MENU_ITEM);
}

const char *atspi_label(enum atspi_toolkit toolkit, enum ui_role role, const struct atspi_texts *t)
{
	const char *name = atspi_name(toolkit, t->name);
	const char *related = atspi_name(toolkit, t->related);

	if (t->caption && tab_of_gtk4(toolkit, role))
		return t->caption;
	if (related && (!name || atspi_name_is_choice(toolkit, role)))
		return related;
	if (name)
		return name;
	if (t->caption)
		return t->caption;
	if (ui_role_is_interactive(role) && !blank(t->description))
		return t->description;
	return role == UI_TEXT && !blank(t->text) ? t->text : NULL;
}
