#include "mcp/rpc.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

static struct mcp_message invalid(json_t *id, const char *why)
{
	return (struct mcp_message){ .kind = MCP_INVALID, .id = id, .why = why };
}

struct mcp_message mcp_message_read(json_t *j)
{
	if (!json_is_object(j))
		return invalid(NULL, "a message must be an object");
	json_t *id = json_object_get(j, "id"), *params = json_object_get(j, "params");
	json_t *method = json_object_get(j, "method");
	bool id_ok = json_is_string(id) || json_is_number(id);
	if (strcmp(jx_get_str(j, "jsonrpc", ""), "2.0") != 0)
		return invalid(id_ok ? id : NULL, "jsonrpc must be \"2.0\"");
	if (!method && (json_object_get(j, "result") || json_object_get(j, "error")))
		return (struct mcp_message){ .kind = MCP_RESPONSE, .id = id };
	if (id && !id_ok)
		return invalid(NULL, "id must be a string or a number");
	if (!json_is_string(method))
		return invalid(id, "method must be a string");
	if (params && !json_is_null(params) && !json_is_object(params))
		return invalid(id, "params must be an object");
	return (struct mcp_message){
		.kind = id ? MCP_REQUEST : MCP_NOTIFICATION,
		.id = id,
		.method = json_string_value(method),
		.params = json_is_object(params) ? params : NULL,
	};
}

static void add_head(struct buf *b, const json_t *id)
{
	buf_adds(b, "{\"jsonrpc\":\"2.0\",\"id\":");
	jx_dump(id, false, b);
}

void mcp_add_result(struct buf *b, const json_t *id, const json_t *result)
{
	add_head(b, id);
	buf_adds(b, ",\"result\":");
	jx_dump(result, false, b);
	buf_addc(b, '}');
}

void mcp_add_result_text(struct buf *b, const json_t *id, const char *result)
{
	add_head(b, id);
	buf_adds(b, ",\"result\":");
	buf_adds(b, result);
	buf_addc(b, '}');
}

void mcp_add_failure(struct buf *b, const json_t *id, enum mcp_rpc_code code, const char *fmt, ...)
{
	auto_buf struct buf message;
	buf_init(&message, LIM_ERROR_TEXT);
	va_list ap;
	va_start(ap, fmt);
	buf_addv(&message, fmt, ap);
	va_end(ap);
	add_head(b, id);
	buf_addf(b, ",\"error\":{\"code\":%d,\"message\":", (int)code);
	buf_add_quoted(b, message.data);
	buf_adds(b, "}}");
}

void mcp_add_notification(struct buf *b, const char *method, const json_t *params)
{
	buf_adds(b, "{\"jsonrpc\":\"2.0\",\"method\":");
	buf_add_quoted(b, method);
	buf_adds(b, ",\"params\":");
	jx_dump(params, false, b);
	buf_addc(b, '}');
}
