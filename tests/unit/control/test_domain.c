/* Cases Q01–Q27 of quantisation, the tolerance cases, and what must hold for every domain. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "control/domain.h"

struct stop_case {
	const char *id;
	double min, max, step, target, stop;
};

static const struct stop_case stops[] = {
	{ "Q01", 0, 20, 5, 12, 10 },
	{ "Q02", 0, 20, 5, 12.5, 15 },
	{ "Q03", 0, 10, 5, 2.5, 5 },
	{ "Q04", 0, 1, 0.1, 0.3, 0.3 },
	{ "Q05", 0, 1, 0.1, 0.35, 0.4 },
	{ "Q06", 0, 1, 0.1, 0.15, 0.2 },
	{ "Q07", 0, 1, 0.1, 0.25, 0.3 },
	{ "Q08", 0, 2, 0.01, 1.005, 1.01 },
	{ "Q09", 0.5, 5.5, 1, 2.5, 2.5 },
	{ "Q10", 0.5, 5.5, 1, 3, 3.5 },
	{ "Q11", 0, 5, 0.5, 3.2, 3 },
	{ "Q12", 0, 5, 0.5, 3.25, 3.5 },
	{ "Q13", 0, 10, 4, 10, 8 },
	{ "Q14", 0, 10, 3, 10, 9 },
	{ "Q15", -10, 10, 5, -7, -5 },
	{ "Q16", -10, 10, 5, -7.5, -5 },
	{ "Q17", -5, 5, 5, -2.5, 0 },
	{ "Q18", -10, 10, 3, 0, -1 },
	{ "Q19", -1, 1, 0.2, -0.3, -0.2 },
	{ "Q20", 0, 0.000001, 0.0000001, 0.0000005, 0.0000005 },
	{ "Q21", 0, 100, 7, 99, 98 },
	{ "Q22", 0, 100, 7, 100, 98 },
	{ "Q23", 0.1, 1.1, 0.2, 0.7, 0.7 },
	{ "Q24", 0, 100, 33.333333, 50, 66.666666 },
	{ "Q25", 0, 10, 0, 3.3, 3.3 },
	{ "Q25", 0, 10, -1, 3.3, 3.3 },
	{ "Q26", 0, 10, 50, 7, 0 },
	{ "Q27", -20, 20, 2.5, -18.7, -17.5 },
};

static void test_stops(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(stops); i++) {
		const struct stop_case *c = &stops[i];
		struct ct_domain d = ct_domain_make(true, c->min, c->max, c->step);
		double q = ct_quantise(&d, c->target);
		if (q != c->stop || signbit(q) != signbit(c->stop))
			fail_msg("%s: %.17g becomes %.17g, expected %.17g", c->id, c->target, q, c->stop);
	}
}

static void test_nan_step_is_no_step(void **state)
{
	(void)state;
	struct ct_domain d = ct_domain_make(true, 0, 10, NAN);
	assert_true(d.step == 0);
	assert_true(ct_default_tolerance(&d) == 0.1);
}

static void test_default_tolerances(void **state)
{
	(void)state;
	struct ct_domain continuous = ct_domain_make(true, 0, 1, 0), discrete = ct_domain_make(true, 0, 20, 5),
	                 unknown = ct_domain_make(false, 0, 0, 0);
	assert_true(ct_default_tolerance(&continuous) == 0.01); /* C22 */
	assert_true(ct_default_tolerance(&discrete) == 0);      /* C21 */
	assert_true(ct_default_tolerance(&unknown) == 0);       /* G3 */
}

static void test_within(void **state)
{
	(void)state;
	struct ct_domain d = ct_domain_make(true, 0, 100, 0), one = ct_domain_make(true, 0, 1, 0.1);
	assert_true(ct_within(&d, 50.5, 50, 0.5));               /* T04 */
	assert_false(ct_within(&d, 50.501, 50, 0.5));            /* T05 */
	assert_true(ct_within(&one, 0.30000000000000004, 0.3, 0)); /* T06 */
	assert_true(ct_within(&one, 0.64999998, 0.65, 0));       /* T07 */
	assert_false(ct_within(&one, 0.6499, 0.65, 0));
}

static void test_ranges(void **state)
{
	(void)state;
	struct ct_domain d = ct_domain_make(true, 0, 20, 5), broken = ct_domain_make(true, 10, 0, 0),
	                 nan = ct_domain_make(true, NAN, 1, 0), inf = ct_domain_make(true, 0, INFINITY, 0),
	                 open = ct_domain_make(false, 0, 0, 0), f32 = ct_domain_make(true, 0, 0.89999998, 0);
	assert_int_equal(ct_domain_check(&d, 21), CT_RANGE_OUTSIDE);     /* R01 */
	assert_int_equal(ct_domain_check(&d, -1), CT_RANGE_OUTSIDE);     /* R02 */
	assert_int_equal(ct_domain_check(&d, 20.001), CT_RANGE_OUTSIDE); /* R05 */
	assert_int_equal(ct_domain_check(&d, 20), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&d, 0), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&f32, 0.9), CT_RANGE_OK);       /* R06 */
	assert_int_equal(ct_domain_check(&broken, 5), CT_RANGE_BROKEN);  /* R07 */
	assert_int_equal(ct_domain_check(&nan, 0.5), CT_RANGE_BROKEN);   /* R10 */
	assert_int_equal(ct_domain_check(&inf, 0.5), CT_RANGE_BROKEN);   /* R10 */
	assert_int_equal(ct_domain_check(&open, 1e9), CT_RANGE_OK);      /* G10 */
}

static uint64_t seed;

static double rnd(double from, double to)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

static void test_every_domain(void **state)
{
	(void)state;
	seed = 7;
	for (int i = 0; i < 100000; i++) {
		double min = rnd(-1000, 1000), max = min + rnd(0.001, 1000), step = rnd(0.001, 1.2) * (max - min);
		struct ct_domain d = ct_domain_make(true, min, max, step);
		double target = rnd(min, max), q = ct_quantise(&d, target), eps = ct_epsilon(&d, target);
		assert_true(q >= min - eps && q <= max + eps);
		assert_true(ct_quantise(&d, q) == q); /* idempotent */
		double last = min + floor((max - min) / step) * step;
		assert_true(fabs(q - target) <= step / 2 + eps || target > last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stops),      cmocka_unit_test(test_nan_step_is_no_step),
		cmocka_unit_test(test_default_tolerances), cmocka_unit_test(test_within),
		cmocka_unit_test(test_ranges),     cmocka_unit_test(test_every_domain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
