/* The client's way to its daemon: connect, or start one under a lock, and shake hands.
 *
 *   connect → (absent) lock daemon.lock → connect again → spawn deftd → wait for its line → connect
 *
 * The second connect closes the race of two clients; the daemon's own lock (daemon.alive) makes sure
 * that even two deftd started by hand never serve one directory. Used by `deft` and `deft mcp`;
 * needs base/ only. Thread-safe: no state is kept. */
#ifndef DEFT_WIRE_DAEMON_START_H
#define DEFT_WIRE_DAEMON_START_H

#include "base/cancel.h"
#include "base/error.h"

#include <stdbool.h>

struct wire_daemon_opts {
	const char *state_dir;       /* NULL: $DEFT_STATE_DIR, else ~/.deft */
	const char *program;         /* deftd; NULL: $DEFT_DEFTD, beside the caller's program, PATH */
	const char *version, *build; /* NULL: of this build (base/build.h) */
	bool no_start; /* never starts or replaces a daemon (daemon status, daemon stop) */
	/* One line for a person ("Replacing the daemon (pid 12, …): …"), no newline; NULL: dropped. */
	void (*notice)(void *ctx, const char *line);
	void *ctx;
};

/* Connects and shakes hands; *ret_fd (CLOEXEC) is ready for request lines, nothing is buffered.
 * *ret_started (may be NULL) tells that this call started the daemon.
 *
 * A daemon of another build is replaced when it has no session and no running request, after one
 * notice; else -ERR_DAEMON_VERSION_MISMATCH with both builds and details.sessions (names), nothing
 * executed. The same, reason "mixed_install", when the program deftd is of another build itself, and
 * with no_start always.
 * -ERR_DAEMON_UNAVAILABLE: details.reason is "not_running" (no_start), "unresponsive" (its process
 * lives and does not answer; details.pid), or "start_failed" (details.log: the end of daemon.log).
 * Starting takes at most LIM_DAEMON_START_MS within the call's deadline. */
int wire_daemon_connect(const struct wire_daemon_opts *o, struct call c, int *ret_fd,
                        bool *ret_started, struct error *e);

/* Stops the daemon, whatever its build: asks it (it refuses with sessions or requests open unless
 * `force`: -ERR_SESSION_BUSY, details.sessions), waits for the end of its process, and with `force`
 * kills one that no longer answers (by pid and start time). *ret_was_running false: none ran. */
int wire_daemon_stop(const struct wire_daemon_opts *o, struct call c, bool force,
                     bool *ret_was_running, struct error *e);

#endif
