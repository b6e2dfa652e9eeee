/* Acting: presses, drags, scrolling, text, keys. */
#include "backend/virtual/backend_internal.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <string.h>

/* A finger has one button; a mouse's second one asks for what a long press does. */
static int button_hold(const struct vd_device *d, enum rb_button button, int *io_hold,
                       struct error *e)
{
	if (button == RB_BUTTON_PRIMARY)
		return 0;
	if (button == RB_BUTTON_SECONDARY && d->flavour->id == VD_LINUX) {
		*io_hold = *io_hold > VD_LONG_PRESS_MS ? *io_hold : VD_LONG_PRESS_MS;
		return 0;
	}
	return error_set(e, ERR_UNSUPPORTED_OPERATION, "the screen of this device has no such button");
}

int vd_tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	int hold = t->hold_ms, r = vd_need_app(d, e);
	if (r == 0)
		r = button_hold(d, t->button, &hold, e);
	if (r == 0)
		vd_press(d, t->x, t->y, t->clicks, hold);
	return r;
}

int vd_drag_op(struct rb_backend *b, struct call c, const struct rb_drag *g, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	int r = vd_need_app(d, e);
	if (r == 0)
		vd_drag(d, g->x, g->y, g->x2, g->y2, g->duration_ms);
	return r;
}

int vd_scroll_op(struct rb_backend *b, struct call c, const struct rb_scroll *s, int *ret_moved,
                 struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = s->node ? vd_find(d, s->node, &w, e) : vd_need_app(d, e);
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

int vd_perform(struct rb_backend *b, struct call c, const char *node, const char *action,
               const char **ret_name, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	const struct vd_flavour *f = d->flavour;
	struct vd_widget *w = NULL;
	int r = vd_find(d, node, &w, e);
	if (r < 0)
		return r;
	const char *name = action ? action : f->press_action;
	bool done = false;
	double by = w->control ? vd_control_stride(w->control) : 0;
	if (w->control && strcmp(name, f->increment_action) == 0)
		done = vd_control_ask(d, w, w->control->value + by, VD_BY_STEP);
	else if (w->control && strcmp(name, f->decrement_action) == 0)
		done = vd_control_ask(d, w, w->control->value - by, VD_BY_STEP);
	else if (!w->control && strcmp(name, f->press_action) == 0)
		done = vd_activate_widget(d, w);
	if (!done)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the element does not offer \"%s\"", name);
	*ret_name = name == action ? "action" : name;
	return 0;
}

int vd_focus_op(struct rb_backend *b, struct call c, const char *node, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = vd_find(d, node, &w, e);
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
		r = vd_find(d, t->node, ret, e);
	else if (!(*ret = d->focus ? vd_device_find(d, d->focus) : NULL))
		r = error_set(e, ERR_INVALID_TARGET, "no text field has the focus");
	if (r < 0)
		return r;
	if (!vd_is(*ret, VT_TEXT_IN))
		return error_set(e, ERR_INVALID_TARGET, "a %s takes no text",
		                 vd_kind_info((*ret)->kind)->word);
	return (*ret)->enabled ? 0 : error_set(e, ERR_ELEMENT_DISABLED, "the field is disabled");
}

int vd_text(struct rb_backend *b, struct call c, const struct rb_text *t,
            struct rb_text_result *ret, struct error *e)
{
	(void)c;
	struct vd_device *d = vd_tick(b);
	struct vd_widget *w = NULL;
	int r = text_target(d, t, &w, e);
	if (r < 0)
		return r;
	auto_buf struct buf want;
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

int vd_read_text(struct rb_backend *b, struct call c, const char *node, struct buf *out,
                 struct error *e)
{
	(void)c;
	struct vd_widget *w = NULL;
	int r = vd_find(&vd_of(b)->device, node, &w, e);
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

int vd_key_op(struct rb_backend *b, struct call c, const char *chord, struct error *e)
{
	(void)c;
	if (vd_key(vd_tick(b), chord))
		return 0;
	error_set(e, ERR_UNSUPPORTED_OPERATION, "the virtual device has no use for the key %s now",
	          chord);
	return error_hint(e, "it knows enter, tab, backspace and escape");
}
