/* The real deftd with its real command table and the virtual runner, as processes: nothing of them
 * is left, however the daemon ends. argv[1] is deftd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/daemon/lines.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/proc.h"
#include "daemon/files.h"
#include "wire/daemon_start.h"
#include "wire/state_dir.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define PATIENCE_MS 30000
#define MAX_CHILDREN 16

static const char *program;
static struct wire_state st;

static struct call patience(void)
{
	return (struct call){ deadline_in(PATIENCE_MS), NULL };
}

static struct wire_daemon_opts opts(void)
{
	return (struct wire_daemon_opts){ .state_dir = st.dir, .program = program };
}

static int setup(void **state)
{
	char template[] = "/tmp/deft-processes-XXXXXX";
	assert_non_null(mkdtemp(template));
	return wire_state_open(&st, template, true, NULL);
}

static int teardown(void **state)
{
	struct wire_daemon_opts o = opts();
	bool was_running;
	wire_daemon_stop(&o, patience(), true, &was_running, NULL);
	dm_remove_dir(st.sessions);
	dm_remove_dir(st.dir);
	wire_state_done(&st);
	return 0;
}

static void connect_client(struct client *c)
{
	struct wire_daemon_opts o = opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	if (wire_daemon_connect(&o, patience(), &fd, NULL, &e) < 0)
		fail_msg("%s", e.message);
	client_init(c, fd);
}

static pid_t parent_of(pid_t pid)
{
	char path[64];
	auto_buf struct buf b;
	buf_init(&b, 8192);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (fs_read(path, b.max, &b, NULL) < 0)
		return 0;
	const char *after = strrchr(b.data, ')'); /* "pid (name) S ppid …" */
	return after ? (pid_t)strtol(after + 4, NULL, 10) : 0;
}

static size_t children_of(pid_t pid, struct proc_id list[MAX_CHILDREN])
{
	size_t n = 0;
	DIR *dir = opendir("/proc");
	for (const struct dirent *entry; (entry = readdir(dir)) && n < MAX_CHILDREN;) {
		pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);
		if (child > 0 && parent_of(child) == pid)
			list[n++] = (struct proc_id){ child, proc_start_time(child) };
	}
	closedir(dir);
	return n;
}

static void wait_gone(struct proc_id id)
{
	for (int64_t until = clock_now_ms() + PATIENCE_MS; proc_id_alive(id);) {
		assert_true(clock_now_ms() < until);
		clock_wait(5, NULL, NULL);
	}
}

/* A session on the virtual device with its app; the daemon's process and its runner's. */
static void work(struct client *c, struct proc_id *ret_daemon, struct proc_id *ret_runner)
{
	struct proc_id children[MAX_CHILDREN];
	json_decref(client_ok(c, "open", "{\"app\":\"demo\",\"platform\":\"virtual\"}", NULL));
	auto_json json_t *seen = client_ok(c, "snapshot", "{\"interactive\":true}", NULL);
	assert_true(json_array_size(json_object_get(seen, "nodes")) > 0);
	auto_json json_t *status = client_ok(c, "daemon", "{\"action\":\"status\"}", NULL);
	pid_t pid = (pid_t)jx_get_int(status, "pid", 0);
	*ret_daemon = (struct proc_id){ pid, proc_start_time(pid) };
	assert_int_equal(children_of(pid, children), 1);
	*ret_runner = children[0];
}

static void killed_in_the_middle(void **state)
{
	struct client c;
	struct proc_id daemon, runner, again;
	connect_client(&c);
	work(&c, &daemon, &runner);
	client_request(&c, "1", "wait", "{\"ms\":60000}", NULL);
	kill(daemon.pid, SIGKILL);
	json_decref(client_answer(&c));
	client_done(&c);
	wait_gone(daemon);
	wait_gone(runner);
	connect_client(&c);
	work(&c, &again, &runner);
	assert_int_not_equal(again.pid, daemon.pid);
	client_done(&c);
}

static void stopped_in_the_middle(void **state)
{
	struct client c;
	struct proc_id daemon, runner;
	connect_client(&c);
	work(&c, &daemon, &runner);
	kill(daemon.pid, SIGTERM);
	assert_null(client_answer(&c));
	client_done(&c);
	wait_gone(daemon);
	assert_false(proc_id_alive(runner));
	assert_false(fs_exists(st.socket));
	assert_false(fs_exists(st.info));
}

static void closed_by_its_session(void **state)
{
	struct client c;
	struct proc_id daemon, runner, none[MAX_CHILDREN];
	connect_client(&c);
	work(&c, &daemon, &runner);
	json_decref(client_ok(&c, "close", NULL, NULL));
	assert_false(proc_id_alive(runner));
	assert_int_equal(children_of(daemon.pid, none), 0); /* reaped, too */
	client_done(&c);
}

int main(int argc, char **argv)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(killed_in_the_middle),
		TEST(stopped_in_the_middle),
		TEST(closed_by_its_session),
	};
	if (argc < 2)
		return 77;
	program = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
