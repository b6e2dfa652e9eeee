/* A barrier for input: events reach a program in the order they were sent, so an answered ping means
 * that all keys before it were read, under the keymap they were sent with. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

/* The top-level that takes pings, from the focused window upwards; 0: none. */
static int ping_target(struct x11 *x, struct call c, xcb_window_t *ret, struct error *e)
{
	auto_free xcb_get_input_focus_reply_t *focus = NULL;
	int r = x11_reply(x, c, xcb_get_input_focus(x->conn).sequence, &focus, e);
	if (r < 0)
		return r;
	xcb_window_t at = focus->focus;
	*ret = 0;
	for (int level = 0; at > XCB_INPUT_FOCUS_POINTER_ROOT && at != x->root && level < 16; level++) {
		if (x11_prop_has(x, c, at, x->atoms[A_WM_PROTOCOLS], x->atoms[A__NET_WM_PING])) {
			*ret = at;
			return 0;
		}
		auto_free xcb_query_tree_reply_t *tree = NULL;
		r = x11_reply_maybe(x, c, xcb_query_tree(x->conn, at).sequence, &tree, e);
		if (r < 0)
			return r;
		at = tree ? tree->parent : 0;
	}
	return 0;
}

static void send_ping(struct x11 *x, xcb_window_t w, uint32_t token)
{
	xcb_client_message_event_t ev = { .response_type = XCB_CLIENT_MESSAGE,
		                              .format = 32,
		                              .window = w,
		                              .type = x->atoms[A_WM_PROTOCOLS] };
	ev.data.data32[0] = x->atoms[A__NET_WM_PING];
	ev.data.data32[1] = token;
	ev.data.data32[2] = w;
	xcb_send_event(x->conn, 0, w, XCB_EVENT_MASK_NO_EVENT, (const char *)&ev);
}

static bool is_pong(const struct x11 *x, const xcb_generic_event_t *ev, xcb_window_t w,
                    uint32_t token)
{
	if ((ev->response_type & 0x7f) != XCB_CLIENT_MESSAGE)
		return false;
	const xcb_client_message_event_t *m = (const xcb_client_message_event_t *)ev;
	return m->type == x->atoms[A_WM_PROTOCOLS] && m->data.data32[0] == x->atoms[A__NET_WM_PING] &&
	       m->data.data32[1] == token && m->data.data32[2] == w;
}

static int wait_pong(struct x11 *x, struct call c, xcb_window_t w, uint32_t token, struct error *e)
{
	for (;;) {
		auto_free xcb_generic_event_t *ev = NULL;
		int r = x11_next_event(x, c, &ev, e);
		if (r < 0)
			return r;
		if (is_pong(x, ev, w, token))
			return 0;
	}
}

int x11_barrier(struct x11 *x, struct call c, struct error *e)
{
	xcb_window_t w = 0;
	int r = ping_target(x, c, &w, e);
	if (r < 0 || w == 0)
		return r;
	uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
	xcb_change_window_attributes(x->conn, x->root, XCB_CW_EVENT_MASK, &mask);
	/* Programs echo the token as a server time, which must not lie in the future of the real one:
	 * small numbers never do. */
	uint32_t token = ++x->last_ping;
	send_ping(x, w, token);
	r = wait_pong(x, call_limit(c, LIM_X11_PING_MS), w, token, e);
	mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_change_window_attributes(x->conn, x->root, XCB_CW_EVENT_MASK, &mask);
	xcb_flush(x->conn);
	if (r == 0)
		return 1;
	if (r == -ERR_TIMEOUT && !deadline_over(c.deadline)) {
		error_clear(e);
		return 0;
	}
	return r;
}
