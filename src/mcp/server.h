/* The server's own state, shared by its parts: loop (server.c), methods (methods.c), tool calls
 * (call.c). */
#ifndef DEFT_MCP_SERVER_H
#define DEFT_MCP_SERVER_H

#include "mcp/input.h"
#include "mcp/link.h"
#include "mcp/mcp.h"
#include "mcp/output.h"
#include "mcp/rpc.h"
#include "mcp/version.h"

#include <stdbool.h>

/* Answers to an array of messages, sent as one array when the last of them is there. */
struct mcp_batch {
	struct buf text;
	size_t waiting;
};

struct mcp_call;

struct mcp_server {
	const struct mcp_opts *opts;
	enum mcp_version version;
	bool tell_notices; /* the client set a log level that includes them */
	struct mcp_input in;
	bool in_over;          /* the client closed its end */
	struct deadline leave; /* then: when to stop waiting for calls */
	struct mcp_output out;
	struct mcp_link link;
	struct mcp_call *calls; /* running, newest first */
	size_t n_calls;
	struct buf tools; /* the tools/list result of `version` */
};

/* --- methods.c -------------------------------------------------------------------------------- */

/* One line from the client: a message or an array of them. */
void mcp_take_line(struct mcp_server *s, const char *line, size_t len);

/* --- server.c --------------------------------------------------------------------------------- */

void mcp_server_init(struct mcp_server *s, const struct mcp_opts *o);
void mcp_server_done(struct mcp_server *s);
/* Sends one message, or puts it into the batch it belongs to. */
void mcp_send(struct mcp_server *s, struct mcp_batch *batch, const struct buf *message);
/* An answer that the batch waited for is in or will never come. NULL is fine. */
void mcp_batch_release(struct mcp_server *s, struct mcp_batch *batch);

/* --- call.c ----------------------------------------------------------------------------------- */

/* tools/call: answers at once when the call is wrong, else hands it to the daemon. */
void mcp_call_start(struct mcp_server *s, struct mcp_batch *batch, const json_t *id,
                    json_t *params);
/* notifications/cancelled: the daemon is told, no answer will be sent. Unknown ids are ignored. */
void mcp_call_cancel(struct mcp_server *s, const json_t *id);
/* A request of this id still runs. */
bool mcp_call_running(const struct mcp_server *s, const json_t *id);
/* The connection is there (r == 0) or could not be made. */
void mcp_calls_linked(struct mcp_server *s, int r, const struct error *e);
/* Reads what the daemon says. */
void mcp_calls_read(struct mcp_server *s);
/* Answers the calls whose daemon has been silent for too long. */
void mcp_calls_expire(struct mcp_server *s);
struct deadline mcp_calls_deadline(const struct mcp_server *s);
void mcp_calls_done(struct mcp_server *s);

#endif
