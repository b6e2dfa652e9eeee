/* One request's way through the daemon, from the line that was read to the line that is sent:
 *
 *   admit    version and id were checked when the line was read; here: a good session name
 *   lookup   the command's entry; an unknown name gets the nearest one
 *   check    arguments against the table, defaults filled in, the deadline set
 *   lock     this request's turn on its session and the session's device; the session is known now
 *   session  the command needs one, and its device fits the request's selectors
 *   run      the handler, which adds stages of its own
 *   render   text from the data, when text was asked for
 *
 * The first step that fails ends the way; the answer, the trace and the log are written in any case. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "command/spec.h"
#include "daemon/trace.h"

#include <string.h>

/* --- steps ------------------------------------------------------------------------------------ */

struct result {
	json_t *data;
	struct buf text;
	bool has_text;
};

static int admit(struct dm_job *j, struct result *res, struct error *e)
{
	if (j->refused.code)
		error_move(e, &j->refused);
	return -(int)e->code;
}

static int lookup(struct dm_job *j, struct result *res, struct error *e)
{
	if (j->entry)
		return 0;
	const char *near = cmd_nearest_command(j->wire.command);
	error_set(e, ERR_UNKNOWN_COMMAND, "there is no command \"%.64s\"", j->wire.command);
	return near ? error_hint(e, "did you mean `deft %s`?", near) : -(int)e->code;
}

/* Clients may write the global parameters among the arguments or into meta. */
static void take_selectors(struct dm_job *j, const json_t *globals)
{
	const char *platform = jx_get_str(globals, "platform", NULL);
	const char *device = jx_get_str(globals, "device", NULL);
	if (platform)
		j->rq.platform = platform;
	if (device)
		j->rq.device_id = device;
}

static int check(struct dm_job *j, struct result *res, struct error *e)
{
	const struct cmd_spec *spec = &j->entry->spec;
	json_t *globals = NULL;
	if (spec->traits & CMD_LOCAL)
		return error_set(e, ERR_INVALID_ARGS, "`%s` is answered by the front end itself",
		                 spec->name);
	int r = cmd_take_globals(spec, j->rq.args, true, &globals, e);
	if (r < 0)
		return r;
	jx_set(j->wire.json, "globals", globals); /* keeps what is borrowed alive */
	take_selectors(j, globals);
	r = cmd_check_args(spec, j->rq.args, true, e);
	if (r < 0)
		return r;
	int64_t ms = j->wire.deadline_ms;
	if (ms <= 0)
		ms = cmd_deadline_ms(spec, j->rq.args, globals);
	j->rq.call.deadline = deadline_in(ms < LIM_REQUEST_MAX_MS ? ms : LIM_REQUEST_MAX_MS);
	return 0;
}

static int lock(struct dm_job *j, struct result *res, struct error *e)
{
	return j->has_session_turn ? dm_job_lock(j, e) : 0;
}

static int session(struct dm_job *j, struct result *res, struct error *e)
{
	if (!(j->entry->spec.traits & CMD_NEEDS_SESSION))
		return 0;
	return j->rq.session ? dm_job_check_selectors(j, e) : dm_job_no_session(j, e);
}

static int run(struct dm_job *j, struct result *res, struct error *e)
{
	int r = call_check(j->rq.call, "the request", e);
	dm_trace_started(j);
	if (j->has_session_turn && j->rq.session)
		j->rq.session->device->trace = (struct cl_trace){ .proof_age_ms = -1 };
	if (r == 0)
		r = j->entry->run(&j->rq, &res->data, e);
	if (r == -ERR_INVALID_ARGS)
		cmd_point_to_help(&j->entry->spec, e);
	if (r == 0 && !res->data)
		res->data = json_object();
	return r;
}

static int render(struct dm_job *j, struct result *res, struct error *e)
{
	struct cmd_render_opts opts = { .color = j->wire.color, .width = j->wire.width };
	if (strcmp(j->wire.output, "text") != 0)
		return 0;
	if (j->entry->render) {
		j->entry->render(res->data, &opts, &res->text);
	} else {
		jx_dump(res->data, true, &res->text);
		buf_addc(&res->text, '\n');
	}
	res->has_text = true;
	if (res->text.over)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the answer is over %u bytes", LIM_ENVELOPE_LINE);
	return 0;
}

static const struct {
	const char *name;
	int (*step)(struct dm_job *j, struct result *res, struct error *e);
} way[] = {
	{ "admit", admit },     { "lookup", lookup }, { "check", check },   { "lock", lock },
	{ "session", session }, { "run", run },       { "render", render },
};

/* --- the answer ------------------------------------------------------------------------------- */

/* A terminal needs the text alone: meta.data false saves it a tree that it would not look at. */
static bool wants_data(const struct dm_job *j)
{
	return jx_get_bool(json_object_get(j->wire.json, "meta"), "data", true);
}

static json_t *make_answer(const struct dm_job *j, struct result *res, const struct error *e)
{
	json_t *answer =
	    e->code ? wire_response_error(j->rq.id, e) : wire_response_ok(j->rq.id, TAKE(res->data));
	if (!e->code && res->has_text) {
		jx_set_str(answer, "text", res->text.data);
		if (!wants_data(j))
			json_object_del(answer, "data");
	}
	if (json_array_size(j->rq.notices) > 0)
		jx_set(answer, "notices", json_incref(j->rq.notices));
	if (j->rq.debug)
		jx_set(answer, "timing", dm_timing_json(j));
	return answer;
}

static void count(struct dm_job *j, bool failed)
{
	struct dm_daemon *d = j->daemon;
	pthread_mutex_lock(&d->lock);
	d->requests_failed += failed;
	d->used_ms = clock_now_ms();
	if (j->rq.session)
		j->rq.session->used_ms = d->used_ms;
	pthread_mutex_unlock(&d->lock);
}

void dm_job_run(struct dm_job *j)
{
	auto_error struct error e = ERROR_INIT;
	struct result res = { .data = NULL };
	buf_init(&res.text, LIM_ENVELOPE_LINE);
	int r = 0;
	for (size_t i = 0; i < ARRAY_SIZE(way) && r == 0; i++) {
		r = way[i].step(j, &res, &e);
		dm_stage_mark(&j->stages, way[i].name);
	}
	count(j, r < 0);
	dm_trace_finished(j, &e);
	json_t *answer = make_answer(j, &res, &e);
	/* before it is sent: a client that reads slowly must not hold its session */
	dm_job_release(j);
	j->sink->send(j->sink->ctx, answer);
	if (j->stops_daemon)
		cancel_fire(&j->daemon->stop);
	json_decref(res.data);
	buf_done(&res.text);
}
