#include "base/fs.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* "can't <what> <path>: <reason>"; a full disk gets the hint that helps. */
static int fs_error(struct error *e, const char *what, const char *path, int number)
{
	error_set(e, ERR_IO_ERROR, "can't %s %s: %s", what, path, strerror(number));
	error_detail_str(e, "path", path);
	if (number == ENOSPC || number == EDQUOT) {
		error_hint(e, "free some disk space for %s, then run the command again", path);
		error_reason(e, "disk-full");
	}
	return -ERR_IO_ERROR;
}

int fs_mkdirs(const char *path, mode_t mode, struct error *e)
{
	char auto_free *part = strdup(path);
	if (!part)
		return fs_error(e, "make directory", path, ENOMEM);
	for (char *slash = part;;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(part, mode) < 0 && errno != EEXIST)
			return fs_error(e, "make directory", part, errno);
		if (!slash)
			break;
		*slash = '/';
	}
	struct stat st;
	if (stat(path, &st) < 0)
		return fs_error(e, "make directory", path, errno);
	return S_ISDIR(st.st_mode) ? 0 : fs_error(e, "make directory", path, ENOTDIR);
}

int fs_read(const char *path, size_t max, struct buf *out, struct error *e)
{
	int auto_close fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fs_error(e, "open", path, errno);
	for (size_t total = 0;;) {
		char chunk[16384];
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fs_error(e, "read", path, errno);
		if (n == 0)
			return 0;
		total += (size_t)n;
		if (total > max || !buf_add(out, chunk, (size_t)n))
			return error_set(e, ERR_LIMIT_EXCEEDED, "%s is larger than %zu bytes", path, max);
	}
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int fs_write(const char *path, const void *data, size_t len, mode_t mode, struct error *e)
{
	static atomic_uint serial;
	struct buf auto_buf temp;
	buf_init(&temp, LIM_PATH + 64);
	buf_addf(&temp, "%s.tmp-%ld-%u", path, (long)getpid(), atomic_fetch_add(&serial, 1));
	if (temp.over)
		return error_set(e, ERR_INVALID_ARGS, "the path is longer than %d bytes", LIM_PATH);
	int fd = open(temp.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return fs_error(e, "write", path, errno);
	int failed = write_all(fd, data, len);
	if (close(fd) < 0 && !failed)
		failed = errno;
	if (!failed && rename(temp.data, path) < 0)
		failed = errno;
	if (!failed)
		return 0;
	unlink(temp.data);
	return fs_error(e, "write", path, failed);
}

/* Takes the lock if nobody has it. The descriptor, -ERR_TIMEOUT when held, or -ERR_IO_ERROR. */
static int lock_once(const char *path, struct error *e)
{
	int auto_close fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return fs_error(e, "open the lock", path, errno);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fs_error(e, "lock", path, errno);
		return error_set(e, ERR_TIMEOUT, "somebody else holds the lock %s", path);
	}
	/* A lock on a file that was removed meanwhile keeps nobody out. */
	struct stat ours, there;
	if (fstat(fd, &ours) < 0 || stat(path, &there) < 0 || ours.st_ino != there.st_ino ||
	    ours.st_dev != there.st_dev)
		return error_set(e, ERR_TIMEOUT, "the lock %s was replaced meanwhile", path);
	return TAKE_FD(fd);
}

int fs_lock(const char *path, struct call call, struct error *e)
{
	for (;;) {
		struct error auto_error held = ERROR_INIT;
		int fd = lock_once(path, &held);
		if (fd != -ERR_TIMEOUT) {
			if (fd < 0)
				error_move(e, &held);
			return fd;
		}
		/* flock has no descriptor to wait on; LIM_LOCK_POLL_MS bounds the delay. */
		int r = call_check(call, "waiting for a lock", e);
		if (r == 0)
			r = clock_wait(LIM_LOCK_POLL_MS, call.cancel, e);
		if (r < 0)
			return r;
	}
}

int fs_try_lock(const char *path, struct error *e)
{
	return lock_once(path, e);
}

char *fs_join(const char *a, const char *b)
{
	struct buf out;
	buf_init(&out, strlen(a) + strlen(b) + 1);
	if (b[0] != '/') {
		buf_adds(&out, a);
		if (out.len && out.data[out.len - 1] != '/')
			buf_addc(&out, '/');
	}
	buf_adds(&out, b);
	return buf_detach(&out);
}

char *fs_resolve(const char *path)
{
	char *whole = realpath(path, NULL);
	if (whole || errno != ENOENT)
		return whole;
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	if (name[0] == '\0')
		return NULL;
	char auto_free *parent =
	    slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	char auto_free *base = parent ? realpath(parent, NULL) : NULL;
	return base ? fs_join(base, name) : NULL;
}

bool fs_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *fs_which(const char *name, const char *path_list)
{
	if (name[0] == '\0')
		return NULL;
	if (strchr(name, '/'))
		return is_program(name) ? strdup(name) : NULL;
	if (!path_list)
		path_list = getenv("PATH");
	for (const char *p = path_list; p && *p;) {
		size_t n = strcspn(p, ":");
		char auto_free *dir = strndup(p, n);
		char auto_free *full = dir ? fs_join(n ? dir : ".", name) : NULL;
		if (full && is_program(full))
			return TAKE(full);
		p += n + (p[n] == ':');
	}
	return NULL;
}

char *fs_exe_dir(void)
{
	char path[LIM_PATH];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
}
