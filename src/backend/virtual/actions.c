/* What a binding does: the verbs of docs/scenes.md, one function each, found in a table. */
#include "backend/virtual/device.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

static void act(struct vd_device *d, const json_t *a, int depth);

static void run_list(struct vd_device *d, const json_t *list, int depth)
{
	/* An action may leave the screen that holds its list; the scene keeps the list alive. */
	size_t n = json_array_size(list);
	for (size_t i = 0; i < n && depth < 16; i++)
		act(d, json_array_get(list, i), depth + 1);
}

void vd_run_actions(struct vd_device *d, const json_t *actions)
{
	run_list(d, actions, 0);
	vd_device_layout(d);
}

void vd_run_event(struct vd_device *d, struct vd_widget *w, const char *event)
{
	json_t *list = json_incref(json_object_get(w->on, event));
	if (list)
		vd_run_actions(d, list);
	json_decref(list);
}

/* "{name}" becomes the text of the widget with that id. */
static void expand(const struct vd_device *d, const char *text, struct buf *out)
{
	while (*text) {
		const char *close = *text == '{' ? strchr(text, '}') : NULL;
		size_t len = close ? (size_t)(close - text - 1) : 0;
		char id[64];
		struct vd_widget *w = NULL;
		if (close && len && len < sizeof(id)) {
			memcpy(id, text + 1, len);
			id[len] = '\0';
			w = vd_device_by_id(d, id);
		}
		if (!w) {
			buf_addc(out, *text++);
			continue;
		}
		if (w->control)
			vd_control_text(w, out);
		else if (!vd_is(w, VT_SECRET))
			buf_adds(out, w->text ? w->text : "");
		text = close + 1;
	}
}

static struct vd_widget *target(struct vd_device *d, const json_t *a)
{
	return vd_device_by_id(d, jx_get_str(a, "id", ""));
}

static void do_navigate(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	vd_navigate(d, jx_get_str(a, "to", ""));
}

static void do_back(struct vd_device *d, const json_t *a, int depth)
{
	(void)a;
	(void)depth;
	vd_pop(d);
}

static void set_expanded(const struct vd_device *d, char **slot, const char *text)
{
	auto_buf struct buf out;
	buf_init(&out, LIM_TREE_STRING);
	expand(d, text, &out);
	vd_replace(slot, out.data);
}

static void do_set(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a);
	if (!w)
		return;
	const char *label = jx_get_str(a, "label", NULL), *text = jx_get_str(a, "text", NULL);
	if (label)
		set_expanded(d, &w->label, label);
	if (text)
		set_expanded(d, &w->text, text);
	w->enabled = jx_get_bool(a, "enabled", w->enabled);
	w->shown = jx_get_bool(a, "visible", w->shown);
	if (w->control)
		w->control->value = jx_get_num(a, "value", w->control->value);
	d->changes++;
}

static void do_check(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a);
	if (w)
		w->checked = jx_get_bool(a, "checked", w->checked);
}

static void do_toggle(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a);
	if (w && vd_is(w, VT_CHECK))
		w->checked = !w->checked;
	else if (w)
		w->shown = !w->shown;
}

static void do_append(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a), *last = w ? w->last : NULL;
	uint32_t before = d->uids;
	if (!w || d->appended >= LIM_TREE_NODES)
		return;
	vd_scene_add(w, json_object_get(a, "item"), &d->uids);
	d->appended += d->uids - before;
	for (struct vd_widget *c = last ? last->next : w->first; c; c = c->next) {
		if (c->text)
			set_expanded(d, &c->text, c->text);
		if (c->label)
			set_expanded(d, &c->label, c->label);
	}
	d->changes++;
}

static void do_remove(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a);
	if (!w || !w->parent)
		return;
	/* Hidden, not freed: the action may run on behalf of this very widget. */
	w->shown = false;
	vd_replace(&w->id, NULL);
	d->changes++;
}

static void do_timer(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	vd_clock_set(&d->clock, jx_get_int(a, "ms", 0),
	             (struct vd_timer){ .actions = json_object_get(a, "then") });
}

static struct vd_widget *overlay(struct vd_device *d, enum vd_kind kind, const char *label)
{
	if (d->n_overlays >= VD_STACK_MAX)
		return NULL;
	struct vd_widget *o = vd_widget_new(kind, d->uids++);
	if (!o)
		return NULL;
	vd_replace(&o->label, label);
	vd_keyboard_hide(d);
	d->overlays[d->n_overlays++] = o;
	return o;
}

/* The heading or text of a dialog. */
static void add_words(struct vd_device *d, struct vd_widget *parent, enum vd_kind kind,
                      const char *text)
{
	struct vd_widget *w = vd_widget_new(kind, d->uids++);
	if (!w)
		return;
	set_expanded(d, &w->label, text);
	vd_widget_append(parent, w);
}

static void add_to(struct vd_device *d, struct vd_widget *parent, enum vd_kind kind,
                   const char *label, json_t *on_stolen)
{
	struct vd_widget *w = vd_widget_new(kind, d->uids++);
	if (!w) {
		json_decref(on_stolen);
		return;
	}
	vd_replace(&w->label, label);
	w->on = on_stolen;
	vd_widget_append(parent, w);
}

/* A button of an alert dismisses it and then does what its list says. */
static json_t *button_binding(const json_t *then)
{
	json_t *list = json_array();
	json_array_append_new(list, json_pack("{s:s}", "do", "dismiss"));
	json_array_extend(list, (json_t *)then);
	return json_pack("{s:o}", "press", list);
}

static void do_alert(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *o = overlay(d, VD_ALERT, NULL);
	if (!o)
		return;
	set_expanded(d, &o->label, jx_get_str(a, "title", ""));
	add_words(d, o, VD_HEADING, jx_get_str(a, "title", ""));
	if (json_object_get(a, "text"))
		add_words(d, o, VD_TEXT, jx_get_str(a, "text", ""));
	size_t i;
	json_t *b;
	json_array_foreach(json_object_get(a, "buttons"), i, b) add_to(
	    d, o, VD_BUTTON, jx_get_str(b, "label", ""), button_binding(json_object_get(b, "then")));
	if (json_array_size(json_object_get(a, "buttons")) == 0)
		add_to(d, o, VD_BUTTON, "OK", button_binding(NULL));
}

static void do_sheet(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *o = overlay(d, VD_SHEET, NULL);
	if (!o)
		return;
	set_expanded(d, &o->label, jx_get_str(a, "title", ""));
	add_words(d, o, VD_HEADING, jx_get_str(a, "title", ""));
	vd_scene_add_all(o, json_object_get(a, "body"), &d->uids);
}

static void do_dismiss(struct vd_device *d, const json_t *a, int depth)
{
	(void)a;
	(void)depth;
	vd_dismiss(d);
}

static bool email_ok(const char *s)
{
	const char *at = strchr(s, '@'), *dot = at ? strrchr(at, '.') : NULL;
	return at && at != s && !strchr(at + 1, '@') && dot && dot > at + 1 && dot[1];
}

static bool rule_holds(const struct vd_widget *w, const json_t *rule)
{
	const char *is = jx_get_str(rule, "is", ""), *text = w->text ? w->text : "";
	if (strcmp(is, "filled") == 0)
		return *text != '\0';
	if (strcmp(is, "email") == 0)
		return email_ok(text);
	if (strcmp(is, "length") == 0)
		return (int64_t)strlen(text) >= jx_get_int(rule, "min", 1);
	return strlen(text) == 10;
}

static void do_validate(struct vd_device *d, const json_t *a, int depth)
{
	bool good = true;
	size_t i;
	json_t *rule;
	json_array_foreach(json_object_get(a, "rules"), i, rule)
	{
		struct vd_widget *w = target(d, rule);
		if (!w)
			continue;
		bool holds = rule_holds(w, rule);
		vd_replace(&w->error, holds ? NULL : jx_get_str(rule, "error", NULL));
		good &= holds;
	}
	run_list(d, json_object_get(a, good ? "ok" : "fail"), depth);
}

static void do_focus(struct vd_device *d, const json_t *a, int depth)
{
	(void)depth;
	struct vd_widget *w = target(d, a);
	if (w)
		vd_focus(d, w);
}

static const struct {
	const char *verb;
	void (*run)(struct vd_device *d, const json_t *a, int depth);
} verbs[] = {
	{ "navigate", do_navigate }, { "back", do_back },       { "set", do_set },
	{ "check", do_check },       { "toggle", do_toggle },   { "append", do_append },
	{ "remove", do_remove },     { "timer", do_timer },     { "alert", do_alert },
	{ "sheet", do_sheet },       { "dismiss", do_dismiss }, { "validate", do_validate },
	{ "focus", do_focus },
};

static void act(struct vd_device *d, const json_t *a, int depth)
{
	const char *verb = jx_get_str(a, "do", "");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strcmp(verbs[i].verb, verb) == 0)
			verbs[i].run(d, a, depth);
}

/* --- choices -------------------------------------------------------------------------------------- */

void vd_open_popup(struct vd_device *d, struct vd_widget *w)
{
	uint32_t owner = w->uid;
	struct vd_widget *o = overlay(d, VD_POPUP, w->label);
	if (!o)
		return;
	auto_buf struct buf number;
	buf_init(&number, 32);
	buf_addf(&number, "%u", owner);
	vd_replace(&o->text, number.data);
	size_t i;
	json_t *choice;
	json_array_foreach(w->choices, i, choice)
	    add_to(d, o, VD_OPTION, json_string_value(choice), NULL);
	int n = 0;
	for (struct vd_widget *c = o->first; c; c = c->next, n++)
		c->checked = n == w->chosen;
}

void vd_choose(struct vd_device *d, struct vd_widget *w, int index)
{
	w->chosen = index;
	d->changes++;
	vd_run_event(d, w, "change");
	vd_device_layout(d);
}
