/* One command line being carried out. */
#ifndef DEFT_CLI_RUN_H
#define DEFT_CLI_RUN_H

#include "base/cancel.h"
#include "cli/line.h"
#include "cli/out.h"
#include "cli/reply.h"
#include "wire/daemon_start.h"

struct cli_run {
	struct cli_line line;
	struct cli_out out;
	const char *state_dir; /* of the daemon; NULL: the default */
	long limit_ms;         /* deadline of the whole command */
	struct cancel *cancel; /* fired by SIGINT and its like */
};

/* How to reach the daemon; notices go to stderr. */
struct wire_daemon_opts cli_daemon_opts(struct cli_run *r, bool no_start);
/* Sends the line to the daemon and waits for its answer. */
int cli_ask_daemon(struct cli_run *r, bool no_start, struct cli_reply *ret_reply, struct error *e);

#endif
