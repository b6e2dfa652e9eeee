/* Requests, answers and events of the connection. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <poll.h>
#include <xcb/xcbext.h>

int x11_lost(struct x11 *x, struct error *e)
{
	error_set(e, ERR_DEVICE_UNAVAILABLE, "the X display %s has gone away", x->display);
	error_reason(e, "display_gone");
	error_hint(e, "start the display again and open a new session");
	return -ERR_DEVICE_UNAVAILABLE;
}

/* An event that nobody waits for: only the size of the root is of interest. */
static void note_event(struct x11 *x, const xcb_generic_event_t *ev)
{
	if ((ev->response_type & 0x7f) != XCB_CONFIGURE_NOTIFY)
		return;
	const xcb_configure_notify_event_t *conf = (const xcb_configure_notify_event_t *)ev;
	if (conf->window == x->root) {
		atomic_store(&x->width, conf->width);
		atomic_store(&x->height, conf->height);
	}
}

void x11_drop_events(struct x11 *x)
{
	xcb_generic_event_t *ev;
	while ((ev = xcb_poll_for_event(x->conn)) != NULL) {
		note_event(x, ev);
		free(ev);
	}
}

static int wait_readable(struct x11 *x, struct call c, struct error *e)
{
	int r = call_poll(c, xcb_get_file_descriptor(x->conn), POLLIN, "the X server's answer", e);
	return r < 0 ? r : 0;
}

static int any_reply(struct x11 *x, struct call c, unsigned sequence, void **ret_reply,
                     xcb_generic_error_t **ret_error, struct error *e)
{
	xcb_flush(x->conn);
	while (!xcb_poll_for_reply(x->conn, sequence, ret_reply, ret_error)) {
		if (xcb_connection_has_error(x->conn))
			return x11_lost(x, e);
		int r = wait_readable(x, c, e);
		if (r < 0) {
			xcb_discard_reply(x->conn, sequence);
			return r;
		}
	}
	return !*ret_reply && !*ret_error ? x11_lost(x, e) : 0;
}

int x11_reply_maybe(struct x11 *x, struct call c, unsigned sequence, void *ret_reply,
                    struct error *e)
{
	void *reply = NULL;
	auto_free xcb_generic_error_t *xe = NULL;
	int r = any_reply(x, c, sequence, &reply, &xe, e);
	if (r == 0)
		*(void **)ret_reply = reply;
	return r;
}

static int x_error(const xcb_generic_error_t *xe, struct error *e)
{
	if (xe->error_code == XCB_WINDOW || xe->error_code == XCB_DRAWABLE)
		return error_set(e, ERR_ELEMENT_STALE, "the window has gone");
	return error_set(e, ERR_COMMAND_FAILED, "the X server refused request %d with error %d",
	                 xe->major_code, xe->error_code);
}

int x11_reply(struct x11 *x, struct call c, unsigned sequence, void *ret_reply, struct error *e)
{
	void *reply = NULL;
	auto_free xcb_generic_error_t *xe = NULL;
	int r = any_reply(x, c, sequence, &reply, &xe, e);
	if (r < 0)
		return r;
	if (xe)
		return x_error(xe, e);
	*(void **)ret_reply = reply;
	return 0;
}

int x11_sync(struct x11 *x, struct call c, struct error *e)
{
	auto_free xcb_get_input_focus_reply_t *reply = NULL;
	int r = x11_reply(x, c, xcb_get_input_focus(x->conn).sequence, &reply, e);
	if (r < 0)
		return r;
	xcb_generic_event_t *ev;
	while ((ev = xcb_poll_for_event(x->conn)) != NULL) {
		const xcb_generic_error_t *xe = (const xcb_generic_error_t *)ev;
		if (ev->response_type == 0 && r == 0 &&
		    (xe->major_code == x->xtest_opcode || xe->major_code == XCB_CHANGE_KEYBOARD_MAPPING))
			r = x_error(xe, e);
		note_event(x, ev);
		free(ev);
	}
	return r;
}

int x11_next_event(struct x11 *x, struct call c, xcb_generic_event_t **ret, struct error *e)
{
	xcb_flush(x->conn);
	for (;;) {
		xcb_generic_event_t *ev = xcb_poll_for_event(x->conn);
		if (ev) {
			note_event(x, ev);
			*ret = ev;
			return 0;
		}
		if (xcb_connection_has_error(x->conn))
			return x11_lost(x, e);
		int r = wait_readable(x, c, e);
		if (r < 0)
			return r;
	}
}

struct call x11_undo_call(void)
{
	return (struct call){ deadline_in(LIM_X11_UNDO_MS), NULL };
}

int x11_pause(struct call c, int64_t ms, struct error *e)
{
	int64_t left = deadline_left(c.deadline);
	int r = clock_wait(ms < left ? ms : left, c.cancel, e);
	return r < 0 ? r : call_check(c, "the gesture", e);
}
