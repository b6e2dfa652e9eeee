#include "daemon/pool.h"

#include <stdlib.h>

bool dm_pool_init(struct dm_pool *p, unsigned max)
{
	*p = (struct dm_pool){ .max = max };
	p->last = &p->first;
	p->threads = calloc(max, sizeof(*p->threads));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	return p->threads != NULL;
}

/* The next task, or NULL when the pool closes. Called with the lock held. */
static struct dm_task *next_task(struct dm_pool *p)
{
	p->idle++;
	while (!p->first && !p->closed)
		pthread_cond_wait(&p->work, &p->lock);
	p->idle--;
	struct dm_task *t = p->first;
	if (!t)
		return NULL;
	p->first = t->next;
	p->queued--;
	if (!p->first)
		p->last = &p->first;
	return t;
}

static void *worker(void *arg)
{
	struct dm_pool *p = arg;
	struct dm_task *t;
	pthread_mutex_lock(&p->lock);
	while ((t = next_task(p))) {
		pthread_mutex_unlock(&p->lock);
		t->run(t->arg);
		free(t);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* A thread for every queued task: an idle one, or a new one. */
static bool has_thread(struct dm_pool *p)
{
	if (p->queued < p->idle)
		return true;
	if (p->made == p->max || pthread_create(&p->threads[p->made], NULL, worker, p) != 0)
		return false;
	p->made++;
	return true;
}

bool dm_pool_run(struct dm_pool *p, void (*fn)(void *), void *arg)
{
	struct dm_task *t = malloc(sizeof(*t));
	if (!t)
		return false;
	*t = (struct dm_task){ .run = fn, .arg = arg };
	pthread_mutex_lock(&p->lock);
	bool ok = !p->closed && has_thread(p);
	if (ok) {
		*p->last = t;
		p->last = &t->next;
		p->queued++;
		pthread_cond_signal(&p->work);
	}
	pthread_mutex_unlock(&p->lock);
	if (!ok)
		free(t);
	return ok;
}

void dm_pool_done(struct dm_pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->closed = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->made; i++)
		pthread_join(p->threads[i], NULL);
	free(p->threads);
	pthread_cond_destroy(&p->work);
	pthread_mutex_destroy(&p->lock);
}
