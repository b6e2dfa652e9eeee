/* The X11 half of the desktop backend: windows, pointer, keys and pixels over one xcb connection.
 *
 * An object always exists; when there is no usable X server (no DISPLAY, Wayland, Xwayland, an
 * unreachable server) it is "not available", every operation is -ERR_UNSUPPORTED_OPERATION with the
 * reason and what works instead, and x11_available() is false. A server that goes away during an
 * operation is -ERR_DEVICE_UNAVAILABLE; x11_renew() finds the one that takes its place.
 *
 * THREADS: all operations on the executor thread; x11_available(), x11_why_not() and
 * x11_screen_size() from any thread.
 * BLOCKING: every round trip honours its struct call.
 * COORDINATES: pixels of the X screen, origin at the top left of the root window. */
#ifndef DEFT_ATSPI_X11_H
#define DEFT_ATSPI_X11_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"
#include "ui/node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct x11;

/* What decides about X11; borrowed during x11_open() only. */
struct x11_env {
	const char *display;      /* DISPLAY; NULL or "": none */
	const char *wayland;      /* WAYLAND_DISPLAY */
	const char *session_type; /* XDG_SESSION_TYPE */
};

/* 0 also when X11 is not available; -ERR_COMMAND_FAILED only when memory ran out. */
int x11_open(struct x11 **ret, const struct x11_env *env, struct error *e);
/* Connects again when the server has gone away or was not there yet; cheap otherwise. To be called
 * before an operation. */
void x11_renew(struct x11 *x);
void x11_close(struct x11 *x);
bool x11_available(const struct x11 *x);      /* NULL: false */
const char *x11_why_not(const struct x11 *x); /* one sentence; "" when available */
const char *x11_display(const struct x11 *x); /* ":99", also when it can't be reached */
/* Width and height of the screen as last seen; 0,0 when not available. */
void x11_screen_size(const struct x11 *x, int *ret_width, int *ret_height);
/* 0, or the typed error "can't <what>: <why not>" whose hint says what works instead. */
int x11_require(const struct x11 *x, const char *what, struct error *e);

/* --- windows -------------------------------------------------------------------------------- */

/* A top-level window of a program: a client that the window manager manages, or an override-redirect
 * popup (menu, tooltip, combo list). */
struct x11_window {
	uint32_t id;     /* the client's own window */
	uint32_t top;    /* the child of the root that holds it: the WM's frame, or id itself */
	pid_t pid;       /* _NET_WM_PID, or that of another window of the same client; 0: unknown */
	char title[256]; /* _NET_WM_NAME or WM_NAME, valid UTF-8, cut */
	struct ui_rect client; /* the client area in root coordinates, decorations excluded */
	int gtk_frame[4]; /* _GTK_FRAME_EXTENTS left right top bottom: the shadow inside `client` */
	int net_frame[4]; /* _NET_FRAME_EXTENTS left right top bottom: decoration outside it */
	bool override_redirect;
	bool viewable; /* mapped with all its ancestors */
	bool active;   /* _NET_ACTIVE_WINDOW */
	bool modal;    /* _NET_WM_STATE_MODAL: a dialog that wants to be answered first */
	bool has_gtk_frame;
};

/* Top-level windows, the topmost first; pid 0: of all programs. Viewable and iconified ones.
 * The caller frees *ret_list. */
int x11_list_windows(struct x11 *x, struct call c, pid_t pid, struct x11_window **ret_list,
                     size_t *ret_n, struct error *e);
/* The one managed window of pid with this title. title NULL: the only one, or the active one of
 * several. Popups are looked at only when no managed window fits. -ERR_ELEMENT_NOT_FOUND when none
 * fits, -ERR_AMBIGUOUS_MATCH when two of the same title do (details.titles). */
int x11_window_for(struct x11 *x, struct call c, pid_t pid, const char *title,
                   struct x11_window *ret, struct error *e);

/* The same in a list that was just read; pure. */
int x11_pick_window(const struct x11_window *list, size_t n, pid_t pid, const char *title,
                    struct x11_window *ret, struct error *e);

/* The process of the active window; 0: none, or not known. Two round trips. */
int x11_active_pid(struct x11 *x, struct call c, pid_t *ret, struct error *e);

/* A program holds the pointer: an open menu or list takes every click, wherever it goes. False also
 * when it can't be found out. Asks by trying to take the pointer, so: only when a popup is shown. */
bool x11_pointer_is_held(struct x11 *x, struct call c);

/* What a click at a point would meet, input shapes respected. */
struct x11_hit {
	uint32_t top;    /* child of the root, 0: the bare root */
	uint32_t client; /* the managed client or popup, 0: none */
	pid_t pid;       /* 0: unknown */
	char title[256];
	bool on_decoration; /* on the WM's frame, not in the client area */
	bool override_redirect;
};
int x11_top_window_at(struct x11 *x, struct call c, double px, double py, struct x11_hit *ret,
                      struct error *e);
/* The same with a list of all windows that was just read. */
int x11_hit_among(struct x11 *x, struct call c, const struct x11_window *list, size_t n, double px,
                  double py, struct x11_hit *ret, struct error *e);

/* Brings a window forward with _NET_ACTIVE_WINDOW (without a window manager: restacks and focuses)
 * and waits until no other window lies over it in the stacking order and it is active. Bounded by the
 * call and LIM_X11_RAISE_MS. -ERR_ELEMENT_COVERED when the window manager did not do it. */
int x11_raise(struct x11 *x, struct call c, uint32_t window, struct error *e);
/* Asks a window to close: WM_DELETE_WINDOW when it takes that, else _NET_CLOSE_WINDOW. */
int x11_close_window(struct x11 *x, struct call c, uint32_t window, struct error *e);
/* AT_SPI_BUS of the root window: the accessibility bus address; false: not set. */
bool x11_atspi_bus(struct x11 *x, struct call c, struct buf *out);

/* --- pointer -------------------------------------------------------------------------------- */

enum x11_button {
	X11_LEFT = 1,
	X11_MIDDLE = 2,
	X11_RIGHT = 3,
	X11_WHEEL_UP = 4,
	X11_WHEEL_DOWN = 5,
	X11_WHEEL_LEFT = 6,
	X11_WHEEL_RIGHT = 7,
};

/* Each gesture ends with a round trip: the server has carried it out. A pressed button is always
 * released, also when the call is canceled in between. */
int x11_click(struct x11 *x, struct call c, double px, double py, enum x11_button button,
              int clicks, int hold_ms, struct error *e);
int x11_drag(struct x11 *x, struct call c, double px, double py, double px2, double py2,
             int duration_ms, struct error *e);
/* n clicks of a wheel button with the pointer at the point. */
int x11_wheel(struct x11 *x, struct call c, double px, double py, enum x11_button button, int n,
              struct error *e);

/* --- keys ----------------------------------------------------------------------------------- */

/* Presses a chord such as "ctrl+shift+a", "page-down", "F5" (x11_chord.h has the grammar). */
int x11_key(struct x11 *x, struct call c, const char *chord, struct error *e);
/* Types valid UTF-8 into the focused element of the focused window. Everything is planned before the
 * first key: a character that can't be produced is -ERR_UNSUPPORTED_OPERATION with details.character
 * and nothing is typed. Modifiers that somebody holds are released, or are a typed error. */
int x11_type(struct x11 *x, struct call c, const char *text, int delay_ms, struct error *e);

/* --- pixels --------------------------------------------------------------------------------- */

/* A number that differs when any pixel of the part differs (not for security). */
int x11_pixel_digest(struct x11 *x, struct call c, const struct ui_rect *rect, uint64_t *ret,
                     struct error *e);
/* A part of the screen as PNG (RGB, 8 bits); rect NULL: all of it; cut to the screen. *ret_rect: what
 * is shown in it. -ERR_INVALID_TARGET when the rect lies outside the screen. */
int x11_capture(struct x11 *x, struct call c, const struct ui_rect *rect, struct buf *out,
                struct ui_rect *ret_rect, struct error *e);

#endif
