/* JSON-RPC 2.0 messages: what came in, and the lines that go out. */
#ifndef DEFT_MCP_RPC_H
#define DEFT_MCP_RPC_H

#include "base/buf.h"

#include <jansson.h>

enum mcp_rpc_code {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_UNKNOWN_METHOD = -32601,
	MCP_INVALID_PARAMS = -32602,
	MCP_INTERNAL_ERROR = -32603,
};

enum mcp_kind {
	MCP_REQUEST,
	MCP_NOTIFICATION,
	MCP_RESPONSE, /* an answer to us; we never ask, so it is dropped */
	MCP_INVALID,  /* `why` says what is wrong; id is NULL when it can't be told */
};

/* Borrowed from the JSON it was read from. */
struct mcp_message {
	enum mcp_kind kind;
	json_t *id; /* string or number */
	const char *method;
	json_t *params; /* object or NULL */
	const char *why;
};

struct mcp_message mcp_message_read(json_t *j);

/* Each appends one message without a line end. id NULL: null. */
void mcp_add_result(struct buf *b, const json_t *id, const json_t *result);
/* The same with a result that is JSON text already. */
void mcp_add_result_text(struct buf *b, const json_t *id, const char *result);
__attribute__((format(printf, 4, 5))) void
mcp_add_failure(struct buf *b, const json_t *id, enum mcp_rpc_code code, const char *fmt, ...);
void mcp_add_notification(struct buf *b, const char *method, const json_t *params);

#endif
