/* Where everything stands. Stacks go downwards, rows share the width, scroll containers clip and shift
 * their content; one pass, linear in the number of widgets. */
#include "backend/virtual/device.h"

#include "base/utf8.h"

#include <math.h>

#define GAP 8.0
#define CHAR_WIDTH 8.4 /* what a line of text is reckoned with */
#define LINE_HEIGHT 20.0

static double padding_of(const struct vd_widget *w)
{
	switch (w->kind) {
	case VD_BODY:
	case VD_CARD: return 12;
	case VD_ALERT:
	case VD_SHEET: return 16;
	case VD_SCROLL: return 8;
	default: return 0;
	}
}

static double gap_of(const struct vd_widget *w)
{
	return w->kind == VD_LIST || w->kind == VD_POPUP ? 0 : GAP;
}

static double text_height(const struct vd_widget *w, double width)
{
	const char *text = w->text ? w->text : w->label;
	double per_line = fmax(1, floor(width / CHAR_WIDTH));
	double lines = text ? ceil((double)utf8_count(text) / per_line) : 1;
	return fmax(1, lines) * LINE_HEIGHT + 2;
}

static double own_height(const struct vd_widget *w, double width)
{
	if (w->height > 0)
		return w->height;
	if (w->control && w->control->vertical)
		return 200;
	if (w->kind == VD_TEXT)
		return text_height(w, width);
	return vd_kind_info(w->kind)->height;
}

static double place(struct vd_widget *w, double x, double y, double width);

static double place_stack(struct vd_widget *w, double x, double y, double width)
{
	double pad = padding_of(w), gap = gap_of(w), at = y + pad;
	bool first = true;
	for (struct vd_widget *c = w->first; c; c = c->next) {
		if (!c->shown)
			continue;
		if (c->fixed) {
			place(c, x, y, width);
			continue;
		}
		if (!first)
			at += gap;
		first = false;
		at += place(c, x + pad, at, width - 2 * pad);
	}
	return at + pad - y;
}

/* Moves a subtree; used where the place is known only after the content. */
static void shift(struct vd_widget *root, double dy)
{
	for (struct vd_widget *w = root; w; w = vd_widget_next(root, w))
		w->rect.y += dy;
}

static void centre_row(struct vd_widget *w, double y, double high)
{
	for (struct vd_widget *c = w->first; c; c = c->next)
		if (c->shown && c->rect.height < high)
			shift(c, floor((high - c->rect.height) / 2) + y - c->rect.y);
}

static double place_row(struct vd_widget *w, double x, double y, double width)
{
	double fixed = 0, high = own_height(w, width);
	unsigned shown = 0, free_ones = 0;
	for (struct vd_widget *c = w->first; c; c = c->next) {
		if (!c->shown)
			continue;
		shown++;
		fixed += c->width;
		free_ones += c->width <= 0;
	}
	double pad = w->kind == VD_NAVBAR ? GAP : 0;
	x += pad;
	double left = width - 2 * pad - fixed - (shown ? (shown - 1) * GAP : 0);
	double share = free_ones ? fmax(24, left / free_ones) : 0;
	for (struct vd_widget *c = w->first; c; c = c->next) {
		if (!c->shown)
			continue;
		double own = c->width > 0 ? c->width : share;
		high = fmax(high, place(c, x, y, own));
		x += own + GAP;
	}
	centre_row(w, y, high);
	return high;
}

static void hold_sticky(struct vd_widget *w)
{
	for (struct vd_widget *c = w->first; c; c = c->next)
		if (c->sticky && c->shown && c->rect.y < w->rect.y)
			shift(c, w->rect.y - c->rect.y);
}

/* below: free room under the content, so that what the keyboard covers can be scrolled above it. */
static double place_scroller(struct vd_widget *w, double x, double y, double width, double height,
                             double below)
{
	w->rect = (struct ui_rect){ x, y, width, height };
	w->content = place_stack(w, x, y - w->offset, width) + below;
	double most = fmax(0, w->content - height);
	if (w->offset > most) {
		double back = w->offset - most;
		w->offset = most;
		for (struct vd_widget *c = w->first; c; c = c->next)
			shift(c, back);
	}
	hold_sticky(w);
	return height;
}

/* A recorded widget stands where it stood, its children as well. */
static double place_fixed(struct vd_widget *w)
{
	w->rect = w->at;
	for (struct vd_widget *c = w->first; c; c = c->next)
		place(c, w->at.x, w->at.y, w->at.width);
	w->rect = w->at;
	return 0;
}

static double place(struct vd_widget *w, double x, double y, double width)
{
	if (w->fixed)
		return place_fixed(w);
	double high = own_height(w, width);
	if (w->width > 0 && w->width < width)
		width = w->width;
	if (vd_is(w, VT_SCROLLS))
		return place_scroller(w, x, y, width, high, 0);
	if (vd_is(w, VT_STACK))
		high = fmax(w->height, place_stack(w, x, y, width));
	else if (w->first)
		high = place_row(w, x, y, width);
	if (w->height > 0)
		high = w->height;
	w->rect = (struct ui_rect){ x, y, width, high };
	return high;
}

static void place_screen(const struct vd_device *d, struct vd_widget *screen)
{
	double top = d->flavour->status_bar, bottom = d->height;
	screen->rect = (struct ui_rect){ 0, 0, d->width, d->height };
	for (struct vd_widget *c = screen->first; c; c = c->next) {
		if (c->kind == VD_NAVBAR) {
			top += place(c, 0, top, d->width);
		} else if (c->kind == VD_TABS) {
			bottom -= 56;
			place(c, 0, bottom, d->width);
		}
	}
	double below = d->keyboard ? fmax(0, d->flavour->keyboard - (d->height - bottom)) : 0;
	for (struct vd_widget *c = screen->first; c; c = c->next)
		if (c->kind == VD_BODY)
			place_scroller(c, 0, top, d->width, fmax(56, bottom - top), below);
}

static void place_overlay(const struct vd_device *d, struct vd_widget *o)
{
	double width = o->kind == VD_SHEET ? d->width : fmin(320, d->width - 40);
	double high = place(o, (d->width - width) / 2, 0, width);
	if (o->kind == VD_SHEET)
		shift(o, d->height - high);
	else if (o->kind == VD_ALERT)
		shift(o, floor((d->height - high) / 2));
	else
		shift(o, fmax(d->flavour->status_bar, floor((d->height - high) / 2)));
}

void vd_device_layout(struct vd_device *d)
{
	struct vd_widget *screen = vd_device_screen(d);
	if (screen)
		place_screen(d, screen);
	for (unsigned i = 0; i < d->n_overlays; i++)
		place_overlay(d, d->overlays[i]);
	if (d->keyboard)
		d->keyboard->rect =
		    (struct ui_rect){ 0, d->height - d->flavour->keyboard, d->width, d->flavour->keyboard };
}
