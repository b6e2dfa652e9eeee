#include "mcp/version.h"

#include <string.h>

static const char *const names[MCP_VERSIONS] = {
	[MCP_2024_11_05] = "2024-11-05",
	[MCP_2025_03_26] = "2025-03-26",
	[MCP_2025_06_18] = "2025-06-18",
	[MCP_2025_11_25] = "2025-11-25",
};

enum mcp_version mcp_version_negotiate(const char *asked)
{
	for (int v = 0; asked && v < MCP_VERSIONS; v++)
		if (strcmp(asked, names[v]) == 0)
			return (enum mcp_version)v;
	return MCP_NEWEST;
}

const char *mcp_version_name(enum mcp_version v)
{
	return names[v];
}
