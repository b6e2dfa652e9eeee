/* `deft mcp`: the command table as tools of the Model Context Protocol, on stdio.
 *
 * One thread polls the client's descriptors and the daemon's socket; only connecting to the daemon
 * (which may start one) runs on a thread of its own, so that pings are answered meanwhile. The
 * daemon is not touched before the first tool call. docs/mcp.md has the rules a client can rely on. */
#ifndef DEFT_MCP_MCP_H
#define DEFT_MCP_MCP_H

#include "base/cancel.h"

#include <jansson.h>

struct mcp_opts {
	int in, out;            /* protocol in and out; never closed here */
	const char *state_dir;  /* of the daemon; NULL: the default */
	const json_t *defaults; /* global parameters for calls that do not give them, or NULL */
	struct cancel *cancel;  /* fired: leave; may be NULL */
};

/* Serves until the client closes its end, reads no more, or its process has ended, or cancel is
 * fired. Sessions stay with the daemon; calls that still run are canceled. The exit status. */
int mcp_serve(const struct mcp_opts *o);
/* Takes stdout away from everything else: returns a descriptor for the protocol and lets 1 point to
 * stderr, so that no stray print of a library gets between the messages. -1: out of descriptors. */
int mcp_claim_stdout(void);

#endif
