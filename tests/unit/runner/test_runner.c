/* The runner over HTTP: transport cases T1..T23, concurrency, duplicates, watchdog, stopping. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "harness.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define UPTIME "{\"command\":\"uptime\"}"
#define TAP(id) "{\"command\":\"tap\",\"commandId\":\"" id "\",\"nodeId\":\"save\"}"

static struct harness h;

static int start_plain(void **state)
{
	harness_start(&h, NULL);
	return 0;
}

/* A short watchdog; nothing is ever called wedged. */
static int start_short(void **state)
{
	harness_start(&h, &(struct rc_config){ .watchdog_ms = 30, .wedged_ms = 3600 * 1000 });
	return 0;
}

static int start_impatient(void **state)
{
	harness_start(&h, &(struct rc_config){ .watchdog_ms = 30, .wedged_ms = 1 });
	return 0;
}

static int start_with_token(void **state)
{
	harness_start(&h, &(struct rc_config){ .token = "s3cret" });
	return 0;
}

static int stop(void **state)
{
	if (h.runner)
		harness_stop(&h);
	return 0;
}

/* --- small parts ----------------------------------------------------------------------------- */

static struct http_answer raw(const char *text)
{
	auto_close int fd = http_connect(&h);

	http_send(fd, text, strlen(text));
	return http_receive(fd);
}

static void assert_answer(const char *request, int status, const char *code)
{
	struct http_answer auto_answer a = raw(request);

	if (a.status != status || strcmp(answer_code(&a), code) != 0)
		fail_msg("%.60s… gave %d %s", request, a.status, a.body);
}

static void assert_alive(void)
{
	struct http_answer auto_answer a = http_command(&h, UPTIME);

	assert_int_equal(a.status, 200);
}

static void assert_state(const char *id, const char *want)
{
	char body[200];

	snprintf(body, sizeof(body), "{\"command\":\"status\",\"statusCommandId\":\"%s\"}", id);
	struct http_answer auto_answer a = http_command(&h, body);
	assert_string_equal(jx_get_str(answer_data(&a), "lifecycleState", ""), want);
}

/* Asks without pause until the runner says so; each question is an exchange, no time is measured. */
static void wait_until_idle(void)
{
	for (;;) {
		struct http_answer auto_answer a = http_command(&h, UPTIME);

		if (!jx_get_bool(answer_data(&a), "runnerMainThreadBusy", true))
			return;
	}
}

static int send_tap(const char *id)
{
	char body[200];
	int fd = http_connect(&h);

	snprintf(body, sizeof(body), "{\"command\":\"tap\",\"commandId\":\"%s\",\"nodeId\":\"save\"}",
	         id);
	http_send_command(fd, body);
	return fd;
}

/* Its entry is there, so it has been submitted. */
static void wait_until_accepted(const char *id)
{
	char body[200];

	snprintf(body, sizeof(body), "{\"command\":\"status\",\"statusCommandId\":\"%s\"}", id);
	for (;;) {
		struct http_answer auto_answer a = http_command(&h, body);

		if (strcmp(jx_get_str(answer_data(&a), "lifecycleState", ""), "notAccepted") != 0)
			return;
	}
}

/* What was sent before has been read: the transport serves everything that is ready in each round,
 * and an answer to a later connection ends a round. */
static void wait_for_transport(void)
{
	assert_alive();
	assert_alive();
}

/* --- transport ------------------------------------------------------------------------------- */

static void T1_uptime_is_answered(void **state)
{
	struct http_answer auto_answer a = raw("POST /command HTTP/1.1\r\nHost: x\r\nConnection: "
	                                       "close\r\nContent-Length: 20\r\n\r\n" UPTIME);

	assert_int_equal(a.status, 200);
	assert_true(json_is_true(json_object_get(a.json, "ok")));
	assert_true(jx_get_num(answer_data(&a), "currentUptimeMs", 0) > 0);
	assert_true(a.close);
}

static void connections_are_kept(void **state)
{
	auto_close int fd = http_connect(&h);

	for (int i = 0; i < 20; i++) {
		http_send_command(fd, i % 2 ? UPTIME : TAP("k"));
		struct http_answer auto_answer a = http_receive(fd);
		assert_int_equal(a.status, 200);
		assert_false(a.close);
	}
}

static void T3_header_names_have_no_case(void **state)
{
	struct http_answer auto_answer a =
	    raw("POST /command HTTP/1.1\r\nhost: x\r\ncOnTeNt-LeNgTh: 20\r\n\r\n" UPTIME);

	assert_int_equal(a.status, 200);
}

static void T5_a_body_may_come_in_pieces(void **state)
{
	static const char text[] =
	    "POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n" UPTIME;
	auto_close int fd = http_connect(&h);

	for (size_t i = 0; i + 1 < sizeof(text); i++)
		http_send(fd, text + i, 1);
	struct http_answer auto_answer a = http_receive(fd);
	assert_int_equal(a.status, 200);
}

static void T6_large_bodies_are_refused_and_the_runner_lives(void **state)
{
	auto_close int fd = http_connect(&h);
	auto_free char *body = calloc(1, LIM_RUNNER_REQUEST + 1);
	char head[200];

	memset(body, ' ', LIM_RUNNER_REQUEST + 1);
	snprintf(head, sizeof(head), "POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: %u\r\n\r\n",
	         LIM_RUNNER_REQUEST + 1);
	http_send(fd, head, strlen(head));
	http_send(fd, body, LIM_RUNNER_REQUEST + 1);
	struct http_answer auto_answer a = http_receive(fd);
	assert_int_equal(a.status, 413);
	assert_string_equal(answer_code(&a), "INVALID_ARGS");
	assert_non_null(strstr(a.body, "2097152"));
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n", 413,
	              "INVALID_ARGS");
	assert_alive();
}

static void the_largest_body_is_taken(void **state)
{
	auto_close int fd = http_connect(&h);
	struct buf auto_buf text;

	buf_init(&text, 2 * LIM_RUNNER_REQUEST);
	buf_addf(&text, "POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: %u\r\n\r\n" UPTIME,
	         LIM_RUNNER_REQUEST);
	buf_fill(&text, ' ', LIM_RUNNER_REQUEST - strlen(UPTIME));
	http_send(fd, text.data, text.len);
	struct http_answer auto_answer a = http_receive(fd);
	assert_int_equal(a.status, 200);
}

static void T7_to_T10_bad_bodies(void **state)
{
	static const struct {
		const char *body, *message;
	} cases[] = {
		{ "{\"command\":\"\xff\"}", "runner request body must be UTF-8 JSON" },
		{ "{\"command\":\"tapSeries\"}", "runner command payload is invalid: " },
		{ "{\"x\":1}", "runner command payload is invalid: " },
		{ "{\"command\":\"tap\",\"x\":\"1\"}", "runner command payload is invalid: " },
		{ "[]", "runner command payload is invalid: " },
		{ "", "runner command payload is invalid: " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct http_answer auto_answer a = http_command(&h, cases[i].body);
		const json_t *error = json_object_get(a.json, "error");

		assert_int_equal(a.status, 400);
		assert_string_equal(answer_code(&a), "INVALID_ARGS");
		assert_true(strncmp(jx_get_str(error, "message", ""), cases[i].message,
		                    strlen(cases[i].message)) == 0);
		assert_true(strlen(jx_get_str(error, "hint", "")) > 0);
	}
}

static void what_is_no_command_request_is_refused(void **state)
{
	assert_answer("GET /command HTTP/1.1\r\nHost: x\r\n\r\n", 405, "INVALID_ARGS");
	assert_answer("PUT /command HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 405,
	              "INVALID_ARGS");
	assert_answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 404, "INVALID_ARGS");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\n\r\n", 411, "INVALID_ARGS");
	assert_answer(
	    "POST /command HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0"
	    "\r\n\r\n",
	    411, "INVALID_ARGS");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\nContent-Length: "
	              "20\r\n\r\n" UPTIME,
	              403, "UNAUTHORIZED");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 400, "");
	assert_alive();
}

static void a_token_is_wanted_before_anything_else(void **state)
{
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n" UPTIME, 401,
	              "UNAUTHORIZED");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nX-Deft-Token: s3cre\r\nContent-Length: "
	              "20\r\n\r\n" UPTIME,
	              401, "UNAUTHORIZED");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nX-Deft-Token: s3cretX\r\nContent-Length: "
	              "20\r\n\r\n" UPTIME,
	              401, "UNAUTHORIZED");
	assert_answer("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", 401, "UNAUTHORIZED");
	assert_answer("POST /command HTTP/1.1\r\nHost: x\r\nX-Deft-Token: s3cret\r\nContent-Length: "
	              "20\r\n\r\n" UPTIME,
	              200, "");
}

static void half_a_request_holds_nobody_up(void **state)
{
	auto_close int fd = http_connect(&h), garbage = http_connect(&h);

	http_send(fd, "POST /command HTTP/1.1\r\nContent-Length: 20\r\n\r\n{\"com", 50);
	http_send(garbage, "\x16\x03\x01\0\0 nonsense\r\n\r\n", 18);
	assert_alive();
	assert_int_equal(atomic_load(&h.fake.taps), 0);
}

static void T17_uptime_leaves_no_entry(void **state)
{
	struct http_answer auto_answer a =
	    http_command(&h, "{\"command\":\"uptime\",\"commandId\":\"uptime-probe\"}");

	assert_int_equal(a.status, 200);
	assert_state("uptime-probe", "notAccepted");
}

static void J15_J17_status_questions(void **state)
{
	static const char *const none[] = { "{\"command\":\"status\"}",
		                                "{\"command\":\"status\",\"statusCommandId\":\"  \"}" };
	struct http_answer auto_answer a = http_command(&h, TAP("  padded "));

	assert_int_equal(a.status, 200);
	assert_state("padded", "completed");
	assert_state("   padded   ", "completed");
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		struct http_answer auto_answer b = http_command(&h, none[i]);

		assert_int_equal(b.status, 200);
		assert_string_equal(answer_code(&b), "INVALID_ARGS");
		assert_non_null(strstr(b.body, "status requires statusCommandId"));
		assert_null(answer_data(&b));
	}
}

/* --- concurrency ----------------------------------------------------------------------------- */

static void T18_T19_status_is_answered_while_a_command_runs(void **state)
{
	fake_close_gate(&h.fake, true);
	auto_close int first = send_tap("first");
	fake_wait_at_gate(&h.fake);
	auto_close int second = send_tap("second");
	wait_until_accepted("second");

	assert_state("first", "started");
	assert_state("second", "accepted");
	struct http_answer auto_answer up = http_command(&h, UPTIME);
	assert_true(jx_get_bool(answer_data(&up), "runnerMainThreadBusy", false));

	fake_open_gate(&h.fake);
	struct http_answer auto_answer a = http_receive(first), b = http_receive(second);
	assert_int_equal(a.status, 200);
	assert_int_equal(b.status, 200);
	assert_false(jx_get_bool(answer_data(&a), "runnerMainThreadBusy", true));
	assert_state("first", "completed");
	assert_state("second", "completed");
}

static void T20_mutations_keep_their_order(void **state)
{
	int fds[8];
	char id[16], body[200];

	fake_close_gate(&h.fake, true);
	for (int i = 0; i < 8; i++) {
		snprintf(id, sizeof(id), "m%d", i);
		snprintf(body, sizeof(body), "{\"command\":\"tap\",\"commandId\":\"%s\",\"x\":%d,\"y\":1}",
		         id, i);
		fds[i] = http_connect(&h);
		http_send_command(fds[i], body);
		wait_until_accepted(id);
	}
	fake_open_gate(&h.fake);
	for (int i = 0; i < 8; i++) {
		struct http_answer auto_answer a = http_receive(fds[i]);
		assert_int_equal(a.status, 200);
		close(fds[i]);
	}
	wait_until_idle();
	assert_string_equal(h.fake.log, "tap 0,1 n=1 h=0 b=0 -;tap 1,1 n=1 h=0 b=0 -;"
	                                "tap 2,1 n=1 h=0 b=0 -;tap 3,1 n=1 h=0 b=0 -;"
	                                "tap 4,1 n=1 h=0 b=0 -;tap 5,1 n=1 h=0 b=0 -;"
	                                "tap 6,1 n=1 h=0 b=0 -;tap 7,1 n=1 h=0 b=0 -;");
}

static void *client_main(void *arg)
{
	auto_close int fd = http_connect(&h);

	for (int i = 0; i < 50; i++) {
		char body[200];

		snprintf(body, sizeof(body),
		         "{\"command\":\"tap\",\"commandId\":\"%s-%d\",\"nodeId\":\"save\"}",
		         (const char *)arg, i);
		http_send_command(fd, i % 5 ? body : "{\"command\":\"snapshot\"}");
		struct http_answer auto_answer a = http_receive(fd);
		if (a.status != 200 || !json_is_true(json_object_get(a.json, "ok")))
			return (void *)"refused";
	}
	return NULL;
}

static void two_clients_at_once(void **state)
{
	char names[2][4] = { "a", "b" };
	pthread_t threads[2];
	void *result;

	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, client_main, names[i]), 0);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
	assert_int_equal(atomic_load(&h.fake.taps), 80);
}

static void T22_duplicates_in_flight_share_one_execution(void **state)
{
	fake_close_gate(&h.fake, true);
	auto_close int running = send_tap("same");
	fake_wait_at_gate(&h.fake);
	auto_close int twin = send_tap("same");
	auto_close int queued = send_tap("later");
	wait_until_accepted("later");
	auto_close int queued_twin = send_tap("later");
	auto_close int last = send_tap("last");
	wait_until_accepted("last");
	wait_for_transport();
	fake_open_gate(&h.fake);

	struct http_answer auto_answer a = http_receive(running), b = http_receive(twin);
	struct http_answer auto_answer c = http_receive(queued), d = http_receive(queued_twin);
	struct http_answer auto_answer e = http_receive(last);
	assert_int_equal(e.status, 200);
	assert_string_equal(a.body, b.body);
	assert_string_equal(c.body, d.body);
	assert_int_equal(atomic_load(&h.fake.taps), 3);
}

static void a_mutation_that_comes_again_is_not_repeated(void **state)
{
	struct http_answer auto_answer a = http_command(&h, TAP("once"));
	struct http_answer auto_answer b = http_command(&h, TAP("once"));

	assert_int_equal(atomic_load(&h.fake.taps), 1);
	assert_string_equal(jx_get_str(answer_data(&b), "message", ""), "tapped");
	assert_true(jx_get_num(answer_data(&a), "gestureStartUptimeMs", 1) ==
	            jx_get_num(answer_data(&b), "gestureStartUptimeMs", 2));
}

static void reads_are_repeated(void **state)
{
	for (int i = 1; i <= 2; i++) {
		struct http_answer auto_answer a =
		    http_command(&h, "{\"command\":\"findText\",\"commandId\":\"r\",\"text\":\"Save\"}");

		assert_int_equal(a.status, 200);
		assert_int_equal(atomic_load(&h.fake.snapshots), i);
	}
}

static void a_client_that_leaves_changes_nothing(void **state)
{
	fake_close_gate(&h.fake, true);
	int fd = send_tap("left");
	fake_wait_at_gate(&h.fake);
	close(fd);
	fake_open_gate(&h.fake);
	wait_until_idle();
	assert_state("left", "completed");
	assert_int_equal(atomic_load(&h.fake.taps), 1);
}

static void the_queue_has_an_end(void **state)
{
	int fds[LIM_RUNNER_QUEUE];
	char id[16];

	fake_close_gate(&h.fake, true);
	auto_close int running = send_tap("running");
	fake_wait_at_gate(&h.fake);
	for (int i = 0; i < LIM_RUNNER_QUEUE; i++) {
		snprintf(id, sizeof(id), "q%d", i);
		fds[i] = send_tap(id);
		wait_until_accepted(id);
	}
	struct http_answer auto_answer refused = http_command(&h, TAP("over"));
	assert_string_equal(answer_code(&refused), "RUNNER_BUSY");
	assert_state("over", "notAccepted");
	fake_open_gate(&h.fake);
	for (int i = 0; i < LIM_RUNNER_QUEUE; i++) {
		struct http_answer auto_answer a = http_receive(fds[i]);
		assert_int_equal(a.status, 200);
		close(fds[i]);
	}
	struct http_answer auto_answer a = http_receive(running);
	assert_int_equal(a.status, 200);
	assert_int_equal(atomic_load(&h.fake.taps), LIM_RUNNER_QUEUE + 1);
}

/* --- watchdog -------------------------------------------------------------------------------- */

static void C10_a_hung_command_is_given_up(void **state)
{
	fake_close_gate(&h.fake, true);
	struct http_answer auto_answer a = http_command(&h, TAP("hung"));

	assert_int_equal(a.status, 500);
	assert_string_equal(answer_code(&a), "MAIN_THREAD_TIMEOUT");
	assert_non_null(strstr(a.body, "main thread execution timed out"));
	assert_state("hung", "failed");

	struct http_answer auto_answer busy = http_command(&h, TAP("next"));
	assert_int_equal(busy.status, 200);
	assert_string_equal(answer_code(&busy), "RUNNER_BUSY");
	assert_state("next", "notAccepted");
	struct http_answer auto_answer up = http_command(&h, UPTIME);
	assert_true(jx_get_bool(answer_data(&up), "runnerMainThreadBusy", false));

	fake_open_gate(&h.fake);
	wait_until_idle();
	struct http_answer auto_answer again = http_command(&h, TAP("next"));
	assert_true(json_is_true(json_object_get(again.json, "ok")));
	assert_state("hung", "failed");
	assert_int_equal(atomic_load(&h.fake.taps), 2);
}

static void what_waits_behind_it_is_refused_unexecuted(void **state)
{
	fake_close_gate(&h.fake, true);
	auto_close int hung = send_tap("hung");
	fake_wait_at_gate(&h.fake);
	auto_close int behind = send_tap("behind");
	struct http_answer auto_answer a = http_receive(hung), b = http_receive(behind);

	assert_string_equal(answer_code(&a), "MAIN_THREAD_TIMEOUT");
	assert_string_equal(answer_code(&b), "RUNNER_BUSY");
	fake_open_gate(&h.fake);
	wait_until_idle();
	assert_int_equal(atomic_load(&h.fake.taps), 1);
	struct http_answer auto_answer c = http_command(&h, TAP("behind"));
	assert_true(json_is_true(json_object_get(c.json, "ok")));
}

static void a_duplicate_of_what_was_given_up_is_not_executed(void **state)
{
	fake_close_gate(&h.fake, true);
	struct http_answer auto_answer a = http_command(&h, TAP("hung"));
	assert_int_equal(a.status, 500);
	fake_open_gate(&h.fake);
	wait_until_idle();
	struct http_answer auto_answer b = http_command(&h, TAP("hung"));
	assert_string_equal(answer_code(&b), "MAIN_THREAD_TIMEOUT");
	assert_int_equal(atomic_load(&h.fake.taps), 1);
}

static void old_abandoned_work_is_called_wedged(void **state)
{
	fake_close_gate(&h.fake, true);
	struct http_answer auto_answer a = http_command(&h, TAP("hung"));
	const char *code = "";

	assert_string_equal(answer_code(&a), "MAIN_THREAD_TIMEOUT");
	while (strcmp(code, "RUNNER_WEDGED") != 0) {
		struct http_answer auto_answer b = http_command(&h, TAP("next"));

		code = strcmp(answer_code(&b), "RUNNER_WEDGED") == 0 ? "RUNNER_WEDGED" : "";
		if (!*code)
			assert_string_equal(answer_code(&b), "RUNNER_BUSY");
	}
	fake_open_gate(&h.fake);
}

static void shutdown_works_on_a_hung_runner(void **state)
{
	fake_close_gate(&h.fake, true);
	struct http_answer auto_answer a = http_command(&h, TAP("hung"));
	struct http_answer auto_answer b = http_command(&h, "{\"command\":\"shutdown\"}");

	assert_string_equal(answer_code(&a), "MAIN_THREAD_TIMEOUT");
	assert_string_equal(jx_get_str(answer_data(&b), "message", ""), "shutdown");
	rc_wait(h.runner);
	fake_open_gate(&h.fake);
}

/* The backend listens: its own deadline comes first and is a typed, ordinary error. */
static void a_deadline_of_the_caller_is_kept(void **state)
{
	fake_close_gate(&h.fake, false);
	struct http_answer auto_answer a = http_command(
	    &h, "{\"command\":\"tap\",\"commandId\":\"t\",\"nodeId\":\"save\",\"timeoutMs\":5}");

	assert_int_equal(a.status, 200);
	assert_string_equal(answer_code(&a), "TIMEOUT");
	assert_state("t", "failed");
	fake_open_gate(&h.fake);
}

/* --- hooks ----------------------------------------------------------------------------------- */

static struct {
	atomic_int arrived, answers; /* enum rc_fate */
	atomic_bool refuse;
} hook;

static enum rc_fate hook_arrived(void *ctx, const struct wire_request *r)
{
	return r->command == WIRE_CMD_TAP ? (enum rc_fate)atomic_load(&hook.arrived) : RC_FATE_SENT;
}

static int hook_before(void *ctx, const struct wire_request *r, struct call c, struct error *e)
{
	return atomic_load(&hook.refuse) ? error_set(e, ERR_COMMAND_FAILED, "the hook said no") : 0;
}

static enum rc_fate hook_answers(void *ctx, const struct wire_request *r)
{
	return r->command == WIRE_CMD_TAP ? (enum rc_fate)atomic_load(&hook.answers) : RC_FATE_SENT;
}

static int start_hooked(void **state)
{
	static const struct rc_hooks hooks = { .arrived = hook_arrived,
		                                   .before = hook_before,
		                                   .answers = hook_answers };

	atomic_store(&hook.arrived, RC_FATE_SENT);
	atomic_store(&hook.answers, RC_FATE_SENT);
	atomic_store(&hook.refuse, false);
	harness_start(&h, &(struct rc_config){ .hooks = &hooks });
	return 0;
}

static void a_request_can_be_lost_on_its_way_in(void **state)
{
	static const enum rc_fate fates[] = { RC_FATE_LOST, RC_FATE_RESET };

	for (size_t i = 0; i < ARRAY_SIZE(fates); i++) {
		atomic_store(&hook.arrived, (int)fates[i]);
		struct http_answer auto_answer a = http_command(&h, TAP("in"));
		assert_int_equal(a.status, 0);
		assert_state("in", "notAccepted");
	}
	assert_int_equal(atomic_load(&h.fake.taps), 0);
}

static void an_answer_can_be_lost_on_its_way_out(void **state)
{
	static const struct {
		enum rc_fate fate;
		const char *body;
	} cases[] = { { RC_FATE_LOST, TAP("out1") }, { RC_FATE_RESET, TAP("out2") } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		atomic_store(&hook.answers, (int)cases[i].fate);
		struct http_answer auto_answer a = http_command(&h, cases[i].body);
		assert_int_equal(a.status, 0);
	}
	assert_state("out1", "completed");
	assert_state("out2", "completed");
	assert_int_equal(atomic_load(&h.fake.taps), 2);
	/* What comes again is answered whole, from the journal. */
	struct http_answer auto_answer again = http_command(&h, TAP("out1"));
	assert_string_equal(jx_get_str(answer_data(&again), "message", ""), "tapped");
	assert_int_equal(atomic_load(&h.fake.taps), 2);
}

static void an_answer_can_be_cut(void **state)
{
	atomic_store(&hook.answers, RC_FATE_TRUNCATED);
	struct http_answer auto_answer a = http_command(&h, TAP("cut"));
	assert_int_equal(a.status, 200);
	assert_null(a.json);
	assert_state("cut", "completed");
}

static void a_command_can_be_refused_before_it_begins(void **state)
{
	atomic_store(&hook.refuse, true);
	struct http_answer auto_answer a = http_command(&h, TAP("no"));
	assert_string_equal(answer_code(&a), "COMMAND_FAILED");
	assert_state("no", "failed");
	assert_int_equal(atomic_load(&h.fake.taps), 0);
}

/* --- stopping -------------------------------------------------------------------------------- */

static void T13_shutdown_answers_and_ends(void **state)
{
	struct http_answer auto_answer a = http_command(&h, "{\"command\":\"shutdown\"}");

	assert_int_equal(a.status, 200);
	assert_string_equal(jx_get_str(answer_data(&a), "message", ""), "shutdown");
	rc_wait(h.runner);
	harness_stop(&h);
	assert_int_equal(atomic_load(&h.fake.closed), 1);
}

static void *free_main(void *arg)
{
	rc_free(arg);
	return NULL;
}

static void stopping_cancels_what_runs_and_refuses_what_waits(void **state)
{
	pthread_t thread;

	fake_close_gate(&h.fake, false);
	auto_close int running = send_tap("running");
	fake_wait_at_gate(&h.fake);
	auto_close int queued = send_tap("queued");
	wait_until_accepted("queued");
	assert_int_equal(pthread_create(&thread, NULL, free_main, h.runner), 0);

	struct http_answer auto_answer a = http_receive(running), b = http_receive(queued);
	assert_string_equal(answer_code(&a), "CANCELED");
	assert_string_equal(answer_code(&b), "CANCELED");
	pthread_join(thread, NULL);
	h.runner = NULL;
	assert_int_equal(atomic_load(&h.fake.closed), 1);
	assert_int_equal(atomic_load(&h.fake.taps), 0);
}

static void rc_stop_ends_the_wait(void **state)
{
	rc_stop(h.runner);
	rc_wait(h.runner);
}

static void an_idle_runner_leaves(void **state)
{
	harness_start(&h, &(struct rc_config){ .idle_exit_ms = 1 });
	rc_wait(h.runner);
}

static void a_taken_port_is_said(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct fake_backend other;
	struct rc_runner *r = NULL;
	const struct rc_config cfg = { .port = rc_port(h.runner) };

	fake_init(&other);
	assert_true(rc_start(&r, &cfg, &other.head, &e) < 0);
	assert_null(r);
	assert_non_null(e.message);
	assert_int_equal(atomic_load(&other.closed), 0);
	other.head.ops->close(&other.head);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, start_plain, stop)
#define HOOKED(f) cmocka_unit_test_setup_teardown(f, start_hooked, stop)
#define SHORT(f) cmocka_unit_test_setup_teardown(f, start_short, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(T1_uptime_is_answered),
		CASE(connections_are_kept),
		CASE(T3_header_names_have_no_case),
		CASE(T5_a_body_may_come_in_pieces),
		CASE(T6_large_bodies_are_refused_and_the_runner_lives),
		CASE(the_largest_body_is_taken),
		CASE(T7_to_T10_bad_bodies),
		CASE(what_is_no_command_request_is_refused),
		cmocka_unit_test_setup_teardown(a_token_is_wanted_before_anything_else, start_with_token,
		                                stop),
		CASE(half_a_request_holds_nobody_up),
		CASE(T17_uptime_leaves_no_entry),
		CASE(J15_J17_status_questions),
		CASE(T18_T19_status_is_answered_while_a_command_runs),
		CASE(T20_mutations_keep_their_order),
		CASE(two_clients_at_once),
		CASE(T22_duplicates_in_flight_share_one_execution),
		CASE(a_mutation_that_comes_again_is_not_repeated),
		CASE(reads_are_repeated),
		CASE(a_client_that_leaves_changes_nothing),
		CASE(the_queue_has_an_end),
		SHORT(C10_a_hung_command_is_given_up),
		SHORT(what_waits_behind_it_is_refused_unexecuted),
		SHORT(a_duplicate_of_what_was_given_up_is_not_executed),
		cmocka_unit_test_setup_teardown(old_abandoned_work_is_called_wedged, start_impatient, stop),
		SHORT(shutdown_works_on_a_hung_runner),
		CASE(a_deadline_of_the_caller_is_kept),
		HOOKED(a_request_can_be_lost_on_its_way_in),
		HOOKED(an_answer_can_be_lost_on_its_way_out),
		HOOKED(an_answer_can_be_cut),
		HOOKED(a_command_can_be_refused_before_it_begins),
		CASE(T13_shutdown_answers_and_ends),
		CASE(stopping_cancels_what_runs_and_refuses_what_waits),
		CASE(rc_stop_ends_the_wait),
		cmocka_unit_test_teardown(an_idle_runner_leaves, stop),
		CASE(a_taken_port_is_said),
	};

	return cmocka_run_group_tests_name("runner", tests, NULL, NULL);
}
