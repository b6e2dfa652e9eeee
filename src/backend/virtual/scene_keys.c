#include "backend/virtual/scene_keys.h"

#include "backend/virtual/scene_check.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

enum want {
	WANT_STRING,
	WANT_NUMBER,
	WANT_INT,
	WANT_COUNT, /* a whole number from 1 */
	WANT_TIME,  /* milliseconds from 0 */
	WANT_BOOL,
	WANT_ARRAY,
	WANT_OBJECT
};

static const char *const want_names[] = { "a string",
	                                      "a number of at most nine digits",
	                                      "a whole number of at most nine digits",
	                                      "a whole number from 1",
	                                      "a whole number of milliseconds, 0 to 600000",
	                                      "true or false",
	                                      "an array",
	                                      "an object" };

struct key_rule {
	const char *key;
	enum want want;
};

static const struct key_rule root_keys[] = {
	{ "$schema", WANT_STRING }, { "scene", WANT_INT },    { "app", WANT_OBJECT },
	{ "flavour", WANT_STRING }, { "start", WANT_STRING }, { "screens", WANT_ARRAY },
	{ "faults", WANT_ARRAY },   { "about", WANT_STRING },
};
static const struct key_rule app_keys[] = { { "id", WANT_STRING }, { "name", WANT_STRING } };
static const struct key_rule screen_keys[] = {
	{ "id", WANT_STRING },  { "title", WANT_STRING }, { "body", WANT_ARRAY },
	{ "tabs", WANT_ARRAY }, { "on", WANT_OBJECT },    { "top", WANT_ARRAY },
};
static const struct key_rule widget_keys[] = {
	{ "type", WANT_STRING },    { "id", WANT_STRING },          { "label", WANT_STRING },
	{ "text", WANT_STRING },    { "placeholder", WANT_STRING }, { "enabled", WANT_BOOL },
	{ "visible", WANT_BOOL },   { "checked", WANT_BOOL },       { "sticky", WANT_BOOL },
	{ "collapsed", WANT_BOOL }, { "width", WANT_NUMBER },       { "height", WANT_NUMBER },
	{ "on", WANT_OBJECT },      { "choices", WANT_ARRAY },      { "chosen", WANT_INT },
	{ "control", WANT_OBJECT }, { "children", WANT_ARRAY },     { "repeat", WANT_COUNT },
	{ "at", WANT_ARRAY },
};
static const struct key_rule control_keys[] = {
	{ "value", WANT_NUMBER },  { "min", WANT_NUMBER },        { "max", WANT_NUMBER },
	{ "step", WANT_NUMBER },   { "direct", WANT_BOOL },       { "steps", WANT_BOOL },
	{ "byPoint", WANT_BOOL },  { "range", WANT_BOOL },        { "vertical", WANT_BOOL },
	{ "rtl", WANT_BOOL },      { "stuck", WANT_BOOL },        { "delayMs", WANT_TIME },
	{ "slip", WANT_INT },      { "vanishAfter", WANT_COUNT }, { "loseDirectAfter", WANT_COUNT },
	{ "format", WANT_STRING }, { "textOnly", WANT_BOOL },
};
static const struct key_rule action_keys[] = {
	{ "do", WANT_STRING },    { "to", WANT_STRING },     { "id", WANT_STRING },
	{ "label", WANT_STRING }, { "text", WANT_STRING },   { "enabled", WANT_BOOL },
	{ "visible", WANT_BOOL }, { "checked", WANT_BOOL },  { "value", WANT_NUMBER },
	{ "item", WANT_OBJECT },  { "ms", WANT_TIME },       { "then", WANT_ARRAY },
	{ "title", WANT_STRING }, { "buttons", WANT_ARRAY }, { "body", WANT_ARRAY },
	{ "rules", WANT_ARRAY },  { "ok", WANT_ARRAY },      { "fail", WANT_ARRAY },
};
static const struct key_rule button_keys[] = { { "label", WANT_STRING }, { "then", WANT_ARRAY } };
static const struct key_rule rule_keys[] = {
	{ "id", WANT_STRING }, { "is", WANT_STRING }, { "error", WANT_STRING }, { "min", WANT_COUNT }
};

static const struct {
	const char *name;
	const struct key_rule *keys;
	size_t n;
} objects[] = {
	[VD_OBJECT_SCENE] = { "scene", root_keys, ARRAY_SIZE(root_keys) },
	[VD_OBJECT_APP] = { "app", app_keys, ARRAY_SIZE(app_keys) },
	[VD_OBJECT_SCREEN] = { "screen", screen_keys, ARRAY_SIZE(screen_keys) },
	[VD_OBJECT_WIDGET] = { "widget", widget_keys, ARRAY_SIZE(widget_keys) },
	[VD_OBJECT_CONTROL] = { "control", control_keys, ARRAY_SIZE(control_keys) },
	[VD_OBJECT_ACTION] = { "action", action_keys, ARRAY_SIZE(action_keys) },
	[VD_OBJECT_BUTTON] = { "button", button_keys, ARRAY_SIZE(button_keys) },
	[VD_OBJECT_RULE] = { "rule", rule_keys, ARRAY_SIZE(rule_keys) },
};

int vd_wrong(const struct vd_check *c, const struct vd_where *at, const char *fmt, ...)
{
	auto_buf struct buf path, said;
	buf_init(&path, 512);
	buf_init(&said, 512);
	va_list ap;
	va_start(ap, fmt);
	buf_addv(&said, fmt, ap);
	va_end(ap);
	vd_where_print(at, &path);
	int line, column;
	vd_position(c->text, c->len, at, &line, &column);
	error_set(c->e, ERR_INVALID_ARGS, "%s:%d:%d: %s%s%s", c->name, line, column, path.data,
	          path.len ? ": " : "", said.data);
	error_hint(c->e, "docs/scenes.md lists what a scene may hold");
	error_detail_int(c->e, "line", line);
	error_detail_int(c->e, "column", column);
	return error_detail_str(c->e, "path", path.data);
}

static bool is_whole(const json_t *v, json_int_t low, json_int_t high)
{
	return json_is_integer(v) && json_integer_value(v) >= low && json_integer_value(v) <= high;
}

bool vd_is_scene_number(const json_t *v)
{
	return json_is_number(v) && fabs(json_number_value(v)) <= LIM_SCENE_NUMBER;
}

static bool is_wanted(const json_t *v, enum want want)
{
	switch (want) {
	case WANT_STRING: return json_is_string(v);
	case WANT_NUMBER: return vd_is_scene_number(v);
	case WANT_INT: return is_whole(v, -LIM_SCENE_NUMBER, LIM_SCENE_NUMBER);
	case WANT_COUNT: return is_whole(v, 1, LIM_SCENE_NUMBER);
	case WANT_TIME: return is_whole(v, 0, LIM_REQUEST_MAX_MS);
	case WANT_BOOL: return json_is_boolean(v);
	case WANT_ARRAY: return json_is_array(v);
	default: return json_is_object(v);
	}
}

int vd_check_keys(const struct vd_check *c, const json_t *o, const struct vd_where *at,
                  enum vd_object object)
{
	const struct key_rule *rules = objects[object].keys;
	size_t n = objects[object].n;
	if (!json_is_object(o))
		return vd_wrong(c, at, "must be an object");
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)o, key, value)
	{
		struct vd_where here = { at, key, 0 };
		size_t i = 0;
		while (i < n && strcmp(rules[i].key, key) != 0)
			i++;
		if (i == n)
			return vd_wrong(c, &here, "there is no such property here");
		if (!is_wanted(value, rules[i].want))
			return vd_wrong(c, &here, "must be %s", want_names[rules[i].want]);
	}
	return 0;
}

int vd_check_required(const struct vd_check *c, const json_t *o, const struct vd_where *at,
                      const char *key)
{
	return json_object_get(o, key) ? 0 : vd_wrong(c, at, "\"%s\" is missing", key);
}

const char *vd_scene_key(const char *object, size_t i)
{
	for (size_t k = 0; k < ARRAY_SIZE(objects); k++)
		if (strcmp(objects[k].name, object) == 0)
			return i < objects[k].n ? objects[k].keys[i].key : NULL;
	return NULL;
}
