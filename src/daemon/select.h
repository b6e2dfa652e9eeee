/* Which device a request means: explicit selector, else the session's, else the only one there is,
 * else the virtual one with a notice. Several: the caller must choose; nothing is guessed. */
#ifndef DEFT_DAEMON_SELECT_H
#define DEFT_DAEMON_SELECT_H

#include "base/limits.h"
#include "daemon/job.h"

struct dm_inventory {
	struct pf_device_info list[LIM_DEVICES];
	const struct pf_module *module[LIM_DEVICES]; /* whose */
	size_t n;
};

/* Asks every module; one that fails becomes a notice of the request. */
int dm_inventory_read(struct dm_request *rq, struct dm_inventory *ret, struct error *e);
/* `platform` equal; `device` the id, or the name without regard to case and with `_` as blank. NULL
 * selects everything. */
bool dm_device_matches(const struct pf_device_info *d, const char *platform, const char *device);
/* *ret: index in the inventory. -ERR_DEVICE_NOT_FOUND, -ERR_DEVICE_UNAVAILABLE (with the reason), or
 * -ERR_INVALID_ARGS, reason "multiple_devices"; details.devices lists what there is to choose. */
int dm_device_select(struct dm_request *rq, const struct dm_inventory *inv, size_t *ret,
                     struct error *e);

#endif
