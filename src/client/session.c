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

static void publish(struct cl_session *s, enum cl_state state, struct proc_id process)
{
	pthread_mutex_lock(&s->lock);
	s->state = state;
	s->process = process;
	pthread_mutex_unlock(&s->lock);
}

/* Ends the process and forgets everything that belonged to it. */
static void stop(struct cl_session *s, enum cl_state state, int64_t grace_ms)
{
	if (!s->running)
		return;
	s->provider.stop(s->provider.ctx, &s->endpoint, grace_ms);
	s->endpoint = (struct cl_endpoint){ 0 };
	s->running = s->ready = false;
	cl_recency_clear(s);
	publish(s, state, (struct proc_id){ 0, 0 });
}

void cl_session_free(struct cl_session *s)
{
	if (!s)
		return;
	if (s->running && s->provider.alive(s->provider.ctx, &s->endpoint)) {
		struct cl_trace trace = { 0 };
		struct cl_job job = { .trace = &trace };
		struct call c = { deadline_in(LIM_RUNNER_SHUTDOWN_MS), NULL };
		enum cl_class class;
		json_t auto_json *data = NULL;
		cl_probe(s, c, &job, "shutdown", NULL, &data, &class, NULL);
	}
	stop(s, CL_IDLE, LIM_RUNNER_EXIT_MS);
	if (s->provider.free)
		s->provider.free(s->provider.ctx);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void cl_drop(struct cl_session *s, const char *reason, struct cl_trace *trace)
{
	if (!s->running)
		return;
	log_msg(LOG_WARN, "client", "runner %ld dropped: %s", (long)s->endpoint.process.pid, reason);
	CL_COUNT(s, invalidations);
	if (trace)
		trace->invalidation = reason;
	stop(s, CL_INVALID, LIM_RUNNER_KILL_MS);
}

void cl_invalidate(struct cl_session *s, const char *reason)
{
	cl_drop(s, reason, NULL);
}

static int start(struct cl_session *s, struct call c, struct cl_trace *trace, struct error *e)
{
	int64_t from = clock_now_ms();
	pthread_mutex_lock(&s->lock);
	bool again = s->state != CL_IDLE;
	s->state = CL_STARTING;
	pthread_mutex_unlock(&s->lock);
	struct cl_endpoint endpoint = { 0 };
	int r = s->provider.start(s->provider.ctx, call_limit(c, LIM_RUNNER_STARTUP_MS), &endpoint, e);
	trace->start_ms += clock_now_ms() - from;
	if (r < 0) {
		publish(s, CL_INVALID, (struct proc_id){ 0, 0 });
		return r;
	}
	s->endpoint = endpoint;
	s->running = true;
	s->ready = false;
	publish(s, CL_STARTING, endpoint.process);
	if (again)
		CL_COUNT(s, restarts);
	log_msg(LOG_INFO, "client", "runner %ld listens on port %u", (long)endpoint.process.pid,
	        (unsigned)endpoint.port);
	return 0;
}

int cl_ensure(struct cl_session *s, struct call c, struct cl_trace *trace, struct error *e)
{
	if (s->running && !s->provider.alive(s->provider.ctx, &s->endpoint))
		cl_drop(s, "runner_process_exited", trace);
	return s->running ? 0 : start(s, c, trace, e);
}

void cl_mark_ready(struct cl_session *s)
{
	if (s->ready)
		return;
	s->ready = true;
	publish(s, CL_READY, s->endpoint.process);
}

void cl_recency_clear(struct cl_session *s)
{
	free(s->recency.app);
	s->recency = (struct cl_recency){ 0 };
}

void cl_recency_note(struct cl_session *s, const char *app)
{
	char *copy = app ? strdup(app) : NULL;
	cl_recency_clear(s);
	s->recency = (struct cl_recency){ .has = copy || !app, .at_ms = clock_now_ms(), .app = copy };
}

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
