/* The ordered rules of runner protocol 4.5, as a pure function. */
#include "client_fixture.h"

static struct cl_preflight decide(bool ready, bool read_only, enum wire_command command,
                                  const char *app, const struct cl_recency *recency, int64_t age_ms)
{
	return cl_preflight_decide(ready, read_only, command, app, recency, recency->at_ms + age_ms);
}

static void assert_decision(struct cl_preflight p, bool run, const char *reason)
{
	assert_string_equal(p.reason, reason);
	assert_int_equal(p.run, run);
}

static struct cl_recency none = { 0 };
static struct cl_recency proof = { .has = true, .at_ms = 5000, .app = (char *)(uintptr_t)APP };
static struct cl_recency proof_without_app = { .has = true, .at_ms = 5000 };

static void before_the_first_answer_only_reads_go_without(void **state)
{
	assert_decision(decide(false, true, WIRE_CMD_SNAPSHOT, APP, &none, 0), false,
	                "read_only_startup_command");
	assert_decision(decide(false, false, WIRE_CMD_TAP, APP, &none, 0), true, "startup");
	assert_decision(decide(false, true, WIRE_CMD_STATUS, NULL, &none, 0), false,
	                "read_only_startup_command");
	/* P19: a proof of life means nothing while the session is not ready. */
	assert_decision(decide(false, false, WIRE_CMD_TAP, APP, &proof, 10), true, "startup");
}

static void probes_are_their_own_proof(void **state)
{
	assert_decision(decide(true, true, WIRE_CMD_STATUS, NULL, &proof, 0), false,
	                "readiness_probe_command");
	assert_decision(decide(true, true, WIRE_CMD_UPTIME, NULL, &none, 0), false,
	                "readiness_probe_command");
}

/* P10, P14: exactly the table's allowlist may skip. */
static void only_the_allowlist_skips(void **state)
{
	for (int i = 0; i < WIRE_CMD_COUNT; i++) {
		enum wire_command c = (enum wire_command)i;
		const struct wire_command_traits *t = wire_command_traits(c);
		struct cl_preflight p = decide(true, t->client_read_only, c, APP, &proof, 1500);
		if (c == WIRE_CMD_STATUS || c == WIRE_CMD_UPTIME)
			assert_decision(p, false, "readiness_probe_command");
		else if (t->preflight_skip)
			assert_decision(p, false, "recent_healthy_mutation");
		else
			assert_decision(p, true, "conservative_command");
		assert_int_equal(p.proof_age_ms, t->preflight_skip ? 1500 : -1);
	}
}

static void allowlist_is_the_specified_one(void **state)
{
	static const char *const want[] = { "tap", "longPress", "drag", "swipe", "scroll", "sequence" };
	size_t n = 0;
	for (int i = 0; i < WIRE_CMD_COUNT; i++)
		n += wire_command_traits((enum wire_command)i)->preflight_skip;
	assert_int_equal(n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_true(wire_command_traits((enum wire_command)wire_command_from_name(want[i]))
		                ->preflight_skip);
}

static void no_proof_runs(void **state)
{
	assert_decision(decide(true, false, WIRE_CMD_TAP, APP, &none, 0), true,
	                "no_recent_healthy_mutation");
}

/* P17, P18 */
static void another_app_runs(void **state)
{
	assert_decision(decide(true, false, WIRE_CMD_TAP, "other", &proof, 1), true,
	                "app_activation_uncertain");
	assert_decision(decide(true, false, WIRE_CMD_TAP, NULL, &proof, 1), true,
	                "app_activation_uncertain");
	assert_decision(decide(true, false, WIRE_CMD_TAP, APP, &proof_without_app, 1), true,
	                "app_activation_uncertain");
	assert_decision(decide(true, false, WIRE_CMD_TAP, NULL, &proof_without_app, 1), false,
	                "recent_healthy_mutation");
}

/* P15, P16 */
static void the_proof_ages(void **state)
{
	assert_decision(decide(true, false, WIRE_CMD_TAP, APP, &proof, 5000), false,
	                "recent_healthy_mutation");
	struct cl_preflight p = decide(true, false, WIRE_CMD_TAP, APP, &proof, 5001);
	assert_decision(p, true, "healthy_mutation_stale");
	assert_int_equal(p.proof_age_ms, 5001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_the_first_answer_only_reads_go_without),
		cmocka_unit_test(probes_are_their_own_proof),
		cmocka_unit_test(only_the_allowlist_skips),
		cmocka_unit_test(allowlist_is_the_specified_one),
		cmocka_unit_test(no_proof_runs),
		cmocka_unit_test(another_app_runs),
		cmocka_unit_test(the_proof_ages),
	};
	return cmocka_run_group_tests_name("preflight", tests, NULL, NULL);
}
