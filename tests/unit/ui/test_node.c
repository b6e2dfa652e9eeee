/* The tree itself, its texts and its geometry. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "ui/node.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void texts_are_repaired_and_cut(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	uint32_t flags = 0;
	assert_int_equal(ui_tree_init(&t, NULL), 0);
	assert_null(ui_tree_text(&t, NULL, &flags));
	assert_null(ui_tree_text(&t, "", &flags));
	assert_string_equal(ui_tree_text(&t, "two\nlines\tand a tab", &flags), "two\nlines\tand a tab");
	assert_string_equal(ui_tree_text(&t,
	                                 "a\x01"
	                                 "b",
	                                 &flags),
	                    "a\xEF\xBF\xBD"
	                    "b");
	assert_string_equal(ui_tree_text(&t, "a\xFF", &flags), "a\xEF\xBF\xBD");
	assert_int_equal(flags, 0);
	auto_free char *big = malloc(LIM_TREE_STRING + 10);
	memset(big, 'x', LIM_TREE_STRING + 9);
	big[LIM_TREE_STRING + 9] = '\0';
	const char *cut = ui_tree_text(&t, big, &flags);
	assert_true(strlen(cut) <= LIM_TREE_STRING);
	assert_true(strlen(cut) > LIM_TREE_STRING - 8);
	assert_int_equal(flags, UI_CUT);
	assert_non_null(ui_tree_text(&t, big, NULL));
	assert_int_equal(ui_tree_check(&t, NULL), 0);
}

static void a_tree_is_cut_at_the_limit(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_init(&t, NULL), 0);
	for (uint32_t i = 0; i < LIM_TREE_NODES; i++)
		assert_int_equal(ui_tree_add(&t, i ? 0 : UI_NONE), i);
	assert_false(t.truncated);
	assert_int_equal(ui_tree_add(&t, 0), UI_NONE);
	assert_true(t.truncated);
	assert_int_equal(t.count, LIM_TREE_NODES);
}

/* 0(1(2 3) 4) 5 */
static void build_family(struct ui_tree *t)
{
	assert_int_equal(ui_tree_init(t, NULL), 0);
	ui_tree_add(t, UI_NONE);
	ui_tree_add(t, 0);
	ui_tree_add(t, 1);
	ui_tree_add(t, 1);
	ui_tree_add(t, 0);
	ui_tree_add(t, UI_NONE);
}

static void subtrees_and_ancestors(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	build_family(&t);
	const uint32_t want[] = { 5, 4, 3, 4, 5, 6 };
	uint32_t ends[6];
	ui_tree_subtree_ends(&t, ends);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(ends[i], want[i]);
		assert_int_equal(ui_tree_subtree_end(&t, i), want[i]);
		for (uint32_t k = 0; k < 6; k++)
			assert_int_equal(ui_is_ancestor(&t, i, k), k > i && k < want[i]);
	}
	assert_int_equal(t.nodes[3].depth, 2);
	assert_int_equal(t.nodes[5].depth, 0);
}

static void copies_outlive_the_original(void **state)
{
	(void)state;
	auto_tree struct ui_tree to = { 0 };
	assert_int_equal(ui_tree_init(&to, NULL), 0);
	{
		auto_tree struct ui_tree from = { 0 };
		const char *const actions[] = { "click", "" };
		build_family(&from);
		struct ui_node *n = &from.nodes[3];
		n->role = UI_BUTTON;
		n->label = ui_tree_text(&from, "Save", NULL);
		n->handle = ui_tree_text(&from, "h", NULL);
		n->actions = ui_tree_texts(&from, actions, 2);
		n->n_actions = 2;
		assert_int_equal(ui_tree_copy_node(&to, UI_NONE, n), 0);
	}
	const struct ui_node *n = &to.nodes[0];
	assert_string_equal(n->label, "Save");
	assert_string_equal(n->handle, "h");
	assert_int_equal(n->n_actions, 2);
	assert_string_equal(n->actions[0], "click");
	assert_string_equal(n->actions[1], "");
	assert_int_equal(n->parent, UI_NONE);
	assert_int_equal(n->depth, 0);
	assert_null(n->value);
}

static void secrets_are_no_text(void **state)
{
	(void)state;
	struct ui_node n = { .role = UI_TEXT_FIELD, .flags = UI_PASSWORD, .value = "hunter2" };
	assert_null(ui_node_text(&n));
	n.identifier = "pw";
	assert_string_equal(ui_node_text(&n), "pw");
	n.flags = 0;
	assert_string_equal(ui_node_text(&n), "hunter2");
	n.role = UI_PASSWORD_FIELD;
	assert_true(ui_node_secret(&n));
}

/* Cases A11, A22, C17. */
static void unusable_rects(void **state)
{
	(void)state;
	static const struct {
		struct ui_rect rect;
		bool known, usable;
	} table[] = {
		{ { 0, 0, 10, 10 }, true, true },
		{ { -5, -20, 105, 70 }, true, true },
		{ { 0, 0, 0, 0 }, true, false },
		{ { 5, 5, 1, 30 }, true, false },
		{ { 5, 5, -1, 30 }, false, false },
		{ { -2147483648.0, -2147483648.0, 1, 1 }, false, false },
		{ { -2147483648.0, -2147483648.0, -1, -1 }, false, false },
		{ { 0, 0, 2147483647.0, 9 }, false, false },
		{ { 2147483647.0, 0, 0, 9 }, false, false },
		{ { INFINITY, 0, 10, 10 }, false, false },
		{ { 0, -INFINITY, 10, 10 }, false, false },
		{ { 0, 0, NAN, 10 }, false, false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(ui_rect_known(table[i].rect), table[i].known);
		assert_int_equal(ui_rect_usable(table[i].rect), table[i].usable);
	}
}

static void rect_arithmetic(void **state)
{
	(void)state;
	struct ui_rect r = { 1, 1, 1, 1 };
	assert_false(
	    ui_rect_intersect((struct ui_rect){ 0, 0, 10, 10 }, (struct ui_rect){ 10, 0, 10, 10 }, &r));
	assert_true(r.x == 1 && r.width == 1); /* untouched on failure */
	assert_true(
	    ui_rect_intersect((struct ui_rect){ 0, 0, 10, 10 }, (struct ui_rect){ 5, -5, 10, 10 }, &r));
	assert_true(r.x == 5 && r.y == 0 && r.width == 5 && r.height == 5);
	double x, y;
	ui_rect_center((struct ui_rect){ 764, 2153, 212, 132 }, &x, &y);
	assert_true(x == 870 && y == 2219);
	assert_true(ui_rect_contains((struct ui_rect){ 0, 0, 10, 10 }, 0, 0));
	assert_false(ui_rect_contains((struct ui_rect){ 0, 0, 10, 10 }, 10, 5));
}

static void destructors_accept_nothing(void **state)
{
	(void)state;
	struct ui_tree t = { 0 };
	ui_tree_done(NULL);
	ui_tree_done(&t);
	assert_int_equal(ui_tree_check(&t, NULL), -ERR_LIMIT_EXCEEDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_repaired_and_cut),
		cmocka_unit_test(a_tree_is_cut_at_the_limit),
		cmocka_unit_test(subtrees_and_ancestors),
		cmocka_unit_test(copies_outlive_the_original),
		cmocka_unit_test(secrets_are_no_text),
		cmocka_unit_test(unusable_rects),
		cmocka_unit_test(rect_arithmetic),
		cmocka_unit_test(destructors_accept_nothing),
	};
	return cmocka_run_group_tests_name("node", tests, NULL, NULL);
}
