#include "daemon/cond.h"

#include <time.h>

void dm_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
}

void dm_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, int64_t ms)
{
	struct timespec at;
	if (ms == INT64_MAX) {
		pthread_cond_wait(c, m);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec += (time_t)(ms / 1000);
	at.tv_nsec += (long)(ms % 1000) * 1000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_sec++;
		at.tv_nsec -= 1000000000;
	}
	pthread_cond_timedwait(c, m, &at);
}
