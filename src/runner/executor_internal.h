/* What executor.c (submitting, start, stop) and executor_threads.c (worker, watchdog) share. */
#ifndef DEFT_RUNNER_EXECUTOR_INTERNAL_H
#define DEFT_RUNNER_EXECUTOR_INTERNAL_H

#include "runner/job.h"

#include <pthread.h>
#include <time.h>

struct rc_exec {
	struct rc_exec_opts opts;
	pthread_mutex_t lock;   /* guards everything below */
	pthread_cond_t work;    /* queue or stopping changed: worker */
	pthread_cond_t watch;   /* current or watchdog_off changed: watchdog */
	pthread_cond_t drained; /* worker_ended changed: rc_exec_stop() */
	struct rc_job *head, **tail;
	unsigned queued;
	struct rc_job *current; /* on the worker: running, claimed or abandoned */
	int64_t abandoned_at_ms;
	bool stopping, worker_ended, watchdog_off;
	pthread_t worker, watchdog;
};

void *rc_exec_worker(void *exec);
void *rc_exec_watchdog(void *exec);

/* Monotonic, as the conditions measure it. */
int64_t rc_exec_now(void);
struct timespec rc_exec_at(int64_t monotonic_ms);

/* All below: with the lock held. */
static inline bool rc_exec_abandoned(const struct rc_exec *x)
{
	return x->current && x->current->state == RC_JOB_ABANDONED;
}
/* Sets RUNNER_BUSY or RUNNER_WEDGED; there must be abandoned work. */
int rc_exec_refuse_busy(const struct rc_exec *x, struct error *e);
/* Takes everything from the queue, notes e in the journal; whoever waits for it is returned. */
struct rc_waiter *rc_exec_refuse_queue(struct rc_exec *x, const struct error *e);
/* Answers the running command with e and lets its work go on alone; refuses the queue. Gives the lock
 * away while it answers. */
void rc_exec_abandon(struct rc_exec *x, const struct error *e);

#endif
