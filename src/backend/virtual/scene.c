#include "backend/virtual/scene.h"

#include "backend/virtual/import.h"
#include "backend/virtual/scene_check.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

static char *copy_or(const char *s, const char *dflt)
{
	return strdup(s && *s ? s : dflt);
}

int vd_scene_parse(const char *text, size_t len, const char *name, struct vd_scene **ret,
                   struct error *e)
{
	auto_json json_t *json = jx_parse(text, len, e);
	if (!json)
		return error_prefix(e, "%s", name);
	int r = vd_scene_check(json, text, len, name, e);
	if (r < 0)
		return r;
	struct vd_scene *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	const json_t *app = json_object_get(json, "app");
	const json_t *first = json_array_get(json_object_get(json, "screens"), 0);
	const char *flavour = jx_get_str(json, "flavour", NULL);
	s->json = json_incref(json);
	s->app_id = copy_or(jx_get_str(app, "id", NULL), "scene");
	s->app_name = copy_or(jx_get_str(app, "name", NULL), s->app_id ? s->app_id : "scene");
	s->start = copy_or(jx_get_str(json, "start", NULL), jx_get_str(first, "id", ""));
	s->flavour = flavour ? vd_flavour_from_name(flavour) : NULL;
	if (!s->app_id || !s->app_name || !s->start) {
		vd_scene_free(s);
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	*ret = s;
	return 0;
}

int vd_scene_load(const char *path, struct vd_scene **ret, struct error *e)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_SCENE);
	int r = fs_read(path, LIM_SCENE, &text, e);
	if (r < 0)
		return r;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	if (!vd_import_wanted(text.data, text.len))
		return vd_scene_parse(text.data, text.len, name, ret, e);
	auto_buf struct buf made;
	buf_init(&made, LIM_SCENE);
	r = vd_import(text.data, text.len, name, &made, e);
	return r < 0 ? r : vd_scene_parse(made.data, made.len, name, ret, e);
}

void vd_scene_free(struct vd_scene *s)
{
	if (!s)
		return;
	json_decref(s->json);
	free(s->app_id);
	free(s->app_name);
	free(s->start);
	free(s);
}

const json_t *vd_scene_screen(const struct vd_scene *s, const char *id)
{
	size_t i;
	json_t *screen;
	json_array_foreach(json_object_get(s->json, "screens"), i,
	                   screen) if (strcmp(jx_get_str(screen, "id", ""), id) == 0) return screen;
	return NULL;
}

static bool make_control(struct vd_widget *w, const json_t *o)
{
	struct vd_control *c = calloc(1, sizeof(*c));
	if (!c)
		return false;
	c->min = jx_get_num(o, "min", 0);
	c->max = jx_get_num(o, "max", 1);
	c->step = jx_get_num(o, "step", 0);
	c->value = jx_get_num(o, "value", c->min);
	c->has_range = jx_get_bool(o, "range", true);
	c->direct = jx_get_bool(o, "direct", false);
	c->steps = jx_get_bool(o, "steps", false);
	c->by_point = jx_get_bool(o, "byPoint", true);
	c->vertical = jx_get_bool(o, "vertical", false);
	c->rtl = jx_get_bool(o, "rtl", false);
	c->stuck = jx_get_bool(o, "stuck", false);
	c->text_only = jx_get_bool(o, "textOnly", false);
	c->delay_ms = (int)jx_get_int(o, "delayMs", 0);
	c->slip = (int)jx_get_int(o, "slip", 0);
	c->vanish_after = (int)jx_get_int(o, "vanishAfter", 0);
	c->lose_direct_after = (int)jx_get_int(o, "loseDirectAfter", 0);
	vd_replace(&c->format, jx_get_str(o, "format", NULL));
	w->control = c;
	return true;
}

static void set_place(struct vd_widget *w, const json_t *at)
{
	if (json_array_size(at) != 4)
		return;
	w->fixed = true;
	w->at = (struct ui_rect){ json_number_value(json_array_get(at, 0)),
		                      json_number_value(json_array_get(at, 1)),
		                      json_number_value(json_array_get(at, 2)),
		                      json_number_value(json_array_get(at, 3)) };
}

/* The parts of a segmented control are widgets of their own. */
static bool append_segments(struct vd_widget *w, uint32_t *uid)
{
	size_t i;
	json_t *choice;
	json_array_foreach(w->choices, i, choice)
	{
		struct vd_widget *tab = vd_widget_new(VD_TAB, (*uid)++);
		if (!tab)
			return false;
		tab->height = 40;
		vd_replace(&tab->label, json_string_value(choice));
		vd_widget_append(w, tab);
	}
	return true;
}

static struct vd_widget *make_widget(const json_t *spec, uint32_t *uid);

bool vd_scene_add(struct vd_widget *parent, const json_t *spec, uint32_t *uid)
{
	int64_t times = jx_get_int(spec, "repeat", 1);
	for (int64_t n = 0; n < times; n++) {
		struct vd_widget *child = make_widget(spec, uid);
		if (!child)
			return false;
		if (times > 1)
			vd_widget_number(child, n);
		vd_widget_append(parent, child);
	}
	return true;
}

bool vd_scene_add_all(struct vd_widget *parent, const json_t *list, uint32_t *uid)
{
	size_t i;
	json_t *spec;
	json_array_foreach(list, i, spec) if (!vd_scene_add(parent, spec, uid)) return false;
	return true;
}

static struct vd_widget *make_widget(const json_t *spec, uint32_t *uid)
{
	int kind = vd_kind_from_word(jx_get_str(spec, "type", ""));
	struct vd_widget *w = vd_widget_new((enum vd_kind)(kind < 0 ? VD_COLUMN : kind), (*uid)++);
	if (!w)
		return NULL;
	vd_replace(&w->id, jx_get_str(spec, "id", NULL));
	vd_replace(&w->label, jx_get_str(spec, "label", NULL));
	vd_replace(&w->text, jx_get_str(spec, "text", NULL));
	vd_replace(&w->placeholder, jx_get_str(spec, "placeholder", NULL));
	w->enabled = jx_get_bool(spec, "enabled", true);
	w->shown = jx_get_bool(spec, "visible", true);
	w->checked = jx_get_bool(spec, "checked", false);
	w->sticky = jx_get_bool(spec, "sticky", false);
	w->collapsed = jx_get_bool(spec, "collapsed", false);
	w->width = jx_get_num(spec, "width", 0);
	w->height = jx_get_num(spec, "height", 0);
	w->on = json_incref(json_object_get(spec, "on"));
	w->choices = json_incref(json_object_get(spec, "choices"));
	w->chosen = (int)jx_get_int(spec, "chosen", w->choices ? 0 : -1);
	set_place(w, json_object_get(spec, "at"));
	const json_t *control = json_object_get(spec, "control");
	if ((control && !make_control(w, control)) ||
	    (w->kind == VD_SEGMENTS && !append_segments(w, uid)) ||
	    !vd_scene_add_all(w, json_object_get(spec, "children"), uid)) {
		vd_widget_free(w);
		return NULL;
	}
	return w;
}
