/* A queue of bytes for a descriptor that may take them slowly: pipe, socket, file or terminal.
 * Writing never blocks and never changes the descriptor's flags, which others may share. */
#ifndef DEFT_MCP_OUTPUT_H
#define DEFT_MCP_OUTPUT_H

#include "base/buf.h"

#include <stdbool.h>

struct mcp_output {
	int fd;
	struct buf queue;
	size_t sent; /* bytes at the front of the queue that are out already */
	bool broken; /* the other side is gone, or the queue met its ceiling */
};

void mcp_output_init(struct mcp_output *o, int fd, size_t max);
void mcp_output_done(struct mcp_output *o);
/* Queues a line (the end is added) and writes what goes at once. */
void mcp_output_line(struct mcp_output *o, const char *text, size_t len);
/* Writes what the descriptor takes now. */
void mcp_output_flush(struct mcp_output *o);
size_t mcp_output_waiting(const struct mcp_output *o);

#endif
