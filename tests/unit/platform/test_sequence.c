/* Series on `sequence`, the daemon's side: cases S20-S42 of the runner protocol. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "platform/sequence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- a device whose runner answers from a list --------------------------------------------------- */

static struct {
	const char *replies[8]; /* NULL: every step performed */
	json_t *requests[8];
	size_t n;
	enum err_code fail_code; /* of the request number fail_at (from 1) */
	size_t fail_at;
} fake;

static json_t *all_performed(const json_t *request)
{
	size_t n = json_array_size(json_object_get(request, "steps"));
	json_t *results = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(results, json_pack("{s:b,s:s}", "ok", 1, "kind", "tap"));
	return json_pack("{s:s,s:I,s:o}", "message", "sequence", "completedSteps", (json_int_t)n,
	                 "sequenceResults", results);
}

static int fake_run(struct pf_device *d, struct call c, json_t *request, json_t **ret,
                    struct error *e)
{
	const char *reply = fake.replies[fake.n];
	fake.requests[fake.n++] = json_deep_copy(request);
	if (fake.fail_at == fake.n)
		return error_set(e, fake.fail_code, "no answer");
	*ret = reply ? json_loads(reply, 0, NULL) : all_performed(request);
	assert_non_null(*ret);
	return 0;
}

static const struct pf_ops fake_ops = { .run = fake_run };
static struct pf_device device = { .ops = &fake_ops };
static struct error error;

static int reset(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(fake.requests); i++)
		json_decref(fake.requests[i]);
	memset(&fake, 0, sizeof fake);
	error_clear(&error);
	return 0;
}

static int64_t detail(const char *key)
{
	return jx_get_int(error.details, key, -1);
}

static const struct pf_step tap = PF_STEP("tap", .has_point = true, .x = 10, .y = 20);

static void assert_json(const json_t *j, const char *want)
{
	struct buf auto_buf text;
	buf_init(&text, 100000);
	jx_dump(j, false, &text);
	assert_string_equal(text.data, want);
}

static void fill(struct pf_step *steps, size_t n, struct pf_step step)
{
	for (size_t i = 0; i < n; i++)
		steps[i] = step;
}

/* --- checks ---------------------------------------------------------------------------------------- */

static void s20_to_s22_only_known_kinds(void **state)
{
	static const char *const allowed[] = { "tap", "doubleTap", "longPress", "drag" };
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++) {
		struct pf_step s = PF_STEP(allowed[i], .has_point = true, .x2 = 1, .y2 = 1);
		assert_int_equal(pf_sequence_check(&s, 1, 20, &error), 0);
	}
	const struct pf_step pinch[] = { tap, PF_STEP("pinch", .has_point = true) };
	assert_int_equal(pf_sequence_check(pinch, 2, 20, &error), -ERR_INVALID_ARGS);
	assert_int_equal(detail("stepIndex"), 1);
	assert_non_null(strstr(error.message, "allowed: tap, doubleTap, longPress, drag"));
	const struct pf_step swipe = PF_STEP("swipe", .has_point = true);
	assert_int_equal(pf_sequence_check(&swipe, 1, 20, &error), -ERR_INVALID_ARGS);
}

static void s23_count(void **state)
{
	struct pf_step steps[21];
	fill(steps, 21, tap);
	assert_int_equal(pf_sequence_check(steps, 21, 20, &error), -ERR_INVALID_ARGS);
	assert_int_equal(detail("maxSteps"), 20);
	assert_int_equal(detail("stepCount"), 21);
	assert_int_equal(pf_sequence_check(steps, 20, 20, &error), 0);
	assert_int_equal(pf_sequence_check(steps, 0, 20, &error), -ERR_INVALID_ARGS);
	assert_int_equal(detail("stepCount"), 0);
}

static void s24_to_s26_coordinates_and_times(void **state)
{
	static const struct {
		struct pf_step step;
		bool valid;
	} cases[] = {
		{ PF_STEP("tap", .has_point = true, .x = NAN), false },
		{ PF_STEP("tap", .has_point = true, .y = INFINITY), false },
		{ PF_STEP("drag", .has_point = true, .x2 = NAN), false },
		{ PF_STEP("drag", .has_point = false), false },
		{ PF_STEP("tap", .has_point = false, .x = NAN), true }, /* the request's element */
		{ { .kind = "longPress", .has_point = true, .duration_ms = 5, .pause_ms = -1 }, true },
		{ { .kind = "longPress", .has_point = true, .duration_ms = 0, .pause_ms = -1 }, true },
		{ { .kind = "longPress", .has_point = true, .duration_ms = -2, .pause_ms = -1 }, false },
		{ { .kind = "longPress", .has_point = true, .duration_ms = 20000, .pause_ms = -1 }, false },
		{ { .kind = "tap", .has_point = true, .duration_ms = -1, .pause_ms = 20000 }, false },
		{ { .kind = "tap", .has_point = true, .duration_ms = -1, .pause_ms = 10000 }, true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(pf_sequence_check(&cases[i].step, 1, 20, &error) == 0, cases[i].valid);
}

static void s27_a_request(void **state)
{
	json_t auto_json *base = json_pack("{s:s,s:s}", "command", "sequence", "appBundleId", "app");
	const struct pf_step steps[] = { tap,
		                             { .kind = "drag",
		                               .has_point = true,
		                               .x = 1,
		                               .x2 = 0.5,
		                               .y2 = 4,
		                               .duration_ms = 120,
		                               .pause_ms = 50,
		                               .synthesized = true },
		                             PF_STEP("doubleTap", .has_point = false) };
	json_t auto_json *request = pf_sequence_request(base, steps, 3);
	assert_json(request,
	            "{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\",\"x\":10,\"y\":20},"
	            "{\"kind\":\"drag\",\"x\":1,\"y\":0,\"x2\":0.5,\"y2\":4,\"durationMs\":120,"
	            "\"synthesized\":true,"
	            "\"pauseMs\":50},{\"kind\":\"doubleTap\"}],\"appBundleId\":\"app\"}");
}

/* --- replies --------------------------------------------------------------------------------------- */

static int parse(const char *text, int64_t *ret_completed)
{
	json_t auto_json *data = json_loads(text, 0, NULL);
	assert_non_null(data);
	return pf_sequence_parse(data, ret_completed, &error);
}

static void s28_success(void **state)
{
	int64_t done = 0;
	assert_int_equal(
	    parse("{\"completedSteps\":2,\"sequenceResults\":[{\"ok\":true},{\"ok\":true}]}", &done),
	    0);
	assert_int_equal(done, 2);
	assert_int_equal(
	    parse("{\"sequenceResults\":[{\"ok\":true},{\"ok\":true},{\"ok\":true}]}", &done), 0);
	assert_int_equal(done, 3);
	assert_int_equal(parse("{\"sequenceResults\":7}", &done), 0);
	assert_int_equal(done, 0);
}

static void s29_a_failed_step_is_an_error(void **state)
{
	int64_t done;
	assert_int_equal(parse("{\"completedSteps\":2,\"failedStepIndex\":2,\"sequenceResults\":[{"
	                       "\"ok\":true},{\"ok\":true},"
	                       "{\"ok\":false,\"kind\":\"drag\",\"errorCode\":\"UNSUPPORTED_"
	                       "OPERATION\",\"errorMessage\":"
	                       "\"drag unsupported here\"}]}",
	                       &done),
	                 -ERR_UNSUPPORTED_OPERATION);
	assert_string_equal(error.message, "drag unsupported here");
	assert_int_equal(detail("failedStepIndex"), 2);
	assert_string_equal(jx_get_str(error.details, "failedStepKind", ""), "drag");
	assert_int_equal(detail("completedSteps"), 2);
	assert_int_equal(json_array_size(json_object_get(error.details, "sequenceResults")), 3);
	assert_string_equal(jx_get_str(error.details, "executed", ""), "partly");
	assert_non_null(strstr(error.hint, "snapshot"));
}

static void s30_a_failure_told_only_by_its_entry(void **state)
{
	int64_t done;
	assert_int_equal(
	    parse("{\"sequenceResults\":[{\"ok\":true},{\"ok\":1,\"kind\":\"tap\"}]}", &done),
	    -ERR_COMMAND_FAILED);
	assert_int_equal(detail("failedStepIndex"), 1);
	assert_int_equal(detail("completedSteps"), 1);
	assert_string_equal(error.message, "sequence step 1 (tap) failed");
}

static void s31_a_failure_without_an_entry(void **state)
{
	int64_t done;
	assert_int_equal(parse("{\"failedStepIndex\":5}", &done), -ERR_COMMAND_FAILED);
	assert_string_equal(error.message, "sequence step 5 (step) failed");
	assert_string_equal(jx_get_str(error.details, "failedStepKind", ""), "step");
}

/* --- chunks ---------------------------------------------------------------------------------------- */

/* "20 20 5" */
static void assert_chunks(const struct pf_step *steps, size_t n, const char *want)
{
	struct buf auto_buf got;
	buf_init(&got, 1000);
	for (size_t at = 0; at < n;) {
		size_t size = pf_sequence_chunk(steps + at, n - at);
		int64_t ms = 0;
		for (size_t i = at; i < at + size; i++)
			ms += (steps[i].duration_ms > 0 ? steps[i].duration_ms : 0) +
			      (steps[i].pause_ms > 0 ? steps[i].pause_ms : 0) + 250;
		assert_true(size == 1 || ms <= 20000);
		buf_addf(&got, at ? " %zu" : "%zu", size);
		at += size;
	}
	assert_string_equal(got.data, want);
}

static void s32_to_s34_chunks(void **state)
{
	struct pf_step steps[45];
	fill(steps, 45, tap);
	assert_chunks(steps, 45, "20 20 5");
	fill(steps, 45,
	     (struct pf_step){
	         .kind = "longPress", .has_point = true, .duration_ms = 2000, .pause_ms = -1 });
	assert_chunks(steps, 20, "8 8 4");
	steps[0].duration_ms = steps[0].pause_ms = 10000;
	steps[1].duration_ms = 100;
	assert_chunks(steps, 2, "1 1");
	fill(steps, 20,
	     (struct pf_step){
	         .kind = "longPress", .has_point = true, .duration_ms = 750, .pause_ms = -1 });
	assert_chunks(steps, 20, "20"); /* exactly the budget */
	steps[19].duration_ms = 751;
	assert_chunks(steps, 20, "19 1");
	assert_int_equal(pf_sequence_chunk(steps, 0), 0);
}

/* --- the series ------------------------------------------------------------------------------------ */

static int run(const struct pf_step *steps, size_t n, json_t **ret)
{
	return pf_sequence_run(&device, CALL_FOREVER, NULL, steps, n, ret, &error);
}

static size_t steps_of(size_t request)
{
	return json_array_size(json_object_get(fake.requests[request], "steps"));
}

static void s39_a_failure_in_the_only_chunk(void **state)
{
	struct pf_step steps[2];
	json_t *data = NULL;
	fill(steps, 2, tap);
	fake.replies[0] =
	    "{\"completedSteps\":1,\"failedStepIndex\":1,\"sequenceResults\":[{\"ok\":true},{\"ok\":"
	    "false,"
	    "\"kind\":\"tap\",\"errorCode\":\"UNSUPPORTED_OPERATION\",\"errorMessage\":\"no\"}]}";
	assert_int_equal(run(steps, 2, &data), -ERR_UNSUPPORTED_OPERATION);
	assert_int_equal(detail("failedStepIndex"), 1);
	assert_int_equal(detail("chunkStepIndex"), -1);
	assert_null(data);
}

static void s40_a_failure_in_a_later_chunk_is_rebased(void **state)
{
	struct pf_step steps[25];
	json_t *data = NULL;
	fill(steps, 25, tap);
	fake.replies[1] = "{\"completedSteps\":2,\"failedStepIndex\":2,\"sequenceResults\":[{\"ok\":"
	                  "true},{\"ok\":true},"
	                  "{\"ok\":false,\"kind\":\"tap\",\"errorCode\":\"ELEMENT_STALE\","
	                  "\"errorMessage\":\"gone\"}]}";
	assert_int_equal(run(steps, 25, &data), -ERR_ELEMENT_STALE);
	assert_int_equal(detail("failedStepIndex"), 22);
	assert_int_equal(detail("completedSteps"), 22);
	assert_int_equal(detail("chunkStepIndex"), 2);
	assert_int_equal(fake.n, 2);
	assert_int_equal(steps_of(0), 20);
	assert_int_equal(steps_of(1), 5);
}

static void s41_chunks_are_put_together(void **state)
{
	struct pf_step steps[45];
	json_t auto_json *data = NULL;
	char results[3][400], replies[3][1400];
	fill(steps, 45, tap);
	for (int k = 0; k < 3; k++) {
		size_t n = 0;
		for (int i = 0; i < (k == 2 ? 5 : 20); i++)
			n += (size_t)snprintf(results[k] + n, sizeof results[k] - n, "%s{\"ok\":true}",
			                      i ? "," : "");
		snprintf(replies[k], sizeof replies[k],
		         "{\"completedSteps\":%d,\"gestureStartUptimeMs\":%d,\"gestureEndUptimeMs\":%d,"
		         "\"x\":%s,\"sequenceResults\":[%s]}",
		         k == 2 ? 5 : 20, 100 + 300 * k, 300 + 300 * k, k ? "9" : "0.5", results[k]);
		fake.replies[k] = replies[k];
	}
	assert_int_equal(run(steps, 45, &data), 0);
	assert_int_equal(jx_get_int(data, "completedSteps", 0), 45);
	assert_int_equal(json_array_size(json_object_get(data, "sequenceResults")), 45);
	assert_int_equal(jx_get_int(data, "gestureStartUptimeMs", 0), 100);
	assert_int_equal(jx_get_int(data, "gestureEndUptimeMs", 0), 900);
	assert_true(jx_get_num(data, "x", 0) == 0.5);
}

static void a_lost_later_chunk_says_what_was_done_before(void **state)
{
	struct pf_step steps[45];
	json_t *data = NULL;
	fill(steps, 45, tap);
	fake.fail_at = 3;
	fake.fail_code = ERR_RUNNER_LOST_REPLY;
	assert_int_equal(run(steps, 45, &data), -ERR_RUNNER_LOST_REPLY);
	assert_int_equal(detail("completedSteps"), 40);
	assert_string_equal(jx_get_str(error.details, "executed", ""), "partly");
	assert_int_equal(fake.n, 3);
}

static void a_bad_step_anywhere_sends_nothing(void **state)
{
	struct pf_step steps[45];
	json_t *data = NULL;
	fill(steps, 45, tap);
	steps[44].x = NAN;
	assert_int_equal(run(steps, 45, &data), -ERR_INVALID_ARGS);
	assert_int_equal(fake.n, 0);
}

#define TEST(f) cmocka_unit_test_teardown(f, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(s20_to_s22_only_known_kinds),
		TEST(s23_count),
		TEST(s24_to_s26_coordinates_and_times),
		TEST(s27_a_request),
		TEST(s28_success),
		TEST(s29_a_failed_step_is_an_error),
		TEST(s30_a_failure_told_only_by_its_entry),
		TEST(s31_a_failure_without_an_entry),
		TEST(s32_to_s34_chunks),
		TEST(s39_a_failure_in_the_only_chunk),
		TEST(s40_a_failure_in_a_later_chunk_is_rebased),
		TEST(s41_chunks_are_put_together),
		TEST(a_lost_later_chunk_says_what_was_done_before),
		TEST(a_bad_step_anywhere_sends_nothing),
	};
	return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
