/* Ends: of a client, of the daemon by kill, signal, command, idleness, and one that hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "daemon/files.h"
#include "server_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void a_client_that_goes_away_cancels(void **state)
{
	struct client a, b;
	server_connect(&a);
	server_connect(&b);
	server_open_session(&a, "s");
	client_request(&a, "1", "hold", NULL, "s");
	client_wait_progress(&a);
	client_done(&a);
	/* waits for its turn: it comes only because the first one was canceled (it holds a minute) */
	json_decref(client_ok(&b, "show", NULL, "s"));
	client_done(&b);
}

static void a_killed_daemon_leaves_nothing_and_the_next_recovers(void **state)
{
	struct client c;
	server_connect(&c);
	pid_t pid = server_pid(&c);
	struct proc_id runner = server_open_session(&c, "s");
	client_request(&c, "1", "hold", NULL, "s");
	client_wait_progress(&c);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_null(client_read(&c)); /* the connection ends without an answer */
	client_done(&c);
	server_wait_gone(runner);
	server_wait_end();
	assert_true(fs_exists(server_state.socket));
	assert_true(server_connect(&c));
	assert_int_not_equal(server_pid(&c), pid);
	client_request(&c, "2", "show", NULL, "s");
	auto_json json_t *answer = client_read(&c);
	assert_string_equal(server_code(answer), "SESSION_NOT_FOUND");
	/* what was going on can be read in the trace of the session */
	auto_free char *trace = fs_join(server_state.sessions, "s/events.ndjson");
	assert_true(fs_exists(trace));
	client_done(&c);
}

static void a_signal_stops_it_cleanly(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		struct client c;
		server_connect(&c);
		pid_t pid = server_pid(&c);
		struct proc_id runner = server_open_session(&c, "s");
		client_request(&c, "1", "hold", NULL, "s");
		client_wait_progress(&c);
		assert_int_equal(kill(pid, signals[i]), 0);
		auto_json json_t *answer = client_read(&c);
		assert_string_equal(server_code(answer), "CANCELED");
		assert_null(client_read(&c));
		client_done(&c);
		server_wait_end();
		assert_false(proc_id_alive(runner));
		assert_false(fs_exists(server_state.socket));
		assert_false(fs_exists(server_state.info));
		auto_free char *session = fs_join(server_state.sessions, "s");
		assert_false(fs_exists(session));
	}
}

static void stop_is_answered_before_the_end(void **state)
{
	struct client c;
	server_connect(&c);
	client_request(&c, "1", "stop", NULL, NULL);
	auto_json json_t *answer = client_read(&c);
	assert_true(jx_get_bool(answer, "ok", false));
	assert_null(client_read(&c));
	client_done(&c);
	server_wait_end();
	assert_false(fs_exists(server_state.socket));
}

static void it_leaves_when_nobody_needs_it(void **state)
{
	struct client c;
	setenv("DEFT_DAEMON_IDLE_MS", "40", 1);
	server_connect(&c);
	server_open_session(&c, "s");
	client_done(&c);
	/* a session is use: the daemon is still the same after several idle times */
	clock_wait(200, NULL, NULL);
	assert_false(server_connect(&c));
	json_decref(client_ok(&c, "close", NULL, "s"));
	client_done(&c);
	server_wait_end();
	assert_false(fs_exists(server_state.socket));
	assert_false(fs_exists(server_state.info));
}

static void a_forgotten_session_does_not_hold_it_for_ever(void **state)
{
	struct client c;
	setenv("DEFT_DAEMON_IDLE_MS", "40", 1);
	setenv("DEFT_SESSION_IDLE_MS", "60", 1);
	server_connect(&c);
	struct proc_id runner = server_open_session(&c, "s");
	client_done(&c);
	server_wait_end();
	assert_false(proc_id_alive(runner));
}

static void a_hung_daemon_is_told_apart_and_can_be_killed(void **state)
{
	struct client c;
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	bool was_running = false;
	server_connect(&c);
	struct proc_id id = { server_pid(&c), 0 };
	id.start = proc_start_time(id.pid);
	client_done(&c);
	assert_int_equal(kill(id.pid, SIGSTOP), 0);
	o.no_start = true;
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e),
	                 -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "unresponsive");
	assert_int_equal(wire_daemon_stop(&o, server_patience(), true, &was_running, &e), 0);
	assert_true(was_running);
	assert_false(proc_id_alive(id));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SERVER_TEST(a_client_that_goes_away_cancels),
		SERVER_TEST(a_killed_daemon_leaves_nothing_and_the_next_recovers),
		SERVER_TEST(a_signal_stops_it_cleanly),
		SERVER_TEST(stop_is_answered_before_the_end),
		SERVER_TEST(it_leaves_when_nobody_needs_it),
		SERVER_TEST(a_forgotten_session_does_not_hold_it_for_ever),
		SERVER_TEST(a_hung_daemon_is_told_apart_and_can_be_killed),
	};
	return server_main(argc, argv, tests, ARRAY_SIZE(tests));
}
