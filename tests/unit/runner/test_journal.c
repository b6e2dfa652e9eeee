/* Conformance cases J1..J20 that concern the journal itself, and the answer to duplicates. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "runner/journal.h"
#include "wire/runner_msg.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
	*state = rc_journal_new();
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	rc_journal_free(*state);
	return 0;
}

static const char *status_field(struct rc_journal *j, const char *id, const char *key, char out[64])
{
	auto_json json_t *data = rc_journal_status(j, id);

	snprintf(out, 64, "%s", jx_get_str(data, key, ""));
	return out;
}

static void assert_state(struct rc_journal *j, const char *id, const char *want)
{
	char got[64];

	assert_string_equal(status_field(j, id, "lifecycleState", got), want);
}

static void finish(struct rc_journal *j, const char *id, enum wire_command c, json_t *stolen_data)
{
	auto_json json_t *reply = wire_reply_ok(stolen_data);

	rc_journal_finish(j, id, c, reply);
}

static void finish_error(struct rc_journal *j, const char *id, enum wire_command c,
                         enum err_code code, const char *message)
{
	struct error auto_error e = ERROR_INIT;

	error_set(&e, code, "%s", message);
	error_hint(&e, "the hint");
	auto_json json_t *reply = wire_reply_error(&e);
	rc_journal_finish(j, id, c, reply);
}

static void a_command_goes_through_its_states(void **state)
{
	assert_state(*state, "a", "notAccepted");
	rc_journal_accept(*state, "a", WIRE_CMD_TAP);
	assert_state(*state, "a", "accepted");
	rc_journal_start(*state, "a", WIRE_CMD_TAP);
	assert_state(*state, "a", "started");
	finish(*state, "a", WIRE_CMD_TAP, NULL);
	assert_state(*state, "a", "completed");
}

static void J18_an_unknown_id_has_no_other_fields(void **state)
{
	auto_json json_t *data = rc_journal_status(*state, "none");

	assert_int_equal(json_object_size(data), 2);
	assert_string_equal(jx_get_str(data, "commandId", ""), "none");
}

static void J1_small_replies_are_retained(void **state)
{
	finish(*state, "u", WIRE_CMD_TAP, json_pack("{s:f}", "x", 12.5));
	auto_json json_t *data = rc_journal_status(*state, "u");
	const char *text = jx_get_str(data, "lifecycleResponseJson", "");
	auto_json json_t *reply = jx_parse(text, strlen(text), NULL);

	assert_true(jx_get_bool(data, "lifecycleResponseOk", false));
	assert_string_equal(jx_get_str(data, "lifecycleCommand", ""), "tap");
	assert_true(jx_get_num(json_object_get(reply, "data"), "x", 0) == 12.5);
	assert_null(strstr(text, "currentUptimeMs"));
}

static void J3_J4_trees_and_images_are_not(void **state)
{
	static const enum wire_command commands[] = { WIRE_CMD_SNAPSHOT, WIRE_CMD_SCREENSHOT };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		finish(*state, "s", commands[i], json_object());
		auto_json json_t *data = rc_journal_status(*state, "s");

		assert_string_equal(jx_get_str(data, "lifecycleState", ""), "completed");
		assert_true(jx_get_bool(data, "lifecycleResponseOk", false));
		assert_null(json_object_get(data, "lifecycleResponseJson"));
	}
}

/* {"ok":true,"data":{"text":"…"}} of exactly `size` bytes. */
static json_t *data_of_size(size_t size)
{
	struct buf auto_buf text;

	buf_init(&text, size);
	buf_fill(&text, 'x', size - strlen("{\"ok\":true,\"data\":{\"text\":\"\"}}"));
	return json_pack("{s:s}", "text", text.data);
}

static void J11_the_limit_is_inclusive(void **state)
{
	finish(*state, "fits", WIRE_CMD_READ_TEXT, data_of_size(LIM_JOURNAL_REPLY));
	finish(*state, "large", WIRE_CMD_READ_TEXT, data_of_size(LIM_JOURNAL_REPLY + 1));
	auto_json json_t *fits = rc_journal_status(*state, "fits");
	auto_json json_t *large = rc_journal_status(*state, "large");

	assert_int_equal(strlen(jx_get_str(fits, "lifecycleResponseJson", "")), LIM_JOURNAL_REPLY);
	assert_null(json_object_get(large, "lifecycleResponseJson"));
	assert_true(jx_get_bool(large, "lifecycleResponseOk", false));
}

static void J7_errors_survive_a_dropped_reply(void **state)
{
	finish_error(*state, "s", WIRE_CMD_SNAPSHOT, ERR_APP_NOT_RESPONDING, "no answer");
	auto_json json_t *data = rc_journal_status(*state, "s");

	assert_string_equal(jx_get_str(data, "lifecycleState", ""), "failed");
	assert_false(jx_get_bool(data, "lifecycleResponseOk", true));
	assert_null(json_object_get(data, "lifecycleResponseJson"));
	assert_string_equal(jx_get_str(data, "lifecycleErrorCode", ""), "APP_NOT_RESPONDING");
	assert_string_equal(jx_get_str(data, "lifecycleErrorMessage", ""), "no answer");
	assert_string_equal(jx_get_str(data, "lifecycleErrorHint", ""), "the hint");
}

static void J20_an_ordinary_failure_keeps_its_reply(void **state)
{
	finish_error(*state, "t", WIRE_CMD_TAP, ERR_ELEMENT_DISABLED, "off");
	auto_json json_t *data = rc_journal_status(*state, "t");

	assert_false(jx_get_bool(data, "lifecycleResponseOk", true));
	assert_non_null(strstr(jx_get_str(data, "lifecycleResponseJson", ""), "ELEMENT_DISABLED"));
}

static void J19_a_broken_execution_has_no_reply(void **state)
{
	struct error auto_error e = ERROR_INIT;

	error_set(&e, ERR_MAIN_THREAD_TIMEOUT, "main thread execution timed out");
	rc_journal_fail(*state, "t", WIRE_CMD_TAP, &e);
	auto_json json_t *data = rc_journal_status(*state, "t");

	assert_string_equal(jx_get_str(data, "lifecycleState", ""), "failed");
	assert_null(json_object_get(data, "lifecycleResponseOk"));
	assert_null(json_object_get(data, "lifecycleResponseJson"));
	assert_string_equal(jx_get_str(data, "lifecycleErrorMessage", ""), e.message);
}

static json_t *sequence_results(int n, int failed)
{
	struct buf auto_buf text;
	json_t *list = json_array();

	buf_init(&text, 200);
	buf_fill(&text, 'e', 200);
	for (int i = 0; i < n; i++) {
		json_t *r = json_pack("{s:b,s:s,s:f,s:f}", "ok", i != failed, "kind", "drag",
		                      "gestureStartUptimeMs", 123456789.123 + i, "gestureEndUptimeMs",
		                      123456799.456 + i);

		if (i == failed) {
			jx_set_str(r, "errorCode", "UNSUPPORTED_OPERATION");
			jx_set_str(r, "errorMessage", text.data);
		}
		json_array_append_new(list, r);
	}
	return list;
}

static void J8_J9_a_sequence_is_always_retained(void **state)
{
	static const int failed[] = { -1, LIM_SEQUENCE_STEPS - 1 };

	for (size_t i = 0; i < ARRAY_SIZE(failed); i++) {
		finish(
		    *state, "q", WIRE_CMD_SEQUENCE,
		    json_pack("{s:o}", "sequenceResults", sequence_results(LIM_SEQUENCE_STEPS, failed[i])));
		auto_json json_t *data = rc_journal_status(*state, "q");
		const char *text = jx_get_str(data, "lifecycleResponseJson", "");
		auto_json json_t *reply = jx_parse(text, strlen(text), NULL);
		json_t *results = json_object_get(json_object_get(reply, "data"), "sequenceResults");

		assert_string_equal(jx_get_str(data, "lifecycleState", ""), "completed");
		assert_in_range(strlen(text), 1, LIM_JOURNAL_REPLY - 1);
		assert_int_equal(json_array_size(results), LIM_SEQUENCE_STEPS);
	}
}

static void accept_many(struct rc_journal *j, int first, int last)
{
	for (int i = first; i <= last; i++) {
		char id[16];

		snprintf(id, sizeof(id), "c%d", i);
		rc_journal_accept(j, id, WIRE_CMD_TAP);
	}
}

static void J12_the_oldest_goes_first(void **state)
{
	accept_many(*state, 1, LIM_JOURNAL_ENTRIES + 1);
	assert_state(*state, "c1", "notAccepted");
	for (int i = 2; i <= LIM_JOURNAL_ENTRIES + 1; i++) {
		char id[16];

		snprintf(id, sizeof(id), "c%d", i);
		assert_state(*state, id, "accepted");
	}
}

static void J13_every_update_makes_an_entry_young(void **state)
{
	accept_many(*state, 1, LIM_JOURNAL_ENTRIES);
	rc_journal_start(*state, "c1", WIRE_CMD_TAP);
	accept_many(*state, LIM_JOURNAL_ENTRIES + 1, LIM_JOURNAL_ENTRIES + 1);
	assert_state(*state, "c1", "started");
	assert_state(*state, "c2", "notAccepted");
	assert_state(*state, "c3", "accepted");
}

static void J14_accepting_again_forgets_the_result(void **state)
{
	finish(*state, "a", WIRE_CMD_TAP, json_pack("{s:i}", "x", 1));
	rc_journal_accept(*state, "a", WIRE_CMD_TAP);
	auto_json json_t *data = rc_journal_status(*state, "a");

	assert_string_equal(jx_get_str(data, "lifecycleState", ""), "accepted");
	assert_null(json_object_get(data, "lifecycleResponseJson"));
	assert_null(json_object_get(data, "lifecycleResponseOk"));
}

static void J16_no_id_no_entry(void **state)
{
	struct error auto_error e = ERROR_INIT;
	auto_json json_t *reply = wire_reply_ok(NULL);

	error_set(&e, ERR_TIMEOUT, "x");
	rc_journal_accept(*state, NULL, WIRE_CMD_TAP);
	rc_journal_start(*state, NULL, WIRE_CMD_TAP);
	rc_journal_finish(*state, NULL, WIRE_CMD_TAP, reply);
	rc_journal_fail(*state, NULL, WIRE_CMD_TAP, &e);
	assert_null(rc_journal_replay(*state, NULL, WIRE_CMD_TAP));
}

static void an_evicted_id_comes_back_with_its_result(void **state)
{
	rc_journal_accept(*state, "slow", WIRE_CMD_TAP);
	accept_many(*state, 1, LIM_JOURNAL_ENTRIES);
	assert_state(*state, "slow", "notAccepted");
	finish(*state, "slow", WIRE_CMD_TAP, NULL);
	assert_state(*state, "slow", "completed");
}

/* --- duplicates ------------------------------------------------------------------------------ */

static void what_has_not_ended_is_not_replayed(void **state)
{
	assert_null(rc_journal_replay(*state, "a", WIRE_CMD_TAP));
	rc_journal_accept(*state, "a", WIRE_CMD_TAP);
	assert_null(rc_journal_replay(*state, "a", WIRE_CMD_TAP));
	rc_journal_start(*state, "a", WIRE_CMD_TAP);
	assert_null(rc_journal_replay(*state, "a", WIRE_CMD_TAP));
}

static void an_ended_mutation_is_answered_from_the_journal(void **state)
{
	finish(*state, "a", WIRE_CMD_TAP, json_pack("{s:i}", "x", 7));
	auto_json json_t *reply = rc_journal_replay(*state, "a", WIRE_CMD_TAP);

	assert_int_equal(jx_get_int(json_object_get(reply, "data"), "x", 0), 7);
	assert_null(rc_journal_replay(*state, "a", WIRE_CMD_DRAG));
}

static void without_its_reply_a_duplicate_is_told_so(void **state)
{
	finish(*state, "a", WIRE_CMD_TYPE, data_of_size(LIM_JOURNAL_REPLY + 1));
	auto_json json_t *reply = rc_journal_replay(*state, "a", WIRE_CMD_TYPE);
	const json_t *error = json_object_get(reply, "error");

	assert_string_equal(jx_get_str(error, "code", ""), "RUNNER_LOST_REPLY");
	assert_string_equal(jx_get_str(json_object_get(error, "details"), "reason", ""),
	                    "duplicate_command_id");
}

static void what_was_refused_unstarted_may_come_again(void **state)
{
	static const enum err_code codes[] = { ERR_RUNNER_BUSY, ERR_RUNNER_WEDGED };

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		struct error auto_error e = ERROR_INIT;

		error_set(&e, codes[i], "not now");
		rc_journal_fail(*state, "a", WIRE_CMD_TAP, &e);
		assert_null(rc_journal_replay(*state, "a", WIRE_CMD_TAP));
	}
}

/* --- threads --------------------------------------------------------------------------------- */

static void *hammer(void *arg)
{
	for (int i = 0; i < 500; i++) {
		char id[16];

		snprintf(id, sizeof(id), "h%d", i % 70);
		rc_journal_accept(arg, id, WIRE_CMD_TAP);
		rc_journal_start(arg, id, WIRE_CMD_TAP);
		finish(arg, id, WIRE_CMD_TAP, json_pack("{s:i}", "x", i));
		json_decref(rc_journal_status(arg, id));
		json_decref(rc_journal_replay(arg, id, WIRE_CMD_TAP));
	}
	return NULL;
}

static void four_threads_may_use_it_at_once(void **state)
{
	pthread_t threads[4];

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer, *state), 0);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	assert_state(*state, "h69", "completed");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_command_goes_through_its_states),
		CASE(J18_an_unknown_id_has_no_other_fields),
		CASE(J1_small_replies_are_retained),
		CASE(J3_J4_trees_and_images_are_not),
		CASE(J11_the_limit_is_inclusive),
		CASE(J7_errors_survive_a_dropped_reply),
		CASE(J20_an_ordinary_failure_keeps_its_reply),
		CASE(J19_a_broken_execution_has_no_reply),
		CASE(J8_J9_a_sequence_is_always_retained),
		CASE(J12_the_oldest_goes_first),
		CASE(J13_every_update_makes_an_entry_young),
		CASE(J14_accepting_again_forgets_the_result),
		CASE(J16_no_id_no_entry),
		CASE(an_evicted_id_comes_back_with_its_result),
		CASE(what_has_not_ended_is_not_replayed),
		CASE(an_ended_mutation_is_answered_from_the_journal),
		CASE(without_its_reply_a_duplicate_is_told_so),
		CASE(what_was_refused_unstarted_may_come_again),
		CASE(four_threads_may_use_it_at_once),
	};

	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
