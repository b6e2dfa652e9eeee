/* press, longpress, focus, key, swipe, drag: what is sent, and what is said of it. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "support/virtual_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = screen_new();
	screen_open(*state);
	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 300 },
	            { 1, "button", "Save", .x = 10, .y = 10 },
	            { 1, "button", "Cancel", .x = 120, .y = 10 });
	screen_reply("tap", "{\"activation\":\"coordinate\",\"x\":60,\"y\":20.5}");
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static void press_says_what_was_pressed_and_where(void **state)
{
	json_decref(harness_ok(*state, "snapshot", "{\"interactive\":true}"));
	assert_string_equal(screen_text(*state, "press", "{\"target\":\"label=Save\"}"),
	                    "Tapped [button] \"Save\" (60, 20.5)");
	assert_non_null(strstr(screen_text(*state, "press", "{\"target\":\"@e2\"}"),
	                       "Tapped @e2 [button] \"Save\" (60, 20.5)"));
	assert_string_equal(screen_text(*state, "press", "{\"target\":\"7 8\"}"), "Tapped (60, 20.5)");
}

static void press_answers_the_same_as_json(void **state)
{
	auto_json json_t *data = harness_ok(*state, "press", "{\"target\":\"label=Save\"}");

	assert_string_equal(jx_get_str(data, "targetKind", ""), "selector");
	assert_string_equal(jx_get_str(data, "selector", ""), "label=Save");
	assert_string_equal(jx_get_str(data, "role", ""), "button");
	assert_string_equal(jx_get_str(data, "label", ""), "Save");
	assert_string_equal(jx_get_str(data, "activation", ""), "coordinate");
	assert_true(jx_get_num(data, "x", 0) == 60);
	assert_null(json_object_get(data, "currentUptimeMs"));
}

static void a_semantic_activation_is_said(void **state)
{
	screen_reply("tap", "{\"activation\":\"semantic\",\"action\":\"click\","
	                    "\"reason\":\"the window is minimised\"}");
	assert_string_equal(screen_text(*state, "press", "{\"target\":\"label=Save\"}"),
	                    "Tapped [button] \"Save\" by its accessibility action \"click\": "
	                    "the window is minimised");
}

static void refusals_of_the_runner_come_through_with_code_and_hint(void **state)
{
	auto_json json_t *error = NULL;

	screen_fail("tap", "{\"code\":\"ELEMENT_COVERED\",\"message\":\"a dialog lies over it\","
	                   "\"hint\":\"close the dialog\"}");
	error = screen_error(*state, "press", "{\"target\":\"label=Save\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_COVERED");
	assert_string_equal(jx_get_str(error, "hint", ""), "close the dialog");
	assert_int_equal(screen_count("tap"), 1);
}

/* A runner knows no commands of a person: its "see `deft help <command>`" gets the name. */
static void a_call_that_is_wrong_points_to_the_help_of_its_command(void **state)
{
	auto_json json_t *error = NULL;

	screen_fail("tap", "{\"code\":\"INVALID_ARGS\",\"message\":\"outside\","
	                   "\"hint\":\"see `deft help <command>`\"}");
	error = screen_error(*state, "press", "{\"target\":\"10 20\"}");
	assert_string_equal(jx_get_str(error, "hint", ""), "see `deft help press`");
}

static void kinds_of_presses_are_sent_and_named(void **state)
{
	screen_reply("longPress", "{\"x\":60,\"y\":20}");
	assert_string_equal(screen_text(*state, "press", "{\"target\":\"label=Save\",\"holdMs\":300}"),
	                    "Long pressed [button] \"Save\" (60, 20)");
	assert_int_equal(jx_get_int(screen_request("longPress", 0), "durationMs", 0), 300);
	assert_string_equal(
	    screen_text(*state, "press", "{\"target\":\"label=Save\",\"doubleTap\":true}"),
	    "Double-tapped [button] \"Save\" (60, 20.5)");
	assert_int_equal(jx_get_int(screen_request("tap", 0), "count", 0), 2);
	assert_string_equal(
	    screen_text(*state, "click", "{\"target\":\"label=Save\",\"button\":\"secondary\"}"),
	    "Tapped [button] \"Save\" (60, 20.5) with the secondary button");
	assert_string_equal(jx_get_str(screen_request("tap", 1), "button", ""), "secondary");
}

static void a_series_is_one_command(void **state)
{
	screen_reply("sequence", "{\"completedSteps\":3,\"x\":60,\"y\":20}");
	assert_string_equal(screen_text(*state, "press", "{\"target\":\"label=Save\",\"count\":3}"),
	                    "Tapped [button] \"Save\" (60, 20), 3 times");
	assert_int_equal(json_array_size(json_object_get(screen_request("sequence", 0), "steps")), 3);
}

static void impossible_series_press_nothing(void **state)
{
	auto_json json_t *both =
	    screen_error(*state, "press", "{\"target\":\"1 2\",\"doubleTap\":true,\"holdMs\":5}");
	auto_json json_t *too_long =
	    screen_error(*state, "press", "{\"target\":\"1 2\",\"count\":200,\"holdMs\":10000}");

	assert_string_equal(jx_get_str(both, "code", ""), "INVALID_ARGS");
	assert_string_equal(jx_get_str(too_long, "code", ""), "INVALID_ARGS");
	assert_non_null(strstr(jx_get_str(too_long, "hint", ""), "--timeout"));
	assert_int_equal(screen_count(NULL), 0);
}

static void longpress_holds_for_its_time(void **state)
{
	screen_reply("longPress", "{\"x\":60,\"y\":20}");
	assert_string_equal(screen_text(*state, "longpress", "{\"target\":\"label=Save\"}"),
	                    "Long pressed [button] \"Save\" (60, 20) for 800 ms");
	assert_int_equal(jx_get_int(screen_request("longPress", 0), "durationMs", 0), 800);
	assert_string_equal(jx_get_str(screen_request("longPress", 0), "nodeId", ""), "n1:Save");
}

static void focus_goes_to_the_element_or_taps_the_point(void **state)
{
	assert_string_equal(screen_text(*state, "focus", "{\"target\":\"label=Cancel\"}"),
	                    "Focused [button] \"Cancel\"");
	assert_string_equal(jx_get_str(screen_request("focus", 0), "nodeId", ""), "n2:Cancel");
	assert_string_equal(screen_text(*state, "focus", "{\"target\":\"3 4\"}"),
	                    "Tapped (3, 4) to focus what is there");
	assert_int_equal(screen_count("tap"), 1);
}

static void key_sends_the_chord(void **state)
{
	assert_string_equal(screen_text(*state, "key", "{\"keys\":\"ctrl+s\"}"), "Pressed ctrl+s");
	assert_string_equal(jx_get_str(screen_request("key", 0), "keys", ""), "ctrl+s");
}

static void swipes_go_back_and_forth_with_pauses(void **state)
{
	const json_t *steps, *second;

	screen_reply("sequence", "{\"message\":\"sequence\",\"completedSteps\":3}");
	assert_string_equal(
	    screen_text(*state, "swipe",
	                "{\"x1\":1,\"y1\":2,\"x2\":3,\"y2\":4,\"count\":3,\"pauseMs\":50,"
	                "\"pattern\":\"ping-pong\"}"),
	    "Swiped 3 times (ping-pong)");
	assert_int_equal(screen_count("sequence"), 1);
	assert_int_equal(screen_count("drag"), 0);
	steps = json_object_get(screen_request("sequence", 0), "steps");
	assert_int_equal(json_array_size(steps), 3);
	second = json_array_get(steps, 1);
	assert_string_equal(jx_get_str(second, "kind", ""), "drag");
	assert_true(jx_get_num(second, "x", 0) == 3 && jx_get_num(second, "y2", 0) == 2);
	assert_int_equal(jx_get_int(second, "durationMs", 0), 250);
	assert_int_equal(jx_get_int(second, "pauseMs", 0), 50);
	assert_null(json_object_get(json_array_get(steps, 2), "pauseMs"));
}

static void a_broken_series_says_how_far_it_came(void **state)
{
	auto_json json_t *error = NULL;

	screen_reply("sequence", "{\"message\":\"sequence\",\"completedSteps\":1,\"failedStepIndex\":1,"
	                         "\"sequenceResults\":[{\"ok\":true,\"kind\":\"drag\"},{\"ok\":false,"
	                         "\"kind\":\"drag\",\"errorCode\":\"UNSUPPORTED_OPERATION\","
	                         "\"errorMessage\":\"no pointer\"}]}");
	error = screen_error(*state, "swipe", "{\"x1\":1,\"y1\":2,\"x2\":3,\"y2\":4,\"count\":3}");
	assert_int_equal(jx_get_int(json_object_get(error, "details"), "completedSteps", -1), 1);
	assert_int_equal(jx_get_int(json_object_get(error, "details"), "failedStepIndex", -1), 1);
}

static void a_drag_ends_where_the_element_is_now(void **state)
{
	screen_reply("locate", "{\"found\":true,\"x\":170,\"y\":20,\"offscreen\":false}");
	screen_reply("drag", "{\"x\":60,\"y\":20,\"x2\":170,\"y2\":20}");
	assert_string_equal(
	    screen_text(*state, "drag", "{\"from\":\"label=Save\",\"to\":\"label=Cancel\"}"),
	    "Dragged from [button] \"Save\" (60, 20) to [button] \"Cancel\" (170, 20)");
	assert_string_equal(jx_get_str(screen_request("drag", 0), "nodeId", ""), "n1:Save");
	assert_true(jx_get_num(screen_request("drag", 0), "x2", 0) == 170);
	assert_string_equal(jx_get_str(screen_request("locate", 0), "nodeId", ""), "n2:Cancel");
}

static void a_drag_to_what_is_not_visible_is_refused(void **state)
{
	auto_json json_t *error = NULL;

	screen_reply("locate", "{\"found\":true,\"offscreen\":true}");
	error = screen_error(*state, "drag", "{\"from\":\"label=Save\",\"to\":\"label=Cancel\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_OFFSCREEN");
	assert_int_equal(screen_count("drag"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(press_says_what_was_pressed_and_where),
		CASE(press_answers_the_same_as_json),
		CASE(a_semantic_activation_is_said),
		CASE(refusals_of_the_runner_come_through_with_code_and_hint),
		CASE(a_call_that_is_wrong_points_to_the_help_of_its_command),
		CASE(kinds_of_presses_are_sent_and_named),
		CASE(a_series_is_one_command),
		CASE(impossible_series_press_nothing),
		CASE(longpress_holds_for_its_time),
		CASE(focus_goes_to_the_element_or_taps_the_point),
		CASE(key_sends_the_chord),
		CASE(swipes_go_back_and_forth_with_pauses),
		CASE(a_broken_series_says_how_far_it_came),
		CASE(a_drag_ends_where_the_element_is_now),
		CASE(a_drag_to_what_is_not_visible_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
