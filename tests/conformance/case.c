#include "case.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "expect.h"
#include "raw_http.h"
#include "vars.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#define UNTIL_TRIES 20000
#define NAMED_MAX 8

struct named {
	char name[16];
	int fd;
	struct http_answer answer;
};

struct run {
	const struct runner_address *runner;
	json_t *vars;
	bool optional;
	int fd; /* connection of the last step, or -1 */
	struct named named[NAMED_MAX];
	size_t n_named;
	struct buf *why;
};

static enum verdict failed(struct run *r, const char *text)
{
	buf_adds(r->why, text);
	return FAILED;
}

/* --- sending --------------------------------------------------------------------------------- */

static bool connect_for(struct run *r, const json_t *step)
{
	if (json_is_true(json_object_get(step, "again")) && r->fd >= 0)
		return true;
	if (r->fd >= 0)
		close(r->fd);
	r->fd = http_open(r->runner->port);
	return r->fd >= 0;
}

static void post_command(const struct run *r, int fd, const json_t *command, const char *header)
{
	struct buf auto_buf text;

	buf_init(&text, LIM_RUNNER_DRAIN);
	jx_dump(command, false, &text);
	http_post(fd, r->runner->token, header, text.data, text.len);
}

static void post_body(const struct run *r, const char *body, size_t blanks, const char *header)
{
	struct buf auto_buf text;

	buf_init(&text, LIM_RUNNER_DRAIN);
	buf_adds(&text, body);
	buf_fill(&text, ' ', blanks);
	http_post(r->fd, r->runner->token, header, text.data, text.len);
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

static void post_hex(const struct run *r, const char *hex, const char *header)
{
	struct buf auto_buf bytes;

	buf_init(&bytes, 10000);
	for (; hex[0] && hex[1]; hex += 2)
		buf_addc(&bytes, (char)(hex_digit(hex[0]) << 4 | hex_digit(hex[1])));
	http_post(r->fd, r->runner->token, header, bytes.data, bytes.len);
}

static void send_raw(const struct run *r, const char *text, bool pieces)
{
	size_t len = strlen(text), step = pieces ? 1 : len;

	for (size_t i = 0; i < len; i += step)
		http_send(r->fd, text + i, step);
}

/* --- answers --------------------------------------------------------------------------------- */

static bool unsupported(const struct http_answer *a)
{
	const char *code = jx_get_str(json_object_get(a->json, "error"), "code", "");

	return strcmp(code, "UNSUPPORTED_OPERATION") == 0 || strcmp(code, "DEVICE_UNAVAILABLE") == 0;
}

static enum verdict judge(struct run *r, const json_t *step, const struct http_answer *a)
{
	if (r->optional && unsupported(a)) {
		buf_adds(r->why, jx_get_str(json_object_get(a->json, "error"), "message", ""));
		return SKIPPED;
	}
	return expect_met(json_object_get(step, "expect"), a, r->why) ? PASSED : FAILED;
}

static const char *first_hittable(const json_t *data)
{
	json_t *node;
	size_t i;

	json_array_foreach(json_object_get(data, "nodes"), i,
	                   node) if (jx_get_bool(node, "hittable", false) &&
	                             json_is_string(json_object_get(
	                                 node, "nodeId"))) return jx_get_str(node, "nodeId", NULL);
	return NULL;
}

static enum verdict save(struct run *r, const json_t *step, const struct http_answer *a)
{
	const char *name, *node = first_hittable(json_object_get(a->json, "data"));
	json_t *how;

	json_object_foreach(json_object_get(step, "save"), name, how)
	{
		if (!node) {
			buf_adds(r->why, "nothing on the screen can be pressed");
			return SKIPPED;
		}
		jx_set_str(r->vars, name, node);
	}
	return PASSED;
}

/* --- steps ----------------------------------------------------------------------------------- */

static struct named *named_of(struct run *r, const char *name)
{
	for (size_t i = 0; name && i < r->n_named; i++)
		if (strcmp(r->named[i].name, name) == 0)
			return &r->named[i];
	return NULL;
}

static enum verdict do_start(struct run *r, const json_t *step)
{
	struct named *n = &r->named[r->n_named];

	if (r->n_named == NAMED_MAX)
		return failed(r, "too many named connections");
	*n = (struct named){ .fd = http_open(r->runner->port) };
	if (n->fd < 0)
		return failed(r, "the runner does not accept a connection");
	r->n_named++;
	strncpy(n->name, jx_get_str(step, "as", "?"), sizeof(n->name) - 1);
	post_command(r, n->fd, json_object_get(step, "start"), NULL);
	return PASSED;
}

static enum verdict do_receive(struct run *r, const json_t *step)
{
	struct named *n = named_of(r, jx_get_str(step, "receive", NULL));

	if (!n)
		return failed(r, "no connection of this name");
	n->answer = http_receive(n->fd);
	return judge(r, step, &n->answer);
}

/* Skipping: what was to be watched cannot be seen on this device. */
static bool skip_wanted(struct run *r, const json_t *step, const struct http_answer *a)
{
	const json_t *skip_if = json_object_get(step, "skipIf");
	struct buf auto_buf ignored;

	buf_init(&ignored, 10000);
	if (!skip_if || !expect_met(skip_if, a, &ignored))
		return false;
	buf_reset(r->why);
	buf_adds(r->why, "it was over too soon to be watched: the device has a clock of its own");
	return true;
}

static enum verdict do_until(struct run *r, const json_t *step)
{
	for (int i = 0; i < UNTIL_TRIES; i++) {
		if (!connect_for(r, step))
			return failed(r, "the runner does not accept a connection");
		post_command(r, r->fd, json_object_get(step, "until"), NULL);
		struct http_answer auto_answer a = http_receive(r->fd);

		buf_reset(r->why);
		if (judge(r, step, &a) == PASSED)
			return PASSED;
		if (skip_wanted(r, step, &a))
			return SKIPPED;
		if (a.status == 0)
			break;
	}
	return FAILED;
}

static enum verdict do_same(struct run *r, const json_t *names)
{
	const struct named *a = named_of(r, json_string_value(json_array_get(names, 0)));
	const struct named *b = named_of(r, json_string_value(json_array_get(names, 1)));

	if (a && b && a->answer.body && b->answer.body && strcmp(a->answer.body, b->answer.body) == 0)
		return PASSED;
	return failed(r, "the two answers differ");
}

static double gesture_time(const struct named *n, const char *key)
{
	return jx_get_num(json_object_get(n->answer.json, "data"), key, -1);
}

static enum verdict do_same_gesture(struct run *r, const json_t *names)
{
	const struct named *a = named_of(r, json_string_value(json_array_get(names, 0)));
	const struct named *b = named_of(r, json_string_value(json_array_get(names, 1)));

	if (a && b && gesture_time(a, "gestureEndUptimeMs") > 0 &&
	    gesture_time(a, "gestureStartUptimeMs") == gesture_time(b, "gestureStartUptimeMs") &&
	    gesture_time(a, "gestureEndUptimeMs") == gesture_time(b, "gestureEndUptimeMs"))
		return PASSED;
	return failed(r, "the mutation was carried out twice");
}

static enum verdict do_ordered(struct run *r, const json_t *names)
{
	const struct named *a = named_of(r, json_string_value(json_array_get(names, 0)));
	const struct named *b = named_of(r, json_string_value(json_array_get(names, 1)));

	if (a && b && gesture_time(a, "gestureEndUptimeMs") > 0 &&
	    gesture_time(a, "gestureEndUptimeMs") <= gesture_time(b, "gestureStartUptimeMs"))
		return PASSED;
	return failed(r, "the gestures overlap or are out of order");
}

static enum verdict do_exchange(struct run *r, const json_t *step)
{
	const char *header = jx_get_str(step, "header", NULL);
	const json_t *command = json_object_get(step, "send");
	const char *raw = jx_get_str(step, "raw", jx_get_str(step, "rawPieces", NULL));
	const char *hex = jx_get_str(step, "bodyHex", NULL);
	enum verdict v;

	if (!connect_for(r, step))
		return failed(r, "the runner does not accept a connection");
	if (command)
		post_command(r, r->fd, command, header);
	else if (raw)
		send_raw(r, raw, json_object_get(step, "rawPieces") != NULL);
	else if (hex)
		post_hex(r, hex, header);
	else
		post_body(r, jx_get_str(step, "body", ""), (size_t)jx_get_int(step, "bodySize", 0), header);
	struct http_answer auto_answer a = http_receive(r->fd);

	if (skip_wanted(r, step, &a))
		return SKIPPED;
	v = judge(r, step, &a);
	return v == PASSED ? save(r, step, &a) : v;
}

static enum verdict do_step(struct run *r, const json_t *step)
{
	if (json_object_get(step, "start"))
		return do_start(r, step);
	if (json_object_get(step, "receive"))
		return do_receive(r, step);
	if (json_object_get(step, "until"))
		return do_until(r, step);
	if (json_object_get(step, "same"))
		return do_same(r, json_object_get(step, "same"));
	if (json_object_get(step, "sameGesture"))
		return do_same_gesture(r, json_object_get(step, "sameGesture"));
	if (json_object_get(step, "ordered"))
		return do_ordered(r, json_object_get(step, "ordered"));
	if (json_object_get(step, "closed"))
		return http_closed(r->fd) ? PASSED : failed(r, "the connection stays open");
	return do_exchange(r, step);
}

/* --- the case -------------------------------------------------------------------------------- */

static enum verdict do_repeated(struct run *r, const json_t *step, size_t index)
{
	int64_t times = jx_get_int(step, "repeat", 1);

	for (int64_t i = 1; i <= times; i++) {
		enum verdict v;

		jx_set_int(r->vars, "i", i);
		auto_json json_t *expanded = vars_expand(step, r->vars);
		v = do_step(r, expanded);
		if (v == PASSED)
			continue;
		if (v == FAILED)
			buf_addf(r->why, " (step %zu%s)", index, times > 1 ? ", repeated" : "");
		return v;
	}
	return PASSED;
}

static json_t *first_vars(const struct runner_address *runner, const json_t *one_case)
{
	struct buf auto_buf id, token;
	json_t *vars = json_object();

	buf_init(&id, 200);
	buf_init(&token, 200);
	buf_addf(&id, "%s-%d-%lld", jx_get_str(one_case, "id", "?"), (int)getpid(),
	         (long long)clock_now_us());
	if (runner->token)
		buf_addf(&token, "X-Deft-Token: %s\r\n", runner->token);
	jx_set_str(vars, "id", id.data);
	jx_set_str(vars, "token", token.data);
	jx_set_num(vars, "x", runner->x);
	jx_set_num(vars, "y", runner->y);
	return vars;
}

static void run_done(struct run *r)
{
	if (r->fd >= 0)
		close(r->fd);
	for (size_t i = 0; i < r->n_named; i++) {
		close(r->named[i].fd);
		http_answer_done(&r->named[i].answer);
	}
	json_decref(r->vars);
}

enum verdict case_run(const struct runner_address *runner, const json_t *one_case, struct buf *why)
{
	struct run r = { .runner = runner, .fd = -1, .why = why };
	enum verdict v = PASSED;
	json_t *step;
	size_t i;

	if (jx_get_bool(one_case, "tokenOnly", false) && !runner->token) {
		buf_adds(why, "the runner has no token");
		return SKIPPED;
	}
	r.vars = first_vars(runner, one_case);
	r.optional = jx_get_bool(one_case, "optional", false);
	json_array_foreach(json_object_get(one_case, "steps"), i, step)
	{
		v = do_repeated(&r, step, i);
		if (v != PASSED)
			break;
	}
	run_done(&r);
	return v;
}
