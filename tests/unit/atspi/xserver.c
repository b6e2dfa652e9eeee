#include "xserver.h"

#include "base/cleanup.h"
#include "base/fs.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xkb.h>
#include <xkbcommon/xkbcommon-x11.h>

#include <cmocka.h>

#define WAIT_MS 20000

static struct call soon(void)
{
	return (struct call){ deadline_in(WAIT_MS), NULL };
}

/* --- server --------------------------------------------------------------------------------- */

static bool installed(const char *tool)
{
	auto_free char *path = fs_which(tool, NULL);
	return path != NULL;
}

/* Starts Xvfb; display NULL: it takes a free one. *ret_number: what it says it took. */
static bool start(struct xserver *s, const char *display, const char *screen, char ret_number[8])
{
	if (!installed("Xvfb"))
		return false;
	const char *argv[] = { "Xvfb", "-displayfd", "1",   "-screen",  "0",
		                   screen, "-nolisten",  "tcp", "-noreset", NULL };
	const char *on[] = { "Xvfb", display,     "-displayfd", "1",        "-screen", "0",
		                 screen, "-nolisten", "tcp",        "-noreset", NULL };
	struct proc_opts o = { .argv = display ? on : argv, .pipe_out = true, .die_with_parent = true };
	auto_error struct error e = ERROR_INIT;
	size_t n = 0;
	assert_int_equal(proc_start(&s->server, &o, &e), 0);
	memset(ret_number, 0, 8);
	while (n < 7 && !strchr(ret_number, '\n')) {
		assert_true(call_poll(soon(), s->server.out, POLLIN, "Xvfb", &e) > 0);
		assert_int_equal(read(s->server.out, ret_number + n++, 1), 1);
	}
	*strchr(ret_number, '\n') = '\0';
	return true;
}

bool xserver_start(struct xserver *s, const char *screen)
{
	char number[8];
	*s = (struct xserver){ .display = "" };
	if (!start(s, NULL, screen, number))
		return false;
	snprintf(s->display, sizeof(s->display), ":%s", number);
	return true;
}

bool xserver_start_on(struct xserver *s, const char *screen)
{
	char number[8];
	return start(s, s->display, screen, number);
}

static xcb_atom_t atom(xcb_connection_t *c, const char *name)
{
	auto_free xcb_intern_atom_reply_t *r =
	    xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, (uint16_t)strlen(name), name), NULL);
	assert_non_null(r);
	return r->atom;
}

static int windows_listed(xcb_connection_t *c, xcb_window_t root, const char *property)
{
	auto_free xcb_get_property_reply_t *r = xcb_get_property_reply(
	    c, xcb_get_property(c, 0, root, atom(c, property), XCB_ATOM_WINDOW, 0, 16), NULL);
	return r ? xcb_get_property_value_length(r) / 4 : 0;
}

static bool is_listed(xcb_connection_t *c, xcb_window_t root, xcb_window_t w)
{
	auto_free xcb_get_property_reply_t *r = xcb_get_property_reply(
	    c, xcb_get_property(c, 0, root, atom(c, "_NET_CLIENT_LIST"), XCB_ATOM_WINDOW, 0, 1024),
	    NULL);
	const xcb_window_t *list = r ? xcb_get_property_value(r) : NULL;
	int n = r ? xcb_get_property_value_length(r) / 4 : 0;
	for (int i = 0; i < n; i++)
		if (list[i] == w)
			return true;
	return false;
}

static void poke(xcb_connection_t *c, xcb_window_t root)
{
	auto_error struct error e = ERROR_INIT;
	uint32_t any = 0;
	xcb_change_property(c, XCB_PROP_MODE_REPLACE, root, XCB_ATOM_CUT_BUFFER0, XCB_ATOM_CARDINAL, 32,
	                    1, &any);
	xcb_flush(c);
	assert_int_equal(clock_wait(5, NULL, &e), 0);
}

/* openbox can leave an event that came in while it started unread until the next one comes: it is
 * poked until it has taken a window into its care. */
static void wait_for_wm(struct xserver *s)
{
	xcb_connection_t *conn = xcb_connect(s->display, NULL);
	xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(conn)).data->root;
	xcb_window_t w = xcb_generate_id(conn);
	uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
	xcb_create_window(conn, XCB_COPY_FROM_PARENT, w, root, 0, 0, 50, 50, 0,
	                  XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
	                  &mask);
	while (windows_listed(conn, root, "_NET_SUPPORTING_WM_CHECK") != 1)
		poke(conn, root);
	xcb_map_window(conn, w);
	while (windows_listed(conn, root, "_NET_CLIENT_LIST") != 1)
		poke(conn, root);
	/* The number of this window may be given out again: the manager must have forgotten it. */
	xcb_destroy_window(conn, w);
	while (windows_listed(conn, root, "_NET_CLIENT_LIST") != 0)
		poke(conn, root);
	xcb_disconnect(conn);
}

bool xserver_start_wm(struct xserver *s)
{
	if (!installed("openbox"))
		return false;
	const char *argv[] = { "openbox", NULL };
	struct proc_opts o = { .argv = argv, .die_with_parent = true };
	auto_error struct error e = ERROR_INIT;
	setenv("DISPLAY", s->display, 1);
	assert_int_equal(proc_start(&s->wm, &o, &e), 0);
	s->has_wm = true;
	wait_for_wm(s);
	return true;
}

void xserver_stop(struct xserver *s)
{
	if (s->has_wm)
		proc_end(&s->wm, 2000);
	if (s->display[0])
		proc_end(&s->server, 2000);
}

void xserver_run(const struct xserver *s, const char *const *argv)
{
	setenv("DISPLAY", s->display, 1);
	struct proc_opts o = { .argv = argv, .pipe_err = true };
	auto_error struct error e = ERROR_INIT;
	int status = -1;
	assert_int_equal(proc_run(&o, soon(), NULL, NULL, &status, &e), 0);
	assert_int_equal(status, 0);
}

struct x11 *xserver_connect(const struct xserver *s)
{
	struct x11 *x = NULL;
	auto_error struct error e = ERROR_INIT;
	struct x11_env env = { .display = s->display };
	assert_int_equal(x11_open(&x, &env, &e), 0);
	if (!x11_available(x))
		fail_msg("%s", x11_why_not(x));
	return x;
}

/* --- a program ------------------------------------------------------------------------------ */

struct xclient {
	struct xclient *next; /* of all that are open */
	struct xclient_opts opts;
	bool has_wm;
	xcb_connection_t *c;
	xcb_window_t root, window;
	xcb_atom_t protocols, ping, delete_window, pid, stop;
	uint8_t xkb_event;
	struct xkb_context *ctx;
	struct xkb_keymap *keymap;
	struct xkb_state *state;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	char text[4096];
	size_t len;
	struct xclient_button buttons[256];
	size_t n_buttons, n_motions;
	unsigned states[64];
	size_t n_states;
	bool focused, asked_to_close;
};

static struct xclient *open_clients;

/* As toolkits do: the keymap is fetched when a change was announced, not before. */
static void fetch_keymap(struct xclient *p)
{
	xkb_state_unref(p->state);
	xkb_keymap_unref(p->keymap);
	int32_t dev = xkb_x11_get_core_keyboard_device_id(p->c);
	p->keymap = xkb_x11_keymap_new_from_device(p->ctx, p->c, dev, XKB_KEYMAP_COMPILE_NO_FLAGS);
	p->state = xkb_state_new(p->keymap);
}

static void add_key(struct xclient *p, const xcb_key_press_event_t *k)
{
	xkb_state_update_mask(p->state, k->state & 0xff, 0, 0, 0, 0, (k->state >> 13) & 3);
	xkb_keysym_t sym = xkb_state_key_get_one_sym(p->state, k->detail);
	uint32_t cp = xkb_keysym_to_utf32(sym);
	char utf8[8];
	bool modifier =
	    (sym >= XKB_KEY_Shift_L && sym <= XKB_KEY_Hyper_R) || sym == XKB_KEY_ISO_Level3_Shift;
	if (!modifier && p->n_states < ARRAY_SIZE(p->states))
		p->states[p->n_states++] = k->state;
	if (cp == 0)
		return;
	int n = xkb_keysym_to_utf8(sym, utf8, sizeof(utf8));
	if (sym == XKB_KEY_Return)
		utf8[0] = '\n';
	if (n > 1 && p->len + (size_t)n < sizeof(p->text)) {
		memcpy(p->text + p->len, utf8, (size_t)n);
		p->len += (size_t)n - 1;
	}
}

static void add_button(struct xclient *p, const xcb_button_press_event_t *b, bool down)
{
	if (p->n_buttons < ARRAY_SIZE(p->buttons))
		p->buttons[p->n_buttons++] =
		    (struct xclient_button){ b->detail, down, b->event_x, b->event_y, b->time };
}

/* False: the program is told to end. */
static bool message(struct xclient *p, const xcb_client_message_event_t *m)
{
	if (m->type == p->stop)
		return false;
	if (m->data.data32[0] == p->delete_window)
		p->asked_to_close = true;
	if (m->data.data32[0] == p->ping) {
		xcb_client_message_event_t back = *m;
		back.window = p->root;
		xcb_send_event(p->c, 0, p->root,
		               XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
		               (const char *)&back);
		xcb_flush(p->c);
	}
	return true;
}

static bool event(struct xclient *p, const xcb_generic_event_t *ev)
{
	switch (ev->response_type & 0x7f) {
	case XCB_KEY_PRESS: add_key(p, (const xcb_key_press_event_t *)ev); break;
	case XCB_BUTTON_PRESS: add_button(p, (const xcb_button_press_event_t *)ev, true); break;
	case XCB_BUTTON_RELEASE: add_button(p, (const xcb_button_press_event_t *)ev, false); break;
	case XCB_MOTION_NOTIFY: p->n_motions++; break;
	case XCB_FOCUS_IN: p->focused = true; break;
	case XCB_FOCUS_OUT: p->focused = false; break;
	case XCB_CLIENT_MESSAGE: return message(p, (const xcb_client_message_event_t *)ev);
	default: break;
	}
	if ((ev->response_type & 0x7f) == p->xkb_event)
		fetch_keymap(p);
	return true;
}

static void *run(void *arg)
{
	struct xclient *p = arg;
	bool go_on = true;
	while (go_on) {
		auto_free xcb_generic_event_t *ev = xcb_wait_for_event(p->c);
		if (!ev)
			break;
		pthread_mutex_lock(&p->mutex);
		go_on = event(p, ev);
		pthread_cond_broadcast(&p->changed);
		pthread_mutex_unlock(&p->mutex);
	}
	return NULL;
}

static xcb_window_t make_window(struct xclient *p, int x, int y, int w, int h, bool popup)
{
	xcb_window_t id = xcb_generate_id(p->c);
	uint32_t values[] = { p->opts.colour, popup,
		                  XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_BUTTON_PRESS |
		                      XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_POINTER_MOTION |
		                      XCB_EVENT_MASK_FOCUS_CHANGE };
	xcb_create_window(p->c, XCB_COPY_FROM_PARENT, id, p->root, (int16_t)x, (int16_t)y, (uint16_t)w,
	                  (uint16_t)h, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
	                  XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
	return id;
}

static void set_properties(struct xclient *p)
{
	const struct xclient_opts *o = &p->opts;
	xcb_atom_t list[2];
	uint32_t n = 0;
	if (!o->no_ping)
		list[n++] = p->ping;
	if (!o->no_delete)
		list[n++] = p->delete_window;
	/* USPosition, so that a window manager leaves the window where it is asked to be. */
	uint32_t hints[18] = { 1, (uint32_t)o->x, (uint32_t)o->y };
	xcb_change_property(p->c, XCB_PROP_MODE_REPLACE, p->window, XCB_ATOM_WM_NORMAL_HINTS,
	                    XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
	xcb_change_property(p->c, XCB_PROP_MODE_REPLACE, p->window, atom(p->c, "_NET_WM_NAME"),
	                    atom(p->c, "UTF8_STRING"), 8, (uint32_t)strlen(o->title), o->title);
	xcb_change_property(p->c, XCB_PROP_MODE_REPLACE, p->window, p->protocols, XCB_ATOM_ATOM, 32, n,
	                    list);
	if (o->pid)
		xcb_change_property(p->c, XCB_PROP_MODE_REPLACE, p->window, p->pid, XCB_ATOM_CARDINAL, 32,
		                    1, &o->pid);
}

struct xclient *xclient_open(const struct xserver *s, const struct xclient_opts *o)
{
	struct xclient *p = calloc(1, sizeof(*p));
	assert_non_null(p);
	p->opts = *o;
	p->has_wm = s->has_wm;
	p->c = xcb_connect(s->display, NULL);
	assert_int_equal(xcb_connection_has_error(p->c), 0);
	assert_true(xkb_x11_setup_xkb_extension(p->c, 1, 0, XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, NULL,
	                                        NULL, &p->xkb_event, NULL));
	uint16_t maps = XCB_XKB_EVENT_TYPE_NEW_KEYBOARD_NOTIFY | XCB_XKB_EVENT_TYPE_MAP_NOTIFY;
	xcb_xkb_select_events(p->c, XCB_XKB_ID_USE_CORE_KBD, maps, 0, maps, 0xff, 0xff, NULL);
	p->root = xcb_setup_roots_iterator(xcb_get_setup(p->c)).data->root;
	p->protocols = atom(p->c, "WM_PROTOCOLS");
	p->ping = atom(p->c, "_NET_WM_PING");
	p->delete_window = atom(p->c, "WM_DELETE_WINDOW");
	p->pid = atom(p->c, "_NET_WM_PID");
	p->stop = atom(p->c, "DEFT_TEST_STOP");
	p->ctx = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES);
	fetch_keymap(p);
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->changed, NULL);
	p->window = make_window(p, o->x, o->y, o->width, o->height, o->popup);
	set_properties(p);
	xcb_map_window(p->c, p->window);
	free(xcb_get_input_focus_reply(p->c, xcb_get_input_focus(p->c), NULL));
	assert_int_equal(pthread_create(&p->thread, NULL, run, p), 0);
	p->next = open_clients;
	open_clients = p;
	return p;
}

uint32_t xclient_popup(struct xclient *p, int x, int y, int width, int height)
{
	xcb_window_t id = make_window(p, x, y, width, height, true);
	xcb_map_window(p->c, id);
	free(xcb_get_input_focus_reply(p->c, xcb_get_input_focus(p->c), NULL));
	return id;
}

void xclient_close(struct xclient *p)
{
	struct xclient **at = &open_clients;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	xcb_client_message_event_t ev = {
		.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = p->window, .type = p->stop
	};
	xcb_send_event(p->c, 0, p->window, XCB_EVENT_MASK_NO_EVENT, (const char *)&ev);
	xcb_flush(p->c);
	pthread_join(p->thread, NULL);
	/* The number of the window is given out again: the manager must have forgotten it. */
	xcb_destroy_window(p->c, p->window);
	while (p->has_wm && is_listed(p->c, p->root, p->window))
		poke(p->c, p->root);
	xkb_state_unref(p->state);
	xkb_keymap_unref(p->keymap);
	xkb_context_unref(p->ctx);
	xcb_disconnect(p->c);
	pthread_mutex_destroy(&p->mutex);
	pthread_cond_destroy(&p->changed);
	free(p);
}

int xclient_close_all(void **state)
{
	(void)state;
	while (open_clients)
		xclient_close(open_clients);
	return 0;
}

uint32_t xclient_window(const struct xclient *p)
{
	return p->window;
}

/* Waits for the next event to be handled; false: none came. Called with the mutex held. */
static bool wait_change(struct xclient *p)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += WAIT_MS / 1000;
	return pthread_cond_timedwait(&p->changed, &p->mutex, &ts) == 0;
}

void xclient_focus(struct xclient *p)
{
	xcb_set_input_focus(p->c, XCB_INPUT_FOCUS_PARENT, p->window, XCB_CURRENT_TIME);
	xcb_flush(p->c);
	pthread_mutex_lock(&p->mutex);
	while (!p->focused)
		assert_true(wait_change(p));
	pthread_mutex_unlock(&p->mutex);
}

const char *xclient_text(struct xclient *p, size_t n)
{
	pthread_mutex_lock(&p->mutex);
	while (p->len < n && wait_change(p))
		;
	p->text[p->len] = '\0';
	pthread_mutex_unlock(&p->mutex);
	return p->text;
}

void xclient_clear(struct xclient *p)
{
	pthread_mutex_lock(&p->mutex);
	p->len = p->n_buttons = p->n_motions = p->n_states = 0;
	p->text[0] = '\0';
	pthread_mutex_unlock(&p->mutex);
}

size_t xclient_buttons(struct xclient *p, size_t n, struct xclient_button *out, size_t max)
{
	pthread_mutex_lock(&p->mutex);
	while (p->n_buttons < n && wait_change(p))
		;
	size_t got = p->n_buttons < max ? p->n_buttons : max;
	memcpy(out, p->buttons, got * sizeof(*out));
	pthread_mutex_unlock(&p->mutex);
	return got;
}

size_t xclient_motions(struct xclient *p)
{
	pthread_mutex_lock(&p->mutex);
	size_t n = p->n_motions;
	pthread_mutex_unlock(&p->mutex);
	return n;
}

bool xclient_asked_to_close(struct xclient *p)
{
	pthread_mutex_lock(&p->mutex);
	while (!p->asked_to_close && wait_change(p))
		;
	bool asked = p->asked_to_close;
	pthread_mutex_unlock(&p->mutex);
	return asked;
}

unsigned xclient_state(struct xclient *p, size_t i)
{
	pthread_mutex_lock(&p->mutex);
	while (p->n_states <= i && wait_change(p))
		;
	assert_true(p->n_states > i);
	unsigned state = p->states[i];
	pthread_mutex_unlock(&p->mutex);
	return state;
}
