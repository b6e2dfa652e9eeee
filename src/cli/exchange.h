/* One request on a connected daemon: written once, waited for, never repeated. */
#ifndef DEFT_CLI_EXCHANGE_H
#define DEFT_CLI_EXCHANGE_H

#include "base/cancel.h"
#include "base/error.h"
#include "cli/reply.h"
#include "command/spec.h"

struct cli_exchange {
	const struct cmd_spec *spec;
	long limit_ms;         /* the request's deadline; the daemon keeps it, we add a little */
	struct cancel *cancel; /* fired: the daemon is told, and has LIM_CANCEL_WAIT_MS to answer */
	void (*progress)(void *ctx, const char *message, int64_t done, int64_t total);
	void (*notice)(void *ctx, const char *line); /* notices and timing that come with the answer */
	void *ctx;
};

/* Sends the request (an object of wire_call_make()) and reads until its response. 0 with *ret_reply,
 * or the error: the daemon's own, -ERR_CANCELED, or what wire_answer_lost() and
 * wire_answer_silent() say (wire/caller.h). */
int cli_exchange(int fd, const json_t *request, const struct cli_exchange *x,
                 struct cli_reply *ret_reply, struct error *e);

#endif
