/* Worker threads for connections and requests: made when needed, kept, at most `max`. */
#ifndef DEFT_DAEMON_POOL_H
#define DEFT_DAEMON_POOL_H

#include <pthread.h>
#include <stdbool.h>

struct dm_task {
	struct dm_task *next;
	void (*run)(void *arg);
	void *arg;
};

struct dm_pool {
	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_t *threads;
	struct dm_task *first, **last;
	unsigned max, made, idle, queued;
	bool closed;
};

/* False: out of memory. */
bool dm_pool_init(struct dm_pool *p, unsigned max);
/* Runs fn(arg) on a thread of its own, at once. False when `max` threads are busy. */
bool dm_pool_run(struct dm_pool *p, void (*fn)(void *), void *arg);
/* Waits for every running task and ends the threads. */
void dm_pool_done(struct dm_pool *p);

#endif
