/* `deft daemon …`: what has to work when no daemon runs, or one of another build. */
#ifndef DEFT_CLI_DAEMON_CTL_H
#define DEFT_CLI_DAEMON_CTL_H

#include "cli/run.h"

/* start: starts one unless it runs. status: says "not running" as a success. stop: fine when none
 * runs; works on a daemon of any build. logs: reads the file, never asks the daemon. */
int cli_daemon_ctl(struct cli_run *run, struct cli_reply *ret_reply, struct error *e);

#endif
