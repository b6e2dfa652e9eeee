/* The ops table: every operation finds its widget, moves the device's time by one tick, acts. */
#include "backend/virtual/backend_internal.h"

#include "backend/virtual/fault_tree.h"
#include "backend/virtual/render.h"
#include "backend/virtual/tree.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

struct vd_device *vd_tick(struct rb_backend *b)
{
	struct vd_device *d = &vd_of(b)->device;
	vd_device_sweep(d);
	vd_device_advance(d, VD_TICK_MS);
	return d;
}

/* "v" and a number, nothing else. */
static uint32_t uid_of(const char *node)
{
	int64_t n = 0;
	if (!node || node[0] != 'v' || node[1] < '1' || node[1] > '9' ||
	    !number_parse_int(node + 1, &n))
		return 0;
	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

int vd_find(struct vd_device *d, const char *node, struct vd_widget **ret, struct error *e)
{
	uint32_t uid = uid_of(node);
	struct vd_widget *w = uid ? vd_device_find(d, uid) : NULL;
	if (!w || !vd_widget_visible(w)) {
		error_set(e, ERR_ELEMENT_STALE, "the element is not on the screen any more");
		return error_reason(e, "element_gone");
	}
	*ret = w;
	return 0;
}

int vd_need_app(const struct vd_device *d, struct error *e)
{
	if (vd_device_screen(d))
		return 0;
	error_set(e, ERR_APP_NOT_RUNNING, "no app is in front on the virtual device");
	return error_hint(e, "bring it back with `deft open demo`");
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
	int r = vd_tree_make(vd_tick(b), &t, e);
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
	const struct vd_widget *on_top = NULL;
	ui_rect_center(view->clip, &ret->x, &ret->y);
	ret->has_point = true;
	ret->covered = !vd_reaches(d, w, ret->x, ret->y, &on_top);
	if (on_top) {
		const char *name = on_top->label ? on_top->label : vd_kind_info(on_top->kind)->word;
		memcpy(ret->covered_by, name, strnlen(name, sizeof(ret->covered_by) - 1));
	}
}

static void put_label(const struct vd_widget *w, struct rb_located *ret)
{
	auto_buf struct buf label;
	buf_init(&label, LIM_TREE_STRING);
	vd_label_of(w, &label);
	auto_free char *cut = utf8_repair(label.data, label.len, sizeof(ret->label), NULL);
	if (cut)
		memcpy(ret->label, cut, strnlen(cut, sizeof(ret->label) - 1));
}

static int vd_locate(struct rb_backend *b, struct call c, const char *node, struct rb_located *ret,
                     struct error *e)
{
	(void)c;
	struct vd_device *d = &vd_of(b)->device;
	struct vd_widget *w = NULL;
	int r = vd_find(d, node, &w, e);
	if (r < 0)
		return r;
	struct vd_view view;
	vd_view_of(d, w, &view);
	memset(ret, 0, sizeof(*ret));
	ret->rect = w->rect;
	ret->flags = view.flags;
	ret->role = vd_kind_info(w->kind)->role;
	put_label(w, ret);
	if (view.clipped_away) {
		ret->offscreen = true;
		ret->no_point_reason = "it is scrolled out of view";
	} else {
		press_point(d, w, &view, ret);
	}
	return 0;
}

static int vd_screenshot(struct rb_backend *b, struct call c, const struct rb_shot *s,
                         struct rb_image *ret, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = s->node ? vd_find(d, s->node, &w, e) : 0;
	return r < 0 ? r : vd_render(d, w ? &w->rect : NULL, ret, e);
}

static const struct rb_ops ops = {
	.name = "virtual",
	.describe = vd_describe,
	.close = vd_close,
	.prepare = vd_prepare,
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
