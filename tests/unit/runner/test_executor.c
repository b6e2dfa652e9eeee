/* The executor by itself: what happens to its waiters when it is stopped around work that hangs. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "runner/executor.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Static, because work left behind keeps using it. */
static struct {
	struct rc_exec *exec;
	struct rc_journal *journal;
	sem_t running, release, answered;
	struct rc_reply *reply;
	bool listen; /* the work ends when it is canceled */
} t;

static int run(void *ctx, const struct wire_request *req, struct call c, json_t **ret,
               struct error *e)
{
	sem_post(&t.running);
	if (t.listen && c.cancel)
		return clock_wait(LIM_REQUEST_MAX_MS, c.cancel, e);
	sem_wait(&t.release);
	return 0;
}

static void done(void *ctx, struct rc_reply *reply)
{
	*(struct rc_reply **)ctx = reply;
	sem_post(&t.answered);
}

static void submit(const char *body, struct rc_reply **reply)
{
	struct wire_request req;

	assert_int_equal(wire_request_parse(body, strlen(body), &req, NULL), 0);
	rc_exec_submit(t.exec, &req, done, reply);
}

static int start(int64_t watchdog_ms)
{
	const struct rc_exec_opts opts = { .run = run,
		                               .journal = t.journal = rc_journal_new(),
		                               .watchdog_ms = watchdog_ms,
		                               .wedged_ms = LIM_RUNNER_WEDGED_MS };

	t.listen = false;
	sem_init(&t.running, 0, 0);
	sem_init(&t.release, 0, 0);
	sem_init(&t.answered, 0, 0);
	return rc_exec_start(&t.exec, &opts, NULL);
}

static int setup(void **state)
{
	return start(LIM_RUNNER_WATCHDOG_MS);
}

static int setup_short(void **state)
{
	return start(10);
}

static int teardown(void **state)
{
	rc_reply_unref(t.reply);
	t.reply = NULL;
	rc_journal_free(t.journal);
	return 0;
}

static void a_quiet_executor_stops_at_once(void **state)
{
	assert_false(rc_exec_busy(t.exec));
	assert_true(rc_exec_stop(t.exec));
	rc_exec_free(t.exec);
}

static void after_the_stop_everything_is_refused(void **state)
{
	assert_true(rc_exec_stop(t.exec));
	submit("{\"command\":\"tap\",\"commandId\":\"a\"}", &t.reply);
	assert_non_null(strstr(t.reply->body, "CANCELED"));
	rc_exec_free(t.exec);
}

static void work_that_listens_ends_with_the_stop(void **state)
{
	t.listen = true;
	submit("{\"command\":\"tap\"}", &t.reply);
	sem_wait(&t.running);
	assert_true(rc_exec_stop(t.exec));
	assert_non_null(strstr(t.reply->body, "CANCELED"));
	rc_exec_free(t.exec);
}

/* It keeps no deadline, but listens to its cancellation: then it ends soon after it was given up. */
static void what_is_given_up_is_canceled(void **state)
{
	t.listen = true;
	submit("{\"command\":\"tap\"}", &t.reply);
	sem_wait(&t.answered);
	assert_non_null(strstr(t.reply->body, "MAIN_THREAD_TIMEOUT"));
	while (rc_exec_busy(t.exec))
		sched_yield();
	assert_true(rc_exec_stop(t.exec));
	rc_exec_free(t.exec);
}

/* The executor, the journal and the work are then the process's: nothing of them is freed. */
static void work_that_hangs_is_left_behind_but_answered(void **state)
{
	struct rc_reply *queued = NULL;

	submit("{\"command\":\"tap\",\"commandId\":\"hung\"}", &t.reply);
	sem_wait(&t.running);
	submit("{\"command\":\"tap\",\"commandId\":\"queued\"}", &queued);
	assert_false(rc_exec_stop(t.exec));
	assert_non_null(strstr(queued->body, "CANCELED"));
	assert_non_null(strstr(t.reply->body, "MAIN_THREAD_TIMEOUT"));
	assert_int_equal(t.reply->status, 500);
	rc_reply_unref(queued);
	rc_reply_unref(t.reply);
	t.reply = NULL;
	sem_post(&t.release);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_quiet_executor_stops_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(after_the_stop_everything_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(work_that_listens_ends_with_the_stop, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_given_up_is_canceled, setup_short, teardown),
		cmocka_unit_test_setup(work_that_hangs_is_left_behind_but_answered, setup),
	};

	return cmocka_run_group_tests_name("executor", tests, NULL, NULL);
}
