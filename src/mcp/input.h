/* Lines out of a stream that arrives in pieces. A line longer than LIM_MCP_LINE is dropped as a
 * whole and reported once; the lines after it are not lost. */
#ifndef DEFT_MCP_INPUT_H
#define DEFT_MCP_INPUT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

struct mcp_input {
	struct buf buf;
	size_t max;
	size_t scanned;  /* bytes known to hold no line end */
	size_t consumed; /* bytes of the line handed out last */
	bool skipping;   /* inside of a line that is too long */
};

enum mcp_line { MCP_LINE_NONE, MCP_LINE, MCP_LINE_TOO_LONG };

void mcp_input_init(struct mcp_input *in, size_t max);
void mcp_input_done(struct mcp_input *in);
/* Adds what was read. */
void mcp_input_feed(struct mcp_input *in, const char *data, size_t len);
/* The next whole line without its end ("\n" or "\r\n"), NUL-terminated, valid until the next call.
 * `at_end`: the stream is over and what is left counts as a line. */
enum mcp_line mcp_input_next(struct mcp_input *in, bool at_end, char **ret_line, size_t *ret_len);

#endif
