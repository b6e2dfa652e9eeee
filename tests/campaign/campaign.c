/* Exactly once, for real: the runner client, HTTP and a runner program with a line between them that
 * fails in every way. Each run follows from its number; the runner and its app tell what happened.
 *
 *   campaign [--world virtual|grid] [--seed N] [--runs N] [--sweep STRIDE] [--threads N] --runner PROGRAM …
 *
 *   --runs    so many runs of chance, from seed N on (20000, from 1)
 *   --sweep   every STRIDE-th run of the sweep over all byte positions (1: all of it; 0: none)
 *   --one N, --one-sweep N   only this run
 *
 * Figures go to stdout as TAP comments, one TAP line for each property follows. Exit status 1 when one
 * is broken. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/number.h"
#include "series.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const struct world_ops *world;
	int64_t seed, runs, sweep, threads, one, one_sweep;
	const char *const *runner;
};

struct campaign {
	const struct options *o;
	char dir[64];
	atomic_llong next; /* number of the next run, over sweep and chance */
	pthread_mutex_t lock;
	struct figures sum;
};

/* --- what must not leak ----------------------------------------------------------------------------- */

static int count_entries(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static int count_children(void)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "r");
	int n = 0, pid;
	while (f && fscanf(f, "%d", &pid) == 1)
		n++;
	if (f)
		fclose(f);
	return n;
}

struct belongings {
	int descriptors, threads, children;
};

static struct belongings take_stock(void)
{
	return (struct belongings){ count_entries("/proc/self/fd"), count_entries("/proc/self/task"),
		                        count_children() };
}

/* What the process keeps for good (the thread that starts programs) is there after this. */
static void warm_up(const struct campaign *c)
{
	struct figures f = { 0 };
	struct series *s = series_new(c->o->world, c->dir, c->o->runner);
	series_run(s, &(struct plan){ .from = FROM_READY }, &f);
	series_free(s, &f);
}

static int judge_belongings(const struct belongings *before, int number)
{
	struct belongings now = take_stock();
	bool same = now.descriptors == before->descriptors && now.threads == before->threads &&
	            now.children == before->children;
	printf("# descriptors %d, threads %d, children %d before; %d, %d, %d after\n",
	       before->descriptors - 2, before->threads - 2, before->children, now.descriptors - 2,
	       now.threads - 2, now.children);
	printf("%s %d - no descriptor, thread or process is left behind\n", same ? "ok" : "not ok",
	       number);
	return !same;
}

/* --- threads ---------------------------------------------------------------------------------------- */

static int64_t sweep_runs(const struct options *o)
{
	return o->sweep > 0 ? ((int64_t)plan_sweep_size() + o->sweep - 1) / o->sweep : 0;
}

static struct plan plan_of(const struct options *o, int64_t number)
{
	if (o->one_sweep >= 0)
		return plan_sweep((uint64_t)o->one_sweep, 0);
	if (o->one >= 0)
		return plan_random((uint64_t)o->one, o->world->kinds);
	if (number < sweep_runs(o))
		return plan_sweep((uint64_t)(number * o->sweep), 0);
	return plan_random((uint64_t)(o->seed + number - sweep_runs(o)), o->world->kinds);
}

static int64_t all_runs(const struct options *o)
{
	return o->one >= 0 || o->one_sweep >= 0 ? 1 : sweep_runs(o) + o->runs;
}

static void *work(void *arg)
{
	struct campaign *c = arg;
	struct figures f = { 0 };
	struct series *s = series_new(c->o->world, c->dir, c->o->runner);
	for (int64_t i; (i = atomic_fetch_add(&c->next, 1)) < all_runs(c->o);) {
		struct plan plan = plan_of(c->o, i);
		if (!series_run(s, &plan, &f))
			break;
	}
	series_free(s, &f);
	pthread_mutex_lock(&c->lock);
	figures_add(&c->sum, &f);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void run_all(struct campaign *c)
{
	pthread_t threads[64];
	int n = 0;
	for (; n < c->o->threads && n < (int)ARRAY_SIZE(threads); n++)
		if (pthread_create(&threads[n], NULL, work, c) != 0)
			break;
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* --- options ---------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void usage(const char *what)
{
	fprintf(stderr, "campaign: %s\n", what);
	exit(2);
}

static void read_options(int argc, char **argv, struct options *o)
{
	struct {
		const char *name;
		int64_t *value;
	} numbers[] = { { "--seed", &o->seed },   { "--runs", &o->runs },
		            { "--sweep", &o->sweep }, { "--threads", &o->threads },
		            { "--one", &o->one },     { "--one-sweep", &o->one_sweep } };
	for (int i = 1; i + 1 < argc; i += 2) {
		bool known = false;
		if (strcmp(argv[i], "--runner") == 0) {
			o->runner = (const char *const *)&argv[i + 1];
			return;
		}
		if (strcmp(argv[i], "--world") == 0) {
			o->world = strcmp(argv[i + 1], "grid") == 0 ? &world_grid : &world_virtual;
			known = true;
		}
		for (size_t k = 0; k < ARRAY_SIZE(numbers) && !known; k++)
			known = strcmp(argv[i], numbers[k].name) == 0 &&
			        number_parse_int(argv[i + 1], numbers[k].value);
		if (!known)
			usage(argv[i]);
	}
	usage("--runner PROGRAM is missing");
}

int main(int argc, char **argv)
{
	struct options o = { .world = &world_virtual,
		                 .seed = 1,
		                 .runs = 20000,
		                 .sweep = 1,
		                 .threads = 8,
		                 .one = -1,
		                 .one_sweep = -1 };
	read_options(argc, argv, &o);
	struct campaign c = { .o = &o };
	snprintf(c.dir, sizeof c.dir, "/tmp/deft-campaign-XXXXXX");
	if (!mkdtemp(c.dir))
		usage("no temporary directory");
	pthread_mutex_init(&c.lock, NULL);
	log_set_level(LOG_ERROR); /* ours; the runners tell everything */
	setenv("DEFT_LOG", "debug", 1);
	int64_t from = clock_now_us();
	warm_up(&c);
	struct belongings before = take_stock();
	run_all(&c);
	figures_print(&c.sum, o.world->name, (double)(clock_now_us() - from) / 1e6);
	int broken = figures_judge(&c.sum, 1);
	broken += judge_belongings(&before, PROPERTY_COUNT + 1);
	bool whole = (int64_t)c.sum.runs == all_runs(&o);
	printf("%s %d - every run was run\n1..%d\n", whole ? "ok" : "not ok", PROPERTY_COUNT + 2,
	       PROPERTY_COUNT + 2);
	rmdir(c.dir);
	pthread_mutex_destroy(&c.lock);
	return broken || !whole;
}
