#include "daemon/core.h"

#include "base/build.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"
#include "daemon/cond.h"
#include "daemon/job.h"

#include <string.h>

int dm_daemon_init(struct dm_daemon *d, const struct dm_options *o, struct error *e)
{
	*d = (struct dm_daemon){
		.version = o->version ? o->version : build_version(),
		.build = o->build ? o->build : build_id(),
		.started_ms = clock_now_ms(),
		.used_ms = clock_now_ms(),
		.idle_ms = o->idle_ms > 0 ? o->idle_ms : LIM_DAEMON_IDLE_MS,
		.session_idle_ms = o->session_idle_ms > 0 ? o->session_idle_ms : LIM_SESSION_IDLE_MS,
	};
	int r = wire_state_open(&d->state, o->state_dir, true, e);
	if (r == 0)
		r = cancel_init(&d->stop, e);
	if (r < 0) {
		wire_state_done(&d->state);
		return r;
	}
	dm_locks_init(&d->locks);
	pthread_mutex_init(&d->file_lock, NULL);
	pthread_mutex_init(&d->lock, NULL);
	dm_cond_init(&d->changed);
	return 0;
}

void dm_daemon_done(struct dm_daemon *d)
{
	dm_session_end_all(d);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	pthread_mutex_destroy(&d->file_lock);
	dm_locks_done(&d->locks);
	cancel_done(&d->stop);
	wire_state_done(&d->state);
}

void dm_begin_stop(struct dm_daemon *d)
{
	pthread_mutex_lock(&d->lock);
	d->phase = DM_STOPPING;
	for (struct dm_job *j = d->jobs; j; j = j->next)
		cancel_fire(&j->cancel);
	pthread_mutex_unlock(&d->lock);
	cancel_fire(&d->stop);
	dm_locks_wake(&d->locks);
}

bool dm_wait_quiet(struct dm_daemon *d, struct deadline until)
{
	pthread_mutex_lock(&d->lock);
	while ((d->n_jobs > 0 || d->connections > 0) && !deadline_over(until))
		dm_cond_wait(&d->changed, &d->lock, deadline_left(until));
	bool quiet = d->n_jobs == 0 && d->connections == 0;
	pthread_mutex_unlock(&d->lock);
	return quiet;
}

int64_t dm_idle_left(struct dm_daemon *d)
{
	int64_t left = INT64_MAX;
	pthread_mutex_lock(&d->lock);
	if (d->n_jobs == 0 && d->connections == 0 && d->n_sessions == 0) {
		left = d->idle_ms - (clock_now_ms() - d->used_ms);
		left = left < 0 ? 0 : left;
	}
	pthread_mutex_unlock(&d->lock);
	return left;
}

static int refuse(json_t *names, unsigned requests, struct error *e)
{
	auto_buf struct buf list;
	size_t i;
	json_t *name;
	buf_init(&list, LIM_ERROR_TEXT);
	json_array_foreach(names, i, name)
	    buf_addf(&list, "%s%s", i ? ", " : "", json_string_value(name));
	if (json_array_size(names) > 0)
		error_set(e, ERR_SESSION_BUSY, "sessions are open: %s", list.data);
	else
		error_set(e, ERR_SESSION_BUSY, "%u request(s) are running", requests);
	error_detail(e, "sessions", json_incref(names));
	error_detail_int(e, "requests", requests);
	return error_hint(e, "close them first, or use --force");
}

int dm_retire(struct dm_daemon *d, bool force, struct dm_job *own, const char *own_key,
              struct error *e)
{
	auto_json json_t *names = json_array();
	pthread_mutex_lock(&d->lock);
	for (const struct dm_session *s = d->sessions; s; s = s->next)
		if (!own_key || strcmp(s->key, own_key) != 0)
			json_array_append_new(names, json_string(s->key));
	unsigned requests = dm_jobs_running(d) - (own ? 1 : 0);
	bool go = force || (json_array_size(names) == 0 && requests == 0);
	if (go)
		d->phase = DM_STOPPING;
	if (go && own)
		own->stops_daemon = true;
	pthread_mutex_unlock(&d->lock);
	if (!go)
		return refuse(names, requests, e);
	if (!own)
		cancel_fire(&d->stop);
	return 0;
}
