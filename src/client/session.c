#include "client/internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

int cl_session_new(struct cl_session **ret, const struct cl_provider *provider, struct error *e)
{
	struct cl_session *s = calloc(1, sizeof *s);
	if (!s)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	s->provider = *provider;
	s->state = CL_IDLE;
	pthread_mutex_init(&s->lock, NULL);
	*ret = s;
	return 0;
}

/* --- actions ------------------------------------------------------------------------------------ */

static void forget_proof(struct cl_session *s)
{
	free(s->recency.app);
	s->recency = (struct cl_recency){ 0 };
}

static void note_proof(struct cl_session *s, const char *app)
{
	char *copy = app ? strdup(app) : NULL;
	forget_proof(s);
	s->recency = (struct cl_recency){ .has = copy || !app, .at_ms = clock_now_ms(), .app = copy };
}

static void say_farewell(struct cl_session *s)
{
	struct cl_trace trace = { 0 };
	struct cl_job job = { .trace = &trace };
	struct call c = { deadline_in(LIM_RUNNER_SHUTDOWN_MS), NULL };
	enum cl_class class;
	json_t auto_json *data = NULL;
	if (s->provider.alive(s->provider.ctx, &s->endpoint))
		cl_probe(s, c, &job, "shutdown", NULL, &data, &class, NULL);
}

static void stop(struct cl_session *s, int64_t grace_ms)
{
	s->provider.stop(s->provider.ctx, &s->endpoint, grace_ms);
	s->endpoint = (struct cl_endpoint){ 0 };
}

static void tell_drop(const struct cl_session *s, const struct cl_news *news)
{
	log_msg(LOG_WARN, "client", "runner %ld dropped: %s", (long)s->endpoint.process.pid,
	        news->reason);
	if (news->trace)
		news->trace->invalidation = news->reason;
}

static void publish(struct cl_session *s, enum cl_state state, unsigned actions)
{
	pthread_mutex_lock(&s->lock);
	s->state = state;
	s->process = s->endpoint.process;
	s->counters.restarts += (actions & CL_DO_COUNT_RESTART) != 0;
	s->counters.invalidations += (actions & CL_DO_COUNT_DROP) != 0;
	pthread_mutex_unlock(&s->lock);
}

unsigned cl_step(struct cl_session *s, enum cl_event event, const struct cl_news *news)
{
	static const struct cl_news nothing = { 0 };
	const struct cl_state_row row = *cl_state_row(s->state, event);
	news = news ? news : &nothing;
	if (row.actions & CL_DO_REFUSE) {
		log_msg(LOG_ERROR, "client", "defect: \"%s\" while %s", cl_event_name(event),
		        cl_state_name(s->state));
		return row.actions;
	}
	if (row.actions & CL_DO_COUNT_DROP)
		tell_drop(s, news);
	if (row.actions & CL_DO_FAREWELL)
		say_farewell(s);
	if (row.actions & CL_DO_STOP)
		stop(s, row.actions & CL_DO_FAREWELL ? LIM_RUNNER_EXIT_MS : LIM_RUNNER_KILL_MS);
	if (row.actions & CL_DO_FORGET)
		forget_proof(s);
	if (row.actions & CL_DO_NOTE)
		note_proof(s, news->app);
	if (event == CL_EV_ANNOUNCED)
		s->endpoint = *news->endpoint;
	publish(s, row.next, row.actions);
	return row.actions;
}

/* --- life --------------------------------------------------------------------------------------- */

void cl_session_free(struct cl_session *s)
{
	if (!s)
		return;
	cl_step(s, CL_EV_CLOSED, NULL);
	if (s->provider.free)
		s->provider.free(s->provider.ctx);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void cl_drop(struct cl_session *s, const char *reason, struct cl_trace *trace)
{
	cl_step(s, CL_EV_DROPPED, &(struct cl_news){ .reason = reason, .trace = trace });
}

void cl_invalidate(struct cl_session *s, const char *reason)
{
	cl_drop(s, reason, NULL);
}

static int start(struct cl_session *s, struct call c, struct cl_trace *trace, struct error *e)
{
	int64_t from = clock_now_ms();
	struct cl_endpoint endpoint = { 0 };
	int r = s->provider.start(s->provider.ctx, call_limit(c, LIM_RUNNER_STARTUP_MS), &endpoint, e);
	trace->start_ms += clock_now_ms() - from;
	if (r < 0) {
		cl_step(s, CL_EV_START_FAILED, NULL);
		return r;
	}
	cl_step(s, CL_EV_ANNOUNCED, &(struct cl_news){ .endpoint = &endpoint });
	log_msg(LOG_INFO, "client", "runner %ld listens on port %u", (long)endpoint.process.pid,
	        (unsigned)endpoint.port);
	return 0;
}

int cl_ensure(struct cl_session *s, struct call c, struct cl_trace *trace, struct error *e)
{
	if (cl_runs(s) && !s->provider.alive(s->provider.ctx, &s->endpoint))
		cl_step(s, CL_EV_GONE,
		        &(struct cl_news){ .reason = "runner_process_exited", .trace = trace });
	return cl_step(s, CL_EV_NEEDED, NULL) & CL_DO_START ? start(s, c, trace, e) : 0;
}

/* --- what other threads may ask ------------------------------------------------------------------ */

enum cl_state cl_session_state(const struct cl_session *s)
{
	struct cl_session *open =
	    (struct cl_session *)(uintptr_t)s; /* the lock is not part of the value */
	pthread_mutex_lock(&open->lock);
	enum cl_state state = s->state;
	pthread_mutex_unlock(&open->lock);
	return state;
}

void cl_session_counters(const struct cl_session *s, struct cl_counters *ret)
{
	struct cl_session *open = (struct cl_session *)(uintptr_t)s;
	pthread_mutex_lock(&open->lock);
	*ret = s->counters;
	pthread_mutex_unlock(&open->lock);
}

struct proc_id cl_session_process(const struct cl_session *s)
{
	struct cl_session *open = (struct cl_session *)(uintptr_t)s;
	pthread_mutex_lock(&open->lock);
	struct proc_id process = s->process;
	pthread_mutex_unlock(&open->lock);
	return process;
}
