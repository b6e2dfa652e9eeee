/* One exchange over real sockets: every way to fail has its class, and no request reaches the runner
 * twice, whatever the HTTP client would like to do by itself. */
#include "base/jx.h"
#include "base/limits.h"
#include "client/http_exchange.h"
#include "http_server.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TOKEN "0123456789abcdef"

static struct http_server server;
static struct http_link *client;
static struct buf reply;
static struct error error;

static void open_client(const enum behaviour *list)
{
	http_server_start(&server, list);
	assert_int_equal(http_link_new(&client, "127.0.0.1", server.port, TOKEN, NULL), 0);
	buf_init(&reply, LIM_RUNNER_REPLY);
}

static int close_client(void **state)
{
	http_link_free(client);
	client = NULL;
	http_server_stop(&server);
	buf_done(&reply);
	error_clear(&error);
	return 0;
}

static enum cl_failure post_within(struct call c, const char *body)
{
	enum cl_failure failure = CL_OK;
	buf_reset(&reply);
	error_clear(&error);
	int r = http_link_post(client, body, strlen(body), c, &reply, &failure, &error);
	assert_int_equal(r == 0, failure == CL_OK);
	assert_int_equal(r, -(int)error.code);
	return failure;
}

static enum cl_failure post(const char *body)
{
	return post_within(CALL_FOREVER, body);
}

static void a_connection_is_kept(void **state)
{
	open_client((const enum behaviour[]){ SERVE_KEEP, SERVE_KEEP, SERVE_500, SERVE_CLOSE,
	                                      SERVE_KEEP, SERVE_END });
	assert_int_equal(post("{\"n\":1}"), CL_OK);
	assert_string_equal(reply.data, "{\"ok\":true}");
	assert_string_equal(server.last_body, "{\"n\":1}");
	assert_non_null(strstr(server.last_head, "POST /command HTTP/1.1\r\n"));
	assert_non_null(strstr(server.last_head, "X-Deft-Token: " TOKEN "\r\n"));
	assert_non_null(strstr(server.last_head, "Content-Length: 7\r\n"));
	assert_null(strstr(server.last_head, "Expect"));
	assert_int_equal(post("{}"), CL_OK);
	assert_int_equal(post("{}"), CL_OK); /* any status is a reply */
	assert_string_equal(reply.data, "{\"ok\":false}");
	assert_int_equal(server.connections, 1);
	assert_int_equal(post("{}"), CL_OK); /* but what is left of a refused request is not known */
	assert_int_equal(server.connections, 2);
	assert_int_equal(post("{}"), CL_OK);
	assert_int_equal(server.connections, 3);
	assert_int_equal(server.received, 5);
}

/* An answer to another request, or one that is not as it was sent, is no answer; the connection that
 * brought it is left. */
static void a_broken_seal_is_a_lost_reply(void **state)
{
	open_client((const enum behaviour[]){ SERVE_SEALED, SERVE_STALE, SERVE_SEALED, SERVE_DAMAGED,
	                                      SERVE_SEALED, SERVE_KEEP, SERVE_SEALED, SERVE_SEALED,
	                                      SERVE_END });
	static const enum cl_failure want[] = { CL_OK, CL_LOST, CL_OK, CL_LOST,
		                                    CL_OK, CL_LOST, CL_OK, CL_OK };
	static const int connections[] = { 1, 1, 2, 2, 3, 3, 4, 4 };
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(post("{}"), want[i]);
		assert_int_equal(server.connections, connections[i]);
		if (want[i] != CL_OK)
			assert_string_equal(jx_get_str(error.details, "reason", ""), "broken_seal");
	}
}

/* The heart of it. The second request travels on the kept connection and is read completely, then
 * the connection breaks. The HTTP client must not open another one and send it again. */
static void a_request_lost_on_a_kept_connection_is_not_sent_again(void **state)
{
	static const enum behaviour breaks[] = { SERVE_MUTE, SERVE_RESET, SERVE_HALF, SERVE_GARBAGE };
	for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
		const enum behaviour list[] = { SERVE_KEEP, breaks[i], SERVE_KEEP, SERVE_END };
		open_client(list);
		assert_int_equal(post("{}"), CL_OK);
		assert_int_equal(post("{\"tap\":1}"), CL_LOST);
		assert_int_equal(error.code, ERR_RUNNER_LOST_REPLY);
		assert_int_equal(server.received, 2);
		assert_int_equal(post("{\"next\":1}"), CL_OK);
		assert_int_equal(server.received, 3);
		assert_string_equal(server.last_body, "{\"next\":1}");
		close_client(NULL);
	}
	open_client((const enum behaviour[]){ SERVE_END });
}

static void a_request_lost_on_a_new_connection_is_not_sent_again(void **state)
{
	static const enum behaviour breaks[] = { SERVE_MUTE, SERVE_RESET, SERVE_HALF, SERVE_GARBAGE };
	for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
		const enum behaviour list[] = { breaks[i], SERVE_KEEP, SERVE_END };
		open_client(list);
		assert_int_equal(post("{\"tap\":1}"), CL_LOST);
		assert_int_equal(server.received, 1);
		assert_int_equal(server.connections, 1);
		assert_int_equal(post("{}"), CL_OK);
		close_client(NULL);
	}
	open_client((const enum behaviour[]){ SERVE_END });
}

/* A runner that closed the idle connection meanwhile is no reason for doubt. */
static void an_idle_connection_that_was_closed_is_replaced(void **state)
{
	open_client((const enum behaviour[]){ SERVE_LEAVE, SERVE_LEAVE, SERVE_LEAVE, SERVE_END });
	for (int i = 0; i < 3; i++) {
		enum cl_failure f = post("{}");
		/* The closing may cross with the next request: then it is lost, but never doubled. */
		assert_true(f == CL_OK || f == CL_LOST || f == CL_NOT_SENT);
	}
	assert_true(server.received <= 3);
}

static void nobody_listens(void **state)
{
	open_client((const enum behaviour[]){ SERVE_END });
	http_server_stop(&server);
	uint16_t port = server.port;
	assert_int_equal(post("{}"), CL_NOT_SENT);
	assert_int_equal(error.code, ERR_RUNNER_UNAVAILABLE);
	assert_string_equal(jx_get_str(error.details, "reason", ""), "runner_connect_failed");
	http_server_start(&server, (const enum behaviour[]){ SERVE_END });
	assert_true(port > 0);
}

static void a_slammed_door_is_never_taken_for_an_answer(void **state)
{
	open_client((const enum behaviour[]){ SERVE_SLAM, SERVE_END });
	enum cl_failure f = post("{}");
	assert_true(f == CL_NOT_SENT || f == CL_LOST);
	assert_int_equal(server.received, 0);
}

static void no_answer_in_time(void **state)
{
	open_client((const enum behaviour[]){ SERVE_STALL, SERVE_KEEP, SERVE_END });
	struct call c = { deadline_in(100), NULL };
	assert_int_equal(post_within(c, "{}"), CL_TIMED_OUT);
	assert_int_equal(error.code, ERR_TIMEOUT);
	assert_int_equal(server.received, 1);
	/* The late one's connection is gone: the next reply can't be mistaken for it. */
	assert_int_equal(post("{}"), CL_OK);
	assert_int_equal(server.connections, 2);
}

static void *cancel_once_received(void *cancel)
{
	while (atomic_load(&server.received) == 0)
		sched_yield();
	cancel_fire(cancel);
	return NULL;
}

static void a_cancellation_stops_the_wait(void **state)
{
	open_client((const enum behaviour[]){ SERVE_STALL, SERVE_KEEP, SERVE_END });
	struct cancel cancel;
	cancel_init(&cancel, NULL);
	pthread_t t;
	pthread_create(&t, NULL, cancel_once_received, &cancel);
	assert_int_equal(post_within((struct call){ DEADLINE_NEVER, &cancel }, "{}"), CL_CANCELED);
	assert_false(jx_get_bool(error.details, "notSent", false));
	pthread_join(t, NULL);
	/* Canceled before anything left. */
	assert_int_equal(post_within((struct call){ DEADLINE_NEVER, &cancel }, "{}"), CL_CANCELED);
	cancel_done(&cancel);
	assert_int_equal(post("{}"), CL_OK);
}

static void an_endless_reply_has_an_end(void **state)
{
	open_client((const enum behaviour[]){ SERVE_HUGE, SERVE_KEEP, SERVE_END });
	assert_int_equal(post("{}"), CL_LOST);
	assert_int_equal(error.code, ERR_LIMIT_EXCEEDED);
	assert_int_equal(post("{}"), CL_OK);
}

static void a_large_request_goes_through(void **state)
{
	open_client((const enum behaviour[]){ SERVE_KEEP, SERVE_END });
	size_t len = 1500000;
	char *body = malloc(len + 1);
	memset(body, ' ', len);
	body[len] = '\0';
	assert_int_equal(post(body), CL_OK);
	free(body);
}

#define TEST(f) cmocka_unit_test_teardown(f, close_client)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_connection_is_kept),
		TEST(a_broken_seal_is_a_lost_reply),
		TEST(a_request_lost_on_a_kept_connection_is_not_sent_again),
		TEST(a_request_lost_on_a_new_connection_is_not_sent_again),
		TEST(an_idle_connection_that_was_closed_is_replaced),
		TEST(nobody_listens),
		TEST(a_slammed_door_is_never_taken_for_an_answer),
		TEST(no_answer_in_time),
		TEST(a_cancellation_stops_the_wait),
		TEST(an_endless_reply_has_an_end),
		TEST(a_large_request_goes_through),
	};
	return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}
