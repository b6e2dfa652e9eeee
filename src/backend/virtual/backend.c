/* The ops table: every operation finds its widget, moves the device's time by one tick, acts. */
#include "backend/virtual/backend_virtual.h"

#include "backend/virtual/device.h"
#include "backend/virtual/fault_tree.h"
#include "backend/virtual/render.h"
#include "backend/virtual/tree.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

struct vd {
	struct rb_backend backend;
	struct vd_device device;
	char *scene_dir;
	const struct vd_flavour *asked; /* NULL: the scene decides */
	struct vd_faults *faults;
	struct ui_tree last; /* the reading before, kept while a fault may ask for it */
};

static struct vd *vd_of(struct rb_backend *b)
{
	return (struct vd *)b;
}

/* Starts a command: time moves on, what fell due has happened. */
static struct vd_device *tick(struct rb_backend *b)
{
	struct vd_device *d = &vd_of(b)->device;
	vd_device_sweep(d);
	vd_device_advance(d, VD_TICK_MS);
	return d;
}

static int find(struct vd_device *d, const char *node, struct vd_widget **ret, struct error *e)
{
	struct vd_widget *w = NULL;
	if (node && node[0] == 'v')
		w = vd_device_find(d, (uint32_t)strtoul(node + 1, NULL, 10));
	if (!w || !vd_widget_visible(w)) {
		error_set(e, ERR_ELEMENT_STALE, "the element is not on the screen any more");
		return error_reason(e, "element_gone");
	}
	*ret = w;
	return 0;
}

static int need_app(const struct vd_device *d, struct error *e)
{
	return vd_device_screen(d)
	           ? 0
	           : error_set(e, ERR_APP_NOT_RUNNING, "no app is in front on the virtual device");
}

/* --- looking -------------------------------------------------------------------------------------- */

static int vd_describe(struct rb_backend *b, struct call c, json_t **ret, struct error *e)
{
	(void)c;
	(void)e;
	const struct vd_device *d = &vd_of(b)->device;
	*ret =
	    json_pack("{s:s, s:s, s:s, s:{s:f, s:f, s:f}, s:{s:b, s:b, s:b, s:b, s:b, s:b, s:b}}",
	              "platform", "virtual", "name", "Virtual device", "flavour", d->flavour->name,
	              "screen", "width", d->width, "height", d->height, "scale", d->flavour->scale,
	              "capabilities", "pointer", 1, "keyboard", 1, "screenshot", 1, "setValue", 1,
	              "semanticActions", 1, "virtualTime", 1, "navigation", d->flavour->id != VD_LINUX);
	jx_set_int(*ret, "deviceTimeMs", d->clock.now_ms);
	jx_set(*ret, "faults", vd_faults_json(vd_of(b)->faults));
	return 0;
}

static void vd_close(struct rb_backend *b)
{
	struct vd *v = vd_of(b);
	vd_device_done(&v->device);
	vd_faults_free(v->faults);
	ui_tree_done(&v->last);
	free(v->scene_dir);
	free(v);
}

static int vd_snapshot(struct rb_backend *b, struct call c, const struct rb_snapshot_opts *o,
                       struct ui_tree *ret, struct error *e)
{
	(void)c;
	(void)o;
	struct vd *v = vd_of(b);
	struct ui_tree t = { 0 }, fresh = { 0 };
	int r = vd_tree_make(tick(b), &t, e);
	if (r == 0 && vd_faults_expects(v->faults, VF_STALE))
		r = vd_tree_copy(&t, &fresh, e);
	if (r == 0)
		r = vd_fault_tree(v->faults, &v->last, &t, e);
	ui_tree_done(&v->last);
	v->last = fresh;
	if (r < 0)
		ui_tree_done(&t);
	else
		*ret = t;
	return r;
}

static void press_point(const struct vd_device *d, const struct vd_widget *w,
                        const struct vd_view *view, struct rb_located *ret)
{
	ui_rect_center(view->clip, &ret->x, &ret->y);
	ret->has_point = true;
	const struct vd_widget *hit = vd_hit(d, ret->x, ret->y), *p = hit;
	while (p && p != w)
		p = p->parent;
	/* Another widget that is no part of w answers there: it lies on top. */
	if (!p && hit) {
		ret->covered = true;
		const char *name = hit->label ? hit->label : vd_kind_info(hit->kind)->word;
		memcpy(ret->covered_by, name, strnlen(name, sizeof(ret->covered_by) - 1));
	}
}

static int vd_locate(struct rb_backend *b, struct call c, const char *node, struct rb_located *ret,
                     struct error *e)
{
	(void)c;
	struct vd_device *d = &vd_of(b)->device;
	struct vd_widget *w = NULL;
	int r = find(d, node, &w, e);
	if (r < 0)
		return r;
	struct vd_view view;
	vd_view_of(d, w, &view);
	memset(ret, 0, sizeof(*ret));
	ret->rect = w->rect;
	ret->flags = view.flags;
	ret->role = vd_kind_info(w->kind)->role;
	ret->covered = view.covered;
	const char *label = w->label ? w->label : w->placeholder ? w->placeholder : w->text;
	auto_free
	char *repaired = label ? utf8_repair(label, strlen(label), sizeof(ret->label), NULL) : NULL;
	if (repaired)
		memcpy(ret->label, repaired, strnlen(repaired, sizeof(ret->label) - 1));
	if (view.clipped_away) {
		ret->offscreen = true;
		ret->no_point_reason = "it is scrolled out of view";
	} else {
		press_point(d, w, &view, ret);
	}
	return 0;
}

/* --- acting --------------------------------------------------------------------------------------- */

static int vd_tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	int r = need_app(d, e);
	if (r == 0)
		vd_press(d, t->x, t->y, t->clicks, t->hold_ms);
	return r;
}

static int vd_drag_op(struct rb_backend *b, struct call c, const struct rb_drag *g, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	int r = need_app(d, e);
	if (r == 0)
		vd_drag(d, g->x, g->y, g->x2, g->y2, g->duration_ms);
	return r;
}

static int vd_scroll_op(struct rb_backend *b, struct call c, const struct rb_scroll *s,
                        int *ret_moved, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = s->node ? find(d, s->node, &w, e) : need_app(d, e);
	if (r < 0)
		return r;
	if (!w)
		w = vd_hit(d, s->x, s->y);
	w = vd_scroller_of(w);
	*ret_moved = 0;
	/* As on a phone: what the inner container can't take moves the one around it. */
	for (; w && !*ret_moved; w = vd_scroller_of(w->parent))
		*ret_moved = vd_scroll(d, w, s->dy);
	return 0;
}

static int vd_perform(struct rb_backend *b, struct call c, const char *node, const char *action,
                      const char **ret_name, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	const struct vd_flavour *f = d->flavour;
	struct vd_widget *w = NULL;
	int r = find(d, node, &w, e);
	if (r < 0)
		return r;
	const char *name = action ? action : f->press_action;
	bool done = false;
	if (w->control && strcmp(name, f->increment_action) == 0)
		done = vd_control_ask(d, w, w->control->value + w->control->step, VD_BY_STEP);
	else if (w->control && strcmp(name, f->decrement_action) == 0)
		done = vd_control_ask(d, w, w->control->value - w->control->step, VD_BY_STEP);
	else if (!w->control && vd_is(w, VT_PRESS) && strcmp(name, f->press_action) == 0 &&
	         w->enabled) {
		double x, y;
		ui_rect_center(w->rect, &x, &y);
		vd_press(d, x, y, 1, 0);
		done = true;
	}
	if (!done)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the element does not offer \"%s\"", name);
	*ret_name = name == action ? "action" : name;
	return 0;
}

static int vd_focus_op(struct rb_backend *b, struct call c, const char *node, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = find(d, node, &w, e);
	if (r < 0)
		return r;
	if (!vd_is(w, VT_TEXT_IN) || !w->enabled)
		return error_set(e, ERR_INVALID_TARGET, "a %s can't take the focus",
		                 vd_kind_info(w->kind)->word);
	vd_focus(d, w);
	return 0;
}

static int text_target(struct vd_device *d, const struct rb_text *t, struct vd_widget **ret,
                       struct error *e)
{
	int r = 0;
	if (t->node)
		r = find(d, t->node, ret, e);
	else if (!(*ret = d->focus ? vd_device_find(d, d->focus) : NULL))
		r = error_set(e, ERR_INVALID_TARGET, "no text field has the focus");
	if (r < 0)
		return r;
	if (!vd_is(*ret, VT_TEXT_IN))
		return error_set(e, ERR_INVALID_TARGET, "a %s takes no text",
		                 vd_kind_info((*ret)->kind)->word);
	return (*ret)->enabled ? 0 : error_set(e, ERR_ELEMENT_DISABLED, "the field is disabled");
}

static int vd_text(struct rb_backend *b, struct call c, const struct rb_text *t,
                   struct rb_text_result *ret, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = text_target(d, t, &w, e);
	if (r < 0)
		return r;
	auto_buf
	struct buf want;
	buf_init(&want, LIM_TEXT * 4);
	if (t->mode == RB_TEXT_APPEND && w->text)
		buf_adds(&want, w->text);
	buf_adds(&want, t->text);
	vd_focus(d, w);
	vd_enter_text(d, w, t->text, t->mode == RB_TEXT_REPLACE);
	vd_device_advance(d, (int64_t)t->delay_ms * (int64_t)utf8_count(t->text));
	const char *now = w->text ? w->text : "";
	ret->route = "text-input";
	ret->secret = vd_is(w, VT_SECRET);
	ret->verified = strcmp(now, want.data) == 0;
	buf_init(&ret->actual, LIM_TEXT * 4);
	if (!ret->secret)
		buf_adds(&ret->actual, now);
	return 0;
}

static int vd_read_text(struct rb_backend *b, struct call c, const char *node, struct buf *out,
                        struct error *e)
{
	(void)c;
	struct vd_widget *w = NULL;
	int r = find(&vd_of(b)->device, node, &w, e);
	if (r < 0)
		return r;
	if (vd_is(w, VT_SECRET))
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the text of a password field is not read");
	if (w->control)
		vd_control_text(w, out);
	else if (w->text && vd_is(w, VT_TEXT_IN))
		buf_adds(out, w->text);
	else
		buf_adds(out, w->label ? w->label : w->text ? w->text : "");
	return 0;
}

static int vd_key_op(struct rb_backend *b, struct call c, const char *chord, struct error *e)
{
	(void)c;
	if (vd_key(tick(b), chord))
		return 0;
	error_set(e, ERR_UNSUPPORTED_OPERATION, "the virtual device has no use for the key %s now",
	          chord);
	return error_hint(e, "it knows enter, tab, backspace and escape");
}

static int vd_screenshot(struct rb_backend *b, struct call c, const struct rb_shot *s,
                         struct rb_image *ret, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = s->node ? find(d, s->node, &w, e) : 0;
	return r < 0 ? r : vd_render(d, w ? &w->rect : NULL, ret, e);
}

/* --- numeric controls ----------------------------------------------------------------------------- */

static int vd_control_read(struct rb_backend *b, struct call c, const char *node,
                           struct rb_control *ret, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = find(d, node, &w, e);
	if (r < 0)
		return r;
	struct vd_view view;
	vd_view_of(d, w, &view);
	memset(ret, 0, sizeof(*ret));
	ret->flags = view.flags;
	ret->role = vd_kind_info(w->kind)->role;
	ret->rect = w->rect;
	ret->has_rect = !view.clipped_away;
	const struct vd_control *k = w->control;
	if (!k)
		return 0;
	auto_buf
	struct buf text;
	buf_init(&text, sizeof(ret->raw) - 1);
	vd_control_text(w, &text);
	memcpy(ret->raw, text.data, text.len + 1);
	ret->has_value = !k->text_only;
	ret->value = k->value;
	ret->has_range = k->has_range;
	ret->min = k->min;
	ret->max = k->max;
	ret->step = k->step;
	ret->vertical = k->vertical;
	ret->rtl = k->rtl;
	ret->can_set = vd_control_offers(w, VD_BY_VALUE);
	ret->can_increment = ret->can_decrement = vd_control_offers(w, VD_BY_STEP);
	if (vd_faults_met(vd_of(b)->faults, VF_NON_FINITE)) {
		ret->value = NAN;
		ret->min = -INFINITY;
		ret->max = INFINITY;
		ret->rect.x = NAN;
	}
	return 0;
}

static int changeable(struct vd_device *d, const char *node, struct vd_widget **ret,
                      struct error *e)
{
	int r = find(d, node, ret, e);
	if (r < 0)
		return r;
	if (!(*ret)->control)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "a %s has no value to set",
		                 vd_kind_info((*ret)->kind)->word);
	return (*ret)->enabled ? 0 : error_set(e, ERR_ELEMENT_DISABLED, "the control is disabled");
}

static int vd_control_set(struct rb_backend *b, struct call c, const char *node, double value,
                          struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = changeable(d, node, &w, e);
	if (r < 0)
		return r;
	if (!vd_control_ask(d, w, value, VD_BY_VALUE))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE,
		                 "the control does not offer a direct set");
	return 0;
}

static int vd_control_step(struct rb_backend *b, struct call c, const char *node, int direction,
                           struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *w = NULL;
	int r = changeable(d, node, &w, e);
	if (r < 0)
		return r;
	const struct vd_control *k = w->control;
	double by = k->step > 0 ? k->step : (k->max - k->min) / 10;
	if (!vd_control_ask(d, w, k->value + direction * by, VD_BY_STEP))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the control offers no steps");
	return 0;
}

/* --- apps ----------------------------------------------------------------------------------------- */

static json_t *app_json(const struct vd_device *d)
{
	return json_pack("{s:s, s:s, s:b, s:b, s:b}", "id", d->scene->app_id, "name",
	                 d->scene->app_name, "running", 1, "frontmost", d->in_front, "accessible", 1);
}

static int vd_apps(struct rb_backend *b, struct call c, bool installed, json_t **ret,
                   struct error *e)
{
	(void)c;
	(void)e;
	const struct vd *v = vd_of(b);
	json_t *list = json_array();
	if (v->device.scene)
		json_array_append_new(list, app_json(&v->device));
	bool is_demo = v->device.scene && strcmp(v->device.scene->app_id, "demo") == 0;
	if (installed && !is_demo)
		json_array_append_new(
		    list, json_pack("{s:s, s:s, s:b}", "id", "demo", "name", "Demo", "running", 0));
	*ret = list;
	return 0;
}

/* "demo" is a bundled scene; anything with a slash or ".json"/".xml" is a file. */
static int load_target(const struct vd *v, const char *target, struct vd_scene **ret,
                       struct error *e)
{
	auto_free
	char *bundled = NULL;
	const char *path = target;
	if (!strchr(target, '/') && !strstr(target, ".json") && !strstr(target, ".xml")) {
		auto_buf
		struct buf name;
		buf_init(&name, LIM_PATH);
		buf_addf(&name, "%s.json", target);
		bundled = fs_join(v->scene_dir ? v->scene_dir : ".", name.data);
		path = bundled;
	}
	if (!path || !fs_exists(path)) {
		error_set(e, ERR_APP_NOT_FOUND, "there is no app or scene \"%s\"", target);
		return error_hint(e, "`demo` is bundled; a scene of your own is opened with --scene FILE");
	}
	return vd_scene_load(path, ret, e);
}

static void choose_flavour(struct vd *v, const struct vd_flavour *asked, const struct vd_scene *s)
{
	const struct vd_flavour *f = asked ? asked : v->asked ? v->asked : s->flavour;
	v->device.flavour = f ? f : vd_flavour(VD_ANDROID);
	vd_rotate(&v->device, v->device.landscape);
}

static int vd_launch(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
                     struct error *e)
{
	(void)c;
	struct vd *v = vd_of(b);
	struct vd_device *d = tick(b);
	const struct vd_flavour *f = l->flavour ? vd_flavour_from_name(l->flavour) : NULL;
	if (l->flavour && !f)
		return error_set(e, ERR_INVALID_ARGS, "no flavour is called %s", l->flavour);
	bool running = d->scene && strcmp(d->scene->app_id, l->target) == 0;
	bool started = !running || l->relaunch || (f && f != d->flavour);
	if (!started) {
		d->in_front = true;
		vd_device_layout(d);
	} else {
		struct vd_scene *scene = NULL;
		int r = load_target(v, l->target, &scene, e);
		if (r < 0)
			return r;
		choose_flavour(v, f, scene);
		if ((r = vd_device_open(d, scene, e)) < 0)
			return r;
		vd_faults_set_scene(v->faults, json_object_get(scene->json, "faults"));
	}
	*ret = app_json(d);
	jx_set_bool(*ret, "started", started);
	jx_set_str(*ret, "flavour", d->flavour->name);
	return 0;
}

static int vd_activate(struct rb_backend *b, struct call c, const char *app, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	if (!d->scene || (app && strcmp(app, d->scene->app_id) != 0))
		return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running", app ? app : "the app");
	d->in_front = true;
	vd_device_layout(d);
	return 0;
}

static int vd_terminate(struct rb_backend *b, struct call c, const char *app, bool force,
                        bool *ret_left, struct error *e)
{
	(void)c;
	(void)force;
	struct vd_device *d = tick(b);
	if (!d->scene || (app && strcmp(app, d->scene->app_id) != 0))
		return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running", app ? app : "the app");
	vd_device_close_app(d);
	*ret_left = false;
	return 0;
}

static int vd_navigate_op(struct rb_backend *b, struct call c, const char *what, struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	if (strcmp(what, "back") == 0) {
		if (!d->flavour->system_back && !(d->n_stack > 1 || d->n_overlays || d->keyboard))
			return error_set(e, ERR_UNSUPPORTED_OPERATION, "there is nothing to go back to");
		vd_back(d);
	} else if (strcmp(what, "home") == 0) {
		vd_home(d);
	} else if (strcmp(what, "keyboardDismiss") == 0) {
		vd_keyboard_hide(d);
		d->focus = 0;
	} else if (strncmp(what, "rotate:", 7) == 0) {
		vd_rotate(d, strncmp(what + 7, "landscape", 9) == 0);
	} else {
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the virtual device can't %s", what);
	}
	return 0;
}

static struct vd_widget *button_of(struct vd_widget *alert, bool accept)
{
	struct vd_widget *first = NULL, *last = NULL;
	for (struct vd_widget *c = alert->first; c; c = c->next) {
		if (c->kind != VD_BUTTON)
			continue;
		first = first ? first : c;
		last = c;
	}
	return accept ? last : first;
}

static int vd_alert(struct rb_backend *b, struct call c, const char *action, json_t **ret,
                    struct error *e)
{
	(void)c;
	struct vd_device *d = tick(b);
	struct vd_widget *o = d->n_overlays ? d->overlays[d->n_overlays - 1] : NULL;
	bool present = o && o->kind == VD_ALERT;
	*ret = json_pack("{s:b}", "present", present);
	if (!present)
		return 0;
	json_t *buttons = json_array();
	for (struct vd_widget *w = o->first; w; w = w->next)
		if (w->kind == VD_BUTTON)
			json_array_append_new(buttons, json_string(w->label));
	jx_set_str(*ret, "title", o->label);
	jx_set(*ret, "buttons", buttons);
	if (strcmp(action, "get") == 0)
		return 0;
	struct vd_widget *w = button_of(o, strcmp(action, "accept") == 0);
	if (!w)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the alert has no button");
	jx_set_str(*ret, "button", w->label);
	double x, y;
	ui_rect_center(w->rect, &x, &y);
	vd_press(d, x, y, 1, 0);
	return 0;
}

static int vd_idle(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms,
                   struct error *e)
{
	struct vd_device *d = &vd_of(b)->device;
	vd_device_sweep(d);
	vd_device_advance(d, ms);
	*ret_now_ms = d->clock.now_ms;
	return 0;
}

static const struct rb_ops ops = {
	.name = "virtual",
	.describe = vd_describe,
	.close = vd_close,
	.snapshot = vd_snapshot,
	.locate = vd_locate,
	.tap = vd_tap,
	.drag = vd_drag_op,
	.scroll = vd_scroll_op,
	.perform = vd_perform,
	.focus = vd_focus_op,
	.text = vd_text,
	.read_text = vd_read_text,
	.key = vd_key_op,
	.screenshot = vd_screenshot,
	.control_read = vd_control_read,
	.control_set = vd_control_set,
	.control_step = vd_control_step,
	.apps = vd_apps,
	.launch = vd_launch,
	.activate = vd_activate,
	.terminate = vd_terminate,
	.navigate = vd_navigate_op,
	.alert = vd_alert,
	.idle = vd_idle,
};

int vd_backend_open(struct rb_backend **ret, const struct vd_options *o, struct error *e)
{
	const struct vd_flavour *asked = o->flavour ? vd_flavour_from_name(o->flavour) : NULL;
	if (o->flavour && !asked)
		return error_set(e, ERR_INVALID_ARGS,
		                 "no flavour is called %s; there are android, ios, linux", o->flavour);
	struct vd *v = calloc(1, sizeof(*v));
	if (!v)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	v->backend.ops = &ops;
	v->asked = asked;
	v->scene_dir = o->scene_dir ? strdup(o->scene_dir) : NULL;
	vd_device_init(&v->device, asked ? asked : vd_flavour(VD_ANDROID));
	v->device.dark = o->dark;
	int r = vd_faults_new(&v->faults, o->faults, o->request_faults, e);
	if (r < 0)
		vd_close(&v->backend);
	else
		*ret = &v->backend;
	return r;
}

struct rc_hooks vd_backend_hooks(struct rb_backend *b)
{
	return vd_faults_hooks(vd_of(b)->faults);
}
