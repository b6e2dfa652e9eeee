/* The session half of daemon.h: what a session knows, its current frame, the list of sessions. */
#include "base/clock.h"
#include "base/jx.h"
#include "daemon/job.h"
#include "ui/fingerprint.h"

#include <string.h>

/* --- what a session knows --------------------------------------------------------------------- */

struct pf_device *dm_device(struct dm_request *rq)
{
	return rq->session ? rq->session->device : NULL;
}

const char *dm_app(const struct dm_request *rq)
{
	return rq->session ? rq->session->app_id : NULL;
}

void dm_set_app(struct dm_request *rq, const char *id, const char *name)
{
	struct dm_session *s = rq->session;
	if (!s)
		return;
	char *new_id = id ? strdup(id) : NULL, *new_name = name ? strdup(name) : NULL;
	pthread_mutex_lock(&rq->daemon->lock);
	free(s->app_id);
	free(s->app_name);
	s->app_id = new_id;
	s->app_name = new_name;
	pthread_mutex_unlock(&rq->daemon->lock);
}

const char *dm_session_label(const struct dm_request *rq)
{
	return dm_name_label(rq->session_name);
}

/* --- the current frame ------------------------------------------------------------------------ */

uint64_t dm_frame_store(struct dm_request *rq, struct ui_tree *view_stolen)
{
	uint64_t generation = atomic_fetch_add(&rq->daemon->generation, 1) + 1;
	if (!rq->session) {
		ui_tree_done(view_stolen);
		return generation;
	}
	dm_frame_drop(rq);
	rq->session->frame = (struct dm_frame){ .view = *view_stolen,
		                                    .generation = generation,
		                                    .taken_ms = clock_now_ms(),
		                                    .fingerprint = ui_fingerprint(view_stolen, true) };
	rq->session->has_frame = true;
	*view_stolen = (struct ui_tree){ .nodes = NULL };
	return generation;
}

const struct dm_frame *dm_frame(const struct dm_request *rq)
{
	return rq->session && rq->session->has_frame ? &rq->session->frame : NULL;
}

void dm_frame_drop(struct dm_request *rq)
{
	if (!dm_frame(rq))
		return;
	ui_tree_done(&rq->session->frame.view);
	rq->session->has_frame = false;
}

/* --- lists ------------------------------------------------------------------------------------ */

static json_t *session_json(const struct dm_job *j, const struct dm_session *s)
{
	json_t *o = json_object();
	bool own_scope = strcmp(s->key, j->name.scope) == 0;
	jx_set_str(o, "name", own_scope ? "default" : s->key);
	jx_set_str(o, "platform", s->device->info.platform);
	jx_set_str(o, "device", s->device->info.id);
	jx_set_str(o, "app", s->app_id);
	jx_set_str(o, "appName", s->app_name);
	jx_set_int(o, "createdAt", s->created_wall_ms);
	jx_set_int(o, "idleMs", clock_now_ms() - s->used_ms);
	jx_set_bool(o, "current", strcmp(s->key, j->name.key) == 0);
	return o;
}

json_t *dm_sessions_json(struct dm_request *rq, bool all)
{
	struct dm_job *j = dm_job_of(rq);
	json_t *list = json_array();
	pthread_mutex_lock(&rq->daemon->lock);
	for (const struct dm_session *s = rq->daemon->sessions; s; s = s->next)
		if (all || !dm_name_is_unnamed(s->key) || strcmp(s->key, j->name.scope) == 0)
			json_array_append_new(list, session_json(j, s));
	pthread_mutex_unlock(&rq->daemon->lock);
	return json_pack("{s:o}", "sessions", list);
}
