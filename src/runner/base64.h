/* Base64 (RFC 4648, padded) for inline images. */
#ifndef DEFT_RUNNER_BASE64_H
#define DEFT_RUNNER_BASE64_H

#include <stddef.h>

/* Caller frees; NULL when memory ran out. */
char *rc_base64(const void *data, size_t len);

#endif
