#include "runner/executor_internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"

int64_t rc_exec_now(void)
{
	return clock_now_us() / 1000;
}

struct timespec rc_exec_at(int64_t monotonic_ms)
{
	return (struct timespec){ .tv_sec = monotonic_ms / 1000,
		                      .tv_nsec = (monotonic_ms % 1000) * 1000000 };
}

/* --- worker ---------------------------------------------------------------------------------- */

/* A backend that honours its deadline ends before the watchdog and gets a typed TIMEOUT through. */
static struct call call_of(const struct rc_exec *x, struct rc_job *j)
{
	int64_t margin = x->opts.watchdog_ms / 10;
	struct call c = { deadline_in(x->opts.watchdog_ms - (margin < 1000 ? margin : 1000)),
		              &j->cancel };

	if (j->req.timeout_ms.has && j->req.timeout_ms.v > 0 && j->req.timeout_ms.v < 1e9)
		c = call_limit(c, (int64_t)j->req.timeout_ms.v);
	return c;
}

static json_t *run(struct rc_exec *x, struct rc_job *j)
{
	struct error auto_error e = ERROR_INIT;
	json_t *data = NULL;

	if (x->opts.run(x->opts.ctx, &j->req, call_of(x, j), &data, &e) == 0)
		return wire_reply_ok(data);
	return wire_reply_error(&e);
}

static bool claim(struct rc_exec *x, struct rc_job *j)
{
	pthread_mutex_lock(&x->lock);
	bool mine = j->state == RC_JOB_RUNNING;
	if (mine)
		j->state = RC_JOB_CLAIMED;
	else
		x->current = NULL;
	pthread_mutex_unlock(&x->lock);
	return mine;
}

/* The job stays current while its reply is made, so that a duplicate still joins it. */
static void finish(struct rc_exec *x, struct rc_job *j, json_t *reply)
{
	bool ok = json_is_true(json_object_get(reply, "ok"));
	struct rc_reply *r;

	rc_journal_finish(x->opts.journal, j->req.command_id, j->req.command, reply);
	log_msg(LOG_DEBUG, "runner", "DEFT_RUNNER_COMMAND_COMPLETED command=%s commandId=%s ok=%d",
	        rc_job_name(&j->req), rc_job_id(&j->req), ok);
	r = rc_reply_new(reply, rc_reply_status(reply), false);
	if (r) {
		r->stop = ok && j->req.command == WIRE_CMD_SHUTDOWN;
		r->fate = x->opts.fate ? x->opts.fate(x->opts.ctx, &j->req) : RC_FATE_SENT;
	}

	pthread_mutex_lock(&x->lock);
	struct rc_waiter *waiters = TAKE(j->waiters);
	x->current = NULL;
	pthread_mutex_unlock(&x->lock);
	rc_waiters_answer(waiters, r);
}

static void carry_out(struct rc_exec *x, struct rc_job *j)
{
	rc_journal_start(x->opts.journal, j->req.command_id, j->req.command);
	auto_json json_t *reply = run(x, j);

	if (claim(x, j))
		finish(x, j, reply);
	else
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_MAIN_THREAD_WORK_DRAINED command=%s commandId=%s",
		        rc_job_name(&j->req), rc_job_id(&j->req));
	rc_job_free(j);
}

static struct rc_job *next_job(struct rc_exec *x)
{
	pthread_mutex_lock(&x->lock);
	while (!x->head && !x->stopping)
		pthread_cond_wait(&x->work, &x->lock);
	struct rc_job *j = x->head;
	if (j) {
		x->head = j->next;
		if (!x->head)
			x->tail = &x->head;
		x->queued--;
		j->state = RC_JOB_RUNNING;
		j->watchdog_at_ms = rc_exec_now() + x->opts.watchdog_ms;
		x->current = j;
		pthread_cond_signal(&x->watch);
	} else {
		x->worker_ended = true;
		pthread_cond_signal(&x->drained);
	}
	pthread_mutex_unlock(&x->lock);
	return j;
}

void *rc_exec_worker(void *arg)
{
	struct rc_exec *x = arg;

	for (struct rc_job *j; (j = next_job(x));)
		carry_out(x, j);
	return NULL;
}

/* --- refusing -------------------------------------------------------------------------------- */

int rc_exec_refuse_busy(const struct rc_exec *x, struct error *e)
{
	int64_t age = rc_exec_now() - x->abandoned_at_ms;

	if (age >= x->opts.wedged_ms)
		error_set(e, ERR_RUNNER_WEDGED, "the runner has hung in \"%s\" for %lld s",
		          rc_job_name(&x->current->req), (long long)(age / 1000));
	else
		error_set(e, ERR_RUNNER_BUSY, "the runner still works on \"%s\", which was given up",
		          rc_job_name(&x->current->req));
	log_msg(LOG_WARN, "runner", "DEFT_RUNNER_%s", age >= x->opts.wedged_ms ? "WEDGED" : "BUSY");
	return error_detail_int(e, "abandonedMs", age);
}

struct rc_waiter *rc_exec_refuse_queue(struct rc_exec *x, const struct error *e)
{
	struct rc_waiter *all = NULL, **end = &all;

	while (x->head) {
		struct rc_job *j = x->head;

		x->head = j->next;
		rc_journal_fail(x->opts.journal, j->req.command_id, j->req.command, e);
		*end = TAKE(j->waiters);
		while (*end)
			end = &(*end)->next;
		rc_job_free(j);
	}
	x->tail = &x->head;
	x->queued = 0;
	return all;
}

/* --- watchdog -------------------------------------------------------------------------------- */

void rc_exec_abandon(struct rc_exec *x, const struct error *e)
{
	struct error auto_error busy = ERROR_INIT;
	struct rc_job *j = x->current;

	j->state = RC_JOB_ABANDONED;
	x->abandoned_at_ms = rc_exec_now();
	cancel_fire(&j->cancel);
	rc_journal_fail(x->opts.journal, j->req.command_id, j->req.command, e);
	log_msg(LOG_WARN, "runner", "DEFT_RUNNER_MAIN_THREAD_WORK_ABANDONED command=%s commandId=%s",
	        rc_job_name(&j->req), rc_job_id(&j->req));
	struct rc_waiter *late = TAKE(j->waiters), *queued = NULL;
	if (x->head) {
		rc_exec_refuse_busy(x, &busy);
		queued = rc_exec_refuse_queue(x, &busy);
	}
	pthread_mutex_unlock(&x->lock);
	rc_waiters_answer(late, rc_reply_error(e, 500));
	if (queued)
		rc_waiters_answer(queued, rc_reply_error(&busy, 200));
	pthread_mutex_lock(&x->lock);
}

static void fire(struct rc_exec *x)
{
	struct error auto_error e = ERROR_INIT;

	error_set(&e, ERR_MAIN_THREAD_TIMEOUT,
	          "main thread execution timed out: \"%s\" took longer than %lld ms",
	          rc_job_name(&x->current->req), (long long)x->opts.watchdog_ms);
	rc_exec_abandon(x, &e);
}

void *rc_exec_watchdog(void *arg)
{
	struct rc_exec *x = arg;

	pthread_mutex_lock(&x->lock);
	while (!x->watchdog_off) {
		if (!x->current || x->current->state != RC_JOB_RUNNING) {
			pthread_cond_wait(&x->watch, &x->lock);
		} else if (rc_exec_now() < x->current->watchdog_at_ms) {
			struct timespec until = rc_exec_at(x->current->watchdog_at_ms);

			pthread_cond_timedwait(&x->watch, &x->lock, &until);
		} else {
			fire(x);
		}
	}
	pthread_mutex_unlock(&x->lock);
	return NULL;
}
