/* The request half of daemon.h: notices, progress, stages, status, stopping. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "daemon/job.h"
#include "daemon/totals.h"

#include <string.h>

void dm_notice(struct dm_request *rq, const char *fmt, ...)
{
	auto_buf struct buf b;
	auto_json json_t *line = json_object();
	va_list ap;
	buf_init(&b, LIM_ERROR_TEXT);
	va_start(ap, fmt);
	buf_addv(&b, fmt, ap);
	va_end(ap);
	jx_set_str(line, "text", b.data); /* repairs what is no UTF-8 */
	json_array_append(rq->notices, json_object_get(line, "text"));
}

void dm_progress(struct dm_request *rq, const char *message, int64_t done, int64_t total)
{
	struct dm_job *j = dm_job_of(rq);
	j->sink->send(j->sink->ctx, wire_progress(rq->id, message, done, total));
}

void dm_stage(struct dm_request *rq, const char *name)
{
	dm_stage_mark(rq->stages, name);
}

const char *dm_state_dir(const struct dm_request *rq)
{
	return rq->daemon->state.dir;
}

json_t *dm_status_json(struct dm_request *rq)
{
	struct dm_daemon *d = rq->daemon;
	json_t *o = json_object(), *requests = json_object();
	jx_set_int(o, "pid", getpid());
	jx_set_str(o, "version", d->version);
	jx_set_str(o, "build", d->build);
	jx_set_int(o, "protocol", WIRE_DAEMON_PROTOCOL);
	jx_set_str(o, "stateDir", d->state.dir);
	jx_set_str(o, "socket", d->state.socket);
	jx_set_int(o, "uptimeMs", clock_now_ms() - d->started_ms);
	jx_set_int(o, "idleExitMs", d->idle_ms);
	pthread_mutex_lock(&d->lock);
	jx_set_str(o, "state", d->phase == DM_RUNNING ? "running" : "stopping");
	jx_set_int(o, "sessions", d->n_sessions);
	jx_set_int(requests, "total", (int64_t)d->requests_total);
	jx_set_int(requests, "running", dm_jobs_running(d));
	jx_set_int(requests, "failed", (int64_t)d->requests_failed);
	jx_set(o, "requests", requests);
	jx_set(o, "runner", dm_totals_json(d));
	pthread_mutex_unlock(&d->lock);
	return o;
}

int dm_stop(struct dm_request *rq, bool force, struct error *e)
{
	return dm_retire(rq->daemon, force, dm_job_of(rq), rq->session_name, e);
}
