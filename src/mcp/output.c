#include "mcp/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

void mcp_output_init(struct mcp_output *o, int fd, size_t max)
{
	*o = (struct mcp_output){ .fd = fd };
	buf_init(&o->queue, max);
}

void mcp_output_done(struct mcp_output *o)
{
	buf_done(&o->queue);
}

size_t mcp_output_waiting(const struct mcp_output *o)
{
	return o->queue.len - o->sent;
}

/* A pipe that polls as writable takes PIPE_BUF bytes without blocking. */
static ssize_t write_no_socket(int fd, const char *data, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	if (poll(&p, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(fd, data, len < PIPE_BUF ? len : PIPE_BUF);
}

static ssize_t write_some(int fd, const char *data, size_t len)
{
	ssize_t n = send(fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	return n < 0 && errno == ENOTSOCK ? write_no_socket(fd, data, len) : n;
}

void mcp_output_flush(struct mcp_output *o)
{
	while (!o->broken && mcp_output_waiting(o) > 0) {
		ssize_t n = write_some(o->fd, o->queue.data + o->sent, mcp_output_waiting(o));
		if (n > 0)
			o->sent += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			break;
		else if (n < 0 && errno != EINTR)
			o->broken = true;
	}
	if (o->sent < o->queue.len / 2)
		return; /* moving the rest now would cost more than it frees */
	buf_drop_front(&o->queue, o->sent);
	o->sent = 0;
}

void mcp_output_line(struct mcp_output *o, const char *text, size_t len)
{
	buf_add(&o->queue, text, len);
	if (!buf_addc(&o->queue, '\n'))
		o->broken = true;
	mcp_output_flush(o);
}
