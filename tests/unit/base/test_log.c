/* log.h, build.h */
#include "base/build.h"
#include "base/cleanup.h"
#include "base/log.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char written[20000];

/* What stderr got since the last call. */
static const char *take_log(int fd)
{
	ssize_t n = read(fd, written, sizeof written - 1);
	written[n > 0 ? n : 0] = '\0';
	return written;
}

static int log_end, stderr_before;

static int set_up(void **state)
{
	int fds[2];
	if (pipe(fds) < 0)
		return -1;
	stderr_before = dup(2);
	dup2(fds[1], 2);
	close(fds[1]);
	log_end = fds[0];
	fcntl(log_end, F_SETFL, O_NONBLOCK);
	log_set_level(LOG_INFO);
	return 0;
}

static int tear_down(void **state)
{
	dup2(stderr_before, 2);
	close(stderr_before);
	return close(log_end);
}

static void a_line_has_time_level_room_and_text(void **state)
{
	log_msg(LOG_WARN, "client", "pid %d", 7);
	const char *line = take_log(log_end);
	assert_int_equal(strlen(line), 24 + strlen(" warn client: pid 7\n"));
	assert_int_equal(line[10], 'T');
	assert_int_equal(line[23], 'Z');
	assert_string_equal(line + 24, " warn client: pid 7\n");
}

static void a_message_is_one_line(void **state)
{
	log_msg(LOG_ERROR, "x", "a\nb");
	assert_string_equal(take_log(log_end) + 24, " error x: a b\n");
	char big[12000];
	memset(big, 'y', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	log_msg(LOG_ERROR, "x", "%s", big);
	assert_string_equal(take_log(log_end) + 24,
	                    " error x: (a message over the limit of a log line)\n");
}

static void levels_are_chosen_by_the_environment(void **state)
{
	log_msg(LOG_DEBUG, "x", "hidden");
	assert_string_equal(take_log(log_end), "");
	setenv("DEFT_LOG", "debug", 1);
	log_init_from_env();
	log_msg(LOG_DEBUG, "x", "shown");
	assert_non_null(strstr(take_log(log_end), "debug x: shown"));
	setenv("DEFT_LOG", "error", 1);
	log_init_from_env();
	log_msg(LOG_WARN, "x", "hidden");
	assert_string_equal(take_log(log_end), "");
	setenv("DEFT_LOG", "nonsense", 1);
	log_init_from_env();
	log_msg(LOG_WARN, "x", "hidden");
	assert_string_equal(take_log(log_end), "");
}

static void a_build_has_a_version_and_an_identity(void **state)
{
	assert_true(strlen(build_version()) >= 5);
	assert_int_equal(strlen(build_id()), 12);
	assert_int_equal(strspn(build_id(), "0123456789abcdef"), 12);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_line_has_time_level_room_and_text),
		TEST(a_message_is_one_line),
		TEST(levels_are_chosen_by_the_environment),
		cmocka_unit_test(a_build_has_a_version_and_an_identity),
	};
	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
