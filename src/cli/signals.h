/* Signals of a waiting command line.
 *
 * SIGINT, SIGTERM and SIGHUP cancel the running request; the front end then waits a moment for what
 * the daemon says about it and exits with 128+N. A second one ends the process at once. SIGPIPE is
 * ignored: writing reports the error. */
#ifndef DEFT_CLI_SIGNALS_H
#define DEFT_CLI_SIGNALS_H

#include "base/cancel.h"

/* `cancel` is fired from the handler; it must live as long as the process. */
void cli_signals_install(struct cancel *cancel);
/* The signal that came first, 0: none. */
int cli_signals_seen(void);

#endif
