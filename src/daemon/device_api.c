/* The device half of daemon.h: what there is, and a device for a command without a session. */
#include "base/jx.h"
#include "daemon/select.h"

/* The device's holder lends it: its key is held, so the holder neither uses nor closes it now. */
static struct pf_device *lent(struct dm_job *j, const struct pf_device_info *info)
{
	pthread_mutex_lock(&j->daemon->lock);
	const struct dm_session *s = dm_session_of_device(j->daemon, info);
	struct pf_device *device = s ? s->device : NULL;
	pthread_mutex_unlock(&j->daemon->lock);
	return device;
}

static int borrow(struct dm_job *j, struct pf_device **ret, struct error *e)
{
	struct dm_inventory inv;
	size_t chosen;
	int r = dm_inventory_read(&j->rq, &inv, e);
	if (r == 0)
		r = dm_device_select(&j->rq, &inv, &chosen, e);
	if (r == 0)
		r = dm_job_lock_device(j, &inv.list[chosen], e);
	if (r < 0)
		return r;
	struct pf_device *device = lent(j, &inv.list[chosen]);
	if (!device) {
		r = inv.module[chosen]->attach(&j->rq.caller, &inv.list[chosen], &device, e);
		if (r < 0)
			return r;
		j->attached = device;
	}
	*ret = device;
	return 0;
}

int dm_device_for(struct dm_request *rq, struct pf_device **ret, struct error *e)
{
	struct dm_job *j = dm_job_of(rq);
	if (!j->device_for) {
		int r = dm_job_lock(j, e);
		if (r < 0)
			return r;
		if (rq->session &&
		    dm_device_matches(&rq->session->device->info, rq->platform, rq->device_id))
			j->device_for = rq->session->device;
		else if ((r = borrow(j, &j->device_for, e)) < 0)
			return r;
	}
	*ret = j->device_for;
	return 0;
}

static void add_holder(struct dm_daemon *d, const struct pf_device_info *info, json_t *o)
{
	pthread_mutex_lock(&d->lock);
	const struct dm_session *s = dm_session_of_device(d, info);
	if (s)
		jx_set_str(o, "session", s->key);
	pthread_mutex_unlock(&d->lock);
}

int dm_devices_json(struct dm_request *rq, json_t **ret, struct error *e)
{
	struct dm_inventory inv;
	int r = dm_inventory_read(rq, &inv, e);
	if (r < 0)
		return r;
	json_t *list = json_array();
	for (size_t i = 0; i < inv.n; i++) {
		const struct pf_device_info *d = &inv.list[i];
		json_t *o = json_object();
		if (dm_device_matches(d, rq->platform, rq->device_id))
			json_array_append(list, o);
		jx_set_str(o, "platform", d->platform);
		jx_set_str(o, "id", d->id);
		jx_set_str(o, "name", d->name);
		jx_set_str(o, "kind", d->kind);
		jx_set_str(o, "target", d->target);
		jx_set_bool(o, "available", d->available);
		jx_set_str(o, "reason", d->reason[0] ? d->reason : NULL);
		add_holder(rq->daemon, d, o);
		json_decref(o);
	}
	*ret = json_pack("{s:o}", "devices", list);
	return 0;
}
