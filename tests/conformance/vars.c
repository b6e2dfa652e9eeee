#include "vars.h"

#include "base/buf.h"
#include "base/limits.h"

#include <string.h>

/* The variable that starts at s ("${name}"), and its length; NULL: none does. */
static const json_t *variable_at(const char *s, const json_t *vars, size_t *ret_len)
{
	const char *end = strncmp(s, "${", 2) == 0 ? strchr(s, '}') : NULL;
	char name[64];

	if (!end || (size_t)(end - s - 2) >= sizeof(name))
		return NULL;
	memcpy(name, s + 2, (size_t)(end - s - 2));
	name[end - s - 2] = '\0';
	*ret_len = (size_t)(end + 1 - s);
	return json_object_get(vars, name);
}

static void put(struct buf *out, const json_t *value)
{
	if (json_is_string(value))
		buf_adds(out, json_string_value(value));
	else
		buf_add_number(out, json_number_value(value));
}

static json_t *expand_string(const char *s, const json_t *vars)
{
	struct buf auto_buf out;
	size_t len;

	buf_init(&out, LIM_RUNNER_DRAIN);
	for (const json_t *v; *s;) {
		v = variable_at(s, vars, &len);
		if (v && out.len == 0 && s[len] == '\0')
			return json_deep_copy(v);
		if (v) {
			put(&out, v);
			s += len;
		} else {
			buf_addc(&out, *s++);
		}
	}
	return json_string(out.data);
}

json_t *vars_expand(const json_t *j, const json_t *vars)
{
	const char *key;
	json_t *value, *out;
	size_t i;

	switch (json_typeof(j)) {
	case JSON_STRING: return expand_string(json_string_value(j), vars);
	case JSON_ARRAY:
		out = json_array();
		json_array_foreach(j, i, value) json_array_append_new(out, vars_expand(value, vars));
		return out;
	case JSON_OBJECT:
		out = json_object();
		json_object_foreach((json_t *)j, key, value)
		    json_object_set_new(out, key, vars_expand(value, vars));
		return out;
	default: return json_deep_copy(j);
	}
}
