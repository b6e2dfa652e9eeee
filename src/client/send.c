#include "client/internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_blank(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return *s == '\0';
}

static const char *text_or_null(const json_t *request, const char *key)
{
	const char *s = jx_get_str(request, key, NULL);
	return s && !is_blank(s) ? s : NULL;
}

/* The client's own classification; what the runner may repeat inside is another matter. */
static bool is_read_only(const struct wire_command_traits *t, const json_t *request)
{
	if (t->read_only != WIRE_RO_CONDITIONAL)
		return t->client_read_only;
	const char *action = text_or_null(request, "action");
	return !action || strcasecmp(action, "get") == 0;
}

/* The command with its id, as bytes. An id given by the caller is kept; status never has one. */
static int job_body(struct cl_job *job, json_t *request, struct error *e)
{
	json_t auto_json *copy = json_copy(request);
	if (job->command == WIRE_CMD_STATUS) {
		json_object_del(copy, "commandId");
	} else {
		const char *given = text_or_null(request, "commandId");
		if (given && strlen(given) >= sizeof job->id)
			return error_set(e, ERR_INVALID_ARGS, "commandId is longer than %zu bytes",
			                 sizeof job->id - 1);
		if (given)
			snprintf(job->id, sizeof job->id, "%s", given);
		else
			cl_new_id(job->id, sizeof job->id);
		jx_set_str(copy, "commandId", job->id);
	}
	if (!jx_dump(copy, false, &job->body))
		return error_set(e, ERR_LIMIT_EXCEEDED, "a runner request is larger than %u bytes",
		                 LIM_RUNNER_REQUEST);
	return 0;
}

static int job_init(struct cl_job *job, json_t *request, struct cl_trace *trace, struct error *e)
{
	const char *name = jx_get_str(request, "command", "");
	int command = wire_command_from_name(name);
	if (command < 0)
		return error_set(e, ERR_UNKNOWN_COMMAND, "the runner has no command \"%s\"", name);
	job->command = (enum wire_command)command;
	job->traits = wire_command_traits(job->command);
	job->read_only = is_read_only(job->traits, request);
	job->app = text_or_null(request, "appBundleId");
	job->trace = trace;
	return job_body(job, request, e);
}

static struct call budget(const struct cl_session *s, struct call c)
{
	return call_limit(c, cl_is_ready(s) ? LIM_RUNNER_COMMAND_MS : LIM_RUNNER_STARTUP_MS);
}

/* One execution on a living runner. */
static int execute(struct cl_session *s, struct call c, struct cl_job *job, json_t **ret_data,
                   struct cl_outcome *out, struct error *e)
{
	*out = (struct cl_outcome){ .class = CL_CLASS_START, .proof_age_ms = -1 };
	int r = cl_ensure(s, c, job->trace, e);
	return r < 0 ? r : cl_execute(s, budget(s, c), job, ret_data, out, e);
}

static bool leads_to(const struct cl_outcome *out, enum cl_path path)
{
	return cl_ladder(out->class)->path == path;
}

/* A read was tried often enough by its own sender. */
static bool can_try_again(const struct cl_session *s, struct call c, const struct cl_job *job)
{
	return !job->read_only && call_check(c, "", NULL) == 0 && cl_is_ready(s) &&
	       s->provider.alive(s->provider.ctx, &s->endpoint);
}

/* The failure ladder: one more try behind a preflight where nothing was sent, at most one restart,
 * and a status question after a lost reply. */
static int climb(struct cl_session *s, struct call c, struct cl_job *job, json_t **ret_data,
                 struct cl_outcome *out, struct error *e)
{
	int r = execute(s, c, job, ret_data, out, e);
	if (r < 0 && leads_to(out, CL_PATH_AGAIN) && can_try_again(s, c, job)) {
		cl_step(s, CL_EV_DOUBTED, NULL);
		r = execute(s, c, job, ret_data, out, e);
	}
	const char *reason = cl_ladder(out->class)->reason;
	bool restart = leads_to(out, CL_PATH_RESTART) || leads_to(out, CL_PATH_AGAIN);
	if (r < 0 && restart && call_check(c, "", NULL) == 0) {
		cl_drop(s, reason, job->trace);
		r = execute(s, c, job, ret_data, out, e);
		if (r == 0)
			job->trace->recovery = "session_restarted";
		reason = "transport_error_after_retry_command_send";
	}
	if (r < 0 && leads_to(out, CL_PATH_RECOVER))
		r = cl_recover(s, c, job, out, reason, ret_data, e);
	return r;
}

/* A read that was not answered may be asked for again (1.8). */
static bool is_worth_another_try(const struct cl_job *job, const struct cl_outcome *out,
                                 const struct error *e)
{
	switch (out->class) {
	case CL_CLASS_PREFLIGHT_CONNECT:
	case CL_CLASS_PREFLIGHT_LOST:
	case CL_CLASS_NOT_SENT:
	case CL_CLASS_LOST: return job->read_only && !out->settled && e->code != ERR_LIMIT_EXCEEDED;
	default: return false;
	}
}

static int send_job(struct cl_session *s, struct call c, struct cl_job *job, json_t **ret_data,
                    struct error *e)
{
	struct cl_outcome out;
	int64_t wait = LIM_RUNNER_READ_RETRY_MS;
	for (int attempt = 1;; attempt++, wait *= 2) {
		int r = climb(s, c, job, ret_data, &out, e);
		if (r == 0)
			return 0;
		bool again = attempt < LIM_RUNNER_READ_ATTEMPTS && is_worth_another_try(job, &out, e) &&
		             wait < deadline_left(c.deadline);
		if (!again)
			break;
		r = clock_wait(wait, c.cancel, e);
		if (r < 0)
			return r;
		job->trace->retries++;
		CL_COUNT(s, retries);
	}
	if (!job->read_only)
		cl_note_executed(e, out.class, out.sent);
	return -(int)e->code;
}

int cl_send(struct cl_session *s, struct call c, json_t *request, json_t **ret_data,
            struct cl_trace *ret_trace, struct error *e)
{
	struct error auto_error failed = ERROR_INIT;
	struct cl_trace trace = { .proof_age_ms = -1, .commands = 1 };
	struct cl_job job = { .command = WIRE_CMD_COUNT };
	json_t *data = NULL;
	buf_init(&job.body, LIM_RUNNER_REQUEST);
	int r = job_init(&job, request, &trace, &failed);
	if (r == 0) {
		CL_COUNT(s, commands);
		r = send_job(s, c, &job, &data, &failed);
	}
	buf_done(&job.body);
	if (ret_trace)
		*ret_trace = trace;
	if (r == 0)
		*ret_data = data;
	else
		error_move(e, &failed);
	return r;
}

void cl_trace_add(struct cl_trace *sum, const struct cl_trace *one)
{
	sum->preflight = one->preflight;
	sum->preflight_reason = one->preflight_reason;
	sum->skip_reason = one->skip_reason;
	sum->proof_age_ms = one->proof_age_ms;
	if (one->recovery)
		sum->recovery = one->recovery;
	if (one->invalidation)
		sum->invalidation = one->invalidation;
	sum->requests += one->requests;
	sum->retries += one->retries;
	sum->commands += one->commands;
	sum->preflights += one->preflights;
	sum->preflights_skipped += one->preflights_skipped;
	sum->start_ms += one->start_ms;
	sum->send_ms += one->send_ms;
}
