/* Bytes of an MCP client, in pieces: line splitting, JSON-RPC, arguments of tools. As many calls as
 * are allowed run already, so that no call gets as far as the daemon. */
#include "base/limits.h"
#include "mcp/server.h"

#include <fcntl.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_lines(struct mcp_server *s, bool at_end)
{
	char *line;
	size_t len;
	enum mcp_line kind;
	while ((kind = mcp_input_next(&s->in, at_end, &line, &len)) != MCP_LINE_NONE)
		if (kind == MCP_LINE)
			mcp_take_line(s, line, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int null = -1;
	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (size == 0)
		return 0;
	struct mcp_opts opts = { .in = -1, .out = null };
	struct mcp_server s;
	size_t piece = data[0] % 64 + 1u;
	mcp_server_init(&s, &opts);
	s.n_calls = LIM_MCP_CALLS;
	for (size_t at = 1; at < size; at += piece) {
		mcp_input_feed(&s.in, (const char *)data + at, size - at < piece ? size - at : piece);
		take_lines(&s, false);
	}
	take_lines(&s, true);
	mcp_server_done(&s);
	return 0;
}
