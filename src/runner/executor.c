#include "runner/executor.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct waiter {
	struct waiter *next;
	rc_done_fn *done;
	void *ctx;
};

enum job_state { QUEUED, RUNNING, CLAIMED /* its worker delivers */, ABANDONED /* was answered */ };

struct job {
	struct job *next;
	struct wire_request req;
	struct waiter *waiters;
	struct cancel cancel;
	int64_t watchdog_at_ms;
	enum job_state state;
};

struct rc_exec {
	struct rc_exec_opts opts;
	pthread_mutex_t lock;
	pthread_cond_t work;    /* queue or stopping changed: worker */
	pthread_cond_t watch;   /* current or stopped changed: watchdog */
	pthread_cond_t drained; /* worker_ended changed: rc_exec_stop */
	struct job *head, **tail;
	unsigned queued;
	struct job *current; /* on the worker: running, claimed or abandoned */
	int64_t abandoned_at_ms;
	bool stopping, worker_ended, watchdog_off;
	pthread_t worker, watchdog;
};

/* --- small parts ----------------------------------------------------------------------------- */

static const char *name_of(const struct wire_request *req)
{
	return wire_command_traits(req->command)->name;
}

static const char *id_of(const struct wire_request *req)
{
	return req->command_id ? req->command_id : "-";
}

static void job_free(struct job *j)
{
	wire_request_done(&j->req);
	cancel_done(&j->cancel);
	free(j);
}

static struct job *job_new(struct wire_request *req, struct error *e)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j) {
		error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
		return NULL;
	}
	if (cancel_init(&j->cancel, e) < 0) {
		free(j);
		return NULL;
	}
	j->req = *req;
	*req = (struct wire_request){ 0 };
	return j;
}

static void deliver(struct waiter *list, struct rc_reply *reply)
{
	while (list) {
		struct waiter *next = list->next;

		list->done(list->ctx, rc_reply_ref(reply));
		free(list);
		list = next;
	}
	rc_reply_unref(reply);
}

static struct waiter *take_waiters(struct job *j)
{
	return TAKE(j->waiters);
}

static struct timespec at(int64_t monotonic_ms)
{
	return (struct timespec){ .tv_sec = monotonic_ms / 1000,
		                      .tv_nsec = (monotonic_ms % 1000) * 1000000 };
}

static int64_t now_ms(void)
{
	return clock_now_us() / 1000;
}

static bool abandoned(const struct rc_exec *x)
{
	return x->current && x->current->state == ABANDONED;
}

/* --- worker ---------------------------------------------------------------------------------- */

/* A backend that honours its deadline ends before the watchdog and gets a typed TIMEOUT through. */
static struct call call_of(const struct rc_exec *x, struct job *j)
{
	int64_t margin = x->opts.watchdog_ms / 10;
	struct call c = { deadline_in(x->opts.watchdog_ms - (margin < 1000 ? margin : 1000)),
		              &j->cancel };

	if (j->req.timeout_ms.has && j->req.timeout_ms.v > 0 && j->req.timeout_ms.v < 1e9)
		c = call_limit(c, (int64_t)j->req.timeout_ms.v);
	return c;
}

static json_t *run(struct rc_exec *x, struct job *j)
{
	struct error auto_error e = ERROR_INIT;
	json_t *data = NULL;

	if (x->opts.run(x->opts.ctx, &j->req, call_of(x, j), &data, &e) == 0)
		return wire_reply_ok(data);
	return wire_reply_error(&e);
}

static bool claim(struct rc_exec *x, struct job *j)
{
	pthread_mutex_lock(&x->lock);
	bool mine = j->state == RUNNING;
	if (mine)
		j->state = CLAIMED;
	else
		x->current = NULL;
	pthread_mutex_unlock(&x->lock);
	return mine;
}

/* The job stays current while its reply is made, so that a duplicate still joins it. */
static void finish(struct rc_exec *x, struct job *j, json_t *reply)
{
	bool ok = json_is_true(json_object_get(reply, "ok"));
	struct rc_reply *r;

	rc_journal_finish(x->opts.journal, j->req.command_id, j->req.command, reply);
	log_msg(LOG_DEBUG, "runner", "DEFT_RUNNER_COMMAND_COMPLETED command=%s commandId=%s ok=%d",
	        name_of(&j->req), id_of(&j->req), ok);
	r = rc_reply_new(reply, rc_reply_status(reply), false);
	if (r)
		r->stop = ok && j->req.command == WIRE_CMD_SHUTDOWN;

	pthread_mutex_lock(&x->lock);
	struct waiter *waiters = take_waiters(j);
	x->current = NULL;
	pthread_mutex_unlock(&x->lock);
	deliver(waiters, r);
}

static void carry_out(struct rc_exec *x, struct job *j)
{
	rc_journal_start(x->opts.journal, j->req.command_id, j->req.command);
	auto_json
	json_t *reply = run(x, j);

	if (claim(x, j))
		finish(x, j, reply);
	else
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_MAIN_THREAD_WORK_DRAINED command=%s commandId=%s",
		        name_of(&j->req), id_of(&j->req));
	job_free(j);
}

static struct job *next_job(struct rc_exec *x)
{
	pthread_mutex_lock(&x->lock);
	while (!x->head && !x->stopping)
		pthread_cond_wait(&x->work, &x->lock);
	struct job *j = x->head;
	if (j) {
		x->head = j->next;
		if (!x->head)
			x->tail = &x->head;
		x->queued--;
		j->state = RUNNING;
		j->watchdog_at_ms = now_ms() + x->opts.watchdog_ms;
		x->current = j;
		pthread_cond_signal(&x->watch);
	} else {
		x->worker_ended = true;
		pthread_cond_signal(&x->drained);
	}
	pthread_mutex_unlock(&x->lock);
	return j;
}

static void *worker_main(void *arg)
{
	struct rc_exec *x = arg;

	for (struct job *j; (j = next_job(x));)
		carry_out(x, j);
	return NULL;
}

/* --- refusing -------------------------------------------------------------------------------- */

static int refuse_busy(const struct rc_exec *x, struct error *e)
{
	int64_t age = now_ms() - x->abandoned_at_ms;

	if (age >= x->opts.wedged_ms)
		error_set(e, ERR_RUNNER_WEDGED, "the runner has hung in \"%s\" for %lld s",
		          name_of(&x->current->req), (long long)(age / 1000));
	else
		error_set(e, ERR_RUNNER_BUSY, "the runner still works on \"%s\", which was given up",
		          name_of(&x->current->req));
	log_msg(LOG_WARN, "runner", "DEFT_RUNNER_%s", age >= x->opts.wedged_ms ? "WEDGED" : "BUSY");
	return error_detail_int(e, "abandonedMs", age);
}

static int refuse_stopping(struct error *e)
{
	return error_set(e, ERR_CANCELED, "the runner is stopping; the command was not carried out");
}

/* Answers everything that is queued with e; the lock is held, the waiters are returned. */
static struct waiter *refuse_queue(struct rc_exec *x, const struct error *e)
{
	struct waiter *all = NULL, **end = &all;

	while (x->head) {
		struct job *j = x->head;

		x->head = j->next;
		rc_journal_fail(x->opts.journal, j->req.command_id, j->req.command, e);
		*end = take_waiters(j);
		while (*end)
			end = &(*end)->next;
		job_free(j);
	}
	x->tail = &x->head;
	x->queued = 0;
	return all;
}

/* --- watchdog -------------------------------------------------------------------------------- */

/* Answers the running command with e and lets its work go on alone; the lock is held on entry and
 * exit. */
static void abandon_current(struct rc_exec *x, const struct error *e)
{
	struct error auto_error busy = ERROR_INIT;
	struct job *j = x->current;

	j->state = ABANDONED;
	x->abandoned_at_ms = now_ms();
	cancel_fire(&j->cancel);
	rc_journal_fail(x->opts.journal, j->req.command_id, j->req.command, e);
	log_msg(LOG_WARN, "runner", "DEFT_RUNNER_MAIN_THREAD_WORK_ABANDONED command=%s commandId=%s",
	        name_of(&j->req), id_of(&j->req));
	struct waiter *late = take_waiters(j), *queued = NULL;
	if (x->head) {
		refuse_busy(x, &busy);
		queued = refuse_queue(x, &busy);
	}
	pthread_mutex_unlock(&x->lock);
	deliver(late, rc_reply_error(e, 500));
	if (queued)
		deliver(queued, rc_reply_error(&busy, 200));
	pthread_mutex_lock(&x->lock);
}

static void fire(struct rc_exec *x)
{
	struct error auto_error e = ERROR_INIT;

	error_set(&e, ERR_MAIN_THREAD_TIMEOUT,
	          "main thread execution timed out: \"%s\" took longer than %lld ms",
	          name_of(&x->current->req), (long long)x->opts.watchdog_ms);
	abandon_current(x, &e);
}

static void *watchdog_main(void *arg)
{
	struct rc_exec *x = arg;

	pthread_mutex_lock(&x->lock);
	while (!x->watchdog_off) {
		if (!x->current || x->current->state != RUNNING) {
			pthread_cond_wait(&x->watch, &x->lock);
		} else if (now_ms() < x->current->watchdog_at_ms) {
			struct timespec until = at(x->current->watchdog_at_ms);

			pthread_cond_timedwait(&x->watch, &x->lock, &until);
		} else {
			fire(x);
		}
	}
	pthread_mutex_unlock(&x->lock);
	return NULL;
}

/* --- submitting ------------------------------------------------------------------------------ */

static bool same_id(const struct job *j, const char *id)
{
	return j->req.command_id && strcmp(j->req.command_id, id) == 0;
}

static struct job *in_flight(const struct rc_exec *x, const char *id)
{
	if (!id)
		return NULL;
	if (x->current && x->current->state != ABANDONED && same_id(x->current, id))
		return x->current;
	for (struct job *j = x->head; j; j = j->next)
		if (same_id(j, id))
			return j;
	return NULL;
}

static int admit(const struct rc_exec *x, struct error *e)
{
	if (x->stopping)
		return refuse_stopping(e);
	if (abandoned(x))
		return refuse_busy(x, e);
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

static int enqueue(struct rc_exec *x, struct wire_request *req, struct waiter *w, struct error *e)
{
	struct job *j = job_new(req, e);

	if (!j)
		return -ERR_LIMIT_EXCEEDED;
	rc_journal_accept(x->opts.journal, j->req.command_id, j->req.command);
	log_msg(LOG_DEBUG, "runner", "DEFT_RUNNER_COMMAND_ACCEPTED command=%s commandId=%s",
	        name_of(&j->req), id_of(&j->req));
	j->waiters = w;
	*x->tail = j;
	x->tail = &j->next;
	x->queued++;
	pthread_cond_signal(&x->work);
	return 0;
}

static struct rc_reply *shutdown_reply(void)
{
	auto_json
	json_t *reply = wire_reply_ok(json_pack("{s:s}", "message", "shutdown"));
	struct rc_reply *r = rc_reply_new(reply, 200, true);

	if (r)
		r->stop = true;
	return r;
}

/* With the lock held: true when w waits for an execution, else the answer is known at once. */
static bool admit_or_answer(struct rc_exec *x, struct wire_request *req, struct waiter *w,
                            struct rc_reply **ret_answer)
{
	struct error auto_error e = ERROR_INIT;
	struct job *j = in_flight(x, req->command_id);

	if (j) {
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_COMMAND_COALESCED command=%s commandId=%s",
		        name_of(req), id_of(req));
		w->next = j->waiters;
		j->waiters = w;
		return true;
	}
	auto_json
	json_t *known =
	    repeatable(req) ? NULL : rc_journal_replay(x->opts.journal, req->command_id, req->command);
	if (known) {
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_COMMAND_REPLAYED command=%s commandId=%s",
		        name_of(req), id_of(req));
		*ret_answer = rc_reply_new(known, rc_reply_status(known), x->current != NULL);
		return false;
	}
	/* `shutdown` touches nothing that could hang: it must work on a runner that does. */
	if (abandoned(x) && req->command == WIRE_CMD_SHUTDOWN) {
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
	struct waiter *w = calloc(1, sizeof(*w));

	if (!w) {
		done(ctx, NULL);
		wire_request_done(req);
		return;
	}
	*w = (struct waiter){ NULL, done, ctx };
	pthread_mutex_lock(&x->lock);
	struct rc_reply *answer = NULL;
	bool waits = admit_or_answer(x, req, w, &answer);
	pthread_mutex_unlock(&x->lock);
	if (!waits)
		deliver(w, answer);
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
	if (pthread_create(&x->worker, NULL, worker_main, x) != 0) {
		rc_exec_free(x);
		return error_set(e, ERR_LIMIT_EXCEEDED, "the executor thread can't be started");
	}
	if (pthread_create(&x->watchdog, NULL, watchdog_main, x) != 0) {
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
	struct timespec until = at(now_ms() + LIM_RUNNER_DRAIN_MS);

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
	struct waiter *queued = refuse_queue(x, &stopping);
	if (x->current)
		cancel_fire(&x->current->cancel);
	pthread_cond_signal(&x->work);
	pthread_mutex_unlock(&x->lock);
	if (queued)
		deliver(queued, rc_reply_error(&stopping, 200));

	pthread_mutex_lock(&x->lock);
	bool ended = wait_for_worker(x);
	if (x->current && x->current->state == RUNNING) {
		error_set(&stopping, ERR_MAIN_THREAD_TIMEOUT, "the runner stopped while \"%s\" was at work",
		          name_of(&x->current->req));
		abandon_current(x, &stopping);
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
