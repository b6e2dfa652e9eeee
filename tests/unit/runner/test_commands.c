/* Every command against the scripted backend, without the transport. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "harness.h"
#include "runner/dispatch.h"
#include "wire/runner_msg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	struct fake_backend fake;
	struct rc_env env;
};

static struct fixture fx;

static int setup(void **state)
{
	fake_init(&fx.fake);
	fx.env = (struct rc_env){ .backend = &fx.fake.head };
	return 0;
}

static int teardown(void **state)
{
	fx.fake.head.ops->close(&fx.fake.head);
	return 0;
}

/* Runs a body (single quotes stand for double ones). */
static int run(const char *body, json_t **ret, struct error *e)
{
	struct wire_request r;
	char text[4096];

	snprintf(text, sizeof(text), "%s", body);
	for (char *p = text; *p; p++)
		if (*p == '\'')
			*p = '"';
	fake_clear_log(&fx.fake);
	if (wire_request_parse(text, strlen(text), &r, e) < 0)
		fail_msg("%s", e->message);
	int status = rc_execute(&fx.env, &r, CALL_FOREVER, ret, e);
	wire_request_done(&r);
	return status;
}

static json_t *done(const char *body)
{
	struct error auto_error e = ERROR_INIT;
	json_t *data = NULL;

	if (run(body, &data, &e) < 0)
		fail_msg("%s: %s", body, e.message);
	assert_non_null(data);
	return data;
}

static void assert_refused(const char *body, int code, const char *part)
{
	struct error auto_error e = ERROR_INIT;
	json_t *data = NULL;

	assert_int_equal(run(body, &data, &e), -code);
	assert_null(data);
	if (!strstr(e.message, part))
		fail_msg("\"%s\" does not say \"%s\"", e.message, part);
}

static void assert_message(const json_t *data, const char *want)
{
	assert_string_equal(jx_get_str(data, "message", ""), want);
}

static void assert_log(const char *want)
{
	assert_string_equal(fx.fake.log, want);
}

/* --- tap, longPress, drag -------------------------------------------------------------------- */

static void tap_presses_the_located_point(void **state)
{
	auto_json json_t *d = done("{'command':'tap','nodeId':'save','expectRole':'button',"
	                           "'expectLabel':'Save'}");

	assert_log("tap 70,40 n=1 h=0 b=0 save;");
	assert_message(d, "tapped");
	assert_string_equal(jx_get_str(d, "activation", ""), "coordinate");
	assert_string_equal(jx_get_str(d, "label", ""), "Save");
	assert_string_equal(jx_get_str(d, "role", ""), "button");
	assert_int_equal(jx_get_int(d, "x", 0), 70);
	assert_int_equal(jx_get_int(d, "referenceHeight", 0), FAKE_HEIGHT);
	assert_true(jx_get_num(d, "gestureEndUptimeMs", 0) >= jx_get_num(d, "gestureStartUptimeMs", 1));
}

static void taps_have_forms(void **state)
{
	json_decref(done("{'command':'tap','x':5,'y':6}"));
	assert_log("tap 5,6 n=1 h=0 b=0 -;");
	json_decref(done("{'command':'tap','x':0,'y':0,'count':2,'button':'secondary'}"));
	assert_log("tap 0,0 n=2 h=0 b=1 -;");
	json_decref(done("{'command':'tap','x':5,'y':6,'durationMs':300}"));
	assert_log("tap 5,6 n=1 h=300 b=0 -;");
	json_decref(done("{'command':'tap','selectorKey':'id','selectorValue':'SAVE'}"));
	assert_log("tap 70,40 n=1 h=0 b=0 save;");
}

static void a_point_of_an_element_is_pressed(void **state)
{
	json_decref(done("{'command':'tap','nodeId':'save','x':25,'y':30}"));
	assert_log("tap 25,30 n=1 h=0 b=0 save;");
	assert_refused("{'command':'tap','nodeId':'save','x':150,'y':30}", ERR_ELEMENT_NOT_INTERACTABLE,
	               "not on the element");
	assert_refused("{'command':'tap','nodeId':'nowhere','x':150,'y':30}",
	               ERR_ELEMENT_NOT_INTERACTABLE, "not on the element");
	assert_log("");
}

static void the_gate_refuses_before_any_input(void **state)
{
	static const struct {
		const char *body;
		int code;
		const char *part;
	} cases[] = {
		{ "{'command':'tap','nodeId':'gone'}", ERR_ELEMENT_STALE, "gone" },
		{ "{'command':'tap','nodeId':'save','expectLabel':'Other'}", ERR_ELEMENT_STALE, "is now" },
		{ "{'command':'tap','nodeId':'off'}", ERR_ELEMENT_DISABLED, "disabled" },
		{ "{'command':'tap','nodeId':'below'}", ERR_ELEMENT_OFFSCREEN, "outside" },
		{ "{'command':'tap','nodeId':'under'}", ERR_ELEMENT_COVERED, "Cookie banner" },
		{ "{'command':'longPress','nodeId':'under'}", ERR_ELEMENT_COVERED, "Cookie banner" },
		{ "{'command':'drag','nodeId':'off','x2':1,'y2':1}", ERR_ELEMENT_DISABLED, "disabled" },
		{ "{'command':'sequence','nodeId':'off','steps':[{'kind':'tap'}]}", ERR_ELEMENT_DISABLED,
		  "" },
		{ "{'command':'type','nodeId':'off','text':'x'}", ERR_ELEMENT_DISABLED, "" },
		{ "{'command':'focus','nodeId':'off'}", ERR_ELEMENT_DISABLED, "" },
		{ "{'command':'performAction','nodeId':'off'}", ERR_ELEMENT_DISABLED, "" },
		{ "{'command':'setValue','nodeId':'off','value':1}", ERR_ELEMENT_DISABLED, "" },
		{ "{'command':'scroll','nodeId':'below','direction':'up'}", ERR_ELEMENT_OFFSCREEN, "" },
		{ "{'command':'screenshot','nodeId':'below','inlineScreenshot':true}",
		  ERR_ELEMENT_OFFSCREEN, "" },
		{ "{'command':'tap','selectorKey':'label','selectorValue':'Twin'}", ERR_AMBIGUOUS_MATCH,
		  "2" },
		{ "{'command':'tap','selectorKey':'label','selectorValue':'Nil'}", ERR_ELEMENT_NOT_FOUND,
		  "" },
		{ "{'command':'tap','selectorKey':'class','selectorValue':'x'}", ERR_INVALID_ARGS,
		  "selectorKey" },
		{ "{'command':'tap'}", ERR_INVALID_ARGS, "tap requires" },
		{ "{'command':'tap','x':1}", ERR_INVALID_ARGS, "tap requires" },
		{ "{'command':'tap','x':400,'y':1}", ERR_INVALID_ARGS, "outside of the 400 x 800 screen" },
		{ "{'command':'tap','x':-1,'y':1}", ERR_INVALID_ARGS, "outside" },
		{ "{'command':'tap','x':1e300,'y':1}", ERR_INVALID_ARGS, "outside" },
		{ "{'command':'tap','x':1,'y':1,'button':'left'}", ERR_INVALID_ARGS, "button: left" },
		{ "{'command':'tap','x':1,'y':1,'count':3}", ERR_INVALID_ARGS, "sequence" },
		{ "{'command':'tap','x':1,'y':1,'appBundleId':'missing'}", ERR_APP_NOT_RUNNING, "missing" },
		{ "{'command':'drag','x':1,'y':1,'x2':5}", ERR_INVALID_ARGS, "drag requires" },
		{ "{'command':'drag','x':1,'y':1,'x2':5,'y2':900}", ERR_INVALID_ARGS, "outside" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_refused(cases[i].body, cases[i].code, cases[i].part);
		assert_log("");
	}
}

static void without_a_point_the_semantic_action_is_declared(void **state)
{
	auto_json json_t *d = done("{'command':'tap','nodeId':'nowhere'}");

	assert_log("perform nowhere;");
	assert_string_equal(jx_get_str(d, "activation", ""), "semantic");
	assert_string_equal(jx_get_str(d, "action", ""), "press");
	assert_string_equal(jx_get_str(d, "reason", ""), "it has no place");
	assert_null(json_object_get(d, "x"));
	assert_refused("{'command':'tap','nodeId':'nothing'}", ERR_ELEMENT_NOT_INTERACTABLE,
	               "no place");
	assert_refused("{'command':'longPress','nodeId':'nowhere'}", ERR_ELEMENT_NOT_INTERACTABLE, "");
	assert_refused("{'command':'tap','nodeId':'nowhere','count':2}", ERR_ELEMENT_NOT_INTERACTABLE,
	               "");
	assert_log("");
}

static void long_presses_hold(void **state)
{
	auto_json json_t *d = done("{'command':'longPress','x':5,'y':6}");

	assert_message(d, "long pressed");
	assert_log("tap 5,6 n=1 h=800 b=0 -;");
	json_decref(done("{'command':'longPress','x':5,'y':6,'durationMs':5}"));
	assert_log("tap 5,6 n=1 h=16 b=0 -;");
	json_decref(done("{'command':'longPress','x':5,'y':6,'durationMs':50000}"));
	assert_log("tap 5,6 n=1 h=10000 b=0 -;");
}

static void drags_clamp_their_duration(void **state)
{
	auto_json json_t *d = done("{'command':'drag','x':1,'y':2,'x2':3,'y2':4}");

	assert_message(d, "dragged");
	assert_log("drag 1,2>3,4 250;");
	assert_int_equal(jx_get_int(d, "x2", 0), 3);
	json_decref(done("{'command':'drag','nodeId':'save','x2':3,'y2':4,'durationMs':1}"));
	assert_log("drag 70,40>3,4 16;");
}

/* --- scroll, swipe --------------------------------------------------------------------------- */

static void scroll_moves_the_window_and_says_whether(void **state)
{
	auto_json json_t *d = done("{'command':'scroll','direction':'down','amount':0.5}");
	auto_json json_t *top = NULL, *list = NULL, *point = NULL;

	assert_log("scroll 0,400 at 200,400 -;");
	assert_message(d, "scrolled");
	assert_int_equal(jx_get_int(d, "y", 0), 600);
	assert_int_equal(jx_get_int(d, "y2", 0), 200);
	assert_int_equal(jx_get_int(d, "pixels", 0), 400);
	assert_true(jx_get_bool(d, "moved", false));
	json_decref(done("{'command':'scroll','direction':'up','pixels':400}"));
	top = done("{'command':'scroll','direction':'up','pixels':400}");
	assert_false(jx_get_bool(top, "moved", true));
	list = done("{'command':'scroll','direction':'down','nodeId':'list'}");
	assert_log("scroll 0,120 at 170,540 list;");
	assert_int_equal(jx_get_int(list, "referenceHeight", 0), 200);
	point = done("{'command':'scroll','direction':'right','pixels':50,'x':100,'y':300}");
	assert_log("scroll 50,0 at 100,300 -;");
	assert_int_equal(jx_get_int(point, "y", 0), 300);
}

static void scroll_needs_a_way(void **state)
{
	assert_refused("{'command':'scroll'}", ERR_INVALID_ARGS,
	               "scroll requires direction up|down|left|right");
	assert_refused("{'command':'scroll','direction':'sideways'}", ERR_INVALID_ARGS, "requires");
	assert_refused("{'command':'scroll','direction':'up','amount':0}", ERR_INVALID_ARGS,
	               "scroll could not compute a gesture plan");
	assert_refused("{'command':'scroll','direction':'up','pixels':-3}", ERR_INVALID_ARGS, "plan");
	assert_refused("{'command':'swipe','direction':'x'}", ERR_INVALID_ARGS,
	               "swipe requires direction");
}

static void swipe_moves_the_finger_that_way(void **state)
{
	auto_json json_t *d = done("{'command':'swipe','direction':'up','amount':0.5}");

	assert_message(d, "swiped");
	assert_log("drag 200,600>200,200 250;");
	json_decref(done("{'command':'swipe','direction':'left','pixels':100,'durationMs':20}"));
	assert_log("drag 250,400>150,400 20;");
}

/* --- sequence -------------------------------------------------------------------------------- */

static void S2_to_S6_sequences_are_checked_whole(void **state)
{
	assert_refused("{'command':'sequence'}", ERR_INVALID_ARGS, "at least one step");
	assert_refused("{'command':'sequence','steps':[]}", ERR_INVALID_ARGS, "at least one step");
	assert_refused("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1},{'kind':'pinch'}]}",
	               ERR_INVALID_ARGS, "step 1 has unsupported kind \"pinch\"");
	assert_refused("{'command':'sequence','steps':[{'kind':'doubleTap','y':1}]}", ERR_INVALID_ARGS,
	               "step 0 (doubleTap) requires finite x and y");
	assert_refused("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1},"
	               "{'kind':'drag','x':1,'y':1}]}",
	               ERR_INVALID_ARGS, "step 1 (drag) requires finite x2 and y2");
	assert_refused("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1},"
	               "{'kind':'tap','x':999,'y':1}]}",
	               ERR_INVALID_ARGS, "step 1 (tap)");
	assert_log("");
}

static void S3_at_most_twenty_steps(void **state)
{
	struct buf auto_buf body;

	buf_init(&body, 4000);
	buf_adds(&body, "{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1}");
	for (int i = 1; i < 21; i++)
		buf_adds(&body, ",{'kind':'tap','x':1,'y':1}");
	buf_adds(&body, "]}");
	assert_refused(body.data, ERR_INVALID_ARGS, "at most 20 steps, received 21");
	assert_log("");
}

static void S7_steps_run_in_order(void **state)
{
	auto_json json_t *d =
	    done("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':2,'pauseMs':1},"
	         "{'kind':'doubleTap','x':3,'y':4},{'kind':'longPress','x':5,'y':6,'durationMs':5},"
	         "{'kind':'drag','x':1,'y':1,'x2':9,'y2':9}]}");
	json_t *results = json_object_get(d, "sequenceResults");

	assert_log("tap 1,2 n=1 h=0 b=0 -;tap 3,4 n=2 h=0 b=0 -;tap 5,6 n=1 h=16 b=0 -;"
	           "drag 1,1>9,9 250;");
	assert_message(d, "sequence");
	assert_int_equal(jx_get_int(d, "completedSteps", 0), 4);
	assert_null(json_object_get(d, "failedStepIndex"));
	assert_int_equal(json_array_size(results), 4);
	assert_string_equal(jx_get_str(json_array_get(results, 1), "kind", ""), "doubleTap");
	assert_int_equal(jx_get_int(d, "x", 0), 1);
	assert_int_equal(jx_get_int(d, "y", 0), 2);
}

static void S8_a_failed_step_stops_the_rest(void **state)
{
	fx.fake.fail_tap_number = 2;
	auto_json json_t *d =
	    done("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1},"
	         "{'kind':'tap','x':2,'y':2,'pauseMs':10000},{'kind':'tap','x':3,'y':3}]}");
	json_t *results = json_object_get(d, "sequenceResults");
	const json_t *failed = json_array_get(results, 1);

	assert_log("tap 1,1 n=1 h=0 b=0 -;");
	assert_int_equal(jx_get_int(d, "completedSteps", 0), 1);
	assert_int_equal(jx_get_int(d, "failedStepIndex", 0), 1);
	assert_int_equal(json_array_size(results), 2);
	assert_false(jx_get_bool(failed, "ok", true));
	assert_string_equal(jx_get_str(failed, "errorCode", ""), "UNSUPPORTED_OPERATION");
	assert_string_equal(jx_get_str(failed, "errorMessage", ""), "tap unsupported");
}

static void a_sequence_on_an_element_takes_its_point(void **state)
{
	json_decref(done("{'command':'sequence','nodeId':'save','steps':[{'kind':'tap'},"
	                 "{'kind':'tap','x':21,'y':21}]}"));
	assert_log("tap 70,40 n=1 h=0 b=0 save;tap 21,21 n=1 h=0 b=0 save;");
}

/* --- text ------------------------------------------------------------------------------------ */

static void typed_text_is_proven(void **state)
{
	auto_json json_t *d =
	    done("{'command':'type','nodeId':'name','text':'Ada','textEntryMode':'replace'}");
	auto_json json_t *more = done("{'command':'type','text':' L','delayMs':5}");

	assert_message(d, "typed");
	assert_string_equal(jx_get_str(d, "route", ""), "editable-text");
	assert_string_equal(jx_get_str(d, "text", ""), "Ada");
	assert_true(jx_get_bool(d, "verified", false));
	assert_log("text name m=0 d=5;");
	assert_string_equal(jx_get_str(more, "text", ""), "Ada L");
	json_decref(done("{'command':'type','x':30,'y':210,'text':'x'}"));
	assert_log("tap 30,210 n=1 h=0 b=0 -;text name m=0 d=0;");
}

static void a_difference_is_an_error_with_both_texts(void **state)
{
	struct error auto_error e = ERROR_INIT;
	json_t *data = NULL;

	assert_int_equal(
	    run("{'command':'type','nodeId':'digits','text':'a1','textEntryMode':'replace'}", &data,
	        &e),
	    -ERR_TEXT_ENTRY_MISMATCH);
	assert_string_equal(jx_get_str(e.details, "expected", ""), "a1");
	assert_string_equal(jx_get_str(e.details, "actual", ""), "1");
	assert_refused("{'command':'type','nodeId':'digits','text':'abc','textEntryMode':'replace'}",
	               ERR_TEXT_ENTRY_MISMATCH, "holds \"\"");
	assert_refused("{'command':'type','nodeId':'digits','text':'x'}", ERR_TEXT_ENTRY_MISMATCH, "");
}

static void a_line_end_that_submits_is_no_difference(void **state)
{
	auto_json json_t *d = done("{'command':'type','nodeId':'name','text':'go\\n',"
	                           "'textEntryMode':'replace'}");

	assert_string_equal(jx_get_str(d, "text", ""), "go");
}

static void what_cannot_be_read_is_not_called_verified(void **state)
{
	auto_json json_t *d = done("{'command':'type','nodeId':'silent','text':'x'}");

	assert_false(jx_get_bool(d, "verified", true));
	assert_null(json_object_get(d, "text"));
}

static void secrets_are_never_repeated(void **state)
{
	auto_json json_t *d = done("{'command':'type','nodeId':'secret','text':'hunter2'}");
	struct buf auto_buf text;

	buf_init(&text, 10000);
	assert_true(jx_dump(d, false, &text));
	assert_true(jx_get_bool(d, "secret", false));
	assert_null(strstr(text.data, "hunter2"));
}

static void text_needs_a_field(void **state)
{
	assert_refused("{'command':'type'}", ERR_INVALID_ARGS, "type requires text");
	assert_refused("{'command':'type','nodeId':'save','text':'x'}", ERR_INVALID_TARGET,
	               "not a text");
	assert_refused("{'command':'type','nodeId':'fixed','text':'x'}", ERR_INVALID_TARGET,
	               "read-only");
	assert_refused("{'command':'type','text':'x','textEntryMode':'insert'}", ERR_INVALID_ARGS,
	               "textEntryMode");
	assert_refused("{'command':'type','text':'x','delayMs':99999}", ERR_INVALID_ARGS, "delayMs");
	assert_log("");
}

static void text_has_a_limit(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf body;
	struct wire_request r;
	json_t *data = NULL;

	buf_init(&body, LIM_RUNNER_REQUEST);
	buf_adds(&body, "{\"command\":\"type\",\"text\":\"");
	buf_fill(&body, 'x', LIM_TEXT + 1);
	buf_adds(&body, "\"}");
	assert_int_equal(wire_request_parse(body.data, body.len, &r, &e), 0);
	assert_int_equal(rc_execute(&fx.env, &r, CALL_FOREVER, &data, &e), -ERR_LIMIT_EXCEEDED);
	wire_request_done(&r);
}

static void text_is_read(void **state)
{
	auto_json json_t *node = done("{'command':'readText','nodeId':'fixed'}");
	auto_json json_t *point = done("{'command':'readText','x':30,'y':370}");
	auto_json json_t *near = done("{'command':'readText','x':19,'y':359}");
	auto_json json_t *button = done("{'command':'readText','x':30,'y':30}");

	assert_string_equal(jx_get_str(node, "text", ""), "as it is");
	assert_string_equal(jx_get_str(point, "text", ""), "as it is");
	assert_string_equal(jx_get_str(near, "text", ""), "as it is");
	assert_string_equal(jx_get_str(button, "text", ""), "Save");
	assert_refused("{'command':'readText'}", ERR_INVALID_ARGS, "readText requires");
	assert_refused("{'command':'readText','x':2000,'y':5}", ERR_ELEMENT_NOT_FOUND,
	               "did not resolve");
}

static void keys_go_through(void **state)
{
	json_decref(done("{'command':'key','keys':'ctrl+shift+a'}"));
	assert_log("key ctrl+shift+a;");
	assert_refused("{'command':'key'}", ERR_INVALID_ARGS, "key requires keys");
}

/* --- questions ------------------------------------------------------------------------------- */

static void questions_find(void **state)
{
	auto_json json_t *found = done("{'command':'findText','text':'volU'}");
	auto_json json_t *missed = done("{'command':'findText','text':'nil'}");
	auto_json json_t *one =
	    done("{'command':'querySelector','selectorKey':'id','selectorValue':'fixed'}");
	auto_json json_t *none =
	    done("{'command':'querySelector','selectorKey':'id','selectorValue':'x'}");
	const json_t *node = json_array_get(json_object_get(one, "nodes"), 0);

	assert_true(jx_get_bool(found, "found", false));
	assert_false(jx_get_bool(missed, "found", true));
	assert_true(jx_get_bool(one, "found", false));
	assert_string_equal(jx_get_str(one, "text", ""), "as it is");
	assert_int_equal(jx_get_int(node, "index", 9), 0);
	assert_int_equal(jx_get_int(node, "depth", 9), 0);
	assert_null(json_object_get(node, "parentIndex"));
	assert_false(jx_get_bool(none, "found", true));
	assert_int_equal(json_array_size(json_object_get(none, "nodes")), 0);
	assert_refused("{'command':'querySelector','selectorKey':'label','selectorValue':'Twin'}",
	               ERR_AMBIGUOUS_MATCH, "");
	assert_refused("{'command':'querySelector','selectorKey':'id'}", ERR_INVALID_ARGS, "requires");
	assert_refused("{'command':'findText'}", ERR_INVALID_ARGS, "findText requires text");
}

static void locate_describes_without_judging(void **state)
{
	auto_json json_t *under = done("{'command':'locate','nodeId':'under'}");
	auto_json json_t *nowhere = done("{'command':'locate','nodeId':'nowhere'}");

	assert_true(jx_get_bool(under, "covered", false));
	assert_false(jx_get_bool(under, "hittable", true));
	assert_string_equal(jx_get_str(under, "coveredBy", ""), "Cookie banner");
	assert_string_equal(jx_get_str(nowhere, "reason", ""), "it has no place");
	assert_true(jx_get_bool(nowhere, "semantic", false));
	assert_refused("{'command':'locate','nodeId':'gone'}", ERR_ELEMENT_STALE, "");
	assert_refused("{'command':'locate'}", ERR_INVALID_ARGS, "locate requires nodeId");
}

static void a_device_away_for_a_moment_is_asked_again(void **state)
{
	atomic_store(&fx.fake.fail_snapshots, 1);
	json_decref(done("{'command':'findText','text':'Save'}"));
	assert_int_equal(atomic_load(&fx.fake.snapshots), 2);
	atomic_store(&fx.fake.fail_snapshots, 2);
	assert_refused("{'command':'snapshot'}", ERR_DEVICE_UNAVAILABLE, "not available");
	/* scroll is no read: asked once, although the frame it needs is a read. */
	atomic_store(&fx.fake.snapshots, 0);
	atomic_store(&fx.fake.fail_snapshots, 1);
	assert_refused("{'command':'scroll','direction':'up'}", ERR_DEVICE_UNAVAILABLE, "");
	assert_int_equal(atomic_load(&fx.fake.snapshots), 1);
}

static void only_ui_commands_prepare_the_app(void **state)
{
	json_decref(done("{'command':'apps'}"));
	json_decref(done("{'command':'deviceInfo'}"));
	assert_int_equal(atomic_load(&fx.fake.prepared), 0);
	json_decref(done("{'command':'snapshot'}"));
	assert_int_equal(atomic_load(&fx.fake.prepared), 1);
}

/* --- captures -------------------------------------------------------------------------------- */

static void snapshots_carry_nodes_and_a_verdict(void **state)
{
	auto_json json_t *d = done("{'command':'snapshot'}");
	auto_json json_t *part = done("{'command':'snapshot','scope':'vol'}");
	auto_json json_t *none = done("{'command':'snapshot','scope':'nothing like it'}");
	const json_t *quality = json_object_get(d, "snapshotQuality");
	const json_t *only = json_array_get(json_object_get(part, "nodes"), 0);

	assert_int_equal(json_array_size(json_object_get(d, "nodes")), 17);
	assert_string_equal(jx_get_str(quality, "state", ""), "healthy");
	assert_string_equal(jx_get_str(quality, "backend", ""), "fake");
	assert_int_equal(json_array_size(json_object_get(part, "nodes")), 1);
	assert_string_equal(jx_get_str(only, "label", ""), "Volume");
	assert_string_equal(jx_get_str(only, "nodeId", ""), "volume");
	assert_int_equal(json_array_size(json_object_get(none, "nodes")), 0);
	assert_refused("{'command':'snapshot','surface':'moon'}", ERR_INVALID_ARGS, "surface");
}

static void a_scope_keeps_the_subtree(void **state)
{
	auto_json json_t *d = done("{'command':'snapshot','scope':'Fake'}");

	assert_int_equal(json_array_size(json_object_get(d, "nodes")), 17);
}

static void screenshots_reach_their_file_whole(void **state)
{
	char dir[] = "/tmp/deft-shot-XXXXXX", body[256], path[64];
	struct buf auto_buf png;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/shot.png", dir);
	snprintf(body, sizeof(body), "{'command':'screenshot','outPath':'%s','inlineScreenshot':true}",
	         path);
	auto_json json_t *d = done(body);
	buf_init(&png, 100);
	assert_int_equal(fs_read(path, 100, &png, NULL), 0);
	assert_memory_equal(png.data, "\x89PNG", 4);
	assert_string_equal(jx_get_str(d, "path", ""), path);
	assert_string_equal(jx_get_str(d, "format", ""), "png");
	assert_int_equal(jx_get_int(d, "width", 0), FAKE_WIDTH);
	assert_string_equal(jx_get_str(d, "imageBase64", ""), "iVBORw0KGgpmYWtl");
	unlink(path);
	rmdir(dir);
}

static void screenshots_need_a_destination(void **state)
{
	assert_refused("{'command':'screenshot'}", ERR_INVALID_ARGS, "requires outPath");
	assert_refused("{'command':'screenshot','outPath':'x.png'}", ERR_INVALID_ARGS, "absolute");
	assert_refused("{'command':'screenshot','outPath':'/nowhere/at/all.png'}", ERR_IO_ERROR,
	               "Failed to write screenshot");
	json_decref(done("{'command':'screenshot','inlineScreenshot':true,'nodeId':'save'}"));
	assert_log("shot save;");
}

/* --- controls -------------------------------------------------------------------------------- */

static void values_are_set_and_read_back(void **state)
{
	auto_json json_t *read = done("{'command':'readControl','nodeId':'volume'}");
	auto_json json_t *set = done("{'command':'setValue','nodeId':'volume','value':0.7}");
	auto_json json_t *step =
	    done("{'command':'step','nodeId':'volume','direction':'decrement','count':2}");

	assert_true(jx_get_num(read, "value", 0) == 0.5);
	assert_true(jx_get_num(read, "max", 0) == 1);
	assert_true(jx_get_num(read, "step", 0) == 0.25);
	assert_true(jx_get_bool(read, "canSet", false));
	assert_true(jx_get_num(set, "requested", 0) == 0.7);
	assert_true(jx_get_num(set, "value", 0) == 0.75);
	assert_true(jx_get_num(step, "value", 0) == 0.25);
	assert_int_equal(jx_get_int(step, "steps", 0), 2);
	assert_refused("{'command':'setValue','nodeId':'volume'}", ERR_INVALID_ARGS, "requires value");
	assert_refused("{'command':'step','nodeId':'volume'}", ERR_INVALID_ARGS, "increment|decrement");
	assert_refused("{'command':'step','nodeId':'volume','direction':'increment','count':0}",
	               ERR_INVALID_ARGS, "count");
	assert_refused("{'command':'step','nodeId':'volume','direction':'increment','count':1.5}",
	               ERR_INVALID_ARGS, "count");
}

static void a_control_is_read_several_times(void **state)
{
	fx.fake.ops.idle = fake_idle;
	auto_json json_t *read = done("{'command':'readControl','nodeId':'volume','reads':3}");
	auto_json json_t *once = done("{'command':'readControl','nodeId':'volume','delayMs':40}");

	assert_int_equal(json_array_size(json_object_get(read, "readings")), 3);
	assert_true(jx_get_num(read, "value", 0) == 0.5);
	assert_null(json_object_get(once, "readings"));
	assert_int_equal(fx.fake.device_ms, 2 * LIM_CONTROL_GAP_MS + 40);
	assert_refused("{'command':'readControl','nodeId':'volume','reads':0}", ERR_INVALID_ARGS,
	               "reads");
	assert_refused("{'command':'setValue','nodeId':'volume','value':1,'reads':1.5}",
	               ERR_INVALID_ARGS, "reads");
	assert_refused("{'command':'step','nodeId':'volume','direction':'increment','reads':11}",
	               ERR_INVALID_ARGS, "reads");
	assert_true(fx.fake.volume == 0.5);
}

static int unreadable(struct rb_backend *b, struct call c, const char *node, struct rb_control *ret,
                      struct error *e)
{
	return error_set(e, ERR_APP_NOT_RESPONDING, "no answer");
}

static void what_was_set_and_cannot_be_read_was_set(void **state)
{
	fx.fake.ops.control_read = unreadable;
	auto_json json_t *d = done("{'command':'setValue','nodeId':'volume','value':1}");
	const json_t *unread = json_object_get(d, "unread");

	assert_true(fx.fake.volume == 1);
	assert_null(json_object_get(d, "value"));
	assert_string_equal(jx_get_str(unread, "code", ""), "APP_NOT_RESPONDING");
	assert_refused("{'command':'readControl','nodeId':'volume'}", ERR_APP_NOT_RESPONDING,
	               "no answer");
}

static void elements_act_by_their_own_means(void **state)
{
	auto_json json_t *focus = done("{'command':'focus','nodeId':'name'}");
	auto_json json_t *act = done("{'command':'performAction','nodeId':'save','action':'press'}");

	assert_message(focus, "focused");
	assert_string_equal(fx.fake.focus, "name");
	assert_message(act, "performed");
	assert_string_equal(jx_get_str(act, "action", ""), "press");
	assert_refused("{'command':'performAction','nodeId':'save','action':'fly'}", ERR_INVALID_ARGS,
	               "fly");
}

/* --- programs and navigation ----------------------------------------------------------------- */

static void programs_are_started_and_ended(void **state)
{
	auto_json json_t *apps = done("{'command':'apps'}");
	auto_json json_t *all = done("{'command':'apps','installed':true}");
	auto_json json_t *info = done("{'command':'deviceInfo'}");
	auto_json json_t *launch = done("{'command':'launch','target':'edit','relaunch':true}");

	assert_log("launch edit re=1 bg=0;");
	assert_int_equal(json_array_size(json_object_get(apps, "apps")), 1);
	assert_int_equal(json_array_size(json_object_get(all, "apps")), 2);
	assert_string_equal(jx_get_str(info, "backend", ""), "fake");
	assert_int_equal(jx_get_int(info, "protocol", 0), WIRE_RUNNER_PROTOCOL);
	assert_message(launch, "launched");
	assert_true(jx_get_bool(launch, "started", false));
	json_decref(done("{'command':'activate','appBundleId':'edit'}"));
	assert_log("activate edit;");
	auto_json json_t *polite = done("{'command':'terminate','appBundleId':'edit'}");
	auto_json json_t *forced = done("{'command':'terminate','appBundleId':'edit','force':true}");
	assert_true(jx_get_bool(polite, "stillRunning", false));
	assert_false(jx_get_bool(forced, "stillRunning", true));
	assert_refused("{'command':'launch'}", ERR_INVALID_ARGS, "launch requires target");
	assert_refused("{'command':'activate'}", ERR_INVALID_ARGS, "requires appBundleId");
	assert_refused("{'command':'terminate'}", ERR_INVALID_ARGS, "requires appBundleId");
}

static void navigation_has_names(void **state)
{
	static const char *const cases[][3] = {
		{ "{'command':'back'}", "navigate back;", "back" },
		{ "{'command':'home'}", "navigate home;", "home" },
		{ "{'command':'keyboardDismiss'}", "navigate keyboardDismiss;", "keyboardDismiss" },
		{ "{'command':'rotate','orientation':'landscape-left'}", "navigate rotate:landscape-left;",
		  "rotate" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_json json_t *d = done(cases[i][0]);

		assert_log(cases[i][1]);
		assert_message(d, cases[i][2]);
	}
	assert_refused("{'command':'rotate'}", ERR_INVALID_ARGS, "rotate requires orientation");
	assert_refused("{'command':'rotate','orientation':'sideways'}", ERR_INVALID_ARGS,
	               "unsupported rotate orientation: sideways");
}

static void a_device_with_a_clock_of_its_own_passes_time_itself(void **state)
{
	assert_refused("{'command':'idle','durationMs':5}", ERR_UNSUPPORTED_OPERATION, "idle");
	fx.fake.ops.idle = fake_idle;
	auto_json json_t *d = done("{'command':'idle','durationMs':1500}");
	assert_int_equal(jx_get_int(d, "deviceTimeMs", 0), 1500);
	assert_refused("{'command':'idle','durationMs':-1}", ERR_INVALID_ARGS, "durationMs");
	json_decref(done("{'command':'sequence','steps':[{'kind':'tap','x':1,'y':1,'pauseMs':9000},"
	                 "{'kind':'tap','x':1,'y':1}]}"));
	assert_int_equal(fx.fake.device_ms, 10500);
}

static void what_was_carried_out_is_counted(void **state)
{
	json_decref(done("{'command':'tap','nodeId':'save'}"));
	json_decref(done("{'command':'tap','nodeId':'save'}"));
	auto_json json_t *d = done("{'command':'deviceInfo'}");
	const json_t *executed = json_object_get(d, "executed");

	assert_int_equal(jx_get_int(executed, "tap", 0), 2);
	assert_null(json_object_get(executed, "drag"));
}

static void an_absent_alert_is_said(void **state)
{
	assert_refused("{'command':'alert'}", ERR_ELEMENT_NOT_FOUND, "alert not found");
	assert_log("alert get;");
	assert_refused("{'command':'alert','action':'ACCEPT'}", ERR_ELEMENT_NOT_FOUND,
	               "alert not found");
	assert_log("alert accept;");
	assert_refused("{'command':'alert','action':'eat'}", ERR_INVALID_ARGS, "alert action");
}

static void a_missing_operation_is_unsupported(void **state)
{
	static const char *const bodies[] = {
		"{'command':'drag','x':1,'y':1,'x2':2,'y2':2}",
		"{'command':'scroll','direction':'up'}",
		"{'command':'swipe','direction':'up'}",
		"{'command':'type','text':'x'}",
		"{'command':'readText','nodeId':'name'}",
		"{'command':'key','keys':'a'}",
		"{'command':'screenshot','inlineScreenshot':true}",
		"{'command':'focus','nodeId':'name'}",
		"{'command':'performAction','nodeId':'name'}",
		"{'command':'readControl','nodeId':'volume'}",
		"{'command':'setValue','nodeId':'volume','value':1}",
		"{'command':'step','nodeId':'volume','direction':'increment'}",
		"{'command':'apps'}",
		"{'command':'launch','target':'x'}",
		"{'command':'activate','appBundleId':'x'}",
		"{'command':'terminate','appBundleId':'x'}",
		"{'command':'back'}",
		"{'command':'alert'}",
	};

	fx.fake.ops = (struct rb_ops){ .name = "bare",
		                           .describe = fx.fake.ops.describe,
		                           .close = fx.fake.ops.close,
		                           .snapshot = fx.fake.ops.snapshot,
		                           .locate = fx.fake.ops.locate,
		                           .tap = fx.fake.ops.tap };
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++)
		assert_refused(bodies[i], ERR_UNSUPPORTED_OPERATION, "not supported by the bare backend");
	auto_json json_t *d =
	    done("{'command':'sequence','steps':[{'kind':'drag','x':1,'y':1,'x2':2,'y2':2}]}");
	assert_int_equal(jx_get_int(d, "failedStepIndex", 9), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(tap_presses_the_located_point),
		CASE(taps_have_forms),
		CASE(a_point_of_an_element_is_pressed),
		CASE(the_gate_refuses_before_any_input),
		CASE(without_a_point_the_semantic_action_is_declared),
		CASE(long_presses_hold),
		CASE(drags_clamp_their_duration),
		CASE(scroll_moves_the_window_and_says_whether),
		CASE(scroll_needs_a_way),
		CASE(swipe_moves_the_finger_that_way),
		CASE(S2_to_S6_sequences_are_checked_whole),
		CASE(S3_at_most_twenty_steps),
		CASE(S7_steps_run_in_order),
		CASE(S8_a_failed_step_stops_the_rest),
		CASE(a_sequence_on_an_element_takes_its_point),
		CASE(typed_text_is_proven),
		CASE(a_difference_is_an_error_with_both_texts),
		CASE(a_line_end_that_submits_is_no_difference),
		CASE(what_cannot_be_read_is_not_called_verified),
		CASE(secrets_are_never_repeated),
		CASE(text_needs_a_field),
		CASE(text_has_a_limit),
		CASE(text_is_read),
		CASE(keys_go_through),
		CASE(questions_find),
		CASE(locate_describes_without_judging),
		CASE(a_device_away_for_a_moment_is_asked_again),
		CASE(only_ui_commands_prepare_the_app),
		CASE(snapshots_carry_nodes_and_a_verdict),
		CASE(a_scope_keeps_the_subtree),
		CASE(screenshots_reach_their_file_whole),
		CASE(screenshots_need_a_destination),
		CASE(values_are_set_and_read_back),
		CASE(a_control_is_read_several_times),
		CASE(what_was_set_and_cannot_be_read_was_set),
		CASE(elements_act_by_their_own_means),
		CASE(programs_are_started_and_ended),
		CASE(navigation_has_names),
		CASE(a_device_with_a_clock_of_its_own_passes_time_itself),
		CASE(what_was_carried_out_is_counted),
		CASE(an_absent_alert_is_said),
		CASE(a_missing_operation_is_unsupported),
	};

	return cmocka_run_group_tests_name("runner_commands", tests, NULL, NULL);
}
