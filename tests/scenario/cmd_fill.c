/* fill and type: no success that was not read back, no text into what takes none, no secret told. */
#include "cmd_screen.h"

#include "base/buf.h"
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
	screen_open(*state);
	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 400 },
	            { 1, "text-field", "Name", "Ada", "e", 10, 10 },
	            { 1, "password-field", "Password", NULL, "ep", 10, 50 },
	            { 1, "text-view", "Notes", NULL, "em", 10, 90 },
	            { 1, "slider", "Volume", "30", "", 10, 130 },
	            { 1, "spin-button", "Copies", "3", "e", 10, 170 },
	            { 1, "button", "Save", NULL, "", 10, 210 },
	            { 1, "text-field", "Locked", "x", "er", 10, 250 });
	screen_reply("type", "{\"route\":\"editable-text\",\"verified\":true,\"text\":\"x\"}");
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static void a_verified_fill_is_a_success(void **state)
{
	const json_t *type;

	assert_string_equal(
	    screen_text(*state, "fill", "{\"target\":\"label=Name\",\"text\":\"W\u00fcnder\"}"),
	    "Filled [text-field] \"Name\" with 6 chars, read back");
	type = screen_request("type", 0);
	assert_string_equal(jx_get_str(type, "text", ""), "W\u00fcnder");
	assert_string_equal(jx_get_str(type, "textEntryMode", ""), "replace");
	assert_string_equal(jx_get_str(type, "nodeId", ""), "n1:Name");
	assert_null(json_object_get(type, "delayMs"));
}

static void text_goes_through_literally(void **state)
{
	static const char *const texts[] = { "$(touch x)",
		                                 "`date`",
		                                 "a'b\\\"c\\\\d",
		                                 "100%",
		                                 "%s",
		                                 "ada+test@example.test",
		                                 "it's",
		                                 "C:\\\\temp\\\\new",
		                                 "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
		                                 "e\xcc\x81" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char args[256];
		auto_json json_t *want = NULL;

		snprintf(args, sizeof(args), "{\"target\":\"label=Name\",\"text\":\"%s\"}", texts[i]);
		want = json_loads(args, 0, NULL);
		json_decref(harness_ok(*state, "fill", args));
		assert_string_equal(jx_get_str(screen_request("type", i), "text", ""),
		                    jx_get_str(want, "text", "?"));
	}
}

static void an_empty_text_clears(void **state)
{
	assert_string_equal(screen_text(*state, "fill", "{\"target\":\"label=Name\",\"text\":\"\"}"),
	                    "Filled [text-field] \"Name\" with 0 chars, read back");
	assert_string_equal(jx_get_str(screen_request("type", 0), "text", "?"), "");
}

static void what_was_not_read_back_is_called_unverified(void **state)
{
	auto_json json_t *data = NULL;

	screen_reply("type", "{\"route\":\"keys\",\"verified\":false}");
	data = harness_ok(*state, "fill", "{\"target\":\"label=Name\",\"text\":\"Bob\"}");
	assert_true(json_is_false(json_object_get(data, "verified")));
	assert_non_null(strstr(jx_get_str(data, "message", ""), "unverified"));
	assert_string_equal(jx_get_str(data, "route", ""), "keys");
}

static void another_text_in_the_field_is_an_error(void **state)
{
	auto_json json_t *error = NULL;

	screen_fail("type", "{\"code\":\"TEXT_ENTRY_MISMATCH\",\"message\":\"the field holds Farnce\","
	                    "\"details\":{\"expected\":\"France\",\"actual\":\"Farnce\"}}");
	error = screen_error(*state, "fill", "{\"target\":\"label=Name\",\"text\":\"France\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "TEXT_ENTRY_MISMATCH");
	assert_string_equal(jx_get_str(json_object_get(error, "details"), "actual", ""), "Farnce");
	assert_int_equal(screen_count("type"), 1);
}

static void what_takes_no_text_is_refused_before_anything_is_sent(void **state)
{
	static const struct {
		const char *args, *code, *says, *hint;
	} cases[] = {
		{ "{\"target\":\"label=Volume\",\"text\":\"40\"}", "INVALID_TARGET", "moved, not typed",
		  "deft adjust" },
		{ "{\"target\":\"label=Save\",\"text\":\"a\"}", "INVALID_TARGET", "no text field",
		  "snapshot" },
		{ "{\"target\":\"label=Locked\",\"text\":\"a\"}", "INVALID_TARGET", "read-only",
		  "deft get text" },
		{ "{\"target\":\"label=Name\",\"text\":\"a\\nb\"}", "INVALID_ARGS", "one line",
		  "deft key enter" },
		{ "{\"target\":\"300 300\",\"text\":\"a\"}", "INVALID_TARGET", "no text field", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_json json_t *error = screen_error(*state, "fill", cases[i].args);

		assert_string_equal(jx_get_str(error, "code", ""), cases[i].code);
		assert_non_null(strstr(jx_get_str(error, "message", ""), cases[i].says));
		assert_non_null(strstr(jx_get_str(error, "hint", ""), cases[i].hint));
		assert_int_equal(screen_count("type"), 0);
	}
}

static void a_text_view_takes_lines(void **state)
{
	json_decref(harness_ok(*state, "fill", "{\"target\":\"label=Notes\",\"text\":\"a\\nb\"}"));
	assert_string_equal(jx_get_str(screen_request("type", 0), "text", ""), "a\nb");
}

static void a_point_means_the_field_that_lies_there(void **state)
{
	json_decref(harness_ok(*state, "fill", "{\"target\":\"20 15\",\"text\":\"a\"}"));
	assert_string_equal(jx_get_str(screen_request("type", 0), "nodeId", ""), "n1:Name");
}

static void assert_nowhere(const char *dir, const char *file, const char *secret)
{
	auto_free char *path = fs_join(dir, file);
	auto_buf struct buf text;

	buf_init(&text, 1 << 20);
	if (fs_read(path, text.max, &text, NULL) == 0 && strstr(text.data, secret))
		fail_msg("%s holds the secret", path);
}

static void a_secret_is_told_by_its_length_only(void **state)
{
	auto_json json_t *response = NULL;
	auto_free char *text = NULL;

	screen_reply("type", "{\"route\":\"editable-text\",\"verified\":true,\"secret\":true}");
	response = harness_call(
	    *state,
	    &(struct harness_call){ .command = "fill",
	                            .args = "{\"target\":\"label=Password\",\"text\":\"S3cr&t\"}",
	                            .output = "text",
	                            .debug = true });
	text = json_dumps(response, 0);
	assert_null(strstr(text, "S3cr&t"));
	assert_non_null(strstr(text, "with 6 chars"));
	assert_non_null(strstr(text, "only its length"));
	assert_nowhere(harness_dir(*state), "daemon.log", "S3cr&t");
	assert_nowhere(harness_dir(*state), "events.ndjson", "S3cr&t");
}

static void a_spin_button_must_have_taken_the_value(void **state)
{
	auto_json json_t *data = NULL;
	auto_json json_t *error = NULL;

	screen_reply("readControl", "{\"value\":7}");
	data = harness_ok(*state, "fill", "{\"target\":\"label=Copies\",\"text\":\"7\"}");
	assert_true(jx_get_num(data, "value", 0) == 7);
	screen_reply("readControl", "{\"value\":3}");
	error = screen_error(*state, "fill", "{\"target\":\"label=Copies\",\"text\":\"7\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "TEXT_ENTRY_MISMATCH");
	assert_string_equal(screen_reason(error), "value_not_taken");
	assert_true(jx_get_num(json_object_get(error, "details"), "actual", 0) == 3);
}

static void type_appends_where_the_focus_is(void **state)
{
	assert_string_equal(screen_text(*state, "type", "{\"text\":\"abc\",\"delayMs\":5}"),
	                    "Typed 3 chars, read back");
	assert_string_equal(jx_get_str(screen_request("type", 0), "textEntryMode", ""), "append");
	assert_int_equal(jx_get_int(screen_request("type", 0), "delayMs", 0), 5);
	assert_null(json_object_get(screen_request("type", 0), "nodeId"));
}

static void type_refuses_text_that_begins_with_a_ref(void **state)
{
	static const char *const refused[] = { "{\"text\":\"@e3 hello\"}", "{\"text\":\"@e3\"}",
		                                   "{\"text\":\"@e12~s5 x\"}" };
	static const char *const typed[] = { "{\"text\":\"@e3x\"}", "{\"text\":\"@everyone\"}",
		                                 "{\"text\":\"a @e3\"}", "{\"text\":\"@e3~x\"}" };

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		auto_json json_t *error = screen_error(*state, "type", refused[i]);

		assert_string_equal(jx_get_str(error, "code", ""), "INVALID_ARGS");
		assert_non_null(strstr(jx_get_str(error, "hint", ""), "deft fill"));
	}
	assert_int_equal(screen_count("type"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(typed); i++)
		json_decref(harness_ok(*state, "type", typed[i]));
	assert_int_equal(screen_count("type"), ARRAY_SIZE(typed));
}

static void a_hundred_thousand_characters_are_entered(void **state)
{
	size_t n = 100000;
	auto_free char *args = malloc(n + 64);
	auto_json json_t *data = NULL;
	int head = snprintf(args, 64, "{\"target\":\"label=Name\",\"text\":\"");

	memset(args + head, 'x', n);
	memcpy(args + (size_t)head + n, "\"}", 3);
	data = harness_ok(*state, "fill", args);
	assert_int_equal(jx_get_int(data, "chars", 0), n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_verified_fill_is_a_success),
		CASE(text_goes_through_literally),
		CASE(an_empty_text_clears),
		CASE(what_was_not_read_back_is_called_unverified),
		CASE(another_text_in_the_field_is_an_error),
		CASE(what_takes_no_text_is_refused_before_anything_is_sent),
		CASE(a_text_view_takes_lines),
		CASE(a_point_means_the_field_that_lies_there),
		CASE(a_secret_is_told_by_its_length_only),
		CASE(a_spin_button_must_have_taken_the_value),
		CASE(type_appends_where_the_focus_is),
		CASE(type_refuses_text_that_begins_with_a_ref),
		CASE(a_hundred_thousand_characters_are_entered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
