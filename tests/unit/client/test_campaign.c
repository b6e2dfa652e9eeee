/* Exactly once, as a property: a model runner that keeps books, behind a line that fails in every
 * way, driven by seeded chance. After each command the books decide:
 *   no mutation was executed twice; a reported success was executed exactly once; a failure that says
 *   "no" was never executed, also later; one that says "yes" was; nothing outlasts its deadline.
 * DEFT_CAMPAIGN_RUNS sets the number of runs, DEFT_CAMPAIGN_SEED the first seed. */
#include "base/log.h"
#include "client_fixture.h"

#include <stdio.h>

enum { COMMANDS_PER_RUN = 12, BOOK = 64 };

/* --- chance -------------------------------------------------------------------------------------- */

static uint64_t chance_state;
static char current_seed[24];

static uint32_t chance(uint32_t below)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (uint32_t)(chance_state >> 32) % below;
}

/* --- the model runner ----------------------------------------------------------------------------- */

struct entry {
	char id[64];
	const char *state; /* accepted | started | completed | failed */
	bool mutation, retained, queued;
	int executed;
};

static struct {
	struct entry book[BOOK]; /* of all runners of this run: what happened to the device */
	size_t n, born;          /* entries before `born` belong to earlier runners */
	bool alive;
} model;

static struct entry *find_entry(const char *id, size_t from)
{
	for (size_t i = model.n; i-- > from;)
		if (strcmp(model.book[i].id, id) == 0)
			return &model.book[i];
	return NULL;
}

static int executed_of(const char *id)
{
	int n = 0;
	for (size_t i = 0; i < model.n; i++)
		n += strcmp(model.book[i].id, id) == 0 ? model.book[i].executed : 0;
	return n;
}

/* Work that was accepted and not yet done is done sooner or later, while the runner lives. */
static void work_off(void)
{
	for (size_t i = model.born; i < model.n; i++)
		if (model.book[i].queued && chance(2)) {
			model.book[i].queued = false;
			model.book[i].executed++;
			model.book[i].state = "completed";
		}
}

static struct entry *accept_command(const json_t *request)
{
	assert_true(model.n < BOOK);
	struct entry *e = &model.book[model.n++];
	*e = (struct entry){ .state = "accepted", .retained = chance(2) };
	snprintf(e->id, sizeof e->id, "%s", jx_get_str(request, "commandId", ""));
	e->mutation = strcmp(jx_get_str(request, "command", ""), "tap") == 0 ||
	              strcmp(jx_get_str(request, "command", ""), "type") == 0;
	return e;
}

static void answer_status(const json_t *request, struct buf *reply)
{
	const struct entry *e = find_entry(jx_get_str(request, "statusCommandId", ""), model.born);
	json_t auto_json *data = json_object();
	jx_set_str(data, "lifecycleState", e ? e->state : chance(8) ? "notAccepted" : "odd");
	if (e && e->retained && strcmp(e->state, "completed") == 0)
		jx_set_str(data, "lifecycleResponseJson", "{\"ok\":true,\"data\":{\"from\":\"journal\"}}");
	if (e && strcmp(e->state, "failed") == 0)
		jx_set_str(data, "lifecycleErrorCode", "ELEMENT_STALE");
	json_t auto_json *whole = json_pack("{s:b,s:O}", "ok", 1, "data", data);
	jx_dump(whole, false, reply);
}

static void execute_command(const json_t *request, struct buf *reply)
{
	const char *command = jx_get_str(request, "command", "");
	if (strcmp(command, "status") == 0) {
		answer_status(request, reply);
		return;
	}
	buf_adds(reply, "{\"ok\":true,\"data\":{}}");
	if (strcmp(command, "uptime") == 0)
		return;
	struct entry *e = accept_command(request);
	switch (chance(12)) {
	case 0: /* refused before any input */
		e->state = "failed";
		buf_reset(reply);
		buf_adds(reply,
		         "{\"ok\":false,\"error\":{\"code\":\"ELEMENT_STALE\",\"message\":\"gone\"}}");
		break;
	case 1: /* stays in the queue; its caller gets no answer in time (see lose_reply) */
		e->queued = true;
		buf_reset(reply);
		break;
	default:
		e->executed++;
		e->state = "completed";
		break;
	}
}

/* --- the line -------------------------------------------------------------------------------------- */

static int line_start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	if (chance(20) == 0)
		return error_set(e, ERR_RUNNER_UNAVAILABLE, "no start");
	model.alive = true;
	model.born = model.n;
	*ret = (struct cl_endpoint){ .port = 1 };
	return 0;
}

static bool line_alive(void *ctx, const struct cl_endpoint *ep)
{
	return model.alive;
}

static int fail_as(enum cl_failure failure, bool not_sent, enum cl_failure *ret_failure,
                   struct error *e)
{
	static const enum err_code codes[] = { ERR_OK, ERR_RUNNER_UNAVAILABLE, ERR_RUNNER_LOST_REPLY,
		                                   ERR_TIMEOUT, ERR_CANCELED };
	*ret_failure = failure;
	error_set(e, codes[failure], "the line failed");
	if (not_sent)
		error_detail(e, "notSent", json_true());
	return -(int)codes[failure];
}

/* After the runner did what it did: does its reply arrive? */
static int lose_reply(struct call c, struct buf *reply, enum cl_failure *ret_failure,
                      struct error *e)
{
	uint32_t fate = chance(10);
	if (fate == 0)
		model.alive = false;
	if (fate <= 2)
		return fail_as(CL_LOST, false, ret_failure, e);
	if (fate == 3 || reply->len == 0) {
		virtual_clock_advance(deadline_left(c.deadline));
		return fail_as(CL_TIMED_OUT, false, ret_failure, e);
	}
	if (fate == 4)
		return fail_as(CL_CANCELED, false, ret_failure, e);
	if (fate == 5) {
		buf_reset(reply);
		buf_adds(reply, "HTTP went wrong");
	}
	*ret_failure = CL_OK;
	return 0;
}

static int line_post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                     struct call c, struct buf *reply, enum cl_failure *ret_failure,
                     struct error *e)
{
	json_t auto_json *request = jx_parse(body, len, NULL);
	assert_non_null(request);
	virtual_clock_advance(chance(50));
	if (!model.alive)
		return fail_as(CL_NOT_SENT, false, ret_failure, e);
	work_off();
	switch (chance(16)) {
	case 0: return fail_as(CL_NOT_SENT, false, ret_failure, e);
	case 1: return fail_as(CL_LOST, false, ret_failure, e); /* lost on the way there */
	case 2: return fail_as(CL_CANCELED, true, ret_failure, e);
	case 3: model.alive = false; return fail_as(CL_LOST, false, ret_failure, e);
	default: break;
	}
	execute_command(request, reply);
	if (reply->len && chance(3)) {
		*ret_failure = CL_OK;
		return 0;
	}
	return lose_reply(c, reply, ret_failure, e);
}

static void line_stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	work_off(); /* in the last moment */
	model.alive = false;
}

/* --- the campaign ----------------------------------------------------------------------------------- */

struct verdict {
	char id[64];
	bool must_stay_out; /* "no" was said: never, also not later */
};

static void judge(const char *id, bool mutation, int r, const struct error *e, int64_t took,
                  struct verdict *v)
{
	int executed = executed_of(id);
	const char *said = jx_get_str(e->details, "executed", "");
	*v = (struct verdict){ .must_stay_out = mutation && r < 0 && strcmp(said, "no") == 0 };
	snprintf(v->id, sizeof v->id, "%s", id);
	assert_true(took <= 10000 + 200);
	if (!mutation)
		return;
	assert_true(executed <= 1);
	if (r == 0)
		assert_int_equal(executed, 1);
	else if (strcmp(said, "yes") == 0)
		assert_int_equal(executed, 1);
	else
		assert_true(strcmp(said, "no") == 0 || strcmp(said, "unknown") == 0);
}

static void one_run(uint64_t seed)
{
	static const char *const commands[] = { "tap", "tap", "tap", "type", "snapshot", "findText" };
	static const struct cl_provider line = {
		.start = line_start,
		.alive = line_alive,
		.post = line_post,
		.stop = line_stop,
	};
	struct verdict verdicts[COMMANDS_PER_RUN];
	struct cl_session *s;
	chance_state = seed * 0x9e3779b97f4a7c15u + 1;
	memset(&model, 0, sizeof model);
	assert_int_equal(cl_session_new(&s, &line, NULL), 0);
	for (int i = 0; i < COMMANDS_PER_RUN; i++) {
		const char *command = commands[chance(ARRAY_SIZE(commands))];
		char id[64];
		snprintf(id, sizeof id, "c%d", i);
		json_t auto_json *request = json_pack("{s:s,s:s}", "command", command, "commandId", id);
		json_t auto_json *data = NULL;
		struct error auto_error e = ERROR_INIT;
		int64_t from = virtual_clock_now();
		int r = cl_send(s, (struct call){ deadline_in(10000), NULL }, request, &data, NULL, &e);
		bool mutation = strcmp(command, "tap") == 0 || strcmp(command, "type") == 0;
		judge(id, mutation, r, &e, virtual_clock_now() - from, &verdicts[i]);
		virtual_clock_advance(chance(7000));
		if (model.n > BOOK - 8)
			break;
		for (int k = 0; k <= i; k++) {
			assert_true(!verdicts[k].must_stay_out || executed_of(verdicts[k].id) == 0);
		}
	}
	model.alive = false;
	cl_session_free(s);
}

static uint64_t from_env(const char *name, uint64_t dflt)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 10) : dflt;
}

static void no_mutation_is_executed_twice_and_no_report_lies(void **state)
{
	uint64_t seed = from_env("DEFT_CAMPAIGN_SEED", 1), runs = from_env("DEFT_CAMPAIGN_RUNS", 5000);
	log_set_level(LOG_ERROR);
	virtual_clock_use(1000000);
	for (uint64_t i = 0; i < runs; i++) {
		snprintf(current_seed, sizeof current_seed, "%llu", (unsigned long long)(seed + i));
		one_run(seed + i);
	}
	virtual_clock_leave();
}

static int tell_seed(void **state)
{
	print_message("# last seed: %s\n", current_seed);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(no_mutation_is_executed_twice_and_no_report_lies, tell_seed),
	};
	return cmocka_run_group_tests_name("campaign", tests, NULL, NULL);
}
