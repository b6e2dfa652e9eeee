/* snapshot, get, screenshot. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void show_form(void)
{
	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 400 }, { 1, "text", "Hello" },
	            { 1, "button", "Save", .y = 40 }, { 1, "text-field", "Name", "Ada", "e", 0, 80 },
	            { 1, "password-field", "Password", NULL, "ep", 0, 120 },
	            { 1, "group", "Products", .y = 160 }, { 2, "button", "Buy", .y = 170 });
}

static int set_up(void **state)
{
	*state = screen_new();
	screen_open(*state);
	show_form();
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static const json_t *node_called(const json_t *data, const char *label)
{
	size_t i;
	json_t *n;

	json_array_foreach(json_object_get(data, "nodes"), i,
	                   n) if (!strcmp(jx_get_str(n, "label", ""), label)) return n;
	return NULL;
}

/* --- snapshot ---------------------------------------------------------------------------------- */

static void a_snapshot_opens_a_session_when_there_is_none(void **state)
{
	json_decref(harness_ok(*state, "close", NULL));
	auto_json json_t *data = harness_ok(*state, "snapshot", NULL);

	assert_string_equal(jx_get_str(data, "session", ""), "default");
	assert_non_null(node_called(data, "Save"));
	json_decref(harness_ok(*state, "press", "{\"target\":\"label=Save\"}"));
}

static void a_screen_that_can_not_be_read_begins_no_session(void **state)
{
	json_decref(harness_ok(*state, "close", NULL));
	screen_fail("snapshot", "{\"code\":\"DEVICE_UNAVAILABLE\",\"message\":\"no bus\"}");
	assert_string_equal(harness_error(*state, "snapshot", NULL), "DEVICE_UNAVAILABLE");
	assert_string_equal(harness_error(*state, "press", "{\"target\":\"1 2\"}"),
	                    "SESSION_NOT_FOUND");
}

static void text_and_json_say_the_same(void **state)
{
	const char *text;
	auto_json json_t *data = harness_ok(*state, "snapshot", "{\"interactive\":true}");
	char line[96];

	text = screen_text(*state, "snapshot", "{\"interactive\":true}");
	assert_non_null(strstr(text, "App: demo"));
	snprintf(line, sizeof(line), "\n@%s [button] \"Save\"",
	         jx_get_str(node_called(data, "Save"), "ref", ""));
	assert_non_null(strstr(text, line));
	assert_string_equal(jx_get_str(data, "presentation", ""), "interactive");
	assert_int_equal(jx_get_int(json_object_get(data, "visibility"), "totalNodeCount", 0), 7);
}

static void the_interactive_view_is_flat_and_the_tree_is_not(void **state)
{
	assert_null(strstr(screen_text(*state, "snapshot", "{\"interactive\":true}"), "\"Hello\""));
	assert_non_null(strstr(screen_text(*state, "snapshot", "{}"), "\"Hello\""));
	assert_non_null(strstr(screen_text(*state, "snapshot", "{}"), "    @"));
}

static void raw_is_one_object_a_line(void **state)
{
	const char *text = screen_text(*state, "snapshot", "{\"raw\":true}");
	const char *brace = strstr(text, "\n{");
	unsigned lines = 0;

	for (; brace; brace = strstr(brace + 1, "\n{"))
		lines++;
	assert_int_equal(lines, 7);
	assert_true(json_is_true(json_object_get(screen_request("snapshot", 0), "raw")));
}

static void a_scope_keeps_one_subtree(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", "{\"scope\":\"product\"}");
	auto_json json_t *by_ref = NULL;
	char args[64];

	assert_non_null(node_called(data, "Buy"));
	assert_null(node_called(data, "Save"));
	snprintf(args, sizeof(args), "{\"scope\":\"@%s\"}",
	         jx_get_str(node_called(data, "Products"), "ref", ""));
	by_ref = harness_ok(*state, "snapshot", args);
	assert_non_null(node_called(by_ref, "Buy"));
	assert_null(node_called(by_ref, "Save"));
}

static void a_scope_that_matches_nothing_is_told(void **state)
{
	auto_json json_t *response = harness_run(*state, "snapshot", "{\"scope\":\"nowhere\"}");
	auto_free char *notices = json_dumps(json_object_get(response, "notices"), 0);

	assert_true(json_is_true(json_object_get(response, "ok")));
	assert_non_null(notices);
	assert_non_null(strstr(notices, "nowhere"));
}

static void generations_grow_and_an_equal_screen_is_told(void **state)
{
	auto_json json_t *first = harness_ok(*state, "snapshot", NULL);
	auto_json json_t *second = harness_ok(*state, "snapshot", NULL);
	auto_json json_t *third = NULL;

	assert_null(json_object_get(first, "unchanged"));
	assert_true(json_is_true(json_object_get(second, "unchanged")));
	assert_true(jx_get_int(second, "refsGeneration", 0) > jx_get_int(first, "refsGeneration", 0));
	SCREEN_SHOW({ 0, "window", "Demo" }, { 1, "button", "Done" });
	third = harness_ok(*state, "snapshot", NULL);
	assert_null(json_object_get(third, "unchanged"));
}

static void a_partial_tree_says_so(void **state)
{
	auto_json json_t *data = NULL;

	screen_quality("partial", "one program did not answer");
	data = harness_ok(*state, "snapshot", NULL);
	assert_string_equal(jx_get_str(json_object_get(data, "snapshotQuality"), "state", ""),
	                    "partial");
	assert_non_null(strstr(screen_text(*state, "snapshot", "{}"), "one program did not answer"));
}

static void raw_and_interactive_exclude_each_other(void **state)
{
	assert_string_equal(harness_error(*state, "snapshot", "{\"raw\":true,\"interactive\":true}"),
	                    "INVALID_ARGS");
	json_decref(harness_ok(*state, "snapshot", "{\"raw\":false,\"interactive\":true}"));
}

/* --- get --------------------------------------------------------------------------------------- */

static void get_reads_the_screen_of_now(void **state)
{
	auto_json json_t *data = harness_ok(*state, "snapshot", NULL);
	char args[96];

	snprintf(args, sizeof(args), "{\"what\":\"text\",\"target\":\"@%s\"}",
	         jx_get_str(node_called(data, "Save"), "ref", ""));
	assert_string_equal(screen_text(*state, "get", args), "Save");
	SCREEN_SHOW({ 0, "window", "Demo" }, { 1, "button", "Done" });
	assert_string_equal(harness_error(*state, "get", args), "ELEMENT_STALE");
}

static void get_text_of_a_field_is_its_whole_content(void **state)
{
	screen_reply("readText", "{\"text\":\"Ada\\nLovelace\"}");
	assert_string_equal(screen_text(*state, "get", "{\"what\":\"text\",\"target\":\"label=Name\"}"),
	                    "Ada\nLovelace");
	assert_string_equal(jx_get_str(screen_request("readText", 0), "nodeId", ""), "n3:Name");
	assert_string_equal(
	    screen_text(*state, "get", "{\"what\":\"text\",\"target\":\"label=Hello\"}"), "Hello");
	assert_int_equal(screen_count("readText"), 1);
}

static void get_text_of_a_secret_is_refused(void **state)
{
	assert_string_equal(
	    harness_error(*state, "get", "{\"what\":\"text\",\"target\":\"label=Password\"}"),
	    "INVALID_TARGET");
	assert_int_equal(screen_count("readText"), 0);
}

static void get_attrs_is_the_node(void **state)
{
	auto_json json_t *data =
	    harness_ok(*state, "get", "{\"what\":\"attrs\",\"target\":\"label=Name\"}");
	const json_t *node = json_object_get(data, "node");

	assert_string_equal(jx_get_str(node, "role", ""), "text-field");
	assert_string_equal(jx_get_str(node, "value", ""), "Ada");
	assert_true(json_is_true(json_object_get(node, "editable")));
	assert_true(screen_text(*state, "get", "{\"what\":\"attrs\",\"target\":\"label=Name\"}")[0] ==
	            '{');
}

static void a_point_has_no_text(void **state)
{
	assert_string_equal(harness_error(*state, "get", "{\"what\":\"text\",\"target\":\"1 2\"}"),
	                    "INVALID_ARGS");
}

/* --- screenshot -------------------------------------------------------------------------------- */

static void a_picture_goes_where_the_caller_stands(void **state)
{
	auto_free char *want = fs_join(harness_dir(*state), "screenshot-1000.png");
	auto_json json_t *data = NULL;

	screen_reply("screenshot", "{\"width\":800,\"height\":600,\"scale\":2}");
	data = harness_ok(*state, "screenshot", NULL);
	assert_string_equal(jx_get_str(data, "path", ""), want);
	assert_string_equal(jx_get_str(screen_request("screenshot", 0), "outPath", ""), want);
	assert_string_equal(jx_get_str(data, "mime", ""), "image/png");
	assert_int_equal(jx_get_int(data, "width", 0), 800);
	assert_true(jx_get_num(data, "scale", 0) == 2);
}

static void the_path_stands_alone_on_its_line(void **state)
{
	auto_free char *path = fs_join(harness_dir(*state), "a.png");
	char args[256], want[320];

	screen_reply("screenshot", "{\"width\":800,\"height\":600}");
	snprintf(args, sizeof(args), "{\"path\":\"%s\"}", path);
	snprintf(want, sizeof(want), "%s\n800 x 600 pixels", path);
	assert_string_equal(screen_text(*state, "screenshot", args), want);
}

static void an_element_is_cropped(void **state)
{
	json_decref(harness_ok(*state, "screenshot", "{\"target\":\"label=Save\"}"));
	assert_string_equal(jx_get_str(screen_request("screenshot", 0), "nodeId", ""), "n2:Save");
	assert_string_equal(
	    harness_error(*state, "screenshot", "{\"target\":\"label=Save\",\"fullscreen\":true}"),
	    "INVALID_ARGS");
}

static void names_from_outside_stay_in_their_folder(void **state)
{
	static const char *const bad[] = { "../../.ssh/authorized_keys.png",
		                               "/etc/cron.d/x.png",
		                               "~/x.png",
		                               "a/b.png",
		                               ".png",
		                               ".hidden.png",
		                               "-rf.png",
		                               "a.sh",
		                               "shot.png.sh",
		                               "a b.png" };
	auto_free char *folder = fs_join(harness_dir(*state), "screenshots");
	auto_free char *want = fs_join(folder, "login.png");

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char args[128];

		snprintf(args, sizeof(args), "{\"name\":\"%s\"}", bad[i]);
		assert_string_equal(harness_error(*state, "screenshot", args), "INVALID_ARGS");
	}
	assert_int_equal(screen_count(NULL), 0);
	json_decref(harness_ok(*state, "screenshot", "{\"name\":\"login.png\"}"));
	assert_string_equal(jx_get_str(screen_request("screenshot", 0), "outPath", ""), want);
	assert_int_equal(fs_write(want, "x", 1, 0600, NULL), 0);
	assert_string_equal(harness_error(*state, "screenshot", "{\"name\":\"login.png\"}"),
	                    "INVALID_ARGS");
	unlink(want);
	rmdir(folder);
}

static void old_pictures_of_the_folder_go(void **state)
{
	auto_free char *folder = fs_join(harness_dir(*state), "screenshots");
	char name[32];
	size_t left = 0;

	assert_int_equal(mkdir(folder, 0700), 0);
	for (unsigned i = 0; i < LIM_SCREENSHOTS_KEPT + 3; i++) {
		snprintf(name, sizeof(name), "p%04u.png", i);
		auto_free char *path = fs_join(folder, name);

		assert_int_equal(fs_write(path, "x", 1, 0600, NULL), 0);
	}
	json_decref(harness_ok(*state, "screenshot", "{\"name\":\"new.png\"}"));
	for (unsigned i = 0; i < LIM_SCREENSHOTS_KEPT + 3; i++) {
		snprintf(name, sizeof(name), "p%04u.png", i);
		auto_free char *path = fs_join(folder, name);

		left += fs_exists(path);
		unlink(path);
	}
	assert_int_equal(left, LIM_SCREENSHOTS_KEPT - 1);
	rmdir(folder);
}

static void a_path_that_is_no_picture_is_refused(void **state)
{
	auto_free char *dir = fs_join(harness_dir(*state), "dir.png");
	char args[256];

	assert_string_equal(harness_error(*state, "screenshot", "{\"path\":\"/tmp/a.jpg\"}"),
	                    "INVALID_ARGS");
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(args, sizeof(args), "{\"path\":\"%s\"}", dir);
	assert_string_equal(harness_error(*state, "screenshot", args), "IO_ERROR");
	rmdir(dir);
	assert_int_equal(screen_count(NULL), 0);
}

static void a_full_disk_is_an_io_error(void **state)
{
	screen_fail("screenshot", "{\"code\":\"IO_ERROR\",\"message\":\"no space left on device\"}");
	assert_string_equal(harness_error(*state, "screenshot", NULL), "IO_ERROR");
	screen_fail("screenshot", NULL);
	json_decref(harness_ok(*state, "screenshot", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_snapshot_opens_a_session_when_there_is_none),
		CASE(a_screen_that_can_not_be_read_begins_no_session),
		CASE(text_and_json_say_the_same),
		CASE(the_interactive_view_is_flat_and_the_tree_is_not),
		CASE(raw_is_one_object_a_line),
		CASE(a_scope_keeps_one_subtree),
		CASE(a_scope_that_matches_nothing_is_told),
		CASE(generations_grow_and_an_equal_screen_is_told),
		CASE(a_partial_tree_says_so),
		CASE(raw_and_interactive_exclude_each_other),
		CASE(get_reads_the_screen_of_now),
		CASE(get_text_of_a_field_is_its_whole_content),
		CASE(get_text_of_a_secret_is_refused),
		CASE(get_attrs_is_the_node),
		CASE(a_point_has_no_text),
		CASE(a_picture_goes_where_the_caller_stands),
		CASE(the_path_stands_alone_on_its_line),
		CASE(an_element_is_cropped),
		CASE(names_from_outside_stay_in_their_folder),
		CASE(old_pictures_of_the_folder_go),
		CASE(a_path_that_is_no_picture_is_refused),
		CASE(a_full_disk_is_an_io_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
