/* The X11 object: whether there is a connection, and making it again. */
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>

static void set_why_not(struct x11 *x, const char *why)
{
	atomic_store(&x->why_not, why);
	atomic_store(&x->available, *why == '\0');
}

static void take_link(struct x11 *x, const struct x11_link *l)
{
	x->conn = l->conn;
	x->screen = l->screen;
	x->root = l->root;
	memcpy(x->atoms, l->atoms, sizeof(x->atoms));
	x->xtest_opcode = l->xtest_opcode;
	x->no_shm = l->no_shm;
	if (x->screen) {
		atomic_store(&x->width, x->screen->width_in_pixels);
		atomic_store(&x->height, x->screen->height_in_pixels);
	}
	set_why_not(x, l->unreachable ? x->unreachable : l->why_not ? l->why_not : "");
}

/* An attempt that is under way already is only looked at. */
static void connect_now(struct x11 *x)
{
	const struct x11_env env = { x->env_display, x->env_wayland, x->env_session };
	int64_t wait_ms = x->attempt ? 0 : LIM_X11_CONNECT_MS;
	struct x11_link l;
	x->tried_ms = clock_now_ms();
	if (!x->attempt)
		x->attempt = x11_attempt_start(&env);
	if (!x->attempt || !x11_attempt_take(x->attempt, wait_ms, &l)) {
		set_why_not(x, x->silent);
		return;
	}
	x->attempt = NULL;
	take_link(x, &l);
}

static void disconnect(struct x11 *x)
{
	x11_typist_free(x);
	x11_shm_free(x);
	if (x->conn)
		xcb_disconnect(TAKE(x->conn));
	set_why_not(x, x->unreachable);
}

static void name_display(struct x11 *x)
{
	auto_free char *name =
	    utf8_repair(x->env_display, strlen(x->env_display), sizeof(x->display) - 1, NULL);
	snprintf(x->display, sizeof(x->display), "%s", name ? name : "");
	snprintf(x->unreachable, sizeof(x->unreachable),
	         "the X display \"%s\" can't be reached (no server, or no right to use it)",
	         x->display);
	snprintf(x->silent, sizeof(x->silent),
	         "the X display \"%s\" accepts connections and does not answer", x->display);
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
	if (*x->env_display)
		connect_now(x);
	else
		set_why_not(x, *x->env_wayland ? "this is a Wayland session without an X display"
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
	if (x->attempt || clock_now_ms() - x->tried_ms >= LIM_X11_RETRY_MS || x->tried_ms == 0)
		connect_now(x);
}

void x11_close(struct x11 *x)
{
	if (!x)
		return;
	disconnect(x);
	x11_attempt_abandon(x->attempt);
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
