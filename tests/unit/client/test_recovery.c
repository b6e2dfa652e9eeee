/* After a lost reply: cases R1-R28 of the runner protocol, and the whole matrix. */
#include "client_fixture.h"

#define STATUS(state) "{\"ok\":true,\"data\":{\"lifecycleState\":\"" state "\"}}"
#define COMPLETED(json)                                                                         \
	"{\"ok\":true,\"data\":{\"lifecycleState\":\"completed\",\"lifecycleResponseJson\":\"" json \
	"\"}}"

/* A hot tap whose reply is lost, and the answer to the question after it. */
static int lose_tap(struct fixture *f, const char *status)
{
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_LOST);
	sp_reply(&f->runner, "status", status);
	return send_command(f, "tap");
}

static void r1_connect_failed_restarts_and_runs_there(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_add(&f->runner,
	       (struct sp_step){ .command = "uptime", .failure = CL_NOT_SENT, .dies = true });
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", "{\"ok\":true,\"data\":{\"message\":\"tapped\"}}");
	assert_int_equal(send_command(f, "tap"), 0);
	assert_string_equal(jx_get_str(f->data, "message", ""), "tapped");
	assert_order(f, "uptime uptime tap");
	assert_int_equal(f->runner.started, 2);
	assert_string_equal(f->trace.invalidation, "runner_connect_failed_before_command_send");
	assert_int_equal(sp_find(&f->runner, "tap", 0)->runner, 2);
}

/* A refused connection says little: the preflight decides, and nothing of the command was sent. */
static void r1_a_command_that_was_not_sent_is_sent_to_a_runner_that_answers(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_fail(&f->runner, "tap", CL_NOT_SENT);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "tap uptime tap");
	assert_string_equal(jx_get_str(sp_find(&f->runner, "tap", 0)->body, "commandId", "?"),
	                    jx_get_str(sp_find(&f->runner, "tap", 1)->body, "commandId", "!"));
	assert_int_equal(f->runner.started, 1);
	assert_int_equal(counters_of(f).invalidations, 0);
}

static void r1_a_command_that_was_not_sent_runs_on_the_next_runner(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_fail(&f->runner, "tap", CL_NOT_SENT);
	sp_fail(&f->runner, "uptime", CL_TIMED_OUT);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "tap uptime uptime tap");
	assert_int_equal(f->runner.started, 2);
}

static void r1_a_command_that_is_not_sent_twice_restarts(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_fail(&f->runner, "tap", CL_NOT_SENT);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_NOT_SENT);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_NOT_SENT);
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_UNAVAILABLE);
	assert_order(f, "tap uptime tap uptime tap");
	assert_int_equal(f->runner.started, 2);
	assert_string_equal(detail(f, "executed"), "no");
}

static void r2_the_same_on_a_new_session(void **state)
{
	struct fixture *f = *state;
	sp_add(&f->runner,
	       (struct sp_step){ .command = "uptime", .failure = CL_NOT_SENT, .dies = true });
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_int_equal(f->runner.started, 2);
}

static void r3_a_lost_preflight_restarts(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_add(&f->runner, (struct sp_step){ .command = "uptime", .failure = CL_LOST, .dies = true });
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_string_equal(f->trace.invalidation,
	                    "runner_readiness_preflight_failed_before_command_send");
	assert_string_equal(f->trace.recovery, "session_restarted");
	assert_int_equal(counters_of(f).restarts, 1);
}

/* A probe changes nothing: one lost reply of a living runner is no reason to end it. */
static void a_lost_preflight_is_asked_again_within_its_second(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_fail(&f->runner, "uptime", CL_LOST);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "uptime uptime tap");
	assert_int_equal(f->runner.started, 1);
	assert_true(sp_find(&f->runner, "uptime", 1)->left_ms < 1000);
}

static void r4_a_preflight_that_times_out_restarts(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_fail(&f->runner, "uptime", CL_TIMED_OUT);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	int64_t from = virtual_clock_now();
	assert_int_equal(send_command(f, "tap"), 0);
	assert_int_equal(virtual_clock_now() - from, 1000);
	assert_string_equal(f->trace.invalidation,
	                    "runner_readiness_preflight_failed_before_command_send");
}

/* The caller's own short deadline is not the runner's fault. */
static void a_preflight_cut_short_by_the_caller_keeps_the_runner(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_fail(&f->runner, "uptime", CL_TIMED_OUT);
	struct call c = { deadline_in(50), NULL };
	assert_int_equal(send_within(f, c, request_of("tap")), -ERR_TIMEOUT);
	assert_int_equal(f->runner.stopped, 0);
	assert_string_equal(detail(f, "executed"), "no");
	assert_order(f, "uptime");
}

static void a_refusal_cut_short_by_the_caller_keeps_the_runner(void **state)
{
	static const char *const commands[] = { "tap", "snapshot", "uptime" };
	struct fixture *f = *state;
	make_ready(f);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		sp_done(&f->runner);
		f->runner.n_script = f->runner.at = 0;
		sp_add(&f->runner, (struct sp_step){ .failure = CL_NOT_SENT, .forever = true });
		struct call c = { deadline_in(500), NULL };
		assert_true(send_within(f, c, request_of(commands[i])) < 0);
		assert_int_equal(f->runner.stopped, 0);
	}
}

/* Questions change nothing, and are well-formed: what is wrong came on the way. */
static void a_damaged_question_is_asked_once_more(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", "{\"ok\":trve}");
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_LOST);
	sp_reply(&f->runner, "status",
	         "{\"ok\":false,\"error\":{\"code\":\"INVALID_ARGS\",\"message\":\"damaged\"}}");
	sp_reply(&f->runner, "status", STATUS("started"));
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "uptime uptime tap status status");
	assert_int_equal(f->runner.stopped, 0);
}

static void r5_not_accepted_ends_the_runner_and_replays_nothing(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, STATUS("notAccepted")), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "uptime tap status");
	assert_int_equal(counters_of(f).invalidations, 1);
	assert_string_equal(f->trace.invalidation, "transport_error_after_command_send");
	assert_string_equal(f->trace.recovery, "unknown_lifecycle_state");
	assert_string_equal(detail(f, "lifecycleState"), "notAccepted");
	assert_string_equal(detail(f, "executed"), "unknown");
}

static void r6_a_retained_reply_is_the_result(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(
	    lose_tap(f, COMPLETED("{\\\"ok\\\":true,\\\"data\\\":{\\\"message\\\":\\\"tapped\\\"}}")),
	    0);
	assert_string_equal(jx_get_str(f->data, "message", ""), "tapped");
	assert_order(f, "uptime tap status");
	assert_int_equal(counters_of(f).invalidations, 0);
	assert_string_equal(jx_get_str(sp_find(&f->runner, "status", 0)->body, "statusCommandId", "?"),
	                    jx_get_str(sp_find(&f->runner, "tap", 0)->body, "commandId", "!"));
	assert_string_equal(f->trace.recovery, "completed_with_retained_response");
	assert_int_equal(sp_find(&f->runner, "status", 0)->left_ms, 3000);
}

static void r7_a_failed_question_ends_the_runner(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_LOST);
	sp_add(&f->runner,
	       (struct sp_step){ .command = "status", .failure = CL_NOT_SENT, .forever = true });
	int64_t from = virtual_clock_now();
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_LOST_REPLY);
	assert_true(virtual_clock_now() - from <= 3000);
	assert_string_equal(f->error.message, "fetch failed");
	assert_string_equal(f->trace.recovery, "status_probe_failed");
	assert_string_equal(detail(f, "executed"), "unknown");
	assert_int_equal(counters_of(f).invalidations, 1);
	assert_int_equal(sp_count(&f->runner, "tap"), 1);
}

/* The process died with the reply: nobody is asked, the answer comes at once. */
static void r7_a_dead_process_is_not_asked(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_add(&f->runner, (struct sp_step){ .command = "tap", .failure = CL_LOST, .dies = true });
	int64_t from = virtual_clock_now();
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "tap");
	assert_int_equal(virtual_clock_now(), from);
	assert_string_equal(f->trace.recovery, "status_probe_failed");
}

static void r8_r9_unknown_and_missing_states(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, STATUS("paused")), -ERR_RUNNER_LOST_REPLY);
	assert_non_null(strstr(f->error.message, "lifecycle status was \"paused\""));
	assert_string_equal(detail(f, "recovery"), "lifecycle_state_not_recoverable");
	assert_non_null(strstr(f->error.hint, "conservative invalidation path"));
	assert_int_equal(counters_of(f).invalidations, 1);
	f->runner.n_script = f->runner.at = 0;
	sp_done(&f->runner);
	assert_int_equal(lose_tap(f, OK), -ERR_RUNNER_LOST_REPLY);
	assert_non_null(strstr(f->error.message, "missing"));
	assert_string_equal(f->trace.recovery, "missing_lifecycle_state");
	assert_int_equal(counters_of(f).invalidations, 2);
}

static void lose_snapshot(struct fixture *f, const char *status)
{
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "snapshot", CL_LOST);
	sp_reply(&f->runner, "status", status);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "snapshot", "{\"ok\":true,\"data\":{\"n\":2}}");
	assert_int_equal(send_command(f, "snapshot"), 0);
	assert_int_equal(jx_get_int(f->data, "n", 0), 2);
	assert_order(f, "uptime snapshot status uptime snapshot");
	assert_int_equal(counters_of(f).invalidations, 0);
}

static void r10_a_completed_read_is_read_again(void **state)
{
	struct fixture *f = *state;
	lose_snapshot(f, STATUS("completed"));
	assert_string_equal(f->trace.recovery, "read_only_completed_without_retained_response");
}

static void r11_a_started_read_is_read_again(void **state)
{
	lose_snapshot(*state, STATUS("started"));
}

static void a_read_of_an_unknown_state_is_not_tried_again(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "snapshot", CL_LOST);
	sp_reply(&f->runner, "status", STATUS("paused"));
	assert_int_equal(send_command(f, "snapshot"), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "uptime snapshot status");
}

/* The runner died under a read: the read runs on the next one. */
static void a_read_survives_the_death_of_its_runner(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_add(&f->runner, (struct sp_step){ .command = "snapshot", .failure = CL_LOST, .dies = true });
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(send_command(f, "snapshot"), 0);
	assert_order(f, "uptime snapshot snapshot");
	assert_int_equal(f->runner.started, 2);
}

static void r12_completed_without_a_reply_says_so(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, STATUS("completed")), -ERR_RUNNER_LOST_REPLY);
	assert_string_equal(detail(f, "recovery"), "completed_without_retained_response");
	assert_string_equal(detail(f, "executed"), "yes");
	assert_string_equal(detail(f, "transportError"), "fetch failed");
	assert_string_equal(detail(f, "command"), "tap");
	assert_non_null(strstr(f->error.hint, "kept the session open"));
	assert_non_null(strstr(f->error.hint, "will not replay"));
	assert_non_null(strstr(f->error.hint, "snapshot -i"));
	assert_order(f, "uptime tap status");
	assert_int_equal(counters_of(f).invalidations, 0);
}

static int lose_hot_tap(struct fixture *f, const char *status)
{
	make_hot(f, 1200);
	sp_fail(&f->runner, "tap", CL_LOST);
	sp_reply(&f->runner, "status", status);
	return send_command(f, "tap");
}

static void r13_a_hot_command_is_recovered_too(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_hot_tap(f, COMPLETED("{\\\"ok\\\":true}")), 0);
	assert_int_equal(json_object_size(f->data), 0);
	assert_int_equal(f->trace.proof_age_ms, 1200);
	assert_false(f->session->recency.has);
}

static void r14_a_hot_command_explains_the_skip(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_hot_tap(f, STATUS("completed")), -ERR_RUNNER_LOST_REPLY);
	static const char sentence[] = "This hot command skipped the uptime preflight";
	assert_memory_equal(f->error.hint, sentence, sizeof sentence - 1);
	assert_true(jx_get_bool(f->error.details, "readinessPreflightSkipped", false));
	assert_int_equal(jx_get_int(f->error.details, "readinessPreflightSkippedAgeMs", 0), 1200);
}

static void r15_a_hot_command_of_unknown_state(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_hot_tap(f, STATUS("paused")), -ERR_RUNNER_LOST_REPLY);
	assert_int_equal(counters_of(f).invalidations, 1);
	assert_false(has_detail(f, "readinessPreflightSkipped"));
}

static void r16_r21_a_recorded_failure_is_the_error(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(
	    lose_tap(f, "{\"ok\":true,\"data\":{\"lifecycleState\":\"failed\",\"lifecycleErrorCode\":"
	                "\"AMBIGUOUS_MATCH\",\"lifecycleErrorMessage\":\"two of "
	                "them\",\"lifecycleErrorHint\":\"choose\"}}"),
	    -ERR_AMBIGUOUS_MATCH);
	assert_string_equal(f->error.message, "two of them");
	assert_string_equal(f->error.hint, "choose");
	assert_string_equal(detail(f, "recovery"), "runner_reported_failure");
	assert_string_equal(detail(f, "executed"), "no");
	assert_int_equal(counters_of(f).invalidations, 0);
	assert_order(f, "uptime tap status");
}

static void r17_a_recorded_failure_without_code_and_hint(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, "{\"ok\":true,\"data\":{\"lifecycleState\":\"failed\","
	                             "\"lifecycleErrorMessage\":\"broke\"}}"),
	                 -ERR_COMMAND_FAILED);
	assert_string_equal(f->error.message, "broke");
	assert_non_null(strstr(f->error.hint, "kept the session open"));
	assert_non_null(strstr(f->error.hint, "did not replay"));
	assert_string_equal(detail(f, "executed"), "unknown");
}

static void r18_r22_still_in_flight(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, STATUS("started")), -ERR_RUNNER_LOST_REPLY);
	assert_non_null(strstr(f->error.message, "still started"));
	assert_non_null(strstr(f->error.hint, "snapshot -i"));
	assert_string_equal(detail(f, "recovery"), "command_still_in_flight");
	assert_int_equal(counters_of(f).invalidations, 0);
}

static void r19_no_second_restart_and_no_second_replay(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_add(&f->runner,
	       (struct sp_step){ .command = "uptime", .failure = CL_NOT_SENT, .dies = true });
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_LOST);
	sp_reply(&f->runner, "status", STATUS("notAccepted"));
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "uptime uptime tap status");
	assert_int_equal(counters_of(f).invalidations, 2);
	assert_string_equal(f->trace.invalidation, "transport_error_after_retry_command_send");
	f->runner.n_script = f->runner.at = 0;
	sp_done(&f->runner);
	for (int i = 0; i < 2; i++)
		sp_add(&f->runner,
		       (struct sp_step){ .command = "uptime", .failure = CL_NOT_SENT, .dies = true });
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_UNAVAILABLE);
	assert_order(f, "uptime uptime");
	assert_string_equal(detail(f, "executed"), "no");
}

static void r20_r23_a_lost_sequence(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "sequence", CL_LOST);
	sp_reply(&f->runner, "status",
	         COMPLETED("{\\\"ok\\\":true,\\\"data\\\":{\\\"completedSteps\\\":3}}"));
	assert_int_equal(send_command(f, "sequence"), 0);
	assert_int_equal(jx_get_int(f->data, "completedSteps", 0), 3);
	assert_order(f, "uptime sequence status");
	sp_done(&f->runner);
	f->runner.n_script = f->runner.at = 0;
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "sequence", CL_LOST);
	sp_add(&f->runner, (struct sp_step){ .command = "status", .failure = CL_TIMED_OUT });
	assert_true(send_command(f, "sequence") < 0);
	assert_int_equal(counters_of(f).invalidations, 1);
	assert_int_equal(sp_count(&f->runner, "sequence"), 1);
}

static void r25_a_timeout_after_sending_is_only_reported(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, "tap", CL_TIMED_OUT);
	assert_int_equal(send_command(f, "tap"), -ERR_TIMEOUT);
	assert_order(f, "uptime tap");
	assert_int_equal(counters_of(f).invalidations, 0);
	assert_string_equal(detail(f, "executed"), "unknown");
}

static void r26_r27_retained_replies_of_odd_shape(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(lose_tap(f, COMPLETED("{\\\"ok\\\":true,\\\"data\\\":[1]}")), 0);
	assert_int_equal(json_object_size(f->data), 0);
	static const char *const unusable[] = { COMPLETED("nonsense"), COMPLETED("{\\\"ok\\\":false}"),
		                                    COMPLETED(""), COMPLETED("7") };
	for (size_t i = 0; i < ARRAY_SIZE(unusable); i++) {
		f->runner.n_script = f->runner.at = 0;
		sp_done(&f->runner);
		cl_invalidate(f->session, "test");
		assert_int_equal(lose_tap(f, unusable[i]), -ERR_RUNNER_LOST_REPLY);
		assert_string_equal(detail(f, "recovery"), "completed_without_retained_response");
	}
}

/* A lost reply at the very end of the caller's time: nothing can be asked, nothing is torn down. */
static void out_of_time_keeps_the_session(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_add(&f->runner, (struct sp_step){ .command = "tap", .failure = CL_LOST, .takes_ms = 500 });
	struct call c = { deadline_in(500), NULL };
	assert_int_equal(send_within(f, c, request_of("tap")), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "tap");
	assert_string_equal(f->trace.recovery, "status_probe_out_of_time");
	assert_string_equal(detail(f, "executed"), "unknown");
	assert_int_equal(f->runner.stopped, 0);
}

static void cancellation_ends_it_and_tells_the_truth(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_fail(&f->runner, "tap", CL_CANCELED);
	assert_int_equal(send_command(f, "tap"), -ERR_CANCELED);
	assert_string_equal(detail(f, "executed"), "unknown");
	sp_reply(&f->runner, "uptime", OK);
	sp_add(&f->runner,
	       (struct sp_step){ .command = "tap", .failure = CL_CANCELED, .not_sent = true });
	assert_int_equal(send_command(f, "tap"), -ERR_CANCELED);
	assert_string_equal(detail(f, "executed"), "no");
	assert_int_equal(f->runner.stopped, 0);
}

/* --- the table itself --------------------------------------------------------------------------- */

static const char *answers[CL_ANSWER_COUNT] = {
	[CL_ANSWER_COMPLETED_REPLY] = COMPLETED("{\\\"ok\\\":true,\\\"data\\\":{}}"),
	[CL_ANSWER_COMPLETED] = STATUS("completed"),
	[CL_ANSWER_FAILED] = STATUS("failed"),
	[CL_ANSWER_IN_FLIGHT] = STATUS("accepted"),
	[CL_ANSWER_UNKNOWN_STATE] = STATUS("notAccepted"),
	[CL_ANSWER_NO_STATE] = "{\"ok\":true}",
};

static void check_cell(struct fixture *f, const char *command, enum cl_answer answer)
{
	bool read_only = strcmp(command, "findText") == 0;
	const struct cl_recovery_row *row = cl_recovery_row(answer);
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_fail(&f->runner, command, CL_LOST);
	sp_reply(&f->runner, "status", answers[answer]);
	sp_add(&f->runner,
	       (struct sp_step){ .failure = CL_NOT_SENT, .forever = true }); /* whatever follows */
	uint64_t before = counters_of(f).invalidations;
	int stopped = f->runner.stopped;
	struct call c = { deadline_in(100), NULL }; /* too short for a second try of a read */
	int r = send_within(f, c, request_of(command));
	bool returned = row->action[read_only] == CL_ACT_RETURN_REPLY;
	assert_int_equal(r == 0, returned);
	assert_int_equal(counters_of(f).invalidations - before, row->invalidate);
	assert_int_equal(f->runner.stopped - stopped, row->invalidate);
	assert_string_equal(f->trace.recovery, row->decision[read_only]);
	assert_int_equal(sp_count(&f->runner, command), 1);
	if (r < 0 && !read_only && row->executed)
		assert_string_equal(detail(f, "executed"), row->executed);
	if (row->recovery && r < 0)
		assert_string_equal(detail(f, "recovery"), row->recovery);
	cl_invalidate(f->session, "test");
	f->runner.n_script = f->runner.at = 0;
	sp_done(&f->runner);
}

static void every_answer_of_every_class(void **state)
{
	struct fixture *f = *state;
	for (int a = CL_ANSWER_COMPLETED_REPLY; a < CL_ANSWER_COUNT; a++) {
		check_cell(f, "tap", (enum cl_answer)a);
		check_cell(f, "type", (enum cl_answer)a);
		check_cell(f, "findText", (enum cl_answer)a);
	}
}

static void only_unknown_answers_end_a_session(void **state)
{
	static const bool ends[CL_ANSWER_COUNT] = {
		[CL_ANSWER_UNAVAILABLE] = true,
		[CL_ANSWER_PROBE_FAILED] = true,
		[CL_ANSWER_UNKNOWN_STATE] = true,
		[CL_ANSWER_NO_STATE] = true,
	};
	for (int a = 0; a < CL_ANSWER_COUNT; a++)
		assert_int_equal(cl_recovery_row((enum cl_answer)a)->invalidate, ends[a]);
}

/* A path that sends again may only follow a failure of which nothing was sent. */
static void only_unsent_commands_are_sent_again(void **state)
{
	for (int i = 0; i < CL_CLASS_COUNT; i++) {
		const struct cl_ladder_row *row = cl_ladder((enum cl_class)i);
		if (row->path == CL_PATH_RESTART)
			assert_string_equal(row->executed, "no");
		if (row->path != CL_PATH_RETHROW)
			assert_non_null(row->reason);
	}
	assert_int_equal(cl_ladder(CL_CLASS_LOST)->path, CL_PATH_RECOVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(r1_connect_failed_restarts_and_runs_there),
		TEST(r1_a_command_that_was_not_sent_is_sent_to_a_runner_that_answers),
		TEST(r1_a_command_that_was_not_sent_runs_on_the_next_runner),
		TEST(r1_a_command_that_is_not_sent_twice_restarts),
		TEST(a_refusal_cut_short_by_the_caller_keeps_the_runner),
		TEST(a_damaged_question_is_asked_once_more),
		TEST(r2_the_same_on_a_new_session),
		TEST(r3_a_lost_preflight_restarts),
		TEST(a_lost_preflight_is_asked_again_within_its_second),
		TEST(r4_a_preflight_that_times_out_restarts),
		TEST(a_preflight_cut_short_by_the_caller_keeps_the_runner),
		TEST(r5_not_accepted_ends_the_runner_and_replays_nothing),
		TEST(r6_a_retained_reply_is_the_result),
		TEST(r7_a_failed_question_ends_the_runner),
		TEST(r7_a_dead_process_is_not_asked),
		TEST(r8_r9_unknown_and_missing_states),
		TEST(r10_a_completed_read_is_read_again),
		TEST(r11_a_started_read_is_read_again),
		TEST(a_read_of_an_unknown_state_is_not_tried_again),
		TEST(a_read_survives_the_death_of_its_runner),
		TEST(r12_completed_without_a_reply_says_so),
		TEST(r13_a_hot_command_is_recovered_too),
		TEST(r14_a_hot_command_explains_the_skip),
		TEST(r15_a_hot_command_of_unknown_state),
		TEST(r16_r21_a_recorded_failure_is_the_error),
		TEST(r17_a_recorded_failure_without_code_and_hint),
		TEST(r18_r22_still_in_flight),
		TEST(r19_no_second_restart_and_no_second_replay),
		TEST(r20_r23_a_lost_sequence),
		TEST(r25_a_timeout_after_sending_is_only_reported),
		TEST(r26_r27_retained_replies_of_odd_shape),
		TEST(out_of_time_keeps_the_session),
		TEST(cancellation_ends_it_and_tells_the_truth),
		TEST(every_answer_of_every_class),
		cmocka_unit_test(only_unknown_answers_end_a_session),
		cmocka_unit_test(only_unsent_commands_are_sent_again),
	};
	return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
