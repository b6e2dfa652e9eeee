/* Inside the X11 half: the connection and what its files share. Nobody outside x11_*.c includes it. */
#ifndef DEFT_ATSPI_X11_PRIV_H
#define DEFT_ATSPI_X11_PRIV_H

#include "backend/atspi/x11.h"
#include "base/cleanup.h"

#include <stdatomic.h>
#include <xcb/xcb.h>

#define X11_ATOMS(X)            \
	X(_NET_ACTIVE_WINDOW)       \
	X(_NET_CLIENT_LIST)         \
	X(_NET_CLOSE_WINDOW)        \
	X(_NET_FRAME_EXTENTS)       \
	X(_NET_SUPPORTED)           \
	X(_NET_SUPPORTING_WM_CHECK) \
	X(_NET_WM_NAME)             \
	X(_NET_WM_PID)              \
	X(_NET_WM_PING)             \
	X(_NET_WM_STATE)            \
	X(_NET_WM_STATE_ABOVE)      \
	X(_NET_WM_STATE_MODAL)      \
	X(_NET_WM_WINDOW_TYPE)      \
	X(_NET_WM_WINDOW_TYPE_DOCK) \
	X(_GTK_FRAME_EXTENTS)       \
	X(AT_SPI_BUS)               \
	X(UTF8_STRING)              \
	X(WM_DELETE_WINDOW)         \
	X(WM_PROTOCOLS)

enum x11_atom {
#define X11_ATOM_ENUM(name) A_##name,
	X11_ATOMS(X11_ATOM_ENUM)
#undef X11_ATOM_ENUM
	    X11_ATOM_COUNT
};

struct x11_typist; /* x11_type.c: the spare keys it has given a meaning */
struct x11_shm;    /* x11_image.c: the shared segment for pictures */

/* A connection that was made, or why there is none. */
struct x11_link {
	xcb_connection_t *conn; /* NULL: see below */
	bool unreachable;
	const char *why_not; /* static; NULL: unreachable, or none */
	xcb_screen_t *screen;
	xcb_window_t root;
	xcb_atom_t atoms[X11_ATOM_COUNT];
	uint8_t xtest_opcode;
	bool no_shm;
};

/* --- connecting (x11_connect.c) ------------------------------------------------------------- */

struct x11_attempt;
/* Starts connecting on a thread of its own; the strings of env are copied. NULL: no memory or thread. */
struct x11_attempt *x11_attempt_start(const struct x11_env *env);
/* True: it has come to an end within wait_ms; *ret is the caller's, and the attempt is freed. */
bool x11_attempt_take(struct x11_attempt *t, int64_t wait_ms, struct x11_link *ret);
/* Not waited for any more: it frees itself. NULL is fine. */
void x11_attempt_abandon(struct x11_attempt *t);

struct x11 {
	/* Set once. */
	char *env_display, *env_wayland, *env_session;
	char display[64];
	char unreachable[256], silent[256]; /* why_not, with the display's name */
	/* For any thread. */
	atomic_bool available;
	_Atomic(const char *) why_not; /* static, or one of the two above */
	atomic_int width, height;
	/* For the executor thread. */
	struct x11_attempt *attempt; /* under way; NULL: none */
	int64_t tried_ms;            /* when a connection was tried last */
	xcb_connection_t *conn;      /* NULL: not available */
	xcb_screen_t *screen;        /* of the connection's setup */
	xcb_window_t root;
	xcb_atom_t atoms[X11_ATOM_COUNT];
	uint8_t xtest_opcode;
	uint32_t last_ping;
	struct x11_typist *typist; /* NULL until text was typed */
	struct x11_shm *shm;       /* NULL until a picture was taken, or when there is no MIT-SHM */
	bool no_shm;
};

/* The reply to a request, waiting until the call's end. *ret_reply (freed by the caller) is set only
 * on success. A window that has gone is -ERR_ELEMENT_STALE, another X error -ERR_COMMAND_FAILED. */
int x11_reply(struct x11 *x, struct call c, unsigned sequence, void *ret_reply, struct error *e);
/* Like x11_reply, but an X error gives 0 and a NULL reply: for windows that may vanish. */
int x11_reply_maybe(struct x11 *x, struct call c, unsigned sequence, void *ret_reply,
                    struct error *e);
/* Everything sent so far has been carried out; refused input or keymap requests are errors. */
int x11_sync(struct x11 *x, struct call c, struct error *e);
/* The next event, freed by the caller. */
int x11_next_event(struct x11 *x, struct call c, xcb_generic_event_t **ret, struct error *e);
/* Drops what events there are. */
void x11_drop_events(struct x11 *x);
int x11_lost(struct x11 *x, struct error *e);
/* What must be undone is undone although the caller's call is over. */
struct call x11_undo_call(void);
/* Waits ms, or less when the call ends. */
int x11_pause(struct call c, int64_t ms, struct error *e);

/* --- properties (x11_prop.c) ---------------------------------------------------------------- */

unsigned x11_prop_ask(struct x11 *x, xcb_window_t w, xcb_atom_t name, xcb_atom_t type,
                      uint32_t max_bytes);
/* Reads n 32-bit items at most; how many there were. */
int x11_prop_u32(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t *out,
                 size_t max, size_t *ret_n, struct error *e);
/* A list of windows or atoms of any length; the caller frees *ret. */
int x11_prop_list(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t **ret,
                  size_t *ret_n, struct error *e);
/* A list property holds the value. */
bool x11_prop_has(struct x11 *x, struct call c, xcb_window_t w, xcb_atom_t name, uint32_t value);
/* A reply's text into out (size bytes), repaired and cut. False: there was none. */
bool x11_prop_text(const xcb_get_property_reply_t *r, char *out, size_t size);
/* A 32-bit client message to the root window, as window managers want it. */
void x11_send_root(struct x11 *x, xcb_window_t w, xcb_atom_t type, const uint32_t data[5]);
/* The window manager is there and knows this request. */
bool x11_wm_supports(struct x11 *x, struct call c, enum x11_atom request);

/* --- focus barrier (x11_ping.c) ------------------------------------------------------------- */

/* Waits until the program of the focused window has read every event sent to it so far, by
 * _NET_WM_PING. 1: it has; 0: the window doesn't answer pings, or not in time. */
int x11_barrier(struct x11 *x, struct call c, struct error *e);

/* --- raw input (x11_pointer.c) -------------------------------------------------------------- */

void x11_fake(struct x11 *x, uint8_t type, uint8_t detail, int16_t px, int16_t py);

void x11_typist_free(struct x11 *x); /* takes the spare keys back, when the server is still there */
void x11_shm_free(struct x11 *x);

#endif
