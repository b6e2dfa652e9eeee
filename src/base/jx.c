#include "base/jx.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const char *type_name(const json_t *j)
{
	switch (json_typeof(j)) {
	case JSON_OBJECT: return "an object";
	case JSON_ARRAY: return "an array";
	case JSON_STRING: return "a string";
	case JSON_INTEGER: return "an integer";
	case JSON_REAL: return "a number";
	case JSON_TRUE:
	case JSON_FALSE: return "a boolean";
	case JSON_NULL: break;
	}
	return "null";
}

/* The value of key, or NULL when absent or null. */
static json_t *value_of(const json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);
	return json_is_null(v) ? NULL : v;
}

static int wrong_type(const char *key, const char *want, const json_t *got, struct error *e)
{
	error_set(e, ERR_INVALID_ARGS, "%s must be %s, not %s", key, want, type_name(got));
	error_detail_str(e, "key", key);
	return -ERR_INVALID_ARGS;
}

int jx_str(const json_t *o, const char *key, const char **ret, struct error *e)
{
	const json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!json_is_string(v))
		return wrong_type(key, "a string", v, e);
	*ret = json_string_value(v);
	return 1;
}

int jx_num(const json_t *o, const char *key, double *ret, struct error *e)
{
	const json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!json_is_number(v))
		return wrong_type(key, "a number", v, e);
	*ret = json_number_value(v);
	return 1;
}

/* An integer, or a real that is one. */
static bool integer_of(const json_t *v, int64_t *ret)
{
	if (json_is_integer(v)) {
		*ret = json_integer_value(v);
		return true;
	}
	double d = json_real_value(v);
	if (!json_is_real(v) || d != trunc(d) || fabs(d) >= 9007199254740992.0)
		return false;
	*ret = (int64_t)d;
	return true;
}

int jx_int(const json_t *o, const char *key, int64_t *ret, struct error *e)
{
	const json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!integer_of(v, ret))
		return wrong_type(key, "an integer", v, e);
	return 1;
}

int jx_bool(const json_t *o, const char *key, bool *ret, struct error *e)
{
	const json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!json_is_boolean(v))
		return wrong_type(key, "a boolean", v, e);
	*ret = json_is_true(v);
	return 1;
}

int jx_obj(const json_t *o, const char *key, json_t **ret, struct error *e)
{
	json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!json_is_object(v))
		return wrong_type(key, "an object", v, e);
	*ret = v;
	return 1;
}

int jx_arr(const json_t *o, const char *key, json_t **ret, struct error *e)
{
	json_t *v = value_of(o, key);
	if (!v)
		return 0;
	if (!json_is_array(v))
		return wrong_type(key, "an array", v, e);
	*ret = v;
	return 1;
}

const char *jx_get_str(const json_t *o, const char *key, const char *dflt)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : dflt;
}

double jx_get_num(const json_t *o, const char *key, double dflt)
{
	const json_t *v = json_object_get(o, key);
	return json_is_number(v) ? json_number_value(v) : dflt;
}

int64_t jx_get_int(const json_t *o, const char *key, int64_t dflt)
{
	int64_t n = dflt;
	const json_t *v = json_object_get(o, key);
	if (v)
		integer_of(v, &n);
	return n;
}

bool jx_get_bool(const json_t *o, const char *key, bool dflt)
{
	const json_t *v = json_object_get(o, key);
	return json_is_boolean(v) ? json_is_true(v) : dflt;
}

void jx_set_str(json_t *o, const char *key, const char *s)
{
	if (!s)
		return;
	json_t *text = json_string(s);
	if (!text) {
		char auto_free *repaired = utf8_repair(s, strlen(s), strlen(s) * 3, NULL);
		text = repaired ? json_string(repaired) : NULL;
	}
	jx_set(o, key, text);
}

void jx_set_num(json_t *o, const char *key, double v)
{
	if (!isfinite(v))
		return;
	bool integral = v == trunc(v) && fabs(v) < 1e15;
	jx_set(o, key, integral ? json_integer((json_int_t)v) : json_real(v));
}

void jx_set_int(json_t *o, const char *key, int64_t v)
{
	jx_set(o, key, json_integer(v));
}

void jx_set_bool(json_t *o, const char *key, bool v)
{
	jx_set(o, key, json_boolean(v));
}

void jx_set(json_t *o, const char *key, json_t *stolen)
{
	if (stolen)
		json_object_set_new(o, key, stolen);
}

json_t *jx_parse(const char *text, size_t len, struct error *e)
{
	json_error_t where;
	json_t *j = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
	if (!j)
		error_set(e, ERR_INVALID_ARGS, "not valid JSON at line %d, column %d: %s", where.line,
		          where.column, where.text);
	return j;
}
