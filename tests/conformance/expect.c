#include "expect.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool fail_key(struct buf *why, const char *key, const json_t *want, const json_t *got)
{
	buf_addf(why, "%s: wanted ", key);
	jx_dump(want, false, why);
	buf_adds(why, ", got ");
	if (got)
		jx_dump(got, false, why);
	else
		buf_adds(why, "nothing");
	return false;
}

/* --- values ---------------------------------------------------------------------------------- */

static bool is_type(const char *name, const json_t *v)
{
	static const struct {
		const char *name;
		json_type types[2];
	} types[] = {
		{ "@number", { JSON_INTEGER, JSON_REAL } },  { "@string", { JSON_STRING, JSON_STRING } },
		{ "@bool", { JSON_TRUE, JSON_FALSE } },      { "@array", { JSON_ARRAY, JSON_ARRAY } },
		{ "@object", { JSON_OBJECT, JSON_OBJECT } },
	};

	for (size_t i = 0; v && i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return json_typeof(v) == types[i].types[0] || json_typeof(v) == types[i].types[1];
	return false;
}

static bool same(const json_t *want, const json_t *got)
{
	const char *text = json_string_value(want), *key;
	json_t *value;

	if (text && text[0] == '@')
		return is_type(text, got);
	if (json_is_number(want))
		return json_is_number(got) && json_number_value(want) == json_number_value(got);
	if (!json_is_object(want))
		return json_equal(want, got);
	json_object_foreach((json_t *)want, key,
	                    value) if (!same(value, json_object_get(got, key))) return false;
	return true;
}

/* One value, or one of a list. */
static bool one_of(const json_t *want, const json_t *got)
{
	json_t *value;
	size_t i;

	if (!json_is_array(want) || json_array_size(want) == 0)
		return same(want, got);
	json_array_foreach(want, i, value) if (same(value, got)) return true;
	return false;
}

/* --- trees ----------------------------------------------------------------------------------- */

static bool sound_node(const json_t *node, size_t i)
{
	const json_t *parent = json_object_get(node, "parentIndex");

	return jx_get_int(node, "index", -1) == (int64_t)i &&
	       json_is_string(json_object_get(node, "type")) &&
	       json_is_boolean(json_object_get(node, "enabled")) &&
	       json_is_boolean(json_object_get(node, "hittable")) &&
	       json_is_integer(json_object_get(node, "depth")) &&
	       (!parent ||
	        (json_integer_value(parent) >= 0 && json_integer_value(parent) < (int64_t)i));
}

static bool sound_tree(const json_t *data, struct buf *why)
{
	const json_t *nodes = json_object_get(data, "nodes");
	json_t *node;
	size_t i;

	if (!json_is_array(nodes)) {
		buf_adds(why, "data.nodes is no array");
		return false;
	}
	json_array_foreach(nodes, i, node) if (!sound_node(node, i))
	{
		buf_addf(why, "node %zu is not well formed: ", i);
		jx_dump(node, false, why);
		return false;
	}
	return true;
}

/* --- the expectations ------------------------------------------------------------------------ */

static const json_t *message_of(const json_t *reply)
{
	const json_t *error = json_object_get(reply, "error");

	return json_object_get(error ? error : json_object_get(reply, "data"), "message");
}

static bool check_message(const json_t *expect, const json_t *reply, struct buf *why)
{
	static const char *const keys[] = { "message", "messageStarts", "messageHas" };
	const json_t *got = message_of(reply);
	const char *text = json_is_string(got) ? json_string_value(got) : "";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const json_t *want = json_object_get(expect, keys[i]);
		const char *s = json_string_value(want);

		if (s && (i == 0   ? strcmp(text, s) != 0
		          : i == 1 ? strncmp(text, s, strlen(s)) != 0
		                   : !strstr(text, s)))
			return fail_key(why, keys[i], want, got);
	}
	return true;
}

static bool check_data(const json_t *expect, const json_t *reply, struct buf *why)
{
	const json_t *data = json_object_get(reply, "data"), *lacks = json_object_get(expect, "lacks");
	json_t *value;
	const char *key;
	size_t i;

	json_object_foreach(
	    json_object_get(expect, "data"), key,
	    value) if (!one_of(value,
	                       json_object_get(data, key))) return fail_key(why, key, value,
	                                                                    json_object_get(data, key));
	json_array_foreach(lacks, i, value) if (json_object_get(data, json_string_value(value)))
	{
		buf_addf(why, "data has %s", json_string_value(value));
		return false;
	}
	if (json_is_true(json_object_get(expect, "noData")) && data) {
		buf_adds(why, "the reply has data");
		return false;
	}
	return !json_is_true(json_object_get(expect, "tree")) || sound_tree(data, why);
}

static bool check_error(const json_t *expect, const json_t *reply, struct buf *why)
{
	const json_t *error = json_object_get(reply, "error"), *code = json_object_get(expect, "code");

	if (code && !one_of(code, json_object_get(error, "code")))
		return fail_key(why, "code", code, reply);
	if (json_is_true(json_object_get(expect, "hint")) && !*jx_get_str(error, "hint", "")) {
		buf_adds(why, "the error has no hint");
		return false;
	}
	return true;
}

static bool check_reply(const json_t *expect, const json_t *reply, struct buf *why)
{
	const json_t *ok = json_object_get(expect, "ok");

	if (ok && !json_equal(ok, json_object_get(reply, "ok")))
		return fail_key(why, "ok", ok, reply);
	return check_error(expect, reply, why) && check_message(expect, reply, why) &&
	       check_data(expect, reply, why);
}

static bool check_retained(const json_t *expect, const json_t *reply, struct buf *why)
{
	const char *text = jx_get_str(json_object_get(reply, "data"), "lifecycleResponseJson", NULL);
	auto_json json_t *retained = text ? jx_parse(text, strlen(text), NULL) : NULL;

	if (!retained) {
		buf_adds(why, "lifecycleResponseJson is no JSON");
		return false;
	}
	return check_reply(expect, retained, why);
}

/* The digest as the protocol's page defines it, written once more on purpose. */
static uint64_t digest(const char *body)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; body[i] && i < LIM_RUNNER_SEALED; i++)
		h = (h ^ (unsigned char)body[i]) * 0x100000001b3u;
	return h;
}

static bool check_seal(const char *request_seal, const struct http_answer *a, struct buf *why)
{
	char want[64] = "";

	if (request_seal[0])
		snprintf(want, sizeof(want), "%s-%016llx", request_seal,
		         (unsigned long long)digest(a->body));
	if (strcmp(a->seal, want) == 0)
		return true;
	buf_addf(why, "wanted the seal \"%s\", got \"%s\"", want, a->seal);
	return false;
}

bool expect_met(const json_t *expect, const struct http_answer *a, struct buf *why)
{
	const json_t *status = json_object_get(expect, "status");
	const json_t *retained = json_object_get(expect, "retained");
	auto_json json_t *got = json_integer(a->status);

	if (status && !one_of(status, got))
		return fail_key(why, "status", status, a->json ? a->json : got);
	if (json_is_true(json_object_get(expect, "close")) && !a->close) {
		buf_adds(why, "the connection is not said to be closed");
		return false;
	}
	const char *seal = jx_get_str(expect, "sealed", NULL);
	if (seal && (!a->body || !check_seal(seal, a, why)))
		return false;
	return check_reply(expect, a->json, why) &&
	       (!retained || check_retained(retained, a->json, why));
}
