/* The runner core: HTTP command loop, lifecycle journal, one serial executor with a watchdog, traits,
 * typed errors, caps (runner protocol 1–3, 8). A runner program is a main file that makes a backend
 * and calls rc_run().
 *
 * Announcements on stdout, one line each, flushed: "DEFT_RUNNER_PORT=<n>", then
 * "DEFT_RUNNER_READY". Log lines go to stderr with the markers of runner protocol 1.9 (prefix
 * DEFT_RUNNER_).
 *
 * Authorisation: with a token configured every request must carry "X-Deft-Token: <token>", else HTTP
 * 401 UNAUTHORIZED and nothing is executed; the listener binds 127.0.0.1 only. */
#ifndef DEFT_RUNNER_RUNNER_H
#define DEFT_RUNNER_RUNNER_H

#include "runner/backend.h"
#include "runner/reply.h"
#include "wire/runner_msg.h"

#include <stdint.h>

/* Where a program may step in between transport, executor and backend, to make faults on demand. The
 * core knows nothing of what they are for; any of them may be NULL.
 *
 * A request is seen by `arrived`; `status` and `uptime`, which the transport answers itself, then by
 * `answers` on the same thread; all others by `before` and `answers` on the executor's worker, once
 * for each execution (not for duplicates that join or are answered from the journal). */
struct rc_hooks {
	/* Read, not yet journalled or queued. Other than RC_FATE_SENT: nothing is carried out and the
	 * connection ends that way (truncated counts as lost). [transport thread] must not block. */
	enum rc_fate (*arrived)(void *ctx, const struct wire_request *r);
	/* About to be carried out. May block: then the executor does. Negative: the command ends with e
	 * and is not carried out. [worker] */
	int (*before)(void *ctx, const struct wire_request *r, struct call c, struct error *e);
	/* Carried out, journalled; the answer is about to leave. [worker; transport thread for `status`
	 * and `uptime`] must not block. */
	enum rc_fate (*answers)(void *ctx, const struct wire_request *r);
	void *ctx;
};

struct rc_config {
	uint16_t port;                /* 0: the system's choice */
	const char *token;            /* NULL: none */
	int64_t watchdog_ms;          /* 0: LIM_RUNNER_WATCHDOG_MS */
	int64_t wedged_ms;            /* 0: LIM_RUNNER_WEDGED_MS */
	int64_t idle_exit_ms;         /* 0: never; else leave after this long without a request */
	bool exit_with_parent;        /* leave when the starting process is gone */
	const struct rc_hooks *hooks; /* borrowed; NULL: none */
};

/* Port from DEFT_RUNNER_PORT (environment, then argument DEFT_RUNNER_PORT=n, then --port n; a variable
 * that is no port falls through), token from DEFT_RUNNER_TOKEN (the environment, so that it is not
 * seen in a process list), times from DEFT_RUNNER_WATCHDOG_MS and DEFT_RUNNER_WEDGED_MS, options
 * --idle-exit-ms n and --exit-with-parent. Other arguments belong to the program. -ERR_INVALID_ARGS
 * on a bad value. The token is borrowed from the environment. */
int rc_config_from_args(struct rc_config *ret, int argc, char **argv, struct error *e);

/* A running runner; embeddable, so that tests can run one in process. */
struct rc_runner;
int rc_start(struct rc_runner **ret, const struct rc_config *cfg, struct rb_backend *backend,
             struct error *e);
uint16_t rc_port(const struct rc_runner *r);
/* Blocks until shutdown was commanded, rc_stop() was called, or the idle time ran out. */
void rc_wait(struct rc_runner *r);
/* The same, or until fd is readable (-1: none). */
void rc_wait_or(struct rc_runner *r, int fd);
void rc_stop(struct rc_runner *r); /* [any thread, async-signal-safe] */
/* Stops, joins every thread (abandoned work is waited for up to 2 s), closes the backend, frees. */
void rc_free(struct rc_runner *r);

/* What main() of a runner program calls: start, announce, wait, free; the exit status. SIGTERM, SIGINT
 * and SIGHUP end it cleanly; for that no thread may have been made before. */
int rc_run(int argc, char **argv, struct rb_backend *backend);
/* The same with hooks. */
int rc_run_hooked(int argc, char **argv, struct rb_backend *backend, const struct rc_hooks *hooks);

#endif
