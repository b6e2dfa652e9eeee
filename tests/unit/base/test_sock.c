#include "base/cleanup.h"
#include "base/fs.h"
#include "base/sock.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[64], path[80];

static int make_dir(void **state)
{
	memcpy(dir, "/tmp/deft-test-sock-XXXXXX", 27);
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/s", dir);
	return 0;
}

static int remove_dir(void **state)
{
	unlink(path);
	return rmdir(dir);
}

static void a_unix_socket_is_private_and_answers(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int auto_close server = sock_listen_unix(path, &e);
	assert_true(server >= 0);
	struct stat st;
	stat(path, &st);
	assert_int_equal(st.st_mode & 0777, 0600);
	int auto_close client = sock_connect_unix(path, CALL_FOREVER, &e);
	assert_true(client >= 0);
	int auto_close peer = sock_accept(server, CALL_FOREVER, &e);
	assert_true(peer >= 0);
	assert_int_equal(sock_peer_uid(peer), getuid());
	assert_int_equal(sock_write(client, "hi\n", 3, CALL_FOREVER, &e), 0);
	struct line_reader r;
	line_reader_init(&r, peer, 100);
	char *line;
	size_t len;
	assert_int_equal(line_reader_next(&r, CALL_FOREVER, &line, &len, &e), 1);
	assert_string_equal(line, "hi");
	line_reader_done(&r);
}

static void a_left_over_socket_is_replaced_a_living_one_is_not(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int first = sock_listen_unix(path, &e);
	assert_true(first >= 0);
	assert_int_equal(sock_listen_unix(path, &e), -ERR_DAEMON_UNAVAILABLE);
	close(first);
	assert_true(fs_exists(path));
	assert_int_equal(sock_connect_unix(path, CALL_FOREVER, &e), -ERR_DAEMON_UNAVAILABLE);
	int auto_close second = sock_listen_unix(path, &e);
	assert_true(second >= 0);
}

/* A busy listener whose queue is full is no left-over. */
static void a_full_queue_is_no_left_over(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int auto_close server = sock_listen_unix(path, &e);
	assert_int_equal(listen(server, 0), 0);
	int clients[8];
	size_t n = 0;
	const struct call now = { deadline_in(0), NULL };
	while (n < 8 && (clients[n] = sock_connect_unix(path, now, &e)) >= 0)
		n++;
	assert_int_equal(e.code, ERR_TIMEOUT);
	assert_int_equal(sock_listen_unix(path, &e), -ERR_DAEMON_UNAVAILABLE);
	assert_true(fs_exists(path));
	while (n > 0)
		close(clients[--n]);
}

static void a_file_that_is_no_socket_is_never_removed(void **state)
{
	struct error auto_error e = ERROR_INIT;
	fs_write(path, "data", 4, 0600, NULL);
	assert_int_equal(sock_listen_unix(path, &e), -ERR_DAEMON_UNAVAILABLE);
	assert_true(fs_exists(path));
}

static void nobody_listens_and_too_long_paths(void **state)
{
	struct error auto_error e = ERROR_INIT;
	assert_int_equal(sock_connect_unix(path, CALL_FOREVER, &e), -ERR_DAEMON_UNAVAILABLE);
	char longer[200];
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	assert_int_equal(sock_connect_unix(longer, CALL_FOREVER, &e), -ERR_INVALID_ARGS);
	assert_int_equal(sock_listen_unix(longer, &e), -ERR_INVALID_ARGS);
}

static void a_loopback_port_is_chosen(void **state)
{
	struct error auto_error e = ERROR_INIT;
	uint16_t port = 0;
	int auto_close fd = sock_listen_loopback(0, &port, &e);
	assert_true(fd >= 0);
	assert_true(port > 0);
	uint16_t other = 7;
	assert_int_equal(sock_listen_loopback(port, &other, &e), -ERR_IO_ERROR);
	assert_int_equal(other, 7);
}

static void writing_to_a_gone_peer_is_an_error_not_a_signal(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	close(fds[1]);
	assert_int_equal(sock_write(fds[0], "x", 1, CALL_FOREVER, &e), -ERR_IO_ERROR);
	close(fds[0]);
}

static void writing_to_a_peer_that_does_not_read_times_out(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	static char big[4 * 1024 * 1024];
	struct call call = { deadline_in(0), NULL };
	assert_int_equal(sock_write(fds[0], big, sizeof big, call, &e), -ERR_TIMEOUT);
	close(fds[0]);
	close(fds[1]);
}

/* --- lines ------------------------------------------------------------------------------------ */

struct feed {
	int fd;
	const char *data;
	size_t len, step;
};

static void *feed_run(void *arg)
{
	const struct feed *f = arg;
	for (size_t at = 0; at < f->len; at += f->step) {
		size_t n = f->len - at < f->step ? f->len - at : f->step;
		if (send(f->fd, f->data + at, n, MSG_NOSIGNAL) != (ssize_t)n)
			break;
	}
	close(f->fd);
	return NULL;
}

/* Lines that arrive in pieces of `step` bytes; the result is written as "line|line|$code". */
static void assert_lines(const char *data, size_t len, size_t step, size_t max, const char *want)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	struct feed f = { fds[1], data, len, step };
	pthread_t t;
	pthread_create(&t, NULL, feed_run, &f);
	struct line_reader r;
	line_reader_init(&r, fds[0], max);
	struct buf auto_buf got;
	buf_init(&got, 10000);
	char *line;
	size_t n;
	int result;
	while ((result = line_reader_next(&r, CALL_FOREVER, &line, &n, &e)) == 1) {
		assert_int_equal(line[n], '\0');
		buf_add(&got, line, n);
		buf_addc(&got, '|');
	}
	buf_addf(&got, "$%d", result);
	line_reader_done(&r);
	shutdown(fds[0], SHUT_RDWR);
	close(fds[0]);
	pthread_join(t, NULL);
	assert_string_equal(got.data, want);
}

static void lines_come_whole_however_they_arrive(void **state)
{
	static const char data[] = "one\ntwo\r\n\nfour";
	for (size_t step = 1; step <= sizeof data - 1; step++)
		assert_lines(data, sizeof data - 1, step, 100, "one|two||four|$0");
	assert_lines("", 0, 1, 100, "$0");
}

static void a_line_of_the_limit_passes_and_one_more_does_not(void **state)
{
	char want[64];
	snprintf(want, sizeof want, "ab|12345|$%d", -ERR_LIMIT_EXCEEDED);
	for (size_t step = 1; step <= 12; step++)
		assert_lines("ab\n12345\n123456\n", 16, step, 5, want);
	snprintf(want, sizeof want, "$%d", -ERR_LIMIT_EXCEEDED);
	assert_lines("123456", 6, 6, 5, want); /* without an end */
	static char big[300000];
	memset(big, 'x', sizeof big);
	assert_lines(big, sizeof big, 65536, 1000, want);
}

static void pending_says_whether_a_line_is_there(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "a\nb\nc", 5), 5);
	struct line_reader r;
	line_reader_init(&r, fds[0], 100);
	char *line;
	size_t len;
	assert_false(line_reader_pending(&r));
	assert_int_equal(line_reader_next(&r, CALL_FOREVER, &line, &len, &e), 1);
	assert_true(line_reader_pending(&r));
	assert_int_equal(line_reader_next(&r, CALL_FOREVER, &line, &len, &e), 1);
	assert_string_equal(line, "b");
	assert_false(line_reader_pending(&r));
	assert_int_equal(line_reader_next(&r, (struct call){ deadline_in(0), NULL }, &line, &len, &e),
	                 -ERR_TIMEOUT);
	assert_int_equal(write(fds[1], "d\n", 2), 2);
	assert_int_equal(line_reader_next(&r, CALL_FOREVER, &line, &len, &e), 1);
	assert_string_equal(line, "cd");
	line_reader_done(&r);
	close(fds[0]);
	close(fds[1]);
}

#define DIR_TEST(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DIR_TEST(a_unix_socket_is_private_and_answers),
		DIR_TEST(a_left_over_socket_is_replaced_a_living_one_is_not),
		DIR_TEST(a_full_queue_is_no_left_over),
		DIR_TEST(a_file_that_is_no_socket_is_never_removed),
		DIR_TEST(nobody_listens_and_too_long_paths),
		cmocka_unit_test(a_loopback_port_is_chosen),
		cmocka_unit_test(writing_to_a_gone_peer_is_an_error_not_a_signal),
		cmocka_unit_test(writing_to_a_peer_that_does_not_read_times_out),
		cmocka_unit_test(lines_come_whole_however_they_arrive),
		cmocka_unit_test(a_line_of_the_limit_passes_and_one_more_does_not),
		cmocka_unit_test(pending_says_whether_a_line_is_there),
	};
	return cmocka_run_group_tests_name("sock", tests, NULL, NULL);
}
