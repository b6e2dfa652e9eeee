#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"
#include "daemon/files.h"
#include "server_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_MS 20000

static const char *program, *old_program;
struct wire_state server_state;
char server_notices[1024];

static void note(void *ctx, const char *line)
{
	snprintf(server_notices + strlen(server_notices),
	         sizeof(server_notices) - strlen(server_notices), "%s\n", line);
}

struct call server_patience(void)
{
	return (struct call){ deadline_in(PATIENCE_MS), NULL };
}

struct wire_daemon_opts server_opts(void)
{
	return (struct wire_daemon_opts){ .state_dir = server_state.dir,
		                              .program = program,
		                              .notice = note };
}

struct wire_daemon_opts server_old_opts(void)
{
	struct wire_daemon_opts o = server_opts();
	o.program = old_program;
	o.version = "0.0.9";
	o.build = "0123456789ab";
	return o;
}

int server_setup(void **state)
{
	char template[] = "/tmp/deft-server-XXXXXX";
	assert_non_null(mkdtemp(template));
	assert_int_equal(wire_state_open(&server_state, template, true, NULL), 0);
	server_notices[0] = '\0';
	unsetenv("DEFT_DAEMON_IDLE_MS");
	unsetenv("DEFT_SESSION_IDLE_MS");
	setenv("FAKE_CHILDREN", "1", 1);
	return 0;
}

int server_teardown(void **state)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	bool was_running;
	if (wire_daemon_stop(&o, server_patience(), true, &was_running, &e) < 0)
		fail_msg("%s", e.message);
	dm_remove_dir(server_state.sessions);
	dm_remove_dir(server_state.dir);
	wire_state_done(&server_state);
	return 0;
}

/* A client of the daemon, which is started when there is none. */
bool server_connect(struct client *c)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	bool started = false;
	int fd = -1;
	if (wire_daemon_connect(&o, server_patience(), &fd, &started, &e) < 0)
		fail_msg("%s", e.message);
	client_init(c, fd);
	return started;
}

pid_t server_pid(struct client *c)
{
	auto_json json_t *status = client_ok(c, "status", NULL, NULL);
	return (pid_t)jx_get_int(status, "pid", 0);
}

/* Opens a session; the process that stands for its runner. */
struct proc_id server_open_session(struct client *c, const char *session)
{
	auto_json json_t *data = client_ok(c, "open", "{\"device\":\"one\"}", session);
	pid_t pid = (pid_t)jx_get_int(data, "child", 0);
	assert_true(pid > 0);
	return (struct proc_id){ pid, proc_start_time(pid) };
}

/* Processes end when they end: looked at until they are gone. */
void server_wait_gone(struct proc_id id)
{
	for (int64_t until = clock_now_ms() + PATIENCE_MS; proc_id_alive(id);) {
		assert_true(clock_now_ms() < until);
		clock_wait(5, NULL, NULL);
	}
}

void server_wait_end(void)
{
	auto_close int fd = fs_lock(server_state.alive, server_patience(), NULL);
	assert_true(fd >= 0);
}

const char *server_code(const json_t *response)
{
	return jx_get_str(json_object_get(response, "error"), "code", "");
}

int server_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n)
{
	if (argc < 3)
		return 77;
	program = argv[1];
	old_program = argv[2];
	return _cmocka_run_group_tests("server", tests, n, NULL, NULL);
}
