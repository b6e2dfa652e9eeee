#include "ui/node.h"

#include <math.h>

/* Toolkits write INT_MIN or INT_MAX for "unmapped" (cases C17, A11); no screen is that large. */
#define SENTINEL 2147483000.0

static bool real_number(double v)
{
	return isfinite(v) && fabs(v) < SENTINEL;
}

bool ui_rect_known(struct ui_rect r)
{
	return real_number(r.x) && real_number(r.y) && real_number(r.width) && real_number(r.height) &&
	       r.width >= 0 && r.height >= 0;
}

bool ui_rect_usable(struct ui_rect r)
{
	return ui_rect_known(r) && r.width > 1 && r.height > 1;
}

bool ui_rect_contains(struct ui_rect r, double x, double y)
{
	return x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
}

bool ui_rect_intersect(struct ui_rect a, struct ui_rect b, struct ui_rect *ret)
{
	double left = fmax(a.x, b.x), top = fmax(a.y, b.y);
	double right = fmin(a.x + a.width, b.x + b.width);
	double bottom = fmin(a.y + a.height, b.y + b.height);
	if (!(right > left && bottom > top))
		return false;
	*ret = (struct ui_rect){ left, top, right - left, bottom - top };
	return true;
}

void ui_rect_center(struct ui_rect r, double *ret_x, double *ret_y)
{
	*ret_x = r.x + r.width / 2;
	*ret_y = r.y + r.height / 2;
}
