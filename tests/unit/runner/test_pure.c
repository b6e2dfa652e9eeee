/* The pure parts of the runner core: scroll plan, gate, stamp, base64, configuration. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "runner/actionability.h"
#include "runner/base64.h"
#include "runner/match.h"
#include "runner/reply.h"
#include "runner/runner.h"
#include "runner/scroll_plan.h"
#include "wire/runner_msg.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct wire_num num(double v)
{
	return (struct wire_num){ v != 0, v };
}

/* --- scroll plan ----------------------------------------------------------------------------- */

static void G1_to_G5_scroll_plans(void **state)
{
	static const struct {
		const char *direction;
		double amount, pixels, w, h; /* 0: absent */
		struct rc_scroll_plan want;
	} cases[] = {
		{ "down", 0.5, 0, 400, 800, { 200, 600, 200, 200, 400, 0, 400 } },
		{ "up", 0.5, 0, 400, 800, { 200, 200, 200, 600, 400, 0, -400 } },
		{ "down", 0, 120, 300, 600, { 150, 360, 150, 240, 120, 0, 120 } },
		{ "down", 2, 0, 400, 800, { 200, 760, 200, 40, 720, 0, 720 } },
		{ "down", 0, 10, 2, 2, { 1, 2, 1, 0, 1, 0, 1 } },
		{ "right", 0, 500, 300, 600, { 285, 300, 15, 300, 270, 270, 0 } },
		{ "left", 0, 500, 300, 600, { 15, 300, 285, 300, 270, -270, 0 } },
		{ "down", 0, 0, 400, 800, { 200, 640, 200, 160, 480, 0, 480 } },
		{ "down", 0.1, 100, 400, 800, { 200, 450, 200, 350, 100, 0, 100 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rc_scroll_plan p;

		assert_true(rc_scroll_plan(cases[i].direction, num(cases[i].amount), num(cases[i].pixels),
		                           cases[i].w, cases[i].h, &p));
		assert_memory_equal(&p, &cases[i].want, sizeof(p));
	}
}

static void G6_no_plan(void **state)
{
	const struct wire_num none = { 0 }, zero = { true, 0 }, negative = { true, -10 };
	const struct wire_num infinite = { true, INFINITY };
	struct rc_scroll_plan p;

	assert_false(rc_scroll_plan("sideways", none, none, 400, 800, &p));
	assert_false(rc_scroll_plan(NULL, none, none, 400, 800, &p));
	assert_false(rc_scroll_plan("down", zero, none, 400, 800, &p));
	assert_false(rc_scroll_plan("down", none, negative, 400, 800, &p));
	assert_false(rc_scroll_plan("down", infinite, none, 400, 800, &p));
	assert_false(rc_scroll_plan("down", none, none, 0, 800, &p));
	assert_false(rc_scroll_plan("down", none, none, 400, NAN, &p));
}

/* --- gate ------------------------------------------------------------------------------------ */

static struct rb_located save_button(void)
{
	return (struct rb_located){ .rect = { 10, 10, 50, 20 },
		                        .x = 35,
		                        .y = 20,
		                        .has_point = true,
		                        .flags = UI_ENABLED | UI_VISIBLE,
		                        .role = UI_BUTTON,
		                        .label = "Save" };
}

static void assert_gate(const struct rb_located *at, const char *role, const char *label,
                        unsigned needs, int code)
{
	struct error auto_error e = ERROR_INIT;

	assert_int_equal(rc_actionable(at, role, label, needs, &e), -code);
	assert_int_equal(e.code, code);
	if (code)
		assert_true(strlen(error_hint_text(&e)) > 0);
}

static void a_sound_element_passes(void **state)
{
	struct rb_located at = save_button();

	assert_gate(&at, "button", "Save", RC_NEED_TOUCH, 0);
	assert_gate(&at, NULL, NULL, RC_NEED_TOUCH, 0);
	assert_gate(&at, "Button", "  save ", RC_NEED_TOUCH, 0);
}

static void another_element_is_stale(void **state)
{
	struct rb_located at = save_button();

	assert_gate(&at, "button", "Delete", RC_NEED_TOUCH, ERR_ELEMENT_STALE);
	assert_gate(&at, "check-box", "Save", RC_NEED_TOUCH, ERR_ELEMENT_STALE);
	assert_gate(&at, "no such role", NULL, 0, ERR_ELEMENT_STALE);
	at.label[0] = '\0';
	assert_gate(&at, NULL, "Save", 0, ERR_ELEMENT_STALE);
}

static void a_cut_label_is_compared_as_far_as_it_goes(void **state)
{
	struct rb_located at = save_button();
	char longer[400];

	memset(longer, 'l', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	memcpy(at.label, longer, sizeof(at.label) - 1);
	at.label[sizeof(at.label) - 1] = '\0';
	assert_gate(&at, NULL, longer, RC_NEED_TOUCH, 0);
	longer[3] = 'X';
	assert_gate(&at, NULL, longer, RC_NEED_TOUCH, ERR_ELEMENT_STALE);
}

static void each_need_has_its_error_in_order(void **state)
{
	struct rb_located at = save_button();

	at.has_point = false;
	at.no_point_reason = "it has no size";
	assert_gate(&at, NULL, NULL, RC_NEED_TOUCH, ERR_ELEMENT_NOT_INTERACTABLE);
	at.covered = true;
	assert_gate(&at, NULL, NULL, RC_NEED_TOUCH, ERR_ELEMENT_COVERED);
	at.offscreen = true;
	assert_gate(&at, NULL, NULL, RC_NEED_TOUCH, ERR_ELEMENT_OFFSCREEN);
	at.flags = UI_VISIBLE;
	assert_gate(&at, NULL, NULL, RC_NEED_TOUCH, ERR_ELEMENT_DISABLED);
	assert_gate(&at, NULL, "Other", RC_NEED_TOUCH, ERR_ELEMENT_STALE);
	assert_gate(&at, NULL, NULL, 0, 0);
	assert_gate(&at, NULL, NULL, RC_NEED_IN_VIEW, ERR_ELEMENT_OFFSCREEN);
}

static void what_is_not_shown_is_not_pressed(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct rb_located at = save_button();

	at.has_point = false;
	at.semantic = true;
	at.flags = UI_ENABLED;
	assert_int_equal(rc_actionable(&at, NULL, NULL, RC_NEED_IN_VIEW, &e), -ERR_ELEMENT_OFFSCREEN);
	assert_non_null(strstr(e.message, "is not shown now"));
	at.flags |= UI_VISIBLE;
	assert_gate(&at, NULL, NULL, RC_NEED_IN_VIEW, 0);
}

static void the_error_says_what_is_in_the_way(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct rb_located at = save_button();

	at.covered = true;
	memcpy(at.covered_by, "Banner", 7);
	rc_actionable(&at, NULL, NULL, RC_NEED_TOUCH, &e);
	assert_string_equal(e.message, "[button] \"Save\" is covered by Banner");
	assert_string_equal(jx_get_str(e.details, "coveredBy", ""), "Banner");
	rc_actionable(&at, "link", "Open", RC_NEED_TOUCH, &e);
	assert_string_equal(e.message, "the element is now [button] \"Save\", not [link] \"Open\"");
}

/* --- reading at a point ---------------------------------------------------------------------- */

static void put(struct ui_tree *t, enum ui_role role, const char *label, const char *value,
                struct ui_rect rect)
{
	uint32_t i = ui_tree_add(t, UI_NONE);

	t->nodes[i].role = role;
	t->nodes[i].label = ui_tree_text(t, label, NULL);
	t->nodes[i].value = ui_tree_text(t, value, NULL);
	t->nodes[i].rect = rect;
	t->nodes[i].flags = UI_ENABLED | UI_HAS_RECT;
}

static void what_is_read_at_a_point(void **state)
{
	struct ui_tree auto_tree t = { 0 };

	assert_int_equal(ui_tree_init(&t, NULL), 0);
	put(&t, UI_GROUP, "whole", NULL, (struct ui_rect){ 0, 0, 400, 400 });
	put(&t, UI_TEXT_FIELD, "Name", "Ada", (struct ui_rect){ 10, 10, 200, 30 });
	put(&t, UI_TEXT, "inner", NULL, (struct ui_rect){ 12, 12, 50, 20 });
	put(&t, UI_TEXT, NULL, NULL, (struct ui_rect){ 100, 100, 5, 5 });
	assert_int_equal(rc_text_at(&t, 20, 20), 1); /* an input before what is smaller */
	assert_int_equal(rc_text_at(&t, 9, 9), 1);   /* and two points around it */
	assert_int_equal(rc_text_at(&t, 7, 9), 0);
	assert_int_equal(rc_text_at(&t, 102, 102), 0); /* what has no text is passed over */
	assert_int_equal(rc_text_at(&t, 500, 9), UI_NONE);
	assert_string_equal(rc_readable(&t.nodes[1]), "Ada");
	assert_string_equal(rc_readable(&t.nodes[2]), "inner");
	assert_null(rc_readable(&t.nodes[3]));
}

/* --- replies --------------------------------------------------------------------------------- */

static void T14_to_T16_stamping(void **state)
{
	auto_json json_t *with = wire_reply_ok(json_pack("{s:s}", "message", "m"));
	auto_json json_t *without = wire_reply_ok(NULL);
	auto_json json_t *failed = json_pack("{s:b,s:{s:s}}", "ok", 0, "error", "message", "m");

	rc_reply_stamp(with, 123.5, false);
	assert_string_equal(jx_get_str(json_object_get(with, "data"), "message", ""), "m");
	assert_true(jx_get_num(json_object_get(with, "data"), "currentUptimeMs", 0) == 123.5);
	rc_reply_stamp(without, 456, true);
	assert_true(jx_get_num(json_object_get(without, "data"), "currentUptimeMs", 0) == 456);
	assert_true(jx_get_bool(json_object_get(without, "data"), "runnerMainThreadBusy", false));
	rc_reply_stamp(failed, 1, false);
	assert_null(json_object_get(failed, "data"));
}

static void only_broken_executions_are_500(void **state)
{
	static const struct {
		enum err_code code;
		unsigned status;
	} cases[] = { { ERR_MAIN_THREAD_TIMEOUT, 500 },
		          { ERR_INTERNAL_ERROR, 500 },
		          { ERR_TIMEOUT, 200 },
		          { ERR_RUNNER_BUSY, 200 },
		          { ERR_ELEMENT_STALE, 200 } };
	auto_json json_t *ok = wire_reply_ok(NULL);

	assert_int_equal(rc_reply_status(ok), 200);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error auto_error e = ERROR_INIT;

		error_set(&e, cases[i].code, "x");
		auto_json json_t *reply = wire_reply_error(&e);
		assert_int_equal(rc_reply_status(reply), cases[i].status);
	}
}

static void base64_pads(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },        { "f", "Zg==" },        { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "\xff\xfe\xfd", "//79" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_free char *text = rc_base64(cases[i][0], strlen(cases[i][0]));

		assert_string_equal(text, cases[i][1]);
	}
}

/* --- configuration --------------------------------------------------------------------------- */

static int clean_env(void **state)
{
	unsetenv("DEFT_RUNNER_PORT");
	unsetenv("DEFT_RUNNER_TOKEN");
	unsetenv("DEFT_RUNNER_WATCHDOG_MS");
	unsetenv("DEFT_RUNNER_WEDGED_MS");
	return 0;
}

static int config(struct rc_config *c, struct error *e, char *a, char *b)
{
	char program[] = "runner";
	char *argv[] = { program, a, b, NULL };

	return rc_config_from_args(c, a ? b ? 3 : 2 : 1, argv, e);
}

static void T23_port_resolution(void **state)
{
	static const struct {
		const char *env;
		char a[32], b[8];
		uint16_t port;
	} cases[] = {
		{ NULL, "", "", 0 },
		{ "8001", "DEFT_RUNNER_PORT=8002", "", 8001 },
		{ "abc", "DEFT_RUNNER_PORT=8123", "", 8123 },
		{ "70000", "DEFT_RUNNER_PORT=8123", "", 8123 },
		{ "", "--port", "99", 99 },
		{ NULL, "DEFT_RUNNER_PORT=x", "", 0 },
		{ NULL, "--unknown", "1", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rc_config c;
		char a[32], b[8];

		memcpy(a, cases[i].a, sizeof(a));
		memcpy(b, cases[i].b, sizeof(b));
		unsetenv("DEFT_RUNNER_PORT");
		if (cases[i].env)
			setenv("DEFT_RUNNER_PORT", cases[i].env, 1);
		assert_int_equal(config(&c, NULL, a[0] ? a : NULL, b[0] ? b : NULL), 0);
		assert_int_equal(c.port, cases[i].port);
	}
	unsetenv("DEFT_RUNNER_PORT");
}

static void times_and_token_come_from_the_environment(void **state)
{
	struct rc_config c;
	char parent[] = "--exit-with-parent";

	setenv("DEFT_RUNNER_TOKEN", "t0k", 1);
	setenv("DEFT_RUNNER_WATCHDOG_MS", "250", 1);
	setenv("DEFT_RUNNER_WEDGED_MS", "900", 1);
	assert_int_equal(config(&c, NULL, parent, NULL), 0);
	assert_string_equal(c.token, "t0k");
	assert_int_equal(c.watchdog_ms, 250);
	assert_int_equal(c.wedged_ms, 900);
	assert_true(c.exit_with_parent);
	setenv("DEFT_RUNNER_TOKEN", "", 1);
	assert_int_equal(config(&c, NULL, NULL, NULL), 0);
	assert_null(c.token);
	assert_false(c.exit_with_parent);
}

static void bad_options_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{ "--port", "" },         { "--port", "70000" },      { "--port", "x" },
		{ "--idle-exit-ms", "" }, { "--idle-exit-ms", "-5" }, { "--idle-exit-ms", "soon" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct error auto_error e = ERROR_INIT;
		struct rc_config c = { .port = 7 };
		char a[32], b[32];

		strncpy(a, cases[i][0], sizeof(a) - 1);
		strncpy(b, cases[i][1], sizeof(b) - 1);
		a[sizeof(a) - 1] = b[sizeof(b) - 1] = '\0';
		assert_int_equal(config(&c, &e, a, b[0] ? b : NULL), -ERR_INVALID_ARGS);
		assert_non_null(strstr(e.message, cases[i][0]));
		assert_int_equal(c.port, 7);
	}
	setenv("DEFT_RUNNER_WATCHDOG_MS", "0", 1);
	struct rc_config c;
	assert_int_equal(config(&c, NULL, NULL, NULL), -ERR_INVALID_ARGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(G1_to_G5_scroll_plans),
		cmocka_unit_test(G6_no_plan),
		cmocka_unit_test(a_sound_element_passes),
		cmocka_unit_test(another_element_is_stale),
		cmocka_unit_test(a_cut_label_is_compared_as_far_as_it_goes),
		cmocka_unit_test(each_need_has_its_error_in_order),
		cmocka_unit_test(what_is_not_shown_is_not_pressed),
		cmocka_unit_test(the_error_says_what_is_in_the_way),
		cmocka_unit_test(what_is_read_at_a_point),
		cmocka_unit_test(T14_to_T16_stamping),
		cmocka_unit_test(only_broken_executions_are_500),
		cmocka_unit_test(base64_pads),
		cmocka_unit_test_setup_teardown(T23_port_resolution, clean_env, clean_env),
		cmocka_unit_test_setup_teardown(times_and_token_come_from_the_environment, clean_env,
		                                clean_env),
		cmocka_unit_test_setup_teardown(bad_options_are_refused, clean_env, clean_env),
	};

	return cmocka_run_group_tests_name("runner_pure", tests, NULL, NULL);
}
