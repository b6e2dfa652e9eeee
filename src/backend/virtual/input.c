/* Input: what lies under a point, and what a press, drag, key or text does to it. */
#include "backend/virtual/device.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

static struct vd_widget *hit_in(struct vd_widget *w, double x, double y)
{
	if (!w->shown || !ui_rect_contains(w->rect, x, y))
		return NULL;
	struct vd_widget *found = w;
	for (struct vd_widget *c = w->first; c; c = c->next) {
		struct vd_widget *deeper = hit_in(c, x, y);
		if (deeper)
			found = deeper;
	}
	for (struct vd_widget *c = w->first; c; c = c->next) {
		struct vd_widget *on_top = c->sticky ? hit_in(c, x, y) : NULL;
		if (on_top)
			found = on_top;
	}
	return found;
}

struct vd_widget *vd_hit(const struct vd_device *d, double x, double y)
{
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(d, roots);
	while (n-- > 0) {
		struct vd_widget *w = hit_in(roots[n], x, y);
		/* An overlay takes everything, also what goes past it. */
		if (w || (n > 0 && roots[n]->kind != VD_KEYBOARD))
			return w;
	}
	return NULL;
}

bool vd_reaches(const struct vd_device *d, const struct vd_widget *w, double x, double y,
                const struct vd_widget **ret_on_top)
{
	const struct vd_widget *hit = vd_hit(d, x, y), *p = hit;
	while (p && p != w)
		p = p->parent;
	if (!p && ret_on_top)
		*ret_on_top = hit;
	return p != NULL;
}

static struct vd_widget *taker(struct vd_widget *w)
{
	for (; w; w = w->parent)
		if (vd_is(w, VT_PRESS | VT_CONTROL))
			return w;
	return NULL;
}

static void keyboard_show(struct vd_device *d)
{
	if (d->keyboard || d->flavour->keyboard <= 0)
		return;
	d->keyboard = vd_widget_new(VD_KEYBOARD, d->uids++);
	if (d->keyboard)
		vd_replace(&d->keyboard->label, "Keyboard");
}

/* A field that takes text is never left under the keyboard. */
static void scroll_above_keyboard(struct vd_device *d, struct vd_widget *w)
{
	struct vd_widget *body = w;
	while (body && body->kind != VD_BODY)
		body = body->parent;
	double hidden = w->rect.y + w->rect.height + 8 - d->keyboard->rect.y;
	if (body && hidden > 0)
		vd_scroll(d, body, hidden);
}

void vd_focus(struct vd_device *d, struct vd_widget *w)
{
	d->focus = w ? w->uid : 0;
	if (w && vd_is(w, VT_TEXT_IN))
		keyboard_show(d);
	else
		vd_keyboard_hide(d);
	vd_device_layout(d);
	if (w && d->keyboard)
		scroll_above_keyboard(d, w);
}

static int index_in_parent(const struct vd_widget *w)
{
	int i = 0;
	for (const struct vd_widget *c = w->parent->first; c != w; c = c->next)
		i++;
	return i;
}

static void uncheck_others(struct vd_widget *w)
{
	for (struct vd_widget *c = w->parent ? w->parent->first : NULL; c; c = c->next)
		if (c->kind == VD_RADIO && c != w)
			c->checked = false;
}

static void press_check(struct vd_device *d, struct vd_widget *w)
{
	if (w->kind == VD_RADIO) {
		w->checked = true;
		uncheck_others(w);
	} else {
		w->checked = !w->checked;
	}
	d->changes++;
	vd_run_event(d, w, "change");
}

static void press_option(struct vd_device *d, struct vd_widget *option)
{
	int index = index_in_parent(option);
	/* The popup's text carries the number of the widget that opened it. */
	uint32_t owner = option->parent->text ? (uint32_t)strtoul(option->parent->text, NULL, 10) : 0;
	vd_dismiss(d);
	struct vd_widget *w = vd_device_find(d, owner);
	if (w)
		vd_choose(d, w, index);
}

static void press_widget(struct vd_device *d, struct vd_widget *w, double x, double y)
{
	d->presses++;
	if (w->kind == VD_OPTION) {
		press_option(d, w);
		return;
	}
	if (w->kind == VD_TAB && w->parent && w->parent->kind == VD_SEGMENTS)
		vd_choose(d, w->parent, index_in_parent(w));
	else if (vd_is(w, VT_TEXT_IN))
		vd_focus(d, w);
	else if (w->kind == VD_DROPDOWN)
		vd_open_popup(d, w);
	else if (vd_is(w, VT_CHECK))
		press_check(d, w);
	else if (w->control)
		vd_control_ask(d, w, vd_control_at(w, x, y), VD_BY_POINT);
	vd_run_event(d, w, "press");
}

void vd_press(struct vd_device *d, double x, double y, int clicks, int hold_ms)
{
	for (int i = 0; i < clicks; i++) {
		struct vd_widget *at = vd_hit(d, x, y), *w = taker(at);
		if (!at && d->n_overlays && d->overlays[d->n_overlays - 1]->kind != VD_ALERT)
			vd_dismiss(d);
		else if (w && w->enabled && hold_ms >= VD_LONG_PRESS_MS &&
		         json_object_get(w->on, "longPress"))
			vd_run_event(d, w, "longPress");
		else if (w && w->enabled)
			press_widget(d, w, x, y);
		vd_device_layout(d);
	}
	vd_device_advance(d, hold_ms);
}

static bool in_topmost(const struct vd_device *d, const struct vd_widget *w)
{
	while (w->parent)
		w = w->parent;
	return w == (d->n_overlays ? d->overlays[d->n_overlays - 1] : vd_device_screen(d));
}

bool vd_activate_widget(struct vd_device *d, struct vd_widget *w)
{
	double x, y;
	if (!vd_is(w, VT_PRESS) || !w->enabled || !in_topmost(d, w))
		return false;
	ui_rect_center(w->rect, &x, &y);
	press_widget(d, w, x, y);
	vd_device_layout(d);
	return true;
}

struct vd_widget *vd_scroller_of(struct vd_widget *w)
{
	while (w && !vd_is(w, VT_SCROLLS))
		w = w->parent;
	return w;
}

bool vd_scroll(struct vd_device *d, struct vd_widget *container, double dy)
{
	double most = fmax(0, container->content - container->rect.height);
	double before = container->offset;
	container->offset = fmin(most, fmax(0, before + dy));
	vd_device_layout(d);
	return container->offset != before;
}

void vd_drag(struct vd_device *d, double x, double y, double x2, double y2, int duration_ms)
{
	struct vd_widget *at = vd_hit(d, x, y), *w = taker(at);
	if (w && w->control && w->enabled) {
		vd_control_ask(d, w, vd_control_at(w, x2, y2), VD_BY_POINT);
	} else {
		struct vd_widget *scroller = vd_scroller_of(at);
		double left = y - y2;
		/* What the inner container can't take goes to the next one around it. */
		while (scroller && left != 0) {
			double before = scroller->offset;
			vd_scroll(d, scroller, left);
			left -= scroller->offset - before;
			scroller = vd_scroller_of(scroller->parent);
		}
	}
	vd_device_advance(d, duration_ms);
}

static bool date_ok(const char *text)
{
	for (int i = 0; i < 10; i++) {
		bool dash = i == 4 || i == 7;
		if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9')
			return false;
	}
	int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
	return text[10] == '\0' && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

void vd_enter_text(struct vd_device *d, struct vd_widget *w, const char *text, bool replace)
{
	auto_buf struct buf now;
	buf_init(&now, LIM_TREE_STRING);
	if (!replace && w->text)
		buf_adds(&now, w->text);
	for (const char *p = text; *p; p++)
		if (*p != '\n' || vd_is(w, VT_MULTILINE))
			buf_addc(&now, *p);
	if (w->kind == VD_DATE && !date_ok(now.data))
		return;
	vd_widget_set_text(w, now.data);
	w->edits++;
	d->changes++;
	vd_replace(&w->error, NULL);
	vd_run_event(d, w, "change");
	if (!vd_is(w, VT_MULTILINE) && strchr(text, '\n'))
		vd_run_event(d, w, "submit");
	vd_device_layout(d);
}

static void focus_next(struct vd_device *d)
{
	struct vd_widget *screen = vd_device_screen(d), *first = NULL;
	bool after = false;
	for (struct vd_widget *w = screen; w; w = vd_widget_next(screen, w)) {
		if (!vd_is(w, VT_TEXT_IN) || !w->enabled || !vd_widget_visible(w))
			continue;
		if (after) {
			vd_focus(d, w);
			return;
		}
		if (!first)
			first = w;
		after = w->uid == d->focus;
	}
	vd_focus(d, first);
}

static void drop_last_character(struct vd_device *d, struct vd_widget *w)
{
	if (!w->text)
		return;
	size_t n = utf8_count(w->text);
	w->text[utf8_offset(w->text, n - 1)] = '\0';
	d->changes++;
	vd_run_event(d, w, "change");
}

bool vd_key(struct vd_device *d, const char *chord)
{
	struct vd_widget *w = d->focus ? vd_device_find(d, d->focus) : NULL;
	if (strcmp(chord, "tab") == 0)
		focus_next(d);
	else if (strcmp(chord, "escape") == 0)
		vd_back(d);
	else if (strcmp(chord, "enter") == 0 && w)
		vd_enter_text(d, w, "\n", false);
	else if (strcmp(chord, "backspace") == 0 && w)
		drop_last_character(d, w);
	else
		return false;
	vd_device_layout(d);
	return true;
}
