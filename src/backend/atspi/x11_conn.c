#include "backend/atspi/x11_priv.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <xcb/xcbext.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-x11.h>

static const char *const atom_names[] = {
#define X11_ATOM_NAME(name) #name,
	X11_ATOMS(X11_ATOM_NAME)
#undef X11_ATOM_NAME
};

static int say_why_not(struct x11 *x, const char *why)
{
	auto_buf struct buf b;
	buf_init(&b, sizeof(x->why_not) - 1);
	buf_adds(&b, why);
	memcpy(x->why_not, b.data, b.len + 1);
	return 0;
}

/* The program at the other end of the socket is an X server that owns a screen, and not a Wayland
 * compositor's Xwayland: there input and positions would be those of X programs only. */
static bool server_is_standalone(int fd)
{
	static const char *const servers[] = { "Xorg", "Xvfb", "Xephyr", "Xnest", "Xvnc",
		                                   "Xtigervnc", "Xtightvnc", "Xvkms" };
	struct ucred cred;
	socklen_t len = sizeof(cred);
	char path[64], exe[PATH_MAX];
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 || cred.pid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)cred.pid);
	ssize_t n = readlink(path, exe, sizeof(exe) - 1);
	if (n < 0)
		return false;
	exe[n] = '\0';
	const char *name = strrchr(exe, '/');
	for (size_t i = 0; name && i < ARRAY_SIZE(servers); i++)
		if (strcmp(name + 1, servers[i]) == 0)
			return true;
	return false;
}

static bool has_extension(xcb_connection_t *conn, const char *name)
{
	auto_free xcb_query_extension_reply_t *r = xcb_query_extension_reply(
		conn, xcb_query_extension(conn, (uint16_t)strlen(name), name), NULL);
	return r && r->present;
}

static bool is_set(const char *s)
{
	return s && *s;
}

static bool is_wayland(xcb_connection_t *conn, const struct x11_env *env)
{
	if (has_extension(conn, "XWAYLAND"))
		return true;
	bool session = is_set(env->wayland) ||
	               (env->session_type && strcmp(env->session_type, "wayland") == 0);
	return session && !server_is_standalone(xcb_get_file_descriptor(conn));
}

static bool intern_atoms(struct x11 *x)
{
	xcb_intern_atom_cookie_t cookies[X11_ATOM_COUNT];
	for (int i = 0; i < X11_ATOM_COUNT; i++)
		cookies[i] =
			xcb_intern_atom(x->conn, 0, (uint16_t)strlen(atom_names[i]), atom_names[i]);
	for (int i = 0; i < X11_ATOM_COUNT; i++) {
		auto_free xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(x->conn, cookies[i], NULL);
		if (!r)
			return false;
		x->atoms[i] = r->atom;
	}
	return true;
}

static xcb_screen_t *screen_of(xcb_connection_t *conn, int number)
{
	xcb_screen_iterator_t it = xcb_setup_roots_iterator(xcb_get_setup(conn));
	for (; it.rem > 1 && number > 0; number--)
		xcb_screen_next(&it);
	return it.data;
}

/* NULL: connected and fit for use; else why not. */
static const char *set_up(struct x11 *x, int screen, const struct x11_env *env)
{
	if (is_wayland(x->conn, env))
		return "this is a Wayland session, where a program can't send input to others or learn "
			   "where their windows are";
	const xcb_query_extension_reply_t *xtest = xcb_get_extension_data(x->conn, &xcb_test_id);
	if (!xtest || !xtest->present)
		return "the X server has no XTEST extension";
	if (!xkb_x11_setup_xkb_extension(x->conn, XKB_X11_MIN_MAJOR_XKB_VERSION,
	                                 XKB_X11_MIN_MINOR_XKB_VERSION,
	                                 XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, NULL, NULL, NULL, NULL))
		return "the X server has no XKB extension";
	if (!intern_atoms(x))
		return "the X server closed the connection";
	x->xtest_opcode = xtest->major_opcode;
	x->screen = screen_of(x->conn, screen);
	x->root = x->screen->root;
	atomic_store(&x->width, x->screen->width_in_pixels);
	atomic_store(&x->height, x->screen->height_in_pixels);
	/* Root geometry changes keep the size fresh. */
	uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_change_window_attributes(x->conn, x->root, XCB_CW_EVENT_MASK, &mask);
	xcb_flush(x->conn);
	return NULL;
}

int x11_open(struct x11 **ret, const struct x11_env *env, struct error *e)
{
	struct x11 *x = calloc(1, sizeof(*x));
	if (!x)
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	*ret = x;
	if (!is_set(env->display))
		return say_why_not(x, is_set(env->wayland)
		                          ? "this is a Wayland session without an X display"
		                          : "there is no X display (DISPLAY is not set)");
	int screen = 0;
	x->conn = xcb_connect(env->display, &screen);
	const char *why = xcb_connection_has_error(x->conn) ? "" : set_up(x, screen, env);
	if (!why) {
		auto_free char *name = utf8_repair(env->display, strlen(env->display),
		                                   sizeof(x->display) - 1, NULL);
		snprintf(x->display, sizeof(x->display), "%s", name ? name : "");
		return 0;
	}
	xcb_disconnect(TAKE(x->conn));
	if (*why)
		return say_why_not(x, why);
	auto_buf struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	buf_addf(&b, "the X display \"%.64s\" can't be reached (no server, or no right to use it)",
	         env->display);
	return say_why_not(x, b.data);
}

void x11_close(struct x11 *x)
{
	if (!x)
		return;
	x11_typist_free(x);
	x11_shm_free(x);
	if (x->conn)
		xcb_disconnect(x->conn);
	free(x);
}

bool x11_available(const struct x11 *x)
{
	return x && x->conn;
}

const char *x11_why_not(const struct x11 *x)
{
	return x ? x->why_not : "there is no X display";
}

const char *x11_display(const struct x11 *x)
{
	return x ? x->display : "";
}

void x11_screen_size(const struct x11 *x, int *ret_width, int *ret_height)
{
	*ret_width = x ? atomic_load(&x->width) : 0;
	*ret_height = x ? atomic_load(&x->height) : 0;
}

int x11_require(const struct x11 *x, const char *what, struct error *e)
{
	if (x11_available(x))
		return 0;
	error_set(e, ERR_UNSUPPORTED_OPERATION, "can't %s: %s", what, x11_why_not(x));
	error_reason(e, "no_x11");
	return error_hint(e, "what needs no pointer works: actions, values and text of elements that "
	                     "offer them to the accessibility bus (press, fill, adjust on a ref)");
}

int x11_lost(struct x11 *x, struct error *e)
{
	error_set(e, ERR_DEVICE_UNAVAILABLE, "the X display %s has gone away", x->display);
	error_reason(e, "display_gone");
	return error_hint(e, "start the display again and open a new session");
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
