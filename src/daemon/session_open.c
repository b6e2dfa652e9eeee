/* Opening and closing a session: who may have which device. */
#include "base/cleanup.h"
#include "daemon/select.h"

#include <string.h>

/* Who holds the device, as far as it is not the request's own session. */
static bool held_by_other(struct dm_job *j, const struct pf_device_info *info, char key[DM_KEY])
{
	pthread_mutex_lock(&j->daemon->lock);
	const struct dm_session *s = dm_session_of_device(j->daemon, info);
	bool held = s && strcmp(s->key, j->name.key) != 0;
	if (held)
		memcpy(key, s->key, DM_KEY);
	pthread_mutex_unlock(&j->daemon->lock);
	return held;
}

static int check_free(struct dm_job *j, const struct pf_device_info *info, struct error *e)
{
	char key[DM_KEY];
	if (!held_by_other(j, info, key))
		return 0;
	error_set(e, ERR_DEVICE_IN_USE, "%s %s is held by session %s%s", info->platform, info->id, key,
	          dm_name_is_unnamed(key) ? " (of another working tree)" : "");
	error_detail_str(e, "session", key);
	error_detail_str(e, "deviceId", info->id);
	error_detail_str(e, "deviceName", info->name);
	return error_hint(e, "use it with --session %s, or end it with `deft close --session %s`", key,
	                  key);
}

static int check_selectors(const struct dm_job *j, struct error *e)
{
	const struct pf_device_info *info = &j->rq.session->device->info;
	if (dm_device_matches(info, j->rq.platform, j->rq.device_id))
		return 0;
	error_set(e, ERR_INVALID_ARGS, "session %s is bound to %s %s", dm_session_label(&j->rq),
	          info->platform, info->id);
	error_reason(e, "session_bound");
	error_detail_str(e, "platform", info->platform);
	error_detail_str(e, "deviceId", info->id);
	return error_hint(e, "leave --platform and --device out, or use another --session");
}

int dm_job_check_selectors(const struct dm_job *j, struct error *e)
{
	return j->rq.session ? check_selectors(j, e) : 0;
}

static int bind(struct dm_job *j, const struct dm_inventory *inv, size_t chosen, struct error *e)
{
	struct pf_device *device = NULL;
	struct pf_caller caller = j->rq.caller;
	auto_free char *dir = dm_session_dir(j->daemon, j->name.key);
	caller.state_dir = dir ? dir : j->daemon->state.dir;
	int r = inv->module[chosen]->attach(&caller, &inv->list[chosen], &device, e);
	if (r == 0)
		r = dm_session_add(j->daemon, j->name.key, device, &j->rq.session, e);
	return r;
}

int dm_session_open(struct dm_request *rq, struct error *e)
{
	struct dm_job *j = dm_job_of(rq);
	struct dm_inventory inv;
	size_t chosen;
	int r = dm_job_lock(j, e);
	if (r < 0)
		return r;
	if (rq->session)
		return check_selectors(j, e);
	r = dm_inventory_read(rq, &inv, e);
	if (r == 0)
		r = dm_device_select(rq, &inv, &chosen, e);
	if (r == 0) /* before the wait for the device, which its holder may use for long */
		r = check_free(j, &inv.list[chosen], e);
	if (r == 0)
		r = dm_job_lock_device(j, &inv.list[chosen], e);
	if (r == 0)
		r = check_free(j, &inv.list[chosen], e);
	return r < 0 ? r : bind(j, &inv, chosen, e);
}

int dm_session_close(struct dm_request *rq, struct error *e)
{
	struct dm_job *j = dm_job_of(rq);
	int r = dm_job_lock(j, e);
	if (r < 0)
		return r;
	if (!rq->session)
		return dm_job_no_session(j, e);
	dm_session_end(j->daemon, TAKE(rq->session));
	return 0;
}

int dm_job_no_session(const struct dm_job *j, struct error *e)
{
	if (!j->name.is_explicit)
		return error_set(e, ERR_SESSION_NOT_FOUND, "no session is open for this working tree");
	error_set(e, ERR_SESSION_NOT_FOUND, "no session %s is open", j->name.key);
	return error_hint(e,
	                  "start it with `deft open <app> --session %s`; `deft session list --all` "
	                  "shows what is open",
	                  j->name.key);
}
