#include "ui/target.h"
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void spellings_of_refs_and_points(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		struct ui_target want;
	} table[] = {
		{ "@e3", { UI_TARGET_REF, .ref = 3 } },
		{ " e3 ", { UI_TARGET_REF, .ref = 3 } },
		{ "@e3~s12", { UI_TARGET_REF, .ref = 3, .generation = 12 } },
		{ "@e50000~s623735", { UI_TARGET_REF, .ref = 50000, .generation = 623735 } },
		{ "120 44", { UI_TARGET_POINT, .x = 120, .y = 44 } },
		{ "120,44", { UI_TARGET_POINT, .x = 120, .y = 44 } },
		{ "120.5 , -44", { UI_TARGET_POINT, .x = 120.5, .y = -44 } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct ui_target t;
		const struct ui_target *w = &table[i].want;
		assert_int_equal(ui_target_parse(table[i].text, &t, NULL), 0);
		if (t.kind != w->kind || t.ref != w->ref || t.generation != w->generation || t.x != w->x ||
		    t.y != w->y || t.selector)
			fail_msg("%s", table[i].text);
		ui_target_done(&t);
	}
}

static void selectors_are_checked_when_parsed(void **state)
{
	(void)state;
	struct ui_target t;
	assert_int_equal(ui_target_parse("  label=\"Save as\" ", &t, NULL), 0);
	assert_int_equal(t.kind, UI_TARGET_SELECTOR);
	assert_string_equal(t.selector, "label=\"Save as\"");
	ui_target_done(&t);
	assert_int_equal(ui_target_parse("label=\"Save", &t, NULL), -ERR_INVALID_ARGS);
	ui_target_done(NULL);
}

static void bad_targets_say_what_to_write(void **state)
{
	(void)state;
	static const struct {
		const char *text, *hint;
	} table[] = {
		{ "Save", "text=\"Save\"" },
		{ "Save \"it\"", "text=\"Save \\\"it\\\"\"" },
		{ "visible", "text=\"visible\"" },
		{ "@3", "@e3" },
		{ "@e0", "@e3" },
		{ "@e", "@e3" },
		{ "@e3x", "@e3" },
		{ "@e3~12", "@e3~s12" },
		{ "@e3~s", "@e3~s12" },
		{ "@e3~s0", "@e3~s12" },
		{ "@e99999999999999999999", "@e3" },
		{ "120", "text=" },
		{ "1 2 3", "text=" },
		{ "nan 3", "text=" },
		{ "1e999 3", "text=" },
		{ "0x10 3", "text=" },
		{ "e3~", "text=" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_error struct error e = ERROR_INIT;
		struct ui_target t = { .ref = 77 };
		assert_int_equal(ui_target_parse(table[i].text, &t, &e), -ERR_INVALID_ARGS);
		assert_int_equal(t.ref, 77);
		if (!strstr(error_hint_text(&e), table[i].hint))
			fail_msg("%s: %s", table[i].text, error_hint_text(&e));
	}
	struct ui_target t;
	assert_int_equal(ui_target_parse(" ", &t, NULL), -ERR_INVALID_ARGS);
}

/* --- one node for a selector ---------------------------------------------------------------- */

static int pick(const struct ui_tree *t, const char *text, enum ui_pick how, uint32_t *ret,
                struct error *e)
{
	struct ui_selector *s;
	assert_int_equal(ui_selector_parse(text, &s, NULL), 0);
	int rc = ui_target_pick(t, s, text, how, ret, e);
	ui_selector_free(s);
	return rc;
}

static void assert_picks(const struct ui_tree *t, const char *text, enum ui_pick how, uint32_t want)
{
	auto_error struct error e = ERROR_INIT;
	uint32_t node = UI_NONE;
	if (pick(t, text, how, &node, &e) < 0)
		fail_msg("%s: %s", text, e.message);
	if (node != want)
		fail_msg("%s picks %u, not %u", text, (unsigned)node, (unsigned)want);
}

/* The best public tool calls this ambiguous: GTK 4 lists the label inside of the check box. */
static void a_check_box_and_its_label_are_one(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_scene("gtk4", &t);
	uint32_t box = fixture_node(&t, "Bold"), button = fixture_node(&t, "Apply");
	assert_int_equal(t.nodes[box].role, UI_CHECK_BOX);
	assert_picks(&t, "label=Bold", UI_PICK_TOUCH, box);
	assert_picks(&t, "label=Bold", UI_PICK_READ, box);
	assert_picks(&t, "label=Bold role=text", UI_PICK_TOUCH, box);
	assert_picks(&t, "label=Apply", UI_PICK_TOUCH, button);
	/* two fields of GTK 4's entry: the outer one is labelled, both hold the value */
	assert_picks(&t, "label=Name", UI_PICK_TEXT_INPUT, fixture_node(&t, "Name"));
	/* a row without a label is pressed by the text in it */
	assert_picks(&t, "label=Pear", UI_PICK_TOUCH, fixture_node(&t, "Pear") - 1);
	assert_picks(&t, "label=Pear", UI_PICK_READ, fixture_node(&t, "Pear"));
}

/* Case A26. */
static void the_inner_control_of_a_chain(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_scene("same_label", &t);
	assert_picks(&t, "label=\"Acme Ltd, 12 High Street, Leeds\"", UI_PICK_TOUCH, 4);
	assert_picks(&t, "label=\"Acme Ltd, 12 High Street, Leeds\"", UI_PICK_READ, 4);
	assert_picks(&t, "label=Row", UI_PICK_TOUCH, 5);
	assert_picks(&t, "label=Title", UI_PICK_READ, 9);
	assert_picks(&t, "label=Title", UI_PICK_TOUCH, 9);
}

static void different_controls_on_a_chain_are_a_choice(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	uint32_t node;
	fixture_tree("{'nodes':[{'role':'list-item','label':'Song'},"
	             "{'role':'button','label':'Song','parentIndex':0}]}",
	             &t);
	assert_int_equal(pick(&t, "label=Song", UI_PICK_TOUCH, &node, NULL), -ERR_AMBIGUOUS_MATCH);
	assert_picks(&t, "label=Song role=button", UI_PICK_TOUCH, 1);
}

static void two_texts_of_one_row(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	uint32_t node;
	fixture_tree("{'nodes':[{'role':'list-item'},"
	             "{'role':'text','label':'Hi','parentIndex':0},"
	             "{'role':'text','label':'Hi','parentIndex':0}]}",
	             &t);
	assert_picks(&t, "label=Hi", UI_PICK_TOUCH, 0);
	assert_int_equal(pick(&t, "label=Hi", UI_PICK_READ, &node, NULL), -ERR_AMBIGUOUS_MATCH);
}

/* A field or slider and the text beside it that names it. */
static void captions_beside_a_control(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	uint32_t node;
	fixture_tree("{'nodes':[{'role':'text','label':'Volume'},"
	             "{'role':'slider','label':'Volume'},"
	             "{'role':'text','label':'Name'},"
	             "{'role':'text-field','label':'Name'},"
	             "{'role':'button','label':'Name'}]}",
	             &t);
	assert_picks(&t, "label=Volume", UI_PICK_TOUCH, 1);
	assert_int_equal(pick(&t, "label=Volume", UI_PICK_READ, &node, NULL), -ERR_AMBIGUOUS_MATCH);
	assert_picks(&t, "label=Name", UI_PICK_TEXT_INPUT, 3);
	assert_int_equal(pick(&t, "label=Name", UI_PICK_TOUCH, &node, NULL), -ERR_AMBIGUOUS_MATCH);
}

static void what_is_not_shown_does_not_compete(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'role':'button','label':'OK','visible':false},"
	             "{'role':'button','label':'OK','visible':true},"
	             "{'role':'button','label':'Gone','visible':false}]}",
	             &t);
	assert_picks(&t, "label=OK", UI_PICK_TOUCH, 1);
	assert_picks(&t, "label=OK", UI_PICK_READ, 1);
	assert_picks(&t, "label=Gone", UI_PICK_TOUCH, 2); /* the caller refuses it with its own error */
}

/* Cases J08 and J12. */
static void ambiguity_names_the_candidates(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error e = ERROR_INIT;
	uint32_t node = 77;
	fixture_tree("{'nodes':[{'role':'list-item','label':'Springfield','identifier':'a',"
	             " 'ref':'e3'},"
	             "{'role':'list-item','label':'Springfield','identifier':'b'},"
	             "{'role':'button','label':'Springfield'}]}",
	             &t);
	assert_int_equal(pick(&t, "label=Springfield", UI_PICK_TOUCH, &node, &e), -ERR_AMBIGUOUS_MATCH);
	assert_int_equal(node, 77);
	assert_int_equal(json_integer_value(json_object_get(e.details, "matches")), 3);
	assert_string_equal(json_string_value(json_object_get(e.details, "selector")),
	                    "label=Springfield");
	const json_t *list = json_object_get(e.details, "candidates");
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(json_string_value(json_array_get(list, 0)),
	                    "@e3 [list-item] \"Springfield\" [disabled]");
	assert_null(json_object_get(e.details, "more"));
}

static void candidates_that_read_the_same_are_told_apart(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error e = ERROR_INIT;
	uint32_t node;
	fixture_tree("{'nodes':[{'role':'button','label':'X','enabled':true,'identifier':'a b'},"
	             "{'role':'group','label':'Second'},"
	             "{'role':'button','label':'X','enabled':true,'parentIndex':1,"
	             " 'rect':{'x':10,'y':20,'width':30,'height':40}}]}",
	             &t);
	assert_int_equal(pick(&t, "label=X", UI_PICK_TOUCH, &node, &e), -ERR_AMBIGUOUS_MATCH);
	const json_t *list = json_object_get(e.details, "candidates");
	assert_string_equal(json_string_value(json_array_get(list, 0)), "[button] \"X\" id=\"a b\"");
	assert_string_equal(json_string_value(json_array_get(list, 1)),
	                    "[button] \"X\" in [group] \"Second\" at 25,40");
}

static void at_most_five_candidates_and_the_rest_counted(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error e = ERROR_INIT;
	uint32_t node;
	assert_int_equal(ui_tree_init(&t, NULL), 0);
	for (int i = 0; i < 9; i++) {
		uint32_t n = ui_tree_add(&t, UI_NONE);
		t.nodes[n].role = UI_CELL;
		t.nodes[n].flags = UI_VISIBLE | UI_ENABLED;
	}
	assert_int_equal(pick(&t, "role=cell", UI_PICK_TOUCH, &node, &e), -ERR_AMBIGUOUS_MATCH);
	assert_int_equal(json_array_size(json_object_get(e.details, "candidates")), 5);
	assert_int_equal(json_integer_value(json_object_get(e.details, "matches")), 9);
	assert_int_equal(json_integer_value(json_object_get(e.details, "more")), 4);
}

static void not_found_shows_what_comes_near(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_error struct error e = ERROR_INIT;
	uint32_t node;
	fixture_tree("{'nodes':[{'role':'button','label':'Save as...','enabled':true},"
	             "{'role':'text','label':'OK'},"
	             "{'role':'button','label':'Not saved','visible':false},"
	             "{'role':'button','identifier':'save-all','enabled':true,'visible':true},"
	             "{'role':'button','label':'Save as...','enabled':true,'visible':true}]}",
	             &t);
	t.nodes[0].flags |= UI_VISIBLE;
	assert_int_equal(pick(&t, "role=button label=Save", UI_PICK_TOUCH, &node, &e),
	                 -ERR_ELEMENT_NOT_FOUND);
	const json_t *near = json_object_get(e.details, "near");
	assert_int_equal(json_array_size(near), 2);
	assert_string_equal(json_string_value(json_array_get(near, 0)), "[button] \"Save as...\"");
	assert_non_null(strstr(error_hint_text(&e), "label*="));
	error_clear(&e);
	assert_int_equal(pick(&t, "label=\"Save as... (Ctrl+S)\"", UI_PICK_TOUCH, &node, &e),
	                 -ERR_ELEMENT_NOT_FOUND);
	assert_int_equal(json_array_size(json_object_get(e.details, "near")), 1);
	error_clear(&e);
	assert_int_equal(pick(&t, "role=slider", UI_PICK_TOUCH, &node, &e), -ERR_ELEMENT_NOT_FOUND);
	assert_null(json_object_get(e.details, "near"));
	assert_string_equal(json_string_value(json_object_get(e.details, "reason")),
	                    "selector_not_found");
}

/* --- promotion ------------------------------------------------------------------------------ */

static void touch_promotion(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree(
	    "{'screen':{'x':0,'y':0,'width':100,'height':100},'nodes':["
	    /* 0: a wrapper with the same rect as its only button */
	    "{'role':'group','rect':{'x':0,'y':0,'width':50,'height':10}},"
	    "{'role':'button','rect':{'x':0,'y':0,'width':50,'height':10},'parentIndex':0},"
	    "{'role':'text','rect':{'x':2,'y':2,'width':20,'height':6},'parentIndex':1},"
	    /* 3: a clickable page: pressing its centre is not what a text in it means */
	    "{'role':'group','actions':['click'],'rect':{'x':0,'y':0,'width':100,'height':95}},"
	    "{'role':'text','rect':{'x':2,'y':20,'width':20,'height':6},'parentIndex':3},"
	    /* 5: a slider with a knob in it stays the slider */
	    "{'role':'slider','rect':{'x':0,'y':30,'width':50,'height':10}},"
	    "{'role':'button','rect':{'x':0,'y':30,'width':50,'height':10},'parentIndex':5},"
	    /* 7: two buttons in one place decide nothing */
	    "{'role':'group','rect':{'x':0,'y':50,'width':50,'height':10}},"
	    "{'role':'button','rect':{'x':0,'y':50,'width':50,'height':10},'parentIndex':7},"
	    "{'role':'button','rect':{'x':0,'y':50,'width':50,'height':10},'parentIndex':7}]}",
	    &t);
	static const uint32_t want[] = { 1, 1, 1, 3, 4, 5, 6, 7, 8, 9 };
	for (uint32_t i = 0; i < t.count; i++) {
		uint32_t to = ui_target_promote(&t, i, UI_PICK_TOUCH);
		assert_int_equal(to, want[i]);
		assert_int_equal(ui_target_promote(&t, to, UI_PICK_TOUCH), to);
	}
}

static void text_promotion(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'role':'group'},"
	             "{'role':'text','parentIndex':0},"
	             "{'role':'search','parentIndex':0},"
	             "{'role':'image','parentIndex':2},"
	             "{'role':'combo-box'},"
	             "{'role':'text-field','parentIndex':4},"
	             "{'role':'group'},"
	             "{'role':'text-field','parentIndex':6},"
	             "{'role':'text-field','parentIndex':6}]}",
	             &t);
	static const uint32_t want[] = { 2, 1, 2, 2, 5, 5, 6, 7, 8 };
	for (uint32_t i = 0; i < t.count; i++)
		assert_int_equal(ui_target_promote(&t, i, UI_PICK_TEXT_INPUT), want[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spellings_of_refs_and_points),
		cmocka_unit_test(selectors_are_checked_when_parsed),
		cmocka_unit_test(bad_targets_say_what_to_write),
		cmocka_unit_test(a_check_box_and_its_label_are_one),
		cmocka_unit_test(the_inner_control_of_a_chain),
		cmocka_unit_test(different_controls_on_a_chain_are_a_choice),
		cmocka_unit_test(two_texts_of_one_row),
		cmocka_unit_test(captions_beside_a_control),
		cmocka_unit_test(what_is_not_shown_does_not_compete),
		cmocka_unit_test(ambiguity_names_the_candidates),
		cmocka_unit_test(candidates_that_read_the_same_are_told_apart),
		cmocka_unit_test(at_most_five_candidates_and_the_rest_counted),
		cmocka_unit_test(not_found_shows_what_comes_near),
		cmocka_unit_test(touch_promotion),
		cmocka_unit_test(text_promotion),
	};
	return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
