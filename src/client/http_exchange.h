/* One POST to a runner over HTTP: libcurl, with every failure classified by whether the runner can
 * have seen the request. */
#ifndef DEFT_CLIENT_HTTP_EXCHANGE_H
#define DEFT_CLIENT_HTTP_EXCHANGE_H

#include "client/client.h"

struct http_link; /* kept connection and its handles; one thread at a time */

int http_link_new(struct http_link **ret, const char *host, uint16_t port, const char *token,
                  struct error *e);
void http_link_free(struct http_link *l);
/* As cl_provider.post. */
int http_link_post(struct http_link *l, const char *body, size_t len, struct call c,
                   struct buf *reply, enum cl_failure *ret_failure, struct error *e);

#endif
