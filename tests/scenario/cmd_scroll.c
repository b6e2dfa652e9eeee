/* scroll: one way, on to an edge with proof, and on until an element shows. */
#include "cmd_screen.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int rows_left; /* scrolls until the end; < 0: the list never moves */

/* A list whose lower end is outside of its viewport as long as rows are left. */
static void show_list(void)
{
	double below = rows_left ? 1000 : 150;

	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 300 },
	            { 1, "list", "Rows", NULL, rows_left ? "sb" : "s", 0, 50, 400, 200 },
	            { 2, "list-item", "First", NULL, "", 0, 60 - rows_left, 400, 20 },
	            { 2, "list-item", "Last", NULL, "", 0, below, 400, 20 });
}

static void scroll_moves_it(const json_t *request)
{
	if (strcmp(jx_get_str(request, "command", ""), "scroll"))
		return;
	if (rows_left > 0)
		rows_left--;
	show_list();
}

static int set_up(void **state)
{
	*state = screen_new();
	screen_open(*state);
	rows_left = 3;
	show_list();
	screen_on_request(scroll_moves_it);
	return 0;
}

static int tear_down(void **state)
{
	screen_free(*state);
	return 0;
}

static void a_direction_is_scrolled(void **state)
{
	screen_reply("scroll",
	             "{\"moved\":true,\"x\":200,\"y\":250,\"x2\":200,\"y2\":50,\"pixels\":200}");
	assert_string_equal(screen_text(*state, "scroll", "{\"direction\":\"down\",\"amount\":0.4}"),
	                    "Scrolled down by 0.4");
	assert_string_equal(screen_text(*state, "scroll", "{\"direction\":\"left\",\"pixels\":200}"),
	                    "Scrolled left by 200px");
	/* What was done counts, not what was asked for. */
	assert_string_equal(screen_text(*state, "scroll", "{\"direction\":\"left\",\"pixels\":900}"),
	                    "Scrolled left by 200px of 900px: one scroll goes no further here");
	assert_true(jx_get_num(screen_request("scroll", 0), "amount", 0) == 0.4);
	assert_int_equal(jx_get_int(screen_request("scroll", 2), "pixels", 0), 900);
	assert_null(json_object_get(screen_request("scroll", 0), "nodeId"));
}

static void a_container_is_scrolled(void **state)
{
	json_decref(harness_ok(*state, "scroll", "{\"direction\":\"down\",\"target\":\"label=Rows\"}"));
	assert_string_equal(jx_get_str(screen_request("scroll", 0), "nodeId", ""), "n1:Rows");
}

static void what_did_not_move_is_not_called_scrolled(void **state)
{
	screen_reply("scroll", "{\"moved\":false}");
	assert_non_null(
	    strstr(screen_text(*state, "scroll", "{\"direction\":\"down\"}"), "Nothing moved down"));
}

static void the_bottom_is_reached_in_passes(void **state)
{
	auto_json json_t *data = harness_ok(*state, "scroll", "{\"direction\":\"bottom\"}");

	assert_int_equal(jx_get_int(data, "passes", 0), 3);
	assert_string_equal(jx_get_str(data, "message", ""), "Scrolled to bottom with 3 down passes");
	assert_int_equal(screen_count("scroll"), 3);
	assert_string_equal(jx_get_str(screen_request("scroll", 0), "nodeId", ""), "n1:Rows");
}

static void nothing_is_sent_when_the_edge_is_there_already(void **state)
{
	rows_left = 0;
	show_list();
	assert_non_null(
	    strstr(screen_text(*state, "scroll", "{\"direction\":\"bottom\"}"), "Already at bottom"));
	assert_non_null(
	    strstr(screen_text(*state, "scroll", "{\"direction\":\"top\"}"), "Already at top"));
	assert_int_equal(screen_count("scroll"), 0);
}

static void a_list_that_does_not_move_ends_the_passes(void **state)
{
	auto_json json_t *error = NULL;

	rows_left = -1;
	show_list();
	error = screen_error(*state, "scroll", "{\"direction\":\"bottom\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "NO_EFFECT");
	assert_string_equal(screen_reason(error), "scroll_moves_nothing");
	assert_int_equal(screen_count("scroll"), 3);
}

static void an_endless_list_ends_at_the_pass_limit(void **state)
{
	auto_json json_t *error = NULL;

	rows_left = 1000;
	show_list();
	error = screen_error(*state, "scroll", "{\"direction\":\"bottom\"}");
	assert_string_equal(screen_reason(error), "scroll_pass_limit");
	assert_int_equal(jx_get_int(json_object_get(error, "details"), "passes", 0), 40);
}

static void an_unread_tree_proves_no_edge(void **state)
{
	auto_json json_t *error = NULL;

	screen_quality("partial", "a program did not answer");
	rows_left = 0;
	show_list();
	error = screen_error(*state, "scroll", "{\"direction\":\"bottom\"}");
	assert_string_equal(screen_reason(error), "capture_incomplete");
}

/* --- until ------------------------------------------------------------------------------------- */

static int far_y, far_step; /* where the wanted row is, and how far a pass moves it */

/* A list of 50…250 with one row that may lie anywhere; `at_top` tells what is on top of it. */
static void show_far(const char *on_top)
{
	SCREEN_SHOW({ 0, "window", "Demo", .width = 400, .height = 300 },
	            { 1, "list", "Rows", NULL, "s", 0, 50, 400, 200 },
	            { 2, "list-item", on_top, NULL, "", 0, 60, 400, 20 },
	            { 2, "list-item", "Far", NULL, "", 0, far_y, 400, 20 });
}

static void far_comes_nearer(const json_t *request)
{
	static const char *const tops[] = { "a", "b" };
	double pixels;

	if (strcmp(jx_get_str(request, "command", ""), "scroll"))
		return;
	pixels = jx_get_num(request, "pixels", far_step);
	far_y -= strcmp(jx_get_str(request, "direction", ""), "up") ? (int)pixels : -(int)pixels;
	show_far(tops[screen_count("scroll") % 2]);
}

static void start_far(int y, int step)
{
	far_y = y;
	far_step = step;
	screen_on_request(far_comes_nearer);
	show_far("a");
}

static void what_is_in_view_is_not_scrolled_for(void **state)
{
	auto_json json_t *data = NULL;

	start_far(100, 100);
	data = harness_ok(*state, "scroll", "{\"direction\":\"up\",\"until\":\"label=Far\"}");
	assert_string_equal(jx_get_str(data, "message", ""), "Already in view: [list-item] \"Far\"");
	assert_int_equal(screen_count("scroll"), 0);
}

static void an_element_is_scrolled_into_view(void **state)
{
	auto_json json_t *data = NULL;

	start_far(500, 100);
	data = harness_ok(*state, "scroll", "{\"until\":\"label=Far\"}");
	assert_string_equal(jx_get_str(data, "message", ""),
	                    "In view after 3 passes down: [list-item] \"Far\"");
	assert_string_equal(jx_get_str(screen_request("scroll", 0), "nodeId", ""), "n1:Rows");
	assert_string_equal(jx_get_str(data, "role", ""), "list-item");
	assert_int_equal(screen_count("scroll"), 3);
	screen_forget();
	start_far(-250, 100);
	json_decref(harness_ok(*state, "scroll", "{\"until\":\"label=Far\",\"amount\":0.3}"));
	assert_string_equal(jx_get_str(screen_request("scroll", 0), "direction", ""), "up");
	assert_true(jx_get_num(screen_request("scroll", 0), "amount", 0) == 0.3);
}

/* Case C11. */
static void what_the_edge_cuts_off_gets_one_short_pass(void **state)
{
	auto_json json_t *data = NULL;

	start_far(342, 100);
	data = harness_ok(*state, "scroll", "{\"until\":\"label=Far\"}");
	assert_int_equal(screen_count("scroll"), 2);
	assert_int_equal(jx_get_int(screen_request("scroll", 1), "pixels", 0), 12);
	assert_true(jx_get_bool(data, "whole", false));
}

static void the_last_row_counts_though_it_stays_cut_off(void **state)
{
	auto_json json_t *data = NULL;

	start_far(242, 0);
	screen_on_request(NULL);
	data = harness_ok(*state, "scroll", "{\"until\":\"label=Far\"}");
	assert_int_equal(screen_count("scroll"), 1);
	assert_false(jx_get_bool(data, "whole", true));
	assert_string_equal(jx_get_str(data, "message", ""),
	                    "In view in part after 1 pass down: [list-item] \"Far\"");
}

static void no_end(void **state, const char *code, const char *reason, int passes)
{
	auto_json json_t *error =
	    screen_error(*state, "scroll", "{\"direction\":\"down\",\"until\":\"label=Far\"}");

	assert_string_equal(jx_get_str(error, "code", ""), code);
	assert_string_equal(screen_reason(error), reason);
	assert_int_equal(jx_get_int(json_object_get(error, "details"), "passes", 0), passes);
	assert_int_equal(screen_count("scroll"), passes);
}

/* Case C13. */
static void a_search_ends_where_nothing_new_comes(void **state)
{
	start_far(500, 0);
	screen_on_request(NULL);
	no_end(state, "ELEMENT_OFFSCREEN", "scroll_end_reached", 3);
}

static void a_container_that_bounces_ends_the_search(void **state)
{
	start_far(500, 0);
	no_end(state, "ELEMENT_OFFSCREEN", "scroll_end_reached", 4);
}

static void an_endless_feed_ends_at_the_pass_limit(void **state)
{
	start_far(100000, 100);
	no_end(state, "LIMIT_EXCEEDED", "scroll_pass_limit", 40);
}

static void absent_is_told_from_not_reached(void **state)
{
	auto_json json_t *error = NULL;

	start_far(500, 0);
	error = screen_error(*state, "scroll", "{\"until\":\"label=Nowhere\"}");
	assert_string_equal(jx_get_str(error, "code", ""), "ELEMENT_NOT_FOUND");
	screen_quality("partial", "a program did not answer");
	json_decref(error);
	error = screen_error(*state, "scroll", "{\"until\":\"label=Nowhere\"}");
	assert_string_equal(screen_reason(error), "capture_incomplete");
}

static void amounts_that_exclude_each_other_are_refused(void **state)
{
	static const char *const bad[] = { "{\"direction\":\"down\",\"amount\":0.5,\"pixels\":3}",
		                               "{\"direction\":\"bottom\",\"amount\":0.5}",
		                               "{\"direction\":\"top\",\"pixels\":5}",
		                               "{\"direction\":\"top\",\"until\":\"id=x\"}",
		                               "{\"until\":\"no selector\"}",
		                               "{\"amount\":0.5}" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_string_equal(harness_error(*state, "scroll", bad[i]), "INVALID_ARGS");
	assert_int_equal(screen_count(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		CASE(a_direction_is_scrolled),
		CASE(a_container_is_scrolled),
		CASE(what_did_not_move_is_not_called_scrolled),
		CASE(the_bottom_is_reached_in_passes),
		CASE(nothing_is_sent_when_the_edge_is_there_already),
		CASE(a_list_that_does_not_move_ends_the_passes),
		CASE(an_endless_list_ends_at_the_pass_limit),
		CASE(an_unread_tree_proves_no_edge),
		CASE(what_is_in_view_is_not_scrolled_for),
		CASE(an_element_is_scrolled_into_view),
		CASE(what_the_edge_cuts_off_gets_one_short_pass),
		CASE(the_last_row_counts_though_it_stays_cut_off),
		CASE(a_search_ends_where_nothing_new_comes),
		CASE(a_container_that_bounces_ends_the_search),
		CASE(an_endless_feed_ends_at_the_pass_limit),
		CASE(absent_is_told_from_not_reached),
		CASE(amounts_that_exclude_each_other_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
