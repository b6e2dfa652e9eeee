/* Preflight and session execution: cases P1-P34 and L7, L10, L13 of the runner protocol. */
#include "client_fixture.h"

static void p1_a_read_on_a_new_session_is_its_own_proof(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(cl_session_state(f->session), CL_IDLE);
	assert_int_equal(send_command(f, "snapshot"), 0);
	assert_order(f, "snapshot");
	assert_int_equal(cl_session_state(f->session), CL_READY);
	assert_string_equal(f->trace.preflight, "not_needed");
	assert_string_equal(f->trace.skip_reason, "read_only_startup_command");
	assert_int_equal(cl_session_process(f->session).pid, 1001);
}

static void p2_a_read_on_a_ready_session_asks_first(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(send_command(f, "snapshot"), 0);
	assert_order(f, "uptime snapshot");
	assert_int_equal(sp_find(&f->runner, "uptime", 0)->left_ms, 1000);
}

static void p3_a_failed_preflight_keeps_the_command_back(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime",
	         "{\"ok\":false,\"error\":{\"code\":\"RUNNER_BUSY\",\"message\":\"busy\"}}");
	assert_int_equal(send_command(f, "snapshot"), -ERR_RUNNER_BUSY);
	assert_order(f, "uptime");
	assert_true(jx_get_bool(f->error.details, "runnerReadinessPreflightFailed", false));
	assert_string_equal(f->error.message, "busy");
	assert_int_equal(counters_of(f).invalidations, 0);
}

static void p4_status_is_sent_alone_and_without_an_id(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "status", OK);
	assert_int_equal(send_command(f, "status"), 0);
	assert_order(f, "status");
	assert_null(json_object_get(sp_find(&f->runner, "status", 0)->body, "commandId"));
}

static void p5_a_mutation_on_a_new_session_asks_with_the_startup_budget(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "uptime tap");
	assert_string_equal(f->trace.preflight_reason, "startup");
	assert_int_equal(sp_find(&f->runner, "uptime", 0)->left_ms, LIM_RUNNER_STARTUP_MS);
	assert_int_equal(cl_session_state(f->session), CL_READY);
}

static void p6_p7_no_record_asks_first(void **state)
{
	static const char *const commands[] = { "tap",   "longPress", "drag",
		                                    "swipe", "scroll",    "sequence" };
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		make_ready(f);
		cl_step(f->session, CL_EV_DOUBTED, NULL);
		sp_reply(&f->runner, "uptime", OK);
		sp_reply(&f->runner, commands[i], OK);
		assert_int_equal(send_command(f, commands[i]), 0);
		assert_string_equal(f->trace.preflight, "used");
		assert_string_equal(f->trace.preflight_reason, "no_recent_healthy_mutation");
		assert_null(f->trace.skip_reason);
		assert_int_equal(f->runner.n_requests, 2);
		f->runner.n_script = f->runner.at = 0;
		sp_done(&f->runner);
		cl_invalidate(f->session, "test");
	}
}

static void p8_a_mutation_behind_a_failed_preflight_was_not_executed(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", "{\"ok\":false,\"error\":{\"message\":\"no\"}}");
	assert_int_equal(send_command(f, "tap"), -ERR_COMMAND_FAILED);
	assert_order(f, "uptime");
	assert_true(jx_get_bool(f->error.details, "runnerReadinessPreflightFailed", false));
	assert_string_equal(detail(f, "executed"), "no");
}

static void p9_p28_the_runners_error_is_preserved(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap",
	         "{\"ok\":false,\"error\":{\"code\":\"UNSUPPORTED_OPERATION\",\"message\":\"no taps "
	         "here\",\"hint\":\"look\"}}");
	assert_int_equal(send_command(f, "tap"), -ERR_UNSUPPORTED_OPERATION);
	assert_string_equal(f->error.message, "no taps here");
	assert_string_equal(f->error.hint, "look");
	assert_int_equal(counters_of(f).invalidations, 0);
	assert_int_equal(sp_count(&f->runner, "tap"), 1);
}

static void p10_a_fresh_proof_skips_the_preflight(void **state)
{
	static const char *const commands[] = { "tap",   "longPress", "drag",
		                                    "swipe", "scroll",    "sequence" };
	struct fixture *f = *state;
	make_hot(f, 0);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		virtual_clock_advance(1500);
		sp_reply(&f->runner, commands[i], OK);
		assert_int_equal(send_command(f, commands[i]), 0);
		assert_string_equal(f->trace.preflight, "skipped");
		assert_string_equal(f->trace.skip_reason, "recent_healthy_mutation");
		assert_int_equal(f->trace.proof_age_ms, 1500);
	}
	assert_order(f, "tap longPress drag swipe scroll sequence");
	assert_int_equal(counters_of(f).preflights_skipped, ARRAY_SIZE(commands));
}

static void p11_one_request_per_hot_command_after_the_first(void **state)
{
	struct fixture *f = *state;
	sp_reply(&f->runner, "uptime", OK);
	for (int i = 0; i < 100; i++) {
		sp_reply(&f->runner, "tap", OK);
		assert_int_equal(send_command(f, "tap"), 0);
		assert_int_equal(f->trace.requests, i == 0 ? 2 : 1);
		virtual_clock_advance(4000);
	}
	assert_int_equal(counters_of(f).requests, 101);
	assert_int_equal(counters_of(f).commands, 100);
	assert_int_equal(counters_of(f).invalidations, 0);
}

static void p12_reads_are_no_proof(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	assert_false(f->session->recency.has);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "uptime tap");
	assert_true(f->session->recency.has);
}

static void p13_p24_a_fatal_reply_is_returned_and_ends_the_runner(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_reply(&f->runner, "tap",
	         "{\"ok\":true,\"data\":{\"x\":1,\"runnerFatal\":true,\"runnerFatalReason\":\"ax_"
	         "snapshot_unavailable\"}}");
	assert_int_equal(send_command(f, "tap"), 0);
	assert_int_equal(jx_get_int(f->data, "x", 0), 1);
	assert_false(f->session->recency.has);
	assert_string_equal(f->trace.invalidation, "ax_snapshot_unavailable");
	assert_int_equal(f->runner.stopped, 1);
	assert_int_equal(cl_session_state(f->session), CL_INVALID);
	assert_int_equal(cl_session_process(f->session).pid, 0);
}

static void p14_other_mutations_always_ask(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 10);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "type", OK);
	assert_int_equal(send_command(f, "type"), 0);
	assert_order(f, "uptime type");
	assert_string_equal(f->trace.preflight_reason, "conservative_command");
}

static void p15_p16_an_old_proof_asks(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 6000);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "uptime tap");
	assert_string_equal(f->trace.preflight_reason, "healthy_mutation_stale");
	assert_int_equal(f->trace.proof_age_ms, 6000);
}

static void p18_a_blank_app_is_no_app(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(
	    send_within(f, CALL_FOREVER, json_pack("{s:s,s:s}", "command", "tap", "appBundleId", " ")),
	    0);
	assert_int_equal(send_within(f, CALL_FOREVER, json_pack("{s:s}", "command", "tap")), 0);
	assert_order(f, "uptime tap tap");
}

static void p20_a_transport_failure_after_a_skip_takes_the_proof_away(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 1200);
	sp_fail(&f->runner, "tap", CL_TIMED_OUT);
	assert_int_equal(send_command(f, "tap"), -ERR_TIMEOUT);
	assert_order(f, "tap");
	assert_true(jx_get_bool(f->error.details, "runnerReadinessPreflightSkipped", false));
	assert_string_equal(detail(f, "runnerReadinessPreflightSkipReason"), "recent_healthy_mutation");
	assert_int_equal(jx_get_int(f->error.details, "runnerReadinessPreflightSkippedAgeMs", 0), 1200);
	assert_false(has_detail(f, "runnerReadinessPreflightFailed"));
	assert_false(f->session->recency.has);
}

static void p21_a_runner_error_after_a_skip_keeps_the_proof(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 1200);
	sp_reply(&f->runner, "tap",
	         "{\"ok\":false,\"error\":{\"code\":\"ELEMENT_STALE\",\"message\":\"gone\"}}");
	assert_int_equal(send_command(f, "tap"), -ERR_ELEMENT_STALE);
	assert_false(has_detail(f, "runnerReadinessPreflightSkipped"));
	assert_true(f->session->recency.has);
	assert_string_equal(detail(f, "executed"), "no");
}

/* P22, P26, P27, and RUNNER_WEDGED */
static void errors_that_end_the_runner(void **state)
{
	static const struct {
		const char *code, *reason;
	} cases[] = {
		{ "XCTEST_RECORDED_FAILURE", "xctest_recorded_failure" },
		{ "IOS_AX_SNAPSHOT_FAILED", "ax_snapshot_failure" },
		{ "RUNNER_WEDGED", "runner_main_thread_wedged" },
	};
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		make_hot(f, 100);
		json_t *reply = json_pack("{s:b,s:{s:s,s:s}}", "ok", 0, "error", "code", cases[i].code,
		                          "message", "bad");
		char *text = json_dumps(reply, 0);
		sp_reply(&f->runner, "tap", text);
		assert_true(send_command(f, "tap") < 0);
		assert_string_equal(f->error.message, "bad");
		assert_string_equal(f->trace.invalidation, cases[i].reason);
		assert_false(f->session->recency.has);
		assert_int_equal(cl_session_state(f->session), CL_INVALID);
		assert_int_equal(f->runner.n_requests, 1);
		free(text);
		json_decref(reply);
		f->runner.n_script = f->runner.at = 0;
		sp_done(&f->runner);
	}
}

static void p23_a_reply_that_is_no_reply(void **state)
{
	static const char *const bad[] = { "", "not json", "[1]", "7", "{\"ok\":tru" };
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		make_hot(f, 100);
		sp_reply(&f->runner, "tap", bad[i]);
		assert_int_equal(send_command(f, "tap"), -ERR_COMMAND_FAILED);
		assert_string_equal(detail(f, "reason"), "invalid_runner_response");
		assert_true(jx_get_bool(f->error.details, "runnerReadinessPreflightSkipped", false));
		assert_string_equal(detail(f, "executed"), "unknown");
		assert_false(f->session->recency.has);
		assert_int_equal(counters_of(f).invalidations, 0);
		assert_int_equal(f->runner.n_requests, 1);
		f->runner.n_script = f->runner.at = 0;
		sp_done(&f->runner);
	}
}

static void p25_a_fatal_reply_without_a_reason(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	sp_reply(&f->runner, "tap", "{\"ok\":true,\"data\":{\"runnerFatal\":true}}");
	assert_int_equal(send_command(f, "tap"), 0);
	assert_string_equal(f->trace.invalidation, "runner_reported_fatal_response");
}

static void p34_a_read_is_tried_three_times_under_one_id(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	for (int i = 0; i < 3; i++) {
		sp_reply(&f->runner, "uptime", OK);
		sp_fail(&f->runner, "snapshot", CL_LOST);
		sp_reply(&f->runner, "status", "{\"ok\":true,\"data\":{\"lifecycleState\":\"started\"}}");
	}
	assert_int_equal(send_command(f, "snapshot"), -ERR_RUNNER_LOST_REPLY);
	assert_order(f, "uptime snapshot status uptime snapshot status uptime snapshot status");
	const char *id = jx_get_str(sp_find(&f->runner, "snapshot", 0)->body, "commandId", "?");
	for (size_t i = 1; i < 3; i++)
		assert_string_equal(jx_get_str(sp_find(&f->runner, "snapshot", i)->body, "commandId", "!"),
		                    id);
	assert_false(has_detail(f, "executed"));
	assert_int_equal(f->trace.retries, 2);
	assert_int_equal(counters_of(f).invalidations, 0);
}

/* L7: dead processes are noticed before use and dropped without a farewell. */
static void l7_a_dead_runner_is_replaced_before_the_command(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	f->runner.alive = false;
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	assert_order(f, "uptime tap"); /* no shutdown, and no trust in the old proof */
	assert_int_equal(f->runner.started, 2);
	assert_int_equal(f->runner.stopped, 1);
	assert_string_equal(f->trace.invalidation, "runner_process_exited");
	assert_int_equal(counters_of(f).restarts, 1);
	assert_int_equal(cl_session_process(f->session).pid, 1002);
}

static void l10_a_stop_is_graceful(void **state)
{
	struct sp runner;
	struct cl_session *s;
	virtual_clock_use(0);
	sp_init(&runner);
	struct cl_provider provider = sp_provider(&runner);
	assert_int_equal(cl_session_new(&s, &provider, NULL), 0);
	sp_reply(&runner, "snapshot", OK);
	sp_reply(&runner, "shutdown", OK);
	json_t auto_json *request = request_of("snapshot");
	json_t *data = NULL;
	assert_int_equal(cl_send(s, CALL_FOREVER, request, &data, NULL, NULL), 0);
	json_decref(data);
	cl_session_free(s);
	assert_string_equal(sp_order(&runner), "snapshot shutdown");
	assert_int_equal(sp_find(&runner, "shutdown", 0)->left_ms, LIM_RUNNER_SHUTDOWN_MS);
	assert_int_equal(runner.stopped, 1);
	assert_int_equal(runner.last_grace_ms, LIM_RUNNER_EXIT_MS);
	assert_true(runner.freed);
	sp_done(&runner);
	cl_session_free(NULL);
	virtual_clock_leave();
}

static void l13_an_invalidation_sends_no_farewell(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	cl_invalidate(f->session, "test");
	assert_int_equal(f->runner.n_requests, 0);
	assert_int_equal(f->runner.stopped, 1);
	assert_int_equal(f->runner.last_grace_ms, LIM_RUNNER_KILL_MS);
	assert_false(f->session->recency.has);
	/* R28: what is gone already can't be ended again. */
	cl_invalidate(f->session, "test");
	assert_int_equal(f->runner.stopped, 1);
	assert_int_equal(counters_of(f).invalidations, 1);
}

static void a_runner_that_does_not_start_is_reported_as_it_is(void **state)
{
	struct fixture *f = *state;
	f->runner.fail_starts = 1;
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_UNAVAILABLE);
	assert_string_equal(f->error.message, "the scripted runner does not start");
	assert_string_equal(detail(f, "executed"), "no");
	assert_int_equal(f->runner.n_requests, 0);
	assert_int_equal(cl_session_state(f->session), CL_INVALID);
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
}

static void an_unknown_command_and_an_oversized_one_never_leave(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(send_command(f, "teleport"), -ERR_UNKNOWN_COMMAND);
	char *big = malloc(LIM_RUNNER_REQUEST + 10);
	memset(big, 'x', LIM_RUNNER_REQUEST + 9);
	big[LIM_RUNNER_REQUEST + 9] = '\0';
	assert_int_equal(
	    send_within(f, CALL_FOREVER, json_pack("{s:s,s:s}", "command", "type", "text", big)),
	    -ERR_LIMIT_EXCEEDED);
	free(big);
	assert_int_equal(f->runner.started, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(p1_a_read_on_a_new_session_is_its_own_proof),
		TEST(p2_a_read_on_a_ready_session_asks_first),
		TEST(p3_a_failed_preflight_keeps_the_command_back),
		TEST(p4_status_is_sent_alone_and_without_an_id),
		TEST(p5_a_mutation_on_a_new_session_asks_with_the_startup_budget),
		TEST(p6_p7_no_record_asks_first),
		TEST(p8_a_mutation_behind_a_failed_preflight_was_not_executed),
		TEST(p9_p28_the_runners_error_is_preserved),
		TEST(p10_a_fresh_proof_skips_the_preflight),
		TEST(p11_one_request_per_hot_command_after_the_first),
		TEST(p12_reads_are_no_proof),
		TEST(p13_p24_a_fatal_reply_is_returned_and_ends_the_runner),
		TEST(p14_other_mutations_always_ask),
		TEST(p15_p16_an_old_proof_asks),
		TEST(p18_a_blank_app_is_no_app),
		TEST(p20_a_transport_failure_after_a_skip_takes_the_proof_away),
		TEST(p21_a_runner_error_after_a_skip_keeps_the_proof),
		TEST(errors_that_end_the_runner),
		TEST(p23_a_reply_that_is_no_reply),
		TEST(p25_a_fatal_reply_without_a_reason),
		TEST(p34_a_read_is_tried_three_times_under_one_id),
		TEST(l7_a_dead_runner_is_replaced_before_the_command),
		cmocka_unit_test(l10_a_stop_is_graceful),
		TEST(l13_an_invalidation_sends_no_farewell),
		TEST(a_runner_that_does_not_start_is_reported_as_it_is),
		TEST(an_unknown_command_and_an_oversized_one_never_leave),
	};
	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
