#include "daemon/stage.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"

#include <string.h>

void dm_stage_start(struct dm_stage *s)
{
	*s = (struct dm_stage){ .start_us = clock_now_us() };
	s->last_us = s->start_us;
}

void dm_stage_mark(struct dm_stage *s, const char *name)
{
	int64_t now = clock_now_us();
	unsigned i = 0;
	while (i < s->n && strcmp(s->list[i].name, name) != 0)
		i++;
	if (i == s->n && s->n < ARRAY_SIZE(s->list))
		s->list[s->n++].name = name;
	if (i == s->n)
		i--;
	s->list[i].us += now - s->last_us;
	s->last_us = now;
}

int64_t dm_stage_total_us(const struct dm_stage *s)
{
	return clock_now_us() - s->start_us;
}

json_t *dm_stage_json(const struct dm_stage *s)
{
	json_t *j = json_object();
	for (unsigned i = 0; i < s->n; i++)
		jx_set_num(j, s->list[i].name, (double)s->list[i].us / 1000.0);
	return j;
}
