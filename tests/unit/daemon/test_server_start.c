/* Starting: who starts it, what may lie around, what is said when it fails. */
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

static void the_first_client_starts_it(void **state)
{
	struct client a, b;
	struct stat sock, info;
	assert_true(server_connect(&a));
	assert_false(server_connect(&b));
	assert_int_equal(server_pid(&a), server_pid(&b));
	assert_int_equal(stat(server_state.socket, &sock), 0);
	assert_int_equal(sock.st_mode & 0777, 0600);
	assert_int_equal(stat(server_state.info, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	client_done(&a);
	client_done(&b);
}

enum { CLIENTS = 10 };

/* In a child: connects by the given way and writes the daemon's pid and "I started it" to fd. */
static void one_of_many(const char *dir, int fd)
{
	struct wire_daemon_opts o = server_opts();
	struct client c;
	bool started = false;
	int sock = -1;
	o.state_dir = dir;
	if (wire_daemon_connect(&o, server_patience(), &sock, &started, NULL) < 0)
		_exit(1);
	client_init(&c, sock);
	int report[] = { server_pid(&c), started };
	_exit(write(fd, report, sizeof(report)) == (ssize_t)sizeof(report) ? 0 : 1);
}

/* Cases F09: ten at once, by the real path and by a link. */
static void ten_at_once_make_one_daemon(void **state)
{
	int fds[2], first = 0, starters = 0;
	pid_t pids[CLIENTS];
	auto_free char *link = fs_join(server_state.dir, "link");
	assert_int_equal(symlink(server_state.dir, link), 0);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	for (int i = 0; i < CLIENTS; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			one_of_many(i % 2 ? link : server_state.dir, fds[1]);
	}
	for (int i = 0; i < CLIENTS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	for (int i = 0; i < CLIENTS; i++) {
		int report[2];
		assert_int_equal(read(fds[0], report, sizeof(report)), sizeof(report));
		first = first ? first : report[0];
		assert_int_equal(report[0], first);
		starters += report[1];
	}
	assert_int_equal(starters, 1);
	close(fds[0]);
	close(fds[1]);
	unlink(link);
}

/* Cases F01, F03, F05: whatever lies in the directory, a start works and nobody is signalled. */
static void leftovers_do_not_matter(void **state)
{
	static const char *const texts[] = { "", "{\"pid\":", "not JSON" };
	const char *argv[] = { "sleep", "600", NULL };
	struct proc other;
	assert_int_equal(proc_start(&other, &(struct proc_opts){ .argv = argv }, NULL), 0);
	char info[64];
	snprintf(info, sizeof(info), "{\"pid\":%d,\"startTime\":7}", (int)other.id.pid);
	for (size_t i = 0; i <= ARRAY_SIZE(texts); i++) {
		const char *text = i < ARRAY_SIZE(texts) ? texts[i] : info;
		const char *const files[] = { server_state.lock, server_state.alive, server_state.info,
			                          server_state.socket };
		for (size_t f = 0; f < ARRAY_SIZE(files); f++)
			assert_int_equal(fs_write(files[f], text, strlen(text), 0600, NULL), 0);
		struct client c;
		struct wire_daemon_opts o = server_opts();
		bool was_running = false;
		assert_true(server_connect(&c));
		client_done(&c);
		assert_int_equal(wire_daemon_stop(&o, server_patience(), false, &was_running, NULL), 0);
		assert_true(was_running);
	}
	assert_true(proc_alive(&other));
	proc_end(&other, 1000);
}

/* By hand: exit status, and what it says on stdout and stderr together. */
static int by_hand(const char *const *argv, struct buf *said)
{
	struct proc_opts o = { .argv = argv };
	int status = -1;
	buf_init(said, 1 << 16);
	assert_int_equal(proc_run(&o, server_patience(), said, said, &status, NULL), 0);
	return status;
}

static void a_second_one_by_hand_gives_way(void **state)
{
	struct client c;
	auto_buf struct buf said;
	const char *argv[] = { server_opts().program, "--state-dir", server_state.dir, NULL };
	server_connect(&c);
	pid_t first = server_pid(&c);
	assert_int_equal(by_hand(argv, &said), error_exit_status(ERR_DAEMON_UNAVAILABLE));
	assert_non_null(strstr(said.data, "runs for"));
	assert_int_equal(server_pid(&c), first);
	client_done(&c);
}

static void its_own_command_line(void **state)
{
	auto_buf struct buf help, version, bad;
	const char *program = server_opts().program;
	assert_int_equal(by_hand((const char *[]){ program, "--help", NULL }, &help), 0);
	assert_non_null(strstr(help.data, "--state-dir DIR"));
	assert_int_equal(by_hand((const char *[]){ program, "--version", NULL }, &version), 0);
	assert_non_null(strstr(version.data, "build "));
	assert_int_equal(by_hand((const char *[]){ program, "--sate-dir", NULL }, &bad),
	                 error_exit_status(ERR_INVALID_ARGS));
	assert_non_null(strstr(bad.data, "--sate-dir"));
}

static void no_start_starts_nothing(void **state)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	bool was_running = true;
	o.no_start = true;
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e),
	                 -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "not_running");
	assert_int_equal(wire_daemon_stop(&o, server_patience(), false, &was_running, NULL), 0);
	assert_false(was_running);
	assert_false(fs_exists(server_state.info));
	o.state_dir = "/tmp/deft-no-such-directory";
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e),
	                 -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "not_running");
	assert_false(fs_exists(o.state_dir));
}

static void a_program_that_is_no_daemon(void **state)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	o.program = "/bin/false";
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e),
	                 -ERR_DAEMON_UNAVAILABLE);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "start_failed");
	o.program = "/no/such/deftd";
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e), -ERR_TOOL_MISSING);
}

/* The reason of a failed start comes from the daemon itself, typed. */
static void a_start_that_fails_says_why(void **state)
{
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	assert_int_equal(fs_mkdirs(server_state.info, 0700, NULL),
	                 0); /* daemon.json can't be written */
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e), -ERR_IO_ERROR);
	assert_non_null(strstr(e.message, "daemon.json"));
	assert_false(fs_exists(server_state.socket));
	assert_int_equal(rmdir(server_state.info), 0);
}

static void a_long_path_gets_a_short_socket(void **state)
{
	char name[120];
	memset(name, 'd', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	auto_free char *dir = fs_join(server_state.dir, name);
	auto_state struct wire_state far = { NULL };
	assert_int_equal(wire_state_open(&far, dir, true, NULL), 0);
	assert_null(strstr(far.socket, name));
	struct wire_daemon_opts o = server_opts();
	auto_error struct error e = ERROR_INIT;
	int fd = -1;
	bool was_running = false;
	o.state_dir = dir;
	assert_int_equal(wire_daemon_connect(&o, server_patience(), &fd, NULL, &e), 0);
	close(fd);
	assert_int_equal(wire_daemon_stop(&o, server_patience(), true, &was_running, &e), 0);
	assert_false(fs_exists(far.socket));
	dm_remove_dir(dir);
}

static void a_foreign_directory_is_refused(void **state)
{
	auto_state struct wire_state s = { NULL };
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(wire_state_open(&s, geteuid() == 0 ? "/var/mail" : "/", true, &e),
	                 geteuid() == 0 ? 0 : -ERR_UNAUTHORIZED);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SERVER_TEST(the_first_client_starts_it),
		SERVER_TEST(ten_at_once_make_one_daemon),
		SERVER_TEST(leftovers_do_not_matter),
		SERVER_TEST(a_second_one_by_hand_gives_way),
		SERVER_TEST(its_own_command_line),
		SERVER_TEST(no_start_starts_nothing),
		SERVER_TEST(a_program_that_is_no_daemon),
		SERVER_TEST(a_start_that_fails_says_why),
		SERVER_TEST(a_long_path_gets_a_short_socket),
		SERVER_TEST(a_foreign_directory_is_refused),
	};
	return server_main(argc, argv, tests, ARRAY_SIZE(tests));
}
