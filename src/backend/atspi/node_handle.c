/* Handles as text: "1|<bus id>|<bus name>|<role>|<parent hash>|<path>". */
#include "backend/atspi/atspi.h"
#include "base/cleanup.h"
#include "base/number.h"

#define VERSION "1"

int atspi_handle_format(const struct atspi_handle *h, struct buf *out)
{
	buf_addf(out, VERSION "|%s|%s|%u|%08x|%s", h->bus_id, h->bus, (unsigned)h->role,
	         (unsigned)h->parent_hash, h->path);
	return out->over ? -ERR_LIMIT_EXCEEDED : 0;
}

/* The next part before '|' into to; NULL when it is missing or too long. */
static const char *next_part(const char *at, char *to, size_t size)
{
	size_t n = at ? strcspn(at, "|") : 0;

	if (!at || at[n] != '|' || n >= size)
		return NULL;
	memcpy(to, at, n);
	to[n] = '\0';
	return at + n + 1;
}

static bool parse_hex(const char *s, uint32_t *ret)
{
	uint32_t v = 0;

	if (strlen(s) != 8 || s[strspn(s, "0123456789abcdef")] != '\0')
		return false;
	for (; *s; s++)
		v = v * 16 + (uint32_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	*ret = v;
	return true;
}

static bool valid_path(const char *path)
{
	return path[0] == '/' &&
	       path[strspn(path, "/_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] ==
	           '\0';
}

int atspi_handle_parse(const char *text, struct atspi_handle *ret, struct error *e)
{
	struct atspi_handle h = { .role = 0 };
	char version[4], role[16], hash[16];
	int64_t number = -1;
	const char *at = next_part(text, version, sizeof(version));

	at = next_part(at, h.bus_id, sizeof(h.bus_id));
	at = next_part(at, h.bus, sizeof(h.bus));
	at = next_part(at, role, sizeof(role));
	at = next_part(at, hash, sizeof(hash));
	if (!at || strcmp(version, VERSION) != 0 || !number_parse_int(role, &number) || number < 0 ||
	    number > UINT16_MAX || !parse_hex(hash, &h.parent_hash) || h.bus[0] != ':' ||
	    !valid_path(at) || strlen(at) >= sizeof(h.path))
		return error_set(e, ERR_INVALID_ARGS, "this is no element handle of this runner");
	h.role = (uint32_t)number;
	memcpy(h.path, at, strlen(at) + 1);
	*ret = h;
	return 0;
}
