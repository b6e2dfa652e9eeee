#include "control/control.h"

#include <math.h>
#include <string.h>

/* One run: what was asked, what is known, what has been used up. */
struct run {
	const struct ct_ops *ops;
	const struct ct_request *rq;
	struct ct_result *out;
	struct ct_reading now;
	struct ct_domain domain;
	double value;
	enum ct_strategy strategy;
	bool switched;
	unsigned limit;
};

static void trace(struct run *r, enum ct_stage stage, bool success, double value, unsigned reads)
{
	if (r->out->n_trace >= CT_TRACE_MAX)
		return;
	r->out->trace[r->out->n_trace++] =
	    (struct ct_trace_step){ stage, success, r->strategy, value, reads };
}

static bool fail(struct run *r, enum ct_code code, bool retryable, const char *reason)
{
	r->out->code = code;
	r->out->reason = reason;
	r->out->retryable = retryable;
	return false;
}

static bool fail_answer(struct run *r, enum ct_answer a)
{
	switch (a) {
	case CT_GONE: return fail(r, CT_ELEMENT_NOT_FOUND, true, "the control is not on the screen");
	case CT_OVER:
		return fail(r, CT_CONTROL_CONVERGENCE_FAILED, true,
		            "time ran out before the value was reached");
	default: return fail(r, CT_UNKNOWN, true, "the device could not be reached");
	}
}

/* --- reading ------------------------------------------------------------------------------------- */

static bool same_state(const struct ct_reading *a, const struct ct_reading *b, const char *property)
{
	double va = 0, vb = 0;
	struct ct_domain da, db;
	bool ra = ct_read_value(a, property, &va, &da), rb = ct_read_value(b, property, &vb, &db);
	return ra == rb && (!ra || va == vb) && a->has_rect == b->has_rect &&
	       memcmp(&a->rect, &b->rect, sizeof(a->rect)) == 0;
}

static bool same_rect(const struct ct_reading *a, const struct ct_reading *b)
{
	return a->has_rect == b->has_rect && memcmp(&a->rect, &b->rect, sizeof(a->rect)) == 0;
}

struct settled {
	bool held;       /* two equal readings in a row */
	bool rect_moved; /* it was the place that did not hold */
	unsigned reads;
};

/* At least two readings; accepted once two in a row are equal (G23). */
static bool settle(struct run *r, struct settled *ret)
{
	struct ct_reading last;
	bool have_last = false;
	*ret = (struct settled){ 0 };
	while (ret->reads < CT_MAX_READS) {
		struct ct_reading fresh;
		enum ct_answer a = r->ops->read(r->ops->ctx, &fresh);
		if (a != CT_DONE)
			return fail_answer(r, a);
		ret->reads++;
		if (!fresh.stale) {
			r->now = fresh;
			if (have_last && same_state(&last, &fresh, r->rq->property)) {
				ret->held = true;
				return true;
			}
			ret->rect_moved = have_last && !same_rect(&last, &fresh);
			last = fresh;
			have_last = true;
		}
		if (!r->ops->settle(r->ops->ctx, ret->reads))
			break;
	}
	return true;
}

static bool gate(struct run *r)
{
	const char *p = r->rq->property;
	if (p && strcmp(p, "value") != 0 && strcmp(p, "raw_value") != 0)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false,
		            "the property is not one that can be adjusted");
	if (!r->now.enabled)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true, "the control is disabled");
	if (!r->now.visible)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true, "the control is not visible");
	if (r->now.has_rect && (r->now.rect.width <= 0 || r->now.rect.height <= 0))
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true, "the control has no area");
	return true;
}

/* The domain without a readable value: only to tell what could be done at all. */
static bool offers_anything(const struct ct_reading *now)
{
	const struct ct_channel *c = &now->value;
	struct ct_domain d = ct_domain_make(c->has_range, c->min, c->max, c->step);
	return ct_select(now, &d, 1, CT_SET) != CT_NONE || ct_select(now, &d, -1, CT_SET) != CT_NONE;
}

static bool understand(struct run *r)
{
	if (ct_read_value(&r->now, r->rq->property, &r->value, &r->domain)) {
		r->out->has_actual = true;
		r->out->actual = r->value;
		return true;
	}
	r->out->has_actual = false;
	if (!offers_anything(&r->now))
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false,
		            "the element is not an adjustable control");
	return fail(r, CT_UNKNOWN, true, "the control's value can't be read as a number");
}

static bool fractional_rating(const struct run *r)
{
	return r->now.rating && r->domain.step <= 0 && r->rq->target != floor(r->rq->target);
}

/* Range on the raw target, then the stop to reach and the tolerance. */
static bool aim(struct run *r)
{
	switch (ct_domain_check(&r->domain, r->rq->target)) {
	case CT_RANGE_BROKEN: return fail(r, CT_UNKNOWN, false, "the control's range makes no sense");
	case CT_RANGE_OUTSIDE:
		return fail(r, CT_CONTROL_CONVERGENCE_FAILED, false,
		            "the value is outside of the control's range");
	default: break;
	}
	if (fractional_rating(r))
		return fail(r, CT_UNKNOWN, false, "the rating shows no step, so a fraction means nothing");
	r->out->has_target = true;
	r->out->target = ct_quantise(&r->domain, r->rq->target);
	r->out->tolerance = r->rq->has_tolerance ? r->rq->tolerance : ct_default_tolerance(&r->domain);
	return true;
}

static bool there(const struct run *r)
{
	return ct_within(&r->domain, r->value, r->out->target, r->out->tolerance);
}

static bool done(struct run *r, const char *reason)
{
	r->out->code = CT_OK;
	r->out->reason = reason;
	r->out->within = r->out->converged = true;
	return true;
}

/* --- acting -------------------------------------------------------------------------------------- */

static int direction(const struct run *r)
{
	return r->out->target > r->value ? 1 : -1;
}

/* Keeps to the strategy while it is offered; afterwards the next one in order, once (G15). */
static bool choose(struct run *r)
{
	if (r->strategy == CT_NONE) {
		r->strategy = ct_select(&r->now, &r->domain, direction(r), CT_SET);
	} else if (ct_select(&r->now, &r->domain, direction(r), r->strategy) != r->strategy) {
		if (r->switched)
			return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true,
			            "the control stopped offering a way to change it, twice");
		r->switched = true;
		r->strategy = ct_select(&r->now, &r->domain, direction(r), r->strategy + 1);
	}
	if (r->strategy == CT_NONE)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false,
		            "the control offers no proven way to reach the value");
	return true;
}

static enum ct_answer operate(struct run *r)
{
	double x, y;
	switch (r->strategy) {
	case CT_SET:
	case CT_SET_SECOND: return r->ops->set(r->ops->ctx, r->out->target, r->strategy);
	case CT_STEPS: return r->ops->step(r->ops->ctx, direction(r));
	default:
		ct_track_point(&r->now, &r->domain, r->out->target, &x, &y);
		r->out->coordinate = true;
		return r->ops->place(r->ops->ctx, x, y);
	}
}

/* One operation and the look at what it came to. True: go on (reached or not); false: it is over. */
static bool attempt(struct run *r, bool *ret_reached)
{
	*ret_reached = false;
	if (!choose(r))
		return false;
	r->out->strategy = r->strategy;
	enum ct_answer a = operate(r);
	r->out->attempts += a != CT_OVER;
	trace(r, CT_STAGE_EXECUTE, a == CT_DONE, r->out->target, 0);
	if (a != CT_DONE && a != CT_REJECTED)
		return fail_answer(r, a);
	struct settled s;
	if (!settle(r, &s) || !gate(r) || !understand(r) || !aim(r)) {
		trace(r, CT_STAGE_VERIFY, false, r->value, 0);
		return false;
	}
	*ret_reached = s.held && there(r);
	trace(r, CT_STAGE_VERIFY, *ret_reached, r->value, s.reads);
	return true;
}

static bool converge(struct run *r)
{
	while (r->out->attempts < r->limit) {
		bool reached;
		if (!attempt(r, &reached))
			return false;
		if (reached)
			return done(r, "control converged");
	}
	return fail(r, CT_CONTROL_CONVERGENCE_FAILED, true,
	            "the control did not reach the value within the allowed attempts");
}

static bool look(struct run *r)
{
	struct settled s;
	if (!settle(r, &s) || !gate(r))
		return false;
	if (!s.held && s.rect_moved)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true, "the control does not stand still");
	if (!understand(r))
		return false;
	r->out->has_before = true;
	r->out->before = r->value;
	return true;
}

static bool adjust(struct run *r)
{
	enum ct_answer a = r->ops->resolve(r->ops->ctx);
	trace(r, CT_STAGE_RESOLVE, a == CT_DONE, 0, 0);
	if (a != CT_DONE)
		return fail_answer(r, a);
	if (!look(r) || !aim(r))
		return false;
	if (there(r))
		return done(r, "the control is at the value already");
	return converge(r);
}

void ct_adjust(const struct ct_ops *ops, const struct ct_request *request, struct ct_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	struct run r = { .ops = ops, .rq = request, .out = ret, .strategy = CT_NONE };
	ret->strategy = CT_NONE;
	r.limit =
	    request->max_attempts < CT_MAX_ATTEMPTS ? (unsigned)request->max_attempts : CT_MAX_ATTEMPTS;
	if (!adjust(&r))
		trace(&r, CT_STAGE_RECOVER, ret->retryable, 0, 0);
}

/* --- names --------------------------------------------------------------------------------------- */

const char *ct_code_name(enum ct_code code)
{
	static const char *const names[] = { NULL, "ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTABLE",
		                                 "CONTROL_CONVERGENCE_FAILED", "UNKNOWN" };
	return names[code];
}

const char *ct_strategy_name(enum ct_strategy s)
{
	static const char *const names[] = { "direct_set_value", "direct_set_value_second",
		                                 "increment_decrement", "coordinate", "none" };
	return names[s];
}

const char *ct_stage_name(enum ct_stage s)
{
	static const char *const names[] = { "resolve", "execute", "verify", "recover" };
	return names[s];
}
