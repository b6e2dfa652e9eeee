/* Keyed locks with fair queues: who asks first gets the key first. A request queues for its session
 * when its line is read (so that pipelined commands of one session run in their order) and waits for
 * its turn on its own thread.
 *
 * Order: a request takes its session's key first and then at most one device key; whoever holds a
 * device key waits for no other key. So there are no circles.
 *
 * THREADS: everything may be called from any thread; one ticket belongs to one request. */
#ifndef DEFT_DAEMON_LOCKS_H
#define DEFT_DAEMON_LOCKS_H

#include "base/cancel.h"
#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct dm_key;

struct dm_locks {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct dm_key *keys;
};

/* A place in the queue of one key; {0} is none. Must not move while it is queued. */
struct dm_ticket {
	struct dm_key *key;
	struct dm_ticket *next;
	const char *what; /* command name, borrowed: who holds the key, for the others' errors */
	int64_t since_ms; /* queued, then: got it */
};

void dm_locks_init(struct dm_locks *t);
void dm_locks_done(struct dm_locks *t);

/* Queues for the key without waiting. False: out of memory. */
bool dm_ticket_take(struct dm_locks *t, struct dm_ticket *k, const char *key, const char *what);
/* Waits until the ticket is first. -ERR_SESSION_BUSY names the command that holds the key when the
 * call's deadline passes first; -ERR_CANCELED. The ticket stays queued on failure. */
int dm_ticket_wait(struct dm_locks *t, struct dm_ticket *k, struct call c, struct error *e);
/* Gives the key back, or leaves the queue. Nothing on an empty ticket. */
void dm_ticket_drop(struct dm_locks *t, struct dm_ticket *k);
/* Nobody holds or waits for the key. */
bool dm_key_free(struct dm_locks *t, const char *key);
/* After a cancel token was fired: waiters look at theirs. */
void dm_locks_wake(struct dm_locks *t);

#endif
