/* What keeps a click from an element: another window over its point, a menu that holds the pointer, a
 * dialog of its program, another page of the same window. */
#include "backend/atspi/node.h"
#include "backend/atspi/x11.h"

static void covered(struct rb_located *at, const char *by)
{
	at->covered = true;
	bus_copy(at->covered_by, sizeof(at->covered_by), by);
}

/* The element's own window, to compare with what a click would meet. NULL: unknown. */
static const struct x11_window *own_window(const struct place_desk *desk,
                                           const struct atspi_node *n,
                                           const struct tree_place *place, const char *title)
{
	struct x11_window w;
	uint32_t id = place->window;

	if (id == 0 &&
	    x11_pick_window(desk->windows, desk->n, n->peer->pid, *title ? title : NULL, &w, NULL) == 0)
		id = w.id;
	for (size_t i = 0; i < desk->n; i++)
		if (id != 0 && desk->windows[i].id == id)
			return &desk->windows[i];
	return NULL;
}

/* A dialog of the program that wants to be answered before the window takes input: one that lies
 * over it, or any when the window is no dialog itself. */
static const struct x11_window *blocking_dialog(const struct place_desk *desk,
                                                const struct x11_window *own)
{
	for (size_t i = 0; i < desk->n; i++) {
		const struct x11_window *w = &desk->windows[i];

		if (w->modal && w->viewable && w != own && w->pid == own->pid && (w < own || !own->modal))
			return w;
	}
	return NULL;
}

static bool in_menu_bar(const struct node_chain *chain)
{
	for (uint32_t i = 0; i < chain->n; i++)
		if (chain->steps[i].role == ATSPI_ROLE_MENU_BAR)
			return true;
	return false;
}

static void covered_by_dialog(struct rb_located *at, const struct x11_window *dialog)
{
	char words[sizeof(at->covered_by)];

	snprintf(words, sizeof(words), "the dialog \"%.60s\", which must be answered first",
	         dialog->title);
	covered(at, words);
}

/* What keeps a click from an element that is on top: a menu that holds the pointer (only menu bars go
 * on to take clicks), or a dialog. */
static void look_around(struct place_desk *desk, const struct node_chain *chain,
                        const struct x11_window *own, struct rb_located *at)
{
	const struct x11_window *dialog = blocking_dialog(desk, own);

	if (!in_menu_bar(chain) && place_desk_popup(desk, 0) &&
	    x11_pointer_is_held(desk->atspi->x11, desk->call))
		covered(at, "an open menu or list, which takes every click");
	else if (dialog)
		covered_by_dialog(at, dialog);
}

/* An element without a point is acted on by other means, which a dialog forbids as well. */
static void look_for_dialog(struct place_desk *desk, const struct atspi_node *n,
                            const struct node_chain *chain, struct rb_located *at)
{
	const char *title = chain->steps[chain->n - 1].name;

	for (size_t i = 0; i < desk->n && !at->covered; i++) {
		const struct x11_window *w = &desk->windows[i];

		if (w->modal && w->viewable && w->pid == n->peer->pid && strcmp(w->title, title) != 0)
			covered_by_dialog(at, w);
	}
}

int node_look_down(struct place_desk *desk, const struct atspi_node *n,
                   const struct node_chain *chain, const struct tree_place *place, bool in_popup,
                   struct rb_located *at, struct error *e)
{
	const struct x11_window *own;
	struct x11_hit hit;
	int r;

	if (!place_desk_look(desk))
		return 0;
	if (!at->has_point) {
		look_for_dialog(desk, n, chain, at);
		return 0;
	}
	r = x11_hit_among(desk->atspi->x11, desk->call, desk->windows, desk->n, at->x, at->y, &hit, e);
	if (r < 0)
		return r;
	if (hit.client == 0 && hit.top == 0)
		covered(at, "the desktop: its window is not on the screen");
	else if (hit.on_decoration)
		covered(at, hit.title[0] ? hit.title : "a window's frame");
	else if (hit.pid > 0 && n->peer->pid > 0 && hit.pid != n->peer->pid)
		covered(at, hit.title[0] ? hit.title : "another program's window");
	own = own_window(desk, n, place, chain->steps[chain->n - 1].name);
	if (at->covered || !own || (in_popup && place->window == 0))
		return 0;
	if (hit.client != 0 && hit.client != own->id)
		covered(at, hit.override_redirect ? "an open menu or popup" : hit.title);
	else if (!in_popup)
		look_around(desk, chain, own, at);
	return 0;
}

/* Whether what GTK 4 has at the point belongs to the element: itself, something in it, or something
 * it is in (a disabled element is never picked). */
static bool belongs(struct atspi *a, struct call c, const struct atspi_node *n,
                    const struct node_chain *chain, const char *path)
{
	char at[256];

	bus_copy(at, sizeof(at), path);
	for (uint32_t i = 0; i < chain->n; i++)
		if (strcmp(chain->steps[i].path, at) == 0)
			return true;
	for (unsigned steps = 0; steps < NODE_STEPS; steps++) {
		struct bus_target t = { n->peer, at, DBUS_I_PROPERTIES, "Get" };
		auto_message sd_bus_message *m = NULL;
		const char *name, *up;

		if (bus_call(a->bus, c, t, &m, NULL, "ss", ATSPI_I_ACCESSIBLE, "Parent") < 0 ||
		    !bus_read_object(m, &name, &up) || strcmp(up, ATSPI_NULL) == 0)
			return false;
		if (strcmp(up, n->handle.path) == 0)
			return true;
		bus_copy(at, sizeof(at), up);
	}
	return false;
}

int node_look_inside(struct atspi *a, struct call c, const struct atspi_node *n,
                     const struct node_chain *chain, const struct tree_place *place,
                     struct rb_located *at, struct error *e)
{
	struct bus_target t = { n->peer, chain->steps[chain->n - 1].path, ATSPI_I_COMPONENT,
		                    "GetAccessibleAtPoint" };
	auto_message sd_bus_message *m = NULL;
	const char *name, *path;
	int r;

	if (!at->has_point || at->covered || n->peer->toolkit != ATSPI_TOOLKIT_GTK4)
		return 0;
	r = bus_call(a->bus, c, t, &m, e, "iiu", (int32_t)((at->x - place->dx) / place->scale),
	             (int32_t)((at->y - place->dy) / place->scale), place_coord_type(n->peer->toolkit));
	if (r == -ERR_UNSUPPORTED_OPERATION) {
		error_clear(e);
		return 0;
	}
	if (r == 0 && bus_read_object(m, &name, &path) && strcmp(path, ATSPI_NULL) != 0 &&
	    !belongs(a, c, n, chain, path))
		covered(at, "another element of its window");
	return r;
}
