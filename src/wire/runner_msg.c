#include "wire/runner_msg.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- decoding tables ------------------------------------------------------------------------- */

enum field_type {
	F_STR,
	F_NAME, /* trimmed; blank counts as absent */
	F_ID,   /* F_NAME, bounded, printable */
	F_NUM,
	F_INT,
	F_BOOL,
	F_STRINGS,    /* array of strings */
	F_STRING_MAP, /* object of strings */
};

struct field {
	const char *key;
	enum field_type type;
	size_t offset;
};

#define REQ(key, type, member)                           \
	{                                                    \
		key, type, offsetof(struct wire_request, member) \
	}
#define STEP(key, type, member)                       \
	{                                                 \
		key, type, offsetof(struct wire_step, member) \
	}

static const struct field request_fields[] = {
	REQ("commandId", F_ID, command_id),
	REQ("statusCommandId", F_ID, status_command_id),
	REQ("appBundleId", F_NAME, app),
	REQ("nodeId", F_NAME, node),
	REQ("expectRole", F_NAME, expect_role),
	REQ("expectLabel", F_STR, expect_label),
	REQ("text", F_STR, text),
	REQ("selectorKey", F_STR, selector_key),
	REQ("selectorValue", F_STR, selector_value),
	REQ("textEntryMode", F_STR, text_entry_mode),
	REQ("action", F_STR, action),
	REQ("direction", F_STR, direction),
	REQ("button", F_STR, button),
	REQ("keys", F_STR, keys),
	REQ("surface", F_NAME, surface),
	REQ("scope", F_NAME, scope),
	REQ("outPath", F_STR, out_path),
	REQ("orientation", F_STR, orientation),
	REQ("target", F_STR, target),
	REQ("flavour", F_STR, flavour),
	REQ("args", F_STRINGS, args),
	REQ("env", F_STRING_MAP, env),
	REQ("x", F_NUM, x),
	REQ("y", F_NUM, y),
	REQ("x2", F_NUM, x2),
	REQ("y2", F_NUM, y2),
	REQ("durationMs", F_NUM, duration_ms),
	REQ("amount", F_NUM, amount),
	REQ("pixels", F_NUM, pixels),
	REQ("value", F_NUM, value),
	REQ("timeoutMs", F_NUM, timeout_ms),
	REQ("count", F_NUM, count),
	REQ("reads", F_NUM, reads),
	REQ("delayMs", F_INT, delay_ms),
	REQ("depth", F_INT, depth),
	REQ("interactiveOnly", F_BOOL, interactive_only),
	REQ("raw", F_BOOL, raw),
	REQ("fullscreen", F_BOOL, fullscreen),
	REQ("force", F_BOOL, force),
	REQ("relaunch", F_BOOL, relaunch),
	REQ("background", F_BOOL, background),
	REQ("installed", F_BOOL, installed),
	REQ("inlineScreenshot", F_BOOL, inline_image),
};

static const struct field step_fields[] = {
	STEP("x", F_NUM, x),
	STEP("y", F_NUM, y),
	STEP("x2", F_NUM, x2),
	STEP("y2", F_NUM, y2),
	STEP("durationMs", F_NUM, duration_ms),
	STEP("pauseMs", F_NUM, pause_ms),
	STEP("synthesized", F_BOOL, synthesized),
};

static int wrong_type(const char *key, const char *want, struct error *e)
{
	return error_set(e, ERR_INVALID_ARGS, "%s must be %s", key, want);
}

/* Replaces the value in the object when blanks had to go, so that the borrowed string stays owned
 * by the object. */
static const char *trimmed(json_t *o, const char *key, const char *s)
{
	size_t len = strlen(s), start = strspn(s, " \t\r\n");

	while (len > start && strchr(" \t\r\n", s[len - 1]))
		len--;
	if (len == start)
		return NULL;
	if (start == 0 && s[len] == '\0')
		return s;
	json_object_set_new(o, key, json_stringn(s + start, len - start));
	return json_string_value(json_object_get(o, key));
}

static int check_id(const char *key, const char *id, struct error *e)
{
	if (strlen(id) > LIM_COMMAND_ID)
		return error_set(e, ERR_INVALID_ARGS, "%s is longer than %d bytes", key, LIM_COMMAND_ID);
	for (const char *p = id; *p; p++)
		if (iscntrl((unsigned char)*p))
			return error_set(e, ERR_INVALID_ARGS, "%s contains a control character", key);
	return 0;
}

static int decode_name(json_t *o, const struct field *f, const char **out, struct error *e)
{
	const char *s = NULL;
	int r = jx_str(o, f->key, &s, e);

	if (r <= 0)
		return r;
	s = trimmed(o, f->key, s);
	if (s && f->type == F_ID && (r = check_id(f->key, s, e)) < 0)
		return r;
	*out = s;
	return 0;
}

static int decode_strings(json_t *o, const struct field *f, json_t **out, struct error *e)
{
	json_t *list = json_object_get(o, f->key), *item;
	const char *key;
	size_t i;

	if (!list || json_is_null(list))
		return 0;
	if (f->type == F_STRINGS) {
		if (!json_is_array(list))
			return wrong_type(f->key, "an array of strings", e);
		json_array_foreach(list, i, item) if (!json_is_string(item)) return wrong_type(
		    f->key, "an array of strings", e);
	} else {
		if (!json_is_object(list))
			return wrong_type(f->key, "an object of strings", e);
		json_object_foreach(list, key, item) if (!json_is_string(item)) return wrong_type(
		    f->key, "an object of strings", e);
	}
	*out = list;
	return 0;
}

static int decode_field(json_t *o, const struct field *f, void *base, struct error *e)
{
	void *p = (char *)base + f->offset;
	int r = 0;

	switch (f->type) {
	case F_STR: r = jx_str(o, f->key, p, e); break;
	case F_NAME:
	case F_ID: r = decode_name(o, f, p, e); break;
	case F_NUM: {
		struct wire_num *n = p;

		r = jx_num(o, f->key, &n->v, e);
		n->has = r > 0;
		break;
	}
	case F_INT: r = jx_int(o, f->key, p, e); break;
	case F_BOOL: r = jx_bool(o, f->key, p, e); break;
	case F_STRINGS:
	case F_STRING_MAP: r = decode_strings(o, f, p, e); break;
	}
	return r < 0 ? r : 0;
}

static int decode_fields(json_t *o, const struct field *fields, size_t n, void *base,
                         struct error *e)
{
	for (size_t i = 0; i < n; i++) {
		int r = decode_field(o, &fields[i], base, e);

		if (r < 0)
			return r;
	}
	return 0;
}

/* --- requests -------------------------------------------------------------------------------- */

static int decode_steps(struct wire_request *req, struct error *e)
{
	json_t *steps = NULL;
	int r = jx_arr(req->json, "steps", &steps, e);

	if (r <= 0)
		return r;
	req->has_steps = true;
	req->n_steps = json_array_size(steps);

	size_t n = req->n_steps < LIM_SEQUENCE_STEPS ? req->n_steps : LIM_SEQUENCE_STEPS;

	req->steps = calloc(n ? n : 1, sizeof(*req->steps));
	if (!req->steps)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	for (size_t i = 0; i < n; i++) {
		json_t *step = json_array_get(steps, i);

		if (!json_is_object(step))
			return error_set(e, ERR_INVALID_ARGS, "steps[%zu] must be an object", i);
		r = jx_str(step, "kind", &req->steps[i].kind, e);
		if (r == 0)
			r = error_set(e, ERR_INVALID_ARGS, "kind is missing");
		if (r > 0)
			r = decode_fields(step, step_fields, ARRAY_SIZE(step_fields), &req->steps[i], e);
		if (r < 0)
			return error_prefix(e, "steps[%zu]", i);
	}
	return 0;
}

static int decode_command(struct wire_request *req, struct error *e)
{
	const char *name = NULL;
	int r = jx_str(req->json, "command", &name, e), c;

	if (r < 0)
		return r;
	if (r == 0)
		return error_set(e, ERR_INVALID_ARGS, "command is missing");
	c = wire_command_from_name(name);
	if (c < 0)
		return error_set(e, ERR_INVALID_ARGS, "unknown command \"%.64s\"", name);
	req->command = (enum wire_command)c;
	return 0;
}

static int decode_request(const char *body, size_t len, struct wire_request *req, struct error *e)
{
	int r;

	req->delay_ms = req->depth = -1;
	req->json = jx_parse(body, len, e);
	if (!req->json)
		return -ERR_INVALID_ARGS;
	if (!json_is_object(req->json))
		return error_set(e, ERR_INVALID_ARGS, "it must be a JSON object");
	r = decode_command(req, e);
	if (r == 0)
		r = decode_fields(req->json, request_fields, ARRAY_SIZE(request_fields), req, e);
	if (r == 0)
		r = decode_steps(req, e);
	return r;
}

int wire_request_parse(const char *body, size_t len, struct wire_request *ret, struct error *e)
{
	struct wire_request req = { 0 };

	if (!utf8_valid(body, len)) {
		error_set(e, ERR_INVALID_ARGS, "runner request body must be UTF-8 JSON");
		error_hint(e, "encode the request as UTF-8 and send it again");
		return -ERR_INVALID_ARGS;
	}
	if (decode_request(body, len, &req, e) < 0) {
		wire_request_done(&req);
		error_prefix(e, "runner command payload is invalid");
		error_hint(e, "check the command's name and fields against docs/runner-protocol.md; client "
		              "and runner may be of different builds");
		return -ERR_INVALID_ARGS;
	}
	*ret = req;
	return 0;
}

void wire_request_done(struct wire_request *r)
{
	if (!r)
		return;
	free(r->steps);
	json_decref(r->json);
	*r = (struct wire_request){ 0 };
}

/* --- replies --------------------------------------------------------------------------------- */

json_t *wire_reply_ok(json_t *data)
{
	json_t *reply = json_object();

	jx_set_bool(reply, "ok", true);
	if (data)
		jx_set(reply, "data", data);
	return reply;
}

json_t *wire_reply_error(const struct error *e)
{
	json_t *reply = json_object();

	jx_set_bool(reply, "ok", false);
	jx_set(reply, "error", error_to_json(e));
	return reply;
}

static int invalid_reply(const char *body, size_t len, struct error *e)
{
	auto_free
	char *text = utf8_repair(body, len, LIM_ERROR_TEXT, NULL);

	error_set(e, ERR_COMMAND_FAILED, "invalid runner response");
	error_detail_str(e, "text", text ? text : "");
	return error_reason(e, "invalid_runner_response");
}

static int reply_failure(const json_t *reply, struct error *e)
{
	json_t *failure = json_object_get(reply, "error");
	auto_json
	json_t *copy = json_is_object(failure) ? json_copy(failure) : json_object();
	int r;

	if (!json_is_string(json_object_get(copy, "message")))
		jx_set_str(copy, "message", "runner error");
	r = error_from_json(e, copy);
	error_detail(e, "runner", json_true());
	return r;
}

int wire_reply_parse(const char *body, size_t len, json_t **ret_data, struct error *e)
{
	auto_json
	json_t *reply = jx_parse(body, len, NULL);
	json_t *data;

	if (!json_is_object(reply))
		return invalid_reply(body, len, e);
	if (!json_is_true(json_object_get(reply, "ok")))
		return reply_failure(reply, e);
	data = json_object_get(reply, "data");
	*ret_data = json_is_object(data) ? json_incref(data) : json_object();
	return 0;
}
