/* Rules of the view that a golden text does not show, or shows too late. */
#include "base/limits.h"
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void make(const struct ui_tree *raw, struct ui_view_opts opts, struct ui_tree *ret,
                 struct ui_view_stats *stats)
{
	auto_error struct error e = ERROR_INIT;
	if (ui_view_make(raw, &opts, ret, stats, &e) < 0)
		fail_msg("%s", e.message);
}

#define FULL ((struct ui_view_opts){ .depth = -1 })
#define INTERACTIVE ((struct ui_view_opts){ .interactive = true, .depth = -1 })
#define RAW ((struct ui_view_opts){ .raw = true, .depth = -1 })

static void refs_count_the_list(void **state)
{
	(void)state;
	static const char *const scenes[] = { "shop", "gtk4", "keyboard", "same_label" };
	const struct ui_view_opts views[] = { FULL, INTERACTIVE, RAW };
	for (size_t s = 0; s < ARRAY_SIZE(scenes); s++) {
		auto_tree struct ui_tree raw = { 0 };
		fixture_scene(scenes[s], &raw);
		for (size_t v = 0; v < ARRAY_SIZE(views); v++) {
			auto_tree struct ui_tree view = { 0 };
			struct ui_view_stats stats;
			make(&raw, views[v], &view, &stats);
			assert_int_equal(stats.visible, view.count);
			assert_int_equal(stats.total, raw.count);
			for (uint32_t i = 0; i < view.count; i++)
				assert_int_equal(view.nodes[i].ref, i + 1);
		}
	}
}

static void raw_derives_nothing(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_scene("same_label", &raw);
	make(&raw, RAW, &view, &stats);
	assert_int_equal(view.count, raw.count);
	for (uint32_t i = 0; i < raw.count; i++) {
		const struct ui_node *a = &raw.nodes[i], *b = &view.nodes[i];
		assert_int_equal(a->flags, b->flags);
		assert_int_equal(a->parent, b->parent);
		assert_true(a->label == NULL ? b->label == NULL : strcmp(a->label, b->label) == 0);
		assert_null(b->caption);
	}
}

/* A derived text is not the node's label: what runners compare stays what they gave. */
static void captions_are_not_labels(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_scene("gtk4", &raw);
	make(&raw, INTERACTIVE, &view, &stats);
	uint32_t row = fixture_node(&view, "Apple");
	assert_int_equal(view.nodes[row].role, UI_LIST_ITEM);
	assert_null(view.nodes[row].label);
	assert_string_equal(view.nodes[row].caption, "Apple");
}

static void the_warnings_of_the_tree_are_kept_once(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree once = { 0 };
	auto_tree struct ui_tree twice = { 0 };
	struct ui_view_stats stats;
	fixture_scene("partial", &raw);
	make(&raw, FULL, &once, &stats);
	assert_int_equal(json_array_size(once.warnings), 3);
	make(&once, FULL, &twice, &stats); /* a view of a view says nothing twice */
	assert_int_equal(json_array_size(twice.warnings), 3);
}

/* Case A13: the screen counts, not the area that bars leave over. */
static void the_whole_screen_is_in_view(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree(
	    "{'screen':{'x':0,'y':0,'width':1080,'height':2340},'nodes':[{'type':'Application',"
	    " 'rect':{'x':0,'y':0,'width':1080,'height':2204}},"
	    "{'type':'Button','parentIndex':0,'rect':{'x':764,'y':2210,'width':212,'height':75}},"
	    "{'type':'Button','parentIndex':0,'rect':{'x':0,'y':5012,'width':1080,'height':188}},"
	    "{'type':'Button','parentIndex':0,'rect':{'x':-5,'y':-20,'width':105,'height':70}},"
	    "{'type':'Button','parentIndex':0,'rect':{'x':0,'y':0,'width':0,'height':0}},"
	    "{'type':'Button','parentIndex':0}]}",
	    &t);
	static const bool want[] = { true, true, false, true, false, true };
	for (uint32_t i = 0; i < t.count; i++)
		assert_int_equal(ui_node_in_view(&t, i), want[i]);
}

static void viewports_are_nested(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree(
	    "{'screen':{'x':0,'y':0,'width':400,'height':400},'nodes':[{'role':'window',"
	    " 'rect':{'x':0,'y':0,'width':200,'height':200}},"
	    "{'role':'button','parentIndex':0,'rect':{'x':250,'y':0,'width':20,'height':20}},"
	    "{'role':'scroll-area','parentIndex':0,'rect':{'x':0,'y':100,'width':200,'height':300}},"
	    /* 3: inside the scroll area, but outside of the window that clips it */
	    "{'role':'button','parentIndex':2,'rect':{'x':0,'y':300,'width':20,'height':20}},"
	    /* 4: the list is scrolled away, and so is what its rect would show */
	    "{'role':'list','scrollable':true,'parentIndex':2,"
	    " 'rect':{'x':0,'y':300,'width':50,'height':50}},"
	    "{'role':'button','parentIndex':4,'rect':{'x':0,'y':310,'width':20,'height':20}},"
	    /* 6: a menu may leave its window */
	    "{'role':'menu','parentIndex':0,'rect':{'x':150,'y':190,'width':50,'height':150}},"
	    "{'role':'menu-item','parentIndex':6,'rect':{'x':150,'y':300,'width':50,'height':20}}]}",
	    &t);
	static const bool want[] = { true, false, true, false, false, false, true, true };
	for (uint32_t i = 0; i < t.count; i++)
		assert_int_equal(ui_node_in_view(&t, i), want[i]);
}

static void what_is_interactive(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'role':'button'},"
	             "{'role':'text'},"
	             "{'role':'group','actions':['click']},"
	             "{'role':'text','actions':['clipboard.copy','menu.popup','win.close']},"
	             "{'role':'window','focusable':true,'label':'W','actions':['activate']},"
	             "{'role':'group','focusable':true},"
	             "{'role':'group','focusable':true,'label':'G'},"
	             "{'role':'text','editable':true},"
	             "{'role':'image','checkable':true},"
	             "{'role':'progress-bar','range':{'min':0,'max':1,'current':0}},"
	             "{'role':'group','actions':['Press']},"
	             "{'role':'keyboard','focusable':true,'label':'K'}]}",
	             &t);
	static const bool want[] = { true, false, true, false, false, false,
		                         true, true,  true, false, true,  false };
	for (uint32_t i = 0; i < t.count; i++) {
		if (ui_node_interactive(&t, i) != want[i])
			fail_msg("node %u", (unsigned)i);
	}
}

/* Case C08, and the window behind the active one. */
static void only_what_lies_on_top_covers(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_tree("{'nodes':[{'role':'window','label':'A','active':true,"
	             " 'rect':{'x':0,'y':0,'width':400,'height':400}},"
	             "{'role':'group','label':'row','actions':['click'],'parentIndex':0,"
	             " 'rect':{'x':0,'y':100,'width':300,'height':20}},"
	             "{'role':'image','label':'star','parentIndex':1,"
	             " 'rect':{'x':100,'y':100,'width':100,'height':20}},"
	             "{'role':'button','label':'low','parentIndex':0,"
	             " 'rect':{'x':0,'y':380,'width':50,'height':20}},"
	             "{'role':'toolbar','label':'bar','parentIndex':0,"
	             " 'rect':{'x':0,'y':370,'width':400,'height':30}},"
	             "{'role':'button','label':'on bar','parentIndex':4,"
	             " 'rect':{'x':0,'y':375,'width':50,'height':20}},"
	             "{'role':'dialog','label':'behind','rect':{'x':0,'y':90,'width':400,'height':50}},"
	             "{'role':'window','label':'B','rect':{'x':0,'y':0,'width':400,'height':400}},"
	             "{'role':'button','label':'in B','parentIndex':7,"
	             " 'rect':{'x':0,'y':100,'width':50,'height':20}},"
	             "{'role':'button','label':'B low','parentIndex':7,"
	             " 'rect':{'x':0,'y':200,'width':50,'height':20}},"
	             "{'role':'dialog','label':'front','rect':{'x':0,'y':90,'width':400,'height':50}},"
	             /* a bar in a third window, wherever that window stands */
	             "{'role':'window','label':'C','rect':{'x':0,'y':0,'width':400,'height':400}},"
	             "{'role':'toolbar','label':'C bar','parentIndex':11,"
	             " 'rect':{'x':0,'y':190,'width':400,'height':50}}]}",
	             &t);
	make(&t, FULL, &view, &stats);
	static const struct {
		const char *label;
		bool covered;
	} want[] = {
		{ "row", false },    { "star", false }, { "low", true },
		{ "on bar", false }, { "in B", true },  { "B low", false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		uint32_t at = fixture_node(&view, want[i].label);
		assert_true(at < view.count);
		if (ui_has(&view.nodes[at], UI_COVERED) != want[i].covered)
			fail_msg("%s", want[i].label);
	}
}

static void the_scope_prefers_what_is_shown(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_tree struct ui_tree shown = { 0 };
	auto_tree struct ui_tree hidden = { 0 };
	auto_tree struct ui_tree secret = { 0 };
	struct ui_view_stats stats;
	fixture_tree("{'nodes':[{'role':'group','label':'page','visible':false},"
	             "{'role':'button','label':'old','visible':false,'parentIndex':0},"
	             "{'role':'group','label':'Page 2','visible':true},"
	             "{'role':'button','label':'new','visible':true,'parentIndex':2},"
	             "{'role':'text-field','password':true,'visible':true}]}",
	             &t);
	t.nodes[4].value = "hunter2";
	struct ui_view_opts opts = { .depth = -1, .scope = "page" };
	make(&t, opts, &shown, &stats);
	assert_int_equal(shown.count, 2);
	assert_true(fixture_node(&shown, "new") == 1);
	opts.scope = "old"; /* asked for by name: shown although it is not on the screen */
	make(&t, opts, &hidden, &stats);
	assert_int_equal(hidden.count, 1);
	opts.scope = "hunter2";
	make(&t, opts, &secret, &stats);
	assert_true(stats.scope_missed);
	assert_int_equal(secret.count, 0);
}

static void the_depth_counts_from_the_scope(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_scene("shop", &raw);
	make(&raw, (struct ui_view_opts){ .depth = 1, .scope = "Products" }, &view, &stats);
	assert_int_equal(view.count, 2);
	assert_int_equal(view.nodes[1].role, UI_GROUP);
	assert_int_equal(view.nodes[1].parent, 0);
}

static void cut_trees_stay_marked(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_tree("{'truncated':true,'nodes':[{'type':'Button'},"
	             "{'type':'Button'},"
	             "{'type':'Button'},"
	             "{'type':'Button'}]}",
	             &raw);
	make(&raw, INTERACTIVE, &view, &stats);
	assert_true(view.truncated);
	assert_int_equal(json_array_size(view.warnings), 1);
}

/* One line of labels for a view; "role:text" each. */
static char *summary(const char *json, struct ui_view_opts opts)
{
	auto_tree struct ui_tree t = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	struct buf b;
	buf_init(&b, 4096);
	fixture_tree(json, &t);
	make(&t, opts, &view, &stats);
	for (uint32_t i = 0; i < view.count; i++) {
		const struct ui_node *n = &view.nodes[i];
		const char *text = n->label ? n->label : n->caption;
		buf_addf(&b, "%s%s:%s", i ? " " : "", ui_role_name(n->role), text ? text : "-");
	}
	return buf_detach(&b);
}

static void every_text_once(void **state)
{
	(void)state;
	static const struct {
		const char *json, *want;
	} table[] = {
		/* a group, its title and a button of that name: the button has it */
		{ "{'nodes':[{'role':'group','label':'Save'},"
		  "{'role':'text','label':'save','parentIndex':0},"
		  "{'role':'button','label':'Save','parentIndex':0}]}",
		  "button:Save" },
		/* a wrapper around a text around a link */
		{ "{'nodes':[{'role':'heading','label':'More'},"
		  "{'role':'link','label':'More','parentIndex':0}]}",
		  "link:More" },
		/* controls of different kinds are both there */
		{ "{'nodes':[{'role':'list-item','label':'S'},"
		  "{'role':'button','label':'S','parentIndex':0}]}",
		  "list-item:S button:S" },
		/* a repetition that is not shown repeats nothing */
		{ "{'nodes':[{'role':'group','label':'S','visible':true},"
		  "{'role':'button','label':'S','visible':false,'parentIndex':0}]}",
		  "group:S" },
		/* a page's title is not the window's */
		{ "{'nodes':[{'role':'window','label':'S'},"
		  "{'role':'heading','label':'S','parentIndex':0}]}",
		  "window:S heading:S" },
		/* the inner text widget of a spin button */
		{ "{'nodes':[{'role':'spin-button','label':'N','editable':true},"
		  "{'role':'text-field','editable':true,'parentIndex':0}]}",
		  "spin-button:N" },
		/* but an entry in a combo box is a field of its own, and so is one that alone can be edited */
		{ "{'nodes':[{'role':'combo-box','label':'C'},{'role':'text-field','parentIndex':0}]}",
		  "combo-box:C text-field:-" },
		{ "{'nodes':[{'role':'search','label':'C'},"
		  "{'role':'text-field','editable':true,'parentIndex':0}]}",
		  "search:C text-field:-" },
		/* captions: the first text shown, not a control's, not from too deep, not beside a value */
		{ "{'nodes':[{'role':'button','visible':true},"
		  "{'role':'text','label':'hidden','visible':false,'parentIndex':0},"
		  "{'role':'text','value':'shown','visible':true,'parentIndex':0}]}",
		  "button:shown" },
		{ "{'nodes':[{'role':'list-item'},"
		  "{'role':'button','label':'X','parentIndex':0},"
		  "{'role':'text','label':'Row','parentIndex':0}]}",
		  "list-item:Row button:X" },
		{ "{'nodes':[{'role':'button'},"
		  "{'role':'list','parentIndex':0},"
		  "{'role':'list','parentIndex':1},"
		  "{'role':'list','parentIndex':2},"
		  "{'role':'list','parentIndex':3},"
		  "{'role':'text','label':'deep','parentIndex':4}]}",
		  "button:- list:- list:- list:- list:- text:deep" },
		{ "{'nodes':[{'role':'combo-box','value':'12'},"
		  "{'role':'text','label':'pt','parentIndex':0}]}",
		  "combo-box:- text:pt" },
		/* wrappers whose text says nothing */
		{ "{'nodes':[{'role':'group','label':'true'},"
		  "{'role':'group','label':'False'},"
		  "{'role':'group','label':'4 2'},"
		  "{'role':'group','label':'4 b'},"
		  "{'role':'separator'}]}",
		  "group:4 b" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_free char *got = summary(table[i].json, FULL);
		assert_string_equal(got, table[i].want);
	}
}

/* A child may be placed outside of its parent: then the parent is shown with it. */
static void ancestors_of_what_is_visible_are_shown(void **state)
{
	(void)state;
	auto_free char *got = summary(
	    "{'screen':{'x':0,'y':0,'width':100,'height':100},'nodes':[{'role':'group','label':'G',"
	    " 'rect':{'x':0,'y':500,'width':10,'height':10}},"
	    "{'role':'button','label':'B','parentIndex':0,"
	    " 'rect':{'x':0,'y':0,'width':10,'height':10}},"
	    "{'role':'group','label':'H','rect':{'x':0,'y':500,'width':10,'height':10}}]}",
	    FULL);
	assert_string_equal(got, "group:G button:B");
}

static void what_lies_outside_is_counted(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_tree(
	    "{'screen':{'x':0,'y':0,'width':100,'height':100},'nodes':[{'role':'button','label':'in',"
	    " 'visible':true},"
	    "{'role':'button','label':'A','visible':true,"
	    " 'rect':{'x':0,'y':200,'width':9,'height':9}},"
	    "{'role':'button','label':'B','visible':false,"
	    " 'rect':{'x':0,'y':200,'width':9,'height':9}},"
	    "{'role':'text','label':'C','visible':true,'rect':{'x':0,'y':200,'width':9,'height':9}},"
	    "{'role':'button','label':'D','visible':true,"
	    " 'rect':{'x':0,'y':200,'width':0,'height':0}}]}",
	    &t);
	make(&t, INTERACTIVE, &view, &stats);
	assert_int_equal(stats.offscreen_above, 0);
	assert_int_equal(stats.offscreen_below, 1);
	assert_string_equal(stats.below[0], "A");
	assert_null(stats.below[1]);
}

/* Only a vertical bar speaks of above and below. */
static void scroll_bars_tell_of_hidden_content(void **state)
{
	(void)state;
	static const struct {
		const char *bar;
		uint32_t flags;
	} table[] = {
		{ "'rect':{'x':0,'y':0,'width':5,'height':90},'range':{'min':0,'max':100,'current':50}",
		  UI_HIDDEN_ABOVE | UI_HIDDEN_BELOW },
		{ "'rect':{'x':0,'y':0,'width':5,'height':90},'range':{'min':0,'max':100,'current':1}",
		  UI_HIDDEN_BELOW },
		{ "'rect':{'x':0,'y':0,'width':5,'height':90},'range':{'min':0,'max':100,'current':99}",
		  UI_HIDDEN_ABOVE },
		{ "'rect':{'x':0,'y':0,'width':90,'height':5},'range':{'min':0,'max':100,'current':50}",
		  0 },
		{ "'rect':{'x':0,'y':0,'width':5,'height':90},'range':{'min':0,'max':0,'current':0}", 0 },
		{ "'range':{'min':0,'max':100,'current':50}", 0 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_tree struct ui_tree t = { 0 };
		auto_tree struct ui_tree view = { 0 };
		struct ui_view_stats stats;
		auto_buf struct buf b;
		buf_init(&b, 1000);
		buf_addf(&b, "{'nodes':[{'role':'scroll-area'},{'role':'scroll-bar','parentIndex':0,%s}]}",
		         table[i].bar);
		fixture_tree(b.data, &t);
		make(&t, FULL, &view, &stats);
		assert_int_equal(view.nodes[0].flags & (UI_HIDDEN_ABOVE | UI_HIDDEN_BELOW), table[i].flags);
	}
}

/* Cells of an empty table would drown everything else. */
static void empty_cells_are_no_answer(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	fixture_tree("{'nodes':[{'role':'table','label':'T'},"
	             "{'role':'cell','parentIndex':0},"
	             "{'role':'cell','parentIndex':0,'actions':['activate']},"
	             "{'role':'cell','parentIndex':0,'value':'7'},"
	             "{'role':'cell','parentIndex':0,'selected':true},"
	             "{'role':'cell','parentIndex':0,'actions':['expands or contracts the row']},"
	             "{'role':'scroll-bar','parentIndex':0}]}",
	             &t);
	make(&t, INTERACTIVE, &view, &stats);
	assert_int_equal(view.count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refs_count_the_list),
		cmocka_unit_test(raw_derives_nothing),
		cmocka_unit_test(captions_are_not_labels),
		cmocka_unit_test(the_warnings_of_the_tree_are_kept_once),
		cmocka_unit_test(the_whole_screen_is_in_view),
		cmocka_unit_test(viewports_are_nested),
		cmocka_unit_test(what_is_interactive),
		cmocka_unit_test(only_what_lies_on_top_covers),
		cmocka_unit_test(the_scope_prefers_what_is_shown),
		cmocka_unit_test(the_depth_counts_from_the_scope),
		cmocka_unit_test(cut_trees_stay_marked),
		cmocka_unit_test(empty_cells_are_no_answer),
		cmocka_unit_test(every_text_once),
		cmocka_unit_test(ancestors_of_what_is_visible_are_shown),
		cmocka_unit_test(what_lies_outside_is_counted),
		cmocka_unit_test(scroll_bars_tell_of_hidden_content),
	};
	return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
