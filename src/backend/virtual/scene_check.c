#include "backend/virtual/scene_check.h"

#include "backend/virtual/fault.h"
#include "backend/virtual/kinds.h"
#include "backend/virtual/scene.h"
#include "backend/virtual/scene_keys.h"
#include "backend/virtual/scene_size.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

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

static bool one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static int check_actions(const struct vd_check *c, const json_t *list, const struct vd_where *at);
static int check_widgets(const struct vd_check *c, const json_t *list, const struct vd_where *at);

static const struct vd_action_info *find_action(const char *verb)
{
	for (size_t i = 0; i < vd_n_actions; i++)
		if (strcmp(vd_actions[i].verb, verb) == 0)
			return &vd_actions[i];
	return NULL;
}

static int check_action_fits(const struct vd_check *c, const json_t *a, const struct vd_where *at,
                             const struct vd_action_info *info)
{
	for (size_t i = 0; i < ARRAY_SIZE(info->keys) && info->keys[i]; i++)
		if (info->keys[i][0] == '!' && !json_object_get(a, info->keys[i] + 1))
			return vd_wrong(c, at, "\"%s\" needs \"%s\"", info->verb, info->keys[i] + 1);
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)a, key, value)
	{
		bool fits = strcmp(key, "do") == 0;
		for (size_t i = 0; i < ARRAY_SIZE(info->keys) && info->keys[i]; i++)
			fits |= strcmp(info->keys[i] + (info->keys[i][0] == '!'), key) == 0;
		struct vd_where here = { at, key, 0 };
		if (!fits)
			return vd_wrong(c, &here, "\"%s\" takes no \"%s\"", info->verb, key);
	}
	return 0;
}

static bool has_screen(const struct vd_check *c, const char *id)
{
	size_t i;
	json_t *screen;
	json_array_foreach(json_object_get(c->root, "screens"), i,
	                   screen) if (strcmp(jx_get_str(screen, "id", ""), id) == 0) return true;
	return false;
}

static int check_buttons(const struct vd_check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *b;
	json_array_foreach(list, i, b)
	{
		struct vd_where here = { at, NULL, i };
		struct vd_where then = { &here, "then", 0 };
		int r = vd_check_keys(c, b, &here, VD_OBJECT_BUTTON);
		if (r < 0 || (r = vd_check_required(c, b, &here, "label")) < 0 ||
		    (r = check_actions(c, json_object_get(b, "then"), &then)) < 0)
			return r;
	}
	return 0;
}

static int check_rules(const struct vd_check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *rule;
	json_array_foreach(list, i, rule)
	{
		struct vd_where here = { at, NULL, i }, is = { &here, "is", 0 };
		int r = vd_check_keys(c, rule, &here, VD_OBJECT_RULE);
		if (r < 0 || (r = vd_check_required(c, rule, &here, "id")) < 0 ||
		    (r = vd_check_required(c, rule, &here, "is")) < 0 ||
		    (r = vd_check_required(c, rule, &here, "error")) < 0)
			return r;
		if (!one_of(jx_get_str(rule, "is", ""), rule_kinds, ARRAY_SIZE(rule_kinds)))
			return vd_wrong(c, &is, "must be filled, email, length or date");
	}
	return 0;
}

/* What the repetitions make of it. */
static int check_size(const struct vd_check *c, const struct vd_scene_size *size,
                      const struct vd_where *at)
{
	if (size->depth > LIM_SCENE_DEPTH)
		return vd_wrong(c, at, "widgets are nested deeper than %d", LIM_SCENE_DEPTH);
	if (size->widgets > LIM_TREE_NODES)
		return vd_wrong(c, at, "more than %d widgets, repetitions counted", LIM_TREE_NODES);
	if (size->bytes > LIM_SCENE_BYTES)
		return vd_wrong(c, at, "more than %u bytes of text, repetitions counted", LIM_SCENE_BYTES);
	return 0;
}

/* What an action adds while the scene runs. */
static int check_added(const struct vd_check *c, const json_t *a, const struct vd_where *at)
{
	struct vd_scene_size size = { 0 };
	auto_json json_t *item =
	    json_object_get(a, "item") ? json_pack("[O]", json_object_get(a, "item")) : NULL;
	vd_scene_size(json_object_get(a, "body"), &size);
	vd_scene_size(item, &size);
	int r = check_size(c, &size, at);
	return r < 0 || !item ? r : check_widgets(c, item, at);
}

static int check_action(const struct vd_check *c, const json_t *a, const struct vd_where *at)
{
	static const char *const nested[] = { "then", "ok", "fail" };
	int r = vd_check_keys(c, a, at, VD_OBJECT_ACTION);
	if (r < 0 || (r = vd_check_required(c, a, at, "do")) < 0)
		return r;
	struct vd_where verb = { at, "do", 0 }, to = { at, "to", 0 };
	const struct vd_action_info *info = find_action(jx_get_str(a, "do", ""));
	if (!info)
		return vd_wrong(c, &verb, "\"%s\" is no action", jx_get_str(a, "do", ""));
	if ((r = check_action_fits(c, a, at, info)) < 0)
		return r;
	const char *screen = jx_get_str(a, "to", NULL);
	if (screen && !has_screen(c, screen))
		return vd_wrong(c, &to, "there is no screen \"%s\"", screen);
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

static int check_actions(const struct vd_check *c, const json_t *list, const struct vd_where *at)
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

static int check_bindings(const struct vd_check *c, const json_t *on, const struct vd_where *at)
{
	const char *event;
	json_t *list;
	json_object_foreach((json_t *)on, event, list)
	{
		struct vd_where here = { at, event, 0 };
		if (!one_of(event, events, ARRAY_SIZE(events)))
			return vd_wrong(c, &here, "must be press, longPress, change, submit or open");
		if (!json_is_array(list))
			return vd_wrong(c, &here, "must be an array of actions");
		int r = check_actions(c, list, &here);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_control(const struct vd_check *c, const json_t *o, const struct vd_where *at)
{
	int r = vd_check_keys(c, o, at, VD_OBJECT_CONTROL);
	if (r < 0)
		return r;
	double min = jx_get_num(o, "min", 0), max = jx_get_num(o, "max", 1);
	if (max < min)
		return vd_wrong(c, at, "max is below min");
	struct vd_where step = { at, "step", 0 }, format = { at, "format", 0 };
	if (jx_get_num(o, "step", 0) < 0)
		return vd_wrong(c, &step, "must not be negative");
	const char *f = jx_get_str(o, "format", NULL);
	if (f && strlen(f) > 60)
		return vd_wrong(c, &format, "is longer than 60 bytes");
	return 0;
}

static int check_widget(const struct vd_check *c, const json_t *w, const struct vd_where *at)
{
	int r = vd_check_keys(c, w, at, VD_OBJECT_WIDGET);
	if (r < 0 || (r = vd_check_required(c, w, at, "type")) < 0)
		return r;
	struct vd_where type = { at, "type", 0 }, control = { at, "control", 0 }, on = { at, "on", 0 },
	                children = { at, "children", 0 }, choices = { at, "choices", 0 };
	int kind = vd_kind_from_word(jx_get_str(w, "type", ""));
	if (kind < 0 || !vd_kind_is_public((enum vd_kind)kind))
		return vd_wrong(c, &type, "\"%s\" is no kind of widget", jx_get_str(w, "type", ""));
	unsigned traits = vd_kind_info((enum vd_kind)kind)->traits;
	if (json_object_get(w, "control") && !(traits & VT_CONTROL))
		return vd_wrong(c, &control, "a %s has no value to control", jx_get_str(w, "type", ""));
	const json_t *place = json_object_get(w, "at");
	struct vd_where at_key = { at, "at", 0 };
	if (place && json_array_size(place) != 4)
		return vd_wrong(c, &at_key, "must be [x, y, width, height]");
	size_t i;
	json_t *choice;
	json_array_foreach(place, i, choice) if (!vd_is_scene_number(choice)) return vd_wrong(
	    c, &at_key, "must hold numbers of at most nine digits");
	json_array_foreach(json_object_get(w, "choices"), i,
	                   choice) if (!json_is_string(choice)) return vd_wrong(c, &choices,
	                                                                        "must hold strings");
	struct vd_where chosen = { at, "chosen", 0 };
	int64_t n = (int64_t)json_array_size(json_object_get(w, "choices"));
	int64_t picked = jx_get_int(w, "chosen", n ? 0 : -1);
	if (picked < -1 || picked >= n)
		return vd_wrong(c, &chosen, "must name one of the choices, from 0, or -1 for none");
	if (json_object_get(w, "control") &&
	    (r = check_control(c, json_object_get(w, "control"), &control)) < 0)
		return r;
	if ((r = check_bindings(c, json_object_get(w, "on"), &on)) < 0)
		return r;
	return check_widgets(c, json_object_get(w, "children"), &children);
}

static int check_widgets(const struct vd_check *c, const json_t *list, const struct vd_where *at)
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

static int check_faults(const struct vd_check *c, const json_t *list, const struct vd_where *at)
{
	size_t i;
	json_t *o;
	if (json_array_size(list) > LIM_FAULTS)
		return vd_wrong(c, at, "more than %d faults", LIM_FAULTS);
	json_array_foreach(list, i, o)
	{
		auto_error struct error e = ERROR_INIT;
		struct vd_fault f;
		struct vd_where here = { at, NULL, i };
		if (!json_is_object(o))
			return vd_wrong(c, &here, "must be an object");
		if (vd_fault_from_json(o, &f, &e) == 0)
			continue;
		const char *key = jx_get_str(e.details, "key", NULL);
		struct vd_where inner = { &here, key, 0 };
		return vd_wrong(c, key && json_object_get(o, key) ? &inner : &here, "%s", e.message);
	}
	return 0;
}

static int check_screens_size(const struct vd_check *c)
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

static int check_screen(const struct vd_check *c, const json_t *s, const struct vd_where *at)
{
	static const char *const lists[] = { "body", "tabs", "top" };
	int r = vd_check_keys(c, s, at, VD_OBJECT_SCREEN);
	if (r < 0 || (r = vd_check_required(c, s, at, "id")) < 0)
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

static int check_head(const struct vd_check *c)
{
	struct vd_where scene = { NULL, "scene", 0 }, app = { NULL, "app", 0 },
	                start = { NULL, "start", 0 }, flavour = { NULL, "flavour", 0 },
	                screens = { NULL, "screens", 0 };
	int r = vd_check_keys(c, c->root, NULL, VD_OBJECT_SCENE);
	if (r < 0 || (r = vd_check_required(c, c->root, NULL, "scene")) < 0 ||
	    (r = vd_check_required(c, c->root, NULL, "screens")) < 0)
		return r;
	if (jx_get_int(c->root, "scene", 0) != 1)
		return vd_wrong(c, &scene, "must be 1, the version of the format");
	const json_t *a = json_object_get(c->root, "app");
	if (a && (r = vd_check_keys(c, a, &app, VD_OBJECT_APP)) < 0)
		return r;
	const char *f = jx_get_str(c->root, "flavour", NULL);
	if (f && !vd_flavour_from_name(f))
		return vd_wrong(c, &flavour, "must be android, ios or linux");
	if (json_array_size(json_object_get(c->root, "screens")) == 0)
		return vd_wrong(c, &screens, "must hold at least one screen");
	const char *first = jx_get_str(c->root, "start", NULL);
	if (first && !has_screen(c, first))
		return vd_wrong(c, &start, "there is no screen \"%s\"", first);
	struct vd_where faults = { NULL, "faults", 0 };
	return check_faults(c, json_object_get(c->root, "faults"), &faults);
}

int vd_scene_check(const json_t *root, const char *text, size_t len, const char *name,
                   struct error *e)
{
	struct vd_check c = { root, text, name, len, e };
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
				return vd_wrong(&c, &here, "a second screen \"%s\"", jx_get_str(screen, "id", ""));
	}
	return 0;
}
