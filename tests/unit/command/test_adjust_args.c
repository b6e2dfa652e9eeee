/* Arguments of adjust_control: what is refused before any device is asked, however lenient the front end
 * is. The named cases are those of the specification. */
#include "command/spec.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *id, *args, *says; /* says NULL: accepted */
} cases[] = {
	{ "C16", "{\"selector\":\"id=a\"}", "needs targetValue" },
	{ "C17", "{\"selector\":\"id=a\",\"targetValue\":\"30\"}",
	  "targetValue: \"30\" is not a number" },
	{ "C20", "{\"selector\":\"id=a\",\"targetValue\":null}", "needs targetValue" },
	{ "C20", "{\"selector\":\"id=a\",\"targetValue\":true}", "targetValue: true is not a number" },
	{ "C20", "{\"selector\":\"id=a\",\"targetValue\":[30]}", "targetValue: [30] is not a number" },
	{ "T01", "{\"selector\":\"id=a\",\"targetValue\":1,\"tolerance\":-1}",
	  "tolerance: -1 is out of" },
	{ "T02", "{\"selector\":\"id=a\",\"targetValue\":1,\"tolerance\":\"0.5\"}",
	  "tolerance: \"0.5\" is not a number" },
	{ "M01", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":0}",
	  "maxAttempts: 0 is out of" },
	{ "M02", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":-3}",
	  "maxAttempts: -3 is out of" },
	{ "M03", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":2.7}",
	  "maxAttempts: 2.7 is not a whole number" },
	{ "M06", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":\"3\"}",
	  "maxAttempts: \"3\" is not a whole number" },
	{ "M07", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":null}", NULL },
	{ "M05", "{\"selector\":\"id=a\",\"targetValue\":1,\"maxAttempts\":2147483648}", NULL },
	{ "C30", "{\"selector\":\"id=a\",\"targetValue\":1,\"force\":true}", NULL },
	{ "C15", "{\"selector\":\"id=a\",\"targetValue\":1,\"property\":\"\"}", NULL },
	{ "C08", "{\"element_id\":\"\",\"targetValue\":1}", NULL },
};

static void wrong_arguments_are_refused(void **state)
{
	const struct cmd_spec *spec = cmd_spec_find("adjust_control");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		for (int lenient = 0; lenient < 2; lenient++) {
			auto_error struct error e = ERROR_INIT;
			auto_json json_t *args = json_loads(cases[i].args, 0, NULL);
			int r = cmd_check_args(spec, args, lenient, &e);

			if (!cases[i].says && r < 0)
				fail_msg("%s is refused: %s", cases[i].id, e.message);
			if (cases[i].says && r != -ERR_INVALID_ARGS)
				fail_msg("%s is accepted", cases[i].id);
			if (cases[i].says && !strstr(e.message, cases[i].says))
				fail_msg("%s: %s", cases[i].id, e.message);
			if (r == 0 && strcmp(cases[i].id, "M07") == 0)
				assert_int_equal(jx_get_int(args, "maxAttempts", 0), 5);
		}
	}
}

/* C18, C19, T03: what is no finite number is no JSON, so it never becomes an argument. */
static void no_json_holds_what_is_no_number(void **state)
{
	static const char *const texts[] = { "{\"targetValue\":1e400}", "{\"targetValue\":NaN}",
		                                 "{\"targetValue\":Infinity}", "{\"tolerance\":1e400}" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		auto_error struct error e = ERROR_INIT;

		assert_null(jx_parse(texts[i], strlen(texts[i]), &e));
		assert_int_equal(e.code, ERR_INVALID_ARGS);
	}
}

/* The contract names its parameters; a schema must have them all and no others besides the device's. */
static void the_tool_has_the_specified_parameters(void **state)
{
	static const char *const own[] = { "selector",    "element_id", "property",
		                               "targetValue", "tolerance",  "maxAttempts" };
	static const char *const device[] = { "session", "platform", "device", "timeout" };
	const struct cmd_spec *spec = cmd_spec_find("adjust_control");
	auto_json json_t *schema = cmd_schema(spec);
	json_t *props = json_object_get(schema, "properties");

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		assert_non_null(json_object_get(props, own[i]));
	for (size_t i = 0; i < ARRAY_SIZE(device); i++)
		assert_non_null(json_object_get(props, device[i]));
	assert_int_equal(json_object_size(props), ARRAY_SIZE(own) + ARRAY_SIZE(device));
	assert_int_equal(spec->exposure, CMD_MCP);
}

static int parse_line(const char *target, const char *value, json_t **ret_args)
{
	const char *const argv[] = { target, value };
	auto_json json_t *globals = NULL;

	return cmd_parse_argv(cmd_spec_find("adjust"), 2, argv, ret_args, &globals, NULL);
}

static void the_command_line_takes_plain_numbers(void **state)
{
	static const char *const wrong[] = { "abc", "",    "50%",  "0,5",  "1e400",
		                                 "nan", "inf", "0x10", " 5 %", "100%" };
	auto_json json_t *args = NULL;

	assert_int_equal(parse_line("id=a", "-0.5", &args), 0);
	assert_true(jx_get_num(args, "value", 0) == -0.5);
	assert_int_equal(jx_get_int(args, "maxAttempts", 0), 5);
	assert_null(json_object_get(args, "tolerance"));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		auto_json json_t *none = NULL;

		if (parse_line("id=a", wrong[i], &none) != -ERR_INVALID_ARGS)
			fail_msg("%s is accepted", wrong[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_arguments_are_refused),
		cmocka_unit_test(no_json_holds_what_is_no_number),
		cmocka_unit_test(the_tool_has_the_specified_parameters),
		cmocka_unit_test(the_command_line_takes_plain_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
