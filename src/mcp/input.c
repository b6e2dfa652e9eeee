#include "mcp/input.h"

#include <string.h>

/* Room for what is read at once, so that feeding never meets the buffer's own ceiling first. */
enum { SLACK = 256 * 1024 };

void mcp_input_init(struct mcp_input *in, size_t max)
{
	*in = (struct mcp_input){ .max = max };
	buf_init(&in->buf, max + SLACK);
}

void mcp_input_done(struct mcp_input *in)
{
	buf_done(&in->buf);
}

static void drop(struct mcp_input *in, size_t n)
{
	buf_drop_front(&in->buf, n);
	in->scanned = in->scanned > n ? in->scanned - n : 0;
}

void mcp_input_feed(struct mcp_input *in, const char *data, size_t len)
{
	if (in->skipping) {
		const char *end = memchr(data, '\n', len);
		if (!end)
			return;
		in->skipping = false;
		len -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	buf_add(&in->buf, data, len);
}

static enum mcp_line too_long(struct mcp_input *in, bool ended, size_t len)
{
	in->skipping = !ended;
	drop(in, len);
	return MCP_LINE_TOO_LONG;
}

enum mcp_line mcp_input_next(struct mcp_input *in, bool at_end, char **ret_line, size_t *ret_len)
{
	drop(in, in->consumed);
	in->consumed = 0;
	struct buf *b = &in->buf;
	char *end = memchr(b->data + in->scanned, '\n', b->len - in->scanned);
	size_t len = end ? (size_t)(end - b->data) : b->len;
	in->scanned = len;
	if (len > in->max)
		return too_long(in, end || at_end, end ? len + 1 : len);
	if (!end && (!at_end || len == 0))
		return MCP_LINE_NONE;
	in->consumed = end ? len + 1 : len;
	if (len > 0 && b->data[len - 1] == '\r')
		len--;
	b->data[len] = '\0';
	*ret_line = b->data;
	*ret_len = len;
	return MCP_LINE;
}
