/* Making a connection, and whether the server at its other end is fit for use.
 *
 * Neither xcb_connect() nor the handshakes of the libraries know a deadline, and a server that has
 * stopped accepts connections for ever. So an attempt runs on a thread of its own; one that is not waited
 * for any more closes what it gets in the end. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
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

static bool intern_atoms(struct x11_link *l)
{
	xcb_intern_atom_cookie_t cookies[X11_ATOM_COUNT];
	for (int i = 0; i < X11_ATOM_COUNT; i++)
		cookies[i] = xcb_intern_atom(l->conn, 0, (uint16_t)strlen(atom_names[i]), atom_names[i]);
	for (int i = 0; i < X11_ATOM_COUNT; i++) {
		auto_free xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(l->conn, cookies[i], NULL);
		if (!r)
			return false;
		l->atoms[i] = r->atom;
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
static const char *set_up(struct x11_link *l, int screen, const struct x11_env *env)
{
	if (is_wayland(l->conn, env))
		return "this is a Wayland session, where a program can't send input to others or learn "
		       "where their windows are";
	/* Asked for here, where it may block: later calls find the answers. */
	const xcb_query_extension_reply_t *xtest = xcb_get_extension_data(l->conn, &xcb_test_id);
	const xcb_query_extension_reply_t *shm = xcb_get_extension_data(l->conn, &xcb_shm_id);
	if (!xtest || !xtest->present)
		return "the X server has no XTEST extension";
	if (!xkb_x11_setup_xkb_extension(l->conn, XKB_X11_MIN_MAJOR_XKB_VERSION,
	                                 XKB_X11_MIN_MINOR_XKB_VERSION,
	                                 XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, NULL, NULL, NULL, NULL))
		return "the X server has no XKB extension";
	if (!intern_atoms(l))
		return "the X server closed the connection";
	l->xtest_opcode = xtest->major_opcode;
	l->no_shm = !shm || !shm->present;
	l->screen = screen_of(l->conn, screen);
	l->root = l->screen->root;
	/* Root geometry changes keep the size fresh. */
	uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_change_window_attributes(l->conn, l->root, XCB_CW_EVENT_MASK, &mask);
	xcb_flush(l->conn);
	return NULL;
}

static void link_up(struct x11_link *l, const struct x11_env *env)
{
	int screen = 0;
	*l = (struct x11_link){ .conn = xcb_connect(env->display, &screen) };
	l->unreachable = xcb_connection_has_error(l->conn) != 0;
	l->why_not = l->unreachable ? NULL : set_up(l, screen, env);
	if (l->unreachable || l->why_not)
		xcb_disconnect(TAKE(l->conn));
}

/* --- attempts ------------------------------------------------------------------------------- */

struct x11_attempt {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	char *display, *wayland, *session;
	struct x11_link link; /* once done */
	bool done, abandoned;
};

static void attempt_free(struct x11_attempt *t)
{
	if (t->link.conn)
		xcb_disconnect(t->link.conn);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	free(t->display);
	free(t->wayland);
	free(t->session);
	free(t);
}

static void *attempt_run(void *data)
{
	struct x11_attempt *t = data;
	const struct x11_env env = { t->display, t->wayland, t->session };
	struct x11_link l;
	link_up(&l, &env);
	pthread_mutex_lock(&t->lock);
	t->link = l;
	t->done = true;
	bool abandoned = t->abandoned;
	pthread_cond_signal(&t->changed);
	pthread_mutex_unlock(&t->lock);
	if (abandoned)
		attempt_free(t);
	return NULL;
}

static bool attempt_init(struct x11_attempt *t, const struct x11_env *env)
{
	pthread_condattr_t attr;
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->changed, &attr);
	pthread_condattr_destroy(&attr);
	t->display = strdup(env->display);
	t->wayland = strdup(env->wayland);
	t->session = strdup(env->session_type);
	return t->display && t->wayland && t->session;
}

struct x11_attempt *x11_attempt_start(const struct x11_env *env)
{
	struct x11_attempt *t = calloc(1, sizeof(*t));
	pthread_attr_t attr;
	pthread_t thread;
	if (!t)
		return NULL;
	bool ok = attempt_init(t, env);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	ok = ok && pthread_create(&thread, &attr, attempt_run, t) == 0;
	pthread_attr_destroy(&attr);
	if (!ok) {
		attempt_free(t);
		return NULL;
	}
	return t;
}

bool x11_attempt_take(struct x11_attempt *t, int64_t wait_ms, struct x11_link *ret)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += wait_ms / 1000;
	until.tv_nsec += wait_ms % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&t->lock);
	while (!t->done && pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0)
		;
	bool done = t->done;
	if (done) {
		*ret = t->link;
		t->link.conn = NULL;
	}
	pthread_mutex_unlock(&t->lock);
	if (done)
		attempt_free(t);
	return done;
}

void x11_attempt_abandon(struct x11_attempt *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->abandoned = true;
	bool done = t->done;
	pthread_mutex_unlock(&t->lock);
	if (done)
		attempt_free(t);
}
