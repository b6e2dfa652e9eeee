#include "base/sock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Beyond the longest line: its line end and what arrives together with it. */
enum { READ_CHUNK = 65536 };

void line_reader_init(struct line_reader *r, int fd, size_t max)
{
	*r = (struct line_reader){ .fd = fd };
	buf_init(&r->buf, max + 2 + READ_CHUNK);
}

void line_reader_done(struct line_reader *r)
{
	if (r)
		buf_done(&r->buf);
}

static size_t max_line(const struct line_reader *r)
{
	return r->buf.max - 2 - READ_CHUNK;
}

/* Where the first line ends in the buffer, or NULL; looks at no byte twice. */
static char *find_end(struct line_reader *r)
{
	char *end = memchr(r->buf.data + r->scanned, '\n', r->buf.len - r->scanned);
	r->scanned = end ? (size_t)(end - r->buf.data) : r->buf.len;
	return end;
}

static void drop_last(struct line_reader *r)
{
	buf_drop_front(&r->buf, r->consumed);
	r->scanned -= r->consumed;
	r->consumed = 0;
}

/* Hands out the first `len` bytes of the buffer, of which `consumed` bytes go with the next call. */
static int hand_out(struct line_reader *r, size_t len, size_t consumed, char **ret_line,
                    size_t *ret_len, struct error *e)
{
	if (len && r->buf.data[len - 1] == '\r')
		len--;
	if (len > max_line(r))
		return error_set(e, ERR_LIMIT_EXCEEDED, "a line is longer than %zu bytes", max_line(r));
	r->consumed = consumed;
	r->scanned = consumed;
	if (len < r->buf.len)
		r->buf.data[len] = '\0';
	*ret_line = r->buf.data;
	*ret_len = len;
	return 1;
}

/* 1 something came, 0 end of stream. */
static int fill(struct line_reader *r, struct call call, struct error *e)
{
	for (;;) {
		int events = call_poll(call, r->fd, POLLIN, "reading a line", e);
		if (events < 0)
			return events;
		char *room = buf_reserve(&r->buf, READ_CHUNK);
		if (!room)
			return error_set(e, ERR_LIMIT_EXCEEDED, "a line is longer than %zu bytes", max_line(r));
		ssize_t n = read(r->fd, room, READ_CHUNK);
		if (n > 0)
			buf_commit(&r->buf, (size_t)n);
		if (n >= 0)
			return n > 0;
		if (errno == ECONNRESET)
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return error_set(e, ERR_IO_ERROR, "can't read from the peer: %s", strerror(errno));
	}
}

int line_reader_next(struct line_reader *r, struct call call, char **ret_line, size_t *ret_len,
                     struct error *e)
{
	drop_last(r);
	for (;;) {
		char *end = find_end(r);
		if (end) {
			size_t len = (size_t)(end - r->buf.data);
			return hand_out(r, len, len + 1, ret_line, ret_len, e);
		}
		if (r->buf.len > max_line(r) + 1)
			return error_set(e, ERR_LIMIT_EXCEEDED, "a line is longer than %zu bytes", max_line(r));
		int n = fill(r, call, e);
		if (n < 0)
			return n;
		if (n == 0 && r->buf.len == 0)
			return 0;
		if (n == 0) /* the last line has no end */
			return hand_out(r, r->buf.len, r->buf.len, ret_line, ret_len, e);
	}
}

bool line_reader_pending(struct line_reader *r)
{
	const char *next = r->buf.data + r->consumed;
	return memchr(next, '\n', r->buf.len - r->consumed) != NULL;
}
