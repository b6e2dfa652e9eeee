#include "backend/virtual/scene_check.h"

#include "backend/virtual/fault.h"
#include "backend/virtual/kinds.h"
#include "backend/virtual/position.h"
#include "backend/virtual/scene.h"
#include "backend/virtual/scene_size.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

struct check {
	const json_t *root;
	const char *text, *name;
	size_t len;
	struct error *e;
};

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

const struct vd_action_info vd_actions[] = {
	{ "navigate", { "!to" } },
	{ "back", { NULL } },
	{ "set", { "!id", "label", "text", "enabled", "visible", "value" } },
	{ "check", { "!id", "!checked" } },
	{ "toggle", { "!id" } },
	{ "append", { "!id", "!item" } },
	{ "remove", { "!id" } },
	{ "timer", { "!ms", "!then" } },
	{ "alert", { "!title", "text", "buttons" } },
	{ "sheet", { "!title", "!body" } },
	{ "dismiss", { NULL } },
	{ "validate", { "!rules", "!ok", "!fail" } },
	{ "focus", { "!id" } },
};
const size_t vd_n_actions = ARRAY_SIZE(vd_actions);

static const char *const rule_kinds[] = { "filled", "email", "length", "date" };
static const char *const events[] = { "press", "longPress", "change", "open", "submit" };

__attribute__((format(printf, 3, 4))) static int
wrong(const struct check *c, const struct vd_where *at, const char *fmt, ...)
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

static bool is_wanted(const json_t *v, enum want want)
{
	switch (want) {
	case WANT_STRING: return json_is_string(v);
	case WANT_NUMBER: return json_is_number(v) && fabs(json_number_value(v)) <= LIM_SCENE_NUMBER;
	case WANT_INT: return is_whole(v, -LIM_SCENE_NUMBER, LIM_SCENE_NUMBER);
	case WANT_COUNT: return is_whole(v, 1, LIM_SCENE_NUMBER);
	case WANT_TIME: return is_whole(v, 0, LIM_REQUEST_MAX_MS);
	case WANT_BOOL: return json_is_boolean(v);
	case WANT_ARRAY: return json_is_array(v);
	default: return json_is_object(v);
	}
}

static int check_keys(const struct check *c, const json_t *o, const struct vd_where *at,
                      const struct key_rule *rules, size_t n)
{
	if (!json_is_object(o))
		return wrong(c, at, "must be an object");
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)o, key, value)
	{
		struct vd_where here = { at, key, 0 };
		size_t i = 0;
		while (i < n && strcmp(rules[i].key, key) != 0)
			i++;
		if (i == n)
			return wrong(c, &here, "there is no such property here");
		if (!is_wanted(value, rules[i].want))
			return wrong(c, &here, "must be %s", want_names[rules[i].want]);
	}
	return 0;
}

static int check_required(const struct check *c, const json_t *o, const struct vd_where *at,
                          const char *key)
{
	return json_object_get(o, key) ? 0 : wrong(c, at, "\"%s\" is missing", key);
}

static bool one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static int check_actions(const struct check *c, const json_t *list, const struct vd_where *at);
static int check_widgets(const struct check *c, const json_t *list, const struct vd_where *at);

static const struct vd_action_info *find_action(const char *verb)
{
	for (size_t i = 0; i < vd_n_actions; i++)
		if (strcmp(vd_actions[i].verb, verb) == 0)
			return &vd_actions[i];
	return NULL;
}

static int check_action_fits(const struct check *c, const json_t *a, const struct vd_where *at,
                             const struct vd_action_info *info)
{
	for (size_t i = 0; i < ARRAY_SIZE(info->keys) && info->keys[i]; i++)
		if (info->keys[i][0] == '!' && !json_object_get(a, info->keys[i] + 1))
			return wrong(c, at, "\"%s\" needs \"%s\"", info->verb, info->keys[i] + 1);
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)a, key, value)
	{
		bool fits = strcmp(key, "do") == 0;
		for (size_t i = 0; i < ARRAY_SIZE(info->keys) && info->keys[i]; i++)
			fits |= strcmp(info->keys[i] + (info->keys[i][0] == '!'), key) == 0;
		struct vd_where here = { at, key, 0 };
		if (!fits)
			return wrong(c, &here, "\"%s\" takes no \"%s\"", info->verb, key);
	}
	return 0;
}

static bool has_screen(const struct check *c, const char *id)
{
	size_t i;
	json_t *screen;
	json_array_foreach(json_object_get(c->root, "screens"), i,
	                   screen) if (strcmp(jx_get_str(screen, "id", ""), id) == 0) return true;
	return false;
}

static int check_buttons(const struct check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *b;
	json_array_foreach(list, i, b)
	{
		struct vd_where here = { at, NULL, i };
		struct vd_where then = { &here, "then", 0 };
		int r = check_keys(c, b, &here, button_keys, ARRAY_SIZE(button_keys));
		if (r < 0 || (r = check_required(c, b, &here, "label")) < 0 ||
		    (r = check_actions(c, json_object_get(b, "then"), &then)) < 0)
			return r;
	}
	return 0;
}

static int check_rules(const struct check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *rule;
	json_array_foreach(list, i, rule)
	{
		struct vd_where here = { at, NULL, i }, is = { &here, "is", 0 };
		int r = check_keys(c, rule, &here, rule_keys, ARRAY_SIZE(rule_keys));
		if (r < 0 || (r = check_required(c, rule, &here, "id")) < 0 ||
		    (r = check_required(c, rule, &here, "is")) < 0 ||
		    (r = check_required(c, rule, &here, "error")) < 0)
			return r;
		if (!one_of(jx_get_str(rule, "is", ""), rule_kinds, ARRAY_SIZE(rule_kinds)))
			return wrong(c, &is, "must be filled, email, length or date");
	}
	return 0;
}

/* What the repetitions make of it. */
static int check_size(const struct check *c, const struct vd_scene_size *size,
                      const struct vd_where *at)
{
	if (size->depth > LIM_SCENE_DEPTH)
		return wrong(c, at, "widgets are nested deeper than %d", LIM_SCENE_DEPTH);
	if (size->widgets > LIM_TREE_NODES)
		return wrong(c, at, "more than %d widgets, repetitions counted", LIM_TREE_NODES);
	if (size->bytes > LIM_SCENE_BYTES)
		return wrong(c, at, "more than %u bytes of text, repetitions counted", LIM_SCENE_BYTES);
	return 0;
}

/* What an action adds while the scene runs. */
static int check_added(const struct check *c, const json_t *a, const struct vd_where *at)
{
	struct vd_scene_size size = { 0 };
	auto_json json_t *item =
	    json_object_get(a, "item") ? json_pack("[O]", json_object_get(a, "item")) : NULL;
	vd_scene_size(json_object_get(a, "body"), &size);
	vd_scene_size(item, &size);
	int r = check_size(c, &size, at);
	return r < 0 || !item ? r : check_widgets(c, item, at);
}

static int check_action(const struct check *c, const json_t *a, const struct vd_where *at)
{
	static const char *const nested[] = { "then", "ok", "fail" };
	int r = check_keys(c, a, at, action_keys, ARRAY_SIZE(action_keys));
	if (r < 0 || (r = check_required(c, a, at, "do")) < 0)
		return r;
	struct vd_where verb = { at, "do", 0 }, to = { at, "to", 0 };
	const struct vd_action_info *info = find_action(jx_get_str(a, "do", ""));
	if (!info)
		return wrong(c, &verb, "\"%s\" is no action", jx_get_str(a, "do", ""));
	if ((r = check_action_fits(c, a, at, info)) < 0)
		return r;
	const char *screen = jx_get_str(a, "to", NULL);
	if (screen && !has_screen(c, screen))
		return wrong(c, &to, "there is no screen \"%s\"", screen);
	for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
		struct vd_where here = { at, nested[i], 0 };
		if ((r = check_actions(c, json_object_get(a, nested[i]), &here)) < 0)
			return r;
	}
	struct vd_where buttons = { at, "buttons", 0 }, rules = { at, "rules", 0 },
	                body = { at, "body", 0 };
	if ((r = check_buttons(c, json_object_get(a, "buttons"), &buttons)) < 0 ||
	    (r = check_rules(c, json_object_get(a, "rules"), &rules)) < 0 ||
	    (r = check_widgets(c, json_object_get(a, "body"), &body)) < 0)
		return r;
	return check_added(c, a, at);
}

static int check_actions(const struct check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *a;
	json_array_foreach(list, i, a)
	{
		struct vd_where here = { at, NULL, i };
		int r = check_action(c, a, &here);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_bindings(const struct check *c, const json_t *on, const struct vd_where *at)
{
	const char *event;
	json_t *list;
	json_object_foreach((json_t *)on, event, list)
	{
		struct vd_where here = { at, event, 0 };
		if (!one_of(event, events, ARRAY_SIZE(events)))
			return wrong(c, &here, "must be press, longPress, change, submit or open");
		if (!json_is_array(list))
			return wrong(c, &here, "must be an array of actions");
		int r = check_actions(c, list, &here);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_control(const struct check *c, const json_t *o, const struct vd_where *at)
{
	int r = check_keys(c, o, at, control_keys, ARRAY_SIZE(control_keys));
	if (r < 0)
		return r;
	double min = jx_get_num(o, "min", 0), max = jx_get_num(o, "max", 1);
	if (max < min)
		return wrong(c, at, "max is below min");
	struct vd_where step = { at, "step", 0 }, format = { at, "format", 0 };
	if (jx_get_num(o, "step", 0) < 0)
		return wrong(c, &step, "must not be negative");
	const char *f = jx_get_str(o, "format", NULL);
	if (f && strlen(f) > 60)
		return wrong(c, &format, "is longer than 60 bytes");
	return 0;
}

static int check_widget(const struct check *c, const json_t *w, const struct vd_where *at)
{
	int r = check_keys(c, w, at, widget_keys, ARRAY_SIZE(widget_keys));
	if (r < 0 || (r = check_required(c, w, at, "type")) < 0)
		return r;
	struct vd_where type = { at, "type", 0 }, control = { at, "control", 0 }, on = { at, "on", 0 },
	                children = { at, "children", 0 }, choices = { at, "choices", 0 };
	int kind = vd_kind_from_word(jx_get_str(w, "type", ""));
	if (kind < 0 || !vd_kind_is_public((enum vd_kind)kind))
		return wrong(c, &type, "\"%s\" is no kind of widget", jx_get_str(w, "type", ""));
	unsigned traits = vd_kind_info((enum vd_kind)kind)->traits;
	if (json_object_get(w, "control") && !(traits & VT_CONTROL))
		return wrong(c, &control, "a %s has no value to control", jx_get_str(w, "type", ""));
	const json_t *place = json_object_get(w, "at");
	struct vd_where at_key = { at, "at", 0 };
	if (place && json_array_size(place) != 4)
		return wrong(c, &at_key, "must be [x, y, width, height]");
	size_t i;
	json_t *choice;
	json_array_foreach(place, i, choice) if (!is_wanted(choice, WANT_NUMBER)) return wrong(
	    c, &at_key, "must hold numbers of at most nine digits");
	json_array_foreach(json_object_get(w, "choices"), i,
	                   choice) if (!json_is_string(choice)) return wrong(c, &choices,
	                                                                     "must hold strings");
	struct vd_where chosen = { at, "chosen", 0 };
	int64_t n = (int64_t)json_array_size(json_object_get(w, "choices"));
	int64_t picked = jx_get_int(w, "chosen", n ? 0 : -1);
	if (picked < -1 || picked >= n)
		return wrong(c, &chosen, "must name one of the choices, from 0, or -1 for none");
	if (json_object_get(w, "control") &&
	    (r = check_control(c, json_object_get(w, "control"), &control)) < 0)
		return r;
	if ((r = check_bindings(c, json_object_get(w, "on"), &on)) < 0)
		return r;
	return check_widgets(c, json_object_get(w, "children"), &children);
}

static int check_widgets(const struct check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *w;
	json_array_foreach(list, i, w)
	{
		struct vd_where here = { at, NULL, i };
		int r = check_widget(c, w, &here);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_faults(const struct check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *o;
	if (json_array_size(list) > LIM_FAULTS)
		return wrong(c, at, "more than %d faults", LIM_FAULTS);
	json_array_foreach(list, i, o)
	{
		auto_error struct error e = ERROR_INIT;
		struct vd_fault f;
		struct vd_where here = { at, NULL, i };
		if (!json_is_object(o))
			return wrong(c, &here, "must be an object");
		if (vd_fault_from_json(o, &f, &e) == 0)
			continue;
		const char *key = jx_get_str(e.details, "key", NULL);
		struct vd_where inner = { &here, key, 0 };
		return wrong(c, key && json_object_get(o, key) ? &inner : &here, "%s", e.message);
	}
	return 0;
}

static int check_screens_size(const struct check *c)
{
	struct vd_where screens = { NULL, "screens", 0 };
	struct vd_scene_size size = { 0 };
	size_t i;
	json_t *s;
	json_array_foreach(json_object_get(c->root, "screens"), i, s)
	{
		vd_scene_size(json_object_get(s, "body"), &size);
		vd_scene_size(json_object_get(s, "top"), &size);
		vd_scene_size(json_object_get(s, "tabs"), &size);
	}
	return check_size(c, &size, &screens);
}

static int check_screen(const struct check *c, const json_t *s, const struct vd_where *at)
{
	static const char *const lists[] = { "body", "tabs", "top" };
	int r = check_keys(c, s, at, screen_keys, ARRAY_SIZE(screen_keys));
	if (r < 0 || (r = check_required(c, s, at, "id")) < 0)
		return r;
	struct vd_where on = { at, "on", 0 };
	if ((r = check_bindings(c, json_object_get(s, "on"), &on)) < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct vd_where here = { at, lists[i], 0 };
		if ((r = check_widgets(c, json_object_get(s, lists[i]), &here)) < 0)
			return r;
	}
	return 0;
}

static int check_head(const struct check *c)
{
	struct vd_where scene = { NULL, "scene", 0 }, app = { NULL, "app", 0 },
	                start = { NULL, "start", 0 }, flavour = { NULL, "flavour", 0 },
	                screens = { NULL, "screens", 0 };
	int r = check_keys(c, c->root, NULL, root_keys, ARRAY_SIZE(root_keys));
	if (r < 0 || (r = check_required(c, c->root, NULL, "scene")) < 0 ||
	    (r = check_required(c, c->root, NULL, "screens")) < 0)
		return r;
	if (jx_get_int(c->root, "scene", 0) != 1)
		return wrong(c, &scene, "must be 1, the version of the format");
	const json_t *a = json_object_get(c->root, "app");
	if (a && (r = check_keys(c, a, &app, app_keys, ARRAY_SIZE(app_keys))) < 0)
		return r;
	const char *f = jx_get_str(c->root, "flavour", NULL);
	if (f && !vd_flavour_from_name(f))
		return wrong(c, &flavour, "must be android, ios or linux");
	if (json_array_size(json_object_get(c->root, "screens")) == 0)
		return wrong(c, &screens, "must hold at least one screen");
	const char *first = jx_get_str(c->root, "start", NULL);
	if (first && !has_screen(c, first))
		return wrong(c, &start, "there is no screen \"%s\"", first);
	struct vd_where faults = { NULL, "faults", 0 };
	return check_faults(c, json_object_get(c->root, "faults"), &faults);
}

int vd_scene_check(const json_t *root, const char *text, size_t len, const char *name,
                   struct error *e)
{
	struct check c = { root, text, name, len, e };
	int r = check_head(&c);
	if (r < 0 || (r = check_screens_size(&c)) < 0)
		return r;
	struct vd_where screens = { NULL, "screens", 0 };
	size_t i;
	json_t *screen;
	json_array_foreach(json_object_get(root, "screens"), i, screen)
	{
		struct vd_where here = { &screens, NULL, i };
		r = check_screen(&c, screen, &here);
		if (r < 0)
			return r;
		for (size_t k = 0; k < i; k++)
			if (strcmp(jx_get_str(json_array_get(json_object_get(root, "screens"), k), "id", ""),
			           jx_get_str(screen, "id", "")) == 0)
				return wrong(&c, &here, "a second screen \"%s\"", jx_get_str(screen, "id", ""));
	}
	return 0;
}

/* --- for those who compare ---------------------------------------------------------------------- */

static const struct {
	const char *name;
	const struct key_rule *keys;
	size_t n;
} objects[] = {
	{ "scene", root_keys, ARRAY_SIZE(root_keys) },
	{ "app", app_keys, ARRAY_SIZE(app_keys) },
	{ "screen", screen_keys, ARRAY_SIZE(screen_keys) },
	{ "widget", widget_keys, ARRAY_SIZE(widget_keys) },
	{ "control", control_keys, ARRAY_SIZE(control_keys) },
	{ "action", action_keys, ARRAY_SIZE(action_keys) },
	{ "button", button_keys, ARRAY_SIZE(button_keys) },
	{ "rule", rule_keys, ARRAY_SIZE(rule_keys) },
};

const char *vd_scene_key(const char *object, size_t i)
{
	for (size_t k = 0; k < ARRAY_SIZE(objects); k++)
		if (strcmp(objects[k].name, object) == 0)
			return i < objects[k].n ? objects[k].keys[i].key : NULL;
	return NULL;
}
