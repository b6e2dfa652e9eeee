#include "wire/envelope.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>

/* --- hello ----------------------------------------------------------------------------------- */

json_t *wire_hello_make(const char *version, const char *build, long pid, bool ok)
{
	json_t *j = json_object();

	jx_set_str(j, "type", "hello");
	jx_set_int(j, "protocol", WIRE_DAEMON_PROTOCOL);
	jx_set_str(j, "version", version);
	jx_set_str(j, "build", build);
	if (pid > 0) {
		jx_set_int(j, "pid", pid);
		jx_set_bool(j, "ok", ok);
	}
	return j;
}

static int check_type(const json_t *j, const char *want, struct error *e)
{
	if (!json_is_object(j) || strcmp(jx_get_str(j, "type", ""), want) != 0)
		return error_set(e, ERR_INVALID_ARGS, "expected a JSON object of type \"%s\"", want);
	return 0;
}

int wire_hello_parse(const json_t *j, struct wire_hello *ret, struct error *e)
{
	struct wire_hello h = { .version = "", .build = "" };
	int64_t protocol = 0, pid = 0;

	if (check_type(j, "hello", e) < 0)
		return -ERR_INVALID_ARGS;
	if (jx_int(j, "protocol", &protocol, e) < 0 || jx_str(j, "version", &h.version, e) < 0 ||
	    jx_str(j, "build", &h.build, e) < 0 || jx_int(j, "pid", &pid, e) < 0 ||
	    jx_bool(j, "ok", &h.ok, e) < 0)
		return -ERR_INVALID_ARGS;
	if (protocol < 1 || protocol > 1000000)
		return error_set(e, ERR_INVALID_ARGS, "protocol is missing or out of range");
	h.protocol = (int)protocol;
	h.pid = (long)pid;
	*ret = h;
	return 0;
}

/* --- requests -------------------------------------------------------------------------------- */

static int check_env(const json_t *env, struct error *e)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)env, key, value) if (!json_is_string(value)) return error_set(
	    e, ERR_INVALID_ARGS, "meta.env: %s must be a string", key);
	return 0;
}

static int parse_meta(struct wire_call *c, struct error *e)
{
	json_t *meta = NULL;
	int64_t width = 0;

	if (jx_obj(c->json, "meta", &meta, e) < 0)
		return -ERR_INVALID_ARGS;
	if (!meta)
		return 0;
	if (jx_str(meta, "cwd", &c->cwd, e) < 0 || jx_int(meta, "deadlineMs", &c->deadline_ms, e) < 0 ||
	    jx_bool(meta, "debug", &c->debug, e) < 0 || jx_str(meta, "output", &c->output, e) < 0 ||
	    jx_bool(meta, "color", &c->color, e) < 0 || jx_int(meta, "width", &width, e) < 0 ||
	    jx_obj(meta, "env", &c->env, e) < 0)
		return error_prefix(e, "meta");
	if (c->deadline_ms < 0 || c->deadline_ms > LIM_REQUEST_MAX_MS)
		return error_set(e, ERR_INVALID_ARGS, "meta: deadlineMs must be 0..%d", LIM_REQUEST_MAX_MS);
	if (strcmp(c->output, "text") != 0 && strcmp(c->output, "json") != 0)
		return error_set(e, ERR_INVALID_ARGS, "meta: output must be \"text\" or \"json\"");
	if (width < 0 || width > 100000)
		return error_set(e, ERR_INVALID_ARGS, "meta: width must be 0..100000");
	c->width = (int)width;
	return c->env ? check_env(c->env, e) : 0;
}

static int parse_args(struct wire_call *c, struct error *e)
{
	if (jx_obj(c->json, "args", &c->args, e) < 0)
		return -ERR_INVALID_ARGS;
	if (!c->args) {
		c->args = json_object();
		if (json_object_set_new(c->json, "args", c->args) < 0)
			return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	return 0;
}

static int parse_call(struct wire_call *c, struct error *e)
{
	const char *type = jx_get_str(c->json, "type", "");

	if (!json_is_object(c->json))
		return error_set(e, ERR_INVALID_ARGS, "the line is not a JSON object");
	c->is_cancel = strcmp(type, "cancel") == 0;
	if (!c->is_cancel && strcmp(type, "request") != 0)
		return error_set(e, ERR_INVALID_ARGS, "type must be \"request\" or \"cancel\"");
	if (jx_str(c->json, "id", &c->id, e) < 0)
		return -ERR_INVALID_ARGS;
	if (!c->id || !*c->id || strlen(c->id) > LIM_COMMAND_ID)
		return error_set(e, ERR_INVALID_ARGS, "id must be a string of 1..%d bytes", LIM_COMMAND_ID);
	if (c->is_cancel)
		return parse_args(c, e);
	if (jx_str(c->json, "command", &c->command, e) < 0 ||
	    jx_str(c->json, "session", &c->session, e) < 0)
		return -ERR_INVALID_ARGS;
	if (!c->command || !*c->command)
		return error_set(e, ERR_INVALID_ARGS, "command is missing");
	if (parse_args(c, e) < 0)
		return -ERR_INVALID_ARGS;
	return parse_meta(c, e);
}

int wire_call_parse(const char *line, size_t len, struct wire_call *ret, struct error *e)
{
	struct wire_call c = { .output = "text" };

	if (!utf8_valid(line, len))
		return error_set(e, ERR_INVALID_ARGS, "the line is not valid UTF-8");
	c.json = jx_parse(line, len, e);
	if (!c.json)
		return -ERR_INVALID_ARGS;
	if (parse_call(&c, e) < 0) {
		wire_call_done(&c);
		return -ERR_INVALID_ARGS;
	}
	*ret = c;
	return 0;
}

void wire_call_done(struct wire_call *c)
{
	if (!c)
		return;
	json_decref(c->json);
	*c = (struct wire_call){ 0 };
}

/* --- answers --------------------------------------------------------------------------------- */

static json_t *answer(const char *type, const char *id)
{
	json_t *j = json_object();

	jx_set_str(j, "type", type);
	jx_set_str(j, "id", id);
	return j;
}

json_t *wire_response_ok(const char *id, json_t *data_stolen)
{
	json_t *j = answer("response", id);

	jx_set_bool(j, "ok", true);
	jx_set(j, "data", data_stolen ? data_stolen : json_object());
	return j;
}

json_t *wire_response_error(const char *id, const struct error *e)
{
	json_t *j = answer("response", id);

	jx_set_bool(j, "ok", false);
	jx_set(j, "error", error_to_json(e));
	return j;
}

json_t *wire_progress(const char *id, const char *message, int64_t done, int64_t total)
{
	json_t *j = answer("progress", id);

	jx_set_str(j, "message", message);
	if (done >= 0)
		jx_set_int(j, "done", done);
	if (total >= 0)
		jx_set_int(j, "total", total);
	return j;
}
