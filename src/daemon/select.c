#include "daemon/select.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/log.h"

#include <string.h>

int dm_inventory_read(struct dm_request *rq, struct dm_inventory *ret, struct error *e)
{
	ret->n = 0;
	for (const struct pf_module *const *m = pf_modules(); *m; m++) {
		auto_error struct error failed = ERROR_INIT;
		size_t n = 0;
		int r = (*m)->devices(&rq->caller, rq->call, ret->list + ret->n, LIM_DEVICES - ret->n, &n,
		                      &failed);
		if (r == -ERR_CANCELED || call_check(rq->call, "listing the devices", e) < 0) {
			if (r == -ERR_CANCELED)
				error_move(e, &failed);
			return r == -ERR_CANCELED ? r : -(int)e->code;
		}
		if (r < 0) {
			dm_notice(rq, "devices of %s can't be listed: %s", (*m)->platform, failed.message);
			continue;
		}
		for (size_t i = 0; i < n; i++)
			ret->module[ret->n + i] = *m;
		ret->n += n;
	}
	return 0;
}

static char fold(char c)
{
	if (c == '_')
		return ' ';
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b)) {
		a++;
		b++;
	}
	return fold(*a) == fold(*b);
}

bool dm_device_matches(const struct pf_device_info *d, const char *platform, const char *device)
{
	if (platform && strcmp(platform, d->platform) != 0)
		return false;
	return !device || strcmp(device, d->id) == 0 || same_name(device, d->name);
}

static bool is_virtual(const struct pf_device_info *d)
{
	return strcmp(d->platform, "virtual") == 0;
}

struct found {
	size_t available, any;         /* how many */
	size_t first_available, first; /* the first of each */
};

/* Without any selector the virtual device does not count: it is always there. */
static struct found look(const struct dm_request *rq, const struct dm_inventory *inv)
{
	struct found f = { 0 };
	bool all = rq->platform || rq->device_id;
	for (size_t i = 0; i < inv->n; i++) {
		const struct pf_device_info *d = &inv->list[i];
		if (!dm_device_matches(d, rq->platform, rq->device_id) || (!all && is_virtual(d)))
			continue;
		if (!f.any++)
			f.first = i;
		if (d->available && !f.available++)
			f.first_available = i;
	}
	return f;
}

/* --- answers ---------------------------------------------------------------------------------- */

static int add_list(const struct dm_inventory *inv, struct error *e)
{
	json_t *list = json_array();
	for (size_t i = 0; i < inv->n; i++) {
		json_t *d = json_object();
		jx_set_str(d, "platform", inv->list[i].platform);
		jx_set_str(d, "id", inv->list[i].id);
		jx_set_str(d, "name", inv->list[i].name);
		jx_set_bool(d, "available", inv->list[i].available);
		json_array_append_new(list, d);
	}
	return error_detail(e, "devices", list);
}

static int several(const struct dm_request *rq, const struct dm_inventory *inv, struct error *e)
{
	auto_buf struct buf names;
	buf_init(&names, LIM_ERROR_TEXT);
	for (size_t i = 0; i < inv->n; i++) {
		const struct pf_device_info *d = &inv->list[i];
		if (d->available && dm_device_matches(d, rq->platform, rq->device_id))
			buf_addf(&names, "%s%s", names.len ? ", " : "", d->id);
	}
	error_set(e, ERR_INVALID_ARGS, "several devices could be meant: %s", names.data);
	error_hint(e, "choose one with --device ID");
	error_reason(e, "multiple_devices");
	return add_list(inv, e);
}

static int none(const struct dm_request *rq, const struct dm_inventory *inv, struct error *e)
{
	error_set(e, ERR_DEVICE_NOT_FOUND, "no device matches%s%s%s%s",
	          rq->platform ? " platform " : "", rq->platform ? rq->platform : "",
	          rq->device_id ? " device " : "", rq->device_id ? rq->device_id : "");
	error_reason(e, "device_not_found");
	return add_list(inv, e);
}

static int unavailable(const struct dm_inventory *inv, size_t i, struct error *e)
{
	const struct pf_device_info *d = &inv->list[i];
	error_set(e, ERR_DEVICE_UNAVAILABLE, "%s %s can't be used: %s", d->platform, d->id,
	          d->reason[0] ? d->reason : "it does not say why");
	if (d->reason_code[0])
		error_reason(e, d->reason_code);
	error_detail_str(e, "platform", d->platform);
	return error_detail_str(e, "deviceId", d->id);
}

static int fall_back(struct dm_request *rq, const struct dm_inventory *inv, const struct found *f,
                     size_t *ret, struct error *e)
{
	for (size_t i = 0; i < inv->n; i++) {
		if (!is_virtual(&inv->list[i]) || !inv->list[i].available)
			continue;
		if (f->any)
			dm_notice(rq, "No device can be used (%s: %s); using the virtual one.",
			          inv->list[f->first].platform, inv->list[f->first].reason);
		else
			dm_notice(rq, "There is no device; using the virtual one.");
		*ret = i;
		return 0;
	}
	return f->any ? unavailable(inv, f->first, e) : none(rq, inv, e);
}

int dm_device_select(struct dm_request *rq, const struct dm_inventory *inv, size_t *ret,
                     struct error *e)
{
	struct found f = look(rq, inv);
	if (f.available > 1)
		return several(rq, inv, e);
	if (f.available == 1) {
		*ret = f.first_available;
		return 0;
	}
	if (!rq->platform && !rq->device_id)
		return fall_back(rq, inv, &f, ret, e);
	return f.any ? unavailable(inv, f.first, e) : none(rq, inv, e);
}
