#include "daemon/job.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <string.h>

/* --- birth and end ---------------------------------------------------------------------------- */

static bool locks(const struct dm_job *j)
{
	return j->entry && (j->entry->spec.traits & (CMD_LOCKS | CMD_NEEDS_SESSION | CMD_SETS_APP));
}

/* Flat callers put the global parameter among the arguments, unless the command has its own. */
static const char *session_name(const struct dm_job *j)
{
	const struct cmd_spec *spec = j->entry ? &j->entry->spec : NULL;
	for (size_t i = 0; spec && i < spec->n_params; i++)
		if (strcmp(spec->params[i].name, "session") == 0)
			return j->wire.session;
	const char *flat = json_string_value(json_object_get(j->wire.args, "session"));
	return j->wire.session ? j->wire.session : flat;
}

static void fill_request(struct dm_job *j)
{
	json_t *meta = json_object_get(j->wire.json, "meta");
	if (!j->wire.env)
		json_object_set_new(j->wire.json, "env", j->wire.env = json_object());
	j->rq = (struct dm_request){
		.daemon = j->daemon,
		.id = j->wire.id,
		.command = j->entry ? j->entry->spec.name : j->wire.command,
		.args = j->wire.args,
		.call = { DEADLINE_NEVER, &j->cancel },
		.caller = { .env = j->wire.env, .cwd = j->wire.cwd, .state_dir = j->daemon->state.dir },
		.session_name = j->name.key,
		.session_explicit = j->name.is_explicit,
		.platform = json_string_value(json_object_get(meta, "platform")),
		.device_id = json_string_value(json_object_get(meta, "device")),
		.debug = j->wire.debug,
		.notices = json_array(),
		.stages = &j->stages,
	};
}

static int admit(const struct dm_daemon *d, const struct dm_job *j, struct error *e)
{
	if (d->phase == DM_STOPPING) {
		error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon is stopping");
		error_reason(e, "stopping");
		return error_hint(e, "run the command again: it starts a new daemon");
	}
	if (d->n_jobs >= LIM_DAEMON_REQUESTS)
		return error_set(e, ERR_LIMIT_EXCEEDED, "%d requests are running already",
		                 LIM_DAEMON_REQUESTS);
	for (const struct dm_job *o = d->jobs; o; o = o->next)
		if (o->sink == j->sink && !o->released && strcmp(o->wire.id, j->wire.id) == 0)
			return error_set(e, ERR_INVALID_ARGS, "a request with the id %s is still running",
			                 j->wire.id);
	return 0;
}

static int enlist(struct dm_daemon *d, struct dm_job *j, struct error *e)
{
	pthread_mutex_lock(&d->lock);
	int r = admit(d, j, e);
	if (r == 0) {
		j->next = d->jobs;
		d->jobs = j;
		d->n_jobs++;
		d->requests_total++;
	}
	pthread_mutex_unlock(&d->lock);
	return r;
}

static void destroy(struct dm_job *j)
{
	json_decref(j->rq.notices);
	wire_call_done(&j->wire);
	cancel_done(&j->cancel);
	error_clear(&j->refused);
	free(j);
}

int dm_job_new(struct dm_daemon *d, struct wire_call *call_stolen, const struct dm_sink *sink,
               struct dm_job **ret, struct error *e)
{
	struct dm_job *j = calloc(1, sizeof(*j));
	if (!j || cancel_init(&j->cancel, e) < 0) {
		free(j);
		wire_call_done(call_stolen);
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory or descriptors");
	}
	dm_stage_start(&j->stages);
	j->daemon = d;
	j->sink = sink;
	j->wire = *call_stolen;
	*call_stolen = (struct wire_call){ .json = NULL };
	j->entry = cmd_entry_find(j->wire.command);
	dm_name_resolve(&j->name, session_name(j), j->wire.cwd, &j->refused);
	fill_request(j);
	int r = enlist(d, j, e);
	if (r == 0 && locks(j) && !j->refused.code)
		j->has_session_turn =
		    dm_ticket_take(&d->locks, &j->session_turn, j->name.key, j->rq.command);
	if (r == 0)
		*ret = j;
	else
		destroy(j);
	return r;
}

void dm_job_release(struct dm_job *j)
{
	struct dm_daemon *d = j->daemon;
	if (j->attached)
		j->attached->ops->close(j->attached);
	j->attached = j->device_for = NULL;
	j->rq.session = NULL;
	dm_ticket_drop(&d->locks, &j->device_turn);
	dm_ticket_drop(&d->locks, &j->session_turn);
	pthread_mutex_lock(&d->lock);
	j->released = true;
	pthread_mutex_unlock(&d->lock);
}

void dm_job_free(struct dm_job *j)
{
	struct dm_daemon *d = j->daemon;
	dm_job_release(j);
	pthread_mutex_lock(&d->lock);
	struct dm_job **at = &d->jobs;
	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	d->n_jobs--;
	pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
	destroy(j);
}

/* --- cancellation ----------------------------------------------------------------------------- */

void dm_cancel(struct dm_daemon *d, const struct dm_sink *sink, const char *id)
{
	pthread_mutex_lock(&d->lock);
	for (struct dm_job *j = d->jobs; j; j = j->next)
		if (j->sink == sink && !j->released && (!id || strcmp(j->wire.id, id) == 0))
			cancel_fire(&j->cancel);
	pthread_mutex_unlock(&d->lock);
	dm_locks_wake(&d->locks);
}

unsigned dm_jobs_running(const struct dm_daemon *d)
{
	unsigned n = 0;
	for (const struct dm_job *j = d->jobs; j; j = j->next)
		n += !j->released;
	return n;
}

unsigned dm_jobs_of(struct dm_daemon *d, const struct dm_sink *sink)
{
	unsigned n = 0;
	for (const struct dm_job *j = d->jobs; j; j = j->next)
		n += j->sink == sink;
	return n;
}

/* --- turns ------------------------------------------------------------------------------------ */

int dm_job_lock_device(struct dm_job *j, const struct pf_device_info *info, struct error *e)
{
	char key[DM_DEVICE_KEY];
	dm_device_key(info, key);
	if (j->device_turn.key && strcmp(key, j->device_key) == 0)
		return 0;
	dm_ticket_drop(&j->daemon->locks, &j->device_turn);
	memcpy(j->device_key, key, sizeof(key));
	if (!dm_ticket_take(&j->daemon->locks, &j->device_turn, key, j->rq.command))
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	int r = dm_ticket_wait(&j->daemon->locks, &j->device_turn, j->rq.call, e);
	if (r < 0)
		dm_ticket_drop(&j->daemon->locks, &j->device_turn);
	return r;
}

static struct dm_session *look_up(struct dm_job *j)
{
	pthread_mutex_lock(&j->daemon->lock);
	struct dm_session *s = dm_session_find(j->daemon, j->name.key);
	pthread_mutex_unlock(&j->daemon->lock);
	return s;
}

int dm_job_lock(struct dm_job *j, struct error *e)
{
	struct dm_locks *t = &j->daemon->locks;
	if (!j->has_session_turn) {
		if (!dm_ticket_take(t, &j->session_turn, j->name.key, j->rq.command))
			return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
		j->has_session_turn = true;
	}
	int r = dm_ticket_wait(t, &j->session_turn, j->rq.call, e);
	if (r < 0)
		return r;
	j->rq.session = look_up(j); /* it may have come or gone while we waited */
	return j->rq.session ? dm_job_lock_device(j, &j->rq.session->device->info, e) : 0;
}
