/* Growing files and what is left of former daemons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../scenario/harness.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/proc.h"
#include "daemon/files.h"
#include "daemon/session.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct harness *h;
static struct dm_daemon *d;

static int setup(void **state)
{
	h = harness_new(NULL);
	d = harness_daemon(h);
	return 0;
}

static int teardown(void **state)
{
	harness_free(h);
	return 0;
}

static off_t size_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_size : -1;
}

static void a_trace_rotates_once(void **state)
{
	auto_buf struct buf line;
	auto_free char *path = fs_join(harness_dir(h), "events.ndjson");
	auto_free char *old = fs_join(harness_dir(h), "events.ndjson.1");
	buf_init(&line, LIM_LOG_FILE);
	buf_fill(&line, 'x', LIM_LOG_FILE / 4 - 1);
	for (int i = 0; i < 4; i++)
		dm_append_line(d, path, line.data, line.len);
	assert_int_equal(size_of(path), LIM_LOG_FILE);
	assert_int_equal(size_of(old), -1);
	dm_append_line(d, path, "y", 1);
	assert_int_equal(size_of(path), 2);
	assert_int_equal(size_of(old), LIM_LOG_FILE);
	/* a second time: what was rotated before is gone */
	for (int i = 0; i < 5; i++)
		dm_append_line(d, path, line.data, line.len);
	assert_int_equal(size_of(old), LIM_LOG_FILE + 2);
	assert_int_equal(size_of(path), LIM_LOG_FILE / 4);
}

static void a_trace_that_cannot_be_written_stops_nothing(void **state)
{
	auto_free char *path = fs_join(harness_dir(h), "events.ndjson");
	assert_int_equal(mkdir(path, 0700), 0);
	dm_append_line(d, path, "y", 1);
	json_decref(harness_ok(h, "echo", "{\"text\":\"still works\"}"));
	rmdir(path);
	/* a link planted in its place is not followed */
	auto_free char *victim = fs_join(harness_dir(h), "victim");
	assert_int_equal(fs_write(victim, "v", 1, 0600, NULL), 0);
	assert_int_equal(symlink(victim, path), 0);
	dm_append_line(d, path, "y", 1);
	assert_int_equal(size_of(victim), 1);
}

static void the_log_rotates_only_when_it_is_ours(void **state)
{
	auto_buf struct buf filling;
	auto_free char *old = fs_join(harness_dir(h), "daemon.log.1");
	auto_free char *other = fs_join(harness_dir(h), "other");
	int saved = dup(STDERR_FILENO);
	buf_init(&filling, LIM_LOG_FILE);
	buf_fill(&filling, 'x', LIM_LOG_FILE);
	assert_int_equal(fs_write(d->state.log, filling.data, filling.len, 0600, NULL), 0);
	assert_int_equal(fs_write(other, filling.data, filling.len, 0600, NULL), 0);
	auto_close int fd = open(other, O_WRONLY | O_APPEND);
	dup2(fd, STDERR_FILENO);
	dm_log_rotate(d); /* stderr is somebody's file */
	off_t untouched = size_of(old);
	dm_log_open(d, NULL);
	dm_log_rotate(d);
	log_msg(LOG_ERROR, "test", "after");
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_int_equal(untouched, -1);
	assert_int_equal(size_of(old), LIM_LOG_FILE);
	assert_true(size_of(d->state.log) > 0 && size_of(d->state.log) < 200);
}

static void old_traces_go_fresh_ones_stay(void **state)
{
	auto_free char *old = dm_session_dir(d, "old"), *fresh = dm_session_dir(d, "fresh");
	auto_free char *file = fs_join(old, "events.ndjson");
	const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };
	assert_int_equal(fs_mkdirs(old, 0700, NULL), 0);
	assert_int_equal(fs_mkdirs(fresh, 0700, NULL), 0);
	assert_int_equal(fs_write(file, "{}\n", 3, 0600, NULL), 0);
	assert_int_equal(utimensat(AT_FDCWD, old, long_ago, 0), 0);
	dm_remove_old_sessions(d);
	assert_false(fs_exists(old));
	assert_true(fs_exists(fresh));
}

static void the_info_names_the_process(void **state)
{
	auto_buf struct buf text;
	struct proc_id self = proc_self();
	assert_int_equal(dm_info_write(d, NULL), 0);
	buf_init(&text, LIM_DAEMON_HELLO);
	assert_int_equal(fs_read(d->state.info, text.max, &text, NULL), 0);
	auto_json json_t *info = jx_parse(text.data, text.len, NULL);
	assert_int_equal(jx_get_int(info, "pid", 0), self.pid);
	assert_int_equal(jx_get_int(info, "startTime", 0), self.start);
	assert_string_equal(jx_get_str(info, "socket", ""), d->state.socket);
	dm_info_remove(d);
	assert_false(fs_exists(d->state.info));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_trace_rotates_once),
		TEST(a_trace_that_cannot_be_written_stops_nothing),
		TEST(the_log_rotates_only_when_it_is_ours),
		TEST(old_traces_go_fresh_ones_stay),
		TEST(the_info_names_the_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
