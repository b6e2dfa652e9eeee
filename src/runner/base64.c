#include "runner/base64.h"

#include <stdint.h>
#include <stdlib.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Up to three bytes become four digits; what is missing is padding. */
static void group(const uint8_t *in, size_t n, char *out)
{
	uint32_t bits =
	    (uint32_t)in[0] << 16 | (n > 1 ? (uint32_t)in[1] << 8 : 0) | (n > 2 ? in[2] : 0);

	out[0] = digits[bits >> 18];
	out[1] = digits[bits >> 12 & 63];
	out[2] = n > 1 ? digits[bits >> 6 & 63] : '=';
	out[3] = n > 2 ? digits[bits & 63] : '=';
}

char *rc_base64(const void *data, size_t len)
{
	const uint8_t *in = data;
	size_t groups = len / 3 + (len % 3 != 0);
	char *out = groups < SIZE_MAX / 4 ? malloc(groups * 4 + 1) : NULL;

	if (!out)
		return NULL;
	for (size_t i = 0; i < groups; i++)
		group(in + 3 * i, len - 3 * i < 3 ? len - 3 * i : 3, out + 4 * i);
	out[groups * 4] = '\0';
	return out;
}
