/* What lies on top, and bringing a window there. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

/* --- what a click would meet ---------------------------------------------------------------- */

/* The windows from the child of the root down to the innermost one under a point; the server counts
 * bounding and input shapes as it does for a real pointer. */
static int chain_at(struct x11 *x, struct call c, int16_t px, int16_t py, xcb_window_t *chain,
                    size_t max, size_t *ret_n, struct error *e)
{
	xcb_window_t at = x->root;
	size_t n = 0;
	while (n < max) {
		auto_free xcb_translate_coordinates_reply_t *r = NULL;
		unsigned seq = xcb_translate_coordinates(x->conn, x->root, at, px, py).sequence;
		int rc = x11_reply_maybe(x, c, seq, &r, e);
		if (rc < 0)
			return rc;
		if (!r || !r->child)
			break;
		at = chain[n++] = r->child;
	}
	*ret_n = n;
	return 0;
}

static bool in_chain(const xcb_window_t *chain, size_t n, xcb_window_t w)
{
	for (size_t i = 0; i < n; i++)
		if (chain[i] == w)
			return true;
	return false;
}

int x11_hit_among(struct x11 *x, struct call c, const struct x11_window *list, size_t n, double px,
                  double py, struct x11_hit *ret, struct error *e)
{
	xcb_window_t chain[32];
	size_t depth = 0;
	int r =
	    chain_at(x, c, (int16_t)floor(px), (int16_t)floor(py), chain, ARRAY_SIZE(chain), &depth, e);
	if (r < 0)
		return r;
	struct x11_hit hit = { .top = depth > 0 ? chain[0] : 0 };
	for (size_t i = 0; i < n && hit.client == 0; i++) {
		if (list[i].top != hit.top)
			continue;
		hit.client = list[i].id;
		hit.pid = list[i].pid;
		hit.override_redirect = list[i].override_redirect;
		hit.on_decoration = !in_chain(chain, depth, list[i].id);
		memcpy(hit.title, list[i].title, sizeof(hit.title));
	}
	*ret = hit;
	return 0;
}

int x11_top_window_at(struct x11 *x, struct call c, double px, double py, struct x11_hit *ret,
                      struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0;
	int r = x11_list_windows(x, c, 0, &list, &n, e);
	return r < 0 ? r : x11_hit_among(x, c, list, n, px, py, ret, e);
}

int x11_active_pid(struct x11 *x, struct call c, pid_t *ret, struct error *e)
{
	uint32_t active = 0, pid = 0;
	size_t n = 0;
	int r = x11_require(x, "look at the windows", e);
	if (r < 0)
		return r;
	x11_drop_events(x);
	r = x11_prop_u32(x, c, x->root, x->atoms[A__NET_ACTIVE_WINDOW], &active, 1, &n, e);
	if (r == 0 && n == 1 && active != 0)
		r = x11_prop_u32(x, c, active, x->atoms[A__NET_WM_PID], &pid, 1, &n, e);
	if (r == 0)
		*ret = pid <= INT32_MAX ? (pid_t)pid : 0;
	return r;
}

bool x11_pointer_is_held(struct x11 *x, struct call c)
{
	auto_free xcb_grab_pointer_reply_t *r = NULL;
	unsigned seq = xcb_grab_pointer(x->conn, 1, x->root, 0, XCB_GRAB_MODE_ASYNC,
	                                XCB_GRAB_MODE_ASYNC, XCB_NONE, XCB_NONE, XCB_CURRENT_TIME)
	                   .sequence;
	/* Given back in the same write, so that nothing can come in between. */
	xcb_ungrab_pointer(x->conn, XCB_CURRENT_TIME);
	return x11_reply_maybe(x, c, seq, &r, NULL) == 0 && r &&
	       (r->status == XCB_GRAB_STATUS_ALREADY_GRABBED || r->status == XCB_GRAB_STATUS_FROZEN);
}

/* --- bringing forward ----------------------------------------------------------------------- */

/* Panels and windows that stay above all others are allowed over a raised window. */
static bool stays_above(struct x11 *x, struct call c, xcb_window_t w)
{
	return x11_prop_has(x, c, w, x->atoms[A__NET_WM_STATE], x->atoms[A__NET_WM_STATE_ABOVE]) ||
	       x11_prop_has(x, c, w, x->atoms[A__NET_WM_WINDOW_TYPE],
	                    x->atoms[A__NET_WM_WINDOW_TYPE_DOCK]);
}

static bool overlap(const struct x11_window *a, const struct x11_window *b)
{
	struct ui_rect both;
	return ui_rect_intersect(a->client, b->client, &both);
}

enum standing { FORWARD, BEHIND, HIDDEN };

static int standing_of(struct x11 *x, struct call c, xcb_window_t window, enum standing *ret,
                       struct x11_window *ret_over, struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0, at;
	int r = x11_list_windows(x, c, 0, &list, &n, e);
	if (r < 0)
		return r;
	for (at = 0; at < n && list[at].id != window; at++)
		;
	if (at == n)
		return error_set(e, ERR_ELEMENT_STALE, "the window has gone");
	*ret = list[at].viewable ? FORWARD : HIDDEN;
	for (size_t i = 0; i < at && *ret == FORWARD; i++) {
		if (!list[i].viewable || list[i].override_redirect || list[i].pid == list[at].pid ||
		    !overlap(&list[i], &list[at]) || stays_above(x, c, list[i].id))
			continue;
		*ret = BEHIND;
		*ret_over = list[i];
	}
	if (*ret == FORWARD && !list[at].override_redirect && !list[at].active &&
	    x11_wm_supports(x, c, A__NET_ACTIVE_WINDOW))
		*ret = BEHIND;
	return 0;
}

static void ask_to_raise(struct x11 *x, struct call c, xcb_window_t window)
{
	if (x11_wm_supports(x, c, A__NET_ACTIVE_WINDOW)) {
		/* Source 2: a pager acting for the user, so that focus-stealing prevention lets it pass. */
		x11_send_root(x, window, x->atoms[A__NET_ACTIVE_WINDOW],
		              (uint32_t[5]){ 2, XCB_CURRENT_TIME });
		return;
	}
	uint32_t above = XCB_STACK_MODE_ABOVE;
	xcb_map_window(x->conn, window);
	xcb_configure_window(x->conn, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
	xcb_set_input_focus(x->conn, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
}

static void select_root(struct x11 *x, uint32_t mask)
{
	mask |= XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_change_window_attributes(x->conn, x->root, XCB_CW_EVENT_MASK, &mask);
}

static int not_raised(const struct x11_window *over, struct error *e)
{
	error_set(e, ERR_ELEMENT_COVERED, "the window manager did not bring the window forward%s%s",
	          over->title[0] ? "; on top is " : "", over->title);
	error_reason(e, "not_raised");
	return -ERR_ELEMENT_COVERED;
}

/* Stacking and focus change as events on the root: after each the standing is looked at again. */
static int wait_forward(struct x11 *x, struct call c, xcb_window_t window, struct error *e)
{
	struct call limited = call_limit(c, LIM_X11_RAISE_MS);
	struct x11_window over = { 0 };
	for (;;) {
		enum standing s;
		int r = standing_of(x, limited, window, &s, &over, e);
		if (r == 0 && s == FORWARD)
			return 0;
		auto_free xcb_generic_event_t *ev = NULL;
		if (r == 0)
			r = x11_next_event(x, limited, &ev, e);
		if (r == -ERR_TIMEOUT && !deadline_over(c.deadline))
			return not_raised(&over, e);
		if (r < 0)
			return r;
	}
}

int x11_raise(struct x11 *x, struct call c, uint32_t window, struct error *e)
{
	int r = x11_require(x, "bring a window forward", e);
	if (r < 0)
		return r;
	struct x11_window over = { 0 };
	enum standing s;
	r = standing_of(x, c, window, &s, &over, e);
	if (r < 0 || s == FORWARD)
		return r;
	select_root(x, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE);
	ask_to_raise(x, c, window);
	r = wait_forward(x, c, window, e);
	select_root(x, 0);
	if (r == 0)
		r = x11_sync(x, c, e);
	return r;
}

int x11_close_window(struct x11 *x, struct call c, uint32_t window, struct error *e)
{
	int r = x11_require(x, "close a window", e);
	if (r < 0)
		return r;
	if (!x11_prop_has(x, c, window, x->atoms[A_WM_PROTOCOLS], x->atoms[A_WM_DELETE_WINDOW])) {
		x11_send_root(x, window, x->atoms[A__NET_CLOSE_WINDOW],
		              (uint32_t[5]){ XCB_CURRENT_TIME, 2 });
		return x11_sync(x, c, e);
	}
	xcb_client_message_event_t ev = { .response_type = XCB_CLIENT_MESSAGE,
		                              .format = 32,
		                              .window = window,
		                              .type = x->atoms[A_WM_PROTOCOLS] };
	ev.data.data32[0] = x->atoms[A_WM_DELETE_WINDOW];
	ev.data.data32[1] = XCB_CURRENT_TIME;
	xcb_send_event(x->conn, 0, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&ev);
	return x11_sync(x, c, e);
}
