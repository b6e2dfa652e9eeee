/* The envelope of every case of tests/data/control/cases.json: the same keys for all that fail, the
 * types of the documented shape, one of four codes. Named cases: V01, V02, V03, V10, V12, V13. */
#include "command/adjust_envelope.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "unit/control/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *all;

static int load(void **state)
{
	const char *dir = getenv("DEFT_TEST_DATA");
	auto_free char *path = fs_join(dir ? dir : "tests/data", "control/cases.json");

	all = json_load_file(path, 0, NULL);
	return all ? 0 : -1;
}

static int unload(void **state)
{
	json_decref(all);
	return 0;
}

/* --- one case -------------------------------------------------------------------------------------- */

struct run {
	struct ct_result result;
	json_t *envelope;
	struct buf sentence;
};

static void run_done(struct run *r)
{
	json_decref(r->envelope);
	buf_done(&r->sentence);
}
#define auto_run __attribute__((cleanup(run_done)))

static void make_tree(struct ui_tree *t)
{
	assert_int_equal(ui_tree_init(t, NULL), 0);
	uint32_t i = ui_tree_add(t, UI_NONE);
	struct ui_node *n = &t->nodes[i];

	n->role = UI_SLIDER;
	n->flags = UI_HAS_RECT | UI_ENABLED | UI_VISIBLE;
	n->rect = (struct ui_rect){ 100, 500, 800, 60 };
	n->type = ui_tree_text(t, "android.widget.SeekBar", NULL);
	n->label = ui_tree_text(t, "Gain", NULL);
	n->identifier = ui_tree_text(t, "org.demo:id/gain", NULL);
}

static void run_case(const json_t *c, struct run *ret)
{
	static const struct pf_device_info device = {
		.platform = "android", .id = "emulator-5580", .name = "Pixel X", .kind = "emulator"
	};
	auto_tree struct ui_tree tree = { 0 };
	struct script s;
	struct ct_request rq = script_request(c);
	const struct adjust_ask ask = { .selector = "text=\"Gain\"",
		                            .property = rq.property ? rq.property : "value",
		                            .target = rq.target,
		                            .has_tolerance = rq.has_tolerance,
		                            .tolerance = rq.tolerance,
		                            .max_attempts = rq.max_attempts };
	const struct adjust_facts facts = { .ask = &ask,
		                                .result = &ret->result,
		                                .device = &device,
		                                .tree = &tree,
		                                .element_id = "el_0123456789abcdef01234567",
		                                .started_ms = 1790000100456,
		                                .ended_ms = 1790000101456,
		                                .sequence = 12 };

	make_tree(&tree);
	script_init(&s, json_object_get(all, "fixtures"), c);
	struct ct_ops ops = script_ops(&s);
	ct_adjust(&ops, &rq, &ret->result);
	script_done(&s);
	ret->envelope = adjust_envelope(&facts);
	buf_init(&ret->sentence, 4096);
	adjust_sentence(&facts, &ret->sentence);
}

static const json_t *case_of(const char *id)
{
	size_t i;
	json_t *c;

	json_array_foreach(json_object_get(all, "cases"), i,
	                   c) if (strcmp(jx_get_str(c, "id", ""), id) == 0) return c;
	fail_msg("no case %s", id);
	return NULL;
}

/* --- shape ----------------------------------------------------------------------------------------- */

static const char *type_word(const json_t *v)
{
	static const char *const words[] = { "object", "array", "string", "integer",
		                                 "real",   "bool",  "bool",   "null" };
	return v ? words[json_typeof(v)] : "absent";
}

static void expect_type(const char *id, const json_t *o, const char *key, const char *allowed)
{
	const char *type = type_word(json_object_get(o, key));

	if (!strstr(allowed, type))
		fail_msg("%s: %s is %s, not %s", id, key, type, allowed);
}

#define NUMBER "integer real"

static const struct {
	const char *key, *type;
} shape[] = {
	{ "action_id", "string" },
	{ "timestamp", "string" },
	{ "action_type", "string" },
	{ "lifecycle_state", "string" },
	{ "source_module", "string" },
	{ "device", "object" },
	{ "target", "object" },
	{ "success", "bool" },
	{ "trace", "object" },
	{ "ui_fingerprint_before", "string null" },
	{ "ui_fingerprint_after", "string null" },
	{ "details", "object" },
	{ "target_state", "object" },
	{ "actual_state", "object null" },
	{ "within_tolerance", "bool" },
	{ "converged", "bool" },
	{ "attempts", "integer" },
	{ "adjustment_mode", "string" },
};

static void check_parts(const char *id, const json_t *e)
{
	const json_t *target = json_object_get(e, "target"), *trace = json_object_get(e, "trace");
	const json_t *details = json_object_get(e, "details"),
	             *wish = json_object_get(e, "target_state");
	size_t i;
	json_t *step;

	expect_type(id, target, "selector", "string null");
	expect_type(id, target, "resolved", "object null");
	expect_type(id, wish, "property", "string");
	expect_type(id, wish, "target_value", NUMBER);
	expect_type(id, wish, "tolerance", NUMBER " null");
	expect_type(id, details, "target_value", NUMBER);
	expect_type(id, details, "reason", "string");
	expect_type(id, details, "converged", "bool");
	expect_type(id, trace, "steps", "array");
	assert_true(jx_get_int(trace, "attempts", 0) >= 1);
	json_array_foreach(json_object_get(trace, "steps"), i, step)
	{
		expect_type(id, step, "stage", "string");
		expect_type(id, step, "timestamp", "integer");
		expect_type(id, step, "result", "string");
		assert_int_equal(jx_get_int(step, "attempt_index", -1), i);
	}
}

static void check_failure(const char *id, const json_t *e)
{
	static const char *const codes[] = { "ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTABLE",
		                                 "CONTROL_CONVERGENCE_FAILED", "UNKNOWN" };
	const char *code = jx_get_str(e, "failure_code", "");
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		known |= strcmp(codes[i], code) == 0;
	if (!known)
		fail_msg("%s: failure code %s", id, code);
	expect_type(id, e, "retryable", "bool");
	expect_type(id, e, "recovery", "object");
	assert_string_equal(jx_get_str(json_object_get(e, "recovery"), "runtime_code", ""), code);
	assert_string_equal(jx_get_str(e, "lifecycle_state", ""), "failed");
	assert_false(jx_get_bool(e, "success", true) || jx_get_bool(e, "converged", true) ||
	             jx_get_bool(e, "within_tolerance", true));
}

static void check_shape(const char *id, const json_t *e)
{
	bool good = jx_get_bool(e, "success", false);

	for (size_t i = 0; i < ARRAY_SIZE(shape); i++)
		expect_type(id, e, shape[i].key, shape[i].type);
	check_parts(id, e);
	if (good)
		assert_string_equal(jx_get_str(e, "lifecycle_state", ""), "pending_verification");
	else
		check_failure(id, e);
	assert_int_equal(json_object_size(e), ARRAY_SIZE(shape) + (good ? 0 : 3));
}

/* V01, V02, V03: every case of the engine, whatever its outcome. */
static void every_case_has_the_whole_envelope(void **state)
{
	size_t i, good = 0, failed = 0;
	json_t *c;

	json_array_foreach(json_object_get(all, "cases"), i, c)
	{
		auto_run struct run r = { 0 };

		if (!json_object_get(c, "control"))
			continue;
		run_case(c, &r);
		check_shape(jx_get_str(c, "id", "?"), r.envelope);
		good += r.result.code == CT_OK;
		failed += r.result.code != CT_OK;
		assert_true(r.sentence.len > 0 && !r.sentence.over);
	}
	assert_true(good > 40 && failed > 40);
}

/* V01: the values of the documented example. */
static void a_success_says_what_was_reached(void **state)
{
	auto_run struct run r = { 0 };

	run_case(case_of("S01"), &r);
	const json_t *e = r.envelope,
	             *resolved = json_object_get(json_object_get(e, "target"), "resolved");
	const json_t *execute =
	    json_array_get(json_object_get(json_object_get(e, "trace"), "steps"), 1);

	assert_string_equal(jx_get_str(e, "action_id", ""), "adjust_control_1790000100456_12");
	assert_string_equal(jx_get_str(e, "timestamp", ""), "2026-09-21T14:15:00.456Z");
	assert_string_equal(jx_get_str(resolved, "elementId", ""), "el_0123456789abcdef01234567");
	assert_string_equal(jx_get_str(resolved, "class", ""), "android.widget.SeekBar");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(resolved, "bounds"), 2)),
	                 900);
	assert_true(jx_get_num(json_object_get(e, "actual_state"), "value", 0) == 0.65);
	assert_true(jx_get_num(json_object_get(e, "target_state"), "tolerance", 0) == 0.01);
	assert_string_equal(jx_get_str(json_object_get(execute, "metadata"), "strategy", ""),
	                    "direct_set_value");
	assert_string_equal(r.sentence.data,
	                    "Gain was 0.2, asked 0.65; now 0.65 (set directly, 1 attempt)");
}

/* V10 */
static void the_trace_of_three_steps(void **state)
{
	static const char *const stages[] = { "resolve", "execute", "verify", "execute",
		                                  "verify",  "execute", "verify" };
	static const char *const results[] = { "success", "success", "retry",  "success",
		                                   "retry",   "success", "success" };
	auto_run struct run r = { 0 };

	run_case(case_of("M09"), &r);
	const json_t *trace = json_object_get(r.envelope, "trace");
	const json_t *steps = json_object_get(trace, "steps");

	assert_int_equal(json_array_size(steps), ARRAY_SIZE(stages));
	for (size_t i = 0; i < ARRAY_SIZE(stages); i++) {
		const json_t *step = json_array_get(steps, i);

		assert_string_equal(jx_get_str(step, "stage", ""), stages[i]);
		assert_string_equal(jx_get_str(step, "result", ""), results[i]);
	}
	assert_string_equal(jx_get_str(trace, "final_outcome", ""), "success");
	assert_int_equal(jx_get_int(trace, "attempts", 0), 3);
	assert_string_equal(
	    jx_get_str(json_object_get(json_array_get(steps, 1), "metadata"), "direction", ""),
	    "increment");
}

/* V12, V13 */
static void a_failure_says_how_to_go_on(void **state)
{
	static const struct {
		const char *id, *code, *class, *strategy;
		bool retryable;
	} cases[] = {
		{ "S16", "CONTROL_CONVERGENCE_FAILED", "ControlConvergenceFailure", "retry_adjustment",
		  true },
		{ "R01", "CONTROL_CONVERGENCE_FAILED", "ControlConvergenceFailure", "none", false },
		{ "S28", "ELEMENT_NOT_FOUND", "TargetResolutionFailure", "re_resolve", true },
		{ "S13", "ELEMENT_NOT_INTERACTABLE", "ExecutionFailure", "state_refresh", true },
		{ "S17", "UNKNOWN", "ExecutionFailure", "state_refresh", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_run struct run r = { 0 };

		run_case(case_of(cases[i].id), &r);
		const json_t *recovery = json_object_get(r.envelope, "recovery");

		assert_string_equal(jx_get_str(r.envelope, "failure_code", ""), cases[i].code);
		assert_int_equal(jx_get_bool(r.envelope, "retryable", !cases[i].retryable),
		                 cases[i].retryable);
		assert_string_equal(jx_get_str(recovery, "failure_class", ""), cases[i].class);
		assert_string_equal(jx_get_str(recovery, "recovery_strategy", "none"), cases[i].strategy);
		assert_int_equal(jx_get_bool(recovery, "retry_allowed", !cases[i].retryable),
		                 cases[i].retryable);
	}
}

static void sentences_tell_what_happened(void **state)
{
	static const struct {
		const char *id, *says;
	} cases[] = {
		{ "S02", "Gain was 0, asked 12 \u2192 stop 10; now 10 (set directly, 1 attempt)" },
		{ "S03", "Gain was 2, asked 4; now 4 (stepped, 2 attempts)" },
		{ "S07", "Gain was 10, asked 65; now 65 (pressed on its track, 1 attempt)" },
		{ "T04", "Gain was 10, asked 50; now 50.5 (pressed on its track, 1 attempt, within 0.5)" },
		{ "S24", "Gain was 2, asked 6; now 6 (set directly, then stepped, 3 attempts)" },
		{ "S32", "Gain is 0.65 already, asked 0.65; nothing was done" },
		{ "R01", "Gain was 0, asked 21: the value is outside of the control's range 0..20" },
		{ "S13", "Gain: the control is disabled" },
		{ "S16",
		  "Gain was 0.2, asked 0.65; is 0.2 (set directly, 5 attempts): the control took the "
		  "change and stands where it stood" },
		{ "S28", "Gain was 0.2, asked 0.65; what it is now is not known (set directly, 1 attempt): "
		         "the control is not on the screen" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_run struct run r = { 0 };

		run_case(case_of(cases[i].id), &r);
		assert_string_equal(r.sentence.data, cases[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_has_the_whole_envelope),
		cmocka_unit_test(a_success_says_what_was_reached),
		cmocka_unit_test(the_trace_of_three_steps),
		cmocka_unit_test(a_failure_says_how_to_go_on),
		cmocka_unit_test(sentences_tell_what_happened),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
