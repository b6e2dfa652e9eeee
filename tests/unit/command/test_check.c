#include "command/spec.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct check_case {
	const char *command, *args;
	bool lenient;
	const char *want; /* the args afterwards; NULL: refused */
	const char *says; /* part of message or hint */
};

static const struct check_case cases[] = {
	/* defaults, null, integral reals */
	{ "key", "{\"keys\":\"ctrl+a\"}", false, "{\"keys\":\"ctrl+a\"}" },
	{ "longpress", "{\"target\":\"@e1\",\"durationMs\":null}", false,
	  "{\"target\":\"@e1\",\"durationMs\":800}" },
	{ "longpress", "{\"target\":\"@e1\",\"durationMs\":900.0}", false,
	  "{\"target\":\"@e1\",\"durationMs\":900}" },
	/* numbers and booleans as strings: only where clients are known to send them */
	{ "longpress", "{\"target\":\"@e1\",\"durationMs\":\"900\"}", true,
	  "{\"target\":\"@e1\",\"durationMs\":900}" },
	{ "longpress", "{\"target\":\"@e1\",\"durationMs\":\"900\"}", false, NULL,
	  "durationMs: \"900\" is not a whole number (1..10000 ms)" },
	{ "snapshot", "{\"raw\":\"false\",\"depth\":\"3\"}", true, "{\"raw\":false,\"depth\":3}" },
	{ "snapshot", "{\"raw\":\"false\"}", false, NULL, "not true or false" },
	{ "snapshot", "{\"raw\":\"yes\"}", true, NULL, "raw: \"yes\" is not true or false" },
	{ "snapshot", "{\"raw\":1}", true, NULL, "raw: 1 is not true or false" },
	{ "open", "{\"app\":\"a\",\"args\":\"one\"}", true, "{\"app\":\"a\",\"args\":[\"one\"]}" },
	{ "open", "{\"app\":\"a\",\"args\":\"one\"}", false, NULL, "args: \"one\" is not a list" },
	{ "open", "{\"app\":\"a\",\"args\":[1]}", true, NULL, "is no string of the list" },
	/* texts */
	{ "fill", "{\"target\":\"@e1\",\"text\":\"\"}", false, "{\"target\":\"@e1\",\"text\":\"\"}" },
	{ "fill", "{\"target\":\"@e1\"}", false, NULL, "`fill` needs text" },
	{ "fill", "{\"target\":\"\",\"text\":\"a\"}", false, NULL, "target: \"\" is empty" },
	{ "fill", "{\"target\":\"@e1\",\"text\":12}", true, NULL, "text: 12 is not text" },
	{ "fill", "{\"target\":\"@e1\",\"text\":\"a\\u0000b\"}", true, NULL, "NUL" },
	{ "type", "{\"text\":\"\"}", true, NULL, "text: \"\" is empty" },
	/* unknown names */
	{ "press", "{\"taget\":\"@e1\"}", true, NULL, "did you mean \"target\"?" },
	{ "press", "{\"target\":\"@e1\",\"wobble\":1}", true, NULL,
	  "`press` has no parameter \"wobble\"" },
	{ "press", "{\"target\":\"@e1\",\"button\":\"primry\"}", true, NULL,
	  "did you mean \"primary\"?" },
	/* ranges at both ends */
	{ "press", "{\"target\":\"@e1\",\"count\":200,\"holdMs\":10000}", false,
	  "{\"target\":\"@e1\",\"count\":200,\"holdMs\":10000,\"intervalMs\":0,\"jitterPx\":0,"
	  "\"button\":\"primary\"}" },
	{ "press", "{\"target\":\"@e1\",\"count\":201}", false, NULL, "count: 201 is out of range" },
	{ "press", "{\"target\":\"@e1\",\"count\":0}", false, NULL,
	  "count: 0 is out of range (1..200)" },
	{ "press", "{\"target\":\"@e1\",\"count\":1e30}", false, NULL, "not a whole number" },
	{ "scroll", "{\"direction\":\"down\",\"amount\":\"NaN\"}", true, NULL, "not a number" },
};

static void arguments_are_checked_and_completed(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct check_case *c = &cases[i];
		auto_error struct error e = ERROR_INIT;
		auto_json json_t *args = json_loads(c->args, JSON_ALLOW_NUL, NULL);
		auto_json json_t *want = c->want ? json_loads(c->want, 0, NULL) : NULL;
		int r = cmd_check_args(cmd_spec_find(c->command), args, c->lenient, &e);

		assert_non_null(args);
		if (c->want && (r < 0 || !json_equal(args, want)))
			fail_msg("%s %s gave %s %s", c->command, c->args, json_dumps(args, 0),
			         e.message ? e.message : "");
		if (c->want)
			continue;
		assert_int_equal(r, -ERR_INVALID_ARGS);
		if (!strstr(e.message, c->says) && !strstr(error_hint_text(&e), c->says))
			fail_msg("%s %s: \"%s\", hint \"%s\"", c->command, c->args, e.message,
			         error_hint_text(&e));
	}
}

static void a_refusal_names_parameter_value_and_range(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = json_pack("{s:s,s:i}", "target", "@e1", "count", 300);

	assert_int_equal(cmd_check_args(cmd_spec_find("press"), args, false, &e), -ERR_INVALID_ARGS);
	assert_string_equal(jx_get_str(e.details, "parameter", ""), "count");
	assert_string_equal(jx_get_str(e.details, "value", ""), "300");
	assert_string_equal(jx_get_str(e.details, "allowed", ""), "1..200");
}

static void arguments_that_are_no_object_are_refused(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = json_array();

	assert_int_equal(cmd_check_args(cmd_spec_find("press"), args, true, &e), -ERR_INVALID_ARGS);
}

static void global_parameters_are_taken_out_of_flat_arguments(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args =
	    json_pack("{s:s,s:s,s:s}", "target", "@e1", "session", "work", "timeout", "500");
	auto_json json_t *globals = NULL;

	assert_int_equal(cmd_take_globals(cmd_spec_find("press"), args, true, &globals, &e), 0);
	assert_string_equal(jx_get_str(globals, "session", ""), "work");
	assert_int_equal(jx_get_int(globals, "timeout", 0), 500);
	assert_int_equal(json_object_size(args), 1);
}

static void a_commands_own_parameter_wins_over_the_global_one(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = json_pack("{s:s,s:i}", "text", "Done", "timeout", 500);
	auto_json json_t *globals = NULL;

	assert_int_equal(cmd_take_globals(cmd_spec_find("wait"), args, true, &globals, &e), 0);
	assert_int_equal(json_object_size(globals), 0);
	assert_int_equal(jx_get_int(args, "timeout", 0), 500);
}

static void parameters_of_the_command_line_are_no_globals_of_mcp(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = json_pack("{s:s,s:s}", "keys", "a", "stateDir", "/x");
	auto_json json_t *globals = NULL;

	assert_int_equal(cmd_take_globals(cmd_spec_find("key"), args, true, &globals, &e), 0);
	assert_int_equal(cmd_check_args(cmd_spec_find("key"), args, true, &e), -ERR_INVALID_ARGS);
	assert_non_null(strstr(e.message, "stateDir"));
}

static void a_bad_global_is_refused(void **state)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = json_pack("{s:s}", "platform", "windows");
	json_t *globals = NULL;

	assert_int_equal(cmd_take_globals(cmd_spec_find("devices"), args, true, &globals, &e),
	                 -ERR_INVALID_ARGS);
	assert_null(globals);
}

static void the_nearest_name_is_found_or_none(void **state)
{
	static const struct {
		const char *word, *near;
	} words[] = {
		{ "prss", "press" },
		{ "presss", "press" },
		{ "snapshto", "snapshot" },
		{ "PRESS", "press" },
		{ "snap", "snapshot" },
		{ "screenshoot", "screenshot" },
		{ "clik", "click" },
		{ "opne", "open" },
		{ "ge", "get" },
		{ "zzzzzzz", NULL },
		{ "", NULL },
		{ "x", NULL },
		{ "completition", "completion" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *near = cmd_nearest_command(words[i].word);

		if (words[i].near ? !near || strcmp(near, words[i].near) : near != NULL)
			fail_msg("%s: %s", words[i].word, near ? near : "(none)");
	}
}

static void long_words_are_near_to_nothing(void **state)
{
	char word[5000];

	memset(word, 'p', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(cmd_nearest_command(word));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_checked_and_completed),
		cmocka_unit_test(a_refusal_names_parameter_value_and_range),
		cmocka_unit_test(arguments_that_are_no_object_are_refused),
		cmocka_unit_test(global_parameters_are_taken_out_of_flat_arguments),
		cmocka_unit_test(a_commands_own_parameter_wins_over_the_global_one),
		cmocka_unit_test(parameters_of_the_command_line_are_no_globals_of_mcp),
		cmocka_unit_test(a_bad_global_is_refused),
		cmocka_unit_test(the_nearest_name_is_found_or_none),
		cmocka_unit_test(long_words_are_near_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
