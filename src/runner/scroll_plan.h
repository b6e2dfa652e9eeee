/* The scroll plan (runner protocol 7.3): from a direction and an amount to a finger's way inside a
 * frame. Pure. Direction says what comes into view; the finger moves the other way. */
#ifndef DEFT_RUNNER_SCROLL_PLAN_H
#define DEFT_RUNNER_SCROLL_PLAN_H

#include "wire/runner_msg.h"

#include <stdbool.h>

struct rc_scroll_plan {
	double x, y, x2, y2; /* finger, relative to the frame's origin */
	double travel;       /* points along the axis */
	double dx, dy;       /* how the view moves: dy > 0 shows what is further down */
};

/* `pixels` wins over `amount` (a fraction of the axis, RC_SCROLL_AMOUNT when absent). False for an
 * unknown direction, an amount that is not positive, or a frame without size. */
#define RC_SCROLL_AMOUNT 0.6
bool rc_scroll_plan(const char *direction, struct wire_num amount, struct wire_num pixels,
                    double width, double height, struct rc_scroll_plan *ret);

#endif
