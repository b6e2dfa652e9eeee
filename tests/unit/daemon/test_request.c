/* One request's way: what is refused where, deadlines, cancellation, text, timing, traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../scenario/harness.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "daemon/job.h"
#include "fake.h"

#include <string.h>

static struct harness *h;

static int setup(void **state)
{
	h = harness_new(NULL);
	fake_show_devices("1");
	return 0;
}

static int teardown(void **state)
{
	harness_free(h);
	assert_int_equal(fake_open_devices(), 0);
	return 0;
}

static const json_t *error_of(const json_t *response)
{
	assert_false(jx_get_bool(response, "ok", true));
	return json_object_get(response, "error");
}

static void assert_code(const json_t *response, const char *code)
{
	assert_string_equal(jx_get_str(error_of(response), "code", ""), code);
}

static void answer_in_json(void **state)
{
	auto_json json_t *r = harness_run(h, "echo", "{\"text\":\"hi\"}");
	const json_t *data = json_object_get(r, "data");
	assert_true(jx_get_bool(r, "ok", false));
	assert_string_equal(jx_get_str(data, "text", ""), "hi");
	assert_int_equal(jx_get_int(data, "count", 0), 1); /* the default was filled in */
	assert_null(json_object_get(r, "text"));
	assert_null(json_object_get(r, "timing"));
	assert_string_equal(json_string_value(json_array_get(json_object_get(r, "notices"), 0)),
	                    "echo of 2 bytes");
}

static void answer_in_text(void **state)
{
	struct harness_call c = { .command = "echo", .args = "{\"text\":\"hi\"}", .output = "text" };
	auto_json json_t *r = harness_call(h, &c);
	assert_string_equal(jx_get_str(r, "text", ""), "hi (width 0)\n");
	assert_non_null(json_object_get(r, "data"));
	/* who wants no data beside the text gets none; without a text it is always there */
	c.no_data = true;
	auto_json json_t *bare = harness_call(h, &c);
	assert_string_equal(jx_get_str(bare, "text", ""), "hi (width 0)\n");
	assert_null(json_object_get(bare, "data"));
	c.output = "json";
	auto_json json_t *json = harness_call(h, &c);
	assert_non_null(json_object_get(json, "data"));
	/* a command without a renderer: the data as indented JSON */
	struct harness_call d = { .command = "sessions", .output = "text" };
	auto_json json_t *s = harness_call(h, &d);
	assert_string_equal(jx_get_str(s, "text", ""), "{\n  \"sessions\": []\n}\n");
}

static void unknown_command_names_the_nearest(void **state)
{
	auto_json json_t *r = harness_run(h, "ecko", NULL);
	assert_code(r, "UNKNOWN_COMMAND");
	assert_string_equal(jx_get_str(error_of(r), "hint", ""), "did you mean `deft echo`?");
}

static void bad_arguments_run_nothing(void **state)
{
	assert_string_equal(harness_error(h, "echo", NULL), "INVALID_ARGS");
	assert_string_equal(harness_error(h, "echo", "{\"text\":\"a\",\"count\":10}"), "INVALID_ARGS");
	assert_string_equal(harness_error(h, "echo", "{\"text\":\"a\",\"cuont\":1}"), "INVALID_ARGS");
	assert_string_equal(harness_error(h, "echo", "{\"text\":7}"), "INVALID_ARGS");
}

static void bad_session_name(void **state)
{
	struct harness_call c = { .command = "open", .session = "../x" };
	auto_json json_t *r = harness_call(h, &c);
	assert_code(r, "INVALID_ARGS");
}

static void global_parameters_may_stand_among_the_arguments(void **state)
{
	auto_json json_t *opened =
	    harness_ok(h, "open", "{\"session\":\"named\",\"platform\":\"virtual\"}");
	assert_string_equal(jx_get_str(opened, "session", ""), "named");
	assert_string_equal(jx_get_str(opened, "device", ""), "virtual");
	assert_string_equal(harness_error(h, "echo", "{\"text\":\"a\",\"timeout\":0}"), "INVALID_ARGS");
}

static void needs_a_session(void **state)
{
	auto_json json_t *r = harness_run(h, "hold", NULL);
	assert_code(r, "SESSION_NOT_FOUND");
	struct harness_call c = { .command = "hold", .session = "mine" };
	auto_json json_t *named = harness_call(h, &c);
	assert_code(named, "SESSION_NOT_FOUND");
	assert_non_null(strstr(jx_get_str(error_of(named), "message", ""), "mine"));
}

static void handler_error_is_answered(void **state)
{
	auto_json json_t *r = harness_run(h, "fail", NULL);
	assert_code(r, "NO_EFFECT");
	assert_string_equal(jx_get_str(json_object_get(error_of(r), "details"), "reason", ""),
	                    "on_purpose");
}

static void debug_shows_stages(void **state)
{
	struct harness_call c = { .command = "echo", .args = "{\"text\":\"x\"}", .debug = true };
	auto_json json_t *r = harness_call(h, &c);
	const json_t *timing = json_object_get(r, "timing");
	const json_t *stages = json_object_get(timing, "stages");
	static const char *const names[] = { "admit",   "lookup", "check", "lock",
		                                 "session", "think",  "run",   "render" };
	size_t i = 0;
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)stages, key, value)
	    assert_string_equal(key, names[i++]);
	assert_int_equal(i, ARRAY_SIZE(names));
	assert_true(jx_get_num(timing, "totalMs", -1) >= 0);
}

/* --- time ------------------------------------------------------------------------------------- */

static void deadline_ends_a_handler(void **state)
{
	json_decref(harness_ok(h, "open", NULL));
	struct harness_call c = { .command = "hold", .deadline_ms = 30 };
	auto_json json_t *r = harness_call(h, &c);
	assert_code(r, "TIMEOUT");
	/* the session lives on (cases E02) */
	json_decref(harness_ok(h, "hold", "{\"ms\":1}"));
}

static int64_t time_left(const char *args, int64_t deadline_ms)
{
	struct harness_call c = { .command = "echo", .args = args, .deadline_ms = deadline_ms };
	auto_json json_t *r = harness_call(h, &c);
	assert_true(jx_get_bool(r, "ok", false));
	return jx_get_int(json_object_get(r, "data"), "leftMs", 0);
}

static void deadline_grows_with_the_commands_own_budget(void **state)
{
	/* cases E02: a wait of three minutes has more than three minutes */
	assert_true(time_left("{\"text\":\"x\",\"wait\":180000}", 0) > 180000);
	int64_t usual = time_left("{\"text\":\"x\"}", 0);
	assert_true(usual > 0 && usual <= LIM_REQUEST_DEFAULT_MS);
	/* what the caller says counts, up to the limit */
	assert_true(time_left("{\"text\":\"x\",\"wait\":180000}", 1000) <= 1000);
	assert_true(time_left("{\"text\":\"x\",\"timeout\":2000}", 0) <= 2000);
	assert_true(time_left("{\"text\":\"x\",\"wait\":9999999}", 0) <= LIM_REQUEST_MAX_MS);
}

static void cancel_ends_a_handler(void **state)
{
	json_decref(harness_ok(h, "open", NULL));
	struct harness_job *j = harness_start(h, &(struct harness_call){ .command = "hold" });
	harness_wait_progress(j, 1);
	harness_cancel(j);
	auto_json json_t *r = harness_finish(j);
	assert_code(r, "CANCELED");
	json_decref(harness_ok(h, "hold", "{\"ms\":1}"));
}

static void cancel_ends_a_wait_for_the_session(void **state)
{
	json_decref(harness_ok(h, "open", NULL));
	struct harness_job *first = harness_start(h, &(struct harness_call){ .command = "hold" });
	harness_wait_progress(first, 1);
	struct harness_job *second = harness_start(h, &(struct harness_call){ .command = "show" });
	harness_cancel(second);
	auto_json json_t *r = harness_finish(second);
	assert_code(r, "CANCELED");
	harness_cancel(first);
	auto_json json_t *held = harness_finish(first);
	assert_code(held, "CANCELED");
}

static void too_many_requests(void **state)
{
	struct harness_job *jobs[LIM_DAEMON_REQUESTS];
	json_decref(harness_ok(h, "open", NULL));
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		jobs[i] = harness_start(h, &(struct harness_call){ .command = "hold" });
	assert_string_equal(harness_error(h, "sessions", NULL), "LIMIT_EXCEEDED");
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		harness_cancel(jobs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		auto_json json_t *r = harness_finish(jobs[i]);
		assert_code(r, "CANCELED");
	}
	json_decref(harness_ok(h, "sessions", NULL));
}

/* --- the moment of the answer ----------------------------------------------------------------- */

struct probe {
	struct dm_sink sink;
	bool session_free, id_free, idle;
};

static struct wire_call show_call(void)
{
	static const char line[] = "{\"type\":\"request\",\"id\":\"same\",\"command\":\"show\","
	                           "\"session\":\"s\"}";
	struct wire_call call;
	assert_int_equal(wire_call_parse(line, strlen(line), &call, NULL), 0);
	return call;
}

/* Looks around while the answer is being sent. */
static void look_around(void *ctx, json_t *line_stolen)
{
	struct probe *p = ctx;
	struct dm_daemon *d = harness_daemon(h);
	struct dm_job *again = NULL;
	struct wire_call call = show_call();
	json_decref(line_stolen);
	p->session_free = dm_key_free(&d->locks, "s");
	pthread_mutex_lock(&d->lock);
	p->idle = dm_jobs_running(d) == 0;
	pthread_mutex_unlock(&d->lock);
	p->id_free = dm_job_new(d, &call, &p->sink, &again, NULL) == 0;
	if (again)
		dm_job_free(again);
}

/* Who reads an answer may use the same id, session and device at once. */
static void nothing_is_held_when_the_answer_is_sent(void **state)
{
	struct probe p = { .sink = { look_around, &p } };
	struct wire_call call = show_call();
	struct dm_job *j;
	json_decref(harness_call(h, &(struct harness_call){ .command = "open", .session = "s" }));
	assert_int_equal(dm_job_new(harness_daemon(h), &call, &p.sink, &j, NULL), 0);
	dm_job_run(j);
	dm_job_free(j);
	assert_true(p.session_free);
	assert_true(p.idle);
	assert_true(p.id_free);
}

/* --- stopping --------------------------------------------------------------------------------- */

static void stop_refuses_while_others_have_sessions(void **state)
{
	struct harness_call open = { .command = "open", .session = "other" };
	json_decref(harness_call(h, &open));
	auto_json json_t *r = harness_run(h, "stop", NULL);
	assert_code(r, "SESSION_BUSY");
	const json_t *names = json_object_get(json_object_get(error_of(r), "details"), "sessions");
	assert_string_equal(json_string_value(json_array_get(names, 0)), "other");
	assert_false(cancel_fired(&harness_daemon(h)->stop));
	json_decref(harness_ok(h, "stop", "{\"force\":true}"));
	assert_true(cancel_fired(&harness_daemon(h)->stop));
}

static void own_session_does_not_hold_the_daemon(void **state)
{
	json_decref(harness_ok(h, "open", NULL));
	json_decref(harness_ok(h, "stop", NULL));
	assert_true(cancel_fired(&harness_daemon(h)->stop));
	/* and from then on nothing new begins */
	auto_json json_t *r = harness_run(h, "sessions", NULL);
	assert_code(r, "DAEMON_UNAVAILABLE");
}

/* --- traces ----------------------------------------------------------------------------------- */

static void trace_tells_what_happened_and_no_secret(void **state)
{
	json_decref(harness_ok(h, "echo", "{\"text\":\"hunter2\",\"count\":3}"));
	json_decref(harness_run(h, "fail", NULL));
	json_decref(harness_run(h, "ecko hunter2", NULL));
	auto_json json_t *events = harness_events(h, NULL);
	auto_free char *text = json_dumps(events, 0);
	assert_null(strstr(text, "hunter2"));
	assert_int_equal(json_array_size(events), 5); /* the unknown one never started */
	const json_t *started = json_array_get(events, 0), *failed = json_array_get(events, 3);
	assert_string_equal(jx_get_str(started, "event", ""), "request.started");
	assert_string_equal(jx_get_str(started, "command", ""), "echo");
	assert_int_equal(jx_get_int(json_object_get(started, "args"), "count", 0), 3);
	assert_string_equal(jx_get_str(failed, "event", ""), "request.finished");
	assert_string_equal(jx_get_str(failed, "code", ""), "NO_EFFECT");
	assert_string_equal(jx_get_str(failed, "reason", ""), "on_purpose");
	assert_non_null(json_object_get(failed, "stages"));
	assert_false(jx_get_bool(failed, "ok", true));
}

static void trace_of_a_session_lies_with_it(void **state)
{
	struct harness_call c = { .command = "open", .session = "mine" };
	json_decref(harness_call(h, &c));
	c.command = "show";
	json_decref(harness_call(h, &c));
	auto_json json_t *events = harness_events(h, "mine");
	/* open's end, show's start and end */
	assert_int_equal(json_array_size(events), 3);
	c.command = "close";
	json_decref(harness_call(h, &c));
	auto_json json_t *gone = harness_events(h, "mine");
	assert_int_equal(json_array_size(gone), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(answer_in_json),
		TEST(answer_in_text),
		TEST(unknown_command_names_the_nearest),
		TEST(bad_arguments_run_nothing),
		TEST(bad_session_name),
		TEST(global_parameters_may_stand_among_the_arguments),
		TEST(needs_a_session),
		TEST(handler_error_is_answered),
		TEST(debug_shows_stages),
		TEST(deadline_ends_a_handler),
		TEST(deadline_grows_with_the_commands_own_budget),
		TEST(cancel_ends_a_handler),
		TEST(cancel_ends_a_wait_for_the_session),
		TEST(too_many_requests),
		TEST(nothing_is_held_when_the_answer_is_sent),
		TEST(stop_refuses_while_others_have_sessions),
		TEST(own_session_does_not_hold_the_daemon),
		TEST(trace_tells_what_happened_and_no_secret),
		TEST(trace_of_a_session_lies_with_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
