/* Counters of all runner clients, the open ones and those that are gone. */
#ifndef DEFT_DAEMON_TOTALS_H
#define DEFT_DAEMON_TOTALS_H

#include "daemon/core.h"

void dm_totals_add(struct cl_counters *to, const struct cl_counters *c);
/* {"requests","commands","preflights",…}; call with the daemon's lock held. New reference. */
json_t *dm_totals_json(struct dm_daemon *d);

#endif
