/* How long each stage of a request took. */
#ifndef DEFT_DAEMON_STAGE_H
#define DEFT_DAEMON_STAGE_H

#include <jansson.h>
#include <stdint.h>

struct dm_stage {
	struct {
		const char *name; /* static */
		int64_t us;
	} list[24];
	unsigned n;
	int64_t start_us, last_us;
};

void dm_stage_start(struct dm_stage *s);
/* The time since the last mark belongs to `name` (static); a repeated name adds up; beyond 24 names
 * the time is counted to the last one. */
void dm_stage_mark(struct dm_stage *s, const char *name);
int64_t dm_stage_total_us(const struct dm_stage *s);
/* {"admit":0.012,…} in ms, in order; new reference. */
json_t *dm_stage_json(const struct dm_stage *s);

#endif
