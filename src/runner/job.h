/* One accepted command and those who wait for its answer. */
#ifndef DEFT_RUNNER_JOB_H
#define DEFT_RUNNER_JOB_H

#include "base/cancel.h"
#include "runner/executor.h"

struct rc_waiter {
	struct rc_waiter *next;
	rc_done_fn *done;
	void *ctx;
};

enum rc_job_state {
	RC_JOB_QUEUED,
	RC_JOB_RUNNING,
	RC_JOB_CLAIMED,   /* done: its worker makes the reply */
	RC_JOB_ABANDONED, /* its waiters were answered by the watchdog */
};

struct rc_job {
	struct rc_job *next;
	struct wire_request req;
	struct rc_waiter *waiters;
	struct cancel cancel;
	int64_t watchdog_at_ms;
	enum rc_job_state state;
};

/* Takes over the request on success. NULL with an error. */
struct rc_job *rc_job_new(struct wire_request *req, struct error *e);
void rc_job_free(struct rc_job *j); /* without waiters */
/* For log lines: the command's name; its id or "-". */
const char *rc_job_name(const struct wire_request *req);
const char *rc_job_id(const struct wire_request *req);
/* Answers and frees a list; takes one reference of the reply. Call it without locks. */
void rc_waiters_answer(struct rc_waiter *list, struct rc_reply *reply);

#endif
