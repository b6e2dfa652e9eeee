#include "line.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "client/http_exchange.h"
#include "client/http_provider.h"
#include "wire/runner_msg.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { AUDIT_MS = 20000 };

struct line {
	struct line_opts opts;
	struct cl_provider real;
	struct fault_proxy *proxy;
	struct http_link *link, *direct;
	struct fault_figures before; /* of the proxies that are gone */
	struct fault plan[FAULTS_PLANNED];
	unsigned struck; /* by the proxies that are gone */

	pthread_mutex_t lock; /* what the proxy's threads touch: */
	struct cancel *cancel;
	struct proc_id process, victim; /* of the last kill */
	bool killed;
};

static void on_fault(void *ctx, enum fault_kind kind)
{
	struct line *l = ctx;
	pthread_mutex_lock(&l->lock);
	if (kind == FAULT_KILL) {
		l->killed = true;
		l->victim = l->process;
		proc_id_signal(l->process, SIGKILL);
	} else if (l->cancel) {
		cancel_fire(l->cancel);
	}
	pthread_mutex_unlock(&l->lock);
}

/* --- the provider ---------------------------------------------------------------------------------- */

static void add_figures(struct fault_figures *sum, const struct fault_figures *f)
{
	sum->connections += f->connections;
	sum->exchanges += f->exchanges;
	for (int i = 0; i < FAULT_COUNT; i++)
		sum->struck[i] += f->struck[i];
}

static void hang_up(struct line *l)
{
	http_link_free(l->link);
	http_link_free(l->direct);
	if (l->proxy) {
		struct fault_figures f = fault_proxy_figures(l->proxy);
		add_figures(&l->before, &f);
		l->struck |= fault_proxy_struck(l->proxy);
	}
	fault_proxy_free(l->proxy);
	l->link = l->direct = NULL;
	l->proxy = NULL;
}

/* A new runner meets what its predecessor was spared. */
static void plan_rest(struct line *l)
{
	struct fault rest[FAULTS_PLANNED] = { 0 };
	for (int i = 0; i < FAULTS_PLANNED; i++)
		if (!(l->struck & 1u << i))
			rest[i] = l->plan[i];
	fault_proxy_plan(l->proxy, rest);
}

static int connect_up(struct line *l, const struct cl_endpoint *ep, struct error *e)
{
	pthread_mutex_lock(&l->lock);
	l->process = ep->process;
	pthread_mutex_unlock(&l->lock);
	l->proxy = fault_proxy_new(ep->port, on_fault, l);
	if (!l->proxy)
		return error_set(e, ERR_INTERNAL_ERROR, "the proxy can't be started");
	plan_rest(l);
	int r = http_link_new(&l->link, ep->host, fault_proxy_port(l->proxy), ep->token, e);
	if (r == 0)
		r = http_link_new(&l->direct, ep->host, ep->port, ep->token, e);
	if (r == 0 && !l->opts.prepare(l, l->opts.ctx))
		r = error_set(e, ERR_INTERNAL_ERROR, "the app can't be opened");
	return r;
}

static int line_start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	struct line *l = ctx;
	int r = l->real.start(l->real.ctx, c, ret, e);
	if (r < 0)
		return r;
	r = connect_up(l, ret, e);
	if (r < 0) {
		hang_up(l);
		l->real.stop(l->real.ctx, ret, 0);
	}
	return r;
}

static bool line_alive(void *ctx, const struct cl_endpoint *ep)
{
	struct line *l = ctx;
	return l->real.alive(l->real.ctx, ep);
}

static int line_post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                     struct call c, struct buf *reply, enum cl_failure *ret_failure,
                     struct error *e)
{
	struct line *l = ctx;
	return http_link_post(l->link, body, len, c, reply, ret_failure, e);
}

static void line_stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	struct line *l = ctx;
	hang_up(l);
	l->real.stop(l->real.ctx, ep, grace_ms);
}

static void line_free(void *ctx)
{
	struct line *l = ctx;
	l->real.free(l->real.ctx);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

extern char **environ;

struct line *line_new(const struct line_opts *o)
{
	struct line *l = calloc(1, sizeof *l);
	const struct cl_http_opts http = { .argv = o->argv,
		                               .env = (const char *const *)environ,
		                               .log_path = o->log_path };
	if (!l || cl_http_provider_new(&l->real, &http, NULL) < 0) {
		free(l);
		return NULL;
	}
	l->opts = *o;
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

struct cl_provider line_provider(struct line *l)
{
	return (struct cl_provider){
		.ctx = l,
		.start = line_start,
		.alive = line_alive,
		.post = line_post,
		.stop = line_stop,
		.free = line_free,
	};
}

/* --- the auditor ----------------------------------------------------------------------------------- */

void line_plan(struct line *l, const struct fault faults[FAULTS_PLANNED])
{
	memcpy(l->plan, faults, sizeof l->plan);
	l->struck = 0;
	if (l->proxy)
		fault_proxy_plan(l->proxy, faults);
}

unsigned line_struck(struct line *l)
{
	return l->struck | (l->proxy ? fault_proxy_struck(l->proxy) : 0);
}

void line_flush(struct line *l)
{
	if (l->proxy)
		fault_proxy_flush(l->proxy);
}

struct fault_figures line_figures(struct line *l)
{
	struct fault_figures sum = l->before;
	if (l->proxy) {
		struct fault_figures f = fault_proxy_figures(l->proxy);
		add_figures(&sum, &f);
	}
	return sum;
}

void line_set_cancel(struct line *l, struct cancel *cancel)
{
	pthread_mutex_lock(&l->lock);
	l->cancel = cancel;
	pthread_mutex_unlock(&l->lock);
}

bool line_was_killed(struct line *l)
{
	pthread_mutex_lock(&l->lock);
	bool killed = l->killed;
	l->killed = false;
	struct proc_id victim = l->victim;
	pthread_mutex_unlock(&l->lock);
	while (killed && proc_id_alive(victim)) /* a process of many threads takes a moment to die */
		sched_yield();
	return killed;
}

bool line_is_dead(struct line *l)
{
	pthread_mutex_lock(&l->lock);
	bool dead =
	    l->victim.pid && l->victim.pid == l->process.pid && l->victim.start == l->process.start;
	pthread_mutex_unlock(&l->lock);
	return dead;
}

bool line_is_up(struct line *l)
{
	return l->direct && proc_id_alive(l->process);
}

json_t *line_ask(struct line *l, json_t *request_stolen)
{
	json_t auto_json *request = request_stolen;
	json_t *data = NULL;
	struct buf auto_buf body, auto_buf reply;
	enum cl_failure failure;
	buf_init(&body, LIM_RUNNER_REQUEST);
	buf_init(&reply, LIM_RUNNER_REPLY);
	jx_dump(request, false, &body);
	struct call c = { deadline_in(AUDIT_MS), NULL };
	if (!l->direct || http_link_post(l->direct, body.data, body.len, c, &reply, &failure, NULL) < 0)
		return NULL;
	return wire_reply_parse(reply.data, reply.len, &data, NULL) == 0 ? data : NULL;
}
