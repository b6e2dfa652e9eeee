/* What has a value or a state: sliders, steppers, switches, choices, what turns. */
#include "backend/virtual/paint.h"

#include <math.h>
#include <string.h>

#define KNOB 10.0

static void label_and_value(struct vd_canvas *c, const struct vd_widget *w, struct ui_rect r)
{
	auto_buf struct buf value;
	buf_init(&value, 256);
	if (w->control)
		vd_control_text(w, &value);
	double taken = vd_text_draw(c, &(struct vd_label){ .text = value.data,
	                                                   .rect = r,
	                                                   .font = VD_SMALL,
	                                                   .colour = VD_FAINT,
	                                                   .alpha = vd_strength(w),
	                                                   .align = VD_RIGHT,
	                                                   .single = true });
	r.width -= taken + 8;
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = r,
	                                    .font = VD_BODY_TEXT,
	                                    .colour = VD_INK,
	                                    .alpha = vd_strength(w),
	                                    .single = true });
}

static void knob(struct vd_canvas *c, double x, double y, const struct vd_widget *w)
{
	vd_disc(c, x, y + 1, KNOB + 1, VD_SHADE, 0.12);
	vd_disc(c, x, y, KNOB, w->enabled ? VD_ACCENT : VD_FAINT, 1);
	vd_disc(c, x, y, KNOB - 6, VD_ON_ACCENT, 1);
}

static void upright_slider(struct vd_canvas *c, const struct vd_widget *w, double part)
{
	struct ui_rect r = w->rect;
	double x = r.x + r.width / 2, y = r.y + r.height * (1 - part);
	vd_fill(c, (struct ui_rect){ x - 2, r.y, 4, r.height }, 2, VD_LINE, 1);
	vd_fill(c, (struct ui_rect){ x - 2, y, 4, r.y + r.height - y }, 2, VD_ACCENT, vd_strength(w));
	knob(c, x, y, w);
}

/* The knob stands where a press of its value would be. */
void vd_paint_slider(struct vd_canvas *c, const struct vd_widget *w)
{
	const struct vd_control *k = w->control;
	double part = k && k->max > k->min ? (k->value - k->min) / (k->max - k->min) : 0;
	struct ui_rect r = w->rect;
	if (k && k->vertical) {
		upright_slider(c, w, part);
		return;
	}
	bool rtl = k && k->rtl;
	double x = r.x + r.width * (rtl ? 1 - part : part), y = r.y + r.height - 14;
	label_and_value(c, w, (struct ui_rect){ r.x + 4, r.y, r.width - 8, 22 });
	vd_fill(c, (struct ui_rect){ r.x, y - 2, r.width, 4 }, 2, VD_LINE, 1);
	vd_fill(c, (struct ui_rect){ rtl ? x : r.x, y - 2, r.width * part, 4 }, 2, VD_ACCENT,
	        vd_strength(w));
	knob(c, x, y, w);
}

static void sign(struct vd_canvas *c, struct ui_rect r, bool plus, double alpha)
{
	double x = r.x + r.width / 2, y = r.y + r.height / 2;
	vd_fill(c, (struct ui_rect){ x - 6, y - 1, 12, 2 }, 0, VD_INK, alpha);
	if (plus)
		vd_fill(c, (struct ui_rect){ x - 1, y - 6, 2, 12 }, 0, VD_INK, alpha);
}

void vd_paint_stepper(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	struct ui_rect both = { r.x + r.width - 92, r.y + r.height / 2 - 16, 88, 32 };
	struct ui_rect minus = { both.x, both.y, 44, 32 }, plus = { both.x + 44, both.y, 44, 32 };
	label_and_value(c, w, (struct ui_rect){ r.x + 4, r.y, r.width - 108, r.height });
	vd_fill(c, both, 8, VD_SUNK, 1);
	vd_fill(c, (struct ui_rect){ plus.x, plus.y + 7, 1, 18 }, 0, VD_FAINT, 0.5);
	sign(c, minus, false, vd_strength(w));
	sign(c, plus, true, vd_strength(w));
}

static void star(struct vd_canvas *c, double x, double y, enum vd_colour colour, double alpha)
{
	double points[11][2];
	for (int i = 0; i < 11; i++) {
		double radius = i % 2 ? 4.2 : 10, turn = i * M_PI / 5 - M_PI / 2;
		points[i][0] = x + radius * cos(turn);
		points[i][1] = y + radius * sin(turn);
	}
	for (int i = 0; i < 11; i++)
		cairo_line_to(c->cr, points[i][0], points[i][1]);
	cairo_close_path(c->cr);
	cairo_path_t *path = cairo_copy_path(c->cr);
	cairo_new_path(c->cr);
	cairo_save(c->cr);
	cairo_append_path(c->cr, path);
	cairo_clip(c->cr);
	vd_fill(c, (struct ui_rect){ x - 11, y - 11, 22, 22 }, 0, colour, alpha);
	cairo_restore(c->cr);
	cairo_path_destroy(path);
}

/* A star is filled as far as the value goes into it. */
void vd_paint_rating(struct vd_canvas *c, const struct vd_widget *w)
{
	const struct vd_control *k = w->control;
	struct ui_rect r = w->rect;
	int stars = k ? (int)fmin(k->max, 12) : 5;
	label_and_value(c, w, (struct ui_rect){ r.x + 4, r.y, r.width - 8, 22 });
	for (int i = 0; i < stars; i++) {
		double x = r.x + 15 + i * 27, y = r.y + r.height - 13;
		double part = k ? fmin(1, fmax(0, k->value - i)) : 0;
		star(c, x, y, VD_LINE, 1);
		cairo_save(c->cr);
		cairo_rectangle(c->cr, x - 11, y - 11, 22 * part, 22);
		cairo_clip(c->cr);
		star(c, x, y, VD_ACCENT, vd_strength(w));
		cairo_restore(c->cr);
	}
}

static void row_label(struct vd_canvas *c, const struct vd_widget *w, double left, double right)
{
	struct ui_rect r = w->rect;
	vd_text_draw(c,
	             &(struct vd_label){ .text = w->label,
	                                 .rect = { r.x + left, r.y, r.width - left - right, r.height },
	                                 .font = VD_BODY_TEXT,
	                                 .colour = VD_INK,
	                                 .alpha = vd_strength(w) });
}

void vd_paint_switch(struct vd_canvas *c, const struct vd_widget *w)
{
	double x = w->rect.x + w->rect.width - 54, y = w->rect.y + w->rect.height / 2;
	row_label(c, w, 4, 62);
	vd_fill(c, (struct ui_rect){ x, y - 15, 50, 30 }, 15, w->checked ? VD_ACCENT : VD_LINE,
	        vd_strength(w));
	vd_disc(c, x + (w->checked ? 35 : 15), y + 1, 13, VD_SHADE, 0.15);
	vd_disc(c, x + (w->checked ? 35 : 15), y, 13, w->checked ? VD_ON_ACCENT : VD_SURFACE, 1);
}

void vd_paint_check(struct vd_canvas *c, const struct vd_widget *w)
{
	bool round = w->kind == VD_RADIO;
	double x = w->rect.x + 15, y = w->rect.y + w->rect.height / 2;
	struct ui_rect mark = { x - 11, y - 11, 22, 22 };
	const double tick[][2] = { { x - 5, y }, { x - 1, y + 4 }, { x + 6, y - 5 } };
	if (w->checked)
		vd_fill(c, mark, round ? 11 : 5, VD_ACCENT, vd_strength(w));
	else
		vd_frame(c, mark, round ? 11 : 5, VD_FAINT, 2);
	if (w->checked && round)
		vd_disc(c, x, y, 4.5, VD_ON_ACCENT, 1);
	else if (w->checked)
		vd_stroke(c, tick, 3, 2.5, VD_ON_ACCENT, 1);
	row_label(c, w, 38, 4);
}

/* --- choices ---------------------------------------------------------------------------------- */

bool vd_segment_chosen(const struct vd_widget *w)
{
	int i = 0;
	if (!w->parent || w->parent->kind != VD_SEGMENTS)
		return false;
	for (const struct vd_widget *t = w->parent->first; t && t != w; t = t->next)
		i++;
	return w->parent->chosen == i;
}

void vd_paint_segments(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_fill(c, w->rect, 10, VD_SUNK, 1);
}

void vd_paint_segment(struct vd_canvas *c, const struct vd_widget *w)
{
	bool chosen = vd_segment_chosen(w);
	struct ui_rect part = vd_inset(w->rect, 3, 3);
	if (chosen)
		vd_fill(c, part, 8, VD_SURFACE, 1);
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = part,
	                                    .font = chosen ? VD_STRONG : VD_BODY_TEXT,
	                                    .colour = chosen ? VD_ACCENT : VD_INK,
	                                    .alpha = vd_strength(w),
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

void vd_paint_dropdown(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	double x = r.x + r.width - 20, y = r.y + r.height / 2;
	const double arrow[][2] = { { x - 5, y - 2 }, { x, y + 3 }, { x + 5, y - 2 } };
	const char *now =
	    w->chosen >= 0 ? json_string_value(json_array_get(w->choices, (size_t)w->chosen)) : NULL;
	vd_fill(c, r, 10, VD_SURFACE, 1);
	vd_frame(c, r, 10, VD_LINE, 1);
	vd_stroke(c, arrow, 3, 2, VD_FAINT, 1);
	row_label(c, w, 12, r.width / 2);
	vd_text_draw(c,
	             &(struct vd_label){ .text = now,
	                                 .rect = { r.x + r.width / 2, r.y, r.width / 2 - 36, r.height },
	                                 .font = VD_BODY_TEXT,
	                                 .colour = VD_ACCENT,
	                                 .alpha = vd_strength(w),
	                                 .align = VD_RIGHT,
	                                 .single = true });
}

/* --- what moves by itself --------------------------------------------------------------------- */

void vd_paint_spinner(struct vd_canvas *c, const struct vd_widget *w)
{
	double x, y, turn = (double)(c->device->clock.now_ms / VD_TICK_MS % 12) * M_PI / 6;
	double points[24][2];
	ui_rect_center(w->rect, &x, &y);
	for (int i = 0; i < 24; i++) {
		points[i][0] = x + 13 * cos(turn + i * 0.19);
		points[i][1] = y + 13 * sin(turn + i * 0.19);
	}
	vd_stroke(c, points, 24, 3.5, VD_ACCENT, 1);
	vd_text_draw(c, &(struct vd_label){
	                    .text = w->label,
	                    .rect = { x + 26, w->rect.y, w->rect.width / 2 - 26, w->rect.height },
	                    .font = VD_SMALL,
	                    .colour = VD_FAINT,
	                    .alpha = 1,
	                    .single = true });
}

void vd_paint_progress(struct vd_canvas *c, const struct vd_widget *w)
{
	double y = w->rect.y + w->rect.height / 2 - 3;
	vd_fill(c, (struct ui_rect){ w->rect.x, y, w->rect.width, 6 }, 3, VD_LINE, 1);
	vd_fill(c, (struct ui_rect){ w->rect.x, y, w->rect.width / 3, 6 }, 3, VD_ACCENT, 1);
}
