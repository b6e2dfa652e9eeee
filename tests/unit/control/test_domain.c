/* Domains: tolerances, ranges, and what holds for every stop; the cases of quantisation are in
 * tests/data/control/cases.json. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "control/domain.h"

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
	struct ct_domain continuous = ct_domain_make(true, 0, 1, 0),
	                 discrete = ct_domain_make(true, 0, 20, 5),
	                 unknown = ct_domain_make(false, 0, 0, 0);
	assert_true(ct_default_tolerance(&continuous) == 0.01); /* C22 */
	assert_true(ct_default_tolerance(&discrete) == 0);      /* C21 */
	assert_true(ct_default_tolerance(&unknown) == 0);       /* G3 */
}

static void test_within(void **state)
{
	(void)state;
	struct ct_domain d = ct_domain_make(true, 0, 100, 0), one = ct_domain_make(true, 0, 1, 0.1);
	assert_true(ct_within(&d, 50.5, 50, 0.5));                 /* T04 */
	assert_false(ct_within(&d, 50.501, 50, 0.5));              /* T05 */
	assert_true(ct_within(&one, 0.30000000000000004, 0.3, 0)); /* T06 */
	assert_true(ct_within(&one, 0.64999998, 0.65, 0));         /* T07 */
	assert_false(ct_within(&one, 0.6499, 0.65, 0));
}

static void test_ranges(void **state)
{
	(void)state;
	struct ct_domain d = ct_domain_make(true, 0, 20, 5), broken = ct_domain_make(true, 10, 0, 0),
	                 nan = ct_domain_make(true, NAN, 1, 0),
	                 inf = ct_domain_make(true, 0, INFINITY, 0),
	                 open = ct_domain_make(false, 0, 0, 0),
	                 f32 = ct_domain_make(true, 0, 0.89999998, 0);
	assert_int_equal(ct_domain_check(&d, 21), CT_RANGE_OUTSIDE);     /* R01 */
	assert_int_equal(ct_domain_check(&d, -1), CT_RANGE_OUTSIDE);     /* R02 */
	assert_int_equal(ct_domain_check(&d, 20.001), CT_RANGE_OUTSIDE); /* R05 */
	assert_int_equal(ct_domain_check(&d, 20), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&d, 0), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&f32, 0.9), CT_RANGE_OK);      /* R06 */
	assert_int_equal(ct_domain_check(&broken, 5), CT_RANGE_BROKEN); /* R07 */
	assert_int_equal(ct_domain_check(&nan, 0.5), CT_RANGE_BROKEN);  /* R10 */
	assert_int_equal(ct_domain_check(&inf, 0.5), CT_RANGE_BROKEN);  /* R10 */
	assert_int_equal(ct_domain_check(&open, 1e9), CT_RANGE_OK);     /* G10 */
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
		double min = rnd(-1000, 1000), max = min + rnd(0.001, 1000),
		       step = rnd(0.001, 1.2) * (max - min);
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
		cmocka_unit_test(test_nan_step_is_no_step),
		cmocka_unit_test(test_default_tolerances),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_every_domain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
