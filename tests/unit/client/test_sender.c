/* Ids, classification and the two senders: cases E1, E7-E9, R20, R29, R30 of the runner protocol. */
#include "client_fixture.h"

static const char *sent_id(struct fixture *f, const char *command)
{
	return jx_get_str(sp_find(&f->runner, command, 0)->body, "commandId", "");
}

static void send_with_id(struct fixture *f, const char *command, const char *id)
{
	json_t *request = request_of(command);
	json_object_set_new(request, "commandId", json_string(id));
	sp_done(&f->runner);
	f->runner.n_script = f->runner.at = 0;
	cl_invalidate(f->session, "test");
	sp_reply(&f->runner, command, OK);
	assert_int_equal(send_within(f, CALL_FOREVER, request), 0);
}

static void e8_a_blank_id_is_replaced_a_given_one_kept(void **state)
{
	struct fixture *f = *state;
	send_with_id(f, "snapshot", "mine-7");
	assert_string_equal(sent_id(f, "snapshot"), "mine-7");
	send_with_id(f, "snapshot", " \t");
	assert_int_equal(strlen(sent_id(f, "snapshot")), strlen("runner-") + 36);
	assert_memory_equal(sent_id(f, "snapshot"), "runner-", 7);
	send_with_id(f, "status", "mine-7");
	assert_string_equal(sent_id(f, "status"), "");
}

static void ids_differ_and_the_request_of_the_caller_stays_as_it_is(void **state)
{
	struct fixture *f = *state;
	char a[64], b[64];
	cl_new_id(a, sizeof a);
	cl_new_id(b, sizeof b);
	assert_string_not_equal(a, b);
	json_t auto_json *request = request_of("snapshot");
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(send_within(f, CALL_FOREVER, json_incref(request)), 0);
	assert_null(json_object_get(request, "commandId"));
}

/* E7, E9: a mutation is posted once; a refused connection is no post. */
static void e7_a_mutation_is_posted_once_whatever_happens(void **state)
{
	static const enum cl_failure failures[] = { CL_LOST, CL_TIMED_OUT, CL_CANCELED };
	struct fixture *f = *state;
	for (int i = 0; i < WIRE_CMD_COUNT; i++) {
		const struct wire_command_traits *t = wire_command_traits((enum wire_command)i);
		if (t->client_read_only || t->read_only == WIRE_RO_CONDITIONAL)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(failures); k++) {
			sp_done(&f->runner);
			f->runner.n_script = f->runner.at = 0;
			sp_reply(&f->runner, "uptime", OK);
			sp_fail(&f->runner, t->name, failures[k]);
			sp_add(&f->runner,
			       (struct sp_step){ .command = "status", .failure = CL_LOST, .forever = true });
			assert_true(send_command(f, t->name) < 0);
			assert_int_equal(sp_count(&f->runner, t->name), 1);
			assert_string_equal(detail(f, "executed"), "unknown");
			cl_invalidate(f->session, "test");
		}
	}
}

static void alert_is_a_read_only_when_it_gets(void **state)
{
	static const struct {
		const char *action;
		size_t posts;
	} cases[] = { { NULL, 2 }, { "get", 2 }, { "GET", 2 }, { "accept", 1 }, { "dismiss", 1 } };
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		sp_done(&f->runner);
		f->runner.n_script = f->runner.at = 0;
		make_ready(f);
		sp_reply(&f->runner, "uptime", OK);
		sp_fail(&f->runner, "alert", CL_LOST);
		sp_reply(&f->runner, "status", "{\"ok\":true,\"data\":{\"lifecycleState\":\"started\"}}");
		sp_reply(&f->runner, "uptime", OK);
		sp_reply(&f->runner, "alert", OK);
		json_t *request = request_of("alert");
		if (cases[i].action)
			json_object_set_new(request, "action", json_string(cases[i].action));
		assert_int_equal(send_within(f, CALL_FOREVER, request) == 0, cases[i].posts == 2);
		assert_int_equal(sp_count(&f->runner, "alert"), cases[i].posts);
		cl_invalidate(f->session, "test");
	}
}

static void r29_a_read_waits_for_a_runner_that_does_not_listen_yet(void **state)
{
	struct fixture *f = *state;
	for (int i = 0; i < 3; i++)
		sp_fail(&f->runner, "snapshot", CL_NOT_SENT);
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(send_command(f, "snapshot"), 0);
	assert_order(f, "snapshot snapshot snapshot snapshot");
	/* 300, 600, 1200 ms, each give or take a fifth */
	int64_t third =
	    sp_find(&f->runner, "snapshot", 3)->at_ms - sp_find(&f->runner, "snapshot", 2)->at_ms;
	assert_true(third >= 960 && third <= 1440);
	assert_int_equal(f->trace.retries, 3);
}

static void r30_a_dead_process_is_not_waited_for(void **state)
{
	struct fixture *f = *state;
	make_ready(f);
	sp_add(&f->runner,
	       (struct sp_step){ .command = "uptime", .failure = CL_NOT_SENT, .dies = true });
	f->runner.fail_starts = 1;
	int64_t from = virtual_clock_now();
	assert_int_equal(send_command(f, "tap"), -ERR_RUNNER_UNAVAILABLE);
	assert_int_equal(virtual_clock_now(), from);
}

static void the_deadline_of_the_caller_bounds_everything(void **state)
{
	static const char *const commands[] = { "snapshot", "tap", "alert", "status" };
	struct fixture *f = *state;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		for (enum cl_failure failure = CL_NOT_SENT; failure <= CL_TIMED_OUT; failure++) {
			sp_done(&f->runner);
			f->runner.n_script = f->runner.at = 0;
			sp_add(&f->runner,
			       (struct sp_step){ .failure = failure, .takes_ms = 130, .forever = true });
			int64_t from = virtual_clock_now();
			struct call c = { deadline_in(2000), NULL };
			assert_true(send_within(f, c, request_of(commands[i])) < 0);
			assert_true(virtual_clock_now() - from <= 2000 + 130);
		}
	}
}

static void e1_a_canceled_call_sends_nothing(void **state)
{
	struct fixture *f = *state;
	make_hot(f, 100);
	struct cancel cancel;
	cancel_init(&cancel, NULL);
	cancel_fire(&cancel);
	struct call c = { DEADLINE_NEVER, &cancel };
	assert_int_equal(send_within(f, c, request_of("tap")), -ERR_CANCELED);
	assert_int_equal(f->runner.n_requests, 0);
	assert_string_equal(detail(f, "executed"), "no");
	assert_int_equal(f->runner.stopped, 0);
	cancel_done(&cancel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(e8_a_blank_id_is_replaced_a_given_one_kept),
		TEST(ids_differ_and_the_request_of_the_caller_stays_as_it_is),
		TEST(e7_a_mutation_is_posted_once_whatever_happens),
		TEST(alert_is_a_read_only_when_it_gets),
		TEST(r29_a_read_waits_for_a_runner_that_does_not_listen_yet),
		TEST(r30_a_dead_process_is_not_waited_for),
		TEST(the_deadline_of_the_caller_bounds_everything),
		TEST(e1_a_canceled_call_sends_nothing),
	};
	return cmocka_run_group_tests_name("sender", tests, NULL, NULL);
}
