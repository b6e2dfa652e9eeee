/* From @refs, selectors and points to what a runner is asked to act on. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void show_form(void)
{
	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 300 },
	            { 1, "button", "Save", .x = 10, .y = 10 },
	            { 1, "button", "Cancel", .x = 120, .y = 10 },
	            { 1, "text-field", "Name", "Ada", "e", 10, 50 },
	            { 1, "button", "Delete", .x = 10, .y = 100 },
	            { 1, "button", "Delete", .x = 120, .y = 100 });
}

static int set_up(void **state)
{
	*state = screen_new();
	screen_open(*state);
	show_form();
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

/* The ref under which a label stands in a snapshot's data. */
static const char *ref_of(const json_t *data, const char *label)
{
	size_t i;
	json_t *n;

	json_array_foreach(
	    json_object_get(data, "nodes"), i,
	    n) if (!strcmp(jx_get_str(n, "label", ""), label)) return jx_get_str(n, "ref", "");
	fail_msg("no node is called %s", label);
	return "";
}

static void a_ref_names_the_node_of_the_last_snapshot(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", "{\"interactive\":true}");
	char args[64];
	const json_t *tap;

	snprintf(args, sizeof(args), "{\"target\":\"@%s\"}", ref_of(data, "Cancel"));
	json_decref(harness_ok(*state, "press", args));
	tap = screen_request("tap", 0);
	assert_string_equal(jx_get_str(tap, "nodeId", ""), "n2:Cancel");
	assert_string_equal(jx_get_str(tap, "expectRole", ""), "button");
	assert_string_equal(jx_get_str(tap, "expectLabel", ""), "Cancel");
	assert_string_equal(jx_get_str(tap, "appBundleId", ""), "demo");
	assert_null(json_object_get(tap, "x"));
}

static void a_ref_without_a_snapshot_is_stale_and_nothing_is_sent(void **state)
{
	auto_json json_t *error = screen_error(*state, "press", "{\"target\":\"@e1\"}");

	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_STALE");
	assert_string_equal(screen_reason(error), "no_snapshot");
	assert_int_equal(screen_count(NULL), 0);
}

static void an_unknown_ref_is_stale_for_every_acting_command(void **state)
{
	static const char *const commands[][2] = {
		{ "press", "{\"target\":\"@e99\"}" },
		{ "longpress", "{\"target\":\"@e99\"}" },
		{ "focus", "{\"target\":\"@e99\"}" },
		{ "fill", "{\"target\":\"@e99\",\"text\":\"a\"}" },
		{ "drag", "{\"from\":\"@e99\",\"to\":\"1 2\"}" },
		{ "scroll", "{\"direction\":\"down\",\"target\":\"@e99\"}" },
		{ "get", "{\"what\":\"text\",\"target\":\"@e99\"}" },
		{ "screenshot", "{\"target\":\"@e99\"}" },
		{ "wait", "{\"condition\":[\"@e99\"]}" },
	};

	json_decref(harness_ok(*state, "snapshot", NULL));
	screen_forget();
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		auto_json json_t *error = screen_error(*state, commands[i][0], commands[i][1]);

		assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_STALE");
		assert_string_equal(screen_reason(error), "ref_not_issued");
		assert_int_equal(screen_count(NULL), 0);
	}
}

static void a_pin_of_another_snapshot_is_refused(void **state)
{
	auto_json json_t *old = harness_ok(*state, "snapshot", NULL);
	auto_json json_t *new = harness_ok(*state, "snapshot", NULL);
	int64_t minted = jx_get_int(old, "refsGeneration", 0);
	int64_t current = jx_get_int(new, "refsGeneration", 0);
	auto_json json_t *error = NULL;
	const json_t *details;
	char args[64];

	assert_true(current > minted);
	screen_forget();
	snprintf(args, sizeof(args), "{\"target\":\"@%s~s%lld\"}", ref_of(old, "Save"),
	         (long long)minted);
	error = screen_error(*state, "press", args);
	details = json_object_get(error, "details");
	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_STALE");
	assert_string_equal(screen_reason(error), "ref_generation_mismatch");
	assert_int_equal(jx_get_int(details, "mintedGeneration", 0), minted);
	assert_int_equal(jx_get_int(details, "currentGeneration", 0), current);
	assert_int_equal(screen_count(NULL), 0);

	snprintf(args, sizeof(args), "{\"target\":\"@%s~s%lld\"}", ref_of(new, "Save"),
	         (long long)current);
	json_decref(harness_ok(*state, "press", args));
	assert_int_equal(screen_count("tap"), 1);
}

static void a_selector_does_not_renumber_refs(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", "{\"interactive\":true}");
	char args[64];

	SCREEN_SHOW({ 0, "window", "Demo" }, { 1, "button", "New" }, { 1, "button", "Save" });
	json_decref(harness_ok(*state, "press", "{\"target\":\"label=New\"}"));
	show_form();
	snprintf(args, sizeof(args), "{\"target\":\"@%s\"}", ref_of(data, "Cancel"));
	json_decref(harness_ok(*state, "press", args));
	assert_string_equal(jx_get_str(screen_request("tap", 1), "nodeId", ""), "n2:Cancel");
}

static void several_matches_are_an_error_with_the_refs_known_to_the_caller(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", "{\"interactive\":true}");
	auto_json json_t *error = NULL;
	const json_t *candidates;
	char line[64];

	screen_forget();
	error = screen_error(*state, "press", "{\"target\":\"label=Delete\"}");
	candidates = json_object_get(json_object_get(error, "details"), "candidates");
	assert_string_equal(jx_get_str(error, "code", ""), "AMBIGUOUS_MATCH");
	assert_int_equal(json_array_size(candidates), 2);
	snprintf(line, sizeof(line), "@%s [button] \"Delete\"", ref_of(data, "Delete"));
	assert_non_null(strstr(json_string_value(json_array_get(candidates, 0)), line));
	assert_int_equal(screen_count("tap"), 0);
}

static void not_there_and_not_seen_are_different_answers(void **state)
{
	auto_json json_t *absent = screen_error(*state, "press", "{\"target\":\"label=Nope\"}");
	auto_json json_t *unseen = NULL;

	assert_string_equal(jx_get_str(absent, "code", ""), "ELEMENT_NOT_FOUND");
	assert_string_not_equal(screen_reason(absent), "capture_incomplete");
	screen_quality("partial", "one program did not answer");
	unseen = screen_error(*state, "press", "{\"target\":\"label=Nope\"}");
	assert_string_equal(jx_get_str(unseen, "code", ""), "ELEMENT_NOT_FOUND");
	assert_string_equal(screen_reason(unseen), "capture_incomplete");
	assert_non_null(strstr(jx_get_str(unseen, "hint", ""), "one program did not answer"));
}

static void a_point_is_taken_as_it_is(void **state)
{
	json_decref(harness_ok(*state, "press", "{\"target\":\"120 44.5\"}"));
	assert_true(jx_get_num(screen_request("tap", 0), "x", 0) == 120);
	assert_true(jx_get_num(screen_request("tap", 0), "y", 0) == 44.5);
	assert_null(json_object_get(screen_request("tap", 0), "nodeId"));
	assert_int_equal(screen_count("snapshot"), 0);
}

static void a_bare_word_is_refused_with_a_proposal(void **state)
{
	auto_json json_t *error = screen_error(*state, "press", "{\"target\":\"Save\"}");

	assert_string_equal(jx_get_str(error, "code", ""), "INVALID_ARGS");
	assert_non_null(strstr(jx_get_str(error, "hint", ""), "Save"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_ref_names_the_node_of_the_last_snapshot),
		CASE(a_ref_without_a_snapshot_is_stale_and_nothing_is_sent),
		CASE(an_unknown_ref_is_stale_for_every_acting_command),
		CASE(a_pin_of_another_snapshot_is_refused),
		CASE(a_selector_does_not_renumber_refs),
		CASE(several_matches_are_an_error_with_the_refs_known_to_the_caller),
		CASE(not_there_and_not_seen_are_different_answers),
		CASE(a_point_is_taken_as_it_is),
		CASE(a_bare_word_is_refused_with_a_proposal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
