/* open, close, devices, apps, session, daemon. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = screen_new();
	screen_reply("launch", "{\"id\":\"demo\",\"name\":\"Demo\",\"pid\":77,\"started\":true}");
	SCREEN_SHOW({ 0, "window", "Demo" }, { 1, "button", "Save" });
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static size_t session_count(struct harness *h)
{
	auto_json json_t *data = harness_ok(h, "session", NULL);

	return json_array_size(json_object_get(data, "sessions"));
}

static void open_starts_the_app_and_the_session(void **state)
{
	auto_json json_t *data =
	    harness_ok(*state, "open", "{\"app\":\"demo\",\"args\":[\"--x\"],\"relaunch\":true}");
	const json_t *launch = screen_request("launch", 0);

	assert_string_equal(jx_get_str(launch, "target", ""), "demo");
	assert_string_equal(json_string_value(json_array_get(json_object_get(launch, "args"), 0)),
	                    "--x");
	assert_true(json_is_true(json_object_get(launch, "relaunch")));
	assert_null(json_object_get(launch, "background"));
	assert_string_equal(jx_get_str(data, "appId", ""), "demo");
	assert_string_equal(jx_get_str(data, "appName", ""), "Demo");
	assert_string_equal(jx_get_str(data, "id", ""), "linux::7");
	assert_string_equal(jx_get_str(data, "session", ""), "default");
	assert_true(json_is_true(json_object_get(data, "started")));
	assert_string_equal(jx_get_str(json_object_get(data, "selection"), "reason", ""),
	                    "only-device");
	assert_int_equal(session_count(*state), 1);
}

static void a_running_app_is_raised_and_that_is_said(void **state)
{
	screen_reply("launch", "{\"id\":\"demo\",\"name\":\"Demo\",\"started\":false}");
	assert_string_equal(screen_text(*state, "open", "{\"app\":\"demo\"}"),
	                    "Raised, it runs already: Demo (demo) on linux::7\nSession: default");
}

static void a_path_is_meant_from_where_the_caller_stands(void **state)
{
	auto_free char *want = fs_join(harness_dir(*state), "./build/demo");

	json_decref(harness_ok(*state, "open", "{\"app\":\"./build/demo\"}"));
	assert_string_equal(jx_get_str(screen_request("launch", 0), "target", ""), want);
	json_decref(harness_ok(*state, "open", "{\"app\":\"https://example.test/a\"}"));
	assert_string_equal(jx_get_str(screen_request("launch", 1), "target", ""),
	                    "https://example.test/a");
}

static void a_failed_open_leaves_no_session_behind(void **state)
{
	screen_fail("launch", "{\"code\":\"APP_NOT_FOUND\",\"message\":\"no program nope\"}");
	assert_string_equal(harness_error(*state, "open", "{\"app\":\"nope\"}"), "APP_NOT_FOUND");
	assert_int_equal(session_count(*state), 0);
	screen_fail("launch", NULL);
	json_decref(harness_ok(*state, "open", "{\"app\":\"demo\"}"));
	screen_fail("launch", "{\"code\":\"APP_NOT_FOUND\",\"message\":\"no program nope\"}");
	assert_string_equal(harness_error(*state, "open", "{\"app\":\"nope\"}"), "APP_NOT_FOUND");
	assert_int_equal(session_count(*state), 1);
}

static void open_ends_the_refs_of_the_app_before(void **state)
{
	json_decref(harness_ok(*state, "open", "{\"app\":\"demo\"}"));
	json_decref(harness_ok(*state, "snapshot", NULL));
	json_decref(harness_ok(*state, "open", "{\"app\":\"demo\"}"));
	assert_string_equal(harness_error(*state, "press", "{\"target\":\"@e1\"}"), "ELEMENT_STALE");
}

static void names_that_are_no_programs_are_refused_before_a_session_opens(void **state)
{
	static const char *const bad[] = { "{\"app\":\"-rf\"}", "{\"app\":\"a\\nb\"}",
		                               "{\"app\":\"a\\tb\"}", "{\"relaunch\":true}" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_string_equal(harness_error(*state, "open", bad[i]), "INVALID_ARGS");
	assert_int_equal(session_count(*state), 0);
	assert_int_equal(screen_count(NULL), 0);
}

static void close_ends_app_and_session(void **state)
{
	screen_open(*state);
	screen_reply("terminate", "{\"stillRunning\":false}");
	assert_string_equal(screen_text(*state, "close", "{}"), "Closed: default; demo ended");
	assert_string_equal(jx_get_str(screen_request("terminate", 0), "appBundleId", ""), "demo");
	assert_int_equal(session_count(*state), 0);
}

static void a_wrong_name_does_not_cost_the_session(void **state)
{
	screen_open(*state);
	screen_fail("terminate", "{\"code\":\"APP_NOT_RUNNING\",\"message\":\"no\"}");
	assert_string_equal(harness_error(*state, "close", "{\"app\":\"dmeo\"}"), "APP_NOT_RUNNING");
	assert_non_null(strstr(screen_text(*state, "session", "{}"), "* default"));
	assert_string_equal(screen_text(*state, "close", "{\"app\":\"demo\"}"),
	                    "Closed: default; demo was not running");
}

static void close_says_what_still_runs(void **state)
{
	auto_json json_t *data = NULL;

	screen_open(*state);
	screen_reply("terminate", "{\"stillRunning\":true}");
	data = harness_ok(*state, "close", NULL);
	assert_string_equal(jx_get_str(json_object_get(data, "app"), "state", ""), "still-running");
	assert_non_null(strstr(jx_get_str(data, "message", ""), "demo still runs"));
	assert_non_null(strstr(jx_get_str(data, "message", ""), "--force"));
}

static void close_can_keep_the_app(void **state)
{
	screen_open(*state);
	assert_string_equal(screen_text(*state, "close", "{\"keepApp\":true}"),
	                    "Closed: default; demo runs on, as asked");
	assert_int_equal(screen_count("terminate"), 0);
	assert_int_equal(session_count(*state), 0);
}

static void an_app_that_can_not_be_asked_does_not_keep_the_session(void **state)
{
	auto_json json_t *data = NULL;

	screen_open(*state);
	screen_fail("terminate", "{\"code\":\"COMMAND_FAILED\",\"message\":\"no answer\"}");
	data = harness_ok(*state, "close", NULL);
	assert_string_equal(jx_get_str(json_object_get(data, "app"), "state", ""), "unknown");
	assert_non_null(strstr(jx_get_str(data, "message", ""), "not known: no answer"));
	assert_int_equal(session_count(*state), 0);
}

static void close_without_session_needs_an_app(void **state)
{
	assert_string_equal(harness_error(*state, "close", NULL), "SESSION_NOT_FOUND");
	screen_reply("terminate", "{\"stillRunning\":false}");
	assert_string_equal(screen_text(*state, "close", "{\"app\":\"demo\"}"), "demo ended");
	screen_fail("terminate", "{\"code\":\"APP_NOT_RUNNING\",\"message\":\"not running\"}");
	assert_string_equal(screen_text(*state, "close", "{\"app\":\"demo\"}"), "demo was not running");
	screen_fail("terminate", "{\"code\":\"COMMAND_FAILED\",\"message\":\"no answer\"}");
	assert_string_equal(harness_error(*state, "close", "{\"app\":\"demo\"}"), "COMMAND_FAILED");
}

static void commands_that_need_a_session_say_so(void **state)
{
	static const char *const commands[][2] = {
		{ "press", "{\"target\":\"1 2\"}" },
		{ "fill", "{\"target\":\"1 2\",\"text\":\"\"}" },
		{ "type", "{\"text\":\"a\"}" },
		{ "key", "{\"keys\":\"a\"}" },
		{ "scroll", "{\"direction\":\"down\"}" },
		{ "get", "{\"what\":\"text\",\"target\":\"@e1\"}" },
		{ "wait", "{\"ms\":1}" },
		{ "screenshot", NULL },
		{ "swipe", "{\"x1\":1,\"y1\":1,\"x2\":2,\"y2\":2}" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		auto_json json_t *error = screen_error(*state, commands[i][0], commands[i][1]);

		assert_string_equal(jx_get_str(error, "code", ""), "SESSION_NOT_FOUND");
		assert_non_null(strstr(jx_get_str(error, "hint", ""), "deft open"));
	}
}

static void devices_and_sessions_are_listed(void **state)
{
	assert_string_equal(screen_text(*state, "devices", "{}"),
	                    "linux::7  Scripted (linux desktop target=desktop) available");
	assert_string_equal(screen_text(*state, "session", "{}"), "No session is open.");
	screen_open(*state);
	assert_non_null(strstr(screen_text(*state, "devices", "{}"), ", session "));
	assert_string_equal(screen_text(*state, "session", "{}"),
	                    "* default  linux::7  Demo (demo), idle for 0 s");
}

static void apps_are_listed(void **state)
{
	screen_reply("apps", "{\"apps\":[{\"id\":\"demo\",\"name\":\"Demo\",\"running\":true,"
	                     "\"frontmost\":true},{\"id\":\"other\",\"name\":\"O\\nther\","
	                     "\"running\":false}]}");
	assert_string_equal(screen_text(*state, "apps", "{\"all\":true}"),
	                    "Demo (demo) running in front\nO ther (other)");
	assert_true(json_is_true(json_object_get(screen_request("apps", 0), "installed")));
	screen_reply("apps", "{\"apps\":[]}");
	assert_string_equal(screen_text(*state, "apps", "{}"), "No running programs found.");
	assert_true(json_is_false(json_object_get(screen_request("apps", 1), "installed")));
}

static void the_daemon_tells_of_itself(void **state)
{
	auto_json json_t *data = harness_ok(*state, "daemon", "{\"action\":\"status\"}");
	auto_free char *log = fs_join(harness_dir(*state), "daemon.log");

	assert_string_equal(jx_get_str(data, "state", ""), "running");
	assert_non_null(strstr(screen_text(*state, "daemon", "{}"), "running, pid "));
	assert_int_equal(fs_write(log, "one\ntwo\nthree\n", 14, 0600, NULL), 0);
	assert_string_equal(screen_text(*state, "daemon", "{\"action\":\"logs\",\"lines\":2}"),
	                    "two\nthree");
}

static void help_is_the_front_ends_own(void **state)
{
	assert_string_equal(harness_error(*state, "help", NULL), "INVALID_ARGS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(open_starts_the_app_and_the_session),
		CASE(a_running_app_is_raised_and_that_is_said),
		CASE(a_path_is_meant_from_where_the_caller_stands),
		CASE(a_failed_open_leaves_no_session_behind),
		CASE(open_ends_the_refs_of_the_app_before),
		CASE(names_that_are_no_programs_are_refused_before_a_session_opens),
		CASE(close_ends_app_and_session),
		CASE(a_wrong_name_does_not_cost_the_session),
		CASE(close_says_what_still_runs),
		CASE(close_can_keep_the_app),
		CASE(an_app_that_can_not_be_asked_does_not_keep_the_session),
		CASE(close_without_session_needs_an_app),
		CASE(commands_that_need_a_session_say_so),
		CASE(devices_and_sessions_are_listed),
		CASE(apps_are_listed),
		CASE(the_daemon_tells_of_itself),
		CASE(help_is_the_front_ends_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
