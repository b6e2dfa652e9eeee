#include "daemon/locks.h"

#include "base/clock.h"
#include "daemon/cond.h"

#include <stdlib.h>
#include <string.h>

struct dm_key {
	struct dm_key *next;
	struct dm_ticket *queue; /* the first one holds the key */
	char name[];
};

void dm_locks_init(struct dm_locks *t)
{
	*t = (struct dm_locks){ .keys = NULL };
	pthread_mutex_init(&t->lock, NULL);
	dm_cond_init(&t->changed);
}

void dm_locks_done(struct dm_locks *t)
{
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
}

static struct dm_key **find(struct dm_locks *t, const char *name)
{
	struct dm_key **at = &t->keys;
	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	return at;
}

static struct dm_key *obtain(struct dm_locks *t, const char *name)
{
	struct dm_key **at = find(t, name);
	if (!*at) {
		size_t size = strlen(name) + 1;
		*at = calloc(1, sizeof(**at) + size);
		if (*at)
			memcpy((*at)->name, name, size);
	}
	return *at;
}

bool dm_ticket_take(struct dm_locks *t, struct dm_ticket *k, const char *key, const char *what)
{
	pthread_mutex_lock(&t->lock);
	*k = (struct dm_ticket){ .key = obtain(t, key), .what = what, .since_ms = clock_now_ms() };
	if (k->key) {
		struct dm_ticket **at = &k->key->queue;
		while (*at)
			at = &(*at)->next;
		*at = k;
	}
	pthread_mutex_unlock(&t->lock);
	return k->key != NULL;
}

static int busy(const struct dm_ticket *holder, const char *key, struct error *e)
{
	int64_t for_ms = clock_now_ms() - holder->since_ms;
	error_set(e, ERR_SESSION_BUSY, "`%s` has been running in %s for %lld ms", holder->what, key,
	          (long long)for_ms);
	error_detail_str(e, "command", holder->what);
	error_detail_int(e, "runningMs", for_ms);
	return -ERR_SESSION_BUSY;
}

int dm_ticket_wait(struct dm_locks *t, struct dm_ticket *k, struct call c, struct error *e)
{
	int r = 0;
	pthread_mutex_lock(&t->lock);
	while (k->key->queue != k) {
		if (cancel_fired(c.cancel) || deadline_over(c.deadline)) {
			r = cancel_fired(c.cancel) ? call_check(c, "waiting for the session", e)
			                           : busy(k->key->queue, k->key->name, e);
			break;
		}
		dm_cond_wait(&t->changed, &t->lock, deadline_left(c.deadline));
	}
	if (r == 0)
		k->since_ms = clock_now_ms();
	pthread_mutex_unlock(&t->lock);
	return r;
}

void dm_ticket_drop(struct dm_locks *t, struct dm_ticket *k)
{
	if (!k->key)
		return;
	pthread_mutex_lock(&t->lock);
	struct dm_ticket **at = &k->key->queue;
	while (*at != k)
		at = &(*at)->next;
	*at = k->next;
	if (!k->key->queue) {
		struct dm_key **key = find(t, k->key->name);
		*key = k->key->next;
		free(k->key);
	}
	*k = (struct dm_ticket){ .key = NULL };
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}

bool dm_key_free(struct dm_locks *t, const char *key)
{
	pthread_mutex_lock(&t->lock);
	bool nobody = *find(t, key) == NULL;
	pthread_mutex_unlock(&t->lock);
	return nobody;
}

void dm_locks_wake(struct dm_locks *t)
{
	pthread_mutex_lock(&t->lock);
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
}
