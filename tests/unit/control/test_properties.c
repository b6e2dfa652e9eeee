/* What holds for every control, every wish and every mishap: random domains and random habits, with the
 * seed printed. Named cases of the specification: V04, V09, D01, D03, D04. */
#include "script.h"

#include <ftw.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/fs.h"

#define RUNS 20000

static uint64_t start_seed(void)
{
	const char *given = getenv("DEFT_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : 20150815;
	printf("# seed %llu (DEFT_SEED)\n", (unsigned long long)seed);
	return seed;
}

/* Fewer where many programs are tried one after the other. */
static int runs(void)
{
	const char *given = getenv("DEFT_RUNS");
	return given ? atoi(given) : RUNS;
}

/* --- a control with habits ----------------------------------------------------------------------- */

struct habits {
	bool stuck, gone_at_last, disabled_later, loses_caps, drifts, moves;
	unsigned lag;          /* readings until a change shows */
	double slip, by;       /* lands beside what was set; size of a step */
	unsigned refuse_of;    /* refuses one operation of so many, 0: none */
	enum ct_answer breaks; /* what a reading or operation answers one day; CT_DONE: never */
	unsigned breaks_at;
};

struct model {
	uint64_t rng;
	struct habits h;
	struct ct_reading r;
	struct ct_request rq;
	double coming; /* what the value becomes after `due` more readings */
	unsigned due, ops, calls;
	bool over; /* a terminal answer was given */
	double last[2];
	unsigned fresh; /* readings since the last operation, 0..2 */
	char broken[128];
	struct buf log;
};

static double rnd(uint64_t *rng, double from, double to)
{
	*rng = *rng * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(*rng >> 11) / 9007199254740992.0;
}

static bool chance(uint64_t *rng, double p)
{
	return rnd(rng, 0, 1) < p;
}

__attribute__((format(printf, 2, 3))) static void breaks_rule(struct model *m, const char *fmt, ...)
{
	va_list ap;
	if (m->broken[0])
		return;
	va_start(ap, fmt);
	vsnprintf(m->broken, sizeof(m->broken), fmt, ap);
	va_end(ap);
}

static enum ct_answer mishap(struct model *m)
{
	m->calls++;
	if (m->over)
		breaks_rule(m, "asked again after a terminal answer");
	if (m->h.breaks == CT_DONE || m->calls < m->h.breaks_at)
		return CT_DONE;
	m->over = true;
	return m->h.breaks;
}

static enum ct_answer model_resolve(void *ctx)
{
	return mishap(ctx);
}

static enum ct_answer model_read(void *ctx, struct ct_reading *ret)
{
	struct model *m = ctx;
	enum ct_answer a = mishap(m);
	if (a != CT_DONE)
		return a;
	if (m->due && --m->due == 0)
		m->r.value.number = m->coming;
	if (m->h.drifts)
		m->r.value.number += 0.01;
	if (m->h.moves)
		m->r.rect.y += 1;
	m->last[0] = m->last[1];
	m->last[1] = m->r.value.number;
	m->fresh += m->fresh < 2;
	*ret = m->r;
	buf_addf(&m->log, "read %.17g\n", m->r.value.number);
	return CT_DONE;
}

static bool model_settle(void *ctx, unsigned reads)
{
	(void)ctx;
	return reads < 8;
}

/* Nothing may be done once two equal readings say that the value is reached. */
static void check_not_needless(struct model *m)
{
	const struct ct_channel *c = &m->r.value;
	struct ct_domain d = ct_domain_make(c->has_range, c->min, c->max, c->step);
	double target = ct_quantise(&d, m->rq.target);
	double tolerance = m->rq.has_tolerance ? m->rq.tolerance : ct_default_tolerance(&d);
	if (m->fresh == 2 && !m->h.moves && m->last[0] == m->last[1] &&
	    ct_within(&d, m->last[1], target, tolerance))
		breaks_rule(m, "an operation after the value was reached");
	if (m->fresh < 2)
		breaks_rule(m, "an operation after %u readings", m->fresh);
}

static enum ct_answer operation(struct model *m, double wanted)
{
	check_not_needless(m);
	m->ops++;
	m->fresh = 0;
	enum ct_answer a = mishap(m);
	if (a != CT_DONE)
		return a;
	if (m->h.loses_caps && m->ops >= 2)
		m->r.offers &= ~(unsigned)(CT_OFFERS_SET | CT_OFFERS_SET_SECOND);
	if (m->h.disabled_later && m->ops >= 2)
		m->r.enabled = false;
	if (m->h.gone_at_last && m->ops >= 3) {
		m->h.breaks = CT_GONE;
		m->h.breaks_at = 0;
	}
	if (m->h.refuse_of && m->ops % m->h.refuse_of == 0)
		return CT_REJECTED;
	if (m->h.stuck)
		return CT_DONE;
	m->coming = wanted + m->h.slip;
	m->due = m->h.lag + 1;
	return CT_DONE;
}

static enum ct_answer model_set(void *ctx, double value, enum ct_strategy which)
{
	struct model *m = ctx;
	const struct ct_channel *c = &m->r.value;
	buf_addf(&m->log, "set %.17g by %d\n", value, which);
	if (!(m->r.offers & (which == CT_SET ? CT_OFFERS_SET : CT_OFFERS_SET_SECOND)))
		breaks_rule(m, "a write that is not offered");
	if (c->has_range && (value < c->min || value > c->max))
		breaks_rule(m, "%.17g is outside of %.17g..%.17g", value, c->min, c->max);
	return operation(m, value);
}

static enum ct_answer model_step(void *ctx, int direction)
{
	struct model *m = ctx;
	buf_addf(&m->log, "step %d\n", direction);
	if (direction != 1 && direction != -1)
		breaks_rule(m, "direction %d", direction);
	if (!(m->r.offers & (direction > 0 ? CT_OFFERS_INCREMENT : CT_OFFERS_DECREMENT)))
		breaks_rule(m, "a step that is not offered");
	return operation(m, m->r.value.number + direction * m->h.by);
}

static enum ct_answer model_place(void *ctx, double x, double y)
{
	struct model *m = ctx;
	const struct ui_rect *r = &m->r.rect;
	buf_addf(&m->log, "place %.17g %.17g\n", x, y);
	if (x < r->x || y < r->y || x > r->x + r->width || y > r->y + r->height)
		breaks_rule(m, "a point outside of the control");
	double part = m->r.vertical ? 1 - (y - r->y) / r->height : (x - r->x) / r->width;
	if (m->r.rtl && !m->r.vertical)
		part = 1 - part;
	return operation(m, m->r.value.min + part * (m->r.value.max - m->r.value.min));
}

static void make_reading(struct model *m)
{
	uint64_t *g = &m->rng;
	struct ct_channel *c = &m->r.value;
	c->has_number = true;
	c->has_range = chance(g, 0.8);
	c->min = chance(g, 0.5) ? 0 : rnd(g, -1000, 1000);
	c->max = c->min + rnd(g, 0.01, 1000);
	c->step = chance(g, 0.5) ? rnd(g, 0.001, 1.1) * (c->max - c->min) : 0;
	c->number = rnd(g, c->min, c->max);
	m->r.offers = (unsigned)rnd(g, 0, 16);
	m->r.enabled = m->r.visible = true;
	m->r.has_rect = chance(g, 0.8);
	m->r.rect = (struct ui_rect){ rnd(g, 0, 500), rnd(g, 0, 500), rnd(g, 4, 400), rnd(g, 4, 400) };
	m->r.vertical = chance(g, 0.3);
	m->r.rtl = chance(g, 0.3);
	m->r.rating = chance(g, 0.1);
}

static void make_model(struct model *m, uint64_t seed)
{
	*m = (struct model){ .rng = seed };
	uint64_t *g = &m->rng;
	make_reading(m);
	m->h = (struct habits){
		.stuck = chance(g, 0.15),
		.gone_at_last = chance(g, 0.1),
		.disabled_later = chance(g, 0.1),
		.loses_caps = chance(g, 0.2),
		.drifts = chance(g, 0.1),
		.moves = chance(g, 0.05),
		.lag = (unsigned)rnd(g, 0, 5),
		.slip = chance(g, 0.3) ? rnd(g, -1, 1) : 0,
		.by = rnd(g, 0.1, 50),
		.refuse_of = chance(g, 0.2) ? 1 + (unsigned)rnd(g, 0, 3) : 0,
		.breaks = chance(g, 0.2) ? (enum ct_answer)(CT_GONE + (int)rnd(g, 0, 3)) : CT_DONE,
		.breaks_at = (unsigned)rnd(g, 1, 20),
	};
	const struct ct_channel *c = &m->r.value;
	m->rq = (struct ct_request){
		.target = rnd(g, c->min - 20, c->max + 20),
		.has_tolerance = chance(g, 0.3),
		.tolerance = rnd(g, 0, 5),
		.max_attempts = chance(g, 0.1) ? 1000 : 1 + (int64_t)rnd(g, 0, 9),
	};
	buf_init(&m->log, 1 << 20);
}

static void run_model(struct model *m, uint64_t seed, struct ct_result *ret)
{
	make_model(m, seed);
	const struct ct_ops ops = { m,         model_resolve, model_read, model_settle,
		                        model_set, model_step,    model_place };
	ct_adjust(&ops, &m->rq, ret);
}

static void write_result(const struct ct_result *r, struct buf *out)
{
	buf_addf(out, "%d %d %d\n%d %.17g %.17g\n%d %.17g %d %.17g\n%d %d %u %d %d\n", r->code,
	         r->reason, r->retryable, r->has_target, r->target, r->tolerance, r->has_actual,
	         r->actual, r->has_before, r->before, r->within, r->converged, r->attempts,
	         r->coordinate, r->strategy);
	for (unsigned i = 0; i < r->n_trace; i++) {
		const struct ct_trace_step *t = &r->trace[i];
		buf_addf(out, "%d %d %d %d %.17g %.17g %d %.17g %u\n", t->stage, t->success, t->strategy,
		         t->direction, t->x, t->y, t->has_value, t->value, t->reads);
	}
}

/* --- properties ---------------------------------------------------------------------------------- */

/* V04, V09, D01 and: never outside of the range, only what is offered, every operation verified. */
static void test_every_run(void **state)
{
	(void)state;
	uint64_t seed = start_seed();
	unsigned codes[CT_UNKNOWN + 1] = { 0 };
	int n = runs();
	for (int i = 0; i < n; i++, seed++) {
		struct model m, again;
		struct ct_result r, r2;
		run_model(&m, seed, &r);
		run_model(&again, seed, &r2);
		int64_t limit = m.rq.max_attempts < CT_MAX_ATTEMPTS ? m.rq.max_attempts : CT_MAX_ATTEMPTS;
		if (r.attempts > limit)
			breaks_rule(&m, "%u attempts of %lld", r.attempts, (long long)limit);
		if (m.ops != r.attempts && !(m.over && m.h.breaks == CT_OVER && m.ops == r.attempts + 1))
			breaks_rule(&m, "%u operations, %u attempts", m.ops, r.attempts);
		write_result(&r, &m.log);
		write_result(&r2, &again.log);
		if (strcmp(m.log.data, again.log.data) != 0)
			breaks_rule(&m, "two equal runs differ");
		if (r.code == CT_OK && !ct_within(&r.domain, r.actual, r.target, r.tolerance))
			breaks_rule(&m, "a success at %.17g", r.actual);
		if (m.broken[0])
			fail_msg("seed %llu: %s", (unsigned long long)seed, m.broken);
		codes[r.code]++;
		buf_done(&m.log);
		buf_done(&again.log);
	}
	for (int code = CT_OK; code <= CT_UNKNOWN; code++)
		if (codes[code] < (unsigned)n / 200)
			fail_msg("only %u runs end with code %d: the models are too tame", codes[code], code);
}

static void transcript_of(uint64_t seed, int n, struct buf *out)
{
	for (int i = 0; i < n; i++) {
		struct model m;
		struct ct_result r;
		run_model(&m, seed + (uint64_t)i, &r);
		buf_adds(out, m.log.data);
		write_result(&r, out);
		buf_done(&m.log);
	}
}

struct job {
	pthread_t thread;
	struct buf out;
};

static void *work(void *arg)
{
	struct job *j = arg;
	transcript_of(4711, runs() / 40, &j->out);
	return NULL;
}

/* D04 */
static void test_runs_share_nothing(void **state)
{
	(void)state;
	struct job jobs[4];
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		buf_init(&jobs[i].out, 16u << 20);
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
	assert_false(jobs[0].out.over);
	for (size_t i = 1; i < ARRAY_SIZE(jobs); i++)
		assert_string_equal(jobs[i].out.data, jobs[0].out.data);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		buf_done(&jobs[i].out);
}

/* --- locale -------------------------------------------------------------------------------------- */

static void make_locale(const char *path)
{
	pid_t child = fork();
	if (child == 0) {
		execlp("localedef", "localedef", "-i", "de_DE", "-f", "UTF-8", path, (char *)NULL);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

/* A locale with a decimal comma: an installed one, else one made for this test. */
static bool use_comma_locale(const char *dir)
{
	auto_free char *path = fs_join(dir, "de_DE.UTF-8");
	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		return true;
	make_locale(path);
	setenv("LOCPATH", dir, 1);
	return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

/* D03: the numbers of a text and of a result, under a comma locale as without one. */
static void test_locale_changes_nothing(void **state)
{
	(void)state;
	auto_buf struct buf one, other;
	struct ct_reading r = { .text = "0.65" }, comma = { .text = "0,65" };
	struct ct_domain d;
	double v = 0;
	char dir[] = "/tmp/deft-locale-XXXXXX", probe[16];
	buf_init(&one, 1000);
	buf_init(&other, 1000);
	buf_add_number(&one, 0.65);
	assert_non_null(mkdtemp(dir));
	bool have = use_comma_locale(dir);
	snprintf(probe, sizeof(probe), "%.2f", 0.65);
	bool read = ct_read_value(&r, NULL, &v, &d), read_comma = ct_read_value(&comma, NULL, &v, &d);
	buf_add_number(&other, 0.65);
	setlocale(LC_ALL, "C");
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (!have)
		skip();
	assert_string_equal(probe, "0,65"); /* the locale is really in force */
	assert_true(read);
	assert_true(v == 0.65);
	assert_false(read_comma);
	assert_string_equal(one.data, other.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_run),
		cmocka_unit_test(test_runs_share_nothing),
		cmocka_unit_test(test_locale_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
