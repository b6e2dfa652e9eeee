#include "wire/seal.h"

#include "base/limits.h"

#include <stdio.h>
#include <string.h>

static uint64_t digest(const void *body, size_t len)
{
	const unsigned char *p = body;
	uint64_t h = 0xcbf29ce484222325u;
	if (len > LIM_RUNNER_SEALED)
		len = LIM_RUNNER_SEALED;
	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

void wire_seal_request(uint64_t nonce, const void *body, size_t len,
                       char out[WIRE_SEAL_REQUEST_SIZE])
{
	snprintf(out, WIRE_SEAL_REQUEST_SIZE, "%016llx-%016llx", (unsigned long long)nonce,
	         (unsigned long long)digest(body, len));
}

static bool has_form(const char *seal)
{
	size_t hex = strspn(seal, "0123456789abcdef");
	return hex == 16 && seal[16] == '-' && strspn(seal + 17, "0123456789abcdef") == 16 &&
	       seal[33] == '\0';
}

bool wire_seal_fits_request(const char *seal, const void *body, size_t len)
{
	char want[17];
	snprintf(want, sizeof want, "%016llx", (unsigned long long)digest(body, len));
	return has_form(seal) && strcmp(seal + 17, want) == 0;
}

bool wire_seal_reply(const char *request_seal, const void *body, size_t len,
                     char out[WIRE_SEAL_REPLY_SIZE])
{
	if (!has_form(request_seal))
		return false;
	snprintf(out, WIRE_SEAL_REPLY_SIZE, "%s-%016llx", request_seal,
	         (unsigned long long)digest(body, len));
	return true;
}

bool wire_seal_fits_reply(const char *seal, const char *request_seal, const void *body, size_t len)
{
	char want[WIRE_SEAL_REPLY_SIZE];
	return wire_seal_reply(request_seal, body, len, want) && strcmp(seal, want) == 0;
}
