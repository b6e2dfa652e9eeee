#include "command/spec.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A command line, and the args and globals it gives, or the code and a part of the message or hint
 * of its refusal. */
struct line_case {
	const char *line;
	const char *args, *globals;
	const char *says;
};

static const struct line_case accepted[] = {
	{ "deft press @e3",
	  "{\"target\":\"@e3\",\"count\":1,\"intervalMs\":0,\"holdMs\":0,\"jitterPx\":0,"
	  "\"button\":\"primary\"}" },
	{ "deft swipe -5 -0.5 300 -200 --count=3",
	  "{\"count\":3,\"x1\":-5,\"y1\":-0.5,\"x2\":300,\"y2\":-200,\"durationMs\":250,\"pauseMs\":0,"
	  "\"pattern\":\"one-way\"}" },
	{ "deft snapshot -i -d 2 -s Products",
	  "{\"interactive\":true,\"depth\":2,\"scope\":\"Products\"}" },
	{ "deft snapshot -id2", "{\"interactive\":true,\"depth\":2}" },
	{ "deft snapshot -isList", "{\"interactive\":true,\"scope\":\"List\"}" },
	{ "deft snapshot --raw --raw", "{\"raw\":true}" },
	{ "deft fill 10 20 hello", "{\"target\":\"10 20\",\"text\":\"hello\"}" },
	{ "deft fill @e3 \"\"", "{\"target\":\"@e3\",\"text\":\"\"}" },
	{ "deft fill label=Sum a=b", "{\"target\":\"label=Sum\",\"text\":\"a=b\"}" },
	{ "deft fill @e3 -- -x", "{\"target\":\"@e3\",\"text\":\"-x\"}" },
	{ "deft fill @e3 -12.5", "{\"target\":\"@e3\",\"text\":\"-12.5\"}" },
	{ "deft longpress 'label=\"a b\"' 900",
	  "{\"target\":\"label=\\\"a b\\\"\",\"durationMs\":900}" },
	{ "deft longpress 10 20 900", "{\"target\":\"10 20\",\"durationMs\":900}" },
	{ "deft longpress label=a role=b 900", "{\"target\":\"label=a role=b\",\"durationMs\":900}" },
	{ "deft drag 1 2 3 4", "{\"from\":\"1 2\",\"to\":\"3 4\",\"durationMs\":500}" },
	{ "deft drag @e1 30 -4", "{\"from\":\"@e1\",\"to\":\"30 -4\",\"durationMs\":500}" },
	{ "deft type hello world", "{\"text\":\"hello world\"}" },
	{ "deft type --delay-ms 5 -- --not-a-flag", "{\"delayMs\":5,\"text\":\"--not-a-flag\"}" },
	{ "deft wait text Order placed 5000",
	  "{\"condition\":[\"text\",\"Order\",\"placed\",\"5000\"],\"quietMs\":500}" },
	{ "deft scroll down 0.4 --target=@e2",
	  "{\"target\":\"@e2\",\"direction\":\"down\",\"amount\":0.4}" },
	{ "deft open app -- --flag -x", "{\"app\":\"app\",\"args\":[\"--flag\",\"-x\"]}" },
	{ "deft session", "{\"action\":\"list\"}" },
	{ "deft press @e3 --session work --json --timeout 500 --platform virtual --color never",
	  "{\"target\":\"@e3\",\"count\":1,\"intervalMs\":0,\"holdMs\":0,\"jitterPx\":0,"
	  "\"button\":\"primary\"}",
	  "{\"session\":\"work\",\"json\":true,\"timeout\":500,\"platform\":\"virtual\","
	  "\"color\":\"never\"}" },
	{ "deft wait stable --timeout 700",
	  "{\"timeout\":700,\"condition\":[\"stable\"],\"quietMs\":500}", "{}" },
	{ "deft press --help", "{}", "{\"help\":true}" },
	{ "deft press -h", "{}", "{\"help\":true}" },
};

static const struct line_case refused[] = {
	{ "deft press", .says = "`press` needs target" },
	{ "deft press @e3 extra words", .says = "no use for \"extra\"" },
	{ "deft press @e3 --cuont 3", .says = "did you mean --count?" },
	{ "deft press @e3 --jsno", .says = "did you mean --json?" },
	{ "deft press @e3 --delay-ms 3", .says = "flag of `fill`, `type`" },
	{ "deft press @e3 --zzzzzz", .says = "deft help press" },
	{ "deft press @e3 -x", .says = "unknown flag -x" },
	{ "deft press @e3 --count", .says = "--count needs a value" },
	{ "deft press @e3 --count --json", .says = "--count=--json" },
	{ "deft press @e3 --count 0", .says = "count: 0 is out of range (1..200)" },
	{ "deft press @e3 --count 201", .says = "count: 201 is out of range (1..200)" },
	{ "deft press @e3 --count 1.5", .says = "count: \"1.5\" is not a whole number" },
	{ "deft press @e3 --count many", .says = "count: \"many\" is not a whole number" },
	{ "deft press @e3 --count 1 --count 2", .says = "count is given twice" },
	{ "deft press @e3 --hold-ms 20000", .says = "0..10000 ms" },
	{ "deft press @e3 --json=yes", .says = "--json takes no value" },
	{ "deft press @e3 --double-tap=true", .says = "--double-tap takes no value" },
	{ "deft press @e3 --platform windows", .says = "linux|virtual|android|ios" },
	{ "deft press @e3 --timeout 0", .says = "timeout: 0 is out of range" },
	{ "deft swipe 1 2 3 4 5", .says = "16..10000 ms" },
	{ "deft swipe 1 2 three 4", .says = "x2: \"three\" is not a number" },
	{ "deft swipe 1 2 3 inf", .says = "not a number" },
	{ "deft snapshot -d -1", .says = "depth: -1 is out of range" },
	{ "deft snapshot -s", .says = "--scope needs a value" },
	{ "deft scroll dwon", .says = "did you mean \"down\"?" },
	{ "deft scroll down --pixels 0", .says = "1..100000 px" },
	{ "deft fill @e1", .says = "`fill` needs text" },
	{ "deft type \"\"", .says = "text: \"\" is empty" },
	{ "deft get attrs", .says = "`get` needs target" },
	{ "deft completion tcsh", .says = "bash|zsh|fish" },
	{ "deft screenshot --name x.png", .says = "unknown flag --name" },
};

static int parse(const char *line, struct words *w, json_t **args, json_t **globals,
                 struct error *e)
{
	const struct cmd_spec *spec;

	words_split(line, w);
	spec = cmd_spec_find(w->argv[0]);
	assert_non_null(spec);
	return cmd_parse_argv(spec, w->argc - 1, w->argv + 1, args, globals, e);
}

static void lines_give_their_arguments(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++) {
		const struct line_case *c = &accepted[i];
		auto_error struct error e = ERROR_INIT;
		auto_json json_t *args = NULL;
		auto_json json_t *globals = NULL;
		auto_json json_t *want_args = json_loads(c->args, 0, NULL);
		auto_json json_t *want_globals = json_loads(c->globals ? c->globals : "{}", 0, NULL);
		struct words w;

		assert_non_null(want_args);
		assert_non_null(want_globals);
		if (parse(c->line, &w, &args, &globals, &e) < 0)
			fail_msg("%s: %s", c->line, e.message);
		/* 300 given for a CMD_NUMBER is an integer in JSON; 3 == 3 holds then, 3 == 3.0 does not. */
		if (!json_equal(args, want_args))
			fail_msg("%s gave %s", c->line, json_dumps(args, 0));
		if (!json_equal(globals, want_globals))
			fail_msg("%s gave globals %s", c->line, json_dumps(globals, 0));
	}
}

static void wrong_lines_are_refused_with_the_next_step(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const struct line_case *c = &refused[i];
		auto_error struct error e = ERROR_INIT;
		json_t *args = NULL, *globals = NULL;
		struct words w;

		if (parse(c->line, &w, &args, &globals, &e) >= 0)
			fail_msg("%s was accepted: %s", c->line, json_dumps(args, 0));
		assert_int_equal(e.code, ERR_INVALID_ARGS);
		assert_null(args);
		assert_null(globals);
		if (!strstr(e.message, c->says) && !strstr(error_hint_text(&e), c->says))
			fail_msg("%s: \"%s\", hint \"%s\"", c->line, e.message, error_hint_text(&e));
	}
}

static void text_that_is_not_utf8_is_refused(void **state)
{
	const char *const argv[] = { "@e3", "a\xff"
		                                "b" };
	auto_error struct error e = ERROR_INIT;
	json_t *args = NULL, *globals = NULL;

	assert_int_equal(cmd_parse_argv(cmd_spec_find("fill"), 2, argv, &args, &globals, &e),
	                 -ERR_INVALID_ARGS);
	assert_non_null(strstr(e.message, "UTF-8"));
}

static void too_many_words_are_refused(void **state)
{
	static const char *argv[5000];
	auto_error struct error e = ERROR_INIT;
	json_t *args = NULL, *globals = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(argv); i++)
		argv[i] = "x";
	assert_int_equal(cmd_parse_argv(cmd_spec_find("type"), 5000, argv, &args, &globals, &e),
	                 -ERR_LIMIT_EXCEEDED);
}

static void the_command_is_the_first_word_that_is_no_global_flag(void **state)
{
	static const struct {
		const char *line;
		int at;
	} cases[] = {
		{ "deft press @e3", 0 },
		{ "deft --json press", 1 },
		{ "deft --session work press", 2 },
		{ "deft --session=work press", 1 },
		{ "deft --color never -h press @e3", 3 },
		{ "deft --json", 1 },
		{ "deft --session", 1 },
		{ "deft", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct words w;
		int at;

		words_split(cases[i].line, &w);
		at = cmd_argv_command(w.argc, w.argv);
		if (at < w.argc ? at != cases[i].at : w.argc < cases[i].at)
			fail_msg("%s: %d", cases[i].line, at);
	}
}

static void the_deadline_grows_to_a_waits_budget(void **state)
{
	static const struct {
		const char *line;
		long ms;
	} cases[] = {
		{ "deft press @e3", 90000 },
		{ "deft press @e3 --timeout 1234", 1234 },
		{ "deft wait 500", 90000 },
		{ "deft wait 180000", 185000 },
		{ "deft wait text Done 180000", 185000 },
		{ "deft wait text Done --timeout 200000", 205000 },
		{ "deft wait --ms 100000", 105000 },
		{ "deft wait text Order 17", 90000 },
		{ "deft wait 595000", 600000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_error struct error e = ERROR_INIT;
		auto_json json_t *args = NULL;
		auto_json json_t *globals = NULL;
		struct words w;

		assert_int_equal(parse(cases[i].line, &w, &args, &globals, &e), 0);
		assert_int_equal(cmd_deadline_ms(cmd_spec_find(w.argv[0]), args, globals), cases[i].ms);
	}
	assert_int_equal(cmd_deadline_ms(cmd_spec_find("press"), NULL, NULL), 90000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_give_their_arguments),
		cmocka_unit_test(wrong_lines_are_refused_with_the_next_step),
		cmocka_unit_test(text_that_is_not_utf8_is_refused),
		cmocka_unit_test(too_many_words_are_refused),
		cmocka_unit_test(the_command_is_the_first_word_that_is_no_global_flag),
		cmocka_unit_test(the_deadline_grows_to_a_waits_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
