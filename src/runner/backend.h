/* The contract between the runner core and a platform: what a backend must supply.
 *
 * One runner process has one backend, made by the program's main file and handed to rc_run().
 *
 * THREADS. Every operation is called on the executor thread, one at a time; never two at once. The
 * exceptions are marked [any]: they may be called from any thread while another operation runs.
 * BLOCKING. An operation may block until its struct call says otherwise: it must honour the deadline
 * and the cancellation (both are given, the watchdog is LIM_RUNNER_WATCHDOG_MS), and return
 * -ERR_TIMEOUT / -ERR_CANCELED. An operation that outlives the watchdog is abandoned: its result is
 * thrown away and further commands are refused until it drains.
 * ERRORS. Typed, with the next step. An operation that can't be done here returns
 * -ERR_UNSUPPORTED_OPERATION with a reason a user understands; a NULL operation means the same.
 * TRUTH. An operation returns 0 only when it was carried out. Where the effect can be read back by
 * the backend (text, value), it is read back before returning.
 * SECRETS. Text of password fields never leaves a backend: not in values, not in errors, not in logs.
 *
 * HANDLES. A node handle is an opaque string made by snapshot() and accepted by every operation that
 * takes `node`. It must never come to mean another element: -ERR_ELEMENT_STALE instead.
 * APP. `app` names the program the caller works with, as launch() or apps() returned its id; NULL
 * means the frontmost one.
 *
 * Mandatory: describe, close, snapshot, locate, tap. Everything else may be NULL. */
#ifndef DEFT_RUNNER_BACKEND_H
#define DEFT_RUNNER_BACKEND_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"
#include "ui/node.h"

#include <jansson.h>
#include <stdbool.h>

struct rb_backend; /* the implementation's own state starts with `const struct rb_ops *ops` */

struct rb_snapshot_opts {
	const char *app;       /* borrowed; NULL: frontmost */
	const char *surface;   /* "app" (default), "frontmost-app", "desktop" */
	bool interactive_only; /* a hint: detail (rects, text) is needed for interactive nodes only */
	bool raw;              /* everything, also what is not shown */
	int depth;             /* < 0: LIM_TREE_DEPTH */
};

/* A node looked at afresh. */
struct rb_located {
	struct ui_rect rect; /* in device points, valid when has_point */
	double x, y;         /* where to press: inside rect and inside every clipping ancestor */
	bool has_point;      /* false: no usable point; no_point_reason says why */
	bool offscreen;      /* outside its viewport: scroll first */
	bool covered;        /* another window or element is on top of (x, y) */
	const char *no_point_reason; /* static text */
	char covered_by[128];        /* what lies on top, "" when unknown */
	uint32_t flags;              /* enum ui_flag as now */
	enum ui_role role;
	char label[256]; /* repaired, cut */
	bool semantic;   /* has a press-like semantic action */
};

enum rb_button { RB_BUTTON_PRIMARY, RB_BUTTON_SECONDARY, RB_BUTTON_MIDDLE };

/* One gesture at a point. Coordinates are finite and on the screen (the core checks). */
struct rb_tap {
	double x, y;
	enum rb_button button;
	int clicks;       /* 1 or 2 */
	int hold_ms;      /* 0: a plain tap */
	const char *node; /* the element meant, or NULL: lets the backend raise its window first */
};

struct rb_drag {
	double x, y, x2, y2;
	int duration_ms; /* LIM_SWIPE_MIN_MS..LIM_SWIPE_MAX_MS; intermediate points are sent */
};

struct rb_scroll {
	const char *node; /* scroll this container; NULL: at (x, y) */
	double x, y;
	double dx, dy; /* where the view moves, in points: dy > 0 shows what is further down */
};

enum rb_text_mode { RB_TEXT_APPEND, RB_TEXT_REPLACE };

struct rb_text {
	const char *node; /* NULL: the focused element */
	const char *text; /* valid UTF-8, LIM_TEXT code points at most */
	enum rb_text_mode mode;
	int delay_ms; /* > 0: key by key with this pause */
};

/* What entering text came to. */
struct rb_text_result {
	const char *route; /* "editable-text" | "keys" | … (static) */
	bool verified;     /* read back and equal to what was asked for */
	bool secret;       /* a password field: only the length could be compared */
	bool read_back;    /* `actual` was read from the field, also when it is empty; a text that was
	                     * read back and differs makes the core answer TEXT_ENTRY_MISMATCH */
	struct buf actual; /* what the field holds now; empty when secret; the caller runs buf_done */
};

struct rb_launch {
	const char *target; /* desktop id, program name, path, URL or scene */
	const char *flavour; /* which kind of device a virtual one plays; NULL: as it is */
	json_t *args;       /* array of strings or NULL, borrowed */
	json_t *env;        /* object of strings or NULL, borrowed: added to the environment */
	bool relaunch;      /* end a running instance first */
	bool background;    /* do not raise it */
};

/* {"id","name","pid"?,"running":bool,"frontmost"?,"windows"?:[{title,active,rect?}],"toolkit"?,
 *  "accessible"?:bool} */
#define RB_APP_SHAPE_DOC 1

struct rb_image {
	struct buf png;
	int width, height; /* pixels */
	double scale;      /* pixels per point */
	double x, y;       /* its top left corner on the screen, in points */
};

struct rb_shot {
	const char *app;  /* NULL: whole screen */
	const char *node; /* crop to this element; NULL: none */
	bool fullscreen;  /* whole screen although app is given */
};

/* A numeric control read from authoritative state only. */
struct rb_control {
	bool has_value, has_range;
	double value, min, max, step; /* step 0: unknown */
	char raw[256];                /* what the platform says as text, "" when nothing */
	bool can_set, can_increment, can_decrement;
	uint32_t flags;
	enum ui_role role;
	struct ui_rect rect;
	bool has_rect, vertical, rtl;
};

struct rb_ops {
	const char *name; /* "atspi", "virtual" */

	/* Facts about the device: {"platform","name","screen":{width,height,scale},"capabilities":{…},
	 * "unavailable"?:{…}}. Must not block longer than 2 s; [any]. */
	int (*describe)(struct rb_backend *b, struct call c, json_t **ret, struct error *e);
	void (*close)(struct rb_backend *b);

	/* Makes a new tree in *ret (the core ends it); *ret is untouched on failure. */
	int (*snapshot)(struct rb_backend *b, struct call c, const struct rb_snapshot_opts *o,
	                struct ui_tree *ret, struct error *e);
	/* Reads one node again (state, place, what lies on top). -ERR_ELEMENT_STALE when it is gone. */
	int (*locate)(struct rb_backend *b, struct call c, const char *node, struct rb_located *ret,
	              struct error *e);
	int (*tap)(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e);
	int (*drag)(struct rb_backend *b, struct call c, const struct rb_drag *d, struct error *e);
	/* *ret_moved: the container's offset really changed (read back); NULL-able when unknown (-1). */
	int (*scroll)(struct rb_backend *b, struct call c, const struct rb_scroll *s, int *ret_moved,
	              struct error *e);
	/* Semantic action by its platform name; NULL: the press-like one. *ret_name: what was done
	 * (static or owned by the node; valid until the next call). */
	int (*perform)(struct rb_backend *b, struct call c, const char *node, const char *action,
	               const char **ret_name, struct error *e);
	int (*focus)(struct rb_backend *b, struct call c, const char *node, struct error *e);
	/* Inserts or replaces text; the fullest means first (direct text interface, then keys). */
	int (*text)(struct rb_backend *b, struct call c, const struct rb_text *t,
	            struct rb_text_result *ret, struct error *e);
	int (*read_text)(struct rb_backend *b, struct call c, const char *node, struct buf *out,
	                 struct error *e);
	/* A chord: modifiers ctrl shift alt super, then one key name (a, F5, enter, page-down, …). */
	int (*key)(struct rb_backend *b, struct call c, const char *chord, struct error *e);
	int (*screenshot)(struct rb_backend *b, struct call c, const struct rb_shot *s,
	                  struct rb_image *ret, struct error *e);

	int (*control_read)(struct rb_backend *b, struct call c, const char *node,
	                    struct rb_control *ret, struct error *e);
	int (*control_set)(struct rb_backend *b, struct call c, const char *node, double value,
	                   struct error *e);
	int (*control_step)(struct rb_backend *b, struct call c, const char *node, int direction,
	                    struct error *e); /* +1, -1 */

	/* Arrays of RB_APP_SHAPE; installed: also what is not running. */
	int (*apps)(struct rb_backend *b, struct call c, bool installed, json_t **ret, struct error *e);
	/* Starts or raises a program and waits until it shows on the accessibility bus (or the deadline).
	 * A running instance is raised, not started again. *ret: the app's shape plus "started":bool. */
	int (*launch)(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
	              struct error *e);
	int (*activate)(struct rb_backend *b, struct call c, const char *app, struct error *e);
	/* Closes politely, with force by signal; only what this id names. *ret_left: still running. */
	int (*terminate)(struct rb_backend *b, struct call c, const char *app, bool force,
	                 bool *ret_left, struct error *e);

	/* Navigation of phones: "back", "home", "rotate:<orientation>", "keyboardDismiss". */
	int (*navigate)(struct rb_backend *b, struct call c, const char *what, struct error *e);
	/* alert: action get | accept | dismiss; *ret: {"present":bool,"title"?,"text"?,"buttons"?:[…]}. */
	int (*alert)(struct rb_backend *b, struct call c, const char *action, json_t **ret,
	             struct error *e);
	/* Called with the app id before every command that is not a lifecycle command, so that a backend
	 * can bring it forward (runner protocol 2.5). NULL: not needed. */
	int (*prepare)(struct rb_backend *b, struct call c, const char *app, bool interaction,
	               struct error *e);
	/* Lets the device's own time pass by ms, where a backend has one (virtual); *ret_now_ms is how late
	 * it is there afterwards. NULL: time passes by itself and callers wait for real. */
	int (*idle)(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms,
	            struct error *e);
};

struct rb_backend {
	const struct rb_ops *ops;
};

#endif
