/* The command table as MCP tools. */
#ifndef DEFT_MCP_TOOLS_H
#define DEFT_MCP_TOOLS_H

#include "base/buf.h"
#include "command/spec.h"
#include "mcp/version.h"

/* The exposed command of this tool name, NULL: none. A command's name is its tool's name. */
const struct cmd_spec *mcp_tool_find(const char *name);
/* The tool an alias or a misspelt name means, or NULL. */
const char *mcp_tool_nearest(const char *name);
/* {"tools":[…]} as text, in the order of the table; annotations and titles where the version has
 * them. */
void mcp_add_tool_list(struct buf *b, enum mcp_version v);

#endif
