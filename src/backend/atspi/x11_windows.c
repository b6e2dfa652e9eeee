#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

#define STATES_MAX 32 /* states of one window */

/* Requests about one window, all sent before the first answer is awaited. */
struct asked {
	unsigned attributes, geometry, origin, pid, name, wm_name, gtk_frame, net_frame, state;
};

static struct asked ask(struct x11 *x, xcb_window_t w)
{
	xcb_connection_t *conn = x->conn;
	xcb_atom_t any = XCB_GET_PROPERTY_TYPE_ANY;
	return (struct asked){
		.attributes = xcb_get_window_attributes(conn, w).sequence,
		.geometry = xcb_get_geometry(conn, w).sequence,
		.origin = xcb_translate_coordinates(conn, w, x->root, 0, 0).sequence,
		.pid = x11_prop_ask(x, w, x->atoms[A__NET_WM_PID], XCB_ATOM_CARDINAL, 4),
		.name = x11_prop_ask(x, w, x->atoms[A__NET_WM_NAME], any, 1024),
		.wm_name = x11_prop_ask(x, w, XCB_ATOM_WM_NAME, any, 1024),
		.gtk_frame = x11_prop_ask(x, w, x->atoms[A__GTK_FRAME_EXTENTS], XCB_ATOM_CARDINAL, 16),
		.net_frame = x11_prop_ask(x, w, x->atoms[A__NET_FRAME_EXTENTS], XCB_ATOM_CARDINAL, 16),
		.state = x11_prop_ask(x, w, x->atoms[A__NET_WM_STATE], XCB_ATOM_ATOM, STATES_MAX * 4),
	};
}

struct answer {
	xcb_get_window_attributes_reply_t *attributes;
	xcb_get_geometry_reply_t *geometry;
	xcb_translate_coordinates_reply_t *origin;
	xcb_get_property_reply_t *pid, *name, *wm_name, *gtk_frame, *net_frame, *state;
};

static void answer_done(struct answer *a)
{
	free(a->attributes);
	free(a->geometry);
	free(a->origin);
	free(a->pid);
	free(a->name);
	free(a->wm_name);
	free(a->gtk_frame);
	free(a->net_frame);
	free(a->state);
}

/* With an earlier failure r the answers are only thrown away. */
static int answer_read(struct x11 *x, struct call c, int r, const struct asked *q, struct answer *a,
                       struct error *e)
{
	struct {
		unsigned sequence;
		void *reply;
	} all[] = {
		{ q->attributes, &a->attributes },
		{ q->geometry, &a->geometry },
		{ q->origin, &a->origin },
		{ q->pid, &a->pid },
		{ q->name, &a->name },
		{ q->wm_name, &a->wm_name },
		{ q->gtk_frame, &a->gtk_frame },
		{ q->net_frame, &a->net_frame },
		{ q->state, &a->state },
	};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (r == 0)
			r = x11_reply_maybe(x, c, all[i].sequence, all[i].reply, e);
		else
			xcb_discard_reply(x->conn, all[i].sequence);
	}
	return r;
}

static bool four(const xcb_get_property_reply_t *r, int out[4])
{
	if (!r || r->format != 32 || xcb_get_property_value_length(r) < 16)
		return false;
	uint32_t v[4];
	memcpy(v, xcb_get_property_value(r), sizeof(v));
	for (int i = 0; i < 4; i++)
		out[i] = v[i] > INT16_MAX ? 0 : (int)v[i];
	return true;
}

static bool holds(const xcb_get_property_reply_t *r, xcb_atom_t atom)
{
	const xcb_atom_t *list = r && r->format == 32 ? xcb_get_property_value(r) : NULL;
	int n = list ? xcb_get_property_value_length(r) / 4 : 0;
	for (int i = 0; i < n; i++)
		if (list[i] == atom)
			return true;
	return false;
}

/* False: the window has gone, or takes no part on the screen. */
static bool fill(const struct x11 *x, const struct answer *a, struct x11_window *w)
{
	if (!a->attributes || !a->geometry || !a->origin ||
	    a->attributes->_class != XCB_WINDOW_CLASS_INPUT_OUTPUT)
		return false;
	w->override_redirect = a->attributes->override_redirect;
	w->viewable = a->attributes->map_state == XCB_MAP_STATE_VIEWABLE;
	w->client = (struct ui_rect){ a->origin->dst_x, a->origin->dst_y, a->geometry->width,
		                          a->geometry->height };
	if (a->pid && a->pid->format == 32 && xcb_get_property_value_length(a->pid) == 4)
		memcpy(&w->pid, xcb_get_property_value(a->pid), 4);
	if (!x11_prop_text(a->name, w->title, sizeof(w->title)))
		x11_prop_text(a->wm_name, w->title, sizeof(w->title));
	w->has_gtk_frame = four(a->gtk_frame, w->gtk_frame);
	four(a->net_frame, w->net_frame);
	w->modal = holds(a->state, x->atoms[A__NET_WM_STATE_MODAL]);
	return true;
}

/* What is gathered before the list is put together. */
struct listing {
	xcb_query_tree_reply_t *tree; /* children of the root, the lowest first */
	const xcb_window_t *roots;
	size_t n_roots;
	uint32_t *clients; /* _NET_CLIENT_LIST */
	size_t n_clients;
	uint32_t *tops; /* per client: the child of the root that holds it, 0 unknown */
	uint32_t active;
	struct x11_window *list;
	size_t n;
};

static void listing_done(struct listing *l)
{
	free(l->tree);
	free(l->clients);
	free(l->tops);
	free(l->list);
}

/* Walks all clients up to their child of the root, one level per round trip. */
static int find_tops(struct x11 *x, struct call c, struct listing *l, struct error *e)
{
	size_t n = l->n_clients, open = n;
	auto_free uint32_t *at = calloc(n + 1, sizeof(*at));
	auto_free unsigned *seq = calloc(n + 1, sizeof(*seq));
	l->tops = calloc(n + 1, sizeof(*l->tops));
	if (!at || !seq || !l->tops)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	memcpy(at, l->clients, n * sizeof(*at));
	for (int level = 0; open > 0 && level < 16; level++) {
		for (size_t i = 0; i < n; i++)
			if (at[i])
				seq[i] = xcb_query_tree(x->conn, at[i]).sequence;
		open = 0;
		for (size_t i = 0; i < n; i++) {
			auto_free xcb_query_tree_reply_t *r = NULL;
			int rc = at[i] ? x11_reply_maybe(x, c, seq[i], &r, e) : 0;
			if (rc < 0)
				return rc;
			if (r && r->parent == x->root)
				l->tops[i] = at[i];
			at[i] = r && r->parent != x->root ? r->parent : 0;
			open += at[i] != 0;
		}
	}
	return 0;
}

static bool copy_clients(struct listing *l, const xcb_get_property_reply_t *r)
{
	bool has = r && r->format == 32;
	l->n_clients = has ? (size_t)xcb_get_property_value_length(r) / 4 : 0;
	l->clients = calloc(l->n_clients + 1, sizeof(*l->clients));
	if (l->clients && l->n_clients > 0)
		memcpy(l->clients, xcb_get_property_value(r), l->n_clients * sizeof(*l->clients));
	return l->clients != NULL;
}

static int gather(struct x11 *x, struct call c, struct listing *l, struct error *e)
{
	auto_free xcb_get_property_reply_t *clients = NULL, *active = NULL;
	unsigned tree_seq = xcb_query_tree(x->conn, x->root).sequence;
	unsigned clients_seq = x11_prop_ask(x, x->root, x->atoms[A__NET_CLIENT_LIST], XCB_ATOM_WINDOW,
	                                    LIM_X11_WINDOWS * 4);
	unsigned active_seq =
	    x11_prop_ask(x, x->root, x->atoms[A__NET_ACTIVE_WINDOW], XCB_ATOM_WINDOW, 4);
	int r = x11_reply(x, c, tree_seq, &l->tree, e);
	if (r == 0)
		r = x11_reply_maybe(x, c, clients_seq, &clients, e);
	if (r == 0)
		r = x11_reply_maybe(x, c, active_seq, &active, e);
	if (r < 0)
		return r;
	l->roots = xcb_query_tree_children(l->tree);
	l->n_roots = (size_t)xcb_query_tree_children_length(l->tree);
	if (active && active->format == 32 && xcb_get_property_value_length(active) == 4)
		memcpy(&l->active, xcb_get_property_value(active), 4);
	if (!copy_clients(l, clients))
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	if (l->n_roots + l->n_clients > LIM_X11_WINDOWS)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the screen has more than %d windows",
		                 LIM_X11_WINDOWS);
	return find_tops(x, c, l, e);
}

/* The managed client below a child of the root, or the child itself. */
static xcb_window_t client_of(const struct listing *l, xcb_window_t top, bool *ret_managed)
{
	*ret_managed = false;
	for (size_t i = 0; i < l->n_clients; i++)
		if (l->tops[i] == top) {
			*ret_managed = true;
			return l->clients[i];
		}
	return top;
}

/* Windows of one X client share the upper bits of their ids: a popup without a pid gets that of
 * another window of the same program. */
static void inherit_pids(const struct x11 *x, struct listing *l)
{
	uint32_t base = ~xcb_get_setup(x->conn)->resource_id_mask;
	for (size_t i = 0; i < l->n; i++)
		for (size_t j = 0; l->list[i].pid == 0 && j < l->n; j++)
			if (l->list[j].pid != 0 && (l->list[j].id & base) == (l->list[i].id & base))
				l->list[i].pid = l->list[j].pid;
}

/* Clients also while they are iconified; of the others what is shown and more than a pixel: popups,
 * and without a window manager every window. */
static bool wanted(const struct x11_window *w, bool is_client)
{
	return is_client || (w->viewable && w->client.width > 1 && w->client.height > 1);
}

static int build(struct x11 *x, struct call c, struct listing *l, struct error *e)
{
	auto_free struct asked *asked = calloc(l->n_roots + 1, sizeof(*asked));
	l->list = calloc(l->n_roots + 1, sizeof(*l->list));
	if (!asked || !l->list)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	bool is_client;
	for (size_t i = 0; i < l->n_roots; i++)
		asked[i] = ask(x, client_of(l, l->roots[i], &is_client));
	int r = 0;
	for (size_t i = l->n_roots; i-- > 0;) {
		struct answer a = { NULL };
		struct x11_window w = { .top = l->roots[i] };
		w.id = client_of(l, w.top, &is_client);
		w.active = w.id == l->active;
		r = answer_read(x, c, r, &asked[i], &a, e);
		if (r == 0 && fill(x, &a, &w) && wanted(&w, is_client))
			l->list[l->n++] = w;
		answer_done(&a);
	}
	return r;
}

int x11_list_windows(struct x11 *x, struct call c, pid_t pid, struct x11_window **ret_list,
                     size_t *ret_n, struct error *e)
{
	int r = x11_require(x, "look at the windows", e);
	if (r < 0)
		return r;
	struct listing l = { NULL };
	x11_drop_events(x);
	r = gather(x, c, &l, e);
	if (r == 0)
		r = build(x, c, &l, e);
	if (r == 0) {
		inherit_pids(x, &l);
		size_t n = 0;
		for (size_t i = 0; i < l.n; i++)
			if (pid == 0 || l.list[i].pid == pid)
				l.list[n++] = l.list[i];
		*ret_n = n;
		*ret_list = TAKE(l.list);
	}
	listing_done(&l);
	return r;
}

static int ambiguous(const struct x11_window *list, size_t n, pid_t pid, struct error *e)
{
	json_t *titles = json_array();
	for (size_t i = 0; i < n; i++)
		if (!list[i].override_redirect)
			json_array_append_new(titles, json_string(list[i].title));
	error_set(e, ERR_AMBIGUOUS_MATCH, "process %d has several windows that fit", (int)pid);
	error_detail(e, "titles", titles);
	return -ERR_AMBIGUOUS_MATCH;
}

/* How many windows fit; *ret_at the topmost of them. */
static size_t fits(const struct x11_window *list, size_t n, const char *title, bool popups,
                   size_t *ret_at)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		if (list[i].override_redirect != popups || (title && strcmp(list[i].title, title) != 0))
			continue;
		if (found++ == 0)
			*ret_at = i;
	}
	return found;
}

int x11_pick_window(const struct x11_window *all, size_t n_all, pid_t pid, const char *title,
                    struct x11_window *ret, struct error *e)
{
	auto_free struct x11_window *list = calloc(n_all + 1, sizeof(*list));
	size_t n = 0, at = 0;
	if (!list)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	for (size_t i = 0; i < n_all; i++)
		if (all[i].pid == pid)
			list[n++] = all[i];
	size_t found = fits(list, n, title, false, &at);
	if (found > 1 && !title)
		for (size_t i = 0; i < n; i++)
			if (list[i].active) {
				found = 1;
				at = i;
			}
	if (found == 0)
		found = fits(list, n, title, true, &at);
	if (found == 0) {
		error_set(e, ERR_ELEMENT_NOT_FOUND, "process %d has no window%s%s on this display",
		          (int)pid, title ? " called " : "", title ? title : "");
		error_reason(e, "no_window");
		return -ERR_ELEMENT_NOT_FOUND;
	}
	if (found > 1)
		return ambiguous(list, n, pid, e);
	*ret = list[at];
	return 0;
}

int x11_window_for(struct x11 *x, struct call c, pid_t pid, const char *title,
                   struct x11_window *ret, struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0;
	int r = x11_list_windows(x, c, pid, &list, &n, e);
	return r < 0 ? r : x11_pick_window(list, n, pid, title, ret, e);
}
