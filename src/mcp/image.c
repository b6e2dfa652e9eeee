#include "mcp/image.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"

#include <stdint.h>
#include <string.h>

const char *mcp_image_type(const void *data, size_t len)
{
	static const struct {
		const char *type;
		unsigned at, n;
		const char *bytes;
	} magic[] = {
		{ "image/png", 0, 8, "\x89PNG\r\n\x1a\n" },
		{ "image/jpeg", 0, 3, "\xff\xd8\xff" },
		{ "image/gif", 0, 4, "GIF8" },
		{ "image/webp", 8, 4, "WEBP" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(magic); i++)
		if (len >= magic[i].at + magic[i].n &&
		    memcmp((const char *)data + magic[i].at, magic[i].bytes, magic[i].n) == 0)
			return magic[i].type;
	return NULL;
}

void mcp_add_base64(struct buf *b, const void *data, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *p = data;
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
		             (n > 2 ? (uint32_t)p[i + 2] : 0);
		char four[4] = { digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63],
			             digits[v & 63] };
		memset(four + 1 + n, '=', 3 - n);
		buf_add(b, four, sizeof(four));
	}
}

int mcp_image_content(const char *path, json_t **ret, struct error *e)
{
	auto_buf struct buf file, coded;
	buf_init(&file, LIM_MCP_IMAGE_BYTES);
	buf_init(&coded, (size_t)LIM_MCP_IMAGE_BYTES / 3 * 4 + 8);
	int r = fs_read(path, LIM_MCP_IMAGE_BYTES, &file, e);
	if (r < 0)
		return r;
	const char *type = mcp_image_type(file.data, file.len);
	if (!type)
		return error_set(e, ERR_INVALID_TARGET, "%s is no PNG, JPEG, GIF or WebP picture", path);
	mcp_add_base64(&coded, file.data, file.len);
	json_t *image = json_object();
	jx_set_str(image, "type", "image");
	jx_set_str(image, "data", coded.data);
	jx_set_str(image, "mimeType", type);
	*ret = image;
	return 0;
}
