/* Numeric controls and their habits. */
#include "backend/virtual/device.h"

#include <math.h>
#include <string.h>

static double snap(const struct vd_control *c, double v)
{
	if (c->step > 0)
		v = c->min + floor((v - c->min) / c->step + 0.5 + 1e-9) * c->step;
	if (v > c->max)
		v = c->step > 0 ? c->min + floor((c->max - c->min) / c->step + 1e-9) * c->step : c->max;
	if (v < c->min)
		v = c->min;
	/* 12 significant digits: binary dust of the multiplication is no part of the value. */
	double scale = v == 0 ? 1 : pow(10, 11 - floor(log10(fabs(v))));
	return round(v * scale) / scale;
}

bool vd_control_offers(const struct vd_widget *w, enum vd_by by)
{
	const struct vd_control *c = w->control;
	if (!c)
		return false;
	bool direct = c->direct && !(c->lose_direct_after && c->adjustments >= c->lose_direct_after);
	switch (by) {
	case VD_BY_VALUE: return direct;
	case VD_BY_STEP: return c->steps;
	default: return c->by_point;
	}
}

double vd_control_stride(const struct vd_control *c)
{
	return c->step > 0 ? c->step : (c->max - c->min) / 10;
}

static void reach(struct vd_device *d, struct vd_widget *w, double value)
{
	struct vd_control *c = w->control;
	if (c->delay_ms > 0) {
		vd_clock_forget(&d->clock, w->uid);
		vd_clock_set(&d->clock, c->delay_ms, (struct vd_timer){ .widget = w->uid, .value = value });
		return;
	}
	if (value != c->value)
		d->changes++;
	c->value = value;
	vd_run_event(d, w, "change");
}

bool vd_control_ask(struct vd_device *d, struct vd_widget *w, double value, enum vd_by by)
{
	struct vd_control *c = w->control;
	if (!w->enabled || !vd_control_offers(w, by))
		return false;
	c->adjustments++;
	double slip = c->slip * (c->step > 0 ? c->step : (c->max - c->min) / 20);
	if (by == VD_BY_STEP)
		slip = 0; /* who moves by steps arrives where the step leads */
	if (!c->stuck)
		reach(d, w, snap(c, snap(c, value) + slip));
	if (c->vanish_after && c->adjustments >= c->vanish_after)
		w->shown = false;
	vd_device_layout(d);
	return true;
}

double vd_control_at(const struct vd_widget *w, double x, double y)
{
	const struct vd_control *c = w->control;
	double part = c->vertical ? (w->rect.y + w->rect.height - y) / w->rect.height
	                          : (x - w->rect.x) / w->rect.width;
	if (c->rtl && !c->vertical)
		part = 1 - part;
	part = fmin(1, fmax(0, part));
	return c->min + part * (c->max - c->min);
}

static void add_value(const struct vd_control *c, bool comma, struct buf *out)
{
	size_t from = out->len;
	buf_add_number(out, c->value);
	char *dot = comma ? strchr(out->data + from, '.') : NULL;
	if (dot)
		*dot = ',';
}

void vd_control_text(const struct vd_widget *w, struct buf *out)
{
	const struct vd_control *c = w->control;
	const char *p = c->format ? c->format : "{}";
	while (*p) {
		if (strncmp(p, "{}", 2) == 0) {
			add_value(c, false, out);
			p += 2;
		} else if (strncmp(p, "{,}", 3) == 0) {
			add_value(c, true, out);
			p += 3;
		} else {
			buf_addc(out, *p++);
		}
	}
}
