/* Starting and ending runner programs. Shell scripts play the runner: what counts here is what they
 * announce, how they end and what they get. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "client/http_provider.h"
#include "http_server.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT "; exec tail -f /dev/null"

static char log_path[] = "/tmp/deft-test-runner-log-XXXXXX";
static struct cl_provider provider;
static struct cl_endpoint endpoint;
static struct error error;

static int start_within(struct call c, const char *script)
{
	const struct cl_http_opts opts = {
		.argv = (const char *const[]){ "sh", "-c", script, NULL },
		.env = (const char *const[]){ "PATH=/usr/bin:/bin", "DEFT_RUNNER_TOKEN=stale",
		                              "DEFT_RUNNER_PORT=1", "A=b", NULL },
		.log_path = log_path,
	};
	assert_int_equal(cl_http_provider_new(&provider, &opts, NULL), 0);
	error_clear(&error);
	return provider.start(provider.ctx, c, &endpoint, &error);
}

static int start(const char *script)
{
	return start_within(CALL_FOREVER, script);
}

static int set_up(void **state)
{
	memcpy(log_path, "/tmp/deft-test-runner-log-XXXXXX", sizeof log_path);
	close(mkstemp(log_path));
	endpoint = (struct cl_endpoint){ 0 };
	provider = (struct cl_provider){ 0 };
	return 0;
}

static int tear_down(void **state)
{
	if (endpoint.impl)
		provider.stop(provider.ctx, &endpoint, 0);
	if (provider.free)
		provider.free(provider.ctx);
	error_clear(&error);
	return unlink(log_path);
}

static const char *reason(void)
{
	return jx_get_str(error.details, "reason", "");
}

static void an_announced_runner_is_started(void **state)
{
	assert_int_equal(start("echo hello; echo DEFT_RUNNER_PORT=4711; echo DEFT_RUNNER_READY" WAIT),
	                 0);
	assert_int_equal(endpoint.port, 4711);
	assert_string_equal(endpoint.host, "127.0.0.1");
	assert_int_equal(strlen(endpoint.token), 64);
	assert_true(provider.alive(provider.ctx, &endpoint));
	assert_true(proc_id_alive(endpoint.process));
	struct proc_id id = endpoint.process;
	provider.stop(provider.ctx, &endpoint, 1000);
	assert_false(proc_id_alive(id));
	assert_null(endpoint.impl);
}

static void the_runner_gets_its_token_and_the_given_environment(void **state)
{
	assert_int_equal(
	    start("echo $DEFT_RUNNER_TOKEN $DEFT_RUNNER_PORT $A $HOME >&2; echo DEFT_RUNNER_PORT=1; "
	          "echo DEFT_RUNNER_READY" WAIT),
	    0);
	struct buf auto_buf log;
	buf_init(&log, 1000);
	assert_int_equal(fs_read(log_path, 1000, &log, NULL), 0);
	char want[200];
	snprintf(want, sizeof want, "%s 0 b\n", endpoint.token);
	assert_string_equal(log.data, want);
}

static void tokens_differ(void **state)
{
	assert_int_equal(start("echo DEFT_RUNNER_PORT=1; echo DEFT_RUNNER_READY" WAIT), 0);
	struct cl_endpoint second;
	assert_int_equal(provider.start(provider.ctx, CALL_FOREVER, &second, &error), 0);
	assert_string_not_equal(endpoint.token, second.token);
	provider.stop(provider.ctx, &second, 0);
}

static void an_early_exit_tells_its_status_and_the_end_of_the_log(void **state)
{
	fs_write(log_path, "of an earlier runner\n", 21, 0600, NULL);
	assert_int_equal(start("echo no display >&2; exit 3"), -ERR_RUNNER_UNAVAILABLE);
	assert_string_equal(reason(), "early_exit");
	assert_int_equal(jx_get_int(error.details, "exitStatus", 0), 3);
	assert_string_equal(jx_get_str(error.details, "logTail", ""), "no display\n");
	assert_string_equal(jx_get_str(error.details, "log", ""), log_path);
	assert_null(endpoint.impl);
}

static void a_silent_runner_is_given_up_and_ended(void **state)
{
	assert_int_equal(
	    start_within((struct call){ deadline_in(100), NULL }, "echo DEFT_RUNNER_PORT=1" WAIT),
	    -ERR_RUNNER_UNAVAILABLE);
	assert_string_equal(reason(), "start_timeout");
}

static void a_canceled_start_is_ended(void **state)
{
	struct cancel cancel;
	cancel_init(&cancel, NULL);
	cancel_fire(&cancel);
	assert_int_equal(
	    start_within((struct call){ DEADLINE_NEVER, &cancel }, "exec tail -f /dev/null"),
	    -ERR_CANCELED);
	cancel_done(&cancel);
}

static void announcements_without_a_usable_port(void **state)
{
	static const char *const scripts[] = { "echo DEFT_RUNNER_READY",
		                                   "echo DEFT_RUNNER_PORT=0; echo DEFT_RUNNER_READY",
		                                   "echo DEFT_RUNNER_PORT=70000; echo DEFT_RUNNER_READY",
		                                   "echo DEFT_RUNNER_PORT=x; echo DEFT_RUNNER_READY" };
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		assert_int_equal(start(scripts[i]), -ERR_RUNNER_UNAVAILABLE);
		provider.free(provider.ctx);
		provider.free = NULL;
	}
}

static void a_missing_program_is_typed(void **state)
{
	const struct cl_http_opts opts = { .argv = (const char *const[]){ "/no/such/runner", NULL } };
	assert_int_equal(cl_http_provider_new(&provider, &opts, NULL), 0);
	assert_int_equal(provider.start(provider.ctx, CALL_FOREVER, &endpoint, &error),
	                 -ERR_TOOL_MISSING);
}

static void a_dead_runner_is_noticed(void **state)
{
	assert_int_equal(start("echo DEFT_RUNNER_PORT=1; echo DEFT_RUNNER_READY" WAIT), 0);
	proc_id_end(endpoint.process, 0);
	/* SIGKILL is under way; its arrival shows as the end of the process's own stdout. */
	struct proc_id id = endpoint.process;
	while (proc_id_alive(id))
		sched_yield();
	assert_false(provider.alive(provider.ctx, &endpoint));
}

static void a_whole_exchange(void **state)
{
	struct http_server server;
	http_server_start(&server, (const enum behaviour[]){ SERVE_KEEP, SERVE_END });
	char script[200];
	snprintf(script, sizeof script, "echo DEFT_RUNNER_PORT=%u; echo DEFT_RUNNER_READY" WAIT,
	         (unsigned)server.port);
	assert_int_equal(start(script), 0);
	struct buf auto_buf reply;
	buf_init(&reply, 1000);
	enum cl_failure failure;
	assert_int_equal(
	    provider.post(provider.ctx, &endpoint, "{}", 2, CALL_FOREVER, &reply, &failure, &error), 0);
	assert_string_equal(reply.data, "{\"ok\":true}");
	assert_non_null(strstr(server.last_head, endpoint.token));
	http_server_stop(&server);
}

static void a_log_that_grew_too_large_is_put_aside(void **state)
{
	size_t len = 4u * 1024 * 1024;
	char *big = calloc(1, len);
	fs_write(log_path, big, len, 0600, NULL);
	free(big);
	assert_int_equal(start("echo fresh >&2; exit 1"), -ERR_RUNNER_UNAVAILABLE);
	assert_string_equal(jx_get_str(error.details, "logTail", ""), "fresh\n");
	char old[64];
	snprintf(old, sizeof old, "%s.1", log_path);
	assert_int_equal(unlink(old), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_announced_runner_is_started),
		TEST(the_runner_gets_its_token_and_the_given_environment),
		TEST(tokens_differ),
		TEST(an_early_exit_tells_its_status_and_the_end_of_the_log),
		TEST(a_silent_runner_is_given_up_and_ended),
		TEST(a_canceled_start_is_ended),
		TEST(announcements_without_a_usable_port),
		TEST(a_missing_program_is_typed),
		TEST(a_dead_runner_is_noticed),
		TEST(a_whole_exchange),
		TEST(a_log_that_grew_too_large_is_put_aside),
	};
	return cmocka_run_group_tests_name("http provider", tests, NULL, NULL);
}
