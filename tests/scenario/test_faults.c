/* What a caller sees when the runner below fails: the whole request path and the real runner client
 * over a scripted exchange. A mutation goes out once, whatever happens; the session lives on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "daemon/session.h"
#include "harness.h"
#include "platform/platform.h"
#include "support/scripted_provider.h"
#include "support/virtual_clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(DATA) "{\"ok\":true,\"data\":" DATA "}"
#define SCREEN                                                                                  \
	OK("{\"nodes\":[{\"index\":0,\"type\":\"frame\",\"role\":\"window\",\"label\":\"Main\","    \
	   "\"rect\":{\"x\":0,\"y\":0,\"width\":400,\"height\":300},\"enabled\":true,\"hittable\":" \
	   "true,"                                                                                  \
	   "\"visible\":true,\"depth\":0,\"nodeId\":\"w\"},"                                        \
	   "{\"index\":1,\"parentIndex\":0,\"type\":\"push button\",\"role\":\"button\","           \
	   "\"label\":\"Save\",\"rect\":{\"x\":10,\"y\":10,\"width\":80,\"height\":30},"            \
	   "\"enabled\":true,\"hittable\":true,\"visible\":true,\"depth\":1,\"nodeId\":\"b\"},"     \
	   "{\"index\":2,\"parentIndex\":0,\"type\":\"text\",\"role\":\"text-field\","              \
	   "\"label\":\"Secret\",\"editable\":true,\"rect\":{\"x\":10,\"y\":50,\"width\":80,"       \
	   "\"height\":30},\"enabled\":true,\"hittable\":true,\"visible\":true,\"depth\":1,"        \
	   "\"nodeId\":\"t\"}],\"truncated\":false,\"snapshotQuality\":{\"state\":\"healthy\","     \
	   "\"backend\":\"scripted\"}}")

static struct harness *h;
static struct sp runner;

static int devices(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
                   size_t max, size_t *ret_n, struct error *e)
{
	list[0] = (struct pf_device_info){ .platform = "linux", .id = "linux::7", .available = true };
	*ret_n = 1;
	return 0;
}

/* The runner is asked whether it lives at many points that are no matter of these tests. */
static int post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	auto_json json_t *request = jx_parse(body, len, NULL);
	const char *command = jx_get_str(request, "command", "");
	if (strcmp(command, "uptime") != 0 && strcmp(command, "shutdown") != 0)
		return sp_provider(&runner).post(ctx, ep, body, len, c, reply, ret_failure, e);
	buf_adds(reply, OK("{}"));
	*ret_failure = CL_OK;
	return 0;
}

static int attach(const struct pf_caller *caller, const struct pf_device_info *info,
                  struct pf_device **ret, struct error *e)
{
	struct pf_device *d = calloc(1, sizeof(*d));
	struct cl_provider provider = sp_provider(&runner);
	provider.post = post;
	int r = pf_runner_device_init(d, info, &provider, e);
	if (r < 0)
		free(d);
	else
		*ret = d;
	return r;
}

static int setup(void **state)
{
	static const struct pf_module module = { "linux", devices, attach };
	static const struct pf_module *const modules[] = { &module, NULL };
	virtual_clock_use(1000);
	sp_init(&runner);
	pf_set_modules(modules);
	h = harness_new(NULL);
	return 0;
}

static int teardown(void **state)
{
	harness_free(h);
	sp_done(&runner);
	pf_set_modules(NULL);
	virtual_clock_leave();
	return 0;
}

/* A session with a snapshot: @e1 is the button. */
static void open_and_look(void)
{
	sp_reply(&runner, "launch", OK("{\"id\":\"demo\",\"started\":true}"));
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN });
	json_decref(harness_ok(h, "open", "{\"app\":\"demo\"}"));
	json_decref(harness_ok(h, "snapshot", "{\"interactive\":true}"));
}

static json_t *press(void)
{
	return harness_call(h, &(struct harness_call){ .command = "press",
	                                               .args = "{\"target\":\"label=\\\"Save\\\"\"}",
	                                               .debug = true });
}

static const char *code(const json_t *response)
{
	return jx_get_str(json_object_get(response, "error"), "code", "");
}

static void a_lost_reply_is_fetched_from_the_journal(void **state)
{
	open_and_look();
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN });
	sp_fail(&runner, "tap", CL_LOST);
	sp_reply(&runner, "status",
	         OK("{\"lifecycleState\":\"completed\",\"lifecycleResponseJson\":"
	            "\"{\\\"ok\\\":true,\\\"data\\\":{\\\"x\\\":50,\\\"y\\\":25}}\"}"));
	auto_json json_t *r = press();
	assert_true(jx_get_bool(r, "ok", false));
	assert_int_equal(sp_count(&runner, "tap"), 1);
	const json_t *trace = json_object_get(json_object_get(r, "timing"), "runner");
	assert_string_equal(jx_get_str(trace, "recovery", ""), "completed_with_retained_response");
	assert_string_equal(sp_order(&runner), "launch snapshot snapshot tap status");
}

static void a_mutation_whose_end_is_unknown_is_not_repeated(void **state)
{
	open_and_look();
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN });
	sp_fail(&runner, "tap", CL_LOST);
	sp_reply(&runner, "status", OK("{\"lifecycleState\":\"started\"}"));
	auto_json json_t *r = press();
	assert_string_equal(code(r), "RUNNER_LOST_REPLY");
	assert_int_equal(sp_count(&runner, "tap"), 1);
	assert_string_equal(sp_order(&runner), "launch snapshot snapshot tap status");
	/* session, device and runner are still there */
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN });
	json_decref(harness_ok(h, "snapshot", "{\"interactive\":true}"));
	assert_int_equal(runner.started, 1);
}

static void a_dead_runner_is_replaced_and_the_session_stays(void **state)
{
	open_and_look();
	sp_add(&runner, (struct sp_step){
	                    .command = "snapshot", .failure = CL_LOST, .dies = true, .forever = true });
	json_decref(harness_run(h, "snapshot", NULL));
	runner.at = runner.n_script; /* from here on it is well again */
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN, .forever = true });
	json_decref(harness_ok(h, "snapshot", NULL));
	assert_true(runner.started >= 2);
	auto_json json_t *list = harness_ok(h, "session", "{\"action\":\"list\"}");
	assert_int_equal(json_array_size(json_object_get(list, "sessions")), 1);
}

/* --- diagnostics ------------------------------------------------------------------------------- */

static const json_t *runner_of(const json_t *response)
{
	return json_object_get(json_object_get(response, "timing"), "runner");
}

static int64_t total(const json_t *status, const char *name)
{
	return jx_get_int(json_object_get(status, "runner"), name, -1);
}

static const json_t *last_event(const json_t *events, const char *command)
{
	const json_t *found = NULL;
	json_t *event;
	size_t i;
	json_array_foreach(events, i, event)
	{
		if (strcmp(jx_get_str(event, "event", ""), "request.finished") == 0 &&
		    strcmp(jx_get_str(event, "command", ""), command) == 0)
			found = event;
	}
	return found;
}

/* A press is two runner commands: a look, and a tap. */
static json_t *press_well(void)
{
	sp_add(&runner, (struct sp_step){ .command = "snapshot", .reply = SCREEN });
	sp_reply(&runner, "tap", OK("{\"x\":50,\"y\":25}"));
	json_t *r = press();
	assert_true(jx_get_bool(r, "ok", false));
	return r;
}

static void what_the_runner_client_did_is_told(void **state)
{
	open_and_look();
	json_decref(press_well());
	virtual_clock_advance(700);
	auto_json json_t *hot = press_well();
	assert_string_equal(jx_get_str(runner_of(hot), "preflight", ""), "skipped");
	assert_string_equal(jx_get_str(runner_of(hot), "skipReason", ""), "recent_healthy_mutation");
	assert_true(jx_get_int(runner_of(hot), "proofAgeMs", -1) >= 700);
	assert_int_equal(jx_get_int(runner_of(hot), "commands", 0), 2);
	assert_int_equal(jx_get_int(runner_of(hot), "preflights", 0), 1);
	assert_int_equal(jx_get_int(runner_of(hot), "preflightsSkipped", 0), 1);
	assert_int_equal(jx_get_int(runner_of(hot), "requests", 0), 3);

	runner.alive = false; /* noticed by the look, told although the tap went well after it */
	auto_json json_t *again = press_well();
	assert_string_equal(jx_get_str(runner_of(again), "invalidation", ""), "runner_process_exited");
	assert_int_equal(jx_get_int(runner_of(again), "retries", -1), 0);

	/* the next one tells of itself only */
	auto_json json_t *after = press_well();
	assert_null(json_object_get(runner_of(after), "invalidation"));

	auto_json json_t *status = harness_ok(h, "daemon", "{\"action\":\"status\"}");
	assert_true(total(status, "commands") >= 10);
	assert_true(total(status, "preflights") >= 4);
	assert_true(total(status, "preflightsSkipped") >= 2);
	assert_int_equal(total(status, "invalidations"), 1);
	assert_int_equal(total(status, "restarts"), 1);
	assert_int_equal(total(status, "recoveries"), 0);
	assert_true(total(status, "requests") > total(status, "commands"));
}

static void the_trace_tells_it_too(void **state)
{
	open_and_look();
	json_decref(press_well());
	auto_json json_t *events = harness_events(h, harness_daemon(h)->sessions->key);
	const json_t *told = json_object_get(last_event(events, "press"), "runner");
	assert_string_equal(jx_get_str(told, "preflight", ""), "used");
	assert_string_equal(jx_get_str(told, "preflightReason", ""), "no_recent_healthy_mutation");
	assert_int_equal(jx_get_int(told, "commands", 0), 2);
}

/* --- secrets (cases K12) ---------------------------------------------------------------------- */

#define SECRET "correct-horse-7"

static void assert_file_without(const char *path, const char *word)
{
	auto_buf struct buf text;
	buf_init(&text, 1 << 20);
	assert_int_equal(fs_read(path, text.max, &text, NULL), 0);
	if (memmem(text.data, text.len, word, strlen(word)))
		fail_msg("%s holds the secret", path);
}

static void assert_dir_without(const char *path, const char *word)
{
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (const struct dirent *entry; (entry = readdir(dir));) {
		auto_free char *child = fs_join(path, entry->d_name);
		if (entry->d_type == DT_REG)
			assert_file_without(child, word);
		else if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			assert_dir_without(child, word);
	}
	closedir(dir);
}

static void what_is_typed_is_in_no_file(void **state)
{
	static const char *const calls[][2] = {
		{ "type", "{\"text\":\"" SECRET "\"}" },
		{ "fill", "{\"target\":\"label=\\\"Secret\\\"\",\"text\":\"" SECRET "\"}" },
		{ "get", "{\"what\":\"text\",\"target\":\"value=\\\"" SECRET "\\\"\"}" },
		{ "open", "{\"app\":\"https://host/?token=" SECRET "\"}" },
		{ "no-such-" SECRET, "{}" },
	};
	auto_free char *log = fs_join(harness_dir(h), "daemon.log");
	int old = dup(STDERR_FILENO);
	auto_close int fd = open(log, O_CREAT | O_WRONLY | O_APPEND, 0600);
	dup2(fd, STDERR_FILENO);
	open_and_look();
	/* succeed or fail, with every step in the traces */
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		sp_add(&runner, (struct sp_step){ .reply = SCREEN });
		json_decref(harness_run(h, calls[i][0], calls[i][1]));
	}
	dup2(old, STDERR_FILENO);
	close(old);
	assert_true(runner.n_requests > 4);
	assert_dir_without(harness_dir(h), SECRET);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_lost_reply_is_fetched_from_the_journal),
		TEST(a_mutation_whose_end_is_unknown_is_not_repeated),
		TEST(a_dead_runner_is_replaced_and_the_session_stays),
		TEST(what_the_runner_client_did_is_told),
		TEST(the_trace_tells_it_too),
		TEST(what_is_typed_is_in_no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
