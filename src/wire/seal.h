/* The seal of one exchange with a runner: which request a reply belongs to, and that both arrived as
 * they were sent. A kept connection that got out of step, or a line that delivers twice or damaged,
 * is noticed instead of believed.
 *
 *   request  X-Deft-Request: <nonce>-<digest of the request's body>
 *   reply    X-Deft-Reply: <nonce>-<digest of the request's body>-<digest of the reply's body>
 *
 * Nonce and digests are 16 lower-case hex digits. The digest is the 64-bit FNV-1a hash of the body's
 * first LIM_RUNNER_SEALED bytes. A runner that gets no seal gives none. */
#ifndef DEFT_WIRE_SEAL_H
#define DEFT_WIRE_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_SEAL_REQUEST "X-Deft-Request"
#define WIRE_SEAL_REPLY "X-Deft-Reply"

/* With their NUL. */
enum { WIRE_SEAL_REQUEST_SIZE = 34, WIRE_SEAL_REPLY_SIZE = 51 };

void wire_seal_request(uint64_t nonce, const void *body, size_t len,
                       char out[WIRE_SEAL_REQUEST_SIZE]);
/* A request with this seal (as received: any text) has this body. */
bool wire_seal_fits_request(const char *seal, const void *body, size_t len);
/* False: `request_seal` has not the form of one, there is nothing to answer with. */
bool wire_seal_reply(const char *request_seal, const void *body, size_t len,
                     char out[WIRE_SEAL_REPLY_SIZE]);
/* A reply with this seal (as received: any text) answers the request with that one, with this body. */
bool wire_seal_fits_reply(const char *seal, const char *request_seal, const void *body, size_t len);

#endif
