/* Condition variables on the monotonic clock. */
#ifndef DEFT_DAEMON_COND_H
#define DEFT_DAEMON_COND_H

#include <pthread.h>
#include <stdint.h>

void dm_cond_init(pthread_cond_t *c);
/* Waits for a signal or ms (INT64_MAX: for ever); wakes for no reason, too: the caller loops. */
void dm_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, int64_t ms);

#endif
