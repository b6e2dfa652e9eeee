#include "client/internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "wire/runner_msg.h"

#include <string.h>

/* Status-before-invalidate (runner protocol 4.10): answer x command class. A mutation is never sent
 * again; accepted, started, completed and failed never end a session. */
static const struct cl_recovery_row rows[CL_ANSWER_COUNT] = {
	[CL_ANSWER_UNAVAILABLE] = { { CL_ACT_TRANSPORT_ERROR, CL_ACT_TRANSPORT_ERROR },
	                            true,
	                            { "status_recovery_unavailable", "status_recovery_unavailable" },
	                            NULL,
	                            "unknown" },
	[CL_ANSWER_PROBE_FAILED] = { { CL_ACT_TRANSPORT_ERROR, CL_ACT_TRANSPORT_ERROR },
	                             true,
	                             { "status_probe_failed", "status_probe_failed" },
	                             "status_probe_failed",
	                             "unknown" },
	[CL_ANSWER_OUT_OF_TIME] = { { CL_ACT_TRANSPORT_ERROR, CL_ACT_TRANSPORT_ERROR },
	                            false,
	                            { "status_probe_out_of_time", "status_probe_out_of_time" },
	                            "status_probe_out_of_time",
	                            "unknown" },
	[CL_ANSWER_COMPLETED_REPLY] = { { CL_ACT_RETURN_REPLY, CL_ACT_RETURN_REPLY },
	                                false,
	                                { "completed_with_retained_response",
	                                  "completed_with_retained_response" },
	                                NULL,
	                                "yes" },
	[CL_ANSWER_COMPLETED] = { { CL_ACT_LOST_REPLY, CL_ACT_TRANSPORT_ERROR },
	                          false,
	                          { "completed_without_retained_response",
	                            "read_only_completed_without_retained_response" },
	                          "completed_without_retained_response",
	                          "yes" },
	[CL_ANSWER_FAILED] = { { CL_ACT_RUNNER_FAILURE, CL_ACT_RUNNER_FAILURE },
	                       false,
	                       { "runner_reported_failure", "runner_reported_failure" },
	                       "runner_reported_failure",
	                       NULL },
	[CL_ANSWER_IN_FLIGHT] = { { CL_ACT_LOST_REPLY, CL_ACT_TRANSPORT_ERROR },
	                          false,
	                          { "command_still_in_flight", "command_still_in_flight" },
	                          "command_still_in_flight",
	                          "unknown" },
	[CL_ANSWER_UNKNOWN_STATE] = { { CL_ACT_LOST_REPLY, CL_ACT_LOST_REPLY },
	                              true,
	                              { "unknown_lifecycle_state", "unknown_lifecycle_state" },
	                              "lifecycle_state_not_recoverable",
	                              "unknown" },
	[CL_ANSWER_NO_STATE] = { { CL_ACT_LOST_REPLY, CL_ACT_LOST_REPLY },
	                         true,
	                         { "missing_lifecycle_state", "missing_lifecycle_state" },
	                         "lifecycle_state_not_recoverable",
	                         "unknown" },
};

const struct cl_recovery_row *cl_recovery_row(enum cl_answer answer)
{
	return &rows[answer];
}

/* The `data` of a retained ok reply (an empty object when it is none), or NULL. */
static json_t *retained_data(const json_t *status)
{
	const char *text = jx_get_str(status, "lifecycleResponseJson", NULL);
	json_t *data = NULL;
	if (!text || wire_reply_parse(text, strlen(text), &data, NULL) < 0)
		return NULL;
	return data;
}

static enum cl_answer answer_of(const json_t *status, json_t **ret_data)
{
	const char *state = jx_get_str(status, "lifecycleState", "");
	if (state[0] == '\0')
		return CL_ANSWER_NO_STATE;
	if (strcmp(state, "accepted") == 0 || strcmp(state, "started") == 0)
		return CL_ANSWER_IN_FLIGHT;
	if (strcmp(state, "failed") == 0)
		return CL_ANSWER_FAILED;
	if (strcmp(state, "completed") != 0)
		return CL_ANSWER_UNKNOWN_STATE;
	*ret_data = retained_data(status);
	return *ret_data ? CL_ANSWER_COMPLETED_REPLY : CL_ANSWER_COMPLETED;
}

static enum cl_answer ask(struct cl_session *s, struct call c, struct cl_job *job,
                          json_t **ret_status, json_t **ret_data)
{
	if (job->id[0] == '\0' || job->command == WIRE_CMD_STATUS)
		return CL_ANSWER_UNAVAILABLE;
	if (call_check(c, "status", NULL) < 0)
		return CL_ANSWER_OUT_OF_TIME;
	if (!s->provider.alive(s->provider.ctx, &s->endpoint))
		return CL_ANSWER_PROBE_FAILED;
	struct error auto_error failed = ERROR_INIT;
	enum cl_class class;
	bool cut_short = cl_is_cut_short(c, LIM_RUNNER_STATUS_MS);
	int r = cl_probe(s, call_limit(c, LIM_RUNNER_STATUS_MS), job, "status", job->id, ret_status,
	                 &class, &failed);
	if (r == 0)
		return answer_of(*ret_status, ret_data);
	log_msg(LOG_DEBUG, "client", "status of %s failed: %s", job->id, failed.message);
	bool dead = !s->provider.alive(s->provider.ctx, &s->endpoint);
	cut_short |= class == CL_CLASS_CANCELED;
	return cut_short && !dead ? CL_ANSWER_OUT_OF_TIME : CL_ANSWER_PROBE_FAILED;
}

/* --- errors -------------------------------------------------------------------------------------- */

struct found {
	struct cl_job *job;
	const struct cl_outcome *outcome;
	const struct cl_recovery_row *row;
	const json_t *status;
	const char *state;     /* lifecycle state, "" when there is none */
	const char *transport; /* message of the lost send */
};

/* A hot command explains first why nobody had asked the runner before. */
static const char *skipped_sentence(const struct found *f)
{
	return f->outcome->preflight_skipped ? "This hot command skipped the uptime preflight because "
	                                       "a healthy interaction had just "
	                                       "finished. "
	                                     : "";
}

static void set_lost_reply(const struct found *f, struct error *e)
{
	const char *name = f->job->traits->name;
	if (f->row->invalidate) {
		error_set(e, ERR_RUNNER_LOST_REPLY,
		          "the reply to %s was lost and its lifecycle status was %s%s%s", name,
		          f->state[0] ? "\"" : "", f->state[0] ? f->state : "missing",
		          f->state[0] ? "\"" : "");
		error_hint(e,
		           "deft kept the conservative invalidation path: the runner is started anew. Take "
		           "`deft snapshot -i` before you try again");
	} else if (strcmp(f->state, "completed") == 0) {
		error_set(e, ERR_RUNNER_LOST_REPLY, "%s was completed, its reply was lost and not retained",
		          name);
		error_hint(
		    e,
		    "%sThe runner is reachable and says that the command finished; deft kept the session "
		    "open and will not replay it. Take `deft snapshot -i` and go on from what it shows",
		    skipped_sentence(f));
	} else {
		error_set(e, ERR_RUNNER_LOST_REPLY, "%s is still %s after its reply was lost", name,
		          f->state);
		error_hint(e,
		           "%sDeft kept the session open and will not replay it. Wait briefly, take `deft "
		           "snapshot -i` and go on from what it shows",
		           skipped_sentence(f));
	}
}

static void set_runner_failure(const struct found *f, struct error *e)
{
	json_t auto_json *j = json_object();
	jx_set_str(j, "code", jx_get_str(f->status, "lifecycleErrorCode", NULL));
	jx_set_str(j, "message",
	           jx_get_str(f->status, "lifecycleErrorMessage", "the runner's command failed"));
	jx_set_str(j, "hint", jx_get_str(f->status, "lifecycleErrorHint", NULL));
	error_from_json(e, j);
	if (!json_object_get(j, "hint"))
		error_hint(
		    e,
		    "%sThe runner is reachable and reports a failure; deft kept the session open and did "
		    "not replay the command. Try again with a target from `deft snapshot -i`",
		    skipped_sentence(f));
}

static void add_details(const struct found *f, struct error *e)
{
	error_detail_str(e, "command", f->job->traits->name);
	error_detail_str(e, "commandId", f->job->id);
	if (f->state[0])
		error_detail_str(e, "lifecycleState", f->state);
	error_detail_str(e, "recovery", f->row->recovery);
	error_detail_str(e, "transportError", f->transport);
	if (!f->job->read_only)
		error_detail_str(e, "executed", f->row->executed);
	if (f->outcome->preflight_skipped && !f->row->invalidate) {
		error_detail(e, "readinessPreflightSkipped", json_true());
		error_detail_str(e, "readinessPreflightSkipReason", "recent_healthy_mutation");
		error_detail_int(e, "readinessPreflightSkippedAgeMs", f->outcome->proof_age_ms);
	}
}

static void log_decision(const struct found *f, const char *decision)
{
	log_msg(f->row->invalidate ? LOG_WARN : LOG_DEBUG, "client",
	        "lost reply of %s %s: session %s, %s (state \"%s\", %s)", f->job->traits->name,
	        f->job->id, f->row->invalidate ? "dropped" : "kept", decision, f->state, f->transport);
}

int cl_recover(struct cl_session *s, struct call c, struct cl_job *job, struct cl_outcome *outcome,
               const char *invalidation, json_t **ret_data, struct error *e)
{
	json_t auto_json *status = NULL, auto_json *data = NULL;
	CL_COUNT(s, recoveries);
	struct found f = { .job = job, .outcome = outcome };
	f.row = &rows[ask(s, c, job, &status, &data)];
	char auto_free *transport = strdup(e->message ? e->message : "");
	f.status = status;
	f.state = jx_get_str(status, "lifecycleState", "");
	f.transport = transport ? transport : "";
	job->trace->recovery = f.row->decision[job->read_only];
	log_decision(&f, job->trace->recovery);
	if (f.row->invalidate)
		cl_drop(s, invalidation, job->trace);
	switch (f.row->action[job->read_only]) {
	case CL_ACT_RETURN_REPLY:
		error_clear(e);
		*ret_data = TAKE(data);
		return 0;
	case CL_ACT_LOST_REPLY: set_lost_reply(&f, e); break;
	case CL_ACT_RUNNER_FAILURE:
		set_runner_failure(&f, e);
		outcome->class = CL_CLASS_RUNNER_ERROR;
		break;
	case CL_ACT_TRANSPORT_ERROR: break;
	}
	outcome->settled = f.row->action[job->read_only] != CL_ACT_TRANSPORT_ERROR;
	add_details(&f, e);
	return -(int)e->code;
}
