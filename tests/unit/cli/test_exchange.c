/* One request and its answer, with the test as the daemon at the other end of a socket. What the
 * daemon says is written before the exchange starts; it stays in the socket until it is read. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/sock.h"
#include "cli/exchange.h"
#include "wire/caller.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT ((struct call){ deadline_in(20000), NULL })

struct rig {
	int client, daemon;
	struct cancel cancel;
	json_t *request;
	struct cli_exchange x;
	struct cli_reply reply;
	struct error e;
	char told[200]; /* progress and notices, in order */
};

static void on_progress(void *ctx, const char *message, int64_t done, int64_t total)
{
	struct rig *r = ctx;
	size_t n = strlen(r->told);
	snprintf(r->told + n, sizeof(r->told) - n, "%s %lld/%lld;", message, (long long)done,
	         (long long)total);
}

static void on_notice(void *ctx, const char *line)
{
	struct rig *r = ctx;
	size_t n = strlen(r->told);
	snprintf(r->told + n, sizeof(r->told) - n, "%s;", line);
}

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	int pair[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(cancel_init(&r->cancel, NULL), 0);
	r->client = pair[0];
	r->daemon = pair[1];
	r->request = wire_call_make("1", "press", json_object(), NULL, json_object());
	r->x = (struct cli_exchange){
		.spec = cmd_spec_find("press"),
		.limit_ms = 20000,
		.cancel = &r->cancel,
		.progress = on_progress,
		.notice = on_notice,
		.ctx = r,
	};
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;
	close(r->client);
	if (r->daemon >= 0)
		close(r->daemon);
	cancel_done(&r->cancel);
	json_decref(r->request);
	cli_reply_done(&r->reply);
	error_clear(&r->e);
	free(r);
	return 0;
}

static void daemon_says(struct rig *r, const char *text)
{
	assert_int_equal(sock_write(r->daemon, text, strlen(text), WAIT, NULL), 0);
}

static void daemon_leaves(struct rig *r)
{
	shutdown(r->daemon, SHUT_WR);
}

static int exchange(struct rig *r)
{
	return cli_exchange(r->client, r->request, &r->x, &r->reply, &r->e);
}

static const char *reason(const struct rig *r)
{
	return jx_get_str(r->e.details, "reason", "");
}

static const char *outcome(const struct rig *r)
{
	return jx_get_str(r->e.details, "outcome", "");
}

static void the_answer_is_taken(void **state)
{
	struct rig *r = *state;
	daemon_says(
	    r,
	    "{\"type\":\"progress\",\"id\":\"1\",\"message\":\"starting\",\"done\":1,\"total\":2}\n"
	    "{\"type\":\"response\",\"id\":\"0\",\"ok\":true,\"data\":{\"not\":\"ours\"}}\n"
	    "{\"type\":\"surprise\",\"id\":\"1\"}\n"
	    "{\"type\":\"response\",\"id\":\"1\",\"ok\":true,\"data\":{\"a\":1},\"text\":\"done\\n\","
	    "\"notices\":[\"mind\"],\"timing\":{\"run\":2}}\n");
	assert_int_equal(exchange(r), 0);
	assert_int_equal(jx_get_int(r->reply.data, "a", 0), 1);
	assert_string_equal(r->reply.text, "done\n");
	assert_string_equal(r->told, "starting 1/2;mind;Timing: {\"run\":2};");
}

static void the_request_is_one_line(void **state)
{
	struct rig *r = *state;
	struct line_reader lr;
	char *line;
	size_t len;
	daemon_says(r, "{\"type\":\"response\",\"id\":\"1\",\"ok\":true,\"data\":{}}\n");
	assert_int_equal(exchange(r), 0);
	shutdown(r->client, SHUT_WR);
	line_reader_init(&lr, r->daemon, 10000);
	assert_int_equal(line_reader_next(&lr, WAIT, &line, &len, NULL), 1);
	auto_json json_t *j = jx_parse(line, len, NULL);
	assert_true(json_equal(j, r->request));
	assert_int_equal(line_reader_next(&lr, WAIT, &line, &len, NULL), 0);
	line_reader_done(&lr);
}

static void the_daemons_error_is_kept(void **state)
{
	struct rig *r = *state;
	daemon_says(r,
	            "{\"type\":\"response\",\"id\":\"1\",\"ok\":false,\"notices\":[\"mind\"],\"error\":"
	            "{\"code\":\"ELEMENT_STALE\",\"message\":\"gone\",\"hint\":\"look\"}}\n");
	assert_int_equal(exchange(r), -ERR_ELEMENT_STALE);
	assert_string_equal(r->e.message, "gone");
	assert_string_equal(error_hint_text(&r->e), "look");
	assert_string_equal(r->told, "mind;");
	assert_null(r->reply.data);
}

/* F08 */
static void a_daemon_that_dies_leaves_the_outcome_open(void **state)
{
	struct rig *r = *state;
	daemon_leaves(r);
	assert_int_equal(exchange(r), -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(reason(r), "connection_lost");
	assert_string_equal(outcome(r), "unknown");
}

static void a_read_that_is_lost_changed_nothing(void **state)
{
	struct rig *r = *state;
	r->x.spec = cmd_spec_find("snapshot");
	daemon_leaves(r);
	assert_int_equal(exchange(r), -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(outcome(r), "unchanged");
}

static void half_an_answer_is_no_answer(void **state)
{
	struct rig *r = *state;
	daemon_says(r, "{\"type\":\"response\",\"id\":\"1\",\"ok\":tr");
	daemon_leaves(r);
	assert_int_equal(exchange(r), -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(outcome(r), "unknown");
}

static void a_daemon_that_is_gone_already_is_noticed(void **state)
{
	struct rig *r = *state;
	close(r->daemon);
	r->daemon = -1;
	assert_int_equal(exchange(r), -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(reason(r), "connection_lost");
}

/* Answers the cancel line that follows the request. */
static void *answer_cancel(void *arg)
{
	struct rig *r = arg;
	struct line_reader lr;
	char *line;
	size_t len;
	line_reader_init(&lr, r->daemon, 10000);
	bool request = line_reader_next(&lr, WAIT, &line, &len, NULL) == 1;
	cancel_fire(&r->cancel);
	if (request && line_reader_next(&lr, WAIT, &line, &len, NULL) == 1 &&
	    strstr(line, "\"cancel\""))
		daemon_says(r, "{\"type\":\"response\",\"id\":\"1\",\"ok\":false,\"error\":"
		               "{\"code\":\"CANCELED\",\"message\":\"stopped in the middle\"}}\n");
	line_reader_done(&lr);
	return NULL;
}

static void a_cancellation_waits_for_the_truth(void **state)
{
	struct rig *r = *state;
	pthread_t t;
	assert_int_equal(pthread_create(&t, NULL, answer_cancel, r), 0);
	assert_int_equal(exchange(r), -ERR_CANCELED);
	pthread_join(t, NULL);
	assert_string_equal(r->e.message, "stopped in the middle");
}

/* The deadline is over at once: no time has to pass. */
static void a_silent_daemon_is_given_up(void **state)
{
	struct rig *r = *state;
	r->x.limit_ms = -1000000;
	assert_int_equal(exchange(r), -ERR_TIMEOUT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_answer_is_taken),
		TEST(the_request_is_one_line),
		TEST(the_daemons_error_is_kept),
		TEST(a_daemon_that_dies_leaves_the_outcome_open),
		TEST(a_read_that_is_lost_changed_nothing),
		TEST(half_an_answer_is_no_answer),
		TEST(a_daemon_that_is_gone_already_is_noticed),
		TEST(a_cancellation_waits_for_the_truth),
		TEST(a_silent_daemon_is_given_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
