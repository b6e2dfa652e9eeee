#include "base/cleanup.h"
#include "ui/filter.h"
#include "ui/viewport.h"

#include <strings.h>

bool ui_action_is_press(const char *name)
{
	static const char *const verbs[] = {
		"click",     "press",    "activate", "jump",     "toggle", "do-default",
		"doDefault", "open",     "tap",      "select",   "expand", "collapse",
		"longClick", "showMenu", "increase", "decrease",
	};
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcasecmp(name, verbs[i]) == 0)
			return true;
	}
	return false;
}

static bool has_press(const struct ui_node *n)
{
	for (uint32_t i = 0; i < n->n_actions; i++) {
		if (ui_action_is_press(n->actions[i]))
			return true;
	}
	return false;
}

bool ui_node_interactive(const struct ui_tree *t, uint32_t i)
{
	const struct ui_node *n = &t->nodes[i];
	if (n->role == UI_APPLICATION || ui_role_is_surface(n->role) || n->role == UI_KEYBOARD)
		return false; /* a window may be focusable or have a default action: it is no control */
	if (ui_role_is_interactive(n->role) || ui_role_is_adjustable(n->role))
		return true;
	if (ui_has(n, UI_EDITABLE | UI_CHECKABLE) || has_press(n))
		return true;
	return ui_has(n, UI_FOCUSABLE) && n->label;
}

bool ui_node_in_view(const struct ui_tree *t, uint32_t i)
{
	struct ui_viewport v = ui_viewport_of(t, i);
	return ui_viewport_place(&t->nodes[i], &v) == UI_IN_VIEW;
}
