/* fs.h. write() is wrapped at link time, so that a full disk can be had at will. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int write_fails_with;
static size_t write_at_most;

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len);
ssize_t __wrap_write(int fd, const void *data, size_t len)
{
	if (write_fails_with) {
		errno = write_fails_with;
		return -1;
	}
	if (write_at_most && len > write_at_most)
		len = write_at_most;
	return __real_write(fd, data, len);
}

static char dir[64];

static int make_dir(void **state)
{
	memcpy(dir, "/tmp/deft-test-fs-XXXXXX", 25);
	write_fails_with = 0;
	write_at_most = 0;
	return mkdtemp(dir) ? 0 : -1;
}

static int count_files(void)
{
	DIR *d = opendir(dir);
	int n = 0;
	for (struct dirent *f; (f = readdir(d));)
		n += f->d_name[0] != '.';
	closedir(d);
	return n;
}

static int remove_dir(void **state)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static void assert_content(const char *path, const char *want)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf b;
	buf_init(&b, 1000);
	assert_int_equal(fs_read(path, 1000, &b, &e), 0);
	assert_string_equal(b.data, want);
}

static void writing_replaces_whole_files(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "f");
	write_at_most = 3; /* short writes are continued */
	assert_int_equal(fs_write(path, "hello world", 11, 0600, &e), 0);
	assert_content(path, "hello world");
	assert_int_equal(fs_write(path, "new", 3, 0600, &e), 0);
	assert_content(path, "new");
	struct stat st;
	stat(path, &st);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(count_files(), 1);
}

static void a_full_disk_leaves_the_old_file_and_no_other(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "f");
	assert_int_equal(fs_write(path, "old", 3, 0600, &e), 0);
	write_fails_with = ENOSPC;
	assert_int_equal(fs_write(path, "new", 3, 0600, &e), -ERR_IO_ERROR);
	write_fails_with = 0;
	assert_string_equal(jx_get_str(e.details, "reason", ""), "disk-full");
	assert_non_null(strstr(error_hint_text(&e), "free some disk space"));
	assert_content(path, "old");
	assert_int_equal(count_files(), 1);
}

static void a_missing_directory_is_named(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "no/f");
	assert_int_equal(fs_write(path, "x", 1, 0600, &e), -ERR_IO_ERROR);
	assert_non_null(strstr(e.message, path));
	assert_null(e.hint);
}

static void reading_has_a_limit(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "f");
	fs_write(path, "12345", 5, 0600, NULL);
	struct buf auto_buf b;
	buf_init(&b, 100);
	assert_int_equal(fs_read(path, 5, &b, &e), 0);
	buf_reset(&b);
	assert_int_equal(fs_read(path, 4, &b, &e), -ERR_LIMIT_EXCEEDED);
	assert_int_equal(fs_read(dir, 4, &b, &e), -ERR_IO_ERROR);
}

static void directories_are_made_with_their_parents(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "a/b/c");
	assert_int_equal(fs_mkdirs(path, 0700, &e), 0);
	assert_int_equal(fs_mkdirs(path, 0700, &e), 0);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	char auto_free *file = fs_join(dir, "f");
	fs_write(file, "", 0, 0600, NULL);
	assert_int_equal(fs_mkdirs(file, 0700, &e), -ERR_IO_ERROR);
	char auto_free *below = fs_join(file, "x");
	assert_int_equal(fs_mkdirs(below, 0700, &e), -ERR_IO_ERROR);
}

static void a_lock_keeps_others_out_until_it_is_closed(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "lock");
	int fd = fs_try_lock(path, &e);
	assert_true(fd >= 0);
	assert_int_equal(fs_try_lock(path, &e), -ERR_TIMEOUT);
	assert_int_equal(fs_lock(path, (struct call){ deadline_in(0), NULL }, &e), -ERR_TIMEOUT);
	close(fd);
	fd = fs_lock(path, CALL_FOREVER, &e);
	assert_true(fd >= 0);
	close(fd);
}

/* F03: what stands in the file does not count, only who holds it. */
static void a_left_over_lock_file_blocks_nobody(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "lock");
	fs_write(path, "{\"pid\":12", 9, 0600, NULL);
	int auto_close fd = fs_try_lock(path, &e);
	assert_true(fd >= 0);
}

static void a_lock_wait_can_be_canceled(void **state)
{
	struct error auto_error e = ERROR_INIT;
	char auto_free *path = fs_join(dir, "lock");
	int auto_close fd = fs_try_lock(path, &e);
	assert_true(fd >= 0);
	struct cancel c;
	cancel_init(&c, NULL);
	cancel_fire(&c);
	assert_int_equal(fs_lock(path, (struct call){ DEADLINE_NEVER, &c }, &e), -ERR_CANCELED);
	cancel_done(&c);
}

static void assert_join(const char *a, const char *b, const char *want)
{
	char auto_free *got = fs_join(a, b);
	assert_string_equal(got, want);
}

static void paths_are_joined(void **state)
{
	assert_join("a", "b", "a/b");
	assert_join("a/", "b", "a/b");
	assert_join("a", "/b", "/b");
	assert_join("", "b", "b");
}

static void paths_are_resolved_even_before_they_exist(void **state)
{
	char auto_free *real = realpath(dir, NULL);
	char auto_free *want = fs_join(real, "none");
	char auto_free *asked = fs_join(dir, "../");
	char auto_free *up = fs_join(asked, strrchr(dir, '/') + 1);
	char auto_free *whole = fs_join(up, "none");
	char auto_free *got = fs_resolve(whole);
	assert_string_equal(got, want);
	char auto_free *missing = fs_join(dir, "no/such");
	assert_null(fs_resolve(missing));
	char auto_free *bare = fs_resolve("no-such-name");
	char auto_free *cwd = realpath(".", NULL);
	char auto_free *bare_want = fs_join(cwd, "no-such-name");
	assert_string_equal(bare, bare_want);
}

static void programs_are_found_in_a_list(void **state)
{
	char auto_free *program = fs_join(dir, "tool");
	char auto_free *plain = fs_join(dir, "data");
	fs_write(program, "#!/bin/sh\n", 10, 0755, NULL);
	fs_write(plain, "x", 1, 0644, NULL);
	char list[200];
	snprintf(list, sizeof list, "/no/such::%s", dir);
	char auto_free *found = fs_which("tool", list);
	assert_string_equal(found, program);
	assert_null(fs_which("data", list));
	assert_null(fs_which("", list));
	assert_null(fs_which("tool", "/no/such"));
	char auto_free *direct = fs_which(program, "");
	assert_string_equal(direct, program);
	char auto_free *here = fs_exe_dir();
	assert_true(here && here[0] == '/' && fs_exists(here));
}

static void put_aged(const char *name, time_t age)
{
	char auto_free *path = fs_join(dir, name);
	struct timespec times[2] = { { .tv_sec = 1000000 - age }, { .tv_sec = 1000000 - age } };
	assert_int_equal(fs_write(path, "x", 1, 0600, NULL), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *name)
{
	char auto_free *path = fs_join(dir, name);
	return fs_exists(path);
}

static void only_the_newest_files_are_kept(void **state)
{
	char auto_free *sub = fs_join(dir, "old.png");
	put_aged("a.png", 1);
	put_aged("b.png", 7);
	put_aged("c.png", 7);
	put_aged("d.png", 3);
	put_aged("e.txt", 99);
	assert_int_equal(mkdir(sub, 0700), 0);
	fs_keep_newest(dir, ".png", 4);
	assert_int_equal(count_files(), 6);
	fs_keep_newest(dir, ".png", 3);
	assert_true(!is_there("b.png") && is_there("c.png"));
	fs_keep_newest(dir, ".png", 1);
	assert_true(is_there("a.png") && !is_there("c.png") && !is_there("d.png"));
	assert_true(is_there("e.txt") && is_there("old.png"));
	fs_keep_newest("/no/such/directory", ".png", 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(writing_replaces_whole_files),
		TEST(a_full_disk_leaves_the_old_file_and_no_other),
		TEST(a_missing_directory_is_named),
		TEST(reading_has_a_limit),
		TEST(directories_are_made_with_their_parents),
		TEST(a_lock_keeps_others_out_until_it_is_closed),
		TEST(a_left_over_lock_file_blocks_nobody),
		TEST(a_lock_wait_can_be_canceled),
		TEST(paths_are_joined),
		TEST(paths_are_resolved_even_before_they_exist),
		TEST(programs_are_found_in_a_list),
		TEST(only_the_newest_files_are_kept),
	};
	return cmocka_run_group_tests_name("fs", tests, NULL, NULL);
}
