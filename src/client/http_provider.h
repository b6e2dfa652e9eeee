/* The real provider: a runner program on this machine, spoken to over loopback HTTP (libcurl, kept
 * connections, X-Deft-Token). */
#ifndef DEFT_CLIENT_HTTP_PROVIDER_H
#define DEFT_CLIENT_HTTP_PROVIDER_H

#include "client/client.h"

struct cl_http_opts {
	const char *const *argv; /* runner program and arguments (copied) */
	const char *const *env;  /* whole environment "K=V" (copied); token and port are added */
	const char *log_path;    /* the runner's stderr (copied) */
};
int cl_http_provider_new(struct cl_provider *ret, const struct cl_http_opts *o, struct error *e);

#endif
