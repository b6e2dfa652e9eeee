/* A job is one request inside the daemon: what commands see of it (struct dm_request), and what the
 * pipeline needs besides. Born when its line is read, run on a thread of its own, answered once. */
#ifndef DEFT_DAEMON_JOB_H
#define DEFT_DAEMON_JOB_H

#include "command/command.h"
#include "daemon/core.h"
#include "daemon/session.h"
#include "daemon/stage.h"
#include "wire/envelope.h"

/* Where a job's lines go: a connection, or a test. send() takes the object over and may be called
 * from any thread; a peer that is gone is not an error. */
struct dm_sink {
	void (*send)(void *ctx, json_t *line_stolen);
	void *ctx;
};

struct dm_job {
	struct dm_request rq; /* first: the public face */
	struct dm_daemon *daemon;
	struct wire_call wire;
	const struct dm_sink *sink;
	const struct cmd_entry *entry; /* NULL: unknown command */
	struct dm_name name;
	struct error refused; /* why the job can't run, known when its line was read */
	struct cancel cancel;
	struct dm_stage stages;
	struct dm_ticket session_turn; /* queued at birth when the command locks */
	bool has_session_turn;
	struct dm_ticket device_turn;
	char device_key[DM_DEVICE_KEY]; /* held with device_turn */
	struct pf_device *device_for;   /* what dm_device_for() found; NULL: not asked yet */
	struct pf_device *attached;     /* for this request only; NULL: none */
	bool stops_daemon;              /* when it has been answered */
	bool released;                  /* guarded by the daemon's lock */
	struct dm_job *next;            /* in the daemon's list */
};

static inline struct dm_job *dm_job_of(const struct dm_request *rq)
{
	return (struct dm_job *)(uintptr_t)rq;
}

/* Takes the parsed call over (also on failure), lists the job and queues it for its session.
 * -ERR_LIMIT_EXCEEDED: too many run; -ERR_INVALID_ARGS: the id is in use on this sink;
 * -ERR_DAEMON_UNAVAILABLE, reason "stopping". */
int dm_job_new(struct dm_daemon *d, struct wire_call *call_stolen, const struct dm_sink *sink,
               struct dm_job **ret, struct error *e);
/* Runs the job to its end and answers it (request.c). */
void dm_job_run(struct dm_job *j);
/* Unlists and frees it. */
void dm_job_free(struct dm_job *j);

/* Cancels the sink's job of this id, or (id NULL) all of the sink's. */
void dm_cancel(struct dm_daemon *d, const struct dm_sink *sink, const char *id);
/* Ends its work, right before its answer is sent: gives back session, device and id. From then on
 * nothing can cancel it, and nobody needs to wait for it. */
void dm_job_release(struct dm_job *j);
/* Jobs that still work; call with the daemon's lock held. */
unsigned dm_jobs_running(const struct dm_daemon *d);
/* How many it has; call with the daemon's lock held. */
unsigned dm_jobs_of(struct dm_daemon *d, const struct dm_sink *sink);

/* Waits for the job's turn on its session, and on the session's device if it has one. Nothing when
 * it is had already. */
int dm_job_lock(struct dm_job *j, struct error *e);
/* Waits for the device; gives back another one that is held. */
int dm_job_lock_device(struct dm_job *j, const struct pf_device_info *info, struct error *e);
/* -ERR_INVALID_ARGS when the request's selectors contradict its session. */
int dm_job_check_selectors(const struct dm_job *j, struct error *e);
/* Always fails: -ERR_SESSION_NOT_FOUND. */
int dm_job_no_session(const struct dm_job *j, struct error *e);

#endif
