#include "mcp/link.h"

#include "base/limits.h"
#include "base/log.h"
#include "wire/daemon_start.h"

#include <string.h>
#include <unistd.h>

void mcp_link_init(struct mcp_link *l, const char *state_dir)
{
	*l = (struct mcp_link){
		.state_dir = state_dir, .fd = -1, .stop.fd = -1, .ready.fd = -1, .error = ERROR_INIT
	};
}

static void on_notice(void *ctx, const char *line)
{
	log_msg(LOG_INFO, "mcp", "%s", line);
}

static void *connect_daemon(void *arg)
{
	struct mcp_link *l = arg;
	struct wire_daemon_opts o = { .state_dir = l->state_dir, .notice = on_notice };
	struct call c = { deadline_in(LIM_DAEMON_START_MS), &l->stop };
	l->result = wire_daemon_connect(&o, c, &l->fd, NULL, &l->error);
	cancel_fire(&l->ready);
	return NULL;
}

static void forget_tokens(struct mcp_link *l)
{
	cancel_done(&l->stop);
	cancel_done(&l->ready);
}

int mcp_link_open(struct mcp_link *l, struct error *e)
{
	int r = cancel_init(&l->stop, e);
	if (r == 0)
		r = cancel_init(&l->ready, e);
	if (r == 0) {
		r = pthread_create(&l->thread, NULL, connect_daemon, l);
		if (r != 0)
			r = error_set(e, ERR_COMMAND_FAILED, "no thread to connect with: %s", strerror(r));
	}
	if (r < 0)
		forget_tokens(l);
	else
		l->state = MCP_LINK_CONNECTING;
	return r;
}

int mcp_link_fd(const struct mcp_link *l)
{
	switch (l->state) {
	case MCP_LINK_CONNECTING: return l->ready.fd;
	case MCP_LINK_UP: return l->fd;
	case MCP_LINK_DOWN: break;
	}
	return -1;
}

int mcp_link_finish(struct mcp_link *l, struct error *e)
{
	pthread_join(l->thread, NULL);
	forget_tokens(l);
	if (l->result < 0) {
		l->state = MCP_LINK_DOWN;
		error_move(e, &l->error);
		return l->result;
	}
	line_reader_init(&l->lines, l->fd, LIM_ENVELOPE_LINE);
	mcp_output_init(&l->out, l->fd, LIM_MCP_QUEUE);
	l->state = MCP_LINK_UP;
	return 0;
}

void mcp_link_close(struct mcp_link *l)
{
	if (l->state == MCP_LINK_UP) {
		line_reader_done(&l->lines);
		mcp_output_done(&l->out);
	}
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	l->state = MCP_LINK_DOWN;
}

void mcp_link_done(struct mcp_link *l)
{
	if (l->state == MCP_LINK_CONNECTING) {
		cancel_fire(&l->stop);
		pthread_join(l->thread, NULL);
		forget_tokens(l);
		error_clear(&l->error);
	}
	mcp_link_close(l);
}
