/* tools/call: a call's way to the daemon and back. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "mcp/arguments.h"
#include "mcp/result.h"
#include "mcp/server.h"
#include "mcp/tools.h"
#include "wire/caller.h"

#include <math.h>
#include <string.h>

struct mcp_call {
	struct mcp_call *next;
	struct mcp_batch *batch; /* NULL: answered on its own */
	json_t *id;              /* the client's */
	const struct cmd_spec *spec;
	char wire_id[WIRE_CALL_ID];
	json_t *request;          /* until it is sent */
	json_t *progress_token;   /* NULL: the client wants none */
	double progress;          /* last one told; grows with every message */
	long limit_ms;            /* the daemon keeps it */
	struct deadline deadline; /* then the daemon has been silent for too long */
};

static void call_free(struct mcp_call *c)
{
	json_decref(c->id);
	json_decref(c->request);
	json_decref(c->progress_token);
	free(c);
}

/* --- answers ------------------------------------------------------------------------------------ */

static void send_result(struct mcp_server *s, struct mcp_batch *batch, const json_t *id,
                        json_t *result_stolen)
{
	auto_json json_t *result = result_stolen;
	auto_buf struct buf b;
	buf_init(&b, LIM_MCP_QUEUE);
	mcp_add_result(&b, id, result);
	mcp_send(s, batch, &b);
}

static void send_error(struct mcp_server *s, struct mcp_batch *batch, const json_t *id,
                       const struct error *e)
{
	send_result(s, batch, id, mcp_result_error(e, s->version));
}

/* Takes the call out of the list; with a result it is answered, without it never will be. */
static void end_call(struct mcp_server *s, struct mcp_call *c, json_t *result_stolen)
{
	struct mcp_call **at = &s->calls;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	s->n_calls--;
	if (result_stolen)
		send_result(s, c->batch, c->id, result_stolen);
	mcp_batch_release(s, c->batch);
	call_free(c);
}

static void end_with_error(struct mcp_server *s, struct mcp_call *c, const struct error *e)
{
	end_call(s, c, mcp_result_error(e, s->version));
}

/* --- to the daemon ------------------------------------------------------------------------------ */

static bool send_to_daemon(struct mcp_server *s, const json_t *j)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_ENVELOPE_LINE);
	if (!jx_dump(j, false, &b))
		return false;
	mcp_output_line(&s->link.out, b.data, b.len);
	return true;
}

static void send_request(struct mcp_server *s, struct mcp_call *c)
{
	auto_error struct error e = ERROR_INIT;
	if (send_to_daemon(s, c->request)) {
		json_decref(c->request);
		c->request = NULL;
		return;
	}
	error_set(&e, ERR_LIMIT_EXCEEDED, "the request is over %u bytes", LIM_ENVELOPE_LINE);
	end_with_error(s, c, &e);
}

/* Nobody waits for the call any more. One that was not sent needs no word. */
static void stop_in_daemon(struct mcp_server *s, const struct mcp_call *c)
{
	if (c->request)
		return;
	auto_json json_t *cancel = wire_cancel_make(c->wire_id);
	send_to_daemon(s, cancel);
}

void mcp_calls_linked(struct mcp_server *s, int r, const struct error *e)
{
	for (struct mcp_call *c = s->calls, *next; c; c = next) {
		next = c->next;
		if (r < 0)
			end_with_error(s, c, e);
		else if (c->request)
			send_request(s, c);
	}
}

static void hand_over(struct mcp_server *s, struct mcp_call *c)
{
	auto_error struct error e = ERROR_INIT;
	if (s->link.state == MCP_LINK_UP)
		mcp_calls_read(s); /* notices a daemon that has left since: it never got this call */
	c->next = s->calls;
	s->calls = c;
	s->n_calls++;
	if (s->link.state == MCP_LINK_UP)
		send_request(s, c);
	else if (s->link.state == MCP_LINK_DOWN && mcp_link_open(&s->link, &e) < 0)
		end_with_error(s, c, &e);
}

/* --- starting a call ---------------------------------------------------------------------------- */

static json_t *make_request(const struct mcp_call *c, json_t *args, const json_t *globals)
{
	json_t *meta = wire_caller_meta();
	jx_set_int(meta, "deadlineMs", c->limit_ms);
	jx_set_str(meta, "output", "text");
	return wire_call_make(c->wire_id, c->spec->name, json_incref(args), globals, meta);
}

/* MCP: a token is a string or an integer. */
static json_t *progress_token(const json_t *params)
{
	json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
	return json_is_string(token) || json_is_integer(token) ? json_incref(token) : NULL;
}

/* A call with its request, from arguments as the client sent them. */
static int make_call(const struct mcp_server *s, const struct cmd_spec *spec, json_t *args,
                     struct mcp_call **ret, struct error *e)
{
	auto_json json_t *globals = NULL;
	struct mcp_call *c = calloc(1, sizeof(*c));
	if (!c)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	wire_call_id(c->wire_id);
	mcp_arguments_for_image(spec, args, c->wire_id);
	int r = mcp_arguments_check(spec, args, s->opts->defaults, &globals, e);
	if (r < 0) {
		call_free(c);
		return r;
	}
	c->spec = spec;
	c->progress = -1;
	c->limit_ms = cmd_deadline_ms(spec, args, globals);
	c->deadline = deadline_in(c->limit_ms + LIM_DAEMON_START_MS + LIM_CLIENT_GRACE_MS);
	c->request = make_request(c, args, globals);
	*ret = c;
	return 0;
}

static int start(struct mcp_server *s, struct mcp_batch *batch, const json_t *id,
                 const struct cmd_spec *spec, const json_t *params, json_t *args, struct error *e)
{
	struct mcp_call *c = NULL;
	int r = make_call(s, spec, args, &c, e);
	if (r < 0)
		return r;
	if (s->n_calls >= LIM_MCP_CALLS) {
		call_free(c);
		error_set(e, ERR_LIMIT_EXCEEDED, "%d calls run already", LIM_MCP_CALLS);
		return error_hint(e, "wait for one of them to end, or cancel it");
	}
	c->id = json_deep_copy(id);
	c->progress_token = progress_token(params);
	c->batch = batch;
	if (batch)
		batch->waiting++;
	hand_over(s, c);
	return 0;
}

void mcp_call_start(struct mcp_server *s, struct mcp_batch *batch, const json_t *id, json_t *params)
{
	const char *name = jx_get_str(params, "name", NULL);
	const struct cmd_spec *spec = name ? mcp_tool_find(name) : NULL;
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = mcp_arguments_take(params);
	auto_buf struct buf b;
	buf_init(&b, LIM_MCP_QUEUE);
	if (!name) {
		mcp_add_failure(&b, id, MCP_INVALID_PARAMS, "params.name must be the name of a tool");
	} else if (!spec) {
		const char *near = mcp_tool_nearest(name);
		mcp_add_failure(&b, id, MCP_INVALID_PARAMS, "Unknown tool%s%s",
		                near ? "; did you mean " : "", near ? near : "");
	} else if (!args) {
		mcp_add_failure(&b, id, MCP_INVALID_PARAMS, "params.arguments must be an object");
	} else {
		if (start(s, batch, id, spec, params, args, &e) < 0)
			send_error(s, batch, id, &e);
		return;
	}
	mcp_send(s, batch, &b);
}

/* --- running calls ------------------------------------------------------------------------------ */

static struct mcp_call *find_by_id(const struct mcp_server *s, const json_t *id)
{
	for (struct mcp_call *c = s->calls; c; c = c->next)
		if (json_equal(c->id, id))
			return c;
	return NULL;
}

static struct mcp_call *find_by_wire_id(const struct mcp_server *s, const char *id)
{
	for (struct mcp_call *c = s->calls; c; c = c->next)
		if (strcmp(c->wire_id, id) == 0)
			return c;
	return NULL;
}

bool mcp_call_running(const struct mcp_server *s, const json_t *id)
{
	return find_by_id(s, id) != NULL;
}

void mcp_call_cancel(struct mcp_server *s, const json_t *id)
{
	struct mcp_call *c = id ? find_by_id(s, id) : NULL;
	if (!c)
		return;
	stop_in_daemon(s, c);
	end_call(s, c, NULL);
}

/* Progress has to grow (MCP), whatever the daemon counts. */
static void tell_progress(struct mcp_server *s, struct mcp_call *c, const json_t *line)
{
	if (!c->progress_token)
		return;
	double done = jx_get_num(line, "done", -1), total = jx_get_num(line, "total", -1);
	c->progress = done > c->progress ? done : floor(c->progress) + 1;
	auto_json json_t *params = json_object();
	json_object_set(params, "progressToken", c->progress_token);
	jx_set_num(params, "progress", c->progress);
	if (total >= c->progress)
		jx_set_num(params, "total", total);
	if (mcp_has_progress_text(s->version))
		jx_set_str(params, "message", jx_get_str(line, "message", NULL));
	auto_buf struct buf b;
	buf_init(&b, LIM_MCP_QUEUE);
	mcp_add_notification(&b, "notifications/progress", params);
	mcp_send(s, NULL, &b);
}

static void tell_notices(struct mcp_server *s, const json_t *notices)
{
	size_t i;
	json_t *line;
	if (!s->tell_notices)
		return;
	json_array_foreach (notices, i, line) {
		auto_json json_t *params = json_object();
		jx_set_str(params, "level", "notice");
		jx_set_str(params, "logger", "deft");
		json_object_set(params, "data", line);
		auto_buf struct buf b;
		buf_init(&b, LIM_MCP_QUEUE);
		mcp_add_notification(&b, "notifications/message", params);
		mcp_send(s, NULL, &b);
	}
}

static void take_response(struct mcp_server *s, struct mcp_call *c, const json_t *response)
{
	auto_error struct error e = ERROR_INIT;
	tell_notices(s, json_object_get(response, "notices"));
	if (jx_get_bool(response, "ok", false)) {
		end_call(s, c, mcp_result_ok(c->spec, response, s->version));
		return;
	}
	error_from_json(&e, json_object_get(response, "error"));
	end_with_error(s, c, &e);
}

static void take_line(struct mcp_server *s, const json_t *line)
{
	struct mcp_call *c = find_by_wire_id(s, jx_get_str(line, "id", ""));
	const char *type = jx_get_str(line, "type", "");
	if (!c)
		return; /* canceled meanwhile */
	if (strcmp(type, "progress") == 0)
		tell_progress(s, c, line);
	else if (strcmp(type, "response") == 0)
		take_response(s, c, line);
}

/* Every call that was sent ends with what can be said truthfully about it. */
static void link_lost(struct mcp_server *s)
{
	mcp_link_close(&s->link);
	for (struct mcp_call *c = s->calls, *next; c; c = next) {
		auto_error struct error e = ERROR_INIT;
		next = c->next;
		wire_answer_lost(c->spec->name, c->spec->traits & CMD_READ_ONLY, "connection_lost", &e);
		end_with_error(s, c, &e);
	}
}

void mcp_calls_read(struct mcp_server *s)
{
	struct call now = { deadline_in(0), NULL };
	char *text;
	size_t len;
	int r;
	while ((r = line_reader_next(&s->link.lines, now, &text, &len, NULL)) == 1) {
		auto_json json_t *line = jx_parse(text, len, NULL);
		if (line)
			take_line(s, line);
	}
	if (r != -ERR_TIMEOUT)
		link_lost(s);
}

struct deadline mcp_calls_deadline(const struct mcp_server *s)
{
	struct deadline d = DEADLINE_NEVER;
	for (const struct mcp_call *c = s->calls; c; c = c->next)
		d = deadline_min(d, c->deadline);
	return d;
}

void mcp_calls_expire(struct mcp_server *s)
{
	for (struct mcp_call *c = s->calls, *next; c; c = next) {
		next = c->next;
		if (!deadline_over(c->deadline))
			continue;
		auto_error struct error e = ERROR_INIT;
		wire_answer_silent(c->spec->name, c->limit_ms, &e);
		stop_in_daemon(s, c);
		end_with_error(s, c, &e);
	}
}

void mcp_calls_done(struct mcp_server *s)
{
	while (s->calls)
		end_call(s, s->calls, NULL);
}
