#include "base/cleanup.h"
#include "base/jx.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define SH(script) ((const char *const[]){ "sh", "-c", script, NULL })

static void output_and_status_are_captured(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf out, auto_buf err;
	buf_init(&out, 1000);
	buf_init(&err, 1000);
	int status = -1;
	struct proc_opts o = { .argv = SH("echo out; echo err >&2; exit 3") };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, &err, &status, &e), 0);
	assert_string_equal(out.data, "out\n");
	assert_string_equal(err.data, "err\n");
	assert_int_equal(status, 3);
	o.argv = SH("kill -TERM $$");
	assert_int_equal(proc_run(&o, CALL_FOREVER, NULL, NULL, &status, &e), 0);
	assert_int_equal(status, 128 + SIGTERM);
}

static void a_missing_program_is_typed(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = { .argv = (const char *const[]){ "no-such-program-here", NULL } };
	assert_int_equal(proc_start(&p, &o, &e), -ERR_TOOL_MISSING);
	assert_string_equal(jx_get_str(e.details, "program", ""), "no-such-program-here");
	o.argv = (const char *const[]){ "/etc/passwd", NULL };
	assert_int_equal(proc_start(&p, &o, &e), -ERR_COMMAND_FAILED);
	o.argv = SH("true");
	o.cwd = "/no/such/dir";
	assert_int_equal(proc_start(&p, &o, &e), -ERR_COMMAND_FAILED);
	assert_non_null(strstr(e.message, "chdir"));
}

static void a_program_that_is_no_program_is_reported_from_the_child(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char path[] = "/tmp/deft-test-proc-XXXXXX";
	int fd = mkstemp(path);
	assert_int_equal(write(fd,
	                       "\x7f"
	                       "ELF-no",
	                       7),
	                 7);
	fchmod(fd, 0755);
	close(fd);
	struct proc p;
	struct proc_opts o = { .argv = (const char *const[]){ path, NULL } };
	assert_int_equal(proc_start(&p, &o, &e), -ERR_COMMAND_FAILED);
	assert_non_null(strstr(e.message, "exec"));
	unlink(path);
}

static void the_environment_is_the_given_one(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf out;
	buf_init(&out, 1000);
	struct proc_opts o = { .argv = SH("echo $A; pwd; readlink /proc/self/fd/0"),
		                   .env = (const char *const[]){ "A=b c", "PATH=/usr/bin:/bin", NULL },
		                   .cwd = "/" };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, NULL, NULL, &e), 0);
	assert_string_equal(out.data, "b c\n/\n/dev/null\n");
}

static void no_descriptor_leaks_into_the_child(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int auto_close plain = open("/dev/null", O_RDONLY);
	int auto_close leak = fcntl(plain, F_DUPFD, 50); /* no CLOEXEC, and out of everybody's way */
	assert_true(leak >= 50);
	struct buf auto_buf out;
	buf_init(&out, 1000);
	char script[64];
	snprintf(script, sizeof script, "test -e /proc/self/fd/%d && echo leaked", leak);
	struct proc_opts o = { .argv = SH(script) };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, NULL, NULL, &e), 0);
	assert_string_equal(out.data, "");
}

static void output_above_its_limit_ends_the_child(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf out;
	buf_init(&out, 1000);
	struct proc_opts o = { .argv = SH("yes") };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, NULL, NULL, &e), -ERR_LIMIT_EXCEEDED);
}

static void a_deadline_and_a_cancellation_end_the_child(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc_opts o = { .argv = SH("exec cat /dev/zero > /dev/null") };
	assert_int_equal(proc_run(&o, (struct call){ deadline_in(1), NULL }, NULL, NULL, NULL, &e),
	                 -ERR_TIMEOUT);
	struct cancel c;
	cancel_init(&c, NULL);
	cancel_fire(&c);
	assert_int_equal(proc_run(&o, (struct call){ DEADLINE_NEVER, &c }, NULL, NULL, NULL, &e),
	                 -ERR_CANCELED);
	cancel_done(&c);
}

static void a_grandchild_that_keeps_the_pipe_does_not_hold_us_up(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf out;
	buf_init(&out, 1000);
	int status;
	struct proc_opts o = { .argv = SH("tail -f /dev/null & echo done") };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, NULL, &status, &e), 0);
	assert_string_equal(out.data, "done\n");
}

/* The whole group ends, also a grandchild, and one that ignores SIGTERM. */
static void ending_takes_the_whole_group(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = {
		.argv = SH("trap '' TERM; tail -f /dev/null & echo $!; read x < /dev/zero; wait"),
		.pipe_out = true
	};
	assert_int_equal(proc_start(&p, &o, &e), 0);
	char text[32];
	assert_true(call_poll(CALL_FOREVER, p.out, POLLIN, "pid", &e) > 0);
	ssize_t n = read(p.out, text, sizeof text - 1);
	assert_true(n > 0);
	text[n] = '\0';
	pid_t grandchild = (pid_t)strtol(text, NULL, 10);
	assert_true(proc_alive(&p));
	assert_true(proc_start_time(grandchild) != 0);
	struct proc_id id = { grandchild, proc_start_time(grandchild) };
	proc_end(&p, 0);
	assert_false(proc_alive(&p));
	assert_int_equal(p.out, -1);
	proc_id_end(id, 60000); /* returns once it is really gone */
	assert_false(proc_id_alive(id));
	proc_end(&p, 0);
	proc_end(NULL, 0);
}

static void waiting_reports_the_end(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = { .argv = SH("exit 7") };
	assert_int_equal(proc_start(&p, &o, &e), 0);
	int status = -1;
	assert_int_equal(proc_wait(&p, CALL_FOREVER, &status, &e), 0);
	assert_int_equal(status, 7);
	assert_false(proc_alive(&p));
	assert_int_equal(proc_wait(&p, CALL_FOREVER, &status, &e), 0);
	assert_int_equal(status, 7);
}

/* F01: the number lives on, the process is another one: never signalled. */
static void a_recycled_number_is_not_signalled(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = { .argv = SH("exec tail -f /dev/null") };
	assert_int_equal(proc_start(&p, &o, &e), 0);
	assert_true(p.id.start != 0);
	struct proc_id old = { p.id.pid, p.id.start - 1 };
	assert_false(proc_id_alive(old));
	assert_false(proc_id_signal(old, SIGKILL));
	assert_false(proc_id_signal((struct proc_id){ p.id.pid, 0 }, SIGKILL));
	proc_id_end(old, 0);
	assert_true(proc_alive(&p));
	assert_true(proc_id_alive(p.id));
	assert_true(proc_id_signal(p.id, SIGTERM));
	assert_int_equal(proc_wait(&p, CALL_FOREVER, NULL, &e), 0);
	assert_false(proc_id_signal(p.id, SIGTERM));
}

static void a_zombie_counts_as_gone(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = { .argv = SH("true"), .pipe_out = true };
	assert_int_equal(proc_start(&p, &o, &e), 0);
	char c;
	assert_int_equal(read(p.out, &c, 1), 0); /* closed: exiting */
	proc_id_end(p.id, 60000);                /* waits for its end without reaping it */
	assert_int_equal(proc_start_time(p.id.pid), 0);
	assert_false(proc_id_alive(p.id));
	proc_end(&p, 0);
}

static void we_know_ourselves(void **state)
{
	struct proc_id self = proc_self();
	assert_int_equal(self.pid, getpid());
	assert_true(proc_id_alive(self));
	assert_int_equal(proc_start_time(0), 0);
	assert_int_equal(proc_start_time(-1), 0);
}

static struct proc from_thread;

static void *start_in_thread(void *arg)
{
	struct proc_opts o = { .argv = SH("echo up; exec tail -f /dev/null"),
		                   .die_with_parent = true,
		                   .pipe_out = true };
	return proc_start(&from_thread, &o, NULL) == 0 ? arg : NULL;
}

/* The kernel's death signal follows the thread that forked: a request's thread ends, its runner must not. */
static void a_child_outlives_the_thread_that_asked_for_it(void **state)
{
	struct error auto_error e = ERROR_INIT;
	pthread_t t;
	void *result = NULL;
	pthread_create(&t, NULL, start_in_thread, &e);
	pthread_join(t, &result);
	assert_non_null(result);
	char up[3];
	assert_int_equal(read(from_thread.out, up, 3), 3);
	assert_int_equal(proc_wait(&from_thread, (struct call){ deadline_in(50), NULL }, NULL, &e),
	                 -ERR_TIMEOUT);
	assert_true(proc_alive(&from_thread));
	proc_end(&from_thread, 0);
}

static void a_child_dies_with_its_parent(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	pid_t parent = fork();
	if (parent == 0) {
		struct proc p;
		struct proc_opts o = { .argv = SH("exec tail -f /dev/null"), .die_with_parent = true };
		struct proc_id none = { 0, 0 };
		struct proc_id id = proc_start(&p, &o, NULL) == 0 ? p.id : none;
		_exit(write(fds[1], &id, sizeof id) == (ssize_t)sizeof id ? 0 : 1);
	}
	struct proc_id id = { 0, 0 };
	assert_int_equal(read(fds[0], &id, sizeof id), sizeof id);
	assert_true(id.pid > 0);
	/* SIGTERM comes from the kernel; waiting on its pidfd, nothing is sent from here. */
	int auto_close fd = (int)syscall(434 /* pidfd_open */, id.pid, 0);
	if (fd >= 0)
		assert_true(
		    call_poll((struct call){ deadline_in(60000), NULL }, fd, POLLIN, "the end", &e) > 0);
	assert_false(proc_id_alive(id));
	close(fds[0]);
	close(fds[1]);
}

static void a_new_session_leaves_the_terminal(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct proc p;
	struct proc_opts o = { .argv = SH("exec tail -f /dev/null"), .new_session = true };
	assert_int_equal(proc_start(&p, &o, &e), 0);
	assert_int_equal(getsid(p.id.pid), p.id.pid);
	assert_int_equal(getpgid(p.id.pid), p.id.pid);
	proc_end(&p, 0);
}

static void what_has_no_pipe_goes_to_the_log(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char path[] = "/tmp/deft-test-log-XXXXXX";
	close(mkstemp(path));
	struct buf auto_buf out;
	buf_init(&out, 100);
	struct proc_opts o = { .argv = SH("echo out; echo err >&2"), .log_path = path };
	assert_int_equal(proc_run(&o, CALL_FOREVER, &out, NULL, NULL, &e), 0);
	assert_string_equal(out.data, "out\n");
	char text[32] = "";
	int auto_close fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof text - 1), 4);
	assert_string_equal(text, "err\n");
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_status_are_captured),
		cmocka_unit_test(a_missing_program_is_typed),
		cmocka_unit_test(a_program_that_is_no_program_is_reported_from_the_child),
		cmocka_unit_test(the_environment_is_the_given_one),
		cmocka_unit_test(no_descriptor_leaks_into_the_child),
		cmocka_unit_test(output_above_its_limit_ends_the_child),
		cmocka_unit_test(a_deadline_and_a_cancellation_end_the_child),
		cmocka_unit_test(a_grandchild_that_keeps_the_pipe_does_not_hold_us_up),
		cmocka_unit_test(ending_takes_the_whole_group),
		cmocka_unit_test(waiting_reports_the_end),
		cmocka_unit_test(a_recycled_number_is_not_signalled),
		cmocka_unit_test(a_zombie_counts_as_gone),
		cmocka_unit_test(we_know_ourselves),
		cmocka_unit_test(a_child_dies_with_its_parent), /* before any thread exists: it forks */
		cmocka_unit_test(a_child_outlives_the_thread_that_asked_for_it),
		cmocka_unit_test(a_new_session_leaves_the_terminal),
		cmocka_unit_test(what_has_no_pipe_goes_to_the_log),
	};
	return cmocka_run_group_tests_name("proc", tests, NULL, NULL);
}
