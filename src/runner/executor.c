#include "runner/executor_internal.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static int refuse_stopping(struct error *e)
{
	return error_set(e, ERR_CANCELED, "the runner is stopping; the command was not carried out");
}

/* --- submitting ------------------------------------------------------------------------------ */

static bool same_id(const struct rc_job *j, const char *id)
{
	return j->req.command_id && strcmp(j->req.command_id, id) == 0;
}

static struct rc_job *in_flight(const struct rc_exec *x, const char *id)
{
	if (!id)
		return NULL;
	if (x->current && x->current->state != RC_JOB_ABANDONED && same_id(x->current, id))
		return x->current;
	for (struct rc_job *j = x->head; j; j = j->next)
		if (same_id(j, id))
			return j;
	return NULL;
}

static int admit(const struct rc_exec *x, struct error *e)
{
	if (x->stopping)
		return refuse_stopping(e);
	if (rc_exec_abandoned(x))
		return rc_exec_refuse_busy(x, e);
	if (x->queued >= LIM_RUNNER_QUEUE)
		return error_set(e, ERR_RUNNER_BUSY, "the runner's queue is full (%d commands)",
		                 LIM_RUNNER_QUEUE);
	return 0;
}

static bool repeatable(const struct wire_request *req)
{
	return wire_command_traits(req->command)->read_only == WIRE_RO_ALWAYS ||
	       wire_command_traits(req->command)->client_read_only;
}

static int enqueue(struct rc_exec *x, struct wire_request *req, struct rc_waiter *w,
                   struct error *e)
{
	struct rc_job *j = rc_job_new(req, e);

	if (!j)
		return -ERR_LIMIT_EXCEEDED;
	rc_journal_accept(x->opts.journal, j->req.command_id, j->req.command);
	log_msg(LOG_DEBUG, "runner", "DEFT_RUNNER_COMMAND_ACCEPTED command=%s commandId=%s",
	        rc_job_name(&j->req), rc_job_id(&j->req));
	j->waiters = w;
	*x->tail = j;
	x->tail = &j->next;
	x->queued++;
	pthread_cond_signal(&x->work);
	return 0;
}

static struct rc_reply *shutdown_reply(void)
{
	auto_json json_t *reply = wire_reply_ok(json_pack("{s:s}", "message", "shutdown"));
	struct rc_reply *r = rc_reply_new(reply, 200, true);

	if (r)
		r->stop = true;
	return r;
}

/* With the lock held: true when w waits for an execution, else the answer is known at once. */
static bool admit_or_answer(struct rc_exec *x, struct wire_request *req, struct rc_waiter *w,
                            struct rc_reply **ret_answer)
{
	struct error auto_error e = ERROR_INIT;
	struct rc_job *j = in_flight(x, req->command_id);

	if (j) {
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_COMMAND_COALESCED command=%s commandId=%s",
		        rc_job_name(req), rc_job_id(req));
		w->next = j->waiters;
		j->waiters = w;
		return true;
	}
	auto_json json_t *known =
	    repeatable(req) ? NULL : rc_journal_replay(x->opts.journal, req->command_id, req->command);
	if (known) {
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_COMMAND_REPLAYED command=%s commandId=%s",
		        rc_job_name(req), rc_job_id(req));
		*ret_answer = rc_reply_new(known, rc_reply_status(known), x->current != NULL);
		return false;
	}
	/* `shutdown` touches nothing that could hang: it must work on a runner that does. */
	if (rc_exec_abandoned(x) && req->command == WIRE_CMD_SHUTDOWN) {
		*ret_answer = shutdown_reply();
		return false;
	}
	if (admit(x, &e) == 0 && enqueue(x, req, w, &e) == 0)
		return true;
	*ret_answer = rc_reply_error(&e, 200);
	return false;
}

void rc_exec_submit(struct rc_exec *x, struct wire_request *req, rc_done_fn *done, void *ctx)
{
	struct rc_waiter *w = calloc(1, sizeof(*w));

	if (!w) {
		done(ctx, NULL);
		wire_request_done(req);
		return;
	}
	*w = (struct rc_waiter){ NULL, done, ctx };
	pthread_mutex_lock(&x->lock);
	struct rc_reply *answer = NULL;
	bool waits = admit_or_answer(x, req, w, &answer);
	pthread_mutex_unlock(&x->lock);
	if (!waits)
		rc_waiters_answer(w, answer);
	wire_request_done(req);
}

bool rc_exec_busy(struct rc_exec *x)
{
	pthread_mutex_lock(&x->lock);
	bool busy = x->current != NULL;
	pthread_mutex_unlock(&x->lock);
	return busy;
}

/* --- start and stop -------------------------------------------------------------------------- */

static void init_locks(struct rc_exec *x)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->work, NULL);
	pthread_cond_init(&x->watch, &monotonic);
	pthread_cond_init(&x->drained, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

int rc_exec_start(struct rc_exec **ret, const struct rc_exec_opts *opts, struct error *e)
{
	struct rc_exec *x = calloc(1, sizeof(*x));

	if (!x)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	x->opts = *opts;
	x->tail = &x->head;
	init_locks(x);
	if (pthread_create(&x->worker, NULL, rc_exec_worker, x) != 0) {
		rc_exec_free(x);
		return error_set(e, ERR_LIMIT_EXCEEDED, "the executor thread can't be started");
	}
	if (pthread_create(&x->watchdog, NULL, rc_exec_watchdog, x) != 0) {
		pthread_mutex_lock(&x->lock);
		x->stopping = true;
		pthread_cond_signal(&x->work);
		pthread_mutex_unlock(&x->lock);
		pthread_join(x->worker, NULL);
		rc_exec_free(x);
		return error_set(e, ERR_LIMIT_EXCEEDED, "the watchdog thread can't be started");
	}
	*ret = x;
	return 0;
}

static bool wait_for_worker(struct rc_exec *x)
{
	struct timespec until = rc_exec_at(rc_exec_now() + LIM_RUNNER_DRAIN_MS);

	while (!x->worker_ended)
		if (pthread_cond_timedwait(&x->drained, &x->lock, &until) != 0)
			break;
	return x->worker_ended;
}

bool rc_exec_stop(struct rc_exec *x)
{
	struct error auto_error stopping = ERROR_INIT;

	refuse_stopping(&stopping);
	pthread_mutex_lock(&x->lock);
	x->stopping = true;
	struct rc_waiter *queued = rc_exec_refuse_queue(x, &stopping);
	if (x->current)
		cancel_fire(&x->current->cancel);
	pthread_cond_signal(&x->work);
	pthread_mutex_unlock(&x->lock);
	if (queued)
		rc_waiters_answer(queued, rc_reply_error(&stopping, 200));

	pthread_mutex_lock(&x->lock);
	bool ended = wait_for_worker(x);
	if (x->current && x->current->state == RC_JOB_RUNNING) {
		error_set(&stopping, ERR_MAIN_THREAD_TIMEOUT, "the runner stopped while \"%s\" was at work",
		          rc_job_name(&x->current->req));
		rc_exec_abandon(x, &stopping);
	}
	x->watchdog_off = true;
	pthread_cond_signal(&x->watch);
	pthread_mutex_unlock(&x->lock);
	pthread_join(x->watchdog, NULL);
	if (ended)
		pthread_join(x->worker, NULL);
	else
		pthread_detach(x->worker);
	return ended;
}

void rc_exec_free(struct rc_exec *x)
{
	if (!x)
		return;
	pthread_cond_destroy(&x->work);
	pthread_cond_destroy(&x->watch);
	pthread_cond_destroy(&x->drained);
	pthread_mutex_destroy(&x->lock);
	free(x);
}
