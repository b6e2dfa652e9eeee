/* Scene files: what is refused, where, and what is accepted. */
#include "test.h"

#include "backend/virtual/position.h"
#include "backend/virtual/scene.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

struct refusal {
	const char *text;
	int line, column;
	const char *path, *says;
};

#define SCREEN(body) "{\"scene\":1,\"screens\":[{\"id\":\"a\",\"body\":[" body "]}]}"

static const struct refusal refusals[] = {
	{ "{\"scene\":1}", 1, 1, "", "\"screens\" is missing" },
	{ "{\"scene\":2,\"screens\":[]}", 1, 10, "scene", "must be 1" },
	{ "{\"scene\":1,\n \"screens\":[]}", 2, 12, "screens", "at least one" },
	{ "{\"scene\":1,\"screens\":[{}]}", 1, 23, "screens[0]", "\"id\" is missing" },
	{ "{\"scene\":1,\"screens\":[{\"id\":7}]}", 1, 29, "screens[0].id", "must be a string" },
	{ "{\"scene\":1,\"start\":\"b\",\"screens\":[{\"id\":\"a\"}]}", 1, 20, "start",
	  "no screen \"b\"" },
	{ "{\"scene\":1,\"flavour\":\"palm\",\"screens\":[{\"id\":\"a\"}]}", 1, 22, "flavour",
	  "android, ios or linux" },
	{ "{\"scene\":1,\"screens\":[{\"id\":\"a\"},\n{\"id\":\"a\"}]}", 2, 1, "screens[1]",
	  "a second screen" },
	{ SCREEN("{\"type\":\"knob\"}"), 1, 49, "screens[0].body[0].type", "no kind of widget" },
	{ SCREEN("{\"type\":\"keyboard\"}"), 1, 49, "screens[0].body[0].type", "no kind of widget" },
	{ SCREEN("{\"type\":\"button\",\"lable\":\"x\"}"), 1, 66, "screens[0].body[0].lable",
	  "no such property" },
	{ SCREEN("{\"type\":\"button\",\"control\":{}}"), 1, 68, "screens[0].body[0].control",
	  "no value to control" },
	{ SCREEN("{\"type\":\"slider\",\"control\":{\"min\":2,\"max\":1}}"), 1, 68,
	  "screens[0].body[0].control", "max is below min" },
	{ SCREEN("\n{\"type\":\"button\",\n \"on\":{\"press\":[{\"do\":\"fly\"}]}}"), 3, 23,
	  "screens[0].body[0].on.press[0].do", "is no action" },
	{ SCREEN("{\"type\":\"button\",\"on\":{\"press\":[{\"do\":\"navigate\",\"to\":\"x\"}]}}"), 1,
	  95, "screens[0].body[0].on.press[0].to", "no screen \"x\"" },
	{ SCREEN("{\"type\":\"button\",\"on\":{\"press\":[{\"do\":\"set\",\"text\":\"x\"}]}}"), 1, 73,
	  "screens[0].body[0].on.press[0]", "\"set\" needs \"id\"" },
	{ SCREEN("{\"type\":\"button\",\"on\":{\"poke\":[]}}"), 1, 71, "screens[0].body[0].on.poke",
	  "must be press" },
	{ SCREEN("{\"type\":\"text\",\"repeat\":0}"), 1, 65, "screens[0].body[0].repeat",
	  "a whole number from 1" },
	{ SCREEN("{\"type\":\"text\",\"width\":1e12}"), 1, 64, "screens[0].body[0].width",
	  "at most nine digits" },
	{ SCREEN(
	      "{\"type\":\"list\",\"repeat\":1000,\"children\":[{\"type\":\"text\",\"repeat\":1000}]}"),
	  1, 22, "screens", "more than 50000 widgets" },
	{ SCREEN("{\"type\":\"button\",\"on\":{\"press\":[\n{\"do\":\"append\",\"id\":\"a\",\"item\":"
	         "{\"type\":\"text\",\"repeat\":60000}}]}}"),
	  2, 1, "screens[0].body[0].on.press[0]", "more than 50000 widgets" },
	{ SCREEN("{\"type\":\"dropdown\",\"choices\":[\"a\"],\"chosen\":1}"), 1, 85,
	  "screens[0].body[0].chosen", "one of the choices" },
	{ "{\"scene\":1,\"screens\":[{\"id\":\"a\"}],\n\"faults\":[{\"fault\":\"delay\"},\n "
	  "{\"fault\":\"dely\"}]}",
	  3, 11, "faults[1].fault", "must name a fault" },
	{ "{\"scene\":1,\"screens\":[{\"id\":\"a\"}],\"faults\":[{\"fault\":\"lost\",\"nth\":0}]}", 1,
	  67, "faults[0].nth", "between 1 and" },
	{ SCREEN("{\"type\":\"text\",\"at\":[1,2,3]}"), 1, 61, "screens[0].body[0].at",
	  "[x, y, width, height]" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct refusal *c = &refusals[i];
		auto_error struct error e = ERROR_INIT;
		struct vd_scene *s = NULL;
		int r = vd_scene_parse(c->text, strlen(c->text), "s.json", &s, &e);
		assert_int_equal(r, -ERR_INVALID_ARGS);
		assert_null(s);
		if (!strstr(e.message, c->says))
			fail_msg("case %zu: \"%s\" does not say \"%s\"", i, e.message, c->says);
		assert_string_equal(jx_get_str(e.details, "path", "?"), c->path);
		if (jx_get_int(e.details, "line", 0) != c->line ||
		    jx_get_int(e.details, "column", 0) != c->column)
			fail_msg("case %zu: %s, expected %d:%d", i, e.message, c->line, c->column);
	}
}

static void test_syntax_error_names_the_line(void **state)
{
	(void)state;
	static const char text[] = "{\"scene\":1,\n\"screens\":[}";
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *s = NULL;
	assert_int_equal(vd_scene_parse(text, sizeof(text) - 1, "s.json", &s, &e), -ERR_INVALID_ARGS);
	assert_non_null(strstr(e.message, "s.json"));
	assert_non_null(strstr(e.message, "line 2"));
}

static void test_repeat_numbers_its_copies(void **state)
{
	(void)state;
	static const char text[] = SCREEN("{\"type\":\"list\",\"children\":[{\"type\":\"item\",\"id\":"
	                                  "\"r-#\",\"label\":\"Row #\",\"repeat\":3}]}");
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *s = NULL;
	assert_int_equal(vd_scene_parse(text, sizeof(text) - 1, "s.json", &s, &e), 0);
	uint32_t uid = 1;
	struct vd_widget *list = vd_widget_new(VD_BODY, uid++);
	vd_scene_add_all(list, json_object_get(vd_scene_screen(s, "a"), "body"), &uid);
	assert_non_null(vd_widget_by_id(list, "r-0"));
	assert_string_equal(vd_widget_by_id(list, "r-2")->label, "Row 2");
	assert_null(vd_widget_by_id(list, "r-3"));
	assert_int_equal(uid, 6);
	vd_widget_free(list);
	vd_scene_free(s);
}

static void test_demo_is_a_good_scene(void **state)
{
	(void)state;
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *s = NULL;
	if (vd_scene_load(DEFT_SCENES_DIR "/demo.json", &s, &e) < 0)
		fail_msg("%s", e.message);
	assert_string_equal(s->app_id, "demo");
	assert_string_equal(s->start, "home");
	vd_scene_free(s);
}

static const char dump[] =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"\" class=\"android.widget.FrameLayout\" bounds=\"[0,0][824,1784]\">"
    "<node index=\"0\" text=\"Save &amp; go\" resource-id=\"a:id/save\" "
    "class=\"android.widget.Button\" enabled=\"true\" bounds=\"[20,100][420,188]\" /></node>"
    "</hierarchy>";

static void test_dump_becomes_a_scene(void **state)
{
	(void)state;
	assert_true(vd_import_wanted(dump, sizeof(dump) - 1));
	auto_buf struct buf out;
	buf_init(&out, 1 << 16);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(vd_import(dump, sizeof(dump) - 1, "d.xml", &out, &e), 0);
	struct vd_scene *s = NULL;
	if (vd_scene_parse(out.data, out.len, "d.xml", &s, &e) < 0)
		fail_msg("%s", e.message);
	uint32_t uid = 1;
	struct vd_widget *w = vd_widget_new(VD_BODY, uid++);
	vd_scene_add_all(w, json_object_get(vd_scene_screen(s, "recorded"), "body"), &uid);
	struct vd_widget *save = vd_widget_by_id(w, "a:id/save");
	assert_non_null(save);
	assert_int_equal(save->kind, VD_BUTTON);
	assert_string_equal(save->label, "Save & go");
	assert_true(save->fixed && save->at.x == 10 && save->at.height == 44);
	vd_widget_free(w);
	vd_scene_free(s);
}

/* What a program said of itself need not make sense; the scene made of it does. */
static void test_recorded_nonsense_is_bounded(void **state)
{
	(void)state;
	static const char recorded[] =
	    "{\"nodes\":[{\"role\":\"slider\",\"rect\":{\"x\":-1e300,\"y\":0,\"width\":1e300,"
	    "\"height\":5},"
	    "\"range\":{\"min\":5,\"max\":1,\"current\":0}},"
	    "{\"role\":\"slider\",\"range\":{\"min\":0,\"max\":1e300,\"step\":-1,\"current\":2}}]}";
	auto_buf struct buf out;
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *s = NULL;
	uint32_t uid = 1;
	buf_init(&out, 1 << 16);
	assert_int_equal(vd_import(recorded, sizeof(recorded) - 1, "r.json", &out, &e), 0);
	if (vd_scene_parse(out.data, out.len, "r.json", &s, &e) < 0)
		fail_msg("%s", e.message);
	struct vd_widget *w = vd_widget_new(VD_BODY, uid++);
	vd_scene_add_all(w, json_object_get(vd_scene_screen(s, "recorded"), "body"), &uid);
	assert_null(w->first->control);
	assert_true(w->first->at.width == LIM_SCENE_NUMBER);
	assert_true(w->last->control->max == LIM_SCENE_NUMBER && w->last->control->step == 0);
	vd_widget_free(w);
	vd_scene_free(s);
}

static void test_bad_dump_is_refused(void **state)
{
	(void)state;
	auto_buf struct buf out;
	buf_init(&out, 1 << 16);
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(vd_import("<hierarchy><node", 16, "d.xml", &out, &e), -ERR_INVALID_ARGS);
	assert_non_null(strstr(e.message, "d.xml:1:"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_syntax_error_names_the_line),
		cmocka_unit_test(test_repeat_numbers_its_copies),
		cmocka_unit_test(test_demo_is_a_good_scene),
		cmocka_unit_test(test_dump_becomes_a_scene),
		cmocka_unit_test(test_recorded_nonsense_is_bounded),
		cmocka_unit_test(test_bad_dump_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
