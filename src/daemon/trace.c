#include "daemon/trace.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "daemon/files.h"
#include "daemon/redact.h"

#include <string.h>

static json_t *event(const struct dm_job *j, const char *name)
{
	char now[32];
	json_t *o = json_object();
	clock_wall_iso(clock_wall_ms(), now, sizeof(now));
	jx_set_str(o, "ts", now);
	jx_set_str(o, "event", name);
	jx_set_str(o, "requestId", j->rq.id);
	jx_set_str(o, "session", j->name.key);
	jx_set_str(o, "command", j->entry ? j->entry->spec.name : "(unknown)");
	return o;
}

static void write_event(struct dm_job *j, const json_t *o)
{
	auto_buf struct buf line;
	const char *dir = j->rq.session ? j->rq.session->dir : j->daemon->state.dir;
	auto_free char *path = fs_join(dir, "events.ndjson");
	buf_init(&line, LIM_ENVELOPE_LINE);
	if (path && jx_dump(o, false, &line))
		dm_append_line(j->daemon, path, line.data, line.len);
}

void dm_trace_started(struct dm_job *j)
{
	auto_json json_t *o = event(j, "request.started");
	if (j->entry)
		jx_set(o, "args", dm_redact_args(&j->entry->spec, j->rq.args));
	write_event(j, o);
}

static json_t *runner_json(const struct cl_trace *t)
{
	json_t *o = json_object();
	jx_set_str(o, "preflight", t->preflight);
	jx_set_str(o, "preflightReason", t->preflight_reason);
	jx_set_str(o, "skipReason", t->skip_reason);
	jx_set_str(o, "recovery", t->recovery);
	jx_set_str(o, "invalidation", t->invalidation);
	jx_set_int(o, "commands", t->commands);
	jx_set_int(o, "preflights", t->preflights);
	jx_set_int(o, "preflightsSkipped", t->preflights_skipped);
	jx_set_int(o, "requests", t->requests);
	jx_set_int(o, "retries", t->retries);
	jx_set_int(o, "startMs", t->start_ms);
	jx_set_int(o, "sendMs", t->send_ms);
	if (t->proof_age_ms >= 0)
		jx_set_int(o, "proofAgeMs", t->proof_age_ms);
	return o;
}

json_t *dm_timing_json(const struct dm_job *j)
{
	json_t *o = json_object();
	const struct dm_session *s = j->rq.session;
	jx_set_num(o, "totalMs", (double)dm_stage_total_us(&j->stages) / 1000.0);
	jx_set(o, "stages", dm_stage_json(&j->stages));
	if (s && s->device->trace.requests > 0)
		jx_set(o, "runner", runner_json(&s->device->trace));
	return o;
}

/* The message is left out: it may quote what was typed or seen. */
void dm_trace_finished(struct dm_job *j, const struct error *e)
{
	auto_json json_t *o = event(j, "request.finished");
	auto_json json_t *timing = dm_timing_json(j);
	const char *code = e->code ? error_code_name(e->code) : "ok";
	jx_set_bool(o, "ok", e->code == ERR_OK);
	if (e->code) {
		jx_set_str(o, "code", code);
		jx_set_str(o, "reason", jx_get_str(e->details, "reason", NULL));
	}
	json_object_update(o, timing);
	write_event(j, o);
	log_msg(LOG_INFO, "request", "%s %s %s %.1f ms session %s",
	        j->entry ? j->entry->spec.name : "(unknown)", j->rq.id, code,
	        jx_get_num(timing, "totalMs", 0), j->name.key);
	dm_log_rotate(j->daemon);
}
