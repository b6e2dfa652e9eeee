/* Sessions, devices, locks and frames, through the request path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../scenario/harness.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "daemon/session.h"
#include "fake.h"

#include <string.h>

static struct harness *h;

static int setup(void **state)
{
	h = harness_new(NULL);
	fake_show_devices("12x");
	fake_hide_virtual(false);
	return 0;
}

static int teardown(void **state)
{
	harness_free(h);
	assert_int_equal(fake_open_devices(), 0);
	return 0;
}

static json_t *call(const char *command, const char *session, const char *device)
{
	return harness_call(
	    h, &(struct harness_call){ .command = command, .session = session, .device = device });
}

static const char *field(const json_t *response, const char *key)
{
	if (!jx_get_bool(response, "ok", false))
		fail_msg("%s", jx_get_str(json_object_get(response, "error"), "message", ""));
	return jx_get_str(json_object_get(response, "data"), key, "");
}

static const char *code(const json_t *response)
{
	return jx_get_str(json_object_get(response, "error"), "code", "");
}

static const json_t *details(const json_t *response)
{
	return json_object_get(json_object_get(response, "error"), "details");
}

/* --- which device ----------------------------------------------------------------------------- */

static void the_only_available_one(void **state)
{
	fake_show_devices("x1");
	auto_json json_t *r = call("open", NULL, NULL);
	assert_string_equal(field(r, "device"), "one");
	assert_string_equal(field(r, "session"), "default");
	assert_null(json_object_get(r, "notices"));
}

static void several_must_be_chosen_from(void **state)
{
	auto_json json_t *r = call("open", NULL, NULL);
	assert_string_equal(code(r), "INVALID_ARGS");
	assert_string_equal(jx_get_str(details(r), "reason", ""), "multiple_devices");
	assert_int_equal(json_array_size(json_object_get(details(r), "devices")), 4);
	assert_int_equal(fake_open_devices(), 0);
}

static void none_means_the_virtual_one_and_says_so(void **state)
{
	fake_show_devices("");
	auto_json json_t *r = call("open", NULL, NULL);
	assert_string_equal(field(r, "device"), "virtual");
	assert_int_equal(json_array_size(json_object_get(r, "notices")), 1);
}

static void unusable_ones_say_why(void **state)
{
	fake_show_devices("x");
	auto_json json_t *r = call("open", NULL, NULL);
	assert_string_equal(field(r, "device"), "virtual");
	const char *notice = json_string_value(json_array_get(json_object_get(r, "notices"), 0));
	assert_non_null(strstr(notice, "switched off"));

	auto_json json_t *chosen = call("open", "b", "off");
	assert_string_equal(code(chosen), "DEVICE_UNAVAILABLE");
	fake_hide_virtual(true);
	auto_json json_t *nothing = call("open", "c", NULL);
	assert_string_equal(code(nothing), "DEVICE_UNAVAILABLE");
	fake_show_devices("");
	auto_json json_t *empty = call("open", "d", NULL);
	assert_string_equal(code(empty), "DEVICE_NOT_FOUND");
}

static void by_id_by_name_and_by_platform(void **state)
{
	auto_json json_t *a = call("open", "a", "two");
	assert_string_equal(field(a, "device"), "two");
	auto_json json_t *b = call("open", "b", "device_ONE");
	assert_string_equal(field(b, "device"), "one");
	struct harness_call c = { .command = "open", .session = "c", .platform = "virtual" };
	auto_json json_t *v = harness_call(h, &c);
	assert_string_equal(field(v, "device"), "virtual");
	auto_json json_t *none = call("open", "d", "three");
	assert_string_equal(code(none), "DEVICE_NOT_FOUND");
	assert_int_equal(json_array_size(json_object_get(details(none), "devices")), 4);
}

/* --- who has it ------------------------------------------------------------------------------- */

static void a_held_device_names_its_holder(void **state)
{
	json_decref(call("open", "first", "one"));
	auto_json json_t *b = call("open", "second", "one");
	assert_string_equal(code(b), "DEVICE_IN_USE");
	assert_string_equal(jx_get_str(details(b), "session", ""), "first");
	assert_non_null(strstr(jx_get_str(json_object_get(b, "error"), "hint", ""), "first"));
	json_decref(call("close", "first", NULL));
	auto_json json_t *again = call("open", "second", "one");
	assert_string_equal(field(again, "device"), "one");
}

/* The holder's long command does not make the other one wait for its answer. */
static void refusal_does_not_wait(void **state)
{
	json_decref(call("open", "first", "one"));
	struct harness_call hold = { .command = "hold", .session = "first" };
	struct harness_job *j = harness_start(h, &hold);
	harness_wait_progress(j, 1);
	auto_json json_t *b = call("open", "second", "one");
	assert_string_equal(code(b), "DEVICE_IN_USE");
	harness_cancel(j);
	json_decref(harness_finish(j));
}

enum { OPENERS = 12 };

/* Cases F10: many at once; exactly one gets the device, the others are told who. */
static void one_winner_among_many(void **state)
{
	struct harness_job *jobs[OPENERS];
	char names[OPENERS][8];
	unsigned won = 0, refused = 0;
	for (int i = 0; i < OPENERS; i++) {
		snprintf(names[i], sizeof(names[i]), "s%d", i);
		struct harness_call c = { .command = "open", .session = names[i], .device = "one" };
		jobs[i] = harness_start(h, &c);
	}
	for (int i = 0; i < OPENERS; i++) {
		auto_json json_t *r = harness_finish(jobs[i]);
		won += jx_get_bool(r, "ok", false);
		refused += strcmp(code(r), "DEVICE_IN_USE") == 0;
	}
	assert_int_equal(won, 1);
	assert_int_equal(refused, OPENERS - 1);
	assert_int_equal(fake_open_devices(), 1);
}

static void open_again_is_the_same_session(void **state)
{
	json_decref(call("open", "s", "one"));
	auto_json json_t *b = call("open", "s", NULL);
	assert_string_equal(field(b, "device"), "one");
	auto_json json_t *c = call("open", "s", "two");
	assert_string_equal(code(c), "INVALID_ARGS");
	assert_string_equal(jx_get_str(details(c), "reason", ""), "session_bound");
	auto_json json_t *d = call("hold", "s", "two");
	assert_string_equal(code(d), "INVALID_ARGS");
	assert_int_equal(fake_open_devices(), 1);
}

static void unnamed_sessions_belong_to_their_directory(void **state)
{
	struct harness_call a = { .command = "open", .device = "one", .cwd = "/a" };
	struct harness_call b = { .command = "open", .device = "two", .cwd = "/b" };
	auto_json json_t *ra = harness_call(h, &a), *rb = harness_call(h, &b);
	assert_string_equal(field(ra, "device"), "one");
	assert_string_equal(field(rb, "device"), "two");
	struct harness_call list = { .command = "sessions", .cwd = "/b" };
	auto_json json_t *r = harness_call(h, &list);
	const json_t *all = json_object_get(json_object_get(r, "data"), "sessions");
	assert_int_equal(json_array_size(all), 2); /* each stored once */
	const json_t *other = json_array_get(all, 0), *own = json_array_get(all, 1);
	assert_string_equal(jx_get_str(own, "name", ""), "default");
	assert_true(jx_get_bool(own, "current", false));
	assert_string_equal(jx_get_str(own, "app", ""), "app.id");
	assert_string_equal(jx_get_str(other, "device", ""), "one");
	/* the other one can be named by its key and closed from here */
	struct harness_call close = { .command = "close",
		                          .cwd = "/b",
		                          .session = jx_get_str(other, "name", "") };
	auto_json json_t *closed = harness_call(h, &close);
	assert_true(jx_get_bool(closed, "ok", false));
	assert_int_equal(fake_open_devices(), 1);
}

static void closing_leaves_nothing(void **state)
{
	json_decref(call("open", "s", "one"));
	auto_free char *dir = dm_session_dir(harness_daemon(h), "s");
	assert_true(fs_exists(dir));
	auto_json json_t *b = call("close", "s", NULL);
	assert_true(jx_get_bool(b, "ok", false));
	assert_false(fs_exists(dir));
	assert_int_equal(fake_open_devices(), 0);
	auto_json json_t *c = call("close", "s", NULL);
	assert_string_equal(code(c), "SESSION_NOT_FOUND");
}

/* --- turns ------------------------------------------------------------------------------------ */

static void commands_of_one_session_take_turns(void **state)
{
	json_decref(call("open", "s", "one"));
	struct harness_job *jobs[8];
	struct harness_call c = { .command = "hold", .session = "s", .args = "{\"ms\":2}" };
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
		jobs[i] = harness_start(h, &c);
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		auto_json json_t *r = harness_finish(jobs[i]);
		assert_string_equal(field(r, "device"), "one");
	}
	assert_int_equal(fake_max_inside(), 1);
}

static void a_busy_session_names_what_runs(void **state)
{
	json_decref(call("open", "s", "one"));
	struct harness_call hold = { .command = "hold", .session = "s" };
	struct harness_job *j = harness_start(h, &hold);
	harness_wait_progress(j, 1);
	struct harness_call show = { .command = "show", .session = "s", .deadline_ms = 20 };
	auto_json json_t *r = harness_call(h, &show);
	assert_string_equal(code(r), "SESSION_BUSY");
	assert_string_equal(jx_get_str(details(r), "command", ""), "hold");
	harness_cancel(j);
	json_decref(harness_finish(j));
}

static void a_session_closed_while_we_waited(void **state)
{
	json_decref(call("open", "s", "one"));
	struct harness_call hold = { .command = "hold", .session = "s" };
	struct harness_call close = { .command = "close", .session = "s" };
	struct harness_call show = { .command = "show", .session = "s" };
	struct harness_job *holding = harness_start(h, &hold);
	harness_wait_progress(holding, 1);
	struct harness_job *closing = harness_start(h, &close);
	struct harness_job *late = harness_start(h, &show);
	harness_cancel(holding);
	auto_json json_t *r1 = harness_finish(holding), *r2 = harness_finish(closing);
	auto_json json_t *r3 = harness_finish(late);
	assert_string_equal(code(r1), "CANCELED");
	assert_true(jx_get_bool(r2, "ok", false));
	assert_string_equal(code(r3), "SESSION_NOT_FOUND");
}

/* --- a device without a session --------------------------------------------------------------- */

static void a_device_for_one_request(void **state)
{
	auto_json json_t *r = call("apps", NULL, "two");
	assert_string_equal(field(r, "device"), "two");
	assert_int_equal(fake_open_devices(), 0);
}

static void a_held_device_is_lent(void **state)
{
	json_decref(call("open", "holder", "one"));
	unsigned before = fake_attached();
	auto_json json_t *r = call("apps", "other", "one");
	assert_string_equal(field(r, "device"), "one");
	assert_int_equal(fake_attached(), before); /* no second one was made */
	auto_json json_t *own = call("apps", "holder", NULL);
	assert_string_equal(field(own, "device"), "one");
	auto_json json_t *another = call("apps", "holder", "two");
	assert_string_equal(field(another, "device"), "two");
	assert_int_equal(fake_open_devices(), 1);
}

static void devices_name_their_sessions(void **state)
{
	json_decref(call("open", "holder", "two"));
	auto_json json_t *r = call("devices", NULL, NULL);
	const json_t *all = json_object_get(json_object_get(r, "data"), "devices");
	assert_int_equal(json_array_size(all), 4);
	assert_string_equal(jx_get_str(json_array_get(all, 1), "session", ""), "holder");
	assert_null(json_object_get(json_array_get(all, 0), "session"));
	assert_string_equal(jx_get_str(json_array_get(all, 2), "reason", ""), "switched off");
}

/* --- frames ----------------------------------------------------------------------------------- */

static int64_t generation(const char *command, const char *session)
{
	auto_json json_t *r = call(command, session, NULL);
	return jx_get_int(json_object_get(r, "data"), "generation", -1);
}

static void frames_are_numbered_across_sessions(void **state)
{
	json_decref(call("open", "a", "one"));
	json_decref(call("open", "b", "two"));
	assert_int_equal(generation("show", "a"), 0);
	assert_int_equal(generation("store", "a"), 1);
	assert_int_equal(generation("store", "b"), 2);
	assert_int_equal(generation("store", "a"), 3);
	assert_int_equal(generation("show", "a"), 3);
	assert_int_equal(generation("show", "b"), 2);
	json_decref(call("close", "a", NULL));
	json_decref(call("open", "a", "one"));
	assert_int_equal(generation("show", "a"), 0);
}

/* --- idle sessions ---------------------------------------------------------------------------- */

static void an_idle_session_is_closed(void **state)
{
	json_decref(call("open", "a", "one"));
	json_decref(call("open", "b", "two"));
	struct harness_call hold = { .command = "hold", .session = "b" };
	struct harness_job *j = harness_start(h, &hold);
	harness_wait_progress(j, 1);
	harness_daemon(h)->session_idle_ms = 0; /* from now on every unused session is due */
	struct dm_daemon *d = harness_daemon(h);
	dm_session_expire(d);
	auto_json json_t *r = call("sessions", NULL, NULL);
	const json_t *left = json_object_get(json_object_get(r, "data"), "sessions");
	assert_int_equal(json_array_size(left), 1); /* the one in use stays */
	assert_string_equal(jx_get_str(json_array_get(left, 0), "name", ""), "b");
	harness_cancel(j);
	json_decref(harness_finish(j));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_only_available_one),
		TEST(several_must_be_chosen_from),
		TEST(none_means_the_virtual_one_and_says_so),
		TEST(unusable_ones_say_why),
		TEST(by_id_by_name_and_by_platform),
		TEST(a_held_device_names_its_holder),
		TEST(refusal_does_not_wait),
		TEST(one_winner_among_many),
		TEST(open_again_is_the_same_session),
		TEST(unnamed_sessions_belong_to_their_directory),
		TEST(closing_leaves_nothing),
		TEST(commands_of_one_session_take_turns),
		TEST(a_busy_session_names_what_runs),
		TEST(a_session_closed_while_we_waited),
		TEST(a_device_for_one_request),
		TEST(a_held_device_is_lent),
		TEST(devices_name_their_sessions),
		TEST(frames_are_numbered_across_sessions),
		TEST(an_idle_session_is_closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
