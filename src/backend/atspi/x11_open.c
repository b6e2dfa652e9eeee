/* Opening the connection, and whether there is one. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <xcb/shm.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-x11.h>

static const char *const atom_names[] = {
#define X11_ATOM_NAME(name) #name,
	X11_ATOMS(X11_ATOM_NAME)
#undef X11_ATOM_NAME
};

/* The program at the other end of the socket is an X server that owns a screen, and not a Wayland
 * compositor's Xwayland: there input and positions would be those of X programs only. */
static bool server_is_standalone(int fd)
{
	static const char *const servers[] = { "Xorg", "Xvfb",      "Xephyr",    "Xnest",
		                                   "Xvnc", "Xtigervnc", "Xtightvnc", "Xvkms" };
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
	bool session =
	    is_set(env->wayland) || (env->session_type && strcmp(env->session_type, "wayland") == 0);
	return session && !server_is_standalone(xcb_get_file_descriptor(conn));
}

static bool intern_atoms(struct x11 *x)
{
	xcb_intern_atom_cookie_t cookies[X11_ATOM_COUNT];
	for (int i = 0; i < X11_ATOM_COUNT; i++)
		cookies[i] = xcb_intern_atom(x->conn, 0, (uint16_t)strlen(atom_names[i]), atom_names[i]);
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
	/* Asked for here, where it may block: later calls find the answers. */
	const xcb_query_extension_reply_t *xtest = xcb_get_extension_data(x->conn, &xcb_test_id);
	const xcb_query_extension_reply_t *shm = xcb_get_extension_data(x->conn, &xcb_shm_id);
	if (!xtest || !xtest->present)
		return "the X server has no XTEST extension";
	if (!xkb_x11_setup_xkb_extension(x->conn, XKB_X11_MIN_MAJOR_XKB_VERSION,
	                                 XKB_X11_MIN_MINOR_XKB_VERSION,
	                                 XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, NULL, NULL, NULL, NULL))
		return "the X server has no XKB extension";
	if (!intern_atoms(x))
		return "the X server closed the connection";
	x->xtest_opcode = xtest->major_opcode;
	x->no_shm = !shm || !shm->present;
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

static void connect_now(struct x11 *x)
{
	const struct x11_env env = { x->env_display, x->env_wayland, x->env_session };
	int screen = 0;
	x->tried_ms = clock_now_ms();
	x->conn = xcb_connect(env.display, &screen);
	const char *why = xcb_connection_has_error(x->conn) ? x->unreachable : set_up(x, screen, &env);
	if (why)
		xcb_disconnect(TAKE(x->conn));
	atomic_store(&x->why_not, why ? why : "");
	atomic_store(&x->available, why == NULL);
}

static void disconnect(struct x11 *x)
{
	x11_typist_free(x);
	x11_shm_free(x);
	if (x->conn)
		xcb_disconnect(TAKE(x->conn));
	atomic_store(&x->why_not, x->unreachable);
	atomic_store(&x->available, false);
}

static void name_display(struct x11 *x)
{
	auto_free char *name =
	    utf8_repair(x->env_display, strlen(x->env_display), sizeof(x->display) - 1, NULL);
	snprintf(x->display, sizeof(x->display), "%s", name ? name : "");
	snprintf(x->unreachable, sizeof(x->unreachable),
	         "the X display \"%s\" can't be reached (no server, or no right to use it)",
	         x->display);
}

int x11_open(struct x11 **ret, const struct x11_env *env, struct error *e)
{
	struct x11 *x = calloc(1, sizeof(*x));
	if (x) {
		x->env_display = strdup(env->display ? env->display : "");
		x->env_wayland = strdup(env->wayland ? env->wayland : "");
		x->env_session = strdup(env->session_type ? env->session_type : "");
	}
	if (!x || !x->env_display || !x->env_wayland || !x->env_session) {
		x11_close(x);
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	}
	*ret = x;
	name_display(x);
	if (is_set(env->display))
		connect_now(x);
	else
		atomic_store(&x->why_not, is_set(env->wayland)
		                              ? "this is a Wayland session without an X display"
		                              : "there is no X display (DISPLAY is not set)");
	return 0;
}

void x11_renew(struct x11 *x)
{
	if (!x || !*x->env_display)
		return;
	if (x->conn)
		x11_drop_events(x); /* reads, and so sees the end of the connection */
	if (x->conn && !xcb_connection_has_error(x->conn))
		return;
	disconnect(x);
	if (clock_now_ms() - x->tried_ms >= LIM_X11_RETRY_MS || x->tried_ms == 0)
		connect_now(x);
}

void x11_close(struct x11 *x)
{
	if (!x)
		return;
	disconnect(x);
	free(x->env_display);
	free(x->env_wayland);
	free(x->env_session);
	free(x);
}

bool x11_available(const struct x11 *x)
{
	return x && atomic_load(&x->available);
}

const char *x11_why_not(const struct x11 *x)
{
	return x ? atomic_load(&x->why_not) : "there is no X display";
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
	error_hint(e, "what needs no pointer works: actions, values and text of elements that "
	              "offer them to the accessibility bus (press, fill, adjust on a ref)");
	return -ERR_UNSUPPORTED_OPERATION;
}
