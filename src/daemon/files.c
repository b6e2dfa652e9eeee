#include "daemon/files.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/proc.h"
#include "wire/envelope.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* --- growing files ---------------------------------------------------------------------------- */

static int open_append(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static bool is_full(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_size >= (off_t)LIM_LOG_FILE;
}

static void rotate(const char *path)
{
	auto_buf struct buf old;
	buf_init(&old, LIM_PATH + 8);
	buf_addf(&old, "%s.1", path);
	if (!old.over)
		(void)!rename(path, old.data);
}

void dm_append_line(struct dm_daemon *d, const char *path, const char *line, size_t len)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;
	struct iovec parts[] = { { (void *)(uintptr_t)line, len }, { (void *)(uintptr_t) "\n", 1 } };
	pthread_mutex_lock(&d->file_lock);
	auto_close int fd = open_append(path);
	if (fd >= 0 && is_full(fd)) {
		rotate(path);
		close(fd);
		fd = open_append(path);
	}
	bool failed = fd < 0 || writev(fd, parts, 2) != (ssize_t)len + 1;
	int number = errno;
	pthread_mutex_unlock(&d->file_lock);
	if (failed && !atomic_flag_test_and_set(&reported))
		log_msg(LOG_WARN, "daemon", "cannot write %s: %s", path, strerror(number));
}

int dm_log_open(struct dm_daemon *d, struct error *e)
{
	auto_close int fd = open_append(d->state.log);
	if (fd < 0)
		return error_set(e, ERR_IO_ERROR, "cannot open %s: %s", d->state.log, strerror(errno));
	if (dup2(fd, STDERR_FILENO) < 0)
		return error_set(e, ERR_IO_ERROR, "cannot redirect the log: %s", strerror(errno));
	return 0;
}

void dm_log_rotate(struct dm_daemon *d)
{
	struct stat log, ours;
	pthread_mutex_lock(&d->file_lock);
	/* in the foreground stderr is somebody's terminal or file, not our log */
	if (is_full(STDERR_FILENO) && fstat(STDERR_FILENO, &ours) == 0 &&
	    stat(d->state.log, &log) == 0 && ours.st_ino == log.st_ino && ours.st_dev == log.st_dev) {
		rotate(d->state.log);
		dm_log_open(d, NULL);
	}
	pthread_mutex_unlock(&d->file_lock);
}

/* --- directories ------------------------------------------------------------------------------ */

static void remove_tree(const char *path, int levels)
{
	DIR *dir = opendir(path);
	for (const struct dirent *entry; dir && (entry = readdir(dir));) {
		auto_free char *child = fs_join(path, entry->d_name);
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !child)
			continue;
		if (unlink(child) < 0 && levels > 0)
			remove_tree(child, levels - 1);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

void dm_remove_dir(const char *path)
{
	remove_tree(path, 1);
}

void dm_remove_old_sessions(const struct dm_daemon *d)
{
	DIR *dir = opendir(d->state.sessions);
	for (const struct dirent *entry; dir && (entry = readdir(dir));) {
		struct stat st;
		auto_free char *path = fs_join(d->state.sessions, entry->d_name);
		if (entry->d_name[0] == '.' || !path || lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
			continue;
		if (clock_wall_ms() - (int64_t)st.st_mtime * 1000 > LIM_SESSION_TRACE_MS)
			dm_remove_dir(path);
	}
	if (dir)
		closedir(dir);
}

/* --- daemon.json ------------------------------------------------------------------------------ */

int dm_info_write(const struct dm_daemon *d, struct error *e)
{
	char started[32];
	auto_buf struct buf text;
	auto_json json_t *j = json_object();
	struct proc_id self = proc_self();
	clock_wall_iso(clock_wall_ms(), started, sizeof(started));
	jx_set_int(j, "pid", self.pid);
	jx_set_int(j, "startTime", (int64_t)self.start);
	jx_set_str(j, "version", d->version);
	jx_set_str(j, "build", d->build);
	jx_set_int(j, "protocol", WIRE_DAEMON_PROTOCOL);
	jx_set_str(j, "socket", d->state.socket);
	jx_set_str(j, "stateDir", d->state.dir);
	jx_set_str(j, "startedAt", started);
	buf_init(&text, LIM_DAEMON_HELLO);
	if (!jx_dump(j, true, &text) || !buf_addc(&text, '\n'))
		return error_set(e, ERR_LIMIT_EXCEEDED, "daemon.json does not fit");
	return fs_write(d->state.info, text.data, text.len, 0600, e);
}

void dm_info_remove(const struct dm_daemon *d)
{
	unlink(d->state.info);
}
