/* A picture as MCP image content. */
#ifndef DEFT_MCP_IMAGE_H
#define DEFT_MCP_IMAGE_H

#include "base/buf.h"
#include "base/error.h"

#include <jansson.h>

/* The type by the first bytes, whatever a file is called: "image/png", "image/jpeg", "image/gif",
 * "image/webp"; NULL: no such picture. */
const char *mcp_image_type(const void *data, size_t len);
void mcp_add_base64(struct buf *b, const void *data, size_t len);
/* {"type":"image","data":…,"mimeType":…} of a file; -ERR_LIMIT_EXCEEDED above LIM_MCP_IMAGE_BYTES,
 * -ERR_INVALID_TARGET when the bytes are no picture. */
int mcp_image_content(const char *path, json_t **ret, struct error *e);

#endif
