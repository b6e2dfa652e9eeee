#include "base/jx.h"
#include "base/limits.h"
#include "ui_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char *dump(const struct ui_tree *t)
{
	struct buf b;
	auto_json json_t *j = ui_tree_to_json(t);
	buf_init(&b, 64 << 20);
	assert_true(jx_dump(j, false, &b));
	return buf_detach(&b);
}

static void every_scene_reads_back_the_same(void **state)
{
	(void)state;
	static const char *const scenes[] = { "empty", "shop",    "states",  "controls",
		                                  "gtk4",  "partial", "hostile", "few" };
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		auto_tree struct ui_tree once = { 0 };
		auto_tree struct ui_tree twice = { 0 };
		fixture_scene(scenes[i], &once);
		auto_json json_t *j = ui_tree_to_json(&once);
		assert_int_equal(ui_tree_from_json(j, &twice, NULL), 0);
		auto_free char *a = dump(&once), *b = dump(&twice);
		assert_string_equal(a, b);
	}
}

static void head_and_verdict(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_scene("partial", &t);
	assert_true(t.truncated);
	assert_int_equal(t.dropped, 2);
	assert_string_equal(t.surface, "desktop");
	assert_string_equal(t.quality.state, "partial");
	assert_string_equal(t.quality.backend, "atspi-walk");
	assert_string_equal(t.quality.reason_code, "budget");
	assert_int_equal(json_array_size(t.warnings), 1);
	assert_true(t.screen.width == 400 && t.screen.height == 800);
}

static void a_bad_verdict_is_no_verdict(void **state)
{
	(void)state;
	static const char *const verdicts[] = {
		"[]",
		"{}",
		"{'state':'healthy'}",
		"{'backend':'tree'}",
		"{'state':7,'backend':'tree'}",
		"{'state':'splendid','backend':'tree'}",
		"{'state':'healthy','backend':''}",
		"null",
	};
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
		auto_tree struct ui_tree t = { 0 };
		auto_buf struct buf b;
		buf_init(&b, 1000);
		buf_addf(&b, "{'nodes':[],'snapshotQuality':%s}", verdicts[i]);
		fixture_tree(b.data, &t);
		assert_null(t.quality.state);
		assert_null(t.quality.backend);
	}
}

static void all_facts_of_a_node(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'index':0,'type':'Slider','label':'Vol','value':'7',"
	             " 'identifier':'v','description':'d',"
	             " 'rect':{'x':1.5,'y':-2,'width':3,'height':4},"
	             " 'range':{'min':0,'max':10,'step':0.5,'current':7},'enabled':true,"
	             " 'hittable':true,'visible':true,'focused':true,"
	             " 'actions':['increase',5,'decrease'],'pid':42,'hiddenCount':3,'depth':9,"
	             " 'nodeId':'x','ref':'e12','unknown':{'a':[1]}}]}",
	             &t);
	const struct ui_node *n = &t.nodes[0];
	assert_int_equal(n->role, UI_SLIDER);
	assert_string_equal(n->type, "Slider");
	assert_string_equal(n->label, "Vol");
	assert_string_equal(n->value, "7");
	assert_string_equal(n->identifier, "v");
	assert_string_equal(n->description, "d");
	assert_string_equal(n->handle, "x");
	assert_true(n->rect.x == 1.5 && n->rect.y == -2 && n->rect.width == 3 && n->rect.height == 4);
	assert_true(n->range.max == 10 && n->range.step == 0.5 && n->range.current == 7);
	assert_int_equal(n->n_actions, 2);
	assert_string_equal(n->actions[1], "decrease");
	assert_int_equal(n->pid, 42);
	assert_int_equal(n->ref, 12);
	assert_int_equal(n->hidden_count, 3);
	assert_int_equal(n->depth, 0); /* derived, whatever the wire says */
	assert_int_equal(n->flags, UI_ENABLED | UI_HITTABLE | UI_VISIBLE | UI_FOCUSED | UI_HAS_RECT |
	                               UI_HAS_RANGE);
}

/* Wrong types and impossible numbers cost the fact, not the node (cases A15, A22, C17). */
static void bad_facts_are_left_out(void **state)
{
	(void)state;
	static const char *const facts[] = {
		"'rect':null",
		"'rect':[1,2,3,4]",
		"'rect':{'x':null,'y':0,'width':1,'height':1}",
		"'rect':{'x':'inf','y':0,'width':9,'height':9}",
		"'rect':{'x':0,'y':0,'width':9}",
		"'rect':{'x':-2147483648,'y':-2147483648,'width':1,'height':1}",
		"'rect':{'x':0,'y':0,'width':-1,'height':-1}",
		"'range':{'min':0,'max':1}",
		"'range':7",
		"'label':7",
		"'label':{'x':1}",
		"'label':''",
		"'actions':'click'",
		"'actions':[1,2]",
		"'pid':-3",
		"'pid':1.5",
		"'ref':'f3'",
		"'ref':'e0'",
		"'ref':'e'",
		"'ref':'e99999999999'",
		"'focused':'yes'",
		"'focused':1",
		"'nodeId':false",
		"'hiddenCount':1e300",
	};
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		auto_tree struct ui_tree t = { 0 };
		auto_buf struct buf b;
		buf_init(&b, 1000);
		buf_addf(&b, "{'nodes':[{'type':'Button','visible':true,%s}]}", facts[i]);
		fixture_tree(b.data, &t);
		const struct ui_node *n = &t.nodes[0];
		if (n->flags != UI_VISIBLE || n->label || n->handle || n->n_actions || n->pid || n->ref ||
		    n->hidden_count || n->role != UI_BUTTON)
			fail_msg("%s", facts[i]);
	}
}

static void roles_come_from_role_then_type(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'type':'android.widget.TextView'},"
	             "{'type':'x','role':'switch'},"
	             "{'type':'Button','role':'other'},"
	             "{'type':'Button','role':'?'},"
	             "{'type':'Element(9)'},"
	             "{}]}",
	             &t);
	static const enum ui_role want[] = {
		UI_TEXT, UI_SWITCH, UI_OTHER, UI_BUTTON, UI_OTHER, UI_OTHER
	};
	for (uint32_t i = 0; i < t.count; i++)
		assert_int_equal(t.nodes[i].role, want[i]);
}

static void no_tree_from_wrong_structure(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"{}",
		"{\"nodes\":null}",
		"{\"nodes\":{}}",
		"{\"nodes\":[7]}",
		"{\"nodes\":[null]}",
		"{\"nodes\":[{\"index\":1}]}",
		"{\"nodes\":[{\"parentIndex\":0}]}",
		"{\"nodes\":[{},{\"parentIndex\":1}]}",
		"{\"nodes\":[{},{\"parentIndex\":5}]}",
		"{\"nodes\":[{},{\"parentIndex\":-1}]}",
		"{\"nodes\":[{},{\"parentIndex\":\"0\"}]}",
		/* 2 continues the subtree of 0 after root 1 has begun */
		"{\"nodes\":[{},{},{\"parentIndex\":0}]}",
	};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		auto_error struct error e = ERROR_INIT;
		auto_json json_t *j = jx_parse(bad[i], strlen(bad[i]), NULL);
		struct ui_tree t = { .count = 77 };
		assert_non_null(j);
		if (ui_tree_from_json(j, &t, &e) != -ERR_COMMAND_FAILED || t.count != 77)
			fail_msg("%s", bad[i]);
		assert_non_null(e.message);
	}
	assert_int_equal(ui_tree_from_json(NULL, NULL, NULL), -ERR_COMMAND_FAILED);
}

/* XCTest lists only what is shown and never says so. */
static void silence_about_visibility_means_visible(void **state)
{
	(void)state;
	auto_tree struct ui_tree silent = { 0 };
	auto_tree struct ui_tree telling = { 0 };
	fixture_tree("{'nodes':[{'type':'Button'},{'type':'Button'}]}", &silent);
	fixture_tree("{'nodes':[{'type':'Button','visible':false},{'type':'Button'}]}", &telling);
	assert_true(ui_has(&silent.nodes[0], UI_VISIBLE) && ui_has(&silent.nodes[1], UI_VISIBLE));
	assert_false(ui_has(&telling.nodes[0], UI_VISIBLE) || ui_has(&telling.nodes[1], UI_VISIBLE));
}

static void secrets_stay_inside(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'type':'Entry','password':true,'value':'hunter2','hiddenCount':7},"
	             "{'type':'SecureTextField','value':'hunter2'}]}",
	             &t);
	assert_null(t.nodes[0].value);
	assert_null(t.nodes[1].value);
	t.nodes[0].value = t.nodes[1].value = "hunter2"; /* as a faulty backend might */
	auto_free char *text = dump(&t);
	assert_null(strstr(text, "hunter2"));
	assert_non_null(strstr(text, "\"hiddenCount\":7"));
}

static void numbers_are_always_finite(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_init(&t, NULL), 0);
	assert_int_equal(ui_tree_add(&t, UI_NONE), 0);
	struct ui_node *n = &t.nodes[0];
	n->flags = UI_HAS_RECT | UI_HAS_RANGE;
	n->rect = (struct ui_rect){ INFINITY, -INFINITY, NAN, 1 };
	n->range = (struct ui_range){ 0, INFINITY, NAN, 1 };
	auto_json json_t *j = ui_node_to_json(&t, 0);
	assert_null(json_object_get(j, "rect"));
	assert_null(json_object_get(j, "range"));
	n->range = (struct ui_range){ 0, 1, NAN, -0.0 };
	auto_json json_t *k = ui_node_to_json(&t, 0);
	assert_int_equal(json_object_size(json_object_get(k, "range")), 3);
	assert_true(json_is_integer(json_object_get(json_object_get(k, "range"), "current")));
}

static void too_many_nodes_are_cut(void **state)
{
	(void)state;
	auto_json json_t *data = json_object(), *nodes = json_array();
	for (int i = 0; i < LIM_TREE_NODES + 5; i++)
		json_array_append_new(nodes, json_object());
	json_object_set(data, "nodes", nodes);
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_from_json(data, &t, NULL), 0);
	assert_int_equal(t.count, LIM_TREE_NODES);
	assert_true(t.truncated);
}

static void too_deep_nodes_are_flattened(void **state)
{
	(void)state;
	auto_json json_t *data = json_object(), *nodes = json_array();
	for (int i = 0; i < LIM_TREE_DEPTH + 100; i++) {
		json_t *n = json_object();
		if (i > 0)
			json_object_set_new(n, "parentIndex", json_integer(i - 1));
		json_array_append_new(nodes, n);
	}
	json_object_set(data, "nodes", nodes);
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_from_json(data, &t, NULL), 0);
	assert_int_equal(t.count, LIM_TREE_DEPTH + 100);
	assert_true(t.truncated);
	assert_int_equal(t.nodes[LIM_TREE_DEPTH - 1].depth, LIM_TREE_DEPTH - 1);
	assert_int_equal(t.nodes[t.count - 1].depth, LIM_TREE_DEPTH - 1);
}

static void many_actions_are_cut_and_marked(void **state)
{
	(void)state;
	auto_json json_t *data = json_pack("{s:[{s:[]}]}", "nodes", "actions");
	json_t *actions = json_object_get(json_array_get(json_object_get(data, "nodes"), 0), "actions");
	for (int i = 0; i < LIM_TREE_ACTIONS + 1; i++)
		json_array_append_new(actions, json_string("click"));
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_from_json(data, &t, NULL), 0);
	assert_int_equal(t.nodes[0].n_actions, LIM_TREE_ACTIONS);
	assert_true(ui_has(&t.nodes[0], UI_CUT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_scene_reads_back_the_same),
		cmocka_unit_test(head_and_verdict),
		cmocka_unit_test(a_bad_verdict_is_no_verdict),
		cmocka_unit_test(all_facts_of_a_node),
		cmocka_unit_test(bad_facts_are_left_out),
		cmocka_unit_test(roles_come_from_role_then_type),
		cmocka_unit_test(no_tree_from_wrong_structure),
		cmocka_unit_test(silence_about_visibility_means_visible),
		cmocka_unit_test(secrets_stay_inside),
		cmocka_unit_test(numbers_are_always_finite),
		cmocka_unit_test(too_many_nodes_are_cut),
		cmocka_unit_test(too_deep_nodes_are_flattened),
		cmocka_unit_test(many_actions_are_cut_and_marked),
	};
	return cmocka_run_group_tests_name("tree_json", tests, NULL, NULL);
}
