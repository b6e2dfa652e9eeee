/* Commands that the front end answers itself: help, version, completion, and those about the daemon
 * that must work without one. */
#ifndef DEFT_CLI_LOCAL_H
#define DEFT_CLI_LOCAL_H

#include "cli/run.h"

/* 0 with *ret_reply, the error, or CLI_NOT_LOCAL when the daemon has to answer the line. */
#define CLI_NOT_LOCAL 1
int cli_local_run(struct cli_run *run, struct cli_reply *ret_reply, struct error *e);
/* The help of a command, or of all (spec NULL), as {"text":…}. */
void cli_local_help(const struct cmd_spec *spec, int width, struct cli_reply *ret_reply);

#endif
