#include "support/scripted_provider.h"

#include "base/jx.h"
#include "base/limits.h"
#include "support/virtual_clock.h"

#include <stdio.h>
#include <string.h>

static int sp_start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	struct sp *p = ctx;
	if (p->fail_starts > 0) {
		p->fail_starts--;
		return error_set(e, ERR_RUNNER_UNAVAILABLE, "the scripted runner does not start");
	}
	p->started++;
	p->alive = true;
	*ret = (struct cl_endpoint){ .host = "scripted",
		                         .port = (uint16_t)p->started,
		                         .process = { 1000 + p->started, 1 } };
	return 0;
}

static bool sp_alive(void *ctx, const struct cl_endpoint *ep)
{
	return ((struct sp *)ctx)->alive;
}

static void record(struct sp *p, const char *body, size_t len, struct call c)
{
	if (p->n_requests == SP_MAX)
		return;
	struct sp_request *r = &p->requests[p->n_requests++];
	r->body = jx_parse(body, len, NULL);
	snprintf(r->command, sizeof r->command, "%s", jx_get_str(r->body, "command", "?"));
	r->at_ms = virtual_clock_now();
	r->left_ms = deadline_left(c.deadline);
	r->runner = p->started;
}

/* The step for this command, or NULL when the script wants something else. */
static const struct sp_step *next_step(struct sp *p, const char *command)
{
	if (p->at == p->n_script)
		return NULL;
	const struct sp_step *s = &p->script[p->at];
	if (s->forever && s->command && strcmp(s->command, command) != 0) { /* the repetition is over */
		p->at++;
		return next_step(p, command);
	}
	if (s->command && strcmp(s->command, command) != 0)
		return NULL;
	if (!s->forever)
		p->at++;
	return s;
}

static int fail_with(const struct sp_step *s, enum cl_failure *ret_failure, struct error *e)
{
	static const struct {
		enum err_code code;
		const char *text;
	} errors[] = {
		[CL_NOT_SENT] = { ERR_RUNNER_UNAVAILABLE, "the runner did not accept the connection" },
		[CL_LOST] = { ERR_RUNNER_LOST_REPLY, "fetch failed" },
		[CL_TIMED_OUT] = { ERR_TIMEOUT, "the runner did not answer in time" },
		[CL_CANCELED] = { ERR_CANCELED, "the runner's reply was canceled" },
	};
	*ret_failure = s->failure;
	error_set(e, errors[s->failure].code, "%s", errors[s->failure].text);
	if (s->not_sent)
		error_detail(e, "notSent", json_true());
	return -(int)errors[s->failure].code;
}

static int sp_post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                   struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	static const struct sp_step none = { .failure = CL_LOST };
	struct sp *p = ctx;
	record(p, body, len, c);
	const struct sp_step *s = next_step(p, p->requests[p->n_requests - 1].command);
	if (!s) {
		p->unexpected++;
		s = &none;
	}
	int64_t takes =
	    s->failure == CL_TIMED_OUT && !s->takes_ms ? deadline_left(c.deadline) : s->takes_ms;
	virtual_clock_advance(takes);
	if (s->dies)
		p->alive = false;
	if (s->failure != CL_OK)
		return fail_with(s, ret_failure, e);
	buf_adds(reply, s->reply);
	*ret_failure = CL_OK;
	return 0;
}

static void sp_stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	struct sp *p = ctx;
	p->stopped++;
	p->last_grace_ms = grace_ms;
	p->alive = false;
}

static void sp_free(void *ctx)
{
	((struct sp *)ctx)->freed = true;
}

void sp_init(struct sp *p)
{
	*p = (struct sp){ 0 };
}

void sp_done(struct sp *p)
{
	for (size_t i = 0; i < p->n_requests; i++)
		json_decref(p->requests[i].body);
	p->n_requests = 0;
}

struct cl_provider sp_provider(struct sp *p)
{
	return (struct cl_provider){
		.ctx = p,
		.start = sp_start,
		.alive = sp_alive,
		.post = sp_post,
		.stop = sp_stop,
		.free = sp_free,
	};
}

void sp_add(struct sp *p, struct sp_step step)
{
	if (p->n_script < SP_MAX)
		p->script[p->n_script++] = step;
}

void sp_reply(struct sp *p, const char *command, const char *reply)
{
	sp_add(p, (struct sp_step){ .command = command, .reply = reply });
}

void sp_fail(struct sp *p, const char *command, enum cl_failure failure)
{
	sp_add(p, (struct sp_step){ .command = command, .failure = failure });
}

const char *sp_order(const struct sp *p)
{
	static char text[4096];
	size_t n = 0;
	text[0] = '\0';
	for (size_t i = 0; i < p->n_requests && n < sizeof text - 40; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "",
		                      p->requests[i].command);
	return text;
}

const struct sp_request *sp_find(const struct sp *p, const char *command, size_t n)
{
	for (size_t i = 0; i < p->n_requests; i++)
		if (strcmp(p->requests[i].command, command) == 0 && n-- == 0)
			return &p->requests[i];
	return NULL;
}

size_t sp_count(const struct sp *p, const char *command)
{
	size_t n = 0;
	while (sp_find(p, command, n))
		n++;
	return n;
}

bool sp_is_finished(const struct sp *p)
{
	bool used = p->at == p->n_script || (p->at + 1 == p->n_script && p->script[p->at].forever);
	return used && p->unexpected == 0;
}
