/* Semantic acting: an element's own action, selection of an item, keyboard focus. */
#include "backend/atspi/node.h"

/* What a press means, best first. Never the rest by itself: clipboard.*, menu.popup, window.*,
 * win.* are actions of elements that are no buttons. */
static const char *const press_verbs[] = {
	"click",  "press",      "Press",     "activate", "jump", "toggle",
	"Toggle", "do-default", "doDefault", "open",     NULL,
};
static const char *const focus_verbs[] = { "SetFocus", "focus", "grab.focus", NULL };

static char done_name[128];

/* --- selection -------------------------------------------------------------------------------- */

static bool is_item(const struct atspi_node *n)
{
	return atspi_state(n->states, ATSPI_STATE_SELECTABLE) && n->index >= 0 && n->parent_path[0] &&
	       strcmp(n->parent_bus, n->peer->bus) == 0;
}

static bool parent_selects(struct atspi *a, struct call c, const struct atspi_node *n)
{
	struct bus_target t = { n->peer, n->parent_path, ATSPI_I_ACCESSIBLE, "GetInterfaces" };
	auto_message sd_bus_message *m = NULL;
	uint32_t ifaces;

	return is_item(n) && bus_call(a->bus, c, t, &m, NULL, NULL) == 0 &&
	       bus_read_ifaces(m, &ifaces) && (ifaces & ATSPI_IF_SELECTION);
}

static int select_item(struct atspi *a, struct call c, const struct atspi_node *n, struct error *e)
{
	struct bus_target t = { n->peer, n->parent_path, ATSPI_I_SELECTION, "SelectChild" };
	auto_message sd_bus_message *m = NULL;
	int done = 0;
	int r = bus_call(a->bus, c, t, &m, e, "i", n->index);

	if (r < 0)
		return r;
	if (sd_bus_message_read(m, "b", &done) <= 0 || !done)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s refused to be selected",
		                 node_words(n));
	return 0;
}

/* --- actions ---------------------------------------------------------------------------------- */

static int no_such_action(const struct atspi_node *n, const struct node_actions *list,
                          const char *action, struct error *e)
{
	json_t *names = json_array();

	for (uint32_t i = 0; i < list->n; i++)
		json_array_append_new(names, json_string(list->names[i]));
	if (action)
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s has no action %s", node_words(n), action);
	else
		error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "%s has no action that means a press",
		          node_words(n));
	error_detail(e, "actions", names);
	return -ERR_ELEMENT_NOT_INTERACTABLE;
}

static int named_index(const struct node_actions *list, const char *action)
{
	const char *const wanted[] = { action, NULL };

	return node_action_index(list, action ? wanted : press_verbs);
}

int atspi_do_action(struct atspi *a, struct call c, const char *handle, const char *action,
                    const char **ret_name, struct error *e)
{
	struct atspi_node n;
	struct node_actions list;
	int index, r = atspi_node_find(a, c, handle, &n, e);

	if (r == 0)
		r = atspi_node_enabled(&n, e);
	if (r == 0)
		r = node_actions_read(a, c, &n, &list, e);
	if (r < 0)
		return r;
	index = named_index(&list, action);
	if (index >= 0) {
		bus_copy(done_name, sizeof(done_name), list.names[index]);
		r = node_action_do(a, c, &n, (uint32_t)index, e);
	} else if ((!action || strcmp(action, "select") == 0) && parent_selects(a, c, &n)) {
		bus_copy(done_name, sizeof(done_name), "select");
		r = select_item(a, c, &n, e);
	} else {
		return no_such_action(&n, &list, action, e);
	}
	if (r == 0)
		*ret_name = done_name;
	return r;
}

bool atspi_has_press(struct atspi *a, struct call c, const struct atspi_node *n)
{
	struct node_actions list;

	if (!(n->flags & UI_ENABLED))
		return false;
	if (node_actions_read(a, c, n, &list, NULL) == 0 && node_action_index(&list, press_verbs) >= 0)
		return true;
	return parent_selects(a, c, n);
}

/* --- focus ------------------------------------------------------------------------------------ */

static int await_focus(struct atspi *a, struct call c, const struct atspi_node *n, struct error *e)
{
	struct deadline end = deadline_in(LIM_ATSPI_READ_BACK_MS);

	for (;;) {
		uint64_t states;
		int r = node_states(a, c, n, &states, e);

		if (r < 0 || atspi_state(states, ATSPI_STATE_FOCUSED))
			return r;
		if (deadline_over(end))
			break;
		r = clock_wait(NODE_POLL_MS, c.cancel, e);
		if (r == 0)
			r = call_check(c, "waiting for the focus", e);
		if (r < 0)
			return r;
	}
	error_set(e, ERR_NO_EFFECT, "%s was asked to take the focus and did not", node_words(n));
	error_hint(e, "its window may not be the active one; press the element instead");
	return -ERR_NO_EFFECT;
}

/* GrabFocus; *ret_done: it said yes. */
static int grab(struct atspi *a, struct call c, const struct atspi_node *n, bool *ret_done,
                struct error *e)
{
	auto_message sd_bus_message *m = NULL;
	int done = 0, r;

	*ret_done = false;
	if (!(n->ifaces & ATSPI_IF_COMPONENT))
		return 0;
	r = bus_call(a->bus, c, node_target(n, ATSPI_I_COMPONENT, "GrabFocus"), &m, e, NULL);
	if (r == -ERR_UNSUPPORTED_OPERATION) {
		error_clear(e);
		return 0;
	}
	if (r == 0 && sd_bus_message_read(m, "b", &done) > 0)
		*ret_done = done != 0;
	return r;
}

int atspi_grab_focus(struct atspi *a, struct call c, const char *handle, struct error *e)
{
	struct atspi_node n;
	struct node_actions list;
	bool done = false;
	int index, r = atspi_node_find(a, c, handle, &n, e);

	if (r == 0)
		r = atspi_node_enabled(&n, e);
	if (r < 0 || (n.flags & UI_FOCUSED))
		return r;
	r = grab(a, c, &n, &done, e);
	if (r == 0 && !done) {
		r = node_actions_read(a, c, &n, &list, e);
		index = r == 0 ? node_action_index(&list, focus_verbs) : -1;
		if (r == 0 && index < 0) {
			error_set(e, ERR_UNSUPPORTED_OPERATION, "%s offers no way to take the focus",
			          node_words(&n));
			error_hint(e, "press the element instead");
			return -ERR_UNSUPPORTED_OPERATION;
		}
		if (r == 0)
			r = node_action_do(a, c, &n, (uint32_t)index, e);
	}
	return r < 0 ? r : await_focus(a, c, &n, e);
}
