/* Programs, the device's own buttons, alerts, time. */
#include "backend/virtual/backend_internal.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

/* Only one app runs, but a caller may mean another one. */
int vd_prepare(struct rb_backend *b, struct call c, const char *app, bool interaction,
               struct error *e)
{
	(void)c;
	(void)interaction;
	const struct vd_scene *s = vd_of(b)->device.scene;
	if (!app || (s && strcmp(s->app_id, app) == 0))
		return 0;
	return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running on the virtual device", app);
}

static json_t *app_json(const struct vd_device *d)
{
	return json_pack("{s:s, s:s, s:b, s:b, s:b}", "id", d->scene->app_id, "name",
	                 d->scene->app_name, "running", 1, "frontmost", d->in_front, "accessible", 1);
}

int vd_apps(struct rb_backend *b, struct call c, bool installed, json_t **ret, struct error *e)
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
	auto_free char *bundled = NULL;
	const char *path = target;
	if (!strchr(target, '/') && !strstr(target, ".json") && !strstr(target, ".xml")) {
		auto_buf struct buf name;
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

int vd_launch(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
              struct error *e)
{
	(void)c;
	struct vd *v = vd_of(b);
	struct vd_device *d = vd_tick(b);
	const struct vd_flavour *f = l->flavour ? vd_flavour_from_name(l->flavour) : NULL;
	if (l->flavour && !f)
		return error_set(e, ERR_INVALID_ARGS, "no flavour is called %s", l->flavour);
	if (json_array_size(l->args) || json_object_size(l->env))
		return error_set(e, ERR_UNSUPPORTED_OPERATION,
		                 "a scene takes neither arguments nor an environment");
	bool running = d->scene && strcmp(d->scene->app_id, l->target) == 0;
	bool started = !running || l->relaunch || (f && f != d->flavour);
	bool front = !l->background || d->in_front;
	if (started) {
		struct vd_scene *scene = NULL;
		int r = load_target(v, l->target, &scene, e);
		if (r < 0)
			return r;
		choose_flavour(v, f, scene);
		if ((r = vd_device_open(d, scene, e)) < 0)
			return r;
		vd_faults_set_scene(v->faults, json_object_get(scene->json, "faults"));
	}
	d->in_front = front;
	vd_device_layout(d);
	*ret = app_json(d);
	jx_set_bool(*ret, "started", started);
	jx_set_str(*ret, "flavour", d->flavour->name);
	return 0;
}

int vd_activate(struct rb_backend *b, struct call c, const char *app, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	if (!d->scene || (app && strcmp(app, d->scene->app_id) != 0))
		return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running", app ? app : "the app");
	d->in_front = true;
	vd_device_layout(d);
	return 0;
}

int vd_terminate(struct rb_backend *b, struct call c, const char *app, bool force, bool *ret_left,
                 struct error *e)
{
	(void)c;
	(void)force;
	struct vd_device *d = vd_tick(b);
	if (!d->scene || (app && strcmp(app, d->scene->app_id) != 0))
		return error_set(e, ERR_APP_NOT_RUNNING, "%s is not running", app ? app : "the app");
	vd_device_close_app(d);
	*ret_left = false;
	return 0;
}

int vd_navigate_op(struct rb_backend *b, struct call c, const char *what, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
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

int vd_alert(struct rb_backend *b, struct call c, const char *action, json_t **ret, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
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

int vd_idle(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms, struct error *e)
{
	struct vd_device *d = &vd_of(b)->device;
	vd_device_sweep(d);
	vd_device_advance(d, ms);
	*ret_now_ms = d->clock.now_ms;
	return 0;
}
