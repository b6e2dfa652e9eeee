#include "series.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "client/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLACK_MS = 8000, /* beyond a deadline: ending a runner, a slow machine */
	CLEAN_MS = 8000, /* for a command without a fault */
	BOOK_READINGS = 20,
	REPORTS = 4096,
};

/* What was said of a mutation, to be held against what becomes of it later. */
struct report {
	char id[40];
	bool never; /* "not carried out" */
	struct plan plan;
};

struct series {
	const struct world_ops *ops;
	const char *dir;
	const char *const *argv;
	struct world *world;
	struct cl_session *session;
	unsigned sent; /* commands to this world */
	uint64_t serial;
	struct report *reports;
	size_t n_reports;
	bool killed;      /* a fault killed a runner in this run, or the one it began with */
	bool out_of_step; /* a fault may have left an answer on the connection that nobody waits for */
};

/* --- sessions -------------------------------------------------------------------------------------- */

static void judge_reports(struct series *s, struct figures *f)
{
	s->ops->settle(s->world);
	for (size_t i = 0; i < s->n_reports; i++) {
		const struct report *r = &s->reports[i];
		int n = s->ops->executed(s->world, r->id);
		if (n > 1)
			figures_broken(f, AT_MOST_ONCE, &r->plan, r->id);
		if (r->never && n > 0)
			figures_broken(f, FAILURE_IS_TRUE, &r->plan, "carried out after all, later");
	}
	s->n_reports = 0;
}

static void end_session(struct series *s, struct figures *f)
{
	if (!s->world)
		return;
	struct cl_counters c;
	cl_session_counters(s->session, &c);
	judge_reports(s, f);
	struct fault_figures line = line_figures(s->ops->line(s->world));
	figures_add(f, &(struct figures){ .line = line, .runners = 1 + c.restarts });
	cl_session_free(s->session); /* and the line */
	s->ops->close(s->world);
	s->session = NULL;
	s->world = NULL;
	s->sent = 0;
	s->killed = false;
}

static bool begin_session(struct series *s)
{
	s->world = s->ops->open(s->dir, s->argv);
	if (!s->world)
		return false;
	struct cl_provider provider = line_provider(s->ops->line(s->world));
	return cl_session_new(&s->session, &provider, NULL) == 0;
}

struct series *series_new(const struct world_ops *ops, const char *dir, const char *const *argv)
{
	struct series *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	*s = (struct series){ .ops = ops, .dir = dir, .argv = argv };
	s->reports = calloc(REPORTS, sizeof *s->reports);
	return s;
}

void series_free(struct series *s, struct figures *f)
{
	end_session(s, f);
	free(s->reports);
	free(s);
}

/* --- one command ----------------------------------------------------------------------------------- */

struct sent {
	char id[40];
	bool mutation;
	int result;
	struct error error;
	struct cl_trace trace;
	int64_t took_us;
};

static void send_one(struct series *s, const struct plan *plan, unsigned kind, int deadline_ms,
                     struct cancel *cancel, struct sent *ret)
{
	*ret = (struct sent){ .mutation = s->ops->is_mutation(kind), .error = ERROR_INIT };
	snprintf(ret->id, sizeof ret->id, "c%llu-%llu", (unsigned long long)plan->number,
	         (unsigned long long)s->serial++);
	json_t auto_json *request = s->ops->command(s->world, kind, ret->id);
	json_t auto_json *data = NULL;
	int64_t from = clock_now_us();
	struct call c = { deadline_in(deadline_ms), cancel };
	ret->result = cl_send(s->session, c, request, &data, &ret->trace, &ret->error);
	ret->took_us = clock_now_us() - from;
	s->sent++;
}

static const char *said(const struct sent *sent)
{
	return jx_get_str(sent->error.details, "executed", "");
}

static enum outcome outcome_of(const struct sent *sent)
{
	if (!sent->mutation)
		return sent->result == 0 ? READ : READ_FAILED;
	if (sent->result == 0)
		return DONE;
	if (strcmp(said(sent), "no") == 0)
		return jx_get_bool(sent->error.details, "runner", false) ? FAILED_REFUSED : FAILED_NO;
	return strcmp(said(sent), "yes") == 0 ? FAILED_YES : FAILED_UNKNOWN;
}

static void count(struct figures *f, const struct sent *sent, int deadline_ms)
{
	int64_t over = sent->took_us - (int64_t)deadline_ms * 1000;
	f->commands++;
	f->outcomes[outcome_of(sent)]++;
	f->requests += (uint64_t)sent->trace.requests;
	f->retries += (uint64_t)sent->trace.retries;
	f->preflights += sent->trace.preflight && strcmp(sent->trace.preflight, "used") == 0;
	f->skipped += sent->trace.preflight && strcmp(sent->trace.preflight, "skipped") == 0;
	figures_word(&f->recoveries, sent->trace.recovery, 1);
	figures_word(&f->invalidations, sent->trace.invalidation, 1);
	if (sent->took_us > f->longest_us)
		f->longest_us = sent->took_us;
	if (over > f->longest_over_us)
		f->longest_over_us = over;
}

/* --- judging --------------------------------------------------------------------------------------- */

static void judge_mutation(struct series *s, const struct plan *plan, const struct sent *sent,
                           struct figures *f)
{
	int n = s->ops->executed(s->world, sent->id);
	enum outcome outcome = outcome_of(sent);
	struct buf auto_buf how;
	buf_init(&how, 1024);
	buf_addf(&how, "%s: carried out %d times, said \"%s\" (%s: %s)", sent->id, n, said(sent),
	         error_code_name(sent->error.code), sent->error.message ? sent->error.message : "");
	if (n > 1)
		figures_broken(f, AT_MOST_ONCE, plan, how.data);
	if (outcome == DONE && n != 1)
		figures_broken(f, SUCCESS_IS_TRUE, plan, how.data);
	if ((outcome == FAILED_NO || outcome == FAILED_REFUSED) && n != 0)
		figures_broken(f, FAILURE_IS_TRUE, plan, how.data);
	if (outcome == FAILED_YES && n != 1)
		figures_broken(f, FAILURE_IS_TRUE, plan, how.data);
	if (sent->result < 0 && !said(sent)[0])
		figures_broken(f, FAILURE_IS_TRUE, plan, "details.executed is missing");
	f->unknown_done += outcome == FAILED_UNKNOWN && n == 1;
	f->unknown_not_done += outcome == FAILED_UNKNOWN && n == 0;
	if (s->n_reports < REPORTS) {
		struct report *r = &s->reports[s->n_reports++];
		*r = (struct report){ .never = outcome == FAILED_NO || outcome == FAILED_REFUSED,
			                  .plan = *plan };
		snprintf(r->id, sizeof r->id, "%s", sent->id);
	}
}

static bool leaves_an_answer(const struct plan *plan)
{
	for (int i = 0; i < FAULTS_PLANNED; i++) {
		const struct fault *f = &plan->faults[i];
		if (f->kind == FAULT_CORRUPT ||
		    (f->side == ON_REPLY && (f->kind == FAULT_DUPLICATE || f->kind == FAULT_REORDER)))
			return true;
	}
	return false;
}

/* Why a runner may be given up: it died; a question was not answered in all the time it had; or the
 * runner itself said that it knows nothing of the command. */
static bool may_tear_down(const struct series *s, const struct sent *sent, unsigned struck)
{
	if (s->killed)
		return true;
	/* Every question was asked for all its time. */
	if (struck && sent->took_us >= LIM_RUNNER_PREFLIGHT_MS * 900)
		return true;
	return sent->trace.recovery && strcmp(sent->trace.recovery, "unknown_lifecycle_state") == 0;
}

static void tell_tear_down(struct series *s, const struct plan *plan, const struct sent *sent,
                           struct figures *f)
{
	struct buf auto_buf how;
	buf_init(&how, 1024);
	buf_addf(&how, "%s: %s, recovery %s, the runner %s it, %.1f ms", sent->id,
	         sent->trace.invalidation, sent->trace.recovery ? sent->trace.recovery : "none",
	         s->ops->heard(s->world, sent->id) ? "heard of" : "never heard of",
	         (double)sent->took_us / 1000);
	figures_broken(f, NOT_TORN_DOWN, plan, how.data);
}

static void judge(struct series *s, const struct plan *plan, const struct sent *sent, bool hit,
                  struct figures *f)
{
	s->killed |= line_was_killed(s->ops->line(s->world));
	unsigned struck = line_struck(s->ops->line(s->world));
	line_flush(s->ops->line(s->world));
	if (!s->ops->settle(s->world) && !s->killed && line_is_up(s->ops->line(s->world)))
		figures_broken(f, BOOKS_AGREE, plan, "the auditor gets no answer");
	int deadline_ms = hit ? plan->deadline_ms : CLEAN_MS;
	if (sent->took_us > (int64_t)(deadline_ms + SLACK_MS) * 1000)
		figures_broken(f, NO_HANG, plan, sent->id);
	if (sent->mutation)
		judge_mutation(s, plan, sent, f);
	f->asked_early += sent->trace.recovery && s->ops->heard(s->world, sent->id) &&
	                  strcmp(sent->trace.recovery, "unknown_lifecycle_state") == 0;
	if (sent->trace.invalidation && !may_tear_down(s, sent, struck))
		tell_tear_down(s, plan, sent, f);
	/* The answer left over costs the next command its own: it says so, and goes on. */
	if (!hit && sent->result < 0 && !s->out_of_step)
		figures_broken(f, RECOVERS, plan, sent->error.message);
	s->out_of_step = hit && struck && leaves_an_answer(plan);
}

/* --- runs ------------------------------------------------------------------------------------------ */

static const struct fault no_faults[FAULTS_PLANNED] = { { .kind = FAULT_NONE } };

/* A command without a fault: it must succeed. */
static bool send_clean(struct series *s, const struct plan *plan, unsigned kind, struct figures *f)
{
	struct sent sent;
	line_plan(s->ops->line(s->world), no_faults);
	send_one(s, plan, kind, CLEAN_MS, NULL, &sent);
	count(f, &sent, CLEAN_MS);
	judge(s, plan, &sent, false, f);
	bool ok = sent.result == 0;
	error_clear(&sent.error);
	return ok;
}

static bool bring_into_state(struct series *s, const struct plan *plan, struct figures *f)
{
	if (plan->from == FROM_NEW || s->sent >= s->ops->lasts)
		end_session(s, f);
	if (!s->world && !begin_session(s))
		return false;
	if (plan->from == FROM_NEW) {
		/* The runner must run for its line to be faulty; the session has not heard of it yet. */
		struct cl_trace trace = { 0 };
		return cl_ensure(s->session, (struct call){ deadline_in(20000), NULL }, &trace, NULL) == 0;
	}
	for (int i = 0; i < 2 && !send_clean(s, plan, 0, f); i++)
		if (i > 0)
			return false;
	if (plan->from == FROM_READY)
		cl_step(s->session, CL_EV_DOUBTED, NULL);
	return true;
}

static void send_hit(struct series *s, const struct plan *plan, unsigned i, struct figures *f)
{
	struct cancel cancel;
	struct sent sent;
	struct line *line = s->ops->line(s->world);
	if (cancel_init(&cancel, NULL) < 0)
		return;
	line_plan(line, plan->faults);
	line_set_cancel(line, &cancel);
	send_one(s, plan, plan->kinds[i], plan->deadline_ms, &cancel, &sent);
	line_set_cancel(line, NULL);
	count(f, &sent, plan->deadline_ms);
	f->unmet += line_struck(line) == 0;
	judge(s, plan, &sent, true, f);
	error_clear(&sent.error);
	cancel_done(&cancel);
}

/* What arrives while the books are read is in one of them only: then they are read again. */
static bool books_agree(struct series *s, struct buf *why)
{
	for (int i = 0; i < BOOK_READINGS; i++) {
		buf_reset(why);
		if (s->ops->agrees(s->world, why))
			return true;
		clock_wait(10, NULL, NULL);
	}
	return false;
}

bool series_run(struct series *s, const struct plan *plan, struct figures *f)
{
	struct buf auto_buf why;
	buf_init(&why, 1024);
	f->runs++;
	f->from[plan->from]++;
	s->killed = s->world && line_is_dead(s->ops->line(s->world));
	if (!bring_into_state(s, plan, f)) {
		figures_broken(f, RECOVERS, plan, "the session can't be brought into its state");
		return false;
	}
	for (unsigned i = 0; i < plan->n_commands; i++) {
		if (i == plan->hit)
			send_hit(s, plan, i, f);
		else
			send_clean(s, plan, plan->kinds[i], f);
	}
	if (!books_agree(s, &why))
		figures_broken(f, BOOKS_AGREE, plan, why.data);
	return true;
}
