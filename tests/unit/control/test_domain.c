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
	assert_true(ct_domain_make(true, 0, 10, INFINITY).step == 0);
	assert_true(ct_domain_make(true, 0, 10, -1).step == 0);
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

/* 4·2⁻²³ of the largest of |min|, |max|, |target|; exact, so that nothing creeps in. */
static void test_epsilon(void **state)
{
	(void)state;
	struct ct_domain one = ct_domain_make(true, 0, 1, 0), low = ct_domain_make(true, -8, 1, 0),
	                 high = ct_domain_make(true, 0, 16, 0), open = ct_domain_make(false, 7, 9, 0);
	assert_true(ct_epsilon(&one, 0.5) == 0x1p-21);
	assert_true(ct_epsilon(&one, -4) == 0x1p-19);
	assert_true(ct_epsilon(&low, 0.5) == 0x1p-18);
	assert_true(ct_epsilon(&high, 0.5) == 0x1p-17);
	assert_true(ct_epsilon(&open, 2) == 0x1p-20);
	assert_true(ct_epsilon(&open, 0) == 0);
}

static void test_edges(void **state)
{
	(void)state;
	struct ct_domain one = ct_domain_make(true, 0, 1, 0), wide = ct_domain_make(true, -4, 1, 0),
	                 open = ct_domain_make(false, 0, 0, 0), half = ct_domain_make(true, 0, 8, 1);
	assert_int_equal(ct_domain_check(&one, -0x1p-21), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&one, -0x1.8p-21), CT_RANGE_OUTSIDE);
	assert_int_equal(ct_domain_check(&wide, 1 + 0x1p-19), CT_RANGE_OK);
	assert_int_equal(ct_domain_check(&wide, 1 + 0x1.8p-19), CT_RANGE_OUTSIDE);
	assert_true(ct_within(&open, 0.5, 0, 0.5));
	assert_false(ct_within(&open, 0.5000001, 0, 0.5));
	assert_true(ct_within(&open, -0.5, 0, 0.5));
	assert_true(ct_within(&half, 3.000009, 3, 0)); /* a hundred-thousandth of the step */
	assert_false(ct_within(&half, 3.000011, 3, 0));
	assert_true(ct_default_tolerance(&(struct ct_domain){ true, -50, 50, 0 }) == 1);
	assert_true(ct_default_tolerance(&(struct ct_domain){ true, 10, 30, 0 }) == 0.2);
}

static double stop(bool has_range, double min, double max, double step, double target)
{
	struct ct_domain d = ct_domain_make(has_range, min, max, step);
	return ct_quantise(&d, target);
}

static void test_stops_in_detail(void **state)
{
	(void)state;
	/* without a range stops count from 0, in both directions and without an end */
	assert_true(stop(false, 3, 4, 5, 12) == 10);
	assert_true(stop(false, 3, 4, 5, 13) == 15);
	assert_true(stop(false, 3, 4, 5, -12) == -10);
	assert_true(stop(false, 3, 4, 0, 12.34) == 12.34);
	/* what is outside by float noise becomes the end */
	assert_true(stop(true, 0, 0.89999998, 0, 0.9) == 0.89999998);
	assert_true(stop(true, 1, 5, 0, 1 - 1e-7) == 1);
	assert_true(stop(true, 1, 5, 1, 1 - 1e-7) == 1);
	/* a tie misses its half by at most 1e-9 of the index */
	assert_true(stop(true, 0, 10, 1, 0.5 - 8e-10) == 1);
	assert_true(stop(true, 0, 10, 1, 0.5 - 3e-9) == 0);
	assert_true(stop(true, 0, 10, 1, 2.5 - 2.2e-9) == 3);
	assert_true(stop(true, 0, 10, 1, 1.5 - 1.8e-9) == 1);
	assert_true(stop(true, 0, 2e6, 1, 1e6 + 0.5 - 5e-4) == 1e6 + 1);
	assert_true(stop(true, -10, 10, 1, -0.5 - 3e-8) == -1);
	/* a last stop that misses max by at most the same is one */
	assert_true(stop(true, 0, 3 - 5e-10, 1, 3 - 5e-10) == 3 - 5e-10);
	assert_true(stop(true, 0, 3 - 2e-8, 1, 3 - 2e-8) == 2);
	assert_true(stop(true, 0, 1e6 - 5e-4, 1, 1e6 - 5e-4) == 1e6 - 5e-4);
	assert_true(stop(true, 0, 1 - 1.5e-9, 1, 1 - 1.5e-9) == 0);
	/* twelve significant digits, whatever the size */
	assert_true(stop(true, 0, 1, 1.0 / 3, 0.3) == 0.333333333333);
	assert_true(stop(true, 0, 100, 100.0 / 3, 30) == 33.3333333333);
	assert_true(stop(true, 0, 1e9, 1e9 / 3, 3e8) == 333333333.333);
	assert_true(stop(true, -1, 0, 1.0 / 3, -0.4) == -0.333333333333);
	/* too small or large to be scaled */
	assert_true(fabs(stop(true, 0, 1e-300, 1e-301, 3e-301) / 3e-301 - 1) < 1e-12);
	assert_true(fabs(stop(true, 0, 1e300, 1e299, 3e299) / 3e299 - 1) < 1e-11);
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
	const char *given = getenv("DEFT_SEED");
	seed = given ? strtoull(given, NULL, 10) : 7;
	printf("# seed %llu (DEFT_SEED)\n", (unsigned long long)seed);
	for (int i = 0; i < 100000; i++) {
		double min = rnd(-1000, 1000), max = min + rnd(0.001, 1000),
		       step = rnd(0.001, 1.2) * (max - min);
		struct ct_domain d = ct_domain_make(true, min, max, step);
		double target = rnd(min, max), q = ct_quantise(&d, target), eps = ct_epsilon(&d, target);
		assert_true(q >= min - eps && q <= max + eps);
		if (ct_quantise(&d, q) != q) /* idempotent */
			fail_msg("run %d: %.17g..%.17g step %.17g: %.17g becomes %.17g", i, min, max, step, q,
			         ct_quantise(&d, q));
		double last = min + floor((max - min) / step) * step;
		assert_true(fabs(q - target) <= step / 2 + eps || target > last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nan_step_is_no_step),
		cmocka_unit_test(test_epsilon),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_stops_in_detail),
		cmocka_unit_test(test_default_tolerances),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_every_domain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
