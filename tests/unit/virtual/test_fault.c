/* Faults on demand: how they are written, when they are met. */
#include "test.h"

#include "backend/virtual/fault.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "wire/runner_commands.h"

static struct vd_fault from_spec(const char *spec)
{
	auto_error struct error e = ERROR_INIT;
	struct vd_fault f = { 0 };
	if (vd_fault_from_spec(spec, &f, &e) < 0)
		fail_msg("%s", e.message);
	return f;
}

static void every_fault_can_be_asked_for(void **state)
{
	(void)state;
	for (int i = 0; i < VD_FAULT_COUNT; i++) {
		const struct vd_fault_info *info = vd_fault_info((enum vd_fault_kind)i);
		struct vd_fault f = from_spec(info->word);
		assert_int_equal(f.kind, i);
		assert_int_equal(f.nth, 1);
		assert_int_equal(f.times, 1);
		assert_int_equal(f.ms, info->ms);
		assert_int_equal(f.count, info->count);
		assert_int_equal(f.command, info->stage == VF_LOOK ? WIRE_CMD_SNAPSHOT : -1);
	}
}

static void a_spec_and_a_scene_say_the_same(void **state)
{
	(void)state;
	struct vd_fault a = from_spec("delay,ms=700,command=snapshot,nth=2,times=0"), b = { 0 };
	auto_json json_t *o = json_pack("{s:s, s:i, s:s, s:i, s:i}", "fault", "delay", "ms", 700,
	                                "command", "snapshot", "nth", 2, "times", 0);
	assert_int_equal(vd_fault_from_json(o, &b, NULL), 0);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(a.ms, 700);
	assert_int_equal(a.command, WIRE_CMD_SNAPSHOT);
}

static void nonsense_is_refused_with_its_key(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *key;
	} bad[] = { { "", "fault" },
		        { "delays", "fault" },
		        { "delay,ms", "ms" },
		        { "delay,ms=x", "ms" },
		        { "delay,ms=-1", "ms" },
		        { "delay,ms=600001", "ms" },
		        { "delay,count=3", "count" },
		        { "lost,ms=3", "ms" },
		        { "deep,count=0", "count" },
		        { "deep,count=50001", "count" },
		        { "lost,nth=0", "nth" },
		        { "lost,times=-1", "times" },
		        { "lost,times=1,times=2", "times" },
		        { "lost,command=tapp", "command" },
		        { "lost,command=5", "command" },
		        { "delay,command=uptime", "command" },
		        { "sparse,command=status", "command" },
		        { "lost,colour=red", "colour" },
		        { "lost,,", "" } };
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		auto_error struct error e = ERROR_INIT;
		struct vd_fault f;
		assert_int_equal(vd_fault_from_spec(bad[i].spec, &f, &e), -ERR_INVALID_ARGS);
		assert_string_equal(jx_get_str(e.details, "key", "?"), bad[i].key);
	}
}

static void from_the_nth_so_many_times(void **state)
{
	(void)state;
	struct vd_fault f = from_spec("lost,command=tap,nth=3,times=2");
	char met[9] = "";
	for (int i = 0; i < 8; i++) {
		assert_false(vd_fault_meets(&f, WIRE_CMD_SNAPSHOT));
		met[i] = vd_fault_meets(&f, WIRE_CMD_TAP) ? 'x' : '.';
	}
	assert_string_equal(met, "..xx....");
	assert_int_equal(f.matched, 8);
	assert_int_equal(f.fired, 2);
}

static void without_an_end_every_one_is_met(void **state)
{
	(void)state;
	struct vd_fault f = from_spec("lost,nth=2,times=0");
	assert_false(vd_fault_meets(&f, WIRE_CMD_TAP));
	for (int i = 0; i < 5; i++)
		assert_true(vd_fault_meets(&f, i % 2 ? WIRE_CMD_TAP : WIRE_CMD_SNAPSHOT));
}

static void what_the_transport_answers_must_be_named(void **state)
{
	(void)state;
	struct vd_fault any = from_spec("reset"), named = from_spec("reset,command=uptime");
	assert_false(vd_fault_meets(&any, WIRE_CMD_UPTIME));
	assert_false(vd_fault_meets(&any, WIRE_CMD_STATUS));
	assert_int_equal(any.matched, 0);
	assert_true(vd_fault_meets(&named, WIRE_CMD_UPTIME));
}

static void counts_are_told(void **state)
{
	(void)state;
	struct vd_fault f = from_spec("nodes,count=9");
	vd_fault_meets(&f, WIRE_CMD_SNAPSHOT);
	vd_fault_meets(&f, WIRE_CMD_SNAPSHOT);
	auto_json json_t *o = vd_fault_to_json(&f);
	assert_string_equal(jx_get_str(o, "fault", ""), "nodes");
	assert_string_equal(jx_get_str(o, "command", ""), "snapshot");
	assert_int_equal(jx_get_int(o, "count", 0), 9);
	assert_int_equal(jx_get_int(o, "matched", 0), 2);
	assert_int_equal(jx_get_int(o, "fired", 0), 1);
	assert_null(json_object_get(o, "ms"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_can_be_asked_for),
		cmocka_unit_test(a_spec_and_a_scene_say_the_same),
		cmocka_unit_test(nonsense_is_refused_with_its_key),
		cmocka_unit_test(from_the_nth_so_many_times),
		cmocka_unit_test(without_an_end_every_one_is_met),
		cmocka_unit_test(what_the_transport_answers_must_be_named),
		cmocka_unit_test(counts_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
