/* adjust and adjust_control over the daemon's whole request path, on a control that really moves. Named
 * cases of the specification stand beside the tests that prove them. */
#include "cmd_screen.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "command/element_id.h"
#include "support/virtual_clock.h"
#include "ui/tree_json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* --- a control ------------------------------------------------------------------------------------- */

static struct {
	const char *label; /* the one that moves; other elements have no value */
	double value, min, max, step;
	bool set, increment, decrement, enabled, stuck, shuffled;
	bool label_tells;             /* its label carries the value: "20%" */
	unsigned snapshot_fails_from; /* the n-th capture and later ones fail, 0: none */
	unsigned snapshots;
} gain;

static void show(void)
{
	char label[32];

	snprintf(label, sizeof(label), "%d%%", (int)round(gain.value * 100));
	SCREEN_SHOW({ 0, "window", "Demo", .width = 1000, .height = 1000 },
	            { 1, "text", "Loudness", NULL, "", 0, 450 },
	            { 1, "slider", gain.label_tells ? label : "Gain", "0.2", "", 100, 500, 800, 60 },
	            { 1, "button", "Save", NULL, "", 10, 210 });
}

static void put_control(json_t *o)
{
	const bool offers[] = { gain.set, gain.increment, gain.decrement };
	static const char *const names[] = { "canSet", "canIncrement", "canDecrement" };

	for (size_t i = 0; i < 3; i++) {
		size_t k = gain.shuffled ? 2 - i : i;

		jx_set_bool(o, names[k], offers[k]);
	}
	jx_set_num(o, "value", gain.value);
	jx_set_num(o, "min", gain.min);
	jx_set_num(o, "max", gain.max);
	if (gain.step > 0)
		jx_set_num(o, "step", gain.step);
	jx_set_bool(o, "enabled", gain.enabled);
	jx_set_bool(o, "visible", true);
	jx_set(o, "rect",
	       json_pack("{s:i,s:i,s:i,s:i}", "x", 100, "y", 500, "width", 800, "height", 60));
}

/* The reply to this very request: as many readings as it asks for. */
static void answer(const json_t *request, const char *command)
{
	auto_json json_t *data = json_object();
	json_t *readings = json_array();
	bool other = strstr(jx_get_str(request, "nodeId", ""), "Save") ||
	             strstr(jx_get_str(request, "nodeId", ""), "Loudness");

	for (int64_t i = jx_get_int(request, "reads", 1); i > 0; i--) {
		json_t *one = json_object();

		if (!other)
			put_control(one);
		json_array_append_new(readings, one);
	}
	json_object_update(data, json_array_get(readings, 0));
	if (json_array_size(readings) > 1)
		json_object_set(data, "readings", readings);
	json_decref(readings);
	auto_free char *text = json_dumps(data, 0);
	screen_reply(command, text);
}

static void on_request(const json_t *request)
{
	const char *command = jx_get_str(request, "command", "");
	const char *direction = jx_get_str(request, "direction", "");

	if (!strcmp(command, "snapshot")) {
		gain.snapshots++;
		if (gain.snapshot_fails_from && gain.snapshots >= gain.snapshot_fails_from)
			screen_fail("snapshot", "{\"code\":\"COMMAND_FAILED\",\"message\":\"no tree\"}");
	}
	if (!strcmp(command, "setValue") && !gain.stuck)
		gain.value = jx_get_num(request, "value", 0);
	if (!strcmp(command, "step") && !gain.stuck)
		gain.value += !strcmp(direction, "increment") ? gain.step : -gain.step;
	if (!strcmp(command, "tap") && !gain.stuck)
		gain.value = gain.min + (jx_get_num(request, "x", 0) - 100) / 800 * (gain.max - gain.min);
	if (strcmp(command, "snapshot") != 0)
		answer(request, command);
	show();
}

static int set_up(void **state)
{
	*state = screen_new();
	memset(&gain, 0, sizeof(gain));
	gain.value = 0.2;
	gain.max = 1;
	gain.set = gain.enabled = true;
	screen_open(*state);
	show();
	screen_on_request(on_request);
	return 0;
}

static int tear_down(void **state)
{
	screen_on_request(NULL);
	screen_free(*state);
	return 0;
}

/* --- helpers --------------------------------------------------------------------------------------- */

static size_t operations(void)
{
	return screen_count("setValue") + screen_count("step") + screen_count("tap");
}

static json_t *adjust(struct harness *h, const char *args)
{
	return harness_ok(h, "adjust_control", args);
}

/* The envelope of a failure with this code; nothing was done to the device. */
static json_t *refused(struct harness *h, const char *args, const char *code)
{
	auto_json json_t *error = screen_error(h, "adjust_control", args);
	json_t *envelope = json_object_get(json_object_get(error, "details"), "envelope");

	assert_string_equal(jx_get_str(error, "code", ""), code);
	assert_non_null(envelope);
	assert_string_equal(jx_get_str(envelope, "failure_code", ""), code);
	assert_int_equal(jx_get_int(envelope, "attempts", -1), 0);
	assert_int_equal(operations(), 0);
	return json_incref(envelope);
}

static const char *detail(const json_t *envelope, const char *key)
{
	return jx_get_str(json_object_get(envelope, "details"), key, "");
}

static double actual(const json_t *envelope)
{
	return jx_get_num(json_object_get(envelope, "actual_state"), "value", NAN);
}

static void take_id(const json_t *envelope, char out[ELEMENT_ID_SIZE])
{
	const json_t *resolved = json_object_get(json_object_get(envelope, "target"), "resolved");

	snprintf(out, ELEMENT_ID_SIZE, "%s", jx_get_str(resolved, "elementId", ""));
	assert_true(element_id_valid(out));
}

static const char *by_id(const char *id, double target)
{
	static char args[160];

	snprintf(args, sizeof(args), "{\"element_id\":\"%s\",\"targetValue\":%g}", id, target);
	return args;
}

/* --- what names the control ------------------------------------------------------------------------ */

/* C01, C02, C07, C12, C26 */
static void a_selector_and_its_element_id_do_the_same(void **state)
{
	auto_json json_t *first = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}");
	char id[ELEMENT_ID_SIZE], args[160];

	assert_int_equal(jx_get_int(first, "attempts", 0), 1);
	assert_true(actual(first) == 0.65);
	assert_string_equal(jx_get_str(first, "adjustment_mode", ""), "semantic");
	assert_true(jx_get_num(json_object_get(first, "target_state"), "tolerance", 0) == 0.01);
	assert_string_equal(jx_get_str(json_object_get(first, "target_state"), "property", ""),
	                    "value");
	take_id(first, id);
	gain.value = 0.2;
	snprintf(args, sizeof(args), "{\"selector\":null,\"element_id\":\"%s\",\"targetValue\":0.65}",
	         id);
	auto_json json_t *second = adjust(*state, args);
	assert_true(actual(second) == 0.65);
	assert_int_equal(jx_get_int(second, "attempts", 0), 1);
	assert_int_equal(screen_count("setValue"), 2);
}

/* C03, C04, C05, C06, C08 */
static void exactly_one_target_or_nothing_happens(void **state)
{
	static const char *const args[] = {
		"{\"targetValue\":1,\"selector\":\"label=Gain\",\"element_id\":\"el_0123456789abcdef01234567\"}",
		"{\"targetValue\":1}",
		"{\"targetValue\":1,\"selector\":\"\"}",
		"{\"targetValue\":1,\"selector\":\"   \"}",
		"{\"targetValue\":1,\"element_id\":\"\"}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(args); i++) {
		auto_json json_t *e = refused(*state, args[i], "ELEMENT_NOT_FOUND");

		assert_true(json_is_false(json_object_get(e, "retryable")));
		assert_string_equal(detail(e, "reason_code"), "no_target");
		assert_int_equal(screen_count(NULL), 0);
	}
}

/* C09, C27 */
static void an_id_that_is_none_of_this_screen_is_not_found(void **state)
{
	auto_json json_t *first = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.3}");
	auto_json json_t *shown = harness_ok(*state, "snapshot", "{\"raw\":true}");
	auto_tree struct ui_tree tree = { 0 };
	char id[ELEMENT_ID_SIZE], own[ELEMENT_ID_SIZE];

	take_id(first, own);
	assert_int_equal(ui_tree_from_json(shown, &tree, NULL), 0);
	assert_true(element_id_of(&tree, "linux", 2, id));
	assert_string_equal(id, own);
	assert_true(element_id_of(&tree, "android", 2, id));
	assert_string_not_equal(id, own);
	screen_forget();
	auto_json json_t *other = refused(*state, by_id(id, 0.5), "ELEMENT_NOT_FOUND");
	assert_true(json_is_true(json_object_get(other, "retryable")));
	screen_forget();
	json_decref(refused(*state, by_id("el_ffffffffffffffffffffffff", 0.5), "ELEMENT_NOT_FOUND"));
	screen_forget();
	json_decref(refused(*state, by_id("el_short", 0.5), "ELEMENT_NOT_FOUND"));
	assert_int_equal(screen_count(NULL), 0);
}

/* C10: it may still appear, so it is looked for until the resolve deadline, and no longer. */
static void what_is_not_there_is_waited_for_a_while(void **state)
{
	int64_t start = virtual_clock_now();
	auto_json json_t *e =
	    refused(*state, "{\"selector\":\"label=Nowhere\",\"targetValue\":1}", "ELEMENT_NOT_FOUND");
	int64_t took = virtual_clock_now() - start;

	assert_true(json_is_true(json_object_get(e, "retryable")));
	assert_in_range(took, LIM_ADJUST_RESOLVE_MS, LIM_ADJUST_RESOLVE_MS + LIM_WAIT_POLL_MS);
	assert_true(gain.snapshots > 10);
}

static void shows_late(const json_t *request)
{
	on_request(request);
	if (gain.snapshots < 8)
		SCREEN_SHOW({ 0, "window", "Demo" });
}

static void what_appears_in_time_is_adjusted(void **state)
{
	screen_on_request(shows_late);
	auto_json json_t *e = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}");
	assert_true(actual(e) == 0.65);
}

/* C11 */
static void a_selector_is_exact(void **state)
{
	json_decref(
	    refused(*state, "{\"selector\":\"label=Gai\",\"targetValue\":0.5}", "ELEMENT_NOT_FOUND"));
}

static void two(const char *role, const char *other)
{
	SCREEN_SHOW({ 0, "window", "Demo", .width = 1000, .height = 1000 },
	            { 1, role, "Gain", NULL, "", 0, 450 },
	            { 1, other, "Gain", "0.2", "", 100, 500, 800, 60 });
}

static void shows_label_and_slider(const json_t *request)
{
	on_request(request);
	two("text", "slider");
}

static void shows_two_sliders(const json_t *request)
{
	on_request(request);
	two("slider", "slider");
}

/* C28 */
static void of_a_label_and_a_slider_the_slider_is_meant(void **state)
{
	screen_on_request(shows_label_and_slider);
	auto_json json_t *e = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}");
	assert_true(actual(e) == 0.65);
	assert_string_equal(jx_get_str(screen_request("setValue", 0), "nodeId", ""), "n2:Gain");
}

/* C29 */
static void of_two_sliders_none_is_chosen(void **state)
{
	screen_on_request(shows_two_sliders);
	auto_json json_t *e =
	    refused(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}", "ELEMENT_NOT_FOUND");
	const json_t *details = json_object_get(e, "details");

	assert_int_equal(json_array_size(json_object_get(details, "alternates")), 2);
	assert_string_equal(detail(e, "reason_code"), "ambiguous");
}

static bool first_has_no_control(const json_t *request)
{
	return !strncmp(jx_get_str(request, "nodeId", ""), "n1", 2);
}

static void only_the_second_is_a_control(const json_t *request)
{
	on_request(request);
	two("slider", "slider");
	if (first_has_no_control(request))
		screen_reply("readControl", "{\"enabled\":true}");
}

/* G18: roles prove nothing; of two that look alike the one with a proven way is meant. */
static void the_only_control_with_a_proven_way_is_meant(void **state)
{
	screen_on_request(only_the_second_is_a_control);
	auto_json json_t *e = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}");
	assert_string_equal(jx_get_str(screen_request("setValue", 0), "nodeId", ""), "n2:Gain");
	assert_true(actual(e) == 0.65);
}

static void a_ref_is_as_good_as_a_selector(void **state)
{
	auto_json json_t *shown = harness_ok(*state, "snapshot", "{\"interactive\":true}");
	const json_t *nodes = json_object_get(shown, "nodes");
	const char *ref = NULL, *id = NULL;
	char args[64];

	for (size_t i = 0; i < json_array_size(nodes); i++) {
		const json_t *n = json_array_get(nodes, i);

		if (!strcmp(jx_get_str(n, "role", ""), "slider")) {
			ref = jx_get_str(n, "ref", NULL);
			id = jx_get_str(n, "elementId", NULL);
		} else
			assert_null(json_object_get(n, "elementId"));
	}
	assert_non_null(ref);
	assert_non_null(id);
	snprintf(args, sizeof(args), "{\"target\":\"@%s\",\"value\":0.5}", ref);
	screen_forget();
	assert_string_equal(screen_text(*state, "adjust", args),
	                    "Gain was 0.2, asked 0.5; now 0.5 (set directly, 1 attempt)");
	assert_int_equal(screen_count(NULL), 2); /* readControl, setValue */
	auto_json json_t *e = adjust(*state, by_id(id, 0.6));
	assert_true(actual(e) == 0.6);
	snprintf(args, sizeof(args), "{\"target\":\"@e99\",\"value\":0.5}");
	assert_string_equal(harness_error(*state, "adjust", args), "ELEMENT_NOT_FOUND");
}

/* S33, I15: the label carries the value, so the id leaves it out, and no label is expected. */
static void an_id_outlives_the_text_that_carries_the_value(void **state)
{
	char id[ELEMENT_ID_SIZE];

	gain.label_tells = true;
	gain.set = false;
	gain.increment = gain.decrement = true;
	gain.step = 0.1;
	auto_json json_t *first = adjust(*state, "{\"selector\":\"role=slider\",\"targetValue\":0.5}");
	assert_int_equal(jx_get_int(first, "attempts", 0), 3);
	take_id(first, id);
	auto_json json_t *second = adjust(*state, by_id(id, 0.3));
	assert_int_equal(jx_get_int(second, "attempts", 0), 2);
	for (size_t i = 0; i < screen_count("step"); i++)
		assert_null(json_object_get(screen_request("step", i), "expectLabel"));
}

/* --- arguments ------------------------------------------------------------------------------------- */

/* C16, C20, T01, M01, M02, M03: nothing reaches the device. */
static void wrong_arguments_are_refused_before_the_device_is_asked(void **state)
{
	static const char *const args[] = {
		"{\"selector\":\"label=Gain\"}",
		"{\"selector\":\"label=Gain\",\"targetValue\":null}",
		"{\"selector\":\"label=Gain\",\"targetValue\":true}",
		"{\"selector\":\"label=Gain\",\"targetValue\":[30]}",
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"tolerance\":-1}",
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"maxAttempts\":0}",
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"maxAttempts\":-3}",
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"maxAttempts\":2.7}",
		"{\"selector\":\"Gain\",\"targetValue\":1}",
		"{\"selector\":\"120 44\",\"targetValue\":1}",
		"{\"selector\":\"label=\",\"targetValue\":1}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		if (strcmp(harness_error(*state, "adjust_control", args[i]), "INVALID_ARGS") != 0)
			fail_msg("%s is not refused", args[i]);
	assert_int_equal(screen_count(NULL), 0);
}

/* C14, C15 */
static void other_properties_are_not_adjustable(void **state)
{
	static const char *const args[] = {
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"property\":\"checked\"}",
		"{\"selector\":\"label=Gain\",\"targetValue\":1,\"property\":\"\"}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		json_decref(refused(*state, args[i], "ELEMENT_NOT_INTERACTABLE"));
}

/* C25: the four parameters, unchanged, down to the device and back. */
static void the_parameters_arrive_unchanged(void **state)
{
	gain.max = 100;
	gain.stuck = true;
	auto_json json_t *error =
	    screen_error(*state, "adjust_control",
	                 "{\"selector\":\"label=Gain\",\"property\":\"value\",\"targetValue\":12.5,"
	                 "\"tolerance\":0.25,\"maxAttempts\":2}");
	const json_t *e = json_object_get(json_object_get(error, "details"), "envelope");
	const json_t *wish = json_object_get(e, "target_state");

	assert_int_equal(screen_count("setValue"), 2);
	assert_true(jx_get_num(screen_request("setValue", 0), "value", 0) == 12.5);
	assert_true(jx_get_num(wish, "target_value", 0) == 12.5);
	assert_true(jx_get_num(wish, "tolerance", 0) == 0.25);
	assert_string_equal(jx_get_str(wish, "property", ""), "value");
	assert_string_equal(jx_get_str(e, "failure_code", ""), "CONTROL_CONVERGENCE_FAILED");
	assert_true(actual(e) == 0.2);
}

/* M07 */
static void null_means_not_given(void **state)
{
	gain.stuck = true;
	json_decref(
	    screen_error(*state, "adjust_control",
	                 "{\"selector\":\"label=Gain\",\"targetValue\":0.9,\"maxAttempts\":null,"
	                 "\"tolerance\":null,\"property\":null}"));
	assert_int_equal(screen_count("setValue"), 5);
}

/* C30 */
static void an_unknown_argument_is_left_out_and_that_is_said(void **state)
{
	auto_json json_t *response =
	    harness_run(*state, "adjust_control",
	                "{\"selector\":\"label=Gain\",\"targetValue\":0.65,\"force\":true}");
	const char *notice = json_string_value(json_array_get(json_object_get(response, "notices"), 0));

	assert_true(jx_get_bool(response, "ok", false));
	assert_true(actual(json_object_get(response, "data")) == 0.65);
	assert_non_null(notice);
	assert_non_null(strstr(notice, "\"force\""));
}

/* --- requests and truth ---------------------------------------------------------------------------- */

/* A selector, a direct set: one capture, one reading request, one write that reads back. */
static void a_direct_adjustment_takes_three_requests(void **state)
{
	json_decref(harness_ok(*state, "adjust", "{\"target\":\"label=Gain\",\"value\":0.65}"));
	assert_int_equal(screen_count(NULL), 3);
	assert_int_equal(screen_count("snapshot"), 1);
	assert_int_equal(screen_count("readControl"), 1);
	assert_int_equal(screen_count("setValue"), 1);
	assert_int_equal(jx_get_int(screen_request("readControl", 0), "reads", 0), 2);
	assert_string_equal(jx_get_str(screen_request("readControl", 0), "expectLabel", ""), "Gain");
	assert_string_equal(jx_get_str(screen_request("setValue", 0), "expectRole", ""), "slider");
}

static void coordinates_go_to_the_element(void **state)
{
	gain.set = false;
	gain.max = 100;
	gain.value = 10;
	auto_json json_t *e = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":65}");
	const json_t *tap = screen_request("tap", 0);

	assert_string_equal(jx_get_str(e, "adjustment_mode", ""), "coordinate");
	assert_true(jx_get_num(tap, "x", 0) == 620 && jx_get_num(tap, "y", 0) == 530);
	assert_string_equal(jx_get_str(tap, "nodeId", ""), "n2:Gain");
	assert_int_equal(screen_count("tap"), 1);
}

static void what_lies_over_the_track_ends_it(void **state)
{
	gain.set = false;
	screen_fail("tap", "{\"code\":\"ELEMENT_COVERED\",\"message\":\"covered by Help\"}");
	auto_json json_t *error =
	    screen_error(*state, "adjust", "{\"target\":\"label=Gain\",\"value\":0.65}");
	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_NOT_INTERACTABLE");
	assert_string_equal(screen_reason(error), "not_visible");
	assert_int_equal(screen_count("tap"), 1);
}

static void a_lost_device_is_unknown(void **state)
{
	screen_fail("setValue", "{\"code\":\"RUNNER_LOST_REPLY\",\"message\":\"gone\"}");
	auto_json json_t *error =
	    screen_error(*state, "adjust", "{\"target\":\"label=Gain\",\"value\":0.65}");
	const json_t *e = json_object_get(json_object_get(error, "details"), "envelope");

	assert_string_equal(jx_get_str(error, "code", ""), "UNKNOWN");
	assert_string_equal(screen_reason(error), "device_lost");
	assert_true(json_is_null(json_object_get(e, "actual_state")));
	assert_int_equal(screen_count("setValue"), 1);
}

static void a_value_that_can_not_be_read_back_is_not_claimed(void **state)
{
	(void)state;
	screen_fail("setValue", "{\"code\":\"NO_EFFECT\",\"message\":\"it did not move\"}");
	gain.stuck = true;
	auto_json json_t *error =
	    screen_error(*state, "adjust", "{\"target\":\"label=Gain\",\"value\":0.65}");
	assert_string_equal(jx_get_str(error, "code", ""), "CONTROL_CONVERGENCE_FAILED");
	assert_string_equal(screen_reason(error), "unchanged");
	assert_int_equal(screen_count("setValue"), 5);
}

static void time_that_runs_out_is_told(void **state)
{
	screen_takes("setValue", 2000);
	gain.stuck = true;
	auto_json json_t *response = harness_call(
	    *state, &(struct harness_call){ .command = "adjust",
	                                    .args = "{\"target\":\"label=Gain\",\"value\":0.65}",
	                                    .deadline_ms = 5000 });
	const json_t *error = json_object_get(response, "error");

	assert_string_equal(jx_get_str(error, "code", ""), "CONTROL_CONVERGENCE_FAILED");
	assert_string_equal(screen_reason(error), "deadline");
	assert_in_range(screen_count("setValue"), 2, 3);
}

/* V11 */
static void a_fingerprint_that_fails_fails_nothing(void **state)
{
	auto_json json_t *with = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.5}");
	assert_int_equal(strlen(jx_get_str(with, "ui_fingerprint_before", "")), 16);
	assert_int_equal(strlen(jx_get_str(with, "ui_fingerprint_after", "")), 16);
	gain.snapshot_fails_from = gain.snapshots + 2;
	auto_json json_t *without = adjust(*state, "{\"selector\":\"label=Gain\",\"targetValue\":0.7}");
	assert_true(json_is_null(json_object_get(without, "ui_fingerprint_after")));
	assert_true(actual(without) == 0.7);
}

/* --- determinism ----------------------------------------------------------------------------------- */

/* Without what is allowed to differ: the action id and the time stamps. */
static char *timeless(const json_t *envelope)
{
	json_t *e = json_deep_copy(envelope), *trace = json_object_get(e, "trace"), *step;
	size_t i;

	json_object_del(e, "action_id");
	json_object_del(e, "timestamp");
	json_object_del(trace, "action_id");
	json_array_foreach(json_object_get(trace, "steps"), i, step) json_object_del(step, "timestamp");
	char *text = json_dumps(e, JSON_SORT_KEYS);
	json_decref(e);
	return text;
}

static char *one_run(struct harness *h)
{
	gain.value = 0.2;
	auto_json json_t *e = adjust(h, "{\"selector\":\"label=Gain\",\"targetValue\":0.65}");
	return timeless(e);
}

static int64_t wall_back(void *ctx)
{
	return virtual_clock_now() - (operations() ? 3600000 : 0);
}

static int64_t steady(void *ctx)
{
	return virtual_clock_now();
}

static void advance(void *ctx, int64_t ms)
{
	virtual_clock_advance(ms);
}

/* D01, D02 (the order of what is offered), D05 (the wall clock goes back an hour in the middle). */
static void equal_controls_give_equal_answers(void **state)
{
	static const struct clock_source jumping = { .now_ms = steady,
		                                         .wall_ms = wall_back,
		                                         .advance = advance };
	auto_free char *first = one_run(*state);
	auto_free char *again = one_run(*state);
	gain.shuffled = true;
	auto_free char *shuffled = one_run(*state);
	screen_forget();
	clock_set_source(&jumping);
	auto_free char *jumped = one_run(*state);
	virtual_clock_use(virtual_clock_now());
	assert_string_equal(again, first);
	assert_string_equal(shuffled, first);
	assert_string_equal(jumped, first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_selector_and_its_element_id_do_the_same),
		CASE(exactly_one_target_or_nothing_happens),
		CASE(an_id_that_is_none_of_this_screen_is_not_found),
		CASE(what_is_not_there_is_waited_for_a_while),
		CASE(what_appears_in_time_is_adjusted),
		CASE(a_selector_is_exact),
		CASE(of_a_label_and_a_slider_the_slider_is_meant),
		CASE(of_two_sliders_none_is_chosen),
		CASE(the_only_control_with_a_proven_way_is_meant),
		CASE(a_ref_is_as_good_as_a_selector),
		CASE(an_id_outlives_the_text_that_carries_the_value),
		CASE(wrong_arguments_are_refused_before_the_device_is_asked),
		CASE(other_properties_are_not_adjustable),
		CASE(the_parameters_arrive_unchanged),
		CASE(null_means_not_given),
		CASE(an_unknown_argument_is_left_out_and_that_is_said),
		CASE(a_direct_adjustment_takes_three_requests),
		CASE(coordinates_go_to_the_element),
		CASE(what_lies_over_the_track_ends_it),
		CASE(a_lost_device_is_unknown),
		CASE(a_value_that_can_not_be_read_back_is_not_claimed),
		CASE(time_that_runs_out_is_told),
		CASE(a_fingerprint_that_fails_fails_nothing),
		CASE(equal_controls_give_equal_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
