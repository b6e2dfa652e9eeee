/* The loop: client in, client out, daemon, the client's process, cancellation. */
#include "mcp/server.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READ_CHUNK = 65536 };
/* Places in the poll set. */
enum { P_IN, P_OUT, P_LINK, P_PARENT, P_CANCEL, P_COUNT };

int mcp_claim_stdout(void)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd >= 0)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	return fd;
}

/* --- sending ----------------------------------------------------------------------------------- */

void mcp_send(struct mcp_server *s, struct mcp_batch *batch, const struct buf *message)
{
	if (message->over) {
		s->out.broken = true; /* an answer nobody can read: better none than a false one */
		return;
	}
	if (!batch) {
		mcp_output_line(&s->out, message->data, message->len);
		return;
	}
	buf_addc(&batch->text, batch->text.len ? ',' : '[');
	buf_add(&batch->text, message->data, message->len);
}

void mcp_batch_release(struct mcp_server *s, struct mcp_batch *batch)
{
	if (!batch || --batch->waiting > 0)
		return;
	if (batch->text.len > 0) {
		buf_addc(&batch->text, ']');
		mcp_send(s, NULL, &batch->text);
	}
	buf_done(&batch->text);
	free(batch);
}

/* --- the loop ---------------------------------------------------------------------------------- */

static void client_closed(struct mcp_server *s)
{
	s->in_over = true;
	s->leave = deadline_in(LIM_MCP_DRAIN_MS);
}

static void take_lines(struct mcp_server *s)
{
	char *line;
	size_t len;
	for (;;) {
		switch (mcp_input_next(&s->in, s->in_over, &line, &len)) {
		case MCP_LINE: mcp_take_line(s, line, len); break;
		case MCP_LINE_TOO_LONG: {
			auto_buf struct buf b;
			buf_init(&b, LIM_ERROR_TEXT);
			mcp_add_failure(&b, NULL, MCP_INVALID_REQUEST,
			                "Invalid request: a message over %u bytes", LIM_MCP_LINE);
			mcp_send(s, NULL, &b);
			break;
		}
		case MCP_LINE_NONE: return;
		}
	}
}

static void read_client(struct mcp_server *s)
{
	char chunk[READ_CHUNK];
	ssize_t n = read(s->opts->in, chunk, sizeof(chunk));
	if (n > 0)
		mcp_input_feed(&s->in, chunk, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		client_closed(s);
	take_lines(s);
}

static void serve_link(struct mcp_server *s, short events)
{
	if (s->link.state == MCP_LINK_CONNECTING) {
		auto_error struct error e = ERROR_INIT;
		int r = mcp_link_finish(&s->link, &e);
		mcp_calls_linked(s, r, &e);
		return;
	}
	if (events & POLLOUT)
		mcp_output_flush(&s->link.out);
	if (events & (POLLIN | POLLHUP | POLLERR))
		mcp_calls_read(s);
}

static short out_events(const struct mcp_output *o)
{
	return mcp_output_waiting(o) > 0 ? POLLOUT : 0;
}

/* A client that does not read its answers is not asked for more work. */
static bool backed_up(const struct mcp_server *s)
{
	return mcp_output_waiting(&s->out) > LIM_MCP_QUEUE / 4;
}

static void fill_poll(const struct mcp_server *s, int parent, struct pollfd p[P_COUNT])
{
	bool full = backed_up(s);
	bool up = s->link.state == MCP_LINK_UP;
	p[P_IN] = (struct pollfd){ s->in_over || full ? -1 : s->opts->in, POLLIN, 0 };
	p[P_OUT] = (struct pollfd){ s->out.fd, out_events(&s->out), 0 };
	p[P_LINK] = (struct pollfd){ full ? -1 : mcp_link_fd(&s->link), POLLIN, 0 };
	if (up)
		p[P_LINK].events |= out_events(&s->link.out);
	p[P_PARENT] = (struct pollfd){ parent, POLLIN, 0 };
	p[P_CANCEL] = (struct pollfd){ s->opts->cancel ? s->opts->cancel->fd : -1, POLLIN, 0 };
}

/* One round; false: time to leave. */
static bool turn(struct mcp_server *s, int parent)
{
	struct pollfd p[P_COUNT];
	fill_poll(s, parent, p);
	struct deadline until =
	    deadline_min(mcp_calls_deadline(s), s->in_over ? s->leave : DEADLINE_NEVER);
	int n = poll(p, P_COUNT, deadline_poll_ms(until));
	if (n < 0 && errno != EINTR)
		return false;
	if (n > 0 && (p[P_CANCEL].revents || p[P_PARENT].revents))
		return false;
	if (n > 0 && p[P_OUT].revents & (POLLERR | POLLHUP | POLLNVAL))
		return false;
	if (n > 0 && p[P_OUT].revents & POLLOUT)
		mcp_output_flush(&s->out);
	if (n > 0 && p[P_LINK].revents)
		serve_link(s, p[P_LINK].revents);
	if (n > 0 && p[P_IN].revents)
		read_client(s);
	mcp_calls_expire(s);
	if (s->out.broken)
		return false;
	bool idle = !s->calls && mcp_output_waiting(&s->out) == 0;
	return !s->in_over || (!idle && !deadline_over(s->leave));
}

/* Readable when the process that started us has ended, although a wrapper may keep our pipes open. */
static int watch_parent(void)
{
#ifdef SYS_pidfd_open
	pid_t parent = getppid();
	if (parent > 1)
		return (int)syscall(SYS_pidfd_open, parent, 0);
#endif
	return -1;
}

void mcp_server_init(struct mcp_server *s, const struct mcp_opts *o)
{
	*s = (struct mcp_server){ .opts = o, .version = MCP_NEWEST };
	mcp_input_init(&s->in, LIM_MCP_LINE);
	mcp_output_init(&s->out, o->out, LIM_MCP_QUEUE);
	mcp_link_init(&s->link, o->state_dir);
	buf_init(&s->tools, LIM_MCP_QUEUE);
}

void mcp_server_done(struct mcp_server *s)
{
	mcp_calls_done(s);
	mcp_link_done(&s->link);
	mcp_output_done(&s->out);
	mcp_input_done(&s->in);
	buf_done(&s->tools);
}

int mcp_serve(const struct mcp_opts *o)
{
	struct mcp_server s;
	auto_close int parent = watch_parent();
	mcp_server_init(&s, o);
	while (turn(&s, parent))
		;
	mcp_server_done(&s);
	return 0;
}
