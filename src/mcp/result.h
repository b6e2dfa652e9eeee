/* Results of tools/call: the daemon's answer, or an error, as MCP content. */
#ifndef DEFT_MCP_RESULT_H
#define DEFT_MCP_RESULT_H

#include "base/error.h"
#include "command/spec.h"
#include "mcp/version.h"

#include <jansson.h>

/* {"content":[text, image?],"structuredContent"?,"isError":false} of a response's data, text and
 * notices. Text and structured data together stay within LIM_MCP_TEXT: text is cut with a mark,
 * structured data that does not fit is left out with a mark. New reference. */
json_t *mcp_result_ok(const struct cmd_spec *spec, const json_t *response, enum mcp_version v);
/* {"content":[text],"structuredContent"?: the error object, or the envelope an action answers with,
 * "isError":true}. New reference. */
json_t *mcp_result_error(const struct error *e, enum mcp_version v);

#endif
