/* The end of a log file. Read backwards in blocks, so that a large file costs no more than a small
 * one; what is shown is repaired to valid UTF-8. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "command/spec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define BLOCK 65536

/* Offset at which the last n lines start. A newline at the very end closes the last line. */
static off_t tail_start(int fd, off_t size, size_t lines)
{
	char block[BLOCK];
	off_t end = size;
	size_t seen = 0;

	while (end > 0) {
		size_t want = end < BLOCK ? (size_t)end : BLOCK;
		ssize_t got = pread(fd, block, want, end - (off_t)want);

		if (got != (ssize_t)want)
			return end;
		for (size_t i = want; i-- > 0;) {
			off_t at = end - (off_t)want + (off_t)i;

			if (block[i] == '\n' && at != size - 1 && ++seen == lines)
				return at + 1;
		}
		end -= (off_t)want;
	}
	return 0;
}

int cmd_log_tail(const char *path, size_t lines, struct buf *out, struct error *e)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free char *raw = NULL;
	auto_free char *text = NULL;
	struct stat st;
	off_t start;
	ssize_t got;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(e, ERR_IO_ERROR, "%s can't be read: %s", path, strerror(errno));
	if (lines == 0 || st.st_size == 0)
		return 0;
	start = tail_start(fd, st.st_size, lines);
	if (st.st_size - start > (off_t)LIM_LOG_FILE)
		start = st.st_size - (off_t)LIM_LOG_FILE;
	raw = malloc((size_t)(st.st_size - start) + 1);
	got = raw ? pread(fd, raw, (size_t)(st.st_size - start), start) : -1;
	if (got < 0)
		return error_set(e, ERR_IO_ERROR, "%s can't be read: %s", path, strerror(errno));
	text = utf8_repair(raw, (size_t)got, LIM_LOG_FILE, NULL);
	if (!text || !buf_adds(out, text))
		return error_set(e, ERR_LIMIT_EXCEEDED, "the log is longer than can be shown");
	return 0;
}
