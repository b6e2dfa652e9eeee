#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/envelope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct wire_call parsed(const char *line)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_call c;

	if (wire_call_parse(line, strlen(line), &c, &e) < 0)
		fail_msg("%s", e.message);
	return c;
}

static void assert_refused(const char *line, const char *part)
{
	struct error auto_error e = ERROR_INIT;
	struct wire_call c = { .width = 77 };

	assert_int_equal(wire_call_parse(line, strlen(line), &c, &e), -ERR_INVALID_ARGS);
	if (!strstr(e.message, part))
		fail_msg("\"%s\" does not say \"%s\"", e.message, part);
	assert_int_equal(c.width, 77);
}

static void a_whole_request_is_read(void **state)
{
	struct wire_call c = parsed(
	    "{\"type\":\"request\",\"id\":\"a1\",\"command\":\"press\",\"args\":{\"target\":\"@e3\"},"
	    "\"session\":\"s\",\"meta\":{\"cwd\":\"/w\",\"deadlineMs\":500,\"debug\":true,"
	    "\"output\":\"json\",\"color\":true,\"width\":120,\"env\":{\"DISPLAY\":\":9\"}}}");

	assert_string_equal(c.id, "a1");
	assert_string_equal(c.command, "press");
	assert_string_equal(c.session, "s");
	assert_string_equal(c.cwd, "/w");
	assert_string_equal(c.output, "json");
	assert_string_equal(jx_get_str(c.args, "target", ""), "@e3");
	assert_string_equal(jx_get_str(c.env, "DISPLAY", ""), ":9");
	assert_int_equal(c.deadline_ms, 500);
	assert_int_equal(c.width, 120);
	assert_true(c.debug && c.color && !c.is_cancel);
	wire_call_done(&c);
	assert_null(c.json);
}

static void little_is_needed(void **state)
{
	struct wire_call c = parsed("{\"type\":\"request\",\"id\":\"1\",\"command\":\"devices\"}");

	assert_true(json_is_object(c.args));
	assert_string_equal(c.output, "text");
	assert_null(c.session);
	assert_null(c.env);
	assert_int_equal(c.deadline_ms, 0);
	wire_call_done(&c);
}

static void a_cancel_needs_only_its_id(void **state)
{
	struct wire_call c = parsed("{\"type\":\"cancel\",\"id\":\"1\"}");

	assert_true(c.is_cancel);
	assert_string_equal(c.id, "1");
	assert_true(json_is_object(c.args));
	wire_call_done(&c);
}

static void what_is_no_request_is_refused(void **state)
{
	assert_refused("", "JSON");
	assert_refused("[]", "not a JSON object");
	assert_refused("{\"id\":\"1\"}", "type must be");
	assert_refused("{\"type\":\"response\",\"id\":\"1\"}", "type must be");
	assert_refused("{\"type\":\"request\",\"command\":\"x\"}", "id must be");
	assert_refused("{\"type\":\"request\",\"id\":\"\",\"command\":\"x\"}", "id must be");
	assert_refused("{\"type\":\"request\",\"id\":7,\"command\":\"x\"}", "id must be a string");
	assert_refused("{\"type\":\"request\",\"id\":\"1\"}", "command is missing");
	assert_refused("{\"type\":\"request\",\"id\":\"1\",\"command\":\"x\",\"args\":[]}",
	               "args must be");
	assert_refused("{\"type\":\"request\",\"id\":\"1\",\"command\":\"x\",\"meta\":[]}",
	               "meta must be");
	assert_refused("{\"type\":\"request\",\"id\":\"\xff\",\"command\":\"x\"}", "UTF-8");
}

static void meta_is_checked(void **state)
{
	static const struct {
		const char *meta, *part;
	} cases[] = {
		{ "{\"deadlineMs\":-1}", "deadlineMs must be" },
		{ "{\"deadlineMs\":600001}", "deadlineMs must be" },
		{ "{\"deadlineMs\":1.5}", "deadlineMs must be an integer" },
		{ "{\"output\":\"xml\"}", "output must be" },
		{ "{\"width\":-3}", "width must be" },
		{ "{\"color\":\"yes\"}", "color must be a boolean" },
		{ "{\"env\":{\"A\":1}}", "env: A must be a string" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf auto_buf line;

		buf_init(&line, 1000);
		buf_addf(&line, "{\"type\":\"request\",\"id\":\"1\",\"command\":\"x\",\"meta\":%s}",
		         cases[i].meta);
		assert_refused(line.data, cases[i].part);
	}
}

static void hellos_are_symmetric(void **state)
{
	auto_json
	json_t *from_client = wire_hello_make("0.1.0", "abc", 0, false);
	auto_json
	json_t *from_daemon = wire_hello_make("0.1.0", "abc", 42, true);
	struct wire_hello h;

	assert_int_equal(wire_hello_parse(from_client, &h, NULL), 0);
	assert_int_equal(h.protocol, WIRE_DAEMON_PROTOCOL);
	assert_string_equal(h.build, "abc");
	assert_int_equal(h.pid, 0);
	assert_null(json_object_get(from_client, "ok"));
	assert_int_equal(wire_hello_parse(from_daemon, &h, NULL), 0);
	assert_int_equal(h.pid, 42);
	assert_true(h.ok);
}

static void what_is_no_hello_is_refused(void **state)
{
	static const char *const lines[] = { "{}",
		                                 "{\"type\":\"request\"}",
		                                 "{\"type\":\"hello\"}",
		                                 "{\"type\":\"hello\",\"protocol\":\"1\"}",
		                                 "{\"type\":\"hello\",\"protocol\":0}",
		                                 "{\"type\":\"hello\",\"protocol\":1,\"version\":2}",
		                                 "[]" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		auto_json
		json_t *j = jx_parse(lines[i], strlen(lines[i]), NULL);
		struct wire_hello h = { .pid = 9 };

		assert_int_equal(wire_hello_parse(j, &h, NULL), -ERR_INVALID_ARGS);
		assert_int_equal(h.pid, 9);
	}
}

static void assert_dump(json_t *stolen, const char *want)
{
	struct buf auto_buf text;

	buf_init(&text, 10000);
	assert_true(jx_dump(stolen, false, &text));
	json_decref(stolen);
	assert_string_equal(text.data, want);
}

static void answers_have_their_shape(void **state)
{
	struct error auto_error e = ERROR_INIT;

	assert_dump(wire_response_ok("1", json_pack("{s:i}", "n", 1)),
	            "{\"type\":\"response\",\"id\":\"1\",\"ok\":true,\"data\":{\"n\":1}}");
	assert_dump(wire_response_ok("1", NULL),
	            "{\"type\":\"response\",\"id\":\"1\",\"ok\":true,\"data\":{}}");
	error_set(&e, ERR_TIMEOUT, "late");
	error_hint(&e, "wait");
	assert_dump(wire_response_error("2", &e),
	            "{\"type\":\"response\",\"id\":\"2\",\"ok\":false,\"error\":{\"code\":\"TIMEOUT\","
	            "\"message\":\"late\",\"hint\":\"wait\",\"retriable\":true}}");
	assert_dump(wire_progress("3", "m", 1, -1),
	            "{\"type\":\"progress\",\"id\":\"3\",\"message\":\"m\",\"done\":1}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_request_is_read),
		cmocka_unit_test(little_is_needed),
		cmocka_unit_test(a_cancel_needs_only_its_id),
		cmocka_unit_test(what_is_no_request_is_refused),
		cmocka_unit_test(meta_is_checked),
		cmocka_unit_test(hellos_are_symmetric),
		cmocka_unit_test(what_is_no_hello_is_refused),
		cmocka_unit_test(answers_have_their_shape),
	};

	return cmocka_run_group_tests_name("envelope", tests, NULL, NULL);
}
