/* The executor: one serial worker, a watchdog, a bounded queue (runner protocol 1.4, 1.10, 8).
 *
 * - Commands run one at a time in the order of rc_exec_submit().
 * - A command whose id is queued or running is joined, not executed again: every waiter gets the
 *   same bytes. A mutation whose id ended before is answered from the journal.
 * - A command that outlives the watchdog is answered MAIN_THREAD_TIMEOUT and its cancellation token
 *   is fired. Its work is abandoned: until it drains every command is answered RUNNER_BUSY, and
 *   RUNNER_WEDGED once it is older than wedged_ms. Commands that were queued behind it are refused
 *   in the same way; they have not been executed.
 *
 * THREADS: every function may be called from any thread. */
#ifndef DEFT_RUNNER_EXECUTOR_H
#define DEFT_RUNNER_EXECUTOR_H

#include "base/cancel.h"
#include "runner/journal.h"
#include "runner/reply.h"
#include "wire/runner_msg.h"

struct rc_exec_opts {
	/* Carries out one command on the worker thread; like rc_execute(). */
	int (*run)(void *ctx, const struct wire_request *req, struct call c, json_t **ret_data,
	           struct error *e);
	/* What becomes of the answer to an execution; NULL: it is sent. On the worker. */
	enum rc_fate (*fate)(void *ctx, const struct wire_request *req);
	void *ctx;
	struct rc_journal *journal; /* borrowed */
	int64_t watchdog_ms, wedged_ms;
};

struct rc_exec;

/* Takes one reference of the reply (NULL: memory ran out). Called exactly once for each submit, on
 * the submitting thread, the worker or the watchdog; must not block. */
typedef void rc_done_fn(void *ctx, struct rc_reply *reply);

int rc_exec_start(struct rc_exec **ret, const struct rc_exec_opts *opts, struct error *e);
/* Takes over the request. */
void rc_exec_submit(struct rc_exec *x, struct wire_request *req, rc_done_fn *done, void *ctx);
/* A command runs, or abandoned work has not drained. */
bool rc_exec_busy(struct rc_exec *x);
/* Refuses what is queued, cancels what runs, waits LIM_RUNNER_DRAIN_MS for it. False: it did not end;
 * its waiters were answered, and the executor and all that it uses must be left to the process's end. */
bool rc_exec_stop(struct rc_exec *x);
void rc_exec_free(struct rc_exec *x); /* after a true rc_exec_stop() */

#endif
