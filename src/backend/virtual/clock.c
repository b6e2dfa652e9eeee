#include "backend/virtual/clock.h"

#include "base/limits.h"

#include <stdlib.h>

void vd_clock_done(struct vd_clock *c)
{
	free(c->timers);
	c->timers = NULL;
	c->n = 0;
}

void vd_clock_reset(struct vd_clock *c)
{
	c->n = 0;
}

bool vd_clock_set(struct vd_clock *c, int64_t in_ms, struct vd_timer t)
{
	if (c->n >= LIM_TIMERS)
		return false;
	if (!c->timers && !(c->timers = calloc(LIM_TIMERS, sizeof(*c->timers))))
		return false;
	t.due_ms = c->now_ms + (in_ms > 0 ? in_ms : 0);
	t.order = c->orders++;
	c->timers[c->n++] = t;
	return true;
}

static void take(struct vd_clock *c, unsigned i, struct vd_timer *ret)
{
	*ret = c->timers[i];
	c->timers[i] = c->timers[--c->n];
}

bool vd_clock_next(struct vd_clock *c, int64_t until_ms, struct vd_timer *ret)
{
	unsigned best = c->n;
	for (unsigned i = 0; i < c->n; i++) {
		const struct vd_timer *t = &c->timers[i];
		if (t->due_ms > until_ms)
			continue;
		if (best == c->n || t->due_ms < c->timers[best].due_ms ||
		    (t->due_ms == c->timers[best].due_ms && t->order < c->timers[best].order))
			best = i;
	}
	if (best == c->n) {
		if (c->now_ms < until_ms)
			c->now_ms = until_ms;
		return false;
	}
	take(c, best, ret);
	if (c->now_ms < ret->due_ms)
		c->now_ms = ret->due_ms;
	return true;
}

void vd_clock_forget(struct vd_clock *c, uint32_t widget)
{
	for (unsigned i = 0; i < c->n;) {
		struct vd_timer dropped;
		if (c->timers[i].widget == widget && !c->timers[i].actions)
			take(c, i, &dropped);
		else
			i++;
	}
}
