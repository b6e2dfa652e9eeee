/* The whole lower half of the house for real: module, client, HTTP, runner core and virtual backend.
 * The runner program is the one of this build. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/log.h"
#include "platform/platform.h"
#include "platform/virtual/virtual.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char state_dir[40];
static json_t *env;
static struct pf_device *device;
static struct error error;

static int set_up(void **state)
{
	log_set_level(LOG_ERROR);
	unsetenv("DEFT_RUNNER_DIR");
	memcpy(state_dir, "/tmp/deft-test-virtual-XXXXXX", 30);
	if (!mkdtemp(state_dir))
		return -1;
	env = json_object();
	struct pf_caller caller = { .env = env, .state_dir = state_dir };
	struct pf_device_info info;
	size_t n = 0;
	assert_int_equal(pf_virtual_module.devices(&caller, CALL_FOREVER, &info, 1, &n, NULL), 0);
	assert_true(info.available);
	assert_int_equal(pf_virtual_module.attach(&caller, &info, &device, NULL), 0);
	return 0;
}

static int tear_down(void **state)
{
	char command[64];
	if (device)
		device->ops->close(device);
	device = NULL;
	error_clear(&error);
	json_decref(env);
	snprintf(command, sizeof command, "rm -rf '%s'", state_dir);
	return system(command);
}

static struct call soon(void)
{
	return (struct call){ deadline_in(60000), NULL };
}

static int run(json_t *request_stolen)
{
	json_t auto_json *data = NULL;
	error_clear(&error);
	int r = device->ops->run(device, soon(), request_stolen, &data, &error);
	json_decref(request_stolen);
	return r;
}

static void open_demo(void)
{
	assert_int_equal(run(json_pack("{s:s,s:s}", "command", "launch", "target", "demo")), 0);
}

static int tap_at(double x, double y, int count)
{
	json_t auto_json *data = NULL;
	const struct pf_tap_opts o = { .x = x, .y = y, .count = count };
	error_clear(&error);
	return device->ops->tap(device, soon(), &o, &data, &error);
}

static struct cl_counters counters(void)
{
	struct cl_counters c;
	cl_session_counters(device->runner, &c);
	return c;
}

static void facts_tree_and_press(void **state)
{
	json_t auto_json *info = NULL;
	assert_int_equal(device->ops->info(device, soon(), &info, &error), 0);
	assert_non_null(json_object_get(info, "screen"));
	open_demo();
	struct ui_tree auto_tree tree = { 0 };
	const struct pf_snapshot_opts whole = { .depth = -1 };
	assert_int_equal(device->ops->snapshot(device, soon(), &whole, &tree, &error), 0);
	assert_true(tree.count > 5);
	uint32_t i = 0;
	while (i < tree.count &&
	       !(tree.nodes[i].role == UI_BUTTON && ui_has(&tree.nodes[i], UI_HITTABLE)))
		i++;
	assert_true(i < tree.count);
	json_t auto_json *data = NULL;
	struct pf_tap_opts o = { .node = tree.nodes[i].handle,
		                     .expect_label = tree.nodes[i].label,
		                     .count = 1 };
	assert_int_equal(device->ops->tap(device, soon(), &o, &data, &error), 0);
	assert_string_equal(jx_get_str(data, "activation", ""), "coordinate");
	o.expect_label = "something else";
	assert_int_equal(device->ops->tap(device, soon(), &o, &data, &error), -ERR_ELEMENT_STALE);
	assert_string_equal(jx_get_str(error.details, "executed", ""), "no");
}

static void one_request_per_hot_press(void **state)
{
	open_demo();
	assert_int_equal(tap_at(5, 5, 1), 0);
	struct cl_counters before = counters();
	for (int i = 0; i < 50; i++)
		assert_int_equal(tap_at(5, 5, 1), 0);
	assert_int_equal(counters().requests - before.requests, 50);
	assert_int_equal(counters().preflights, before.preflights);
	before = counters();
	assert_int_equal(tap_at(5, 5, 45), 0);
	assert_int_equal(counters().requests - before.requests, 3); /* 20, 20, 5 */
}

static void a_killed_runner_is_replaced_at_once(void **state)
{
	open_demo();
	assert_int_equal(tap_at(5, 5, 1), 0);
	struct proc_id first = cl_session_process(device->runner);
	assert_true(proc_id_signal(first, SIGKILL));
	while (proc_id_alive(first))
		sched_yield();
	struct ui_tree auto_tree tree = { 0 };
	const struct pf_snapshot_opts whole = { .depth = -1 };
	int r = device->ops->snapshot(device, soon(), &whole, &tree, &error);
	assert_true(r == 0 || error.code != ERR_RUNNER_LOST_REPLY); /* a fresh device may show no app */
	assert_string_equal(device->trace.invalidation, "runner_process_exited");
	struct proc_id second = cl_session_process(device->runner);
	assert_true(proc_id_alive(second));
	assert_int_not_equal(second.pid, first.pid);
	assert_int_equal(counters().restarts, 1);
}

static void closing_ends_the_process(void **state)
{
	open_demo();
	struct proc_id id = cl_session_process(device->runner);
	assert_true(proc_id_alive(id));
	device->ops->close(device);
	device = NULL;
	assert_false(proc_id_alive(id));
}

static void an_unanswered_press_ends_with_the_callers_time(void **state)
{
	open_demo();
	struct proc_id id = cl_session_process(device->runner);
	assert_int_equal(tap_at(5, 5, 1), 0);
	assert_true(proc_id_signal(id, SIGSTOP));
	siginfo_t stopped; /* told once all of its threads stand still */
	assert_int_equal(waitid(P_PID, (id_t)id.pid, &stopped, WSTOPPED), 0);
	json_t auto_json *data = NULL;
	const struct pf_tap_opts o = { .x = 5, .y = 5, .count = 1 };
	struct call c = { deadline_in(200), NULL };
	assert_int_equal(device->ops->tap(device, c, &o, &data, &error), -ERR_TIMEOUT);
	assert_string_equal(jx_get_str(error.details, "executed", ""), "unknown");
	assert_true(proc_id_signal(id, SIGCONT));
	assert_int_equal(tap_at(5, 5, 1), 0); /* the same runner goes on */
	assert_int_equal(cl_session_process(device->runner).pid, id.pid);
}

/* Its time moves by commands alone: a wait of ten minutes is one short request. */
static void time_passes_there_and_not_here(void **state)
{
	open_demo();
	assert_int_equal(pf_idle(device, soon(), 0, &error), 0);
	int64_t before = pf_time_ms(device);
	assert_int_equal(pf_idle(device, soon(), 600000, &error), 0);
	assert_int_equal(pf_time_ms(device) - before, 600000);
	assert_int_equal(tap_at(5, 5, 1), 0);
	assert_int_equal(pf_time_ms(device) - before, 600000); /* as last told */
	assert_int_equal(pf_idle(device, soon(), 0, &error), 0);
	assert_true(pf_time_ms(device) - before > 600000);
	assert_int_equal(pf_idle(device, soon(), 600001, &error), -ERR_INVALID_ARGS);
}

/* The pauses of a series are the device's as well. */
static void pauses_of_a_series_pass_there(void **state)
{
	json_t auto_json *data = NULL;
	const struct pf_tap_opts o = { .x = 5, .y = 5, .count = 3, .interval_ms = 9000 };
	open_demo();
	pf_idle(device, soon(), 0, &error);
	int64_t before = pf_time_ms(device);
	assert_int_equal(device->ops->tap(device, soon(), &o, &data, &error), 0);
	pf_idle(device, soon(), 0, &error);
	assert_true(pf_time_ms(device) - before >= 18000);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(facts_tree_and_press),
		TEST(one_request_per_hot_press),
		TEST(a_killed_runner_is_replaced_at_once),
		TEST(closing_ends_the_process),
		TEST(time_passes_there_and_not_here),
		TEST(pauses_of_a_series_pass_there),
		TEST(an_unanswered_press_ends_with_the_callers_time),
	};
	return cmocka_run_group_tests_name("virtual runner", tests, NULL, NULL);
}
