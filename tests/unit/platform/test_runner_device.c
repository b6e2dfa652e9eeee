/* The interactor over a scripted runner: cases S35-S38, S42, S43, S47, S48 of the runner protocol and
 * what snapshots and single presses become on the wire. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "platform/platform.h"
#include "support/scripted_provider.h"
#include "support/virtual_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK "{\"ok\":true,\"data\":{}}"

struct fixture {
	struct sp runner;
	struct pf_device *device;
	struct error error;
	json_t *data;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	virtual_clock_use(1000);
	sp_init(&f->runner);
	struct cl_provider provider = sp_provider(&f->runner);
	const struct pf_device_info info = { .id = "test", .available = true };
	f->device = calloc(1, sizeof *f->device);
	assert_int_equal(pf_runner_device_init(f->device, &info, &provider, NULL), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	f->runner.alive = false;
	f->device->ops->close(f->device);
	assert_true(f->runner.freed);
	sp_done(&f->runner);
	error_clear(&f->error);
	json_decref(f->data);
	free(f);
	virtual_clock_leave();
	return 0;
}

static int tap(struct fixture *f, struct pf_tap_opts o)
{
	error_clear(&f->error);
	json_decref(f->data);
	f->data = NULL;
	return f->device->ops->tap(f->device, CALL_FOREVER, &o, &f->data, &f->error);
}

/* The n-th request of a command without its id. */
static void assert_sent(struct fixture *f, const char *command, size_t n, const char *want)
{
	const struct sp_request *r = sp_find(&f->runner, command, n);
	assert_non_null(r);
	json_t auto_json *body = json_copy(r->body);
	json_object_del(body, "commandId");
	struct buf auto_buf text;
	buf_init(&text, 100000);
	jx_dump(body, false, &text);
	assert_string_equal(text.data, want);
}

static void s43_one_press_is_one_command(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", "{\"ok\":true,\"data\":{\"activation\":\"coordinate\"}}");
	assert_int_equal(tap(f, (struct pf_tap_opts){ .app = "app", .x = 100, .y = 0.5, .count = 1 }),
	                 0);
	assert_sent(f, "tap", 0, "{\"command\":\"tap\",\"appBundleId\":\"app\",\"x\":100,\"y\":0.5}");
	assert_string_equal(jx_get_str(f->data, "activation", ""), "coordinate");
	assert_string_equal(f->device->trace.preflight, "used");
}

static void an_element_is_sent_with_what_the_caller_saw(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	sp_reply(&f->runner, "longPress", OK);
	sp_reply(&f->runner, "tap", OK);
	struct pf_tap_opts o = {
		.node = "n7", .expect_role = "button", .expect_label = "Save", .x = 9, .count = 1
	};
	o.button = "secondary";
	assert_int_equal(tap(f, o), 0);
	assert_sent(f, "tap", 0,
	            "{\"command\":\"tap\",\"nodeId\":\"n7\",\"expectRole\":\"button\",\"expectLabel\":"
	            "\"Save\",\"button\":\"secondary\"}");
	o.button = "primary";
	o.hold_ms = 700;
	assert_int_equal(tap(f, o), 0);
	assert_sent(f, "longPress", 0,
	            "{\"command\":\"longPress\",\"nodeId\":\"n7\",\"expectRole\":\"button\","
	            "\"expectLabel\":\"Save\",\"durationMs\":700}");
	o.hold_ms = 0;
	o.double_tap = true;
	assert_int_equal(tap(f, o), 0);
	assert_sent(f, "tap", 1,
	            "{\"command\":\"tap\",\"nodeId\":\"n7\",\"expectRole\":\"button\",\"expectLabel\":"
	            "\"Save\",\"count\":2}");
}

static void expect_series(struct fixture *f, struct pf_tap_opts o, const char *steps)
{
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "sequence",
	         "{\"ok\":true,\"data\":{\"completedSteps\":3,\"sequenceResults\":[]}}");
	assert_int_equal(tap(f, o), 0);
	struct buf auto_buf want;
	buf_init(&want, 10000);
	buf_addf(&want, "{\"command\":\"sequence\",\"steps\":[%s]}", steps);
	assert_sent(f, "sequence", 0, want.data);
	assert_string_equal(jx_get_str(f->data, "timingMode", ""), "runner-sequence");
	assert_int_equal(jx_get_int(f->data, "count", 0), o.count);
}

static void s35_jitter(void **state)
{
	struct fixture *f = *state;
	expect_series(
	    f,
	    (struct pf_tap_opts){ .x = 100, .y = 200, .count = 3, .jitter_px = 2, .interval_ms = 40 },
	    "{\"kind\":\"tap\",\"x\":100,\"y\":200,\"pauseMs\":40},{\"kind\":\"tap\",\"x\":102,\"y\":"
	    "200,\"pauseMs\":40},"
	    "{\"kind\":\"tap\",\"x\":100,\"y\":202}");
	assert_string_equal(jx_get_str(f->data, "message", ""), "Tapped (100, 200)");
}

static void s36_holds(void **state)
{
	expect_series(*state, (struct pf_tap_opts){ .x = 1, .y = 2, .count = 3, .hold_ms = 300 },
	              "{\"kind\":\"longPress\",\"x\":1,\"y\":2,\"durationMs\":300},{\"kind\":"
	              "\"longPress\",\"x\":1,\"y\":2,\"durationMs\":300},"
	              "{\"kind\":\"longPress\",\"x\":1,\"y\":2,\"durationMs\":300}");
}

static void s37_interval(void **state)
{
	expect_series(
	    *state, (struct pf_tap_opts){ .x = 1, .y = 2, .count = 2, .interval_ms = 80 },
	    "{\"kind\":\"tap\",\"x\":1,\"y\":2,\"pauseMs\":80},{\"kind\":\"tap\",\"x\":1,\"y\":2}");
}

static void s38_double_taps(void **state)
{
	expect_series(
	    *state,
	    (struct pf_tap_opts){ .x = 1, .y = 2, .count = 2, .interval_ms = 50, .double_tap = true },
	    "{\"kind\":\"doubleTap\",\"x\":1,\"y\":2,\"pauseMs\":50},{\"kind\":\"doubleTap\",\"x\":1,"
	    "\"y\":2}");
}

static void s42_twenty_holds_go_in_three_requests(void **state)
{
	struct fixture *f = *state;
	static const size_t want[] = { 8, 8, 4 };
	sp_reply(&f->runner, "uptime", OK);
	for (int i = 0; i < 3; i++)
		sp_reply(
		    &f->runner, "sequence",
		    "{\"ok\":true,\"data\":{\"completedSteps\":1,\"sequenceResults\":[{\"ok\":true}]}}");
	assert_int_equal(tap(f, (struct pf_tap_opts){ .x = 1, .y = 2, .count = 20, .hold_ms = 2000 }),
	                 0);
	assert_string_equal(sp_order(&f->runner), "uptime sequence sequence sequence");
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
		    json_array_size(json_object_get(sp_find(&f->runner, "sequence", i)->body, "steps")),
		    want[i]);
	assert_string_not_equal(jx_get_str(sp_find(&f->runner, "sequence", 0)->body, "commandId", "?"),
	                        jx_get_str(sp_find(&f->runner, "sequence", 1)->body, "commandId", "?"));
}

/* The element's own point is the runner's affair; only jitter needs to know it beforehand. */
static void a_series_on_an_element(void **state)
{
	struct fixture *f = *state;
	struct pf_tap_opts o = { .node = "n7", .expect_role = "button", .count = 2, .x = 77 };
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(
	    &f->runner, "sequence",
	    "{\"ok\":true,\"data\":{\"x\":5,\"y\":6,\"completedSteps\":2,\"sequenceResults\":[]}}");
	assert_int_equal(tap(f, o), 0);
	assert_sent(f, "sequence", 0,
	            "{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\"},{\"kind\":\"tap\"}],"
	            "\"nodeId\":\"n7\",\"expectRole\":\"button\"}");
	assert_string_equal(jx_get_str(f->data, "message", ""), "Tapped (5, 6)");
	o.jitter_px = 3;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "locate", "{\"ok\":true,\"data\":{\"x\":50,\"y\":60}}");
	sp_reply(&f->runner, "sequence",
	         "{\"ok\":true,\"data\":{\"completedSteps\":2,\"sequenceResults\":[]}}");
	assert_int_equal(tap(f, o), 0);
	assert_sent(f, "sequence", 1,
	            "{\"command\":\"sequence\",\"steps\":[{\"kind\":\"tap\",\"x\":50,\"y\":60},{"
	            "\"kind\":\"tap\",\"x\":53,\"y\":60}],"
	            "\"nodeId\":\"n7\",\"expectRole\":\"button\"}");
}

static void a_jittered_series_on_an_element_without_a_point(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "locate", "{\"ok\":true,\"data\":{\"reason\":\"it is not shown\"}}");
	assert_int_equal(tap(f, (struct pf_tap_opts){ .node = "n7", .count = 2, .jitter_px = 1 }),
	                 -ERR_ELEMENT_NOT_INTERACTABLE);
	assert_non_null(strstr(f->error.message, "it is not shown"));
	assert_int_equal(sp_count(&f->runner, "sequence"), 0);
}

static void another_button_goes_press_by_press(void **state)
{
	struct fixture *f = *state;
	struct pf_tap_opts o = {
		.x = 1, .y = 2, .count = 3, .interval_ms = 100, .button = "secondary"
	};
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	sp_reply(&f->runner, "tap", OK);
	sp_reply(&f->runner, "tap",
	         "{\"ok\":false,\"error\":{\"code\":\"ELEMENT_COVERED\",\"message\":\"dialog\"}}");
	assert_int_equal(tap(f, o), -ERR_ELEMENT_COVERED);
	assert_string_equal(sp_order(&f->runner), "uptime tap tap tap");
	assert_int_equal(jx_get_int(f->error.details, "completedSteps", -1), 2);
	assert_string_equal(jx_get_str(f->error.details, "executed", ""), "partly");
	assert_int_equal(sp_find(&f->runner, "tap", 2)->at_ms - sp_find(&f->runner, "tap", 0)->at_ms,
	                 200);
	o.count = 2;
	sp_reply(&f->runner, "tap", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(tap(f, o), 0);
	assert_string_equal(jx_get_str(f->data, "timingMode", ""), "direct");
	assert_int_equal(jx_get_int(f->data, "completedSteps", 0), 2);
}

static void s47_s48_impossible_series_send_nothing(void **state)
{
	struct fixture *f = *state;
	static const struct pf_tap_opts bad[] = {
		{ .count = 1, .double_tap = true, .hold_ms = 1 },
		{ .count = 1, .double_tap = true, .jitter_px = 1 },
		{ .count = 0 },
		{ .count = 201 },
		{ .count = 2, .interval_ms = 10001 },
		{ .count = 2, .jitter_px = 101 },
		{ .count = 1, .hold_ms = -1 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(tap(f, bad[i]), -ERR_INVALID_ARGS);
	assert_int_equal(f->runner.n_requests, 0);
	assert_int_equal(f->runner.started, 0);
}

static void a_snapshot_becomes_a_tree(void **state)
{
	struct fixture *f = *state;
	struct ui_tree auto_tree tree = { 0 };
	const struct pf_snapshot_opts o = {
		.app = "app", .surface = "desktop", .interactive = true, .raw = true, .depth = 3
	};
	sp_reply(&f->runner, "snapshot",
	         "{\"ok\":true,\"data\":{\"nodes\":[{\"index\":0,\"type\":\"push "
	         "button\",\"role\":\"button\",\"label\":\"Save\","
	         "\"enabled\":true,\"hittable\":true,\"depth\":0}],\"truncated\":false}}");
	assert_int_equal(f->device->ops->snapshot(f->device, CALL_FOREVER, &o, &tree, &f->error), 0);
	assert_int_equal(tree.count, 1);
	assert_string_equal(tree.nodes[0].label, "Save");
	assert_sent(f, "snapshot", 0,
	            "{\"command\":\"snapshot\",\"appBundleId\":\"app\",\"surface\":\"desktop\","
	            "\"interactiveOnly\":true,\"raw\":true,\"depth\":3}");
}

static void a_broken_tree_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct ui_tree auto_tree tree = { 0 };
	const struct pf_snapshot_opts o = { .depth = -1 };
	sp_reply(&f->runner, "snapshot",
	         "{\"ok\":true,\"data\":{\"nodes\":[{\"index\":0,\"type\":\"x\",\"parentIndex\":0,"
	         "\"depth\":0}]}}");
	assert_int_equal(f->device->ops->snapshot(f->device, CALL_FOREVER, &o, &tree, &f->error),
	                 -ERR_COMMAND_FAILED);
	assert_sent(f, "snapshot", 0, "{\"command\":\"snapshot\"}");
}

static void info_and_any_other_command(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "deviceInfo", "{\"ok\":true,\"data\":{\"name\":\"x\"}}");
	assert_int_equal(f->device->ops->info(f->device, CALL_FOREVER, &f->data, &f->error), 0);
	assert_string_equal(jx_get_str(f->data, "name", ""), "x");
	json_t auto_json *request = json_pack("{s:s}", "command", "apps");
	json_t auto_json *data = NULL;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "apps", OK);
	assert_int_equal(f->device->ops->run(f->device, CALL_FOREVER, request, &data, &f->error), 0);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(s43_one_press_is_one_command),
		TEST(an_element_is_sent_with_what_the_caller_saw),
		TEST(s35_jitter),
		TEST(s36_holds),
		TEST(s37_interval),
		TEST(s38_double_taps),
		TEST(s42_twenty_holds_go_in_three_requests),
		TEST(a_series_on_an_element),
		TEST(a_jittered_series_on_an_element_without_a_point),
		TEST(another_button_goes_press_by_press),
		TEST(s47_s48_impossible_series_send_nothing),
		TEST(a_snapshot_becomes_a_tree),
		TEST(a_broken_tree_is_an_error),
		TEST(info_and_any_other_command),
	};
	return cmocka_run_group_tests_name("runner device", tests, NULL, NULL);
}
