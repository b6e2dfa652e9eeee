/* What `wait` waits for: read from the words of a command line or from named arguments. */
#ifndef DEFT_COMMAND_WAIT_FOR_H
#define DEFT_COMMAND_WAIT_FOR_H

#include "daemon/daemon.h"
#include "ui/selector.h"

enum wait_kind { WAIT_NONE, WAIT_MS, WAIT_TEXT, WAIT_SELECTOR, WAIT_GONE, WAIT_STABLE };

struct wait_for {
	enum wait_kind kind;
	char *what;                   /* text or selector, owned; NULL for ms and stable */
	struct ui_selector *selector; /* owned */
	int64_t ms, timeout_ms, quiet_ms;
};

/* -ERR_INVALID_ARGS when nothing or more than one thing is waited for. wait_for_done() also after a
 * failure. */
int wait_for_read(struct dm_request *rq, struct wait_for *ret, struct error *e);
void wait_for_done(struct wait_for *w);

#endif
