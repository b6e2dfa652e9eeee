/* The device's own time. It moves only when the device is told so: every command moves it by a fixed
 * tick plus what the command itself takes (a hold, a drag), `idle` moves it by what is asked for.
 * Equal commands therefore give equal runs, and waiting costs no real time. */
#ifndef DEFT_BACKEND_VIRTUAL_CLOCK_H
#define DEFT_BACKEND_VIRTUAL_CLOCK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define VD_TICK_MS 100 /* what looking at the screen or one command takes */

struct vd_timer {
	int64_t due_ms;
	uint64_t order;        /* equal times fire in the order they were set */
	const json_t *actions; /* borrowed from the scene; NULL: settle */
	uint32_t widget;       /* settle: this widget's control takes `value` */
	double value;
};

struct vd_clock {
	int64_t now_ms;
	uint64_t orders;
	struct vd_timer *timers;
	unsigned n;
};

void vd_clock_done(struct vd_clock *c);
void vd_clock_reset(struct vd_clock *c);
/* False: LIM_TIMERS run already. */
bool vd_clock_set(struct vd_clock *c, int64_t in_ms, struct vd_timer t);
/* Takes the next timer due until then and moves the time to it; false: none, time is now `until`. */
bool vd_clock_next(struct vd_clock *c, int64_t until_ms, struct vd_timer *ret);
/* Removes the timers of one widget. */
void vd_clock_forget(struct vd_clock *c, uint32_t widget);

#endif
