/* Cancellation token: set once, seen by every thread, and a descriptor to poll beside others.
 * cancel_fire() is async-signal-safe. A NULL token means "cannot be canceled". */
#ifndef DEFT_BASE_CANCEL_H
#define DEFT_BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"

struct cancel {
	atomic_bool fired;
	int fd; /* eventfd, readable once fired */
};

int cancel_init(struct cancel *c, struct error *e);
void cancel_done(struct cancel *c);
void cancel_fire(struct cancel *c);
bool cancel_fired(const struct cancel *c);

/* What every blocking call gets: how long, and who may stop it. Passed by value. */
struct call {
	struct deadline deadline;
	struct cancel *cancel; /* borrowed, may be NULL */
};
#define CALL_FOREVER ((struct call){ DEADLINE_NEVER, NULL })

/* 0, or -ERR_CANCELED / -ERR_TIMEOUT ("<what> took too long"). */
int call_check(struct call c, const char *what, struct error *e);
/* The same call with at most ms left. */
struct call call_limit(struct call c, int64_t ms);
/* Waits for events on fd: >0 the poll revents, or -ERR_TIMEOUT, -ERR_CANCELED, -ERR_IO_ERROR. */
int call_poll(struct call c, int fd, short events, const char *what, struct error *e);

#endif
