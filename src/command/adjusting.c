#include "command/adjusting.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "command/adjust_device.h"
#include "command/adjust_envelope.h"

#include <stdatomic.h>
#include <string.h>

static atomic_uint actions;

/* The engine knows only that nothing was resolved; here is known why. */
static void explain_unresolved(const struct error *e, struct ct_result *result)
{
	if (result->code != CT_ELEMENT_NOT_FOUND || !e->code)
		return;
	bool absent = e->code == ERR_ELEMENT_NOT_FOUND;
	enum ct_reason reason = e->code == ERR_AMBIGUOUS_MATCH ? CT_REASON_AMBIGUOUS
	                        : absent                       ? CT_REASON_NOT_FOUND
	                                                       : CT_REASON_GONE;

	ct_refuse(result, CT_ELEMENT_NOT_FOUND, reason, absent);
}

static void run_engine(struct adjust_device *d, struct ct_result *ret)
{
	const struct ct_request request = { .property = d->ask->property,
		                                .target = d->ask->target,
		                                .has_tolerance = d->ask->has_tolerance,
		                                .tolerance = d->ask->tolerance,
		                                .max_attempts = d->ask->max_attempts };
	struct ct_ops ops = adjust_device_ops(d);

	ct_adjust(&ops, &request, ret);
	explain_unresolved(&d->find_error, ret);
	dm_stage(d->rq, "adjust");
}

/* --- the answer -------------------------------------------------------------------------------- */

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

static struct adjust_facts facts_of(const struct adjust_device *d, const struct ct_result *result)
{
	struct pf_device *device = dm_device(d->rq);

	return (struct adjust_facts){
		.ask = d->ask,
		.result = result,
		.device = &device->info,
		.tree = d->target.tree,
		.node = d->target.node,
		.element_id = or_null(d->element_id),
		.first = d->has_first ? &d->first : NULL,
		.last = d->has_first ? &d->last : NULL,
		.print_before = or_null(d->print_before),
		.ended_ms = clock_wall_ms(),
		.resolve_ms = d->resolve_ms,
		.op_ms = d->op_ms,
		.read_ms = d->read_ms,
		.sequence = atomic_fetch_add(&actions, 1) + 1,
		.find_error = d->find_error.code ? &d->find_error : NULL,
		.last_error = &d->last_error,
	};
}

static enum err_code code_of(enum ct_code code)
{
	return error_code_from_name(ct_code_name(code));
}

/* One envelope for both endings; a failure carries it in its details. */
static int answer(const struct adjust_facts *f, json_t **ret_data, struct error *e)
{
	auto_json json_t *envelope = adjust_envelope(f);
	auto_buf struct buf sentence;
	const char *hint = adjust_hint(f);

	buf_init(&sentence, LIM_ERROR_TEXT);
	adjust_sentence(f, &sentence);
	if (f->result->code == CT_OK) {
		jx_set_str(envelope, "message", sentence.data);
		*ret_data = TAKE(envelope);
		return 0;
	}
	error_set(e, code_of(f->result->code), "%s", sentence.data);
	if (hint)
		error_hint(e, "%s", hint);
	error_reason(e, ct_reason_name(f->result->reason));
	if (f->find_error && json_object_get(f->find_error->details, "candidates"))
		error_detail(e, "candidates",
		             json_incref(json_object_get(f->find_error->details, "candidates")));
	return error_detail(e, "envelope", TAKE(envelope));
}

int adjust_perform(struct dm_request *rq, const struct adjust_ask *ask, json_t **ret_data,
                   struct error *e)
{
	__attribute__((cleanup(adjust_device_done))) struct adjust_device d;
	int64_t started_ms = clock_wall_ms();
	struct adjust_facts facts;
	struct ct_result result;
	bool names_one = false;
	char after[17] = "";
	int r;

	adjust_device_init(&d, rq, ask);
	r = adjust_check_target(ask, &names_one, e);
	if (r < 0)
		return r;
	if (names_one)
		run_engine(&d, &result);
	else
		ct_refuse(&result, CT_ELEMENT_NOT_FOUND, CT_REASON_NO_TARGET, false);
	if (rq->call.cancel && cancel_fired(rq->call.cancel))
		return error_set(e, ERR_CANCELED, "the adjustment was canceled after %u operations", d.ops);
	if (d.target.tree && ask->fingerprints)
		adjust_device_print(&d, after);
	facts = facts_of(&d, &result);
	facts.started_ms = started_ms;
	facts.print_after = or_null(after);
	return answer(&facts, ret_data, e);
}
