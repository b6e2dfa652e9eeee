#include "client/internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "wire/runner_msg.h"

#include <string.h>

/* What a failed probe means for the command that was to follow. */
static enum cl_class class_of_preflight(enum cl_class probe)
{
	switch (probe) {
	case CL_CLASS_NOT_SENT: return CL_CLASS_PREFLIGHT_CONNECT;
	case CL_CLASS_LOST:
	case CL_CLASS_TIMED_OUT: return CL_CLASS_PREFLIGHT_LOST;
	case CL_CLASS_RUNNER_ERROR:
	case CL_CLASS_BAD_REPLY: return CL_CLASS_PREFLIGHT_REFUSED;
	default: return probe;
	}
}

static int run_preflight(struct cl_session *s, struct call c, struct cl_job *job,
                         struct cl_outcome *out, struct error *e)
{
	job->trace->preflight = "used";
	job->trace->preflights++;
	CL_COUNT(s, preflights);
	struct call limited = cl_is_ready(s) ? call_limit(c, LIM_RUNNER_PREFLIGHT_MS) : c;
	bool cut_short = !cl_is_ready(s) || cl_is_cut_short(c, LIM_RUNNER_PREFLIGHT_MS);
	json_t auto_json *data = NULL;
	enum cl_class class;
	int r = cl_probe(s, limited, job, "uptime", NULL, &data, &class, e);
	if (r == 0)
		return 0;
	out->class = class_of_preflight(class);
	bool unanswered =
	    out->class == CL_CLASS_PREFLIGHT_LOST || out->class == CL_CLASS_PREFLIGHT_CONNECT;
	/* When it was the caller's own time that ran out, the runner is not to blame. */
	if (unanswered && cut_short && s->provider.alive(s->provider.ctx, &s->endpoint))
		out->class = CL_CLASS_OUT_OF_TIME;
	if (out->class != CL_CLASS_CANCELED)
		error_detail(e, "runnerReadinessPreflightFailed", json_true());
	return r;
}

static int preflight(struct cl_session *s, struct call c, struct cl_job *job,
                     struct cl_outcome *out, struct error *e)
{
	struct cl_preflight p = cl_preflight_decide(cl_is_ready(s), job->read_only, job->command,
	                                            job->app, &s->recency, clock_now_ms());
	struct cl_trace *t = job->trace;
	t->preflight_reason = p.reason;
	t->proof_age_ms = p.proof_age_ms;
	log_msg(LOG_DEBUG, "client", "preflight of %s %s: %s", job->traits->name,
	        p.run ? "runs" : "is skipped", p.reason);
	if (p.run)
		return run_preflight(s, c, job, out, e);
	t->skip_reason = p.reason;
	out->preflight_skipped = p.proof_age_ms >= 0;
	out->proof_age_ms = p.proof_age_ms;
	t->preflight = out->preflight_skipped ? "skipped" : "not_needed";
	if (out->preflight_skipped) {
		t->preflights_skipped++;
		CL_COUNT(s, preflights_skipped);
	}
	return 0;
}

/* A failure right after a skipped preflight takes the proof away and says so. */
static void doubt_proof(struct cl_session *s, const struct cl_outcome *out, struct error *e)
{
	if (!out->preflight_skipped)
		return;
	cl_step(s, CL_EV_DOUBTED, NULL);
	error_detail(e, "runnerReadinessPreflightSkipped", json_true());
	error_detail_str(e, "runnerReadinessPreflightSkipReason", "recent_healthy_mutation");
	error_detail_int(e, "runnerReadinessPreflightSkippedAgeMs", out->proof_age_ms);
}

static int send(struct cl_session *s, struct call c, struct cl_job *job, struct buf *reply,
                struct cl_outcome *out, struct error *e)
{
	enum cl_failure failure = CL_OK;
	int r = job->read_only ? cl_post_retrying(s, c, job, &job->body, false, reply, &failure, e)
	                       : cl_post_once(s, c, job, &job->body, reply, &failure, e);
	out->class = cl_class_of(failure);
	out->sent = failure != CL_NOT_SENT;
	/* A read is tried until its time is up: with a living runner that is all that can be said. */
	if (job->read_only && !out->sent && s->provider.alive(s->provider.ctx, &s->endpoint))
		out->class = CL_CLASS_OUT_OF_TIME;
	if (r < 0) {
		doubt_proof(s, out, e);
		if (failure == CL_CANCELED && jx_get_bool(e->details, "notSent", false))
			out->sent = false;
	}
	return r;
}

/* Error codes after which a runner can't be trusted (4.8). */
static const struct {
	const char *code, *reason;
} fatal_codes[] = {
	{ "IOS_AX_SNAPSHOT_FAILED", "ax_snapshot_failure" },
	{ "XCTEST_RECORDED_FAILURE", "xctest_recorded_failure" },
	{ "RUNNER_WEDGED", "runner_main_thread_wedged" },
};

static void drop_after_fatal_error(struct cl_session *s, struct cl_job *job, const struct error *e)
{
	const char *code = jx_get_str(e->details, "remoteCode", error_code_name(e->code));
	for (size_t i = 0; i < ARRAY_SIZE(fatal_codes); i++)
		if (strcmp(code, fatal_codes[i].code) == 0)
			cl_drop(s, fatal_codes[i].reason, job->trace);
}

/* A reply may be good and its runner at an end. The trace keeps static text only. */
static bool drop_after_fatal_reply(struct cl_session *s, struct cl_job *job, const json_t *data)
{
	if (!jx_get_bool(data, "runnerFatal", false))
		return false;
	const char *told = jx_get_str(data, "runnerFatalReason", "");
	if (told[0])
		log_msg(LOG_WARN, "client", "the runner reports a fatal state: %s", told);
	bool known = strcmp(told, "ax_snapshot_unavailable") == 0;
	cl_drop(s, known ? "ax_snapshot_unavailable" : "runner_reported_fatal_response", job->trace);
	return true;
}

int cl_execute(struct cl_session *s, struct call c, struct cl_job *job, json_t **ret_data,
               struct cl_outcome *ret, struct error *e)
{
	struct cl_outcome out = { .class = CL_CLASS_NONE, .proof_age_ms = -1 };
	struct buf auto_buf reply;
	buf_init(&reply, LIM_RUNNER_REPLY);
	int r = preflight(s, c, job, &out, e);
	if (r == 0 && (r = call_check(c, job->traits->name, e)) < 0)
		out.class = r == -ERR_CANCELED ? CL_CLASS_CANCELED : CL_CLASS_OUT_OF_TIME;
	if (r == 0)
		r = send(s, c, job, &reply, &out, e);
	if (r == 0) {
		r = cl_parse(s, &reply, ret_data, &out.class, e);
		if (r == 0 && !drop_after_fatal_reply(s, job, *ret_data) && job->traits->preflight_skip)
			cl_step(s, CL_EV_PROVED, &(struct cl_news){ .app = job->app });
		if (out.class == CL_CLASS_BAD_REPLY)
			doubt_proof(s, &out, e);
		if (out.class == CL_CLASS_RUNNER_ERROR)
			drop_after_fatal_error(s, job, e);
	}
	*ret = out;
	return r;
}
