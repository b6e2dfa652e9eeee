/* What travels on a connection: the handshake of two builds, and lines good and bad. */
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

/* --- handshake --------------------------------------------------------------------------------- */

/* Connects as a client of the given build; the daemon's pid in *ret_pid. */
static int connect_as(const struct wire_daemon_opts *o, bool *ret_started, pid_t *ret_pid,
                      struct error *e)
{
	struct client c;
	int fd = -1;
	int r = wire_daemon_connect(o, server_patience(), &fd, ret_started, e);
	if (r < 0)
		return r;
	client_init(&c, fd);
	*ret_pid = server_pid(&c);
	client_done(&c);
	return 0;
}

static void an_idle_daemon_of_another_build_is_replaced(void **state)
{
	struct wire_daemon_opts old = server_old_opts(), now = server_opts();
	auto_error struct error e = ERROR_INIT;
	bool started = false;
	pid_t first = 0, second = 0;
	assert_int_equal(connect_as(&old, &started, &first, &e), 0);
	assert_string_equal(server_notices, "");
	assert_int_equal(connect_as(&now, &started, &second, &e), 0);
	assert_true(started);
	assert_int_not_equal(first, second);
	assert_int_equal(proc_start_time(first), 0); /* its process has ended */
	assert_non_null(strstr(server_notices, "Replacing the daemon"));
	assert_non_null(strstr(server_notices, "deft 0.0.9 build 0123456789ab"));
	assert_ptr_equal(strchr(server_notices, '\n'), server_notices + strlen(server_notices) - 1);
	/* the older client does the same in turn: both directions */
	assert_int_equal(connect_as(&old, &started, &first, &e), 0);
	assert_true(started);
}

/* A client beside a deftd that is no better: nothing is replaced, or each call would start another. */
static void a_mixed_installation_replaces_nothing(void **state)
{
	struct wire_daemon_opts old = server_old_opts(), mixed = server_opts();
	auto_error struct error e = ERROR_INIT;
	bool started = false;
	pid_t first = 0, again = 0;
	mixed.program = old.program;
	for (int i = 0; i < 2; i++) { /* first with no daemon, then with the one it started */
		assert_int_equal(connect_as(&mixed, &started, &again, &e), -ERR_DAEMON_VERSION_MISMATCH);
		assert_string_equal(jx_get_str(e.details, "reason", ""), "mixed_install");
	}
	assert_string_equal(server_notices, "");
	assert_int_equal(connect_as(&old, &started, &first, &e), 0);
	assert_false(started);
	assert_int_equal(connect_as(&mixed, &started, &again, &e), -ERR_DAEMON_VERSION_MISMATCH);
	assert_int_equal(connect_as(&old, &started, &again, &e), 0);
	assert_int_equal(first, again);
}

static void a_busy_daemon_of_another_build_is_kept(void **state)
{
	struct client c;
	struct wire_daemon_opts o = server_old_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	bool was_running;
	server_connect(&c);
	pid_t old = server_pid(&c);
	struct proc_id runner = server_open_session(&c, "precious");
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e),
	                 -ERR_DAEMON_VERSION_MISMATCH);
	assert_int_equal(fd, -1);
	assert_non_null(strstr(e.message, "precious"));
	assert_non_null(strstr(e.message, "0.0.9"));
	const json_t *names = json_object_get(e.details, "sessions");
	assert_string_equal(json_string_value(json_array_get(names, 0)), "precious");
	assert_string_equal(server_notices, "");
	assert_int_equal(wire_daemon_stop(&o, server_patience(), false, &was_running, &e),
	                 -ERR_SESSION_BUSY);
	assert_int_equal(server_pid(&c), old);
	assert_true(proc_id_alive(runner));
	client_done(&c);
}

static int raw_socket(void)
{
	int fd = sock_connect_unix(server_state.socket, server_patience(), NULL);
	assert_true(fd >= 0);
	return fd;
}

static void a_client_of_another_build_executes_nothing(void **state)
{
	struct client good, other;
	server_connect(&good);
	client_init(&other, raw_socket());
	/* hello and request together, as a hurried client sends them */
	client_send(
	    &other,
	    "{\"type\":\"hello\",\"protocol\":1,\"version\":\"0.0.1\",\"build\":\"x\"}\n"
	    "{\"type\":\"request\",\"id\":\"1\",\"command\":\"stop\",\"args\":{\"force\":true}}");
	auto_json json_t *hello = client_read(&other), *answer = client_read(&other);
	assert_string_equal(jx_get_str(hello, "type", ""), "hello");
	assert_false(jx_get_bool(hello, "ok", true));
	assert_string_equal(server_code(answer), "DAEMON_VERSION_MISMATCH");
	assert_string_equal(jx_get_str(answer, "id", ""), "1");
	assert_true(server_pid(&good) > 0);
	client_done(&other);
	client_done(&good);
}

static void a_request_without_hello_is_refused(void **state)
{
	struct client good, rude;
	server_connect(&good);
	client_init(&rude, raw_socket());
	client_request(&rude, "1", "status", NULL, NULL);
	auto_json json_t *answer = client_read(&rude);
	assert_string_equal(server_code(answer), "INVALID_ARGS");
	client_done(&rude);
	client_done(&good);
}

static void something_else_on_the_socket(void **state)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int ret = -1, listener = sock_listen_unix(server_state.socket, NULL);
	o.no_start = true;
	pid_t pid = fork();
	if (pid == 0) {
		int fd = sock_accept(listener, server_patience(), NULL);
		_exit(write(fd, "SSH-2.0-x\n", 10) == 10 ? 0 : 1);
	}
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &ret, NULL, &e),
	                 -ERR_DAEMON_VERSION_MISMATCH);
	waitpid(pid, NULL, 0);
	close(listener);
	unlink(server_state.socket);
}

/* --- lines ------------------------------------------------------------------------------------- */

static void malformed_lines_do_not_end_the_connection(void **state)
{
	static const char *const bad[] = {
		"nonsense",
		"[]",
		"{}",
		"{\"type\":\"request\"}",
		"{\"type\":\"request\",\"id\":\"1\"}",
		"{\"type\":\"reqest\",\"id\":\"1\",\"command\":\"status\"}",
		"{\"type\":",
		"\xff\xfe",
		"{\"type\":\"request\",\"id\":\"1\",\"command\":\"status\",\"args\":[]}",
	};
	struct client c;
	server_connect(&c);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		client_send(&c, bad[i]);
		auto_json json_t *answer = client_read(&c);
		assert_string_equal(server_code(answer), "INVALID_ARGS");
	}
	client_send(&c, "");
	client_send(&c, "  \t\r");
	assert_true(server_pid(&c) > 0);
	client_done(&c);
}

static void pipelined_requests_keep_their_sessions_order(void **state)
{
	struct client c;
	char id[16];
	server_connect(&c);
	server_open_session(&c, "s");
	for (int i = 0; i < 20; i++) {
		snprintf(id, sizeof(id), "%d", i);
		client_request(&c, id, "store", NULL, "s");
	}
	for (int i = 0; i < 20; i++) {
		auto_json json_t *answer = client_read(&c);
		/* generation counts executions, so order of execution is order of sending */
		int sent = (int)strtol(jx_get_str(answer, "id", "-1"), NULL, 10);
		const json_t *data = json_object_get(answer, "data");
		assert_int_equal(jx_get_int(data, "generation", 0), sent + 1);
	}
	client_done(&c);
}

static void a_quick_answer_overtakes_a_slow_one(void **state)
{
	struct client c;
	server_connect(&c);
	server_open_session(&c, "s");
	client_request(&c, "slow", "hold", NULL, "s");
	client_wait_progress(&c);
	client_request(&c, "quick", "status", NULL, NULL);
	auto_json json_t *quick = client_read(&c);
	assert_string_equal(jx_get_str(quick, "id", ""), "quick");
	client_request(&c, "slow", "status", NULL, NULL); /* an id that is still running */
	auto_json json_t *twice = client_read(&c);
	assert_string_equal(server_code(twice), "INVALID_ARGS");
	client_send(&c, "{\"type\":\"cancel\",\"id\":\"slow\"}");
	auto_json json_t *slow = client_read(&c);
	assert_string_equal(jx_get_str(slow, "id", ""), "slow");
	assert_string_equal(server_code(slow), "CANCELED");
	client_send(&c, "{\"type\":\"cancel\",\"id\":\"unknown\"}"); /* nothing happens */
	assert_true(server_pid(&c) > 0);
	client_done(&c);
}

static void an_answer_over_the_limit_is_an_error(void **state)
{
	struct client c;
	server_connect(&c);
	client_request(&c, "1", "flood", "{\"bytes\":9000000}", NULL);
	auto_json json_t *answer = client_read(&c);
	assert_string_equal(server_code(answer), "LIMIT_EXCEEDED");
	assert_string_equal(jx_get_str(answer, "id", ""), "1");
	auto_json json_t *large = client_ok(&c, "flood", "{\"bytes\":8000000}", NULL);
	assert_int_equal(json_string_length(json_object_get(large, "filling")), 8000000);
	client_done(&c);
}

static void a_line_over_the_limit_ends_the_connection(void **state)
{
	struct client c;
	auto_buf struct buf line;
	server_connect(&c);
	buf_init(&line, LIM_ENVELOPE_LINE + 4096);
	buf_fill(&line, ' ', LIM_ENVELOPE_LINE + 1024);
	/* the daemon may stop reading before all is written */
	sock_write(c.fd, line.data, line.len, server_patience(), NULL);
	auto_json json_t *answer = client_read(&c);
	if (answer)
		assert_string_equal(server_code(answer), "LIMIT_EXCEEDED");
	client_done(&c);
	server_connect(&c);
	assert_true(server_pid(&c) > 0);
	client_done(&c);
}

static void clients_over_the_limit_are_told(void **state)
{
	struct client c[LIM_DAEMON_CONNECTIONS];
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		server_connect(&c[i]);
	int r = wire_daemon_connect(&o, server_patience(), &fd, NULL, &e);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		client_done(&c[i]);
	assert_int_equal(r, -ERR_LIMIT_EXCEEDED);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SERVER_TEST(an_idle_daemon_of_another_build_is_replaced),
		SERVER_TEST(a_mixed_installation_replaces_nothing),
		SERVER_TEST(a_busy_daemon_of_another_build_is_kept),
		SERVER_TEST(a_client_of_another_build_executes_nothing),
		SERVER_TEST(a_request_without_hello_is_refused),
		SERVER_TEST(something_else_on_the_socket),
		SERVER_TEST(malformed_lines_do_not_end_the_connection),
		SERVER_TEST(pipelined_requests_keep_their_sessions_order),
		SERVER_TEST(a_quick_answer_overtakes_a_slow_one),
		SERVER_TEST(an_answer_over_the_limit_is_an_error),
		SERVER_TEST(a_line_over_the_limit_ends_the_connection),
		SERVER_TEST(clients_over_the_limit_are_told),
	};
	return server_main(argc, argv, tests, ARRAY_SIZE(tests));
}
