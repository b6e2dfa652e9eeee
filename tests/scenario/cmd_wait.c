/* wait: when it ends, and what it says when it does not end well. Time is virtual. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "support/virtual_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static unsigned looks, change_at;
static void (*change)(void);

static void prompt(void)
{
	SCREEN_SHOW({ 0, "window", "Permission" }, { 1, "text", "Allow location?" },
	            { 1, "button", "Not now" }, { 1, "button", "Continue" });
}

static void placed(void)
{
	SCREEN_SHOW({ 0, "window", "Shop" }, { 1, "text", "Order placed, thank you" });
}

/* Changes the screen before the change_at-th look. */
static void count_looks(const json_t *request)
{
	if (!strcmp(jx_get_str(request, "command", ""), "snapshot") && ++looks == change_at && change)
		change();
}

static void change_screen(unsigned at, void (*to)(void))
{
	looks = 0;
	change_at = at;
	change = to;
	screen_on_request(count_looks);
}

static int set_up(void **state)
{
	*state = screen_new();
	screen_open(*state);
	prompt();
	change_screen(0, NULL);
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static const json_t *details(const json_t *error)
{
	return json_object_get(error, "details");
}

static void a_time_is_waited(void **state)
{
	int64_t before = virtual_clock_now();
	auto_json json_t *data = harness_ok(*state, "wait", "{\"condition\":[\"1500\"]}");

	assert_int_equal(virtual_clock_now() - before, 1500);
	assert_int_equal(jx_get_int(data, "waitedMs", 0), 1500);
	assert_int_equal(screen_count(NULL), 0);
}

static void a_text_ends_the_wait_when_it_shows(void **state)
{
	auto_json json_t *data = NULL;

	change_screen(4, placed);
	data = harness_ok(*state, "wait", "{\"condition\":[\"text\",\"order\",\"placed\"]}");
	assert_int_equal(jx_get_int(data, "captures", 0), 4);
	assert_int_equal(jx_get_int(data, "waitedMs", 0), 300);
	assert_string_equal(jx_get_str(data, "text", ""), "order placed");
}

static void the_same_from_named_arguments(void **state)
{
	placed();
	json_decref(harness_ok(*state, "wait", "{\"text\":\"Order placed\"}"));
	json_decref(harness_ok(*state, "wait", "{\"selector\":\"role=window label=Shop\"}"));
	json_decref(harness_ok(*state, "wait", "{\"gone\":\"label=Continue\"}"));
	assert_int_equal(screen_count("snapshot"), 3);
}

static void words_are_understood(void **state)
{
	static const struct {
		const char *condition, *key, *value;
	} cases[] = {
		{ "[\"text\",\"Allow location?\"]", "text", "Allow location?" },
		{ "[\"Allow\",\"location?\"]", "text", "Allow location?" },
		{ "[\"text\",\"Allow\",\"5000\"]", "text", "Allow" },
		{ "[\"role=button label=Continue\"]", "selector", "role=button label=Continue" },
		{ "[\"label=Continue\",\"700\"]", "selector", "label=Continue" },
		{ "[\"gone\",\"label=Pay\"]", "gone", "label=Pay" },
		{ "[\"absent\",\"label=Pay\",\"700\"]", "gone", "label=Pay" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char args[128];
		auto_json json_t *data = NULL;

		snprintf(args, sizeof(args), "{\"condition\":%s}", cases[i].condition);
		data = harness_ok(*state, "wait", args);
		assert_string_equal(jx_get_str(data, cases[i].key, ""), cases[i].value);
	}
}

static void a_target_that_stays_absent_is_told_with_what_is_there(void **state)
{
	auto_json json_t *error =
	    screen_error(*state, "wait", "{\"condition\":[\"text\",\"Expense added\",\"1000\"]}");
	const json_t *surface = json_object_get(details(error), "currentSurface");

	assert_string_equal(jx_get_str(error, "code", ""), "TIMEOUT");
	assert_string_equal(screen_reason(error), "wait_target_absent");
	assert_non_null(strstr(jx_get_str(error, "message", ""), "\"Not now\", \"Continue\""));
	assert_int_equal(json_array_size(json_object_get(surface, "buttons")), 2);
	assert_int_equal(json_array_size(json_object_get(surface, "labels")), 2);
	assert_int_equal(jx_get_int(details(error), "timeoutMs", 0), 1000);
	assert_int_equal(jx_get_int(details(error), "captures", 0), screen_count("snapshot"));
	assert_int_equal(jx_get_int(details(error), "readableCaptures", 0),
	                 jx_get_int(details(error), "captures", 0));
	assert_true(jx_get_int(details(error), "captures", 0) >= 10);
}

static void a_screen_that_could_not_be_read_in_time_is_another_answer(void **state)
{
	auto_json json_t *error = NULL;

	screen_takes("snapshot", 1400);
	error = screen_error(*state, "wait", "{\"condition\":[\"text\",\"Pay\",\"1000\"]}");
	assert_string_equal(jx_get_str(error, "code", ""), "TIMEOUT");
	assert_string_equal(screen_reason(error), "wait_capture_stalled");
	assert_int_equal(jx_get_int(details(error), "captures", 0), 1);
	assert_int_equal(jx_get_int(details(error), "readableCaptures", -1), 0);
	assert_non_null(strstr(jx_get_str(error, "message", ""), "not known"));
}

static void a_late_capture_that_shows_the_target_is_a_success(void **state)
{
	screen_takes("snapshot", 1400);
	json_decref(harness_ok(*state, "wait", "{\"condition\":[\"text\",\"Allow\",\"1000\"]}"));
}

static void failing_captures_do_not_end_the_wait(void **state)
{
	auto_json json_t *error = NULL;

	screen_fail("snapshot",
	            "{\"code\":\"APP_NOT_RESPONDING\",\"message\":\"demo does not answer\"}");
	error = screen_error(*state, "wait", "{\"condition\":[\"text\",\"Pay\",\"500\"]}");
	assert_string_equal(screen_reason(error), "wait_capture_stalled");
	assert_non_null(strstr(jx_get_str(error, "message", ""), "demo does not answer"));
	assert_true(jx_get_int(details(error), "captures", 0) > 1);
	screen_fail("snapshot", NULL);
	json_decref(harness_ok(*state, "snapshot", NULL));
}

static void an_app_that_is_gone_ends_the_wait_at_once(void **state)
{
	auto_json json_t *error = NULL;
	int64_t before = virtual_clock_now();

	screen_fail("snapshot", "{\"code\":\"APP_NOT_RUNNING\",\"message\":\"demo has ended\"}");
	error = screen_error(*state, "wait", "{\"condition\":[\"text\",\"Pay\",\"5000\"]}");
	assert_string_equal(jx_get_str(error, "code", ""), "APP_NOT_RUNNING");
	assert_true(virtual_clock_now() - before < 100);
}

static void gone_needs_a_tree_that_was_read_whole(void **state)
{
	auto_json json_t *error = NULL;

	placed();
	screen_quality("partial", "one program did not answer");
	error = screen_error(*state, "wait", "{\"condition\":[\"gone\",\"label=Continue\",\"500\"]}");
	assert_string_equal(screen_reason(error), "wait_capture_stalled");
	screen_quality(NULL, NULL);
	json_decref(
	    harness_ok(*state, "wait", "{\"condition\":[\"gone\",\"label=Continue\",\"500\"]}"));
}

static void what_does_not_go_away_is_named(void **state)
{
	auto_json json_t *error =
	    screen_error(*state, "wait", "{\"gone\":\"role=button\",\"timeout\":500}");

	assert_string_equal(screen_reason(error), "wait_target_present");
	assert_non_null(strstr(jx_get_str(error, "message", ""), "2 still there"));
	assert_non_null(strstr(jx_get_str(error, "message", ""), "[button] \"Not now\""));
}

static void stable_waits_for_the_quiet_time(void **state)
{
	auto_json json_t *data = NULL;

	change_screen(3, placed);
	data = harness_ok(*state, "wait", "{\"condition\":[\"stable\",\"400\"]}");
	assert_int_equal(jx_get_int(data, "waitedMs", 0), 600);
	assert_int_equal(jx_get_int(data, "nodeCount", 0), 2);
}

static void flip(void)
{
	char label[32];

	snprintf(label, sizeof(label), "frame %u", looks);
	SCREEN_SHOW({ 0, "window", "Video" }, { 1, "text", label });
	change_at++;
}

static void a_screen_that_never_rests_times_out(void **state)
{
	auto_json json_t *error = NULL;

	change_screen(1, flip);
	error = screen_error(*state, "wait", "{\"stable\":true,\"timeout\":2000}");
	assert_string_equal(screen_reason(error), "wait_stable_timeout");
}

static void a_ref_stands_for_its_text(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", NULL);
	auto_json json_t *waited = NULL;
	char args[64];

	snprintf(args, sizeof(args), "{\"condition\":[\"@%s\"]}",
	         jx_get_str(json_array_get(json_object_get(data, "nodes"), 3), "ref", ""));
	waited = harness_ok(*state, "wait", args);
	assert_string_equal(jx_get_str(waited, "text", ""), "Continue");
}

static void nonsense_is_refused(void **state)
{
	static const char *const bad[] = { "{}",
		                               "{\"condition\":[]}",
		                               "{\"condition\":[\"text\"]}",
		                               "{\"condition\":[\"gone\"]}",
		                               "{\"ms\":5,\"text\":\"a\"}",
		                               "{\"condition\":[\"5\"],\"text\":\"a\"}",
		                               "{\"condition\":[\"stable\",\"soon\"]}",
		                               "{\"condition\":[\"700000\"]}",
		                               "{\"selector\":\"label=\\\"open\"}",
		                               "{\"gone\":\"Pay\"}",
		                               "{\"condition\":[\"gone\",\"label=\"]}" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		auto_json json_t *error = screen_error(*state, "wait", bad[i]);

		if (strcmp(jx_get_str(error, "code", ""), "INVALID_ARGS"))
			fail_msg("%s: %s", bad[i], jx_get_str(error, "message", ""));
	}
	assert_int_equal(screen_count(NULL), 0);
}

static void a_long_wait_outlives_the_default_request_limit(void **state)
{
	auto_json json_t *error =
	    screen_error(*state, "wait", "{\"condition\":[\"text\",\"Create account\",\"180000\"]}");

	assert_string_equal(screen_reason(error), "wait_target_absent");
	assert_true(virtual_clock_now() >= 180000);
	json_decref(harness_ok(*state, "press", "{\"target\":\"label=Continue\"}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_time_is_waited),
		CASE(a_text_ends_the_wait_when_it_shows),
		CASE(the_same_from_named_arguments),
		CASE(words_are_understood),
		CASE(a_target_that_stays_absent_is_told_with_what_is_there),
		CASE(a_screen_that_could_not_be_read_in_time_is_another_answer),
		CASE(a_late_capture_that_shows_the_target_is_a_success),
		CASE(failing_captures_do_not_end_the_wait),
		CASE(an_app_that_is_gone_ends_the_wait_at_once),
		CASE(gone_needs_a_tree_that_was_read_whole),
		CASE(what_does_not_go_away_is_named),
		CASE(stable_waits_for_the_quiet_time),
		CASE(a_screen_that_never_rests_times_out),
		CASE(a_ref_stands_for_its_text),
		CASE(nonsense_is_refused),
		CASE(a_long_wait_outlives_the_default_request_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
