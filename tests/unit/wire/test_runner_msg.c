#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/runner_msg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PREFIX "runner command payload is invalid: "

static struct wire_request parsed(const char *body)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_request r;

	if (wire_request_parse(body, strlen(body), &r, &e) < 0)
		fail_msg("%s", e.message);
	return r;
}

static void assert_refused(const char *body, const char *part)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_request r = { .text = "untouched" };

	assert_int_equal(wire_request_parse(body, strlen(body), &r, &e), -ERR_INVALID_ARGS);
	assert_int_equal(e.code, ERR_INVALID_ARGS);
	assert_true(strncmp(e.message, PREFIX, strlen(PREFIX)) == 0);
	if (!strstr(e.message, part))
		fail_msg("\"%s\" does not say \"%s\"", e.message, part);
	assert_non_null(e.hint);
	assert_string_equal(r.text, "untouched");
}

/* --- requests -------------------------------------------------------------------------------- */

static void every_field_is_decoded(void **state)
{
	struct wire_request r = parsed(
	    "{\"command\":\"tap\",\"commandId\":\"c1\",\"statusCommandId\":\"s1\",\"appBundleId\":"
	    "\"app\","
	    "\"nodeId\":\"n\",\"expectRole\":\"button\",\"expectLabel\":\"Save\",\"text\":\"t\","
	    "\"selectorKey\":\"id\",\"selectorValue\":\"v\",\"textEntryMode\":\"append\",\"action\":"
	    "\"a\","
	    "\"direction\":\"up\",\"button\":\"primary\",\"keys\":\"ctrl+a\",\"surface\":\"app\","
	    "\"scope\":\"sc\",\"outPath\":\"/"
	    "o\",\"orientation\":\"portrait\",\"target\":\"tg\",\"flavour\":\"fl\","
	    "\"args\":[\"a1\"],\"env\":{\"K\":\"V\"},\"x\":1,\"y\":2.5,\"x2\":3,\"y2\":4,"
	    "\"durationMs\":5,"
	    "\"amount\":0.5,\"pixels\":6,\"value\":7,\"timeoutMs\":8,\"count\":2,\"delayMs\":9,"
	    "\"depth\":10,"
	    "\"interactiveOnly\":true,\"raw\":true,\"fullscreen\":true,\"force\":true,\"relaunch\":"
	    "true,"
	    "\"background\":true,\"installed\":true,\"inlineScreenshot\":true}");
	const char *const strings[] = { r.command_id,
		                            r.status_command_id,
		                            r.app,
		                            r.node,
		                            r.expect_role,
		                            r.expect_label,
		                            r.text,
		                            r.selector_key,
		                            r.selector_value,
		                            r.text_entry_mode,
		                            r.action,
		                            r.direction,
		                            r.button,
		                            r.keys,
		                            r.surface,
		                            r.scope,
		                            r.out_path,
		                            r.orientation,
		                            r.target };
	static const char *const want[] = { "c1",   "s1", "app",      "n",      "button",
		                                "Save", "t",  "id",       "v",      "append",
		                                "a",    "up", "primary",  "ctrl+a", "app",
		                                "sc",   "/o", "portrait", "tg" };
	const struct wire_num numbers[] = { r.x,      r.y,      r.x2,    r.y2,         r.duration_ms,
		                                r.amount, r.pixels, r.value, r.timeout_ms, r.count };
	static const double values[] = { 1, 2.5, 3, 4, 5, 0.5, 6, 7, 8, 2 };

	assert_int_equal(r.command, WIRE_CMD_TAP);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(strings[i], want[i]);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		assert_true(numbers[i].has);
		assert_true(numbers[i].v == values[i]);
	}
	assert_int_equal(r.delay_ms, 9);
	assert_int_equal(r.depth, 10);
	assert_string_equal(json_string_value(json_array_get(r.args, 0)), "a1");
	assert_string_equal(jx_get_str(r.env, "K", ""), "V");
	assert_true(r.interactive_only && r.raw && r.fullscreen && r.force && r.relaunch &&
	            r.background && r.installed && r.inline_image);
	wire_request_done(&r);
}

static void absent_and_null_are_the_same(void **state)
{
	static const char *const bodies[] = {
		"{\"command\":\"snapshot\"}",
		"{\"command\":\"snapshot\",\"commandId\":null,\"appBundleId\":null,\"x\":null,\"depth\":"
		"null,"
		"\"raw\":null,\"steps\":null,\"args\":null,\"env\":null,\"unknownField\":[1]}",
		"{\"command\":\"snapshot\",\"commandId\":\"  \",\"appBundleId\":\" \\t\"}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		struct wire_request r = parsed(bodies[i]);

		assert_null(r.command_id);
		assert_null(r.app);
		assert_null(r.args);
		assert_null(r.env);
		assert_false(r.x.has);
		assert_false(r.raw);
		assert_false(r.has_steps);
		assert_int_equal(r.depth, -1);
		assert_int_equal(r.delay_ms, -1);
		wire_request_done(&r);
	}
}

static void zero_is_a_value(void **state)
{
	struct wire_request r = parsed("{\"command\":\"tap\",\"x\":0,\"y\":0.0}");

	assert_true(r.x.has && r.y.has);
	wire_request_done(&r);
}

static void ids_are_trimmed_and_bounded(void **state)
{
	struct wire_request r = parsed("{\"command\":\"tap\",\"commandId\":\" \\n a b \\t\"}");
	struct buf auto_buf body;

	assert_string_equal(r.command_id, "a b");
	wire_request_done(&r);
	assert_refused("{\"command\":\"tap\",\"commandId\":\"a\\u0007b\"}", "control character");
	for (int extra = 0; extra < 2; extra++) {
		buf_init(&body, 10000);
		buf_adds(&body, "{\"command\":\"tap\",\"commandId\":\"");
		buf_fill(&body, 'x', (size_t)LIM_COMMAND_ID + (size_t)extra);
		buf_adds(&body, "\"}");
		if (extra) {
			assert_refused(body.data, "longer than");
		} else {
			r = parsed(body.data);
			assert_int_equal(strlen(r.command_id), LIM_COMMAND_ID);
			wire_request_done(&r);
			buf_done(&body);
		}
	}
}

static void the_command_must_be_there_and_known(void **state)
{
	assert_refused("{\"x\":1}", "command is missing");
	assert_refused("{\"command\":null}", "command is missing");
	assert_refused("{\"command\":\"tapSeries\"}", "unknown command \"tapSeries\"");
	assert_refused("{\"command\":5}", "command must be a string");
}

static void a_wrong_type_refuses_the_whole_request(void **state)
{
	assert_refused("{\"command\":\"tap\",\"x\":\"1\"}", "x must be a number");
	assert_refused("{\"command\":\"tap\",\"x\":true}", "x must be a number");
	assert_refused("{\"command\":\"tap\",\"nodeId\":7}", "nodeId must be a string");
	assert_refused("{\"command\":\"snapshot\",\"raw\":1}", "raw must be a boolean");
	assert_refused("{\"command\":\"snapshot\",\"depth\":1.5}", "depth must be an integer");
	assert_refused("{\"command\":\"type\",\"delayMs\":\"1\"}", "delayMs must be an integer");
	assert_refused("{\"command\":\"launch\",\"args\":\"a\"}", "args must be an array of strings");
	assert_refused("{\"command\":\"launch\",\"args\":[1]}", "args must be an array of strings");
	assert_refused("{\"command\":\"launch\",\"env\":[]}", "env must be an object of strings");
	assert_refused("{\"command\":\"launch\",\"env\":{\"A\":1}}",
	               "env must be an object of strings");
	assert_refused("{\"command\":\"sequence\",\"steps\":{}}", "steps must be an array");
	assert_refused("{\"command\":\"sequence\",\"steps\":[1]}", "steps[0] must be an object");
	assert_refused("{\"command\":\"sequence\",\"steps\":[{}]}", "steps[0]: kind is missing");
	assert_refused("{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\",\"x\":\"a\"}]}",
	               "steps[0]: x must be a number");
}

static void integral_reals_are_integers(void **state)
{
	struct wire_request r = parsed("{\"command\":\"snapshot\",\"depth\":3.0}");

	assert_int_equal(r.depth, 3);
	wire_request_done(&r);
}

static void what_is_no_json_object_is_refused(void **state)
{
	static const char *const bodies[] = { "",
		                                  "{",
		                                  "[]",
		                                  "\"tap\"",
		                                  "null",
		                                  "{\"command\":\"tap\"} x",
		                                  "{\"command\":\"tap\",\"x\":1e999}",
		                                  "{\"command\":\"tap\",\"x\":inf}",
		                                  "{\"command\":\"tap\",\"command\":\"drag\"}" };

	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++)
		assert_refused(bodies[i], "");
}

static void a_body_must_be_utf8(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_request r;
	static const char body[] = "{\"command\":\"type\",\"text\":\"\xff\xfe\"}";

	assert_int_equal(wire_request_parse(body, sizeof(body) - 1, &r, &e), -ERR_INVALID_ARGS);
	assert_string_equal(e.message, "runner request body must be UTF-8 JSON");
	assert_non_null(e.hint);
}

static void the_error_may_be_null(void **state)
{
	struct wire_request r;

	assert_int_equal(wire_request_parse("{", 1, &r, NULL), -ERR_INVALID_ARGS);
	assert_int_equal(wire_request_parse("\xff", 1, &r, NULL), -ERR_INVALID_ARGS);
}

static void steps_decode(void **state)
{
	struct wire_request r = parsed(
	    "{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\",\"x\":1,\"y\":2,\"synthesized\":"
	    "true},"
	    "{\"kind\":\"doubleTap\",\"x\":1,\"y\":2},{\"kind\":\"longPress\",\"durationMs\":300},"
	    "{\"kind\":\"drag\",\"x\":1,\"y\":2,\"x2\":10,\"y2\":4,\"pauseMs\":50}]}");

	assert_int_equal(r.n_steps, 4);
	assert_true(r.steps[0].synthesized);
	assert_string_equal(r.steps[1].kind, "doubleTap");
	assert_true(r.steps[2].duration_ms.v == 300);
	assert_false(r.steps[2].x.has);
	assert_true(r.steps[3].x2.v == 10);
	assert_true(r.steps[3].pause_ms.v == 50);
	wire_request_done(&r);
}

/* The count is kept for the error, the memory is not spent. */
static void too_many_steps_are_counted_not_kept(void **state)
{
	struct buf auto_buf body;
	struct wire_request r;

	buf_init(&body, 1000000);
	buf_adds(&body, "{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\"}");
	for (int i = 1; i < 5000; i++)
		buf_adds(&body, ",{\"kind\":\"tap\"}");
	buf_adds(&body, "]}");
	r = parsed(body.data);
	assert_int_equal(r.n_steps, 5000);
	assert_string_equal(r.steps[LIM_SEQUENCE_STEPS - 1].kind, "tap");
	wire_request_done(&r);
}

/* --- replies --------------------------------------------------------------------------------- */

static int read_reply(const char *body, json_t **ret, struct error *e)
{
	return wire_reply_parse(body, strlen(body), ret, e);
}

static void ok_replies_give_their_data(void **state)
{
	auto_json json_t *reply = wire_reply_ok(json_pack("{s:i}", "x", 4));
	auto_json json_t *data = NULL, *empty = NULL;
	struct buf auto_buf text;

	buf_init(&text, 1000);
	assert_true(jx_dump(reply, false, &text));
	assert_string_equal(text.data, "{\"ok\":true,\"data\":{\"x\":4}}");
	assert_int_equal(read_reply(text.data, &data, NULL), 0);
	assert_int_equal(jx_get_int(data, "x", 0), 4);
	assert_int_equal(read_reply("{\"ok\":true,\"data\":[1]}", &empty, NULL), 0);
	assert_true(json_is_object(empty));
	assert_int_equal(json_object_size(empty), 0);
}

static void errors_travel_whole(void **state)
{
	struct error auto_error sent = ERROR_INIT, got = ERROR_INIT;
	auto_json json_t *data = NULL;
	struct buf auto_buf text;

	error_set(&sent, ERR_AMBIGUOUS_MATCH, "selector matched multiple elements");
	error_hint(&sent, "add id=");
	error_reason(&sent, "two");
	auto_json json_t *reply = wire_reply_error(&sent);
	buf_init(&text, 1000);
	assert_true(jx_dump(reply, false, &text));
	assert_int_equal(read_reply(text.data, &data, &got), -ERR_AMBIGUOUS_MATCH);
	assert_null(data);
	assert_string_equal(got.message, sent.message);
	assert_string_equal(got.hint, "add id=");
	assert_string_equal(jx_get_str(got.details, "reason", ""), "two");
	assert_true(jx_get_bool(got.details, "runner", false));
}

static void foreign_errors_are_understood(void **state)
{
	static const struct {
		const char *body;
		int code;
		const char *message;
	} cases[] = {
		{ "{\"ok\":false,\"error\":{\"message\":\"alert not found\"}}", ERR_COMMAND_FAILED,
		  "alert not found" },
		{ "{\"ok\":false,\"error\":{\"code\":\"NEW_ONE\",\"message\":\"m\"}}", ERR_COMMAND_FAILED,
		  "m" },
		{ "{\"ok\":false}", ERR_COMMAND_FAILED, "runner error" },
		{ "{}", ERR_COMMAND_FAILED, "runner error" },
		{ "{\"ok\":1,\"data\":{}}", ERR_COMMAND_FAILED, "runner error" },
		{ "{\"ok\":false,\"error\":\"text\"}", ERR_COMMAND_FAILED, "runner error" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error auto_error e = ERROR_INIT;
		json_t *data = NULL;

		assert_int_equal(read_reply(cases[i].body, &data, &e), -cases[i].code);
		assert_string_equal(e.message, cases[i].message);
		assert_true(jx_get_bool(e.details, "runner", false));
	}
}

static void what_is_no_reply_is_named_so(void **state)
{
	static const char *const bodies[] = { "", "<html>", "[]", "42", "{\"ok\":tru", "\xff\xff" };

	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		struct error auto_error e = ERROR_INIT;
		json_t *data = NULL;

		assert_int_equal(read_reply(bodies[i], &data, &e), -ERR_COMMAND_FAILED);
		assert_string_equal(jx_get_str(e.details, "reason", ""), "invalid_runner_response");
		assert_false(jx_get_bool(e.details, "runner", false));
		assert_null(data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_decoded),
		cmocka_unit_test(absent_and_null_are_the_same),
		cmocka_unit_test(zero_is_a_value),
		cmocka_unit_test(ids_are_trimmed_and_bounded),
		cmocka_unit_test(the_command_must_be_there_and_known),
		cmocka_unit_test(a_wrong_type_refuses_the_whole_request),
		cmocka_unit_test(integral_reals_are_integers),
		cmocka_unit_test(what_is_no_json_object_is_refused),
		cmocka_unit_test(a_body_must_be_utf8),
		cmocka_unit_test(the_error_may_be_null),
		cmocka_unit_test(steps_decode),
		cmocka_unit_test(too_many_steps_are_counted_not_kept),
		cmocka_unit_test(ok_replies_give_their_data),
		cmocka_unit_test(errors_travel_whole),
		cmocka_unit_test(foreign_errors_are_understood),
		cmocka_unit_test(what_is_no_reply_is_named_so),
	};

	return cmocka_run_group_tests_name("runner_msg", tests, NULL, NULL);
}
