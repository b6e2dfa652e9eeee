/* A runner program from outside: its options, its signals, its parent. */
#include "base/cleanup.h"
#include "base/number.h"
#include "base/proc.h"
#include "base/sock.h"
#include "raw_http.h"

#include <fcntl.h>
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

#define PATIENCE_MS 60000

struct program {
	struct proc proc;
	struct line_reader out;
	uint16_t port;
};

static const char *path(void)
{
	const char *p = getenv("DEFT_RUNNER_PROGRAM");

	assert_non_null(p);
	return p;
}

static char *line_of(struct line_reader *out)
{
	struct call c = { deadline_in(PATIENCE_MS), NULL };
	char *line = NULL;
	size_t len;

	return line_reader_next(out, c, &line, &len, NULL) > 0 ? line : NULL;
}

static uint16_t read_port(struct line_reader *out)
{
	const char *line = line_of(out);
	int64_t n = 0;

	assert_non_null(line);
	assert_true(strncmp(line, "DEFT_RUNNER_PORT=", 17) == 0);
	assert_true(number_parse_int(line + 17, &n));
	line = line_of(out);
	assert_string_equal(line, "DEFT_RUNNER_READY");
	return (uint16_t)n;
}

static void launch(struct program *p, const char *a, const char *b)
{
	const char *argv[] = { path(), a, b, NULL };
	const struct proc_opts opts = { .argv = argv, .pipe_out = true, .die_with_parent = true };
	struct error auto_error e = ERROR_INIT;

	if (proc_start(&p->proc, &opts, &e) < 0)
		fail_msg("%s", e.message);
	line_reader_init(&p->out, p->proc.out, 4096);
}

static int status_of(struct program *p)
{
	struct call c = { deadline_in(PATIENCE_MS), NULL };
	int status = -1;

	assert_int_equal(proc_wait(&p->proc, c, &status, NULL), 0);
	line_reader_done(&p->out);
	proc_end(&p->proc, 0);
	return status;
}

static void signals_end_it_cleanly(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		struct program p;

		launch(&p, NULL, NULL);
		p.port = read_port(&p.out);
		assert_true(proc_id_signal(p.proc.id, signals[i]));
		assert_int_equal(status_of(&p), 0);
		assert_int_equal(http_open(p.port), -1);
	}
}

static void an_idle_one_leaves(void **state)
{
	struct program p;

	launch(&p, "--idle-exit-ms", "1");
	read_port(&p.out);
	assert_int_equal(status_of(&p), 0);
}

static void it_takes_the_port_it_is_given(void **state)
{
	char text[16];
	uint16_t port = 0;
	struct program p;
	int fd = sock_listen_loopback(0, &port, NULL);

	assert_true(fd >= 0);
	close(fd);
	snprintf(text, sizeof(text), "%u", port);
	launch(&p, "--port", text);
	assert_int_equal(read_port(&p.out), port);
	proc_id_signal(p.proc.id, SIGTERM);
	assert_int_equal(status_of(&p), 0);
}

static void a_bad_start_says_nothing_on_stdout(void **state)
{
	char text[16];
	uint16_t port = 0;
	struct program p;
	auto_close int taken = sock_listen_loopback(0, &port, NULL);

	assert_true(taken >= 0);
	launch(&p, "--port", "nonsense");
	assert_null(line_of(&p.out));
	assert_int_equal(status_of(&p), 2);
	snprintf(text, sizeof(text), "%u", port);
	launch(&p, "--port", text);
	assert_null(line_of(&p.out));
	assert_int_not_equal(status_of(&p), 0);
}

/* A middle process starts the runner and dies; the runner's end shows as the end of its stdout. */
static int middle_process(int out)
{
	pid_t pid = fork();

	if (pid == 0) {
		dup2(out, STDOUT_FILENO);
		execl(path(), path(), "--exit-with-parent", (char *)NULL);
		_exit(127);
	}
	return pid;
}

static void it_leaves_with_its_parent(void **state)
{
	int pipe_fds[2], go[2];
	struct line_reader out;
	char byte;

	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	pid_t middle = fork();
	if (middle == 0) {
		middle_process(pipe_fds[1]);
		close(pipe_fds[1]);
		close(go[1]);
		_exit(read(go[0], &byte, 1) < 0);
	}
	close(pipe_fds[1]);
	close(go[0]);
	line_reader_init(&out, pipe_fds[0], 4096);
	uint16_t port = read_port(&out);
	int fd = http_open(port);
	assert_true(fd >= 0);
	close(fd);
	close(go[1]); /* the middle process ends */
	waitpid(middle, NULL, 0);
	assert_null(line_of(&out));
	line_reader_done(&out);
	close(pipe_fds[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_end_it_cleanly),
		cmocka_unit_test(an_idle_one_leaves),
		cmocka_unit_test(it_takes_the_port_it_is_given),
		cmocka_unit_test(a_bad_start_says_nothing_on_stdout),
		cmocka_unit_test(it_leaves_with_its_parent),
	};

	return cmocka_run_group_tests_name("runner_program", tests, NULL, NULL);
}
