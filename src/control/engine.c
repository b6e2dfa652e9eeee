#include "control/control.h"

#include <math.h>
#include <string.h>

/* One run: what was asked, what is known, what has been used up. */
struct run {
	const struct ct_ops *ops;
	const struct ct_request *rq;
	struct ct_result *out;
	struct ct_reading now;
	double value; /* valid with out->has_actual */
	enum ct_strategy strategy;
	bool switched;
	int64_t limit;
};

/* There is room: resolve, an execute and a verify for each of at most CT_MAX_ATTEMPTS, recover. */
static void trace(struct run *r, struct ct_trace_step step)
{
	r->out->trace[r->out->n_trace++] = step;
}

static bool fail(struct run *r, enum ct_code code, bool retryable, enum ct_reason reason)
{
	r->out->code = code;
	r->out->reason = reason;
	r->out->retryable = retryable;
	return false;
}

static bool fail_answer(struct run *r, enum ct_answer a)
{
	switch (a) {
	case CT_GONE:
		r->out->has_actual = false;
		return fail(r, CT_ELEMENT_NOT_FOUND, true, CT_REASON_GONE);
	case CT_OVER: return fail(r, CT_CONTROL_CONVERGENCE_FAILED, true, CT_REASON_TIME);
	default: return fail(r, CT_UNKNOWN, true, CT_REASON_LOST);
	}
}

static bool there(const struct run *r)
{
	const struct ct_result *o = r->out;
	return o->has_actual && ct_within(&o->domain, r->value, o->target, o->tolerance);
}

/* --- reading ------------------------------------------------------------------------------------- */

static bool same_rect(const struct ct_reading *a, const struct ct_reading *b)
{
	return a->has_rect == b->has_rect && a->rect.x == b->rect.x && a->rect.y == b->rect.y &&
	       a->rect.width == b->rect.width && a->rect.height == b->rect.height;
}

/* Takes a reading over as what is known now. */
static void absorb(struct run *r, const struct ct_reading *fresh)
{
	struct ct_result *o = r->out;
	r->now = *fresh;
	o->has_actual = o->has_domain = ct_read_value(fresh, r->rq->property, &r->value, &o->domain);
	o->actual = r->value;
}

/* One settling: at least two fresh readings; accepted once two in a row are equal (G23). */
struct settling {
	bool wants_change; /* an operation was carried out: its effect may still be on its way */
	double from;       /* the value before it */
	bool held;         /* the last two readings were equal */
	bool rect_moved;   /* it was the place that did not hold */
	unsigned reads, fresh;
};

static void compare(struct run *r, struct settling *s, const struct ct_reading *fresh)
{
	struct ct_reading last = r->now;
	bool had = r->out->has_actual;
	double value = r->value;
	absorb(r, fresh);
	if (s->fresh++ == 0)
		return;
	bool same_value = had == r->out->has_actual && (!had || value == r->value);
	s->rect_moved = !same_rect(&last, fresh);
	s->held = same_value && !s->rect_moved;
}

/* A value that stands where it stood may be a slow control: it gets the whole time. */
static bool accepted(const struct run *r, const struct settling *s)
{
	return s->held && !(s->wants_change && r->out->has_actual && r->value == s->from && !there(r));
}

static bool settle(struct run *r, struct settling *s)
{
	while (s->reads < CT_MAX_READS) {
		struct ct_reading fresh;
		enum ct_answer a = r->ops->read(r->ops->ctx, &fresh);
		if (a != CT_DONE)
			return fail_answer(r, a);
		s->reads++;
		if (!fresh.stale)
			compare(r, s, &fresh);
		if (accepted(r, s))
			return true;
		if (!r->ops->settle(r->ops->ctx, s->reads) && s->fresh >= 2)
			return true;
	}
	return s->fresh >= 2 || fail(r, CT_UNKNOWN, true, CT_REASON_NOT_FRESH);
}

/* --- what speaks against it ---------------------------------------------------------------------- */

static bool known_property(struct run *r)
{
	const char *p = r->rq->property;
	if (!p || strcmp(p, "value") == 0 || strcmp(p, "raw_value") == 0)
		return true;
	return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false, CT_REASON_PROPERTY);
}

static bool unfit(struct run *r, enum ct_reason reason)
{
	return fail(r, CT_ELEMENT_NOT_INTERACTABLE, true, reason);
}

static bool gate(struct run *r)
{
	const struct ct_reading *now = &r->now;
	if (!now->enabled)
		return unfit(r, CT_REASON_DISABLED);
	if (!now->visible)
		return unfit(r, CT_REASON_INVISIBLE);
	if (now->read_only)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false, CT_REASON_READ_ONLY);
	if (now->has_rect && (now->rect.width <= 0 || now->rect.height <= 0))
		return unfit(r, CT_REASON_NO_AREA);
	return true;
}

/* The domain without a readable value: only to tell what could be done at all. */
static bool offers_anything(const struct ct_reading *now)
{
	const struct ct_channel *c = &now->value;
	struct ct_domain d = ct_domain_make(c->has_range, c->min, c->max, c->step);
	return ct_select(now, &d, true, CT_SET) != CT_NONE ||
	       ct_select(now, &d, false, CT_SET) != CT_NONE;
}

static bool readable(struct run *r)
{
	if (r->out->has_actual)
		return true;
	if (!offers_anything(&r->now))
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false, CT_REASON_NOT_ADJUSTABLE);
	return fail(r, CT_UNKNOWN, true, CT_REASON_UNREADABLE);
}

static bool fractional_rating(const struct run *r)
{
	return r->now.rating && r->out->domain.step <= 0 && r->rq->target != trunc(r->rq->target);
}

/* Range on the raw target, then the stop to reach and the tolerance. */
static bool aim(struct run *r)
{
	const struct ct_domain *d = &r->out->domain;
	switch (ct_domain_check(d, r->rq->target)) {
	case CT_RANGE_BROKEN: return fail(r, CT_UNKNOWN, false, CT_REASON_BROKEN_RANGE);
	case CT_RANGE_OUTSIDE:
		return fail(r, CT_CONTROL_CONVERGENCE_FAILED, false, CT_REASON_OUT_OF_RANGE);
	default: break;
	}
	if (fractional_rating(r))
		return fail(r, CT_UNKNOWN, false, CT_REASON_FRACTION);
	r->out->has_target = true;
	r->out->target = ct_quantise(d, r->rq->target);
	r->out->tolerance = r->rq->has_tolerance ? r->rq->tolerance : ct_default_tolerance(d);
	return true;
}

static bool done(struct run *r, enum ct_reason reason)
{
	r->out->reason = reason;
	r->out->within = r->out->converged = true;
	return true;
}

/* --- acting -------------------------------------------------------------------------------------- */

static bool goes_up(const struct run *r)
{
	return r->out->target > r->value;
}

/* Keeps to the strategy while it is offered; afterwards the next one in order, once (G15). */
static bool choose(struct run *r)
{
	enum ct_strategy before = r->strategy, from = before == CT_NONE ? CT_SET : before;
	r->strategy = ct_select(&r->now, &r->out->domain, goes_up(r), from);
	if (before != CT_NONE && r->strategy != before) {
		if (r->switched)
			return unfit(r, CT_REASON_WAY_LOST);
		r->switched = true;
	}
	if (r->strategy == CT_NONE)
		return fail(r, CT_ELEMENT_NOT_INTERACTABLE, false, CT_REASON_NO_WAY);
	r->out->strategy = r->strategy;
	return true;
}

static enum ct_answer operate(struct run *r)
{
	const struct ct_ops *ops = r->ops;
	struct ct_result *o = r->out;
	struct ct_trace_step step = {
		.stage = CT_STAGE_EXECUTE, .strategy = r->strategy, .has_value = true, .value = o->target
	};
	enum ct_answer a;
	if (r->strategy == CT_STEPS) {
		step.direction = goes_up(r) ? 1 : -1;
		a = ops->step(ops->ctx, step.direction);
	} else if (r->strategy == CT_PLACE) {
		ct_track_point(&r->now, &o->domain, o->target, &step.x, &step.y);
		o->coordinate = true;
		a = ops->place(ops->ctx, step.x, step.y);
	} else {
		a = ops->set(ops->ctx, o->target, r->strategy);
	}
	step.success = a == CT_DONE;
	o->attempts += a != CT_OVER;
	trace(r, step);
	return a;
}

static bool verify(struct run *r, struct settling *s)
{
	r->out->has_actual = false; /* until it is read again nothing is known */
	if (!settle(r, s) || !gate(r) || !readable(r) || !aim(r))
		return false;
	if (s->rect_moved && r->strategy == CT_PLACE)
		return unfit(r, CT_REASON_UNSTABLE);
	return true;
}

static bool reached(const struct run *r, const struct settling *s)
{
	return s->held && there(r);
}

/* One operation and the look at what it came to. True: go on (reached or not); false: it is over. */
static bool attempt(struct run *r, struct settling *s)
{
	*s = (struct settling){ .from = r->value };
	if (!choose(r))
		return false;
	enum ct_answer a = operate(r);
	if (a != CT_DONE && a != CT_REJECTED) {
		r->out->has_actual = false;
		return fail_answer(r, a);
	}
	s->wants_change = a == CT_DONE;
	bool good = verify(r, s);
	trace(r, (struct ct_trace_step){ .stage = CT_STAGE_VERIFY,
	                                 .success = good && reached(r, s),
	                                 .has_value = r->out->has_actual,
	                                 .value = r->out->actual,
	                                 .reads = s->reads });
	return good;
}

static enum ct_reason why_not(const struct run *r, const struct settling *last)
{
	if (!last->held)
		return CT_REASON_MOVING;
	if (!last->wants_change)
		return CT_REASON_REFUSED;
	if (r->value == r->out->before)
		return CT_REASON_UNCHANGED;
	return CT_REASON_NOT_REACHED;
}

static bool converge(struct run *r)
{
	struct settling last = { 0 };
	while (r->out->attempts < r->limit) {
		if (!attempt(r, &last))
			return false;
		if (reached(r, &last))
			return done(r, CT_REASON_CONVERGED);
	}
	return fail(r, CT_CONTROL_CONVERGENCE_FAILED, true, why_not(r, &last));
}

static bool look(struct run *r)
{
	struct settling s = { 0 };
	if (!settle(r, &s) || !gate(r))
		return false;
	if (s.rect_moved)
		return unfit(r, CT_REASON_UNSTABLE);
	if (!readable(r))
		return false;
	r->out->has_before = true;
	r->out->before = r->value;
	return true;
}

static bool adjust(struct run *r)
{
	enum ct_answer a = r->ops->resolve(r->ops->ctx);
	trace(r, (struct ct_trace_step){ .stage = CT_STAGE_RESOLVE, .success = a == CT_DONE });
	if (a != CT_DONE)
		return fail_answer(r, a);
	if (!known_property(r) || !look(r) || !aim(r))
		return false;
	if (there(r))
		return done(r, CT_REASON_ALREADY);
	return converge(r);
}

void ct_adjust(const struct ct_ops *ops, const struct ct_request *request, struct ct_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->strategy = CT_NONE;
	struct run r = { .ops = ops, .rq = request, .out = ret, .strategy = CT_NONE };
	r.limit = request->max_attempts < CT_MAX_ATTEMPTS ? request->max_attempts : CT_MAX_ATTEMPTS;
	if (!adjust(&r))
		trace(&r, (struct ct_trace_step){ .stage = CT_STAGE_RECOVER, .success = ret->retryable });
}

void ct_refuse(struct ct_result *ret, enum ct_code code, enum ct_reason reason, bool retryable)
{
	memset(ret, 0, sizeof(*ret));
	struct run r = { .out = ret, .strategy = CT_NONE };
	ret->strategy = CT_NONE;
	fail(&r, code, retryable, reason);
	trace(&r, (struct ct_trace_step){ .stage = CT_STAGE_RESOLVE });
	trace(&r, (struct ct_trace_step){ .stage = CT_STAGE_RECOVER, .success = retryable });
}
