#include "platform/linux/dbus_address.h"

#include "base/limits.h"

#include <ctype.h>
#include <string.h>

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool dbus_address_value(const char *address, size_t len, const char *key, struct buf *out)
{
	const char *end = address + len, *p = address;
	size_t n = strlen(key);
	for (; p < end; p++)
		if ((p == address || p[-1] == ',' || p[-1] == ':') && (size_t)(end - p) > n &&
		    strncmp(p, key, n) == 0 && p[n] == '=')
			break;
	if (p >= end)
		return false;
	for (p += n + 1; p < end && *p != ','; p++) {
		bool escaped = *p == '%' && end - p > 2 && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0;
		buf_addc(out, escaped ? (char)(hex_digit(p[1]) * 16 + hex_digit(p[2])) : *p);
		p += escaped ? 2 : 0;
	}
	return !out->over;
}

char *dbus_address_of(const char *path)
{
	struct buf out;
	buf_init(&out, LIM_PATH);
	buf_adds(&out, "unix:path=");
	for (const char *p = path; *p; p++) {
		if (isalnum((unsigned char)*p) || strchr("-_/.", *p))
			buf_addc(&out, *p);
		else
			buf_addf(&out, "%%%02x", (unsigned)(unsigned char)*p);
	}
	return buf_detach(&out);
}

void dbus_address_identity(const char *address, struct buf *out)
{
	size_t n = strcspn(address, ";");
	bool is_socket = strncmp(address, "unix:", 5) == 0;
	if (is_socket && dbus_address_value(address, n, "path", out))
		return;
	buf_reset(out);
	buf_addc(out, '@');
	if (is_socket && dbus_address_value(address, n, "abstract", out))
		return;
	buf_reset(out);
	buf_add(out, address, n);
}
