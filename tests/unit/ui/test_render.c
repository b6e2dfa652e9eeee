/* Snapshot texts, whole, against golden files: one scene in the views that tell something about it. */
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct golden {
	const char *scene, *file;
	struct ui_view_opts view;
	bool color;
};

static const struct golden goldens[] = {
	{ "empty", "empty.full.txt", { .depth = -1 } },
	{ "empty", "empty.i.txt", { .interactive = true, .depth = -1 } },
	{ "single", "single.full.txt", { .depth = -1 } },
	{ "shop", "shop.full.txt", { .depth = -1 } },
	{ "shop", "shop.i.txt", { .interactive = true, .depth = -1 } },
	{ "shop", "shop.raw.txt", { .raw = true, .depth = -1 } },
	{ "shop", "shop.color.txt", { .depth = -1 }, .color = true },
	{ "shop", "shop.depth.txt", { .depth = 2 } },
	{ "shop", "shop.depth-i.txt", { .interactive = true, .depth = 0 } },
	{ "shop", "shop.scope.txt", { .depth = -1, .scope = "blue MUG" } },
	{ "shop", "shop.scope-missed.txt", { .depth = -1, .scope = "green" } },
	{ "scrolled", "scrolled.full.txt", { .depth = -1 } },
	{ "scrolled", "scrolled.i.txt", { .interactive = true, .depth = -1 } },
	{ "long_text", "long_text.full.txt", { .depth = -1 } },
	{ "states", "states.full.txt", { .depth = -1 } },
	{ "states", "states.i.txt", { .interactive = true, .depth = -1 } },
	{ "controls", "controls.full.txt", { .depth = -1 } },
	{ "controls", "controls.i.txt", { .interactive = true, .depth = -1 } },
	{ "controls", "controls.raw.txt", { .raw = true, .depth = -1 } },
	{ "gtk4", "gtk4.full.txt", { .depth = -1 } },
	{ "gtk4", "gtk4.i.txt", { .interactive = true, .depth = -1 } },
	{ "same_label", "same_label.full.txt", { .depth = -1 } },
	{ "same_label", "same_label.i.txt", { .interactive = true, .depth = -1 } },
	{ "keyboard", "keyboard.full.txt", { .depth = -1 } },
	{ "keyboard", "keyboard.i.txt", { .interactive = true, .depth = -1 } },
	{ "keyboard", "keyboard.scope.txt", { .depth = -1, .scope = "keyboard" } },
	{ "partial", "partial.full.txt", { .depth = -1 } },
	{ "partial", "partial.i.txt", { .interactive = true, .depth = -1 } },
	{ "hostile", "hostile.full.txt", { .depth = -1 } },
	{ "unseen", "unseen.full.txt", { .depth = -1 } },
	{ "columns", "columns.i.txt", { .interactive = true, .depth = -1 } },
	{ "sparse", "sparse.full.txt", { .depth = -1 } },
	{ "few", "few.full.txt", { .depth = -1 } },
	{ "popup", "popup.full.txt", { .depth = -1 } },
};

static void matches_golden(void **state)
{
	const struct golden *g = *state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	auto_buf struct buf out;
	buf_init(&out, 1 << 20);
	fixture_scene(g->scene, &raw);
	assert_int_equal(ui_view_make(&raw, &g->view, &view, &stats, NULL), 0);
	const struct ui_render_opts opts = { .color = g->color,
		                                 .flat = g->view.interactive,
		                                 .raw = g->view.raw };
	ui_render_snapshot(&view, &stats, &opts, &out);
	assert_false(out.over);
	fixture_golden(g->file, out.data);
}

/* Single lines: what is said, and what is not said twice or not at all. */
static void lines(void **state)
{
	(void)state;
	static const struct {
		const char *node, *line;
	} table[] = {
		{ "'role':'text','label':'Total','value':' total '", "[text] \"Total\"" },
		{ "'role':'text','value':'Total'", "[text] \"Total\"" },
		{ "'role':'slider','label':'V','value':'0.40','enabled':true,"
		  "'range':{'min':0,'max':1,'current':0.4}",
		  "[slider] \"V\" [value:\"0.4\"] [range 0..1]" },
		{ "'role':'slider','value':'half','enabled':true,'range':{'min':-1,'max':1,'current':0}",
		  "[slider] [value:\"half\"] [range -1..1 at 0]" },
		{ "'role':'check-box','label':'B','value':'true','enabled':true", "[check-box] \"B\"" },
		{ "'role':'menu-item','label':'B','value':'1','checkable':true,'checked':true,'enabled':"
		  "true",
		  "[menu-item] \"B\" [checked]" },
		{ "'role':'button','label':'B','value':'more','enabled':true,'ref':'e7'",
		  "@e7 [button] \"B\" [value:\"more\"]" },
		{ "'role':'button','value':'v','description':'d','enabled':true", "[button] \"v\"" },
		{ "'role':'button','description':'d','enabled':true", "[button] \"d\"" },
		{ "'role':'button','caption':'c','description':'d','enabled':true", "[button] \"c\"" },
		{ "'role':'group','label':'g'", "[group] \"g\"" },
		{ "'role':'group','label':'g','actions':['click']", "[group] \"g\" [disabled]" },
		{ "'role':'application','label':'a'", "[application] \"a\"" },
		{ "'role':'other'", "[other]" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_tree struct ui_tree t = { 0 };
		auto_buf struct buf json, out;
		buf_init(&json, 1000);
		buf_init(&out, 1000);
		buf_addf(&json, "{'nodes':[{%s}]}", table[i].node);
		fixture_tree(json.data, &t);
		ui_render_line(&t, 0, false, &out);
		assert_string_equal(out.data, table[i].line);
	}
}

static void secrets_are_not_printed(void **state)
{
	(void)state;
	const uint32_t flags[] = { UI_PASSWORD, UI_PASSWORD | UI_HAS_RANGE, 0 };
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		auto_tree struct ui_tree t = { 0 };
		auto_buf struct buf out;
		buf_init(&out, 1000);
		assert_int_equal(ui_tree_init(&t, NULL), 0);
		ui_tree_add(&t, UI_NONE);
		t.nodes[0].role = flags[i] ? UI_TEXT_FIELD : UI_PASSWORD_FIELD;
		t.nodes[0].flags = flags[i];
		t.nodes[0].value = "hunter2";
		ui_render_line(&t, 0, false, &out);
		assert_null(strstr(out.data, "hunter2"));
		assert_non_null(strstr(out.data, "[password]"));
	}
}

/* Colours change nothing but add escapes. */
static void colors_only_add_escapes(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_buf struct buf plain, colored, stripped;
	buf_init(&plain, 4096);
	buf_init(&colored, 4096);
	buf_init(&stripped, 4096);
	fixture_scene("states", &raw);
	for (uint32_t i = 0; i < raw.count; i++) {
		ui_render_line(&raw, i, false, &plain);
		ui_render_line(&raw, i, true, &colored);
	}
	for (const char *p = colored.data; *p; p++) {
		if (*p == '\x1b')
			p = strchr(p, 'm');
		else
			buf_addc(&stripped, *p);
	}
	assert_string_equal(stripped.data, plain.data);
	assert_true(colored.len > plain.len);
}

/* A ceiling of the caller marks the buffer and ends the work. */
static void respects_the_ceiling(void **state)
{
	(void)state;
	auto_tree struct ui_tree raw = { 0 };
	auto_tree struct ui_tree view = { 0 };
	struct ui_view_stats stats;
	auto_buf struct buf out;
	buf_init(&out, 100);
	fixture_scene("shop", &raw);
	const struct ui_view_opts all = { .depth = -1 };
	assert_int_equal(ui_view_make(&raw, &all, &view, &stats, NULL), 0);
	const struct ui_render_opts opts = { 0 };
	ui_render_snapshot(&view, &stats, &opts, &out);
	assert_true(out.over);
	assert_true(out.len <= 100);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(goldens) + 4];
	size_t n = 0;
	for (; n < ARRAY_SIZE(goldens); n++)
		tests[n] = (struct CMUnitTest){ .name = goldens[n].file,
			                            .test_func = matches_golden,
			                            .initial_state = (void *)(uintptr_t)&goldens[n] };
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(colors_only_add_escapes);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(respects_the_ceiling);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(lines);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(secrets_are_not_printed);
	return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
