#include "base/error.h"

#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void setting_returns_the_negative_code_and_drops_old_details(void **state)
{
	struct error auto_error e = ERROR_INIT;
	assert_int_equal(error_set(&e, ERR_TIMEOUT, "waited %d ms", 5), -ERR_TIMEOUT);
	assert_string_equal(e.message, "waited 5 ms");
	assert_int_equal(error_reason(&e, "slow"), -ERR_TIMEOUT);
	assert_int_equal(error_detail_int(&e, "ms", 5), -ERR_TIMEOUT);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "slow");
	error_set(&e, ERR_IO_ERROR, "again: %s", e.message);
	assert_string_equal(e.message, "again: waited 5 ms");
	assert_null(e.details);
	assert_null(e.hint);
}

static void a_message_is_one_line_of_valid_text(void **state)
{
	struct error auto_error e = ERROR_INIT;
	error_set(&e, ERR_IO_ERROR,
	          "a\nb\xff\x01"
	          "c");
	assert_string_equal(e.message, "a b\xef\xbf\xbd\xef\xbf\xbd"
	                               "c");
	char big[20001];
	memset(big, 'x', 20000);
	big[20000] = '\0';
	error_set(&e, ERR_IO_ERROR, "%s", big);
	assert_true(strlen(e.message) > 1000 && strlen(e.message) <= 4096);
}

static void a_missing_error_only_gives_the_code(void **state)
{
	assert_int_equal(error_set(NULL, ERR_CANCELED, "x"), -ERR_CANCELED);
	assert_true(error_hint(NULL, "x") < 0);
	assert_true(error_detail(NULL, "k", json_integer(1)) < 0);
	error_clear(NULL);
}

static void prefix_and_hint(void **state)
{
	struct error auto_error e = ERROR_INIT;
	error_set(&e, ERR_TOOL_MISSING, "no adb");
	assert_string_equal(error_hint_text(&e), error_default_hint(ERR_TOOL_MISSING));
	assert_int_equal(error_hint(&e, "apt install %s", "adb"), -ERR_TOOL_MISSING);
	assert_string_equal(error_hint_text(&e), "apt install adb");
	error_prefix(&e, "starting %s", "it");
	assert_string_equal(e.message, "starting it: no adb");
	assert_string_equal(e.hint, "apt install adb");
}

static void every_code_has_a_name_and_reads_back(void **state)
{
	for (int i = 1; i < ERR_COUNT; i++) {
		enum err_code code = (enum err_code)i;
		assert_int_equal(error_code_from_name(error_code_name(code)), code);
		assert_true(error_exit_status(code) > 0);
		assert_true(strlen(error_meaning(code)) > 0);
		assert_true(strlen(error_default_hint(code)) > 0);
	}
	assert_int_equal(error_code_from_name("NO_SUCH"), ERR_COMMAND_FAILED);
	assert_false(error_code_known("NO_SUCH"));
	assert_false(error_code_known("OK"));
	assert_false(error_code_known(NULL));
}

static void errors_travel_as_json(void **state)
{
	struct error auto_error e = ERROR_INIT, auto_error back = ERROR_INIT;
	error_set(&e, ERR_RUNNER_BUSY, "busy");
	error_reason(&e, "queue");
	json_t *j = error_to_json(&e);
	assert_true(jx_get_bool(j, "retriable", false));
	assert_int_equal(error_from_json(&back, j), -ERR_RUNNER_BUSY);
	assert_string_equal(back.message, "busy");
	assert_string_equal(jx_get_str(back.details, "reason", ""), "queue");
	json_decref(j);
}

static void an_unknown_remote_code_is_kept(void **state)
{
	struct error auto_error e = ERROR_INIT;
	json_t *j = json_pack("{s:s}", "code", "WEIRD");
	assert_int_equal(error_from_json(&e, j), -ERR_COMMAND_FAILED);
	assert_string_equal(jx_get_str(e.details, "remoteCode", ""), "WEIRD");
	assert_true(strlen(e.message) > 0);
	json_decref(j);
	assert_int_equal(error_from_json(&e, NULL), -ERR_COMMAND_FAILED);
	assert_null(e.details);
}

static void moving_leaves_the_source_empty(void **state)
{
	struct error a = ERROR_INIT, auto_error b = ERROR_INIT;
	error_set(&b, ERR_IO_ERROR, "old");
	error_set(&a, ERR_TIMEOUT, "new");
	error_move(&b, &a);
	assert_string_equal(b.message, "new");
	assert_int_equal(a.code, ERR_OK);
	assert_null(a.message);
	error_set(&a, ERR_TIMEOUT, "dropped");
	error_move(NULL, &a);
	assert_null(a.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_negative_code_and_drops_old_details),
		cmocka_unit_test(a_message_is_one_line_of_valid_text),
		cmocka_unit_test(a_missing_error_only_gives_the_code),
		cmocka_unit_test(prefix_and_hint),
		cmocka_unit_test(every_code_has_a_name_and_reads_back),
		cmocka_unit_test(errors_travel_as_json),
		cmocka_unit_test(an_unknown_remote_code_is_kept),
		cmocka_unit_test(moving_leaves_the_source_empty),
	};
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
