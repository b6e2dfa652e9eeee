#include "control/domain.h"

#include <math.h>

struct ct_domain ct_domain_make(bool has_range, double min, double max, double step)
{
	return (struct ct_domain){ has_range, min, max, isfinite(step) ? fmax(step, 0) : 0 };
}

double ct_epsilon(const struct ct_domain *d, double target)
{
	double largest = fabs(target);
	if (d->has_range)
		largest = fmax(largest, fmax(fabs(d->min), fabs(d->max)));
	return 4 * ldexp(1, -23) * largest;
}

enum ct_range ct_domain_check(const struct ct_domain *d, double target)
{
	if (!d->has_range)
		return CT_RANGE_OK;
	if (!isfinite(d->min) || !isfinite(d->max) || d->min > d->max)
		return CT_RANGE_BROKEN;
	double eps = ct_epsilon(d, target);
	return target < d->min - eps || target > d->max + eps ? CT_RANGE_OUTSIDE : CT_RANGE_OK;
}

/* 0, and what is too small or large for it, stay as they are. */
static double twelve_digits(double v)
{
	double scale = pow(10, 11 - floor(log10(fabs(v))));
	double rounded = round(v * scale) / scale;
	return isfinite(rounded) ? rounded : v;
}

/* What lies outside by float noise only becomes the end itself. */
static double clamp(const struct ct_domain *d, double v)
{
	return d->has_range ? fmax(d->min, fmin(d->max, v)) : v;
}

double ct_quantise(const struct ct_domain *d, double target)
{
	if (d->step <= 0)
		return clamp(d, target);
	double min = d->has_range ? d->min : 0;
	double n = (target - min) / d->step, slack = 1e-9 * fmax(1, fabs(n));
	double index = floor(n + 0.5 + slack);
	if (d->has_range) {
		double last = (d->max - d->min) / d->step;
		index = fmin(index, floor(last + 1e-9 * fmax(1, last)));
	}
	return clamp(d, twelve_digits(min + index * d->step));
}

double ct_default_tolerance(const struct ct_domain *d)
{
	if (d->step > 0 || !d->has_range)
		return 0;
	return (d->max - d->min) / 100;
}

/* Toolkits that count stops in floats miss theirs by more than the ends of the range suggest. */
#define STEP_DUST 1e-5

bool ct_within(const struct ct_domain *d, double actual, double target, double tolerance)
{
	return fabs(actual - target) <= tolerance + fmax(ct_epsilon(d, target), STEP_DUST * d->step);
}
