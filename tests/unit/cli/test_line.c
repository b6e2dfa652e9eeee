/* argv to a command line understood. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "cli/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define COUNT(...) ((int)(sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)))
#define PARSE(l, e, ...) cli_line_parse(COUNT(__VA_ARGS__), ARGS(__VA_ARGS__), l, e)

static void global_flags_stand_anywhere(void **state)
{
	struct cli_line l;
	assert_int_equal(PARSE(&l, NULL, "--session", "a", "--json", "press", "@e1", "--device=d"), 0);
	assert_int_equal(l.ask, CLI_ASK_COMMAND);
	assert_string_equal(l.spec->name, "press");
	assert_string_equal(jx_get_str(l.globals, "session", ""), "a");
	assert_string_equal(jx_get_str(l.globals, "device", ""), "d");
	assert_true(jx_get_bool(l.globals, "json", false));
	assert_string_equal(jx_get_str(l.args, "target", ""), "@e1");
	cli_line_done(&l);
}

/* agent surface 12.4, quirk 12 */
static void mcp_may_follow_global_flags(void **state)
{
	struct cli_line l;
	assert_int_equal(PARSE(&l, NULL, "--session", "a", "mcp"), 0);
	assert_string_equal(l.spec->name, "mcp");
	assert_string_equal(jx_get_str(l.globals, "session", ""), "a");
	cli_line_done(&l);
}

static void aliases_mean_their_command(void **state)
{
	struct cli_line l;
	assert_int_equal(PARSE(&l, NULL, "click", "@e1"), 0);
	assert_string_equal(l.spec->name, "press");
	cli_line_done(&l);
}

static void check_ask(enum cli_ask want, const char *command, int argc, const char *const *argv)
{
	struct cli_line l;
	assert_int_equal(cli_line_parse(argc, argv, &l, NULL), 0);
	assert_int_equal(l.ask, want);
	if (command)
		assert_string_equal(l.spec->name, command);
	else
		assert_null(l.spec);
	cli_line_done(&l);
}

static void help_and_version_are_seen(void **state)
{
	check_ask(CLI_ASK_NOTHING, NULL, 0, ARGS("x"));
	check_ask(CLI_ASK_NOTHING, NULL, 1, ARGS("--json"));
	check_ask(CLI_ASK_HELP, NULL, 1, ARGS("--help"));
	check_ask(CLI_ASK_HELP, NULL, 1, ARGS("-h"));
	check_ask(CLI_ASK_HELP, "press", 2, ARGS("press", "--help"));
	check_ask(CLI_ASK_HELP, "press", 2, ARGS("--help", "press"));
	check_ask(CLI_ASK_VERSION, NULL, 1, ARGS("-V"));
	check_ask(CLI_ASK_VERSION, NULL, 2, ARGS("--json", "--version"));
	check_ask(CLI_ASK_VERSION, NULL, 2, ARGS("--version", "press"));
}

static void check_error(int code, const char *hint, int argc, const char *const *argv)
{
	auto_error struct error e = ERROR_INIT;
	struct cli_line l;
	assert_int_equal(cli_line_parse(argc, argv, &l, &e), -code);
	if (hint)
		assert_non_null(strstr(error_hint_text(&e), hint));
}

static void wrong_lines_get_the_nearest_name(void **state)
{
	check_error(ERR_UNKNOWN_COMMAND, "deft press", 1, ARGS("pres"));
	check_error(ERR_UNKNOWN_COMMAND, "deft click", 2, ARGS("--json", "clik"));
	check_error(ERR_UNKNOWN_COMMAND, "deft help", 1, ARGS("frobnicate"));
	check_error(ERR_INVALID_ARGS, "--count", 3, ARGS("press", "@e1", "--cuont=2"));
	check_error(ERR_INVALID_ARGS, NULL, 1, ARGS("--bogus"));
	check_error(ERR_INVALID_ARGS, NULL, 1, ARGS("press"));
	check_error(ERR_INVALID_ARGS, NULL, 3, ARGS("press", "@e1", "--count"));
	check_error(ERR_INVALID_ARGS, NULL, 2, ARGS("press", "--version"));
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	check_error(ERR_INVALID_ARGS, "nothing was sent", 2, ARGS("press", "a\xff"));
	check_error(ERR_INVALID_ARGS, "nothing was sent", 1, ARGS("\xc3"));
	check_error(ERR_INVALID_ARGS, "nothing was sent", 2, ARGS("press", "\xed\xa0\x80"));
}

static void paths_come_out_absolute(void **state)
{
	auto_free char *cwd = getcwd(NULL, 0);
	struct cli_line l;
	assert_int_equal(PARSE(&l, NULL, "screenshot", "a/b.png"), 0);
	const char *path = jx_get_str(l.args, "path", "");
	assert_int_equal(strncmp(path, cwd, strlen(cwd)), 0);
	assert_string_equal(path + strlen(cwd), "/a/b.png");
	cli_line_done(&l);
	assert_int_equal(PARSE(&l, NULL, "screenshot", "/a/b.png"), 0);
	assert_string_equal(jx_get_str(l.args, "path", ""), "/a/b.png");
	cli_line_done(&l);
}

static void json_is_seen_in_lines_that_fail(void **state)
{
	assert_true(cli_line_wants_json(3, ARGS("pres", "--json", "x")));
	assert_false(cli_line_wants_json(3, ARGS("press", "--", "--json")));
	assert_false(cli_line_wants_json(2, ARGS("press", "--jso")));
	assert_false(cli_line_wants_json(-1, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(global_flags_stand_anywhere),
		cmocka_unit_test(mcp_may_follow_global_flags),
		cmocka_unit_test(aliases_mean_their_command),
		cmocka_unit_test(help_and_version_are_seen),
		cmocka_unit_test(wrong_lines_get_the_nearest_name),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		cmocka_unit_test(paths_come_out_absolute),
		cmocka_unit_test(json_is_seen_in_lines_that_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
