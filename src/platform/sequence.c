#include "platform/sequence.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

/* --- checks ------------------------------------------------------------------------------------- */

static bool is_known_kind(const char *kind)
{
	static const char *const kinds[] = { "tap", "doubleTap", "longPress", "drag" };
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i], kind) == 0)
			return true;
	return false;
}

static bool is_drag(const struct pf_step *s)
{
	return strcmp(s->kind, "drag") == 0;
}

/* The message and where it was found. */
static int bad_step(const struct pf_step *s, size_t i, const char *what, struct error *e)
{
	error_set(e, ERR_INVALID_ARGS, "sequence step %zu (%s) %s", i, s->kind, what);
	error_detail_int(e, "stepIndex", (long long)i);
	error_detail_str(e, "kind", s->kind);
	return -ERR_INVALID_ARGS;
}

static int check_step(const struct pf_step *s, size_t i, struct error *e)
{
	if (!is_known_kind(s->kind)) {
		error_set(e, ERR_INVALID_ARGS,
		          "sequence step %zu has unsupported kind \"%s\"; allowed: tap, doubleTap, "
		          "longPress, drag",
		          i, s->kind);
		error_detail_int(e, "stepIndex", (long long)i);
		error_detail_str(e, "kind", s->kind);
		return -ERR_INVALID_ARGS;
	}
	if (s->has_point && !(isfinite(s->x) && isfinite(s->y)))
		return bad_step(s, i, "requires finite x and y", e);
	if (is_drag(s) && !(s->has_point && isfinite(s->x2) && isfinite(s->y2)))
		return bad_step(s, i, "requires finite x2 and y2", e);
	if (s->duration_ms < -1 || s->duration_ms > LIM_HOLD_MS)
		return bad_step(s, i, "durationMs must be between 0 and 10000", e);
	if (s->pause_ms < -1 || s->pause_ms > LIM_INTERVAL_MS)
		return bad_step(s, i, "pauseMs must be between 0 and 10000", e);
	return 0;
}

int pf_sequence_check(const struct pf_step *steps, size_t n, size_t max, struct error *e)
{
	if (n == 0) {
		error_set(e, ERR_INVALID_ARGS, "sequence requires at least one step");
		return error_detail_int(e, "stepCount", 0);
	}
	if (max && n > max) {
		error_set(e, ERR_INVALID_ARGS, "sequence accepts at most %zu steps, received %zu", max, n);
		error_detail_int(e, "stepCount", (long long)n);
		return error_detail_int(e, "maxSteps", (long long)max);
	}
	for (size_t i = 0; i < n; i++) {
		int r = check_step(&steps[i], i, e);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- requests ----------------------------------------------------------------------------------- */

static int64_t cost(const struct pf_step *s)
{
	return (s->duration_ms > 0 ? s->duration_ms : 0) + (s->pause_ms > 0 ? s->pause_ms : 0) +
	       LIM_SEQUENCE_OVERHEAD_MS;
}

size_t pf_sequence_chunk(const struct pf_step *steps, size_t n)
{
	int64_t sum = 0;
	size_t i = 0;
	while (i < n && i < LIM_SEQUENCE_STEPS &&
	       (i == 0 || sum + cost(&steps[i]) <= LIM_SEQUENCE_BUDGET_MS))
		sum += cost(&steps[i++]);
	return i;
}

static json_t *step_json(const struct pf_step *s)
{
	json_t *j = json_object();
	jx_set_str(j, "kind", s->kind);
	if (s->has_point) {
		jx_set_num(j, "x", s->x);
		jx_set_num(j, "y", s->y);
	}
	if (is_drag(s)) {
		jx_set_num(j, "x2", s->x2);
		jx_set_num(j, "y2", s->y2);
	}
	if (s->duration_ms >= 0)
		jx_set_int(j, "durationMs", s->duration_ms);
	if (s->synthesized)
		jx_set_bool(j, "synthesized", true);
	if (s->pause_ms >= 0)
		jx_set_int(j, "pauseMs", s->pause_ms);
	return j;
}

json_t *pf_sequence_request(const json_t *base, const struct pf_step *steps, size_t n)
{
	json_t *request = json_object();
	jx_set_str(request, "command", "sequence");
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, step_json(&steps[i]));
	jx_set(request, "steps", list);
	if (base)
		json_object_update_missing(request, (json_t *)(uintptr_t)base);
	return request;
}

/* --- replies ------------------------------------------------------------------------------------ */

static const json_t *results_of(const json_t *data)
{
	return json_object_get(data, "sequenceResults");
}

static bool entry_ok(const json_t *entry)
{
	return json_is_true(json_object_get(entry, "ok"));
}

static int64_t count_ok(const json_t *results)
{
	int64_t n = 0;
	for (size_t i = 0; i < json_array_size(results); i++)
		n += entry_ok(json_array_get(results, i));
	return n;
}

static int64_t first_failed(const json_t *results)
{
	for (size_t i = 0; i < json_array_size(results); i++)
		if (!entry_ok(json_array_get(results, i)))
			return (int64_t)i;
	return -1;
}

static int step_failed(const json_t *data, int64_t index, int64_t completed, struct error *e)
{
	json_t *results = (json_t *)(uintptr_t)results_of(data);
	const json_t *entry = json_array_get(results, (size_t)index);
	const char *kind = jx_get_str(entry, "kind", entry ? "unknown" : "step");
	const char *code = jx_get_str(entry, "errorCode", NULL);
	const char *message = jx_get_str(entry, "errorMessage", NULL);
	error_set(e, error_code_from_name(code), "%s", message ? message : "");
	if (!message)
		error_set(e, error_code_from_name(code), "sequence step %lld (%s) failed", (long long)index,
		          kind);
	if (code && !error_code_known(code))
		error_detail_str(e, "remoteCode", code);
	error_hint(e, "take `deft snapshot -i` and go on from what it shows");
	error_detail_int(e, "failedStepIndex", index);
	error_detail_str(e, "failedStepKind", kind);
	error_detail_int(e, "completedSteps", completed);
	error_detail_str(e, "executed", completed > 0 ? "partly" : "unknown");
	return error_detail(e, "sequenceResults",
	                    json_is_array(results) ? json_incref(results) : json_array());
}

int pf_sequence_parse(const json_t *data, int64_t *ret_completed, struct error *e)
{
	const json_t *results = results_of(data);
	int64_t completed = jx_get_int(data, "completedSteps", count_ok(results));
	int64_t failed = jx_get_int(data, "failedStepIndex", first_failed(results));
	*ret_completed = completed;
	return failed < 0 ? 0 : step_failed(data, failed, completed, e);
}

/* --- the series --------------------------------------------------------------------------------- */

/* Makes the indices of a later chunk's failure those of the whole series. */
static int rebase_failure(size_t offset, struct error *e)
{
	if (offset == 0 || !e)
		return e ? -(int)e->code : -ERR_COMMAND_FAILED;
	json_t *local = json_object_get(e->details, "failedStepIndex");
	if (json_is_integer(local)) {
		json_int_t index = json_integer_value(local);
		error_detail_int(e, "chunkStepIndex", index);
		error_detail_int(e, "failedStepIndex", index + (json_int_t)offset);
	}
	int64_t done = jx_get_int(e->details, "completedSteps", 0);
	error_detail_int(e, "completedSteps", (long long)offset + done);
	return error_detail_str(e, "executed", "partly");
}

/* The first chunk's data stands for the whole; results are joined, the end is the last chunk's. */
static void aggregate(json_t **whole, json_t *part, int64_t completed)
{
	if (!*whole) {
		*whole = json_copy(part);
		if (!json_is_array(json_object_get(*whole, "sequenceResults")))
			jx_set(*whole, "sequenceResults", json_array());
		else
			jx_set(*whole, "sequenceResults",
			       json_copy(json_object_get(*whole, "sequenceResults")));
	} else {
		json_t *more = json_object_get(part, "sequenceResults");
		if (json_is_array(more))
			json_array_extend(json_object_get(*whole, "sequenceResults"), more);
		json_t *end = json_object_get(part, "gestureEndUptimeMs");
		if (end)
			jx_set(*whole, "gestureEndUptimeMs", json_incref(end));
	}
	jx_set_int(*whole, "completedSteps", completed);
}

static int run_chunk(struct pf_device *d, struct call c, const json_t *base,
                     const struct pf_step *steps, size_t n, json_t **ret, int64_t *ret_completed,
                     struct error *e)
{
	json_t auto_json *request = pf_sequence_request(base, steps, n);
	json_t auto_json *data = NULL;
	int r = d->ops->run(d, c, request, &data, e);
	if (r == 0)
		r = pf_sequence_parse(data, ret_completed, e);
	if (r == 0)
		*ret = TAKE(data);
	return r;
}

int pf_sequence_run(struct pf_device *d, struct call c, const json_t *base,
                    const struct pf_step *steps, size_t n, json_t **ret, struct error *e)
{
	int r = pf_sequence_check(steps, n, 0, e);
	if (r < 0)
		return r;
	json_t auto_json *whole = NULL;
	int64_t completed = 0;
	for (size_t at = 0; at < n;) {
		size_t size = pf_sequence_chunk(steps + at, n - at);
		json_t auto_json *part = NULL;
		int64_t done = 0;
		struct error auto_error failed = ERROR_INIT;
		r = run_chunk(d, c, base, steps + at, size, &part, &done, &failed);
		if (r < 0) {
			rebase_failure(at, &failed);
			error_move(e, &failed);
			return r;
		}
		completed += done;
		aggregate(&whole, part, completed);
		at += size;
	}
	*ret = TAKE(whole);
	return 0;
}
