#include "command/spec.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char path[] = "/tmp/deft-log-tail-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	if (fd >= 0)
		close(fd);
	return fd < 0;
}

static int remove_file(void **state)
{
	return unlink(path);
}

static void assert_tail(const char *text, size_t len, size_t lines, const char *want)
{
	auto_buf struct buf out;
	auto_error struct error e = ERROR_INIT;

	buf_init(&out, LIM_LOG_FILE);
	assert_int_equal(fs_write(path, text, len, 0600, &e), 0);
	assert_int_equal(cmd_log_tail(path, lines, &out, &e), 0);
	assert_string_equal(out.data, want);
}

static void the_last_lines_are_given(void **state)
{
	assert_tail("one\ntwo\nthree\n", 14, 2, "two\nthree\n");
	assert_tail("one\ntwo\nthree", 13, 2, "two\nthree");
	assert_tail("one\ntwo\n", 8, 5, "one\ntwo\n");
	assert_tail("one\n\n\n", 6, 2, "\n\n");
	assert_tail("one\n", 4, 0, "");
	assert_tail("", 0, 3, "");
	assert_tail("\n", 1, 1, "\n");
}

static void a_missing_file_has_no_lines(void **state)
{
	auto_buf struct buf out;
	auto_error struct error e = ERROR_INIT;

	buf_init(&out, LIM_LOG_FILE);
	assert_int_equal(cmd_log_tail("/nonexistent/deft.log", 5, &out, &e), 0);
	assert_int_equal(out.len, 0);
}

static void a_file_larger_than_a_block_is_read_from_its_end(void **state)
{
	auto_buf struct buf text, want;

	buf_init(&text, LIM_LOG_FILE);
	buf_init(&want, LIM_LOG_FILE);
	for (int i = 0; i < 40000; i++)
		buf_addf(&text, "line %d\n", i);
	for (int i = 10000; i < 40000; i++)
		buf_addf(&want, "line %d\n", i);
	assert_tail(text.data, text.len, 30000, want.data);
	assert_tail(text.data, text.len, 1, "line 39999\n");
}

static void what_a_terminal_would_obey_is_defused(void **state)
{
	assert_tail("a\x1b[31mred\xff\n", 11, 1, "a\xef\xbf\xbd[31mred\xef\xbf\xbd\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_lines_are_given),
		cmocka_unit_test(a_missing_file_has_no_lines),
		cmocka_unit_test(a_file_larger_than_a_block_is_read_from_its_end),
		cmocka_unit_test(what_a_terminal_would_obey_is_defused),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
