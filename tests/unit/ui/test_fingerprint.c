#include "ui/fingerprint.h"
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void change_label(struct ui_node *n)
{
	n->label = "changed";
}
static void change_role(struct ui_node *n)
{
	n->role = UI_LINK;
}
static void change_state(struct ui_node *n)
{
	n->flags ^= UI_CHECKED;
}
static void change_value(struct ui_node *n)
{
	n->value = "9";
}
static void change_current(struct ui_node *n)
{
	n->range.current += 0.001;
}
static void change_parent(struct ui_node *n)
{
	n->parent = UI_NONE;
}
static void change_description(struct ui_node *n)
{
	n->description = "d";
}
static void change_identifier(struct ui_node *n)
{
	n->identifier = "i";
}
static void move(struct ui_node *n)
{
	n->rect.x += 1;
}
static void lose_rect(struct ui_node *n)
{
	n->flags &= ~(uint32_t)UI_HAS_RECT;
}
static void cover(struct ui_node *n)
{
	n->flags |= UI_COVERED;
}
static void change_handle(struct ui_node *n)
{
	n->handle = "other";
}
static void change_ref(struct ui_node *n)
{
	n->ref = 99;
}
static void change_caption(struct ui_node *n)
{
	n->caption = "c";
}
static void minus_zero(struct ui_node *n)
{
	n->rect.y = n->rect.y == 0 ? -0.0 : n->rect.y;
}

static void what_counts(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		void (*change)(struct ui_node *);
		bool with, without; /* the digest changes with rects, without rects */
	} table[] = {
		{ "label", change_label, true, true },
		{ "role", change_role, true, true },
		{ "state", change_state, true, true },
		{ "value", change_value, true, true },
		{ "current", change_current, true, true },
		{ "parent", change_parent, true, true },
		{ "description", change_description, true, true },
		{ "identifier", change_identifier, true, true },
		{ "place", move, true, false },
		{ "rect", lose_rect, true, false },
		{ "covered", cover, true, false },
		{ "handle", change_handle, false, false },
		{ "ref", change_ref, false, false },
		{ "caption", change_caption, false, false },
		{ "minus zero", minus_zero, false, false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_tree struct ui_tree t = { 0 };
		fixture_scene("controls", &t);
		uint64_t with = ui_fingerprint(&t, true), without = ui_fingerprint(&t, false);
		assert_true(with != without);
		table[i].change(&t.nodes[1]);
		if ((ui_fingerprint(&t, true) != with) != table[i].with ||
		    (ui_fingerprint(&t, false) != without) != table[i].without)
			fail_msg("%s", table[i].name);
	}
}

static void texts_do_not_run_into_each_other(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'label':'ab','value':'c'}]}", &t);
	uint64_t one = ui_fingerprint(&t, true);
	t.nodes[0].label = "a";
	t.nodes[0].value = "bc";
	assert_true(ui_fingerprint(&t, true) != one);
}

static void secrets_count_by_length_only(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'password':true,'hiddenCount':7}]}", &t);
	uint64_t one = ui_fingerprint(&t, true);
	t.nodes[0].value = "hunter2";
	assert_true(ui_fingerprint(&t, true) == one);
	t.nodes[0].hidden_count = 8;
	assert_true(ui_fingerprint(&t, true) != one);
}

/* The same on every machine and in every build: digests are kept in records. */
static void the_digest_is_fixed(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	char hex[17];
	ui_fingerprint_hex(0x1234, hex);
	assert_string_equal(hex, "0000000000001234");
	fixture_tree("{'nodes':[{'type':'Button','label':'OK','enabled':true,"
	             " 'rect':{'x':1,'y':2,'width':3,'height':4}}]}",
	             &t);
	ui_fingerprint_hex(ui_fingerprint(&t, true), hex);
	assert_string_equal(hex, "07801e821fdddefc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_counts),
		cmocka_unit_test(texts_do_not_run_into_each_other),
		cmocka_unit_test(secrets_count_by_length_only),
		cmocka_unit_test(the_digest_is_fixed),
	};
	return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
