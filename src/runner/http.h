/* The transport: one loopback listener, HTTP/1.1, POST /command (runner protocol 1). It reads bounded
 * bodies, refuses what is no request, and hands each request to `handle`; the answer may come later
 * and from another thread, and other connections are served meanwhile.
 *
 *   400 not UTF-8, not JSON, not a command    401 token missing or wrong     403 sent by a web page
 *   404 another path    405 another method    411 no Content-Length          413 body over the limit
 *
 * Connections are kept unless the client asks to close. */
#ifndef DEFT_RUNNER_HTTP_H
#define DEFT_RUNNER_HTTP_H

#include "base/error.h"
#include "runner/reply.h"
#include "wire/runner_msg.h"

#include <stdint.h>

struct rc_exchange; /* one request that waits for its answer */

struct rc_http_opts {
	uint16_t port;     /* 0: the system's choice */
	const char *token; /* copied; NULL: none wanted */
	/* Looks at a request before anything else does: other than RC_FATE_SENT ends the connection that
	 * way, and `handle` never sees it. Called on the transport thread: must not block. */
	enum rc_fate (*arrived)(void *ctx, const struct wire_request *req);
	/* Takes over the request; rc_exchange_answer() must be called once for it, now or later. Called
	 * on the transport thread: must not block. */
	void (*handle)(void *ctx, struct wire_request *req, struct rc_exchange *x);
	/* A reply with `stop` has been sent. [transport thread] */
	void (*sent_stop)(void *ctx);
	void *ctx;
};

struct rc_http;

int rc_http_start(struct rc_http **ret, const struct rc_http_opts *opts, struct error *e);
uint16_t rc_http_port(const struct rc_http *h);
/* Takes one reference; NULL answers 500. [any thread] */
void rc_exchange_answer(struct rc_exchange *x, struct rc_reply *reply);
/* Accepts no more, lets answers that are on their way out (at most LIM_RUNNER_DRAIN_MS), closes and
 * frees. Every exchange must have been answered before. */
void rc_http_free(struct rc_http *h);

#endif
