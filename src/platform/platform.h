/* The interactor: the semantic interface between a command and a platform. One struct pf_module per
 * platform (static), one struct pf_device per device a session is bound to.
 *
 * THREADS: a pf_device is used by one request at a time (the daemon's device lock).
 * Every operation takes a struct call and honours it; every mutation is sent exactly once. */
#ifndef DEFT_PLATFORM_PLATFORM_H
#define DEFT_PLATFORM_PLATFORM_H

#include "base/cancel.h"
#include "base/error.h"
#include "client/client.h"
#include "ui/node.h"

#include <jansson.h>
#include <stdbool.h>

/* One entry of `devices`. */
struct pf_device_info {
	char platform[16]; /* linux, virtual, android, ios */
	char id[96];       /* unique on this host: "linux::99", "virtual" */
	char name[96];
	char kind[16];        /* desktop | simulator | emulator | device | virtual */
	char target[16];      /* mobile | tv | desktop */
	bool available;       /* can be used now */
	char reason[256];     /* why not; "" when available */
	char reason_code[32]; /* the same for programs: no_display, display_unreachable, no_session_bus,
	                       * session_bus_unreachable, no_accessibility_bus, runner_missing; "" */
};

/* Where the caller is: the daemon outlives terminals, so display and bus come with each request. */
struct pf_caller {
	json_t *env;           /* object of strings, borrowed; never NULL */
	const char *cwd;       /* borrowed, may be NULL */
	const char *state_dir; /* for runner logs */
};

struct pf_device;

struct pf_snapshot_opts {
	const char *app, *surface; /* NULL: the module's default */
	bool interactive, raw;
	int depth; /* < 0: none */
};

struct pf_tap_opts {
	const char *app;  /* id of the session's app; NULL: the module's default */
	const char *node; /* handle; NULL: the point counts */
	const char *expect_role, *expect_label; /* what the caller saw; checked by the runner */
	double x, y;
	const char *button; /* NULL: primary */
	int count, interval_ms, hold_ms, jitter_px;
	bool double_tap;
};

struct pf_ops {
	/* tap, count > 1: a series in as few requests as the budget allows (runner protocol 5); a failure
	 * tells details.failedStepIndex, .completedSteps (of the whole series) and .executed
	 * ("partly" when some were done).
	 *
	 * Each returns the reply data as an object in *ret (new reference; may be NULL when nothing is
	 * to be said) and fills e on failure. NULL operations are -ERR_UNSUPPORTED_OPERATION. */
	int (*info)(struct pf_device *d, struct call c, json_t **ret, struct error *e);
	int (*snapshot)(struct pf_device *d, struct call c, const struct pf_snapshot_opts *o,
	                struct ui_tree *ret, struct error *e);
	int (*tap)(struct pf_device *d, struct call c, const struct pf_tap_opts *o, json_t **ret,
	           struct error *e);
	/* Any other runner command, already shaped as a runner request object (borrowed). */
	int (*run)(struct pf_device *d, struct call c, json_t *request, json_t **ret, struct error *e);
	void (*close)(struct pf_device *d);
};

/* Common head of every device; modules embed it first. */
struct pf_device {
	const struct pf_ops *ops;
	struct pf_device_info info;
	struct cl_session *runner; /* NULL when the platform has none */
	struct cl_trace trace;     /* sum since whoever serves a request cleared it */
	bool own_time;             /* its time moves by commands only; see pf_idle() */
	int64_t time_ms;           /* with own_time: how late it was there when last told */
};

struct pf_module {
	const char *platform;
	/* Appends what is there, available or not (with the reason). Must end within 2 s. */
	int (*devices)(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
	               size_t max, size_t *ret_n, struct error *e);
	/* Makes a device object; starts nothing yet. */
	int (*attach)(const struct pf_caller *caller, const struct pf_device_info *info,
	              struct pf_device **ret, struct error *e);
};

/* All modules, NULL-terminated, in order of preference. Tests replace the list. */
const struct pf_module *const *pf_modules(void);
void pf_set_modules(const struct pf_module *const *list);

/* --- time on the device (time.c) ---
 *
 * Most devices share our time. The virtual one has its own, which moves by commands only, so that
 * equal commands give equal runs and waiting costs nothing. Whoever waits for something to happen ON
 * THE DEVICE (a poll, a settle, a pause between two presses) lets the time pass with pf_idle() and
 * measures it with pf_time_ms(); budgets of our own (deadlines of requests) stay with base/clock.h. */

/* Lets ms pass on the device: waits for real, or sends the runner command `idle`. 0 ms waits for
 * nothing, but brings pf_time_ms() up to date: call it once before measuring. -ERR_CANCELED,
 * -ERR_TIMEOUT (the call ends before), and with its own time whatever the runner says. */
int pf_idle(struct pf_device *d, struct call c, int64_t ms, struct error *e);
/* How late it is on the device, in ms from an arbitrary start: now, or when pf_idle() last came back. */
int64_t pf_time_ms(const struct pf_device *d);

/* The interactor over a runner: what linux and virtual (and later phones) share. */
extern const struct pf_ops pf_runner_ops;
/* Head initialisation; takes over the provider. */
int pf_runner_device_init(struct pf_device *d, const struct pf_device_info *info,
                          const struct cl_provider *provider, struct error *e);
void pf_runner_device_done(struct pf_device *d);

#endif
