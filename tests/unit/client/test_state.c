/* The session's state machine: the table against a model that is written as rules, every state with
 * every event; then every short life of a real session over a scripted runner against the same model. */
#include "client_fixture.h"

#include "base/log.h"

/* --- the model ------------------------------------------------------------------------------------ */

struct model {
	bool possible;
	enum cl_state next;
	unsigned actions;
};

static bool has_runner(enum cl_state s)
{
	return s == CL_STARTED || s == CL_READY;
}

static bool is_possible(enum cl_state s, enum cl_event ev)
{
	switch (ev) {
	case CL_EV_ANNOUNCED:
	case CL_EV_START_FAILED: return s == CL_STARTING;
	case CL_EV_ANSWERED:
	case CL_EV_GONE: return has_runner(s);
	case CL_EV_PROVED:
	case CL_EV_DOUBTED: return s == CL_READY;
	default: return s != CL_STARTING; /* one thread: nothing else happens during a start */
	}
}

static enum cl_state next_of(enum cl_state s, enum cl_event ev)
{
	switch (ev) {
	case CL_EV_NEEDED: return has_runner(s) ? s : CL_STARTING;
	case CL_EV_ANNOUNCED: return CL_STARTED;
	case CL_EV_START_FAILED: return CL_INVALID;
	case CL_EV_ANSWERED: return CL_READY;
	case CL_EV_GONE: return CL_INVALID;
	case CL_EV_DROPPED: return has_runner(s) ? CL_INVALID : s;
	case CL_EV_CLOSED: return CL_IDLE;
	default: return s;
	}
}

static struct model model_of(enum cl_state s, enum cl_event ev)
{
	struct model m = { is_possible(s, ev), s, CL_DO_REFUSE };
	if (!m.possible)
		return m;
	m.next = next_of(s, ev);
	m.actions = 0;
	if (m.next == CL_STARTING)
		m.actions |= CL_DO_START | (s == CL_INVALID ? CL_DO_COUNT_RESTART : 0u);
	if (has_runner(s) && !has_runner(m.next)) {
		m.actions |= CL_DO_STOP | CL_DO_FORGET;
		m.actions |= ev == CL_EV_CLOSED ? CL_DO_FAREWELL : CL_DO_COUNT_DROP;
	}
	if (ev == CL_EV_DOUBTED)
		m.actions |= CL_DO_FORGET;
	if (ev == CL_EV_PROVED)
		m.actions |= CL_DO_NOTE;
	return m;
}

/* --- the table ------------------------------------------------------------------------------------- */

static void every_state_and_event_has_the_row_of_the_model(void **state)
{
	for (int s = 0; s < CL_STATE_COUNT; s++) {
		for (int ev = 0; ev < CL_EV_COUNT; ev++) {
			struct model want = model_of((enum cl_state)s, (enum cl_event)ev);
			const struct cl_state_row *row = cl_state_row((enum cl_state)s, (enum cl_event)ev);
			if (row->next != want.next || row->actions != want.actions)
				fail_msg("%s + %s: %s, actions 0x%x; the model says %s, 0x%x",
				         cl_state_name((enum cl_state)s), cl_event_name((enum cl_event)ev),
				         cl_state_name(row->next), row->actions, cl_state_name(want.next),
				         want.actions);
		}
	}
}

/* What must hold whatever the model says. */
static void rows_keep_the_invariants(void **state)
{
	for (int s = 0; s < CL_STATE_COUNT; s++) {
		for (int ev = 0; ev < CL_EV_COUNT; ev++) {
			const struct cl_state_row *row = cl_state_row((enum cl_state)s, (enum cl_event)ev);
			bool before = has_runner((enum cl_state)s), after = has_runner(row->next);
			/* A process is ended when it is left, only then, and exactly once. */
			assert_int_equal((row->actions & CL_DO_STOP) != 0, before && !after);
			/* There is a runner only after an announcement. */
			if (!before && after)
				assert_true(s == CL_STARTING && ev == CL_EV_ANNOUNCED);
			/* Every start is asked for by a command. */
			if (row->actions & CL_DO_START)
				assert_true(ev == CL_EV_NEEDED && row->next == CL_STARTING);
			/* A proof outlives no runner and is noted only on a ready one. */
			if (row->actions & CL_DO_STOP)
				assert_true(row->actions & CL_DO_FORGET);
			if (row->actions & CL_DO_NOTE)
				assert_true(s == CL_READY && row->next == CL_READY);
			/* Nobody says farewell to a runner that is not trusted. */
			if (row->actions & CL_DO_FAREWELL)
				assert_int_equal(ev, CL_EV_CLOSED);
			if (row->actions & CL_DO_REFUSE)
				assert_true(row->next == (enum cl_state)s && row->actions == CL_DO_REFUSE);
			/* Only an answer makes ready, and nothing takes it away but the runner's end. */
			if (row->next == CL_READY && s != CL_READY)
				assert_int_equal(ev, CL_EV_ANSWERED);
			if (s == CL_READY && row->next != CL_READY)
				assert_true(row->actions & CL_DO_STOP);
		}
	}
}

static void every_state_is_reached_and_left(void **state)
{
	bool reached[CL_STATE_COUNT] = { [CL_IDLE] = true };
	for (int round = 0; round < CL_STATE_COUNT; round++)
		for (int s = 0; s < CL_STATE_COUNT; s++)
			for (int ev = 0; reached[s] && ev < CL_EV_COUNT; ev++)
				reached[cl_state_row((enum cl_state)s, (enum cl_event)ev)->next] = true;
	for (int s = 0; s < CL_STATE_COUNT; s++) {
		bool left = false;
		assert_true(reached[s]);
		for (int ev = 0; ev < CL_EV_COUNT; ev++)
			left |= cl_state_row((enum cl_state)s, (enum cl_event)ev)->next != (enum cl_state)s;
		assert_true(left);
	}
}

/* --- every short life -------------------------------------------------------------------------------- */

struct life {
	struct fixture f;
	enum cl_state state; /* the model's */
	bool proof;
	int running;
};

static void expect(struct life *l, enum cl_event ev)
{
	struct model m = model_of(l->state, ev);
	assert_true(m.possible);
	if (m.actions & CL_DO_STOP)
		l->running--;
	if (ev == CL_EV_ANNOUNCED)
		l->running++;
	if (m.actions & CL_DO_FORGET)
		l->proof = false;
	if (m.actions & CL_DO_NOTE)
		l->proof = true;
	l->state = m.next;
}

/* A command arrives: the dead is noticed, a runner is there. False: it did not start. */
static bool expect_runner(struct life *l, bool starts)
{
	if (has_runner(l->state) && !l->f.runner.alive)
		expect(l, CL_EV_GONE);
	expect(l, CL_EV_NEEDED);
	if (l->state != CL_STARTING)
		return true;
	expect(l, starts ? CL_EV_ANNOUNCED : CL_EV_START_FAILED);
	return starts;
}

static void script(struct life *l, const char *command, enum cl_failure failure, const char *reply)
{
	sp_add(&l->f.runner,
	       (struct sp_step){ .command = command, .failure = failure, .reply = reply });
}

/* The preflight, unless the proof spares it. */
static void expect_preflight(struct life *l)
{
	if (l->proof)
		return;
	script(l, "uptime", CL_OK, OK);
	expect(l, CL_EV_ANSWERED);
}

static void good_read(struct life *l)
{
	expect_runner(l, true);
	if (l->state == CL_READY)
		script(l, "uptime", CL_OK, OK);
	script(l, "snapshot", CL_OK, OK);
	expect(l, CL_EV_ANSWERED);
	assert_int_equal(send_command(&l->f, "snapshot"), 0);
}

static void good_tap(struct life *l)
{
	expect_runner(l, true);
	expect_preflight(l);
	script(l, "tap", CL_OK, OK);
	expect(l, CL_EV_ANSWERED);
	expect(l, CL_EV_PROVED);
	assert_int_equal(send_command(&l->f, "tap"), 0);
}

static void lost_tap(struct life *l, const char *status, bool kept)
{
	expect_runner(l, true);
	bool skipped = l->proof;
	expect_preflight(l);
	script(l, "tap", CL_LOST, NULL);
	if (skipped)
		expect(l, CL_EV_DOUBTED);
	script(l, "status", CL_OK, status);
	expect(l, CL_EV_ANSWERED);
	if (!kept)
		expect(l, CL_EV_DROPPED);
	assert_true(send_command(&l->f, "tap") < 0);
}

static void lost_tap_in_flight(struct life *l)
{
	lost_tap(l, "{\"ok\":true,\"data\":{\"lifecycleState\":\"started\"}}", true);
}

static void lost_tap_unknown(struct life *l)
{
	lost_tap(l, "{\"ok\":true,\"data\":{\"lifecycleState\":\"notAccepted\"}}", false);
}

static void fatal_tap(struct life *l)
{
	expect_runner(l, true);
	expect_preflight(l);
	script(l, "tap", CL_OK, "{\"ok\":true,\"data\":{\"runnerFatal\":true}}");
	expect(l, CL_EV_ANSWERED);
	expect(l, CL_EV_DROPPED);
	assert_int_equal(send_command(&l->f, "tap"), 0);
}

static void death(struct life *l)
{
	l->f.runner.alive = false;
}

static void failing_start(struct life *l)
{
	if (has_runner(l->state) && l->f.runner.alive)
		return;
	l->f.runner.fail_starts = 1;
	expect_runner(l, false);
	assert_true(send_command(&l->f, "tap") < 0);
}

static void invalidation(struct life *l)
{
	expect(l, CL_EV_DROPPED);
	cl_invalidate(l->f.session, "test");
}

static void (*const stimuli[])(struct life *l) = { good_read,    good_tap,     lost_tap_in_flight,
	                                               fatal_tap,    death,        lost_tap_unknown,
	                                               invalidation, failing_start };
enum { STIMULI = ARRAY_SIZE(stimuli), LIFE = 5 };

static void check(const struct life *l)
{
	assert_int_equal(cl_session_state(l->f.session), l->state);
	assert_int_equal(l->f.session->recency.has, l->proof);
	assert_int_equal(l->f.runner.started - l->f.runner.stopped, l->running);
	assert_int_equal(l->f.runner.unexpected, 0);
	assert_int_equal(l->f.runner.at, l->f.runner.n_script);
}

static void live(unsigned number)
{
	struct life l = { .state = CL_IDLE };
	struct cl_provider provider = sp_provider(&l.f.runner);
	sp_init(&l.f.runner);
	assert_int_equal(cl_session_new(&l.f.session, &provider, NULL), 0);
	for (int i = 0; i < LIFE; i++, number /= STIMULI) {
		stimuli[number % STIMULI](&l);
		check(&l);
	}
	bool farewell = has_runner(l.state) && l.f.runner.alive;
	script(&l, "shutdown", CL_OK, OK);
	size_t before = sp_count(&l.f.runner, "shutdown");
	cl_session_free(l.f.session);
	assert_int_equal(sp_count(&l.f.runner, "shutdown") - before, farewell);
	assert_int_equal(l.f.runner.started, l.f.runner.stopped);
	error_clear(&l.f.error);
	json_decref(l.f.data);
	sp_done(&l.f.runner);
}

static void every_short_life_goes_as_the_model_says(void **state)
{
	unsigned lives = 1;
	for (int i = 0; i < LIFE; i++)
		lives *= STIMULI;
	log_set_level(LOG_ERROR);
	virtual_clock_use(1000000);
	for (unsigned i = 0; i < lives; i++)
		live(i);
	virtual_clock_leave();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state_and_event_has_the_row_of_the_model),
		cmocka_unit_test(rows_keep_the_invariants),
		cmocka_unit_test(every_state_is_reached_and_left),
		cmocka_unit_test(every_short_life_goes_as_the_model_says),
	};
	return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
