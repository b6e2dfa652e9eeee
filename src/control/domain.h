/* The numeric domain of a control: range, step, quantisation, tolerance (spec: debug tools 4.1, 4.6 G3–G11;
 * docs/adr/0007). Pure. */
#ifndef DEFT_CONTROL_DOMAIN_H
#define DEFT_CONTROL_DOMAIN_H

#include <stdbool.h>

struct ct_domain {
	bool has_range;
	double min, max;
	double step; /* > 0: discrete; else continuous */
};

enum ct_range { CT_RANGE_OK, CT_RANGE_BROKEN, CT_RANGE_OUTSIDE };

/* A step that is not a positive finite number is no step (G11). */
struct ct_domain ct_domain_make(bool has_range, double min, double max, double step);
/* What float32 platforms lose: 4·2⁻²³ of the largest number involved. */
double ct_epsilon(const struct ct_domain *d, double target);
/* Broken: min > max or not finite (G9). Outside: judged on the raw target, before quantising (G8). */
enum ct_range ct_domain_check(const struct ct_domain *d, double target);
/* The nearest stop; ties toward max; never beyond the last stop (G4, G5); 12 significant digits (G6).
 * Without a step the target itself. Never outside of the range. */
double ct_quantise(const struct ct_domain *d, double target);
/* 0 with a step; else 1 % of the range; else 0 (G3). */
double ct_default_tolerance(const struct ct_domain *d);
/* |actual − target| ≤ tolerance, float noise absorbed: the epsilon, or a hundred-thousandth of a step. */
bool ct_within(const struct ct_domain *d, double actual, double target, double tolerance);

#endif
