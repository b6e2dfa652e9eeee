/* What the engine calls things outside, and results of requests that never get to a control. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "control/control.h"

static void test_names(void **state)
{
	(void)state;
	assert_null(ct_code_name(CT_OK));
	assert_string_equal(ct_code_name(CT_ELEMENT_NOT_FOUND), "ELEMENT_NOT_FOUND");
	assert_string_equal(ct_code_name(CT_ELEMENT_NOT_INTERACTABLE), "ELEMENT_NOT_INTERACTABLE");
	assert_string_equal(ct_code_name(CT_CONTROL_CONVERGENCE_FAILED), "CONTROL_CONVERGENCE_FAILED");
	assert_string_equal(ct_code_name(CT_UNKNOWN), "UNKNOWN");
	assert_string_equal(ct_strategy_name(CT_SET), "direct_set_value");
	assert_string_equal(ct_strategy_name(CT_STEPS), "increment_decrement");
	assert_string_equal(ct_strategy_name(CT_PLACE), "coordinate");
	assert_string_equal(ct_strategy_name(CT_NONE), "none");
	assert_string_equal(ct_stage_name(CT_STAGE_RESOLVE), "resolve");
	assert_string_equal(ct_stage_name(CT_STAGE_RECOVER), "recover");
	for (int r = 0; r < CT_REASON_COUNT; r++) {
		assert_true(strlen(ct_reason_text((enum ct_reason)r)) > 10);
		for (int k = 0; k < r; k++)
			assert_string_not_equal(ct_reason_name((enum ct_reason)r),
			                        ct_reason_name((enum ct_reason)k));
	}
}

static void test_refusals(void **state)
{
	(void)state;
	struct ct_result r;
	memset(&r, 0xAA, sizeof(r));
	ct_refuse(&r, CT_ELEMENT_NOT_FOUND, CT_REASON_NO_TARGET, false);
	assert_int_equal(r.code, CT_ELEMENT_NOT_FOUND);
	assert_int_equal(r.reason, CT_REASON_NO_TARGET);
	assert_false(r.retryable || r.has_target || r.has_actual || r.has_before || r.has_domain ||
	             r.within || r.converged || r.coordinate);
	assert_int_equal(r.attempts, 0);
	assert_int_equal(r.strategy, CT_NONE);
	assert_int_equal(r.n_trace, 2);
	assert_int_equal(r.trace[0].stage, CT_STAGE_RESOLVE);
	assert_false(r.trace[0].success);
	assert_int_equal(r.trace[1].stage, CT_STAGE_RECOVER);
	assert_false(r.trace[1].success);
	ct_refuse(&r, CT_ELEMENT_NOT_FOUND, CT_REASON_NOT_FOUND, true);
	assert_true(r.retryable && r.trace[1].success);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
