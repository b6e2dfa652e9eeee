/* The AT-SPI backend, from inside: what its two halves offer each other.
 *
 *   reading half   bus_*.c app_*.c tree_*.c node_*.c   accessibility bus, trees, values, text
 *   acting half    x11*.c, input, windows, launch, …   pointer, keys, pictures, programs (x11.h)
 *
 * THREADS: everything here runs on the runner's executor thread; nothing is locked. CALLS: no
 * function sends Properties.GetAll (it crashes Qt 5 and Chromium) and none sets a Value as a bare
 * double (it crashes GTK 3). Every wait honours the struct call; one D-Bus call waits
 * LIM_ATSPI_CALL_MS at most. BORROWING: a struct atspi_app lives until the next
 * atspi_apps_refresh(); strings inside a struct atspi_node are its own. Source of the rules: the
 * AT-SPI interface files and what GTK 3.24, GTK 4.8 and Qt 5.15 were seen to do. */
#ifndef DEFT_BACKEND_ATSPI_ATSPI_H
#define DEFT_BACKEND_ATSPI_ATSPI_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"
#include "runner/backend.h"
#include "ui/node.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct x11;       /* x11.h */
struct atspi_bus; /* bus.h: the connection to the accessibility bus and its applications */
struct launcher;  /* launch.h */

struct atspi {
	struct rb_backend base;    /* first */
	struct x11 *x11;           /* may be not available (x11_available()), or NULL */
	struct atspi_bus *bus;     /* NULL until the first atspi_bus_connect() that succeeded */
	struct launcher *launcher; /* launch.h: programs started here; NULL until the first */
	/* The window of the element located last: a press asks for it again right afterwards. */
	struct atspi_located {
		char handle[512], title[256];
		pid_t pid;
		int64_t at_ms;
	} located;
};

/* --- bus ------------------------------------------------------------------------------------- */

/* Connects when there is no living connection; cheap otherwise. Address: $AT_SPI_BUS_ADDRESS, the
 * root window's AT_SPI_BUS, org.a11y.Bus on the session bus. At most LIM_ATSPI_CONNECT_MS.
 * -ERR_DEVICE_UNAVAILABLE with reason no_session_bus | no_accessibility_bus |
 * accessibility_bus_silent | accessibility_bus_refused, and the missing piece in message and hint.
 * Everything below that talks to the bus calls it by itself. */
int atspi_bus_connect(struct atspi *a, struct call c, struct error *e);
void atspi_bus_close(struct atspi *a);
/* Reads and drops what has come in meanwhile; never blocks. For the moments between commands. */
void atspi_bus_drain(struct atspi *a);

/* --- applications ---------------------------------------------------------------------------- */

enum atspi_toolkit {
	ATSPI_TOOLKIT_OTHER,
	ATSPI_TOOLKIT_GTK3, /* "gtk" */
	ATSPI_TOOLKIT_GTK4, /* "GTK" */
	ATSPI_TOOLKIT_QT,
	ATSPI_TOOLKIT_CHROMIUM,
	ATSPI_TOOLKIT_WEBKIT,
	ATSPI_TOOLKIT_GECKO,
};

struct atspi_window {
	char *path;      /* object path of the top level */
	char *title;     /* "" when it has none */
	uint32_t role;   /* AT-SPI role number */
	uint64_t states; /* bit n: AT-SPI state n */
	bool active;     /* ACTIVE and not provably hidden */
	bool unresponsive;
};

struct atspi_app {
	char id[96];   /* "<name>#<pid>": what rb_ops takes and gives as `app` */
	char bus[64];  /* unique bus name, ":1.7" */
	char name[64]; /* as the program calls itself, else its process name */
	char comm[32]; /* process name, "" unknown */
	char toolkit_name[32], toolkit_version[32];
	enum atspi_toolkit toolkit;
	pid_t pid; /* 0: unknown */
	struct atspi_window *windows;
	uint32_t n_windows;
	bool active;             /* owns the active window */
	bool unresponsive;       /* did not answer within LIM_ATSPI_CALL_MS */
	struct atspi_peer *peer; /* private to the reading half */
};

struct atspi_apps {
	struct atspi_app *apps; /* in the registry's order */
	uint32_t n;
	int frontmost; /* index, -1: nothing to be seen */
};

/* Reads the list afresh. An empty list right after the bus has started is asked for again up to
 * LIM_ATSPI_FIRST_APPS_MS; `wait_ms` >= 0 replaces that time (0: take it as it is).
 * *ret is borrowed until the next refresh. */
int atspi_apps_refresh(struct atspi *a, struct call c, int64_t wait_ms,
                       const struct atspi_apps **ret, struct error *e);
/* By id ("name#pid"), bare pid, bus name, or name (case does not count; process name too), in a
 * refreshed list. NULL or "": the frontmost. -ERR_APP_NOT_RUNNING; -ERR_AMBIGUOUS_MATCH with
 * candidates when a name fits several processes. */
int atspi_app_find(const struct atspi_apps *apps, const char *which, const struct atspi_app **ret,
                   struct error *e);
/* Both in one: when `which` tells the pid, no other program is asked anything (one that hangs costs
 * no time); the others are then in the list without names and windows, and frontmost is -1. */
int atspi_app_refresh(struct atspi *a, struct call c, const char *which,
                      const struct atspi_apps **ret, const struct atspi_app **ret_app,
                      struct error *e);
/* The application of the pid, or of one of its child processes; NULL: none. */
const struct atspi_app *atspi_app_of_pid(const struct atspi_apps *apps, pid_t pid);
/* The shape of rb_ops.apps for one application; new reference. */
json_t *atspi_app_json(const struct atspi_app *app);

/* --- nodes ----------------------------------------------------------------------------------- */

/* What a handle names. Text form: "1|<bus id>|<bus name>|<role>|<parent hash>|<path>". The bus id
 * is the running bus's own GUID (short), bus names are never given out twice by one bus, and role
 * and (not in GTK, which never uses a path twice) parent must still be the same: Qt gives freed
 * object paths to new objects. */
struct atspi_handle {
	char bus_id[17];
	char bus[64];
	uint32_t role;
	uint32_t parent_hash;
	char path[256];
};

/* -ERR_LIMIT_EXCEEDED when a part is longer than its field. */
int atspi_handle_format(const struct atspi_handle *h, struct buf *out);
/* -ERR_INVALID_ARGS for what atspi_handle_format() did not make. */
int atspi_handle_parse(const char *text, struct atspi_handle *ret, struct error *e);

enum atspi_iface {
	ATSPI_IF_ACTION = 1u << 0,
	ATSPI_IF_COMPONENT = 1u << 1,
	ATSPI_IF_VALUE = 1u << 2,
	ATSPI_IF_TEXT = 1u << 3,
	ATSPI_IF_EDITABLE_TEXT = 1u << 4,
	ATSPI_IF_SELECTION = 1u << 5,
	ATSPI_IF_TABLE = 1u << 6,
	ATSPI_IF_TABLE_CELL = 1u << 7,
	ATSPI_IF_DOCUMENT = 1u << 8,
};

/* One element, found again and read afresh. Good until the next atspi_apps_refresh(). */
struct atspi_node {
	const struct atspi_app *app; /* NULL: a part that another process than a listed program shows */
	struct atspi_peer *peer;     /* private to the reading half */
	struct atspi_handle handle;
	uint32_t role; /* AT-SPI number */
	enum ui_role ui_role;
	uint64_t states;
	uint32_t flags;  /* enum ui_flag, without UI_HITTABLE */
	uint32_t ifaces; /* enum atspi_iface */
	char label[256]; /* repaired, cut; "" when none */
	char parent_bus[64], parent_path[256];
	int32_t index; /* in its parent, -1 unknown */
};

/* Finds the element of a handle: -ERR_ELEMENT_STALE when it is gone or another one is there now,
 * -ERR_APP_NOT_RUNNING, -ERR_APP_NOT_RESPONDING. */
int atspi_node_find(struct atspi *a, struct call c, const char *handle, struct atspi_node *ret,
                    struct error *e);
/* The element that has the keyboard focus in the app (NULL: the frontmost): its handle in out.
 * -ERR_ELEMENT_NOT_FOUND when nothing has it. */
int atspi_focused(struct atspi *a, struct call c, const char *app, struct buf *out,
                  struct error *e);
/* -ERR_ELEMENT_DISABLED unless the node takes input now. */
int atspi_node_enabled(const struct atspi_node *n, struct error *e);

/* rb_ops.snapshot, .locate, .read_text */
int atspi_snapshot(struct atspi *a, struct call c, const struct rb_snapshot_opts *o,
                   struct ui_tree *ret, struct error *e);
int atspi_locate(struct atspi *a, struct call c, const char *handle, struct rb_located *ret,
                 struct error *e);
int atspi_read_text(struct atspi *a, struct call c, const char *handle, struct buf *out,
                    struct error *e);

/* The title and pid of the window an element is in, for raising it (what atspi_locate() has just read of
 * the same element counts); ret_title (size bytes) may be
 * empty. */
int atspi_node_window(struct atspi *a, struct call c, const char *handle, pid_t *ret_pid,
                      char *ret_title, size_t size, struct error *e);

/* --- controls (rb_ops.control_*) ------------------------------------------------------------- */

int atspi_control_read(struct atspi *a, struct call c, const char *handle, struct rb_control *ret,
                       struct error *e);
/* Sets Value.CurrentValue as a variant. Only sensitive controls with a range; progress and level
 * bars and read-only ones are -ERR_ELEMENT_NOT_INTERACTABLE; a value outside the range is
 * -ERR_INVALID_ARGS with details min and max (never clamped in silence). Waits up to 500 ms until
 * the value reads back within max(step / 2, 1e-6 of the span): otherwise
 * -ERR_CONTROL_CONVERGENCE_FAILED with details requested and actual. */
int atspi_control_set(struct atspi *a, struct call c, const char *handle, double value,
                      struct error *e);
/* One step by Increase/Decrease action, else by CurrentValue ± MinimumIncrement. At the end of the
 * range: -ERR_ELEMENT_NOT_INTERACTABLE reason at_limit. */
int atspi_control_step(struct atspi *a, struct call c, const char *handle, int direction,
                       struct error *e);

/* --- semantic acting ------------------------------------------------------------------------- */

/* Does the action of this machine name; NULL: the press-like one (click, press, Press, activate,
 * jump, toggle, Toggle, do-default, open; never clipboard.*, menu.popup, window.*, win.*); an
 * element without actions that is an item of a Selection is selected instead ("select").
 * *ret_name: what was done, valid until the next call. */
int atspi_do_action(struct atspi *a, struct call c, const char *handle, const char *action,
                    const char **ret_name, struct error *e);
/* True when atspi_do_action(NULL) has something to do; asks the bus. */
bool atspi_has_press(struct atspi *a, struct call c, const struct atspi_node *n);
/* Component.GrabFocus, else the SetFocus action; then waits until FOCUSED shows (500 ms).
 * -ERR_UNSUPPORTED_OPERATION when the toolkit has neither (GTK 4): press the element instead. */
int atspi_grab_focus(struct atspi *a, struct call c, const char *handle, struct error *e);

/* EditableText. Both read back; *ret_verified: equal to what was asked for.
 * -ERR_UNSUPPORTED_OPERATION (reason no_editable_text) when the element has no EditableText: type
 * keys instead. out (may be NULL) gets the text that is there now, nothing for a password field. */
int atspi_set_text(struct atspi *a, struct call c, const struct atspi_node *n, const char *text,
                   bool *ret_verified, struct buf *out, struct error *e);
/* Inserts at the caret of a focused element, else at the end; the caret is behind the text
 * afterwards. */
int atspi_insert_text(struct atspi *a, struct call c, const struct atspi_node *n, const char *text,
                      bool *ret_verified, struct buf *out, struct error *e);
/* Text and character count as they are now; a password gives only the count (out stays empty).
 * ret_chars may be NULL. */
int atspi_node_text(struct atspi *a, struct call c, const struct atspi_node *n, struct buf *out,
                    uint32_t *ret_chars, struct error *e);

/* A digest of where a scrollable's content stands (scroll bars, places of its children), to tell
 * whether a scroll moved anything: compare before and after. */
int atspi_scroll_digest(struct atspi *a, struct call c, const char *handle, uint64_t *ret,
                        struct error *e);

#endif
