#include "base/limits.h"
#include "ui_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Which labels a selector finds in a tree; " " between them. */
static char *found(const struct ui_tree *t, const char *selector)
{
	auto_error struct error e = ERROR_INIT;
	struct ui_selector *s;
	struct ui_matches m;
	struct buf b;
	buf_init(&b, 4096);
	if (ui_selector_parse(selector, &s, &e) < 0)
		fail_msg("%s: %s", selector, e.message);
	assert_int_equal(ui_selector_find(s, t, &m, NULL), 0);
	for (uint32_t i = 0; i < m.count; i++) {
		assert_true(ui_selector_matches(s, m.alternative, t, m.nodes[i]));
		buf_addf(&b, "%s%u", i ? " " : "", (unsigned)m.nodes[i]);
	}
	free(m.nodes);
	ui_selector_free(s);
	return buf_detach(&b);
}

static void assert_found(const struct ui_tree *t, const char *selector, const char *want)
{
	auto_free char *got = found(t, selector);
	if (strcmp(got, want) != 0)
		fail_msg("%s finds [%s], not [%s]", selector, got, want);
}

/* Position is 1-based and points at what is wrong. */
static void syntax_errors(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int position;
		const char *says;
	} table[] = {
		{ "", 1, "empty" },
		{ "   ", 4, "alternative" },
		{ "label", 6, "expected =" },
		{ "label ", 6, "expected =" },
		{ "label=", 7, "expected a value" },
		{ "label= x", 7, "expected a value" },
		{ "label=\"x", 7, "not closed" },
		{ "label='x\\'", 7, "not closed" },
		{ "label=\"x\"y", 10, "expected a blank" },
		{ "colour=red", 1, "unknown key \"colour\"" },
		{ "label=Save file", 12, "needs quotes" },
		{ "=x", 1, "expected a key" },
		{ "(label=x)", 1, "expected a key" },
		{ "label=a ||", 11, "expected an alternative" },
		{ "|| label=a", 1, "empty" },
		{ "label=a || || label=b", 12, "expected an alternative" },
		{ "enabled=maybe", 9, "true or false" },
		{ "enabled=\"\"", 9, "true or false" },
		{ "enabled*=true", 8, "true or false" },
		{ "role=\"\"", 6, "expected a value" },
		{ "label*=\"\"", 8, "expected a value" },
		{ "label*x", 6, "expected =" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_error struct error e = ERROR_INIT;
		struct ui_selector *s = NULL;
		if (ui_selector_parse(table[i].text, &s, &e) != -ERR_INVALID_ARGS || s)
			fail_msg("%s parses", table[i].text);
		json_int_t position = json_integer_value(json_object_get(e.details, "position"));
		if (position != table[i].position || !strstr(e.message, table[i].says))
			fail_msg("%s: %s", table[i].text, e.message);
		assert_non_null(e.hint);
	}
}

static void limits_are_errors(void **state)
{
	(void)state;
	struct ui_selector *s = NULL;
	auto_buf struct buf b;
	buf_init(&b, 100000);
	for (int i = 0; i < LIM_SELECTOR_TERMS; i++)
		buf_adds(&b, "label=a ");
	assert_int_equal(ui_selector_parse(b.data, &s, NULL), 0);
	ui_selector_free(s);
	buf_adds(&b, "label=a");
	assert_int_equal(ui_selector_parse(b.data, &s, NULL), -ERR_INVALID_ARGS);
	buf_reset(&b);
	for (int i = 0; i < LIM_SELECTOR_ALTERNATIVES; i++)
		buf_adds(&b, i ? "||id=a" : "id=a");
	assert_int_equal(ui_selector_parse(b.data, &s, NULL), 0);
	assert_int_equal(ui_selector_alternatives(s), LIM_SELECTOR_ALTERNATIVES);
	ui_selector_free(s);
	buf_adds(&b, "||id=a");
	assert_int_equal(ui_selector_parse(b.data, &s, NULL), -ERR_INVALID_ARGS);
	buf_reset(&b);
	buf_adds(&b, "label=");
	buf_fill(&b, 'x', LIM_SELECTOR);
	assert_int_equal(ui_selector_parse(b.data, &s, NULL), -ERR_INVALID_ARGS);
	assert_int_equal(ui_selector_parse("label=\xFF", &s, NULL), -ERR_INVALID_ARGS);
}

/* Cases J01, J03, J04, J06: what stands in a label can be written, in more than one way. */
static void labels_can_be_written(void **state)
{
	(void)state;
	static const struct {
		const char *label, *selector;
	} table[] = {
		{ "(Hello World)", "label=\"(Hello World)\"" },
		{ "(Hello World)", "label='(hello   world)'" },
		{ "A(B", "label=A(B" },
		{ "Price: $5.00?", "label=\"Price: $5.00?\"" },
		{ "a+b*c", "label=a+b*c" },
		{ "[x]", "label=[x]" },
		{ "50%", "label=50%" },
		{ "C:\\x", "label=C:\\x" },
		{ "C:\\x", "label=\"C:\\x\"" },
		{ "C:\\x", "label=\"C:\\\\x\"" },
		{ "a|b", "label=a|b" },
		{ "^top", "label=^top" },
		{ "a || b", "label=\"a || b\"" },
		{ "a=b", "label=a=b" },
		{ "it's me", "label=\"it's me\"" },
		{ "it's me", "label='it\\'s me'" },
		{ "it's", "label=it's" },
		{ "say \"hi\"", "label='say \"hi\"'" },
		{ "say \"hi\"", "label=\"say \\\"hi\\\"\"" },
		{ "it's \"both\"", "label=\"it's \\\"both\\\"\"" },
		{ "\\", "label=\\" },
		{ "\\", "label=\"\\\\\"" },
		{ "end\\", "label=\"end\\\\\"" },
		{ "word1\nword2", "label=\"word1 word2\"" },
		{ "word1\nword2", "label=\"word1\\nword2\"" },
		{ "10\xC2\xA0"
		  "000\xE2\x80\xAF"
		  "CHF",
		  "label=\"10 000 CHF\"" },
		{ "a\xE2\x80\xA8"
		  "b",
		  "label=\"a b\"" },
		{ "full\xE3\x80\x80width", "label=\"Full Width\"" },
		{ "  Save  ", "label=save" },
		{ "\xC3\x9C"
		  "ber",
		  "label=\xC3\xBC"
		  "BER" },
		{ "\xC3\xA9", "label=\"\\u00e9\"" },
		{ "\xF0\x9F\x98\x80", "label=\"\\ud83d\\ude00\"" },
		{ "half \xEF\xBF\xBD", "label=\"half \\ud83d\"" },
		{ "nul \xEF\xBF\xBD", "label=\"nul \\u0000\"" },
		{ "role", "label=role" },
		{ "x", "LABEL=x" },
		{ "x", "\t label=x \n" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		auto_tree struct ui_tree t = { 0 };
		assert_int_equal(ui_tree_init(&t, NULL), 0);
		ui_tree_add(&t, UI_NONE);
		ui_tree_add(&t, UI_NONE);
		t.nodes[0].label = ui_tree_text(&t, "another", NULL);
		t.nodes[1].label = ui_tree_text(&t, table[i].label, NULL);
		assert_found(&t, table[i].selector, "1");
	}
}

static void every_key(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree(
	    "{'appName':'Files','appBundleId':'org.files','windowTitle':'Desk',"
	    "'nodes':[{'type':'frame','label':'Home','visible':true},"
	    "{'type':'android.widget.EditText','label':'Name','value':'Ada','identifier':'app:id/n',"
	    " 'enabled':true,'hittable':true,'visible':true,'focused':true,'parentIndex':0},"
	    "{'type':'text','role':'text-field','value':'Bob','enabled':true,'readOnly':true,"
	    " 'visible':true,'parentIndex':0},"
	    "{'type':'label','role':'text','identifier':'x','selected':true,'visible':true},"
	    "{'type':'push button','role':'button','description':'Go back','visible':false,"
	    " 'enabled':true},"
	    "{'type':'CheckBox','label':'On','checked':true,'editable':true,'visible':true,"
	    " 'rect':{'x':9000,'y':0,'width':9,'height':9}}],'screen':{'x':0,'y':0,'width':800,"
	    " 'height':600}}",
	    &t);
	static const struct {
		const char *selector, *want;
	} table[] = {
		{ "id=app:id/n", "1" },
		{ "id=APP:ID/N", "1" },
		{ "label=Name", "1" },
		{ "value=ada", "1" },
		{ "text=Name", "1" },
		{ "text=Ada", "" },
		{ "text=bob", "2" },
		{ "text=x", "3" },
		{ "label=\"Go back\"", "4" },
		{ "role=edittext", "1" },
		{ "role=text-field", "1 2" },
		{ "role=\"Text Field\"", "1 2" },
		/* AT-SPI calls a field "text"; a name that snapshots print means that role only */
		{ "role=text", "3" },
		{ "role=label", "3" },
		{ "role=pushbutton", "4" },
		{ "role=\"push button\"", "4" },
		{ "role=XCUIElementTypeButton", "4" },
		{ "role=frame", "0" },
		{ "role=window", "0" },
		{ "role*=box", "5" },
		{ "role=nonsense", "" },
		{ "appname=files role=text", "3" },
		{ "appname=org.files id=x", "3" },
		{ "windowtitle=home", "0 1 2" },
		{ "windowtitle=desk", "3 4 5" },
		{ "visible", "0 1 2 3" },
		{ "visible=true", "0 1 2 3" },
		{ "visible=false", "4 5" },
		{ "hidden", "4 5" },
		{ "hidden=\"false\"", "0 1 2 3" },
		{ "editable", "1" },
		{ "editable=false role=text-field", "2" },
		{ "selected", "3" },
		{ "enabled role=button", "4" },
		{ "enabled=FALSE role=check-box", "5" },
		{ "hittable", "1" },
		{ "focused", "1" },
		{ "checked", "5" },
		{ "label*=am", "1" },
		{ "value*=\"B\"", "2" },
		{ "id*=:id/", "1" },
		{ "label=\"\" role=text", "3" },
		{ "label=Nobody || label=Name", "1" },
		{ "label=Name||label=On", "1" },
		{ "label=Name value=Bob", "" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		assert_found(&t, table[i].selector, table[i].want);
}

static void the_exact_text_goes_first(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree(
	    "{'nodes':[{'label':'SAVE'},{'label':'Save'},{'label':'save  '},{'label':'Save'}]}", &t);
	assert_found(&t, "label=Save", "1 3");
	assert_found(&t, "label=sAvE", "0 1 2 3");
	assert_found(&t, "label*=save", "0 1 2 3");
}

static void secrets_match_nothing(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	assert_int_equal(ui_tree_init(&t, NULL), 0);
	ui_tree_add(&t, UI_NONE);
	t.nodes[0].flags = UI_PASSWORD;
	t.nodes[0].value = "hunter2";
	assert_found(&t, "value=hunter2", "");
	assert_found(&t, "value*=hunt", "");
	assert_found(&t, "text=hunter2", "");
}

static void what_looks_like_a_selector(void **state)
{
	(void)state;
	static const char *const yes[] = { "label=x", "role*=x",         "visible=true",
		                               "  id=",   "visible label=x", "enabled focused id=x",
		                               "TEXT=x" };
	static const char *const no[] = { "",          "Save",          "visible",
		                              "label",     "a=b",           "1=label=",
		                              "label x",   "label label=x", "the label=x",
		                              "label = x", "visible!",      "=x" };
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (!ui_selector_looks_like(yes[i]))
			fail_msg("%s", yes[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		if (ui_selector_looks_like(no[i]))
			fail_msg("%s", no[i]);
	}
}

static void text_comparison(void **state)
{
	(void)state;
	static const struct {
		const char *haystack, *needle;
		bool equal, contains;
	} table[] = {
		{ "Save", " save\n", true, true },
		{ "Save as", "save", false, true },
		{ "", " \t", true, true },
		{ NULL, "", true, false },
		{ NULL, "x", false, false },
		{ "aaab", "aab", false, true },
		{ "abababc", "ababc", false, true },
		{ "a  b", "a b", true, true },
		{ "ab", "a b", false, false },
		{ "x", NULL, false, true },
		{ "\xD0\x96", "\xD0\xB6", true, true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(ui_text_equal(table[i].haystack, table[i].needle), table[i].equal);
		assert_int_equal(ui_text_contains(table[i].haystack, table[i].needle), table[i].contains);
	}
}

static void made_selectors(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_tree("{'nodes':[{'type':'Button','label':'Save','identifier':'ok','value':'v'},"
	             "{'type':'Button','label':'Open'},"
	             "{'type':'StaticText','label':'Open'},"
	             "{'type':'StaticText','label':'Open'},"
	             "{'type':'Switch'},"
	             "{'type':'Slider','label':'Vol','value':'Vol'},"
	             "{'type':'Entry','password':true,'label':'pw'},"
	             "{'type':'Entry','password':true,'label':'pw'}]}",
	             &t);
	t.nodes[6].value = t.nodes[7].value = "hunter2";
	static const char *const want[] = {
		"id=\"ok\" || role=button label=\"Save\" || label=\"Save\" || value=\"v\"",
		"role=button label=\"Open\"",
		"role=text label=\"Open\" || label=\"Open\"", /* none finds it alone: all are kept */
		"role=text label=\"Open\" || label=\"Open\"",
		"role=switch",
		"role=slider label=\"Vol\" || label=\"Vol\" || value=\"Vol\"",
		"role=text-field label=\"pw\" || label=\"pw\"",
		"role=text-field label=\"pw\" || label=\"pw\"",
	};
	for (uint32_t i = 0; i < t.count; i++) {
		auto_free char *text = ui_selector_for(&t, i);
		assert_string_equal(text, want[i]);
	}
}

/* Whatever a label holds, its selector parses and finds it. */
static void made_selectors_find_their_node(void **state)
{
	(void)state;
	auto_tree struct ui_tree t = { 0 };
	fixture_scene("hostile", &t);
	for (uint32_t i = 0; i < t.count; i++) {
		auto_free char *text = ui_selector_for(&t, i);
		char want[16];
		snprintf(want, sizeof(want), "%u", (unsigned)i);
		assert_found(&t, text, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syntax_errors),
		cmocka_unit_test(limits_are_errors),
		cmocka_unit_test(labels_can_be_written),
		cmocka_unit_test(every_key),
		cmocka_unit_test(the_exact_text_goes_first),
		cmocka_unit_test(secrets_match_nothing),
		cmocka_unit_test(what_looks_like_a_selector),
		cmocka_unit_test(text_comparison),
		cmocka_unit_test(made_selectors),
		cmocka_unit_test(made_selectors_find_their_node),
	};
	return cmocka_run_group_tests_name("selector", tests, NULL, NULL);
}
