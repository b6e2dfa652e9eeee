#include "daemon/totals.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "daemon/session.h"

#define FIELD(member, name)                        \
	{                                              \
		offsetof(struct cl_counters, member), name \
	}

static const struct {
	size_t offset;
	const char *name;
} fields[] = {
	FIELD(requests, "requests"),     FIELD(commands, "commands"),
	FIELD(preflights, "preflights"), FIELD(preflights_skipped, "preflightsSkipped"),
	FIELD(recoveries, "recoveries"), FIELD(retries, "retries"),
	FIELD(restarts, "restarts"),     FIELD(invalidations, "invalidations"),
};
_Static_assert(ARRAY_SIZE(fields) * sizeof(uint64_t) == sizeof(struct cl_counters),
               "every counter is summed");

static uint64_t *field(struct cl_counters *c, size_t i)
{
	return (uint64_t *)(void *)((char *)c + fields[i].offset);
}

void dm_totals_add(struct cl_counters *to, const struct cl_counters *c)
{
	struct cl_counters copy = *c;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		*field(to, i) += *field(&copy, i);
}

json_t *dm_totals_json(struct dm_daemon *d)
{
	json_t *o = json_object();
	struct cl_counters sum = d->runners_gone, one;
	for (const struct dm_session *s = d->sessions; s; s = s->next) {
		if (!s->device->runner)
			continue;
		cl_session_counters(s->device->runner, &one);
		dm_totals_add(&sum, &one);
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		jx_set_int(o, fields[i].name, (int64_t)*field(&sum, i));
	return o;
}
