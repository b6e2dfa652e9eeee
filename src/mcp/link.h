/* The MCP server's connection to the daemon: made on a thread when it is first needed, kept, made
 * anew after it broke. Everything but the connecting runs on the server's thread. */
#ifndef DEFT_MCP_LINK_H
#define DEFT_MCP_LINK_H

#include "base/cancel.h"
#include "base/error.h"
#include "base/sock.h"
#include "mcp/output.h"

#include <pthread.h>
#include <stdbool.h>

enum mcp_link_state { MCP_LINK_DOWN, MCP_LINK_CONNECTING, MCP_LINK_UP };

struct mcp_link {
	enum mcp_link_state state;
	const char *state_dir;    /* borrowed */
	struct line_reader lines; /* while up */
	struct mcp_output out;    /* while up */
	/* The connecting thread's; read after it has been joined. */
	pthread_t thread;
	struct cancel stop, ready; /* to it, from it */
	int fd, result;
	struct error error;
};

void mcp_link_init(struct mcp_link *l, const char *state_dir);
/* Stops a connecting thread and closes the connection; the daemon then cancels what still runs. */
void mcp_link_done(struct mcp_link *l);
/* From DOWN to CONNECTING. */
int mcp_link_open(struct mcp_link *l, struct error *e);
/* The descriptor to wait on: that of the connecting thread's end, or of the connection; -1: none. */
int mcp_link_fd(const struct mcp_link *l);
/* After mcp_link_fd() became readable in CONNECTING: UP and 0, or DOWN and the error. */
int mcp_link_finish(struct mcp_link *l, struct error *e);
/* Back to DOWN. */
void mcp_link_close(struct mcp_link *l);

#endif
