#include "runner/scroll_plan.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct direction {
	const char *name;
	int sx, sy; /* where the view moves */
} directions[] = { { "up", 0, -1 }, { "down", 0, 1 }, { "left", -1, 0 }, { "right", 1, 0 } };

static const struct direction *direction_of(const char *name)
{
	for (size_t i = 0; name && i < sizeof(directions) / sizeof(directions[0]); i++)
		if (strcmp(directions[i].name, name) == 0)
			return &directions[i];
	return NULL;
}

static bool positive(struct wire_num n)
{
	return !n.has || (isfinite(n.v) && n.v > 0);
}

/* round() of the C library is half away from zero, as the protocol wants it. */
static double travel_for(double axis, struct wire_num amount, struct wire_num pixels)
{
	double want = pixels.has ? fmax(1, round(pixels.v))
	                         : round(axis * (amount.has ? amount.v : RC_SCROLL_AMOUNT));
	double padding = fmax(1, round(axis * 0.05));

	return fmax(1, fmin(want, fmax(1, axis - 2 * padding)));
}

bool rc_scroll_plan(const char *direction, struct wire_num amount, struct wire_num pixels,
                    double width, double height, struct rc_scroll_plan *ret)
{
	const struct direction *d = direction_of(direction);

	if (!d || !positive(amount) || !positive(pixels) || !isfinite(width) || !isfinite(height) ||
	    width <= 0 || height <= 0)
		return false;

	double travel = travel_for(d->sy ? height : width, amount, pixels);
	double half = round(travel / 2), cx = round(width / 2), cy = round(height / 2);

	*ret = (struct rc_scroll_plan){
		.x = cx + d->sx * half,
		.y = cy + d->sy * half,
		.x2 = cx - d->sx * half,
		.y2 = cy - d->sy * half,
		.travel = travel,
		.dx = d->sx * travel,
		.dy = d->sy * travel,
	};
	return true;
}
