#include "plan.h"

#include "base/cleanup.h"
#include "chance.h"

enum {
	GIVE_UP_MS = 300,   /* where only the deadline ends it */
	OUTLAST_MS = 1500,  /* the same, behind the preflight's own limit */
	GENEROUS_MS = 4500, /* where it ends by itself */
};

const char *start_state_name(enum start_state s)
{
	static const char *const names[] = { "new", "ready", "hot" };
	return names[s];
}

static bool needs_deadline(const struct fault *f)
{
	return f->kind == FAULT_STALL || f->kind == FAULT_LATE || f->kind == FAULT_REORDER ||
	       (f->kind == FAULT_DELAY && f->ms >= GIVE_UP_MS);
}

static int deadline_for(const struct plan *p, int when_stalled)
{
	for (int i = 0; i < FAULTS_PLANNED; i++)
		if (needs_deadline(&p->faults[i]))
			return when_stalled;
	return GENEROUS_MS;
}

static struct fault random_fault(struct chance *c)
{
	struct fault f = {
		.kind = (enum fault_kind)(1 + chance_below(c, FAULT_COUNT - 1)),
		.side = (enum fault_side)chance_below(c, 2),
		.skip = chance_one_in(c, 2) ? 0 : chance_below(c, 3),
		.at = (uint32_t)chance_next(c),
		.mask = (uint8_t)(1 + chance_below(c, 255)),
		.ms = 1 + (int)chance_below(c, 60),
	};
	/* A killed runner costs a start, a long delay the whole deadline: less of them. */
	if (f.kind == FAULT_KILL && chance_one_in(c, 2))
		f.kind = FAULT_CUT;
	if (f.kind == FAULT_DELAY && chance_one_in(c, 4))
		f.ms = GIVE_UP_MS + 100;
	if (f.kind == FAULT_REFUSE)
		f.ms *= 5;
	return f;
}

struct plan plan_random(uint64_t seed, unsigned n_kinds)
{
	struct chance c = { seed };
	struct plan p = { .number = seed };
	uint32_t from = chance_below(&c, 10);
	p.from = from == 0 ? FROM_NEW : from < 5 ? FROM_READY : FROM_HOT;
	p.n_commands = 1 + chance_below(&c, COMMANDS_MAX);
	for (unsigned i = 0; i < p.n_commands; i++)
		p.kinds[i] = chance_below(&c, n_kinds);
	p.hit = chance_below(&c, p.n_commands);
	p.faults[0] = random_fault(&c);
	if (chance_one_in(&c, 3)) { /* one more, on a later exchange of the same command */
		p.faults[1] = random_fault(&c);
		p.faults[1].skip = p.faults[0].skip + 1 + chance_below(&c, 2);
	}
	p.deadline_ms = deadline_for(&p, chance_one_in(&c, 12) ? OUTLAST_MS : GIVE_UP_MS);
	return p;
}

/* --- the sweep ------------------------------------------------------------------------------------ */

static const struct stage {
	enum start_state from;
	unsigned skip;
	bool after_lost; /* the command's reply is lost first: its status question is met */
} stages[] = {
	{ FROM_NEW, 0, false },   /* preflight of a new session */
	{ FROM_NEW, 1, false },   /* its command */
	{ FROM_READY, 0, false }, /* preflight */
	{ FROM_READY, 1, false }, /* command behind it */
	{ FROM_HOT, 0, false },   /* command without a preflight */
	{ FROM_HOT, 1, true },    /* status question */
};
static const enum fault_kind placed[] = { FAULT_CUT,   FAULT_RESET,   FAULT_TRUNCATE,
	                                      FAULT_STALL, FAULT_CORRUPT, FAULT_KILL };

uint64_t plan_sweep_size(void)
{
	return ARRAY_SIZE(stages) * ARRAY_SIZE(placed) * 2 * SWEEP_BYTES;
}

struct plan plan_sweep(uint64_t number, unsigned mutation)
{
	struct chance c = { number };
	uint64_t rest = number;
	const struct stage *s = &stages[rest % ARRAY_SIZE(stages)];
	rest /= ARRAY_SIZE(stages);
	struct fault f = { .kind = placed[rest % ARRAY_SIZE(placed)], .skip = s->skip };
	rest /= ARRAY_SIZE(placed);
	f.side = (enum fault_side)(rest % 2);
	f.at = (uint32_t)(rest / 2);
	f.mask = (uint8_t)(1 + chance_below(&c, 255));
	struct plan p = { .number = number, .from = s->from, .n_commands = 2, .hit = 0 };
	p.kinds[0] = p.kinds[1] = mutation;
	p.faults[0] = f;
	if (s->after_lost)
		p.faults[1] = (struct fault){ .kind = FAULT_CUT, .side = ON_REPLY, .at = 0 };
	p.deadline_ms = deadline_for(&p, GIVE_UP_MS);
	return p;
}

/* --- telling ------------------------------------------------------------------------------------- */

void plan_tell(const struct plan *p, struct buf *out)
{
	buf_addf(out, "from %s, %u commands, deadline %d ms", start_state_name(p->from), p->n_commands,
	         p->deadline_ms);
	for (int i = 0; i < FAULTS_PLANNED; i++) {
		const struct fault *f = &p->faults[i];
		if (f->kind != FAULT_NONE)
			buf_addf(out, "; command %u, exchange %u: %s of %s at %u, mask 0x%02x, %d ms",
			         p->hit + 1, f->skip + 1, fault_name(f->kind),
			         f->side == ON_REQUEST ? "request" : "reply", f->at, f->mask, f->ms);
	}
}
