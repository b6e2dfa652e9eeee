/* Protocol versions of MCP and what each of them allows. */
#ifndef DEFT_MCP_VERSION_H
#define DEFT_MCP_VERSION_H

#include <stdbool.h>

enum mcp_version { MCP_2024_11_05, MCP_2025_03_26, MCP_2025_06_18, MCP_2025_11_25, MCP_VERSIONS };
#define MCP_NEWEST MCP_2025_11_25

/* The version asked for when we speak it, else the newest (also for NULL). */
enum mcp_version mcp_version_negotiate(const char *asked);
const char *mcp_version_name(enum mcp_version v);

static inline bool mcp_allows_batch(enum mcp_version v)
{
	return v <= MCP_2025_03_26;
}
static inline bool mcp_has_annotations(enum mcp_version v)
{
	return v >= MCP_2025_03_26;
}
static inline bool mcp_has_progress_text(enum mcp_version v)
{
	return v >= MCP_2025_03_26;
}
/* structuredContent, and a title beside the name. */
static inline bool mcp_has_structured(enum mcp_version v)
{
	return v >= MCP_2025_06_18;
}

#endif
