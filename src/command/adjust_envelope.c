#include "command/adjust_envelope.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"

#include <stdio.h>
#include <string.h>

static bool succeeded(const struct adjust_facts *f)
{
	return f->result->code == CT_OK;
}

/* --- target -------------------------------------------------------------------------------------- */

static void set_or_null(json_t *o, const char *key, const char *text)
{
	if (text)
		jx_set_str(o, key, text);
	else
		jx_set(o, key, json_null());
}

static json_t *bounds_json(const struct ui_node *n)
{
	if (!ui_has(n, UI_HAS_RECT))
		return json_null();
	json_t *list = json_array();
	const double sides[] = { n->rect.x, n->rect.y, n->rect.x + n->rect.width,
		                     n->rect.y + n->rect.height };

	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		json_array_append_new(list, json_integer((json_int_t)sides[i]));
	return list;
}

static json_t *state_json(const struct adjust_facts *f)
{
	const struct ct_reading *r = f->first;
	json_t *o = json_object(), *range = json_object();

	if (r && r->value.has_number)
		jx_set_num(o, "value", r->value.number);
	if (r && r->text[0])
		jx_set_str(o, "text_value", r->text);
	if (r)
		jx_set_bool(o, "enabled", r->enabled);
	if (r && r->value.has_range) {
		jx_set_num(range, "min", r->value.min);
		jx_set_num(range, "max", r->value.max);
		if (r->value.step > 0)
			jx_set_num(range, "step", r->value.step);
		json_object_set(o, "value_range", range);
	}
	json_decref(range);
	return o;
}

static json_t *resolved_json(const struct adjust_facts *f)
{
	if (!f->tree)
		return json_null();
	const struct ui_node *n = &f->tree->nodes[f->node];
	json_t *o = json_object();

	set_or_null(o, "elementId", f->element_id);
	set_or_null(o, "text", n->label ? n->label : n->caption);
	set_or_null(o, "resource_id", n->identifier);
	set_or_null(o, "accessibility_id", n->description);
	set_or_null(o, "class", n->type ? n->type : ui_role_name(n->role));
	jx_set(o, "bounds", bounds_json(n));
	jx_set_int(o, "index", f->node);
	jx_set(o, "state", state_json(f));
	return o;
}

static json_t *target_json(const struct adjust_facts *f)
{
	json_t *o = json_object();

	set_or_null(o, "selector", f->ask->selector);
	jx_set(o, "resolved", resolved_json(f));
	return o;
}

static json_t *device_json(const struct pf_device_info *d)
{
	json_t *o = json_object();

	jx_set_str(o, "platform", d->platform);
	jx_set_str(o, "id", d->id);
	jx_set_str(o, "osVersion", "unknown");
	jx_set_str(o, "model", d->name);
	jx_set_bool(o, "simulator", strcmp(d->kind, "device") != 0 && strcmp(d->kind, "desktop") != 0);
	return o;
}

/* --- states -------------------------------------------------------------------------------------- */

static const char *mode(const struct ct_result *r)
{
	return r->coordinate ? "coordinate" : "semantic";
}

static json_t *actual_json(const struct adjust_facts *f)
{
	if (!f->result->has_actual)
		return json_null();
	json_t *o = json_object();

	jx_set_str(o, "property", f->ask->property);
	jx_set_num(o, "value", f->result->actual);
	if (f->last && f->last->text[0])
		jx_set_str(o, "raw_value", f->last->text);
	return o;
}

static double target_value(const struct adjust_facts *f)
{
	return f->result->has_target ? f->result->target : f->ask->target;
}

/* The tolerance in force; without a readable control only a given one is known. */
static void put_tolerance(const struct adjust_facts *f, json_t *o)
{
	if (f->result->has_target)
		jx_set_num(o, "tolerance", f->result->tolerance);
	else if (f->ask->has_tolerance)
		jx_set_num(o, "tolerance", f->ask->tolerance);
	else
		jx_set(o, "tolerance", json_null());
}

static json_t *target_state_json(const struct adjust_facts *f)
{
	json_t *o = json_object();

	jx_set_str(o, "property", f->ask->property);
	jx_set_num(o, "target_value", target_value(f));
	put_tolerance(f, o);
	return o;
}

static void put_domain(const struct ct_result *r, json_t *o)
{
	if (!r->has_domain || !r->domain.has_range)
		return;
	json_t *range = json_object();

	jx_set_num(range, "min", r->domain.min);
	jx_set_num(range, "max", r->domain.max);
	if (r->domain.step > 0)
		jx_set_num(range, "step", r->domain.step);
	jx_set(o, "value_range", range);
}

static void put_errors(const struct adjust_facts *f, json_t *o)
{
	const struct error *e = f->find_error;

	if (e && e->details && json_object_get(e->details, "candidates"))
		json_object_set(o, "alternates", json_object_get(e->details, "candidates"));
	if (e && e->details && json_object_get(e->details, "near"))
		json_object_set(o, "near", json_object_get(e->details, "near"));
	if (!e && f->last_error && f->last_error->code && !succeeded(f))
		e = f->last_error;
	if (e)
		jx_set(o, "device_error",
		       json_pack("{s:s, s:s}", "code", error_code_name(e->code), "message", e->message));
}

static json_t *details_json(const struct adjust_facts *f)
{
	const struct ct_result *r = f->result;
	json_t *o = json_object();

	jx_set_num(o, "target_value", target_value(f));
	jx_set_num(o, "requested_value", f->ask->target);
	put_tolerance(f, o);
	jx_set_str(o, "property", f->ask->property);
	jx_set_int(o, "attempts", r->attempts);
	jx_set_str(o, "adjustment_mode", mode(r));
	jx_set(o, "actual_state", actual_json(f));
	if (r->has_before)
		jx_set_num(o, "previous_value", r->before);
	put_domain(r, o);
	if (r->attempts)
		jx_set_str(o, "strategy", ct_strategy_name(r->strategy));
	jx_set_bool(o, "converged", r->converged);
	jx_set_bool(o, "within_tolerance", r->within);
	jx_set_str(o, "reason", ct_reason_text(r->reason));
	jx_set_str(o, "reason_code", ct_reason_name(r->reason));
	put_errors(f, o);
	return o;
}

/* --- recovery ------------------------------------------------------------------------------------ */

struct recovery {
	const char *failure_class, *strategy; /* NULL: none, another wish is needed */
};

static const struct recovery *recovery_of(const struct ct_result *r)
{
	static const struct recovery table[] = {
		[CT_ELEMENT_NOT_FOUND] = { "TargetResolutionFailure", "re_resolve" },
		[CT_ELEMENT_NOT_INTERACTABLE] = { "ExecutionFailure", "state_refresh" },
		[CT_CONTROL_CONVERGENCE_FAILED] = { "ControlConvergenceFailure", "retry_adjustment" },
		[CT_UNKNOWN] = { "ExecutionFailure", "state_refresh" },
	};
	return &table[r->code];
}

static json_t *recovery_json(const struct ct_result *r)
{
	const struct recovery *way = recovery_of(r);
	json_t *o = json_object();

	jx_set_str(o, "failure_class", way->failure_class);
	jx_set_str(o, "runtime_code", ct_code_name(r->code));
	if (r->retryable)
		jx_set_str(o, "recovery_strategy", way->strategy);
	jx_set_int(o, "recovery_attempts", 0);
	jx_set_int(o, "max_recovery_attempts", 3);
	jx_set_int(o, "retry_depth", 0);
	jx_set_int(o, "max_retry_depth", 3);
	jx_set_bool(o, "is_terminal", false);
	jx_set_bool(o, "retry_allowed", r->retryable);
	return o;
}

/* --- trace --------------------------------------------------------------------------------------- */

static json_t *execute_metadata(const struct ct_trace_step *t)
{
	json_t *o = json_object();

	jx_set_str(o, "strategy", ct_strategy_name(t->strategy));
	jx_set_num(o, "target_value", t->value);
	if (t->strategy == CT_STEPS)
		jx_set_str(o, "direction", t->direction > 0 ? "increment" : "decrement");
	if (t->strategy == CT_PLACE) {
		jx_set_num(o, "x", t->x);
		jx_set_num(o, "y", t->y);
	}
	return o;
}

static json_t *verify_metadata(const struct ct_trace_step *t)
{
	json_t *o = json_object();

	if (t->has_value)
		jx_set_num(o, "value", t->value);
	jx_set_int(o, "readings", t->reads);
	return o;
}

/* A verification that is followed by another attempt is a retry and no failure. */
static const char *result_word(const struct ct_result *r, unsigned i)
{
	const struct ct_trace_step *t = &r->trace[i];

	if (t->stage == CT_STAGE_RECOVER)
		return t->success ? "retry" : "failure";
	if (t->success)
		return "success";
	return i + 1 < r->n_trace && r->trace[i + 1].stage == CT_STAGE_EXECUTE ? "retry" : "failure";
}

static int64_t step_time(const struct adjust_facts *f, enum ct_stage stage, unsigned ops)
{
	switch (stage) {
	case CT_STAGE_RESOLVE: return f->resolve_ms ? f->resolve_ms : f->started_ms;
	case CT_STAGE_EXECUTE: return f->op_ms && ops ? f->op_ms[ops - 1] : f->ended_ms;
	case CT_STAGE_VERIFY: return f->read_ms && f->read_ms[ops] ? f->read_ms[ops] : f->ended_ms;
	default: return f->ended_ms;
	}
}

static json_t *steps_json(const struct adjust_facts *f)
{
	const struct ct_result *r = f->result;
	json_t *list = json_array();
	unsigned ops = 0;

	for (unsigned i = 0; i < r->n_trace; i++) {
		const struct ct_trace_step *t = &r->trace[i];
		json_t *o = json_object();

		ops += t->stage == CT_STAGE_EXECUTE;
		jx_set_str(o, "stage", ct_stage_name(t->stage));
		jx_set_int(o, "timestamp", step_time(f, t->stage, ops));
		jx_set_str(o, "result", result_word(r, i));
		jx_set_int(o, "attempt_index", i);
		if (t->stage == CT_STAGE_EXECUTE)
			jx_set(o, "metadata", execute_metadata(t));
		if (t->stage == CT_STAGE_VERIFY)
			jx_set(o, "metadata", verify_metadata(t));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *trace_json(const struct adjust_facts *f, const char *action_id)
{
	json_t *o = json_object();

	jx_set_str(o, "action_id", action_id);
	jx_set(o, "steps", steps_json(f));
	jx_set_str(o, "final_outcome", succeeded(f) ? "success" : "failure");
	jx_set_int(o, "attempts", f->result->attempts ? f->result->attempts : 1);
	return o;
}

/* --- the whole ----------------------------------------------------------------------------------- */

json_t *adjust_envelope(const struct adjust_facts *f)
{
	const struct ct_result *r = f->result;
	json_t *o = json_object();
	char id[80], iso[32];

	snprintf(id, sizeof(id), "adjust_control_%lld_%u", (long long)f->started_ms, f->sequence);
	clock_wall_iso(f->started_ms, iso, sizeof(iso));
	jx_set_str(o, "action_id", id);
	jx_set_str(o, "timestamp", iso);
	jx_set_str(o, "action_type", "adjust_control");
	jx_set_str(o, "lifecycle_state", succeeded(f) ? "pending_verification" : "failed");
	jx_set_str(o, "source_module", "interact");
	if (f->device)
		jx_set(o, "device", device_json(f->device));
	jx_set(o, "target", target_json(f));
	jx_set_bool(o, "success", succeeded(f));
	if (!succeeded(f)) {
		jx_set_str(o, "failure_code", ct_code_name(r->code));
		jx_set_bool(o, "retryable", r->retryable);
		jx_set(o, "recovery", recovery_json(r));
	}
	jx_set(o, "trace", trace_json(f, id));
	set_or_null(o, "ui_fingerprint_before", f->print_before);
	set_or_null(o, "ui_fingerprint_after", f->print_after);
	jx_set(o, "details", details_json(f));
	jx_set(o, "target_state", target_state_json(f));
	jx_set(o, "actual_state", actual_json(f));
	jx_set_bool(o, "within_tolerance", r->within);
	jx_set_bool(o, "converged", r->converged);
	jx_set_int(o, "attempts", r->attempts);
	jx_set_str(o, "adjustment_mode", mode(r));
	return o;
}
