#include "backend/virtual/device.h"

#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

int vd_device_init(struct vd_device *d, const struct vd_flavour *flavour)
{
	memset(d, 0, sizeof(*d));
	d->flavour = flavour;
	d->uids = 1;
	d->width = flavour->width;
	d->height = flavour->height;
	return 0;
}

void vd_device_bury(struct vd_device *d, struct vd_widget *root)
{
	if (!root)
		return;
	root->next = d->dead;
	d->dead = root;
}

void vd_device_sweep(struct vd_device *d)
{
	while (d->dead) {
		struct vd_widget *w = d->dead;
		d->dead = w->next;
		vd_widget_free(w);
	}
}

static void drop_overlays(struct vd_device *d)
{
	while (d->n_overlays)
		vd_device_bury(d, d->overlays[--d->n_overlays]);
}

static void drop_screens(struct vd_device *d)
{
	while (d->n_stack) {
		vd_device_bury(d, d->stack[--d->n_stack]);
		free(d->stack_ids[d->n_stack]);
	}
}

static void drop_all(struct vd_device *d)
{
	drop_overlays(d);
	drop_screens(d);
	vd_keyboard_hide(d);
	vd_clock_reset(&d->clock);
	d->focus = 0;
}

void vd_device_done(struct vd_device *d)
{
	drop_all(d);
	vd_device_sweep(d);
	vd_clock_done(&d->clock);
	vd_scene_free(d->scene);
}

int vd_device_open(struct vd_device *d, struct vd_scene *scene, struct error *e)
{
	if (!scene && !d->scene)
		return error_set(e, ERR_APP_NOT_RUNNING, "no scene is loaded");
	drop_all(d);
	if (scene) {
		vd_scene_free(d->scene);
		d->scene = scene;
	}
	d->in_front = true;
	d->appended = 0;
	if (vd_navigate(d, d->scene->start) < 0)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	vd_device_layout(d);
	return 0;
}

void vd_device_close_app(struct vd_device *d)
{
	drop_all(d);
	vd_scene_free(d->scene);
	d->scene = NULL;
	d->in_front = false;
}

static void settle(struct vd_device *d, const struct vd_timer *t)
{
	struct vd_widget *w = vd_device_find(d, t->widget);
	if (!w || !w->control)
		return;
	w->control->value = t->value;
	d->changes++;
	vd_run_event(d, w, "change");
}

void vd_device_advance(struct vd_device *d, int64_t ms)
{
	int64_t until = d->clock.now_ms + ms;
	struct vd_timer t;
	/* A timer that sets timers of 0 ms must not hold the device for ever. */
	for (int budget = LIM_TIMER_RUNS; budget > 0 && vd_clock_next(&d->clock, until, &t); budget--) {
		if (t.actions)
			vd_run_actions(d, t.actions);
		else
			settle(d, &t);
	}
	if (d->clock.now_ms < until)
		d->clock.now_ms = until;
	vd_device_layout(d);
}

struct vd_widget *vd_device_screen(const struct vd_device *d)
{
	return d->in_front && d->n_stack ? d->stack[d->n_stack - 1] : NULL;
}

unsigned vd_device_roots(const struct vd_device *d, struct vd_widget **ret)
{
	unsigned n = 0;
	struct vd_widget *screen = vd_device_screen(d);
	if (!screen)
		return 0;
	ret[n++] = screen;
	for (unsigned i = 0; i < d->n_overlays; i++)
		ret[n++] = d->overlays[i];
	if (d->keyboard)
		ret[n++] = d->keyboard;
	return n;
}

struct vd_widget *vd_device_find(const struct vd_device *d, uint32_t uid)
{
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(d, roots);
	for (unsigned i = 0; i < n; i++) {
		struct vd_widget *w = vd_widget_by_uid(roots[i], uid);
		if (w)
			return w;
	}
	return NULL;
}

struct vd_widget *vd_device_by_id(const struct vd_device *d, const char *id)
{
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(d, roots);
	while (n-- > 0) {
		struct vd_widget *w = vd_widget_by_id(roots[n], id);
		if (w)
			return w;
	}
	return NULL;
}

/* --- screens ------------------------------------------------------------------------------------ */

static struct vd_widget *add(struct vd_device *d, struct vd_widget *parent, enum vd_kind kind,
                             const char *id, const char *label)
{
	struct vd_widget *w = vd_widget_new(kind, d->uids++);
	if (!w)
		return NULL;
	vd_replace(&w->id, id);
	vd_replace(&w->label, label);
	if (parent)
		vd_widget_append(parent, w);
	return w;
}

static json_t *back_binding(void)
{
	return json_pack("{s:[{s:s}]}", "press", "do", "back");
}

static struct vd_widget *make_screen(struct vd_device *d, const json_t *spec)
{
	struct vd_widget *screen = add(d, NULL, VD_SCREEN, NULL, d->scene->app_name);
	struct vd_widget *bar = screen ? add(d, screen, VD_NAVBAR, NULL, NULL) : NULL;
	bool ok = bar != NULL;
	if (ok && d->n_stack > 0) {
		struct vd_widget *back = add(d, bar, VD_BUTTON, "back", "Back");
		ok = back != NULL;
		if (ok) {
			back->width = 72;
			back->on = back_binding();
		}
	}
	ok = ok && add(d, bar, VD_HEADING, NULL, jx_get_str(spec, "title", d->scene->app_name)) &&
	     vd_scene_add_all(bar, json_object_get(spec, "top"), &d->uids);
	struct vd_widget *body = ok ? add(d, screen, VD_BODY, NULL, NULL) : NULL;
	ok = body && vd_scene_add_all(body, json_object_get(spec, "body"), &d->uids);
	if (ok && json_object_get(spec, "tabs")) {
		struct vd_widget *tabs = add(d, screen, VD_TABS, NULL, NULL);
		ok = tabs && vd_scene_add_all(tabs, json_object_get(spec, "tabs"), &d->uids);
	}
	if (!ok) {
		vd_widget_free(screen);
		return NULL;
	}
	return screen;
}

/* Going to a screen that is in the stack already goes back to it. */
static bool go_back_to(struct vd_device *d, const char *id)
{
	for (unsigned i = 0; i < d->n_stack; i++) {
		if (strcmp(d->stack_ids[i], id) != 0)
			continue;
		while (d->n_stack > i + 1) {
			vd_device_bury(d, d->stack[--d->n_stack]);
			free(d->stack_ids[d->n_stack]);
		}
		return true;
	}
	return false;
}

int vd_navigate(struct vd_device *d, const char *id)
{
	const json_t *spec = vd_scene_screen(d->scene, id);
	vd_keyboard_hide(d);
	d->focus = 0;
	drop_overlays(d);
	if (!spec || go_back_to(d, id) || d->n_stack >= VD_STACK_MAX)
		return 0;
	struct vd_widget *screen = make_screen(d, spec);
	char *name = strdup(id);
	if (!screen || !name) {
		vd_widget_free(screen);
		free(name);
		return -ERR_LIMIT_EXCEEDED;
	}
	d->stack[d->n_stack] = screen;
	d->stack_ids[d->n_stack++] = name;
	vd_run_actions(d, json_object_get(json_object_get(spec, "on"), "open"));
	return 0;
}

bool vd_pop(struct vd_device *d)
{
	if (d->n_stack < 2)
		return false;
	vd_keyboard_hide(d);
	vd_device_bury(d, d->stack[--d->n_stack]);
	free(d->stack_ids[d->n_stack]);
	d->focus = 0;
	vd_device_layout(d);
	return true;
}

void vd_back(struct vd_device *d)
{
	if (d->keyboard)
		vd_keyboard_hide(d);
	else if (d->n_overlays && d->overlays[d->n_overlays - 1]->kind != VD_ALERT)
		vd_dismiss(d);
	else if (!d->n_overlays && !vd_pop(d))
		d->in_front = false;
	vd_device_layout(d);
}

void vd_home(struct vd_device *d)
{
	vd_keyboard_hide(d);
	d->in_front = false;
}

void vd_rotate(struct vd_device *d, bool landscape)
{
	d->landscape = landscape;
	d->width = landscape ? d->flavour->height : d->flavour->width;
	d->height = landscape ? d->flavour->width : d->flavour->height;
	vd_device_layout(d);
}

void vd_dismiss(struct vd_device *d)
{
	if (d->n_overlays)
		vd_device_bury(d, d->overlays[--d->n_overlays]);
	vd_device_layout(d);
}

void vd_keyboard_hide(struct vd_device *d)
{
	vd_device_bury(d, d->keyboard);
	d->keyboard = NULL;
}
