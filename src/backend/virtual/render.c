#include "backend/virtual/render.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <cairo.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

struct palette {
	double ground[3], surface[3], ink[3], faint[3], accent[3], line[3], danger[3];
};

static const struct palette palettes[2] = {
	{ { .96, .96, .97 },
	  { 1, 1, 1 },
	  { .10, .11, .13 },
	  { .45, .47, .50 },
	  { .13, .37, .85 },
	  { .84, .85, .87 },
	  { .75, .15, .12 } },
	{ { .07, .08, .09 },
	  { .14, .15, .17 },
	  { .93, .94, .95 },
	  { .60, .62, .65 },
	  { .45, .65, 1 },
	  { .25, .27, .30 },
	  { 1, .48, .42 } },
};

struct canvas {
	cairo_t *cr;
	const struct vd_device *d;
	const struct palette *p;
	PangoLayout *layout;
};

static void colour(struct canvas *c, const double rgb[3], double alpha)
{
	cairo_set_source_rgba(c->cr, rgb[0], rgb[1], rgb[2], alpha);
}

static void box(struct canvas *c, struct ui_rect r, double radius)
{
	radius = fmin(radius, fmin(r.width, r.height) / 2);
	double x2 = r.x + r.width, y2 = r.y + r.height;
	cairo_new_sub_path(c->cr);
	cairo_arc(c->cr, x2 - radius, r.y + radius, radius, -M_PI / 2, 0);
	cairo_arc(c->cr, x2 - radius, y2 - radius, radius, 0, M_PI / 2);
	cairo_arc(c->cr, r.x + radius, y2 - radius, radius, M_PI / 2, M_PI);
	cairo_arc(c->cr, r.x + radius, r.y + radius, radius, M_PI, 3 * M_PI / 2);
	cairo_close_path(c->cr);
}

static void fill_box(struct canvas *c, struct ui_rect r, double radius, const double rgb[3],
                     double alpha)
{
	box(c, r, radius);
	colour(c, rgb, alpha);
	cairo_fill(c->cr);
}

static void frame_box(struct canvas *c, struct ui_rect r, double radius, const double rgb[3],
                      double width)
{
	box(c, r, radius);
	colour(c, rgb, 1);
	cairo_set_line_width(c->cr, width);
	cairo_stroke(c->cr);
}

enum align { LEFT, MIDDLE, RIGHT };

/* One text inside a rect, vertically centred, cut with an ellipsis. */
static void text(struct canvas *c, const char *s, struct ui_rect r, const char *font,
                 const double rgb[3], double alpha, enum align align)
{
	if (!s || !*s || r.width <= 0)
		return;
	PangoFontDescription *desc = pango_font_description_from_string(font);
	pango_layout_set_font_description(c->layout, desc);
	pango_font_description_free(desc);
	pango_layout_set_text(c->layout, s, -1);
	pango_layout_set_width(c->layout, (int)(r.width * PANGO_SCALE));
	pango_layout_set_height(c->layout, (int)(r.height * PANGO_SCALE));
	pango_layout_set_ellipsize(c->layout, PANGO_ELLIPSIZE_END);
	pango_layout_set_alignment(c->layout, align == LEFT     ? PANGO_ALIGN_LEFT
	                                      : align == MIDDLE ? PANGO_ALIGN_CENTER
	                                                        : PANGO_ALIGN_RIGHT);
	int w, h;
	pango_layout_get_pixel_size(c->layout, &w, &h);
	cairo_move_to(c->cr, r.x, r.y + floor((r.height - h) / 2));
	colour(c, rgb, alpha);
	pango_cairo_show_layout(c->cr, c->layout);
}

static struct ui_rect inset(struct ui_rect r, double x, double y)
{
	return (struct ui_rect){ r.x + x, r.y + y, r.width - 2 * x, r.height - 2 * y };
}

#define BODY_FONT "DejaVu Sans 10"
#define SMALL_FONT "DejaVu Sans 8"
#define BOLD_FONT "DejaVu Sans Bold 12"

static double ink(const struct vd_widget *w)
{
	return w->enabled ? 1 : 0.4;
}

static void draw_label_value(struct canvas *c, const struct vd_widget *w, struct ui_rect r)
{
	auto_buf
	struct buf value;
	buf_init(&value, 256);
	if (w->control)
		vd_control_text(w, &value);
	text(c, w->label, (struct ui_rect){ r.x, r.y, r.width * 0.7, r.height }, SMALL_FONT,
	     c->p->faint, ink(w), LEFT);
	text(c, value.data, r, SMALL_FONT, c->p->ink, ink(w), RIGHT);
}

static void draw_button(struct canvas *c, const struct vd_widget *w)
{
	fill_box(c, w->rect, 10, c->p->accent, w->enabled ? 0.14 : 0.06);
	text(c, w->label, inset(w->rect, 8, 0), BODY_FONT, c->p->accent, ink(w), MIDDLE);
}

static void draw_item(struct canvas *c, const struct vd_widget *w)
{
	fill_box(c, w->rect, 0, c->p->surface, 1);
	text(c, w->label, inset(w->rect, 12, 0), BODY_FONT, c->p->ink, ink(w), LEFT);
	fill_box(c, (struct ui_rect){ w->rect.x, w->rect.y + w->rect.height - 1, w->rect.width, 1 }, 0,
	         c->p->line, 1);
}

static void draw_field(struct canvas *c, const struct vd_widget *w)
{
	bool focused = w->uid == c->d->focus, empty = !w->text;
	fill_box(c, w->rect, 8, c->p->surface, 1);
	frame_box(c, inset(w->rect, 0.5, 0.5), 8,
	          w->error  ? c->p->danger
	          : focused ? c->p->accent
	                    : c->p->line,
	          focused ? 2 : 1);
	auto_buf
	struct buf dots;
	buf_init(&dots, 4096);
	for (const char *p = w->text; p && *p && vd_is(w, VT_SECRET); p++)
		if (((unsigned char)*p & 0xC0) != 0x80)
			buf_adds(&dots, "\u2022");
	const char *hint = w->placeholder ? w->placeholder : w->label;
	const char *shown = empty ? hint : dots.len ? dots.data : w->text;
	text(c, shown, inset(w->rect, 12, 4), BODY_FONT, empty ? c->p->faint : c->p->ink, ink(w), LEFT);
}

static void draw_switch(struct canvas *c, const struct vd_widget *w)
{
	text(c, w->label, inset(w->rect, 4, 0), BODY_FONT, c->p->ink, ink(w), LEFT);
	double x = w->rect.x + w->rect.width - 52, y = w->rect.y + w->rect.height / 2 - 13;
	fill_box(c, (struct ui_rect){ x, y, 48, 26 }, 13, w->checked ? c->p->accent : c->p->line,
	         ink(w));
	fill_box(c, (struct ui_rect){ x + (w->checked ? 24 : 2), y + 2, 22, 22 }, 11, c->p->surface, 1);
}

static void draw_check(struct canvas *c, const struct vd_widget *w)
{
	double radius = w->kind == VD_RADIO ? 10 : 4;
	struct ui_rect mark = { w->rect.x + 4, w->rect.y + w->rect.height / 2 - 10, 20, 20 };
	frame_box(c, mark, radius, w->checked ? c->p->accent : c->p->faint, 2);
	if (w->checked)
		fill_box(c, inset(mark, 5, 5), radius / 2, c->p->accent, ink(w));
	text(c, w->label,
	     (struct ui_rect){ w->rect.x + 34, w->rect.y, w->rect.width - 34, w->rect.height },
	     BODY_FONT, c->p->ink, ink(w), LEFT);
}

static void draw_slider(struct canvas *c, const struct vd_widget *w)
{
	const struct vd_control *k = w->control;
	double part = k && k->max > k->min ? (k->value - k->min) / (k->max - k->min) : 0;
	struct ui_rect r = w->rect;
	if (k && k->vertical) {
		double x = r.x + r.width / 2, y = r.y + r.height * (1 - part);
		fill_box(c, (struct ui_rect){ x - 2, r.y, 4, r.height }, 2, c->p->line, 1);
		fill_box(c, (struct ui_rect){ x - 2, y, 4, r.y + r.height - y }, 2, c->p->accent, ink(w));
		fill_box(c, (struct ui_rect){ x - 10, y - 10, 20, 20 }, 10, c->p->accent, ink(w));
		return;
	}
	double shown = k && k->rtl ? 1 - part : part, y = r.y + r.height - 14;
	draw_label_value(c, w, (struct ui_rect){ r.x, r.y, r.width, 20 });
	fill_box(c, (struct ui_rect){ r.x, y - 2, r.width, 4 }, 2, c->p->line, 1);
	fill_box(c,
	         k && k->rtl ? (struct ui_rect){ r.x + r.width * shown, y - 2, r.width * part, 4 }
	                     : (struct ui_rect){ r.x, y - 2, r.width * part, 4 },
	         2, c->p->accent, ink(w));
	fill_box(c, (struct ui_rect){ r.x + (r.width - 20) * shown, y - 10, 20, 20 }, 10, c->p->accent,
	         ink(w));
}

static void draw_stepper(struct canvas *c, const struct vd_widget *w)
{
	draw_label_value(c, w,
	                 (struct ui_rect){ w->rect.x, w->rect.y, w->rect.width - 96, w->rect.height });
	struct ui_rect minus = { w->rect.x + w->rect.width - 88, w->rect.y + 6, 40,
		                     w->rect.height - 12 };
	struct ui_rect plus = { minus.x + 44, minus.y, 40, minus.height };
	fill_box(c, minus, 6, c->p->line, ink(w));
	fill_box(c, plus, 6, c->p->line, ink(w));
	text(c, "\u2212", minus, BOLD_FONT, c->p->ink, ink(w), MIDDLE);
	text(c, "+", plus, BOLD_FONT, c->p->ink, ink(w), MIDDLE);
}

static void draw_rating(struct canvas *c, const struct vd_widget *w)
{
	const struct vd_control *k = w->control;
	int stars = k ? (int)k->max : 5;
	draw_label_value(c, w, (struct ui_rect){ w->rect.x, w->rect.y, w->rect.width, 20 });
	for (int i = 0; i < stars && i < 12; i++) {
		struct ui_rect r = { w->rect.x + i * 26, w->rect.y + 20, 24, 26 };
		text(c, "\u2605", r, BOLD_FONT, k && k->value >= i + 0.5 ? c->p->accent : c->p->line, 1,
		     MIDDLE);
	}
}

static void draw_choice(struct canvas *c, const struct vd_widget *w)
{
	fill_box(c, w->rect, 8, c->p->surface, 1);
	frame_box(c, inset(w->rect, 0.5, 0.5), 8, c->p->line, 1);
	if (w->kind == VD_SEGMENTS)
		return;
	const char *now =
	    w->chosen >= 0 ? json_string_value(json_array_get(w->choices, (size_t)w->chosen)) : "";
	text(c, now, inset(w->rect, 12, 0), BODY_FONT, c->p->ink, ink(w), LEFT);
	text(c, "\u25be", inset(w->rect, 12, 0), BODY_FONT, c->p->faint, 1, RIGHT);
}

static bool chosen_tab(const struct vd_widget *w)
{
	int i = 0;
	for (const struct vd_widget *t = w->parent ? w->parent->first : NULL; t && t != w; t = t->next)
		i++;
	return w->parent && w->parent->kind == VD_SEGMENTS && w->parent->chosen == i;
}

static void draw_tab(struct canvas *c, const struct vd_widget *w)
{
	if (chosen_tab(w))
		fill_box(c, inset(w->rect, 2, 2), 6, c->p->accent, 0.18);
	text(c, w->label, w->rect, BODY_FONT, chosen_tab(w) ? c->p->accent : c->p->ink, ink(w), MIDDLE);
}

static void draw_spinner(struct canvas *c, const struct vd_widget *w)
{
	double x, y, turn = (double)(c->d->clock.now_ms / VD_TICK_MS % 12) * M_PI / 6;
	ui_rect_center(w->rect, &x, &y);
	cairo_set_line_width(c->cr, 4);
	colour(c, c->p->accent, 1);
	cairo_new_sub_path(c->cr);
	cairo_arc(c->cr, x, y, 14, turn, turn + 4.4);
	cairo_stroke(c->cr);
}

static void draw_image(struct canvas *c, const struct vd_widget *w)
{
	fill_box(c, w->rect, 8, c->p->line, 1);
	text(c, w->label, w->rect, SMALL_FONT, c->p->faint, 1, MIDDLE);
}

static void draw_keyboard(struct canvas *c, const struct vd_widget *w)
{
	static const char *const rows[] = { "qwertyuiop", "asdfghjkl", "zxcvbnm" };
	fill_box(c, w->rect, 0, c->p->line, 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t n = strlen(rows[i]);
		double key = w->rect.width / 10, x = w->rect.x + (w->rect.width - key * (double)n) / 2;
		for (size_t k = 0; k < n; k++, x += key) {
			struct ui_rect r = { x + 2, w->rect.y + 10 + 56 * (double)i, key - 4, 48 };
			char letter[2] = { rows[i][k], 0 };
			fill_box(c, r, 6, c->p->surface, 1);
			text(c, letter, r, BODY_FONT, c->p->ink, 1, MIDDLE);
		}
	}
	fill_box(
	    c,
	    (struct ui_rect){ w->rect.x + w->rect.width / 4, w->rect.y + 180, w->rect.width / 2, 44 },
	    6, c->p->surface, 1);
}

static void draw_text(struct canvas *c, const struct vd_widget *w)
{
	text(c, w->text ? w->text : w->label, inset(w->rect, 4, 0), BODY_FONT, c->p->ink, ink(w), LEFT);
}

static void draw_heading(struct canvas *c, const struct vd_widget *w)
{
	if (w->kind == VD_HEADER)
		fill_box(c, w->rect, 0, c->p->ground, 1);
	text(c, w->label ? w->label : w->text, inset(w->rect, 8, 0), BOLD_FONT, c->p->ink, 1, LEFT);
}

static void draw_link(struct canvas *c, const struct vd_widget *w)
{
	text(c, w->label, inset(w->rect, 4, 0), BODY_FONT, c->p->accent, ink(w), LEFT);
}

static void draw_surface(struct canvas *c, const struct vd_widget *w)
{
	bool raised = w->kind == VD_ALERT || w->kind == VD_SHEET || w->kind == VD_POPUP;
	fill_box(c, w->rect, raised || w->kind == VD_CARD ? 14 : 0, c->p->surface, 1);
	if (raised)
		frame_box(c, inset(w->rect, 0.5, 0.5), 14, c->p->line, 1);
}

static void draw_divider(struct canvas *c, const struct vd_widget *w)
{
	fill_box(c, (struct ui_rect){ w->rect.x, w->rect.y + 4, w->rect.width, 1 }, 0, c->p->line, 1);
}

static void (*const painters[VD_KIND_COUNT])(struct canvas *, const struct vd_widget *) = {
	[VD_BUTTON] = draw_button,   [VD_ITEM] = draw_item,         [VD_OPTION] = draw_check,
	[VD_FIELD] = draw_field,     [VD_SEARCH] = draw_field,      [VD_PASSWORD] = draw_field,
	[VD_AREA] = draw_field,      [VD_DATE] = draw_field,        [VD_SWITCH] = draw_switch,
	[VD_CHECKBOX] = draw_check,  [VD_RADIO] = draw_check,       [VD_SLIDER] = draw_slider,
	[VD_STEPPER] = draw_stepper, [VD_RATING] = draw_rating,     [VD_SEGMENTS] = draw_choice,
	[VD_DROPDOWN] = draw_choice, [VD_TAB] = draw_tab,           [VD_SPINNER] = draw_spinner,
	[VD_IMAGE] = draw_image,     [VD_KEYBOARD] = draw_keyboard, [VD_TEXT] = draw_text,
	[VD_HEADING] = draw_heading, [VD_HEADER] = draw_heading,    [VD_LINK] = draw_link,
	[VD_CARD] = draw_surface,    [VD_NAVBAR] = draw_surface,    [VD_TABS] = draw_surface,
	[VD_ALERT] = draw_surface,   [VD_SHEET] = draw_surface,     [VD_POPUP] = draw_surface,
	[VD_DIVIDER] = draw_divider,
};

static void draw(struct canvas *c, const struct vd_widget *w)
{
	if (!w->shown || w->rect.y > c->d->height || w->rect.y + w->rect.height < 0)
		return;
	if (painters[w->kind])
		painters[w->kind](c, w);
	bool clips = vd_is(w, VT_SCROLLS);
	if (clips) {
		cairo_save(c->cr);
		cairo_rectangle(c->cr, w->rect.x, w->rect.y, w->rect.width, w->rect.height);
		cairo_clip(c->cr);
	}
	for (const struct vd_widget *k = w->first; k; k = k->next)
		draw(c, k);
	for (const struct vd_widget *k = w->first; k; k = k->next)
		if (k->sticky)
			draw(c, k);
	if (clips)
		cairo_restore(c->cr);
}

static void draw_status_bar(struct canvas *c)
{
	double h = c->d->flavour->status_bar;
	if (h <= 0)
		return;
	auto_buf
	struct buf time;
	buf_init(&time, 16);
	int64_t minutes = c->d->clock.now_ms / 60000;
	buf_addf(&time, "%02d:%02d", (int)(9 + minutes / 60) % 24, (int)((41 + minutes) % 60));
	text(c, time.data, (struct ui_rect){ 16, 0, 80, h }, SMALL_FONT, c->p->ink, 1, LEFT);
}

static void draw_all(struct canvas *c)
{
	fill_box(c, (struct ui_rect){ 0, 0, c->d->width, c->d->height }, 0, c->p->ground, 1);
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(c->d, roots);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0 && roots[i]->kind != VD_KEYBOARD) {
			static const double black[3] = { 0, 0, 0 };
			fill_box(c, (struct ui_rect){ 0, 0, c->d->width, c->d->height }, 0, black, 0.35);
		}
		draw(c, roots[i]);
	}
	draw_status_bar(c);
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int len)
{
	return buf_add(closure, data, len) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

int vd_render(const struct vd_device *d, const struct ui_rect *part, struct rb_image *ret,
              struct error *e)
{
	double scale = d->flavour->scale;
	struct ui_rect whole = { 0, 0, d->width, d->height }, shown = whole;
	if (part && !ui_rect_intersect(whole, *part, &shown))
		return error_set(e, ERR_ELEMENT_OFFSCREEN, "the element is scrolled out of view");
	int width = (int)ceil(shown.width * scale), height = (int)ceil(shown.height * scale);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	struct canvas c = { cairo_create(surface), d, &palettes[d->dark], NULL };
	cairo_scale(c.cr, scale, scale);
	cairo_translate(c.cr, -shown.x, -shown.y);
	c.layout = pango_cairo_create_layout(c.cr);
	draw_all(&c);
	buf_init(&ret->png, LIM_RUNNER_REPLY);
	cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &ret->png);
	g_object_unref(c.layout);
	cairo_destroy(c.cr);
	cairo_surface_destroy(surface);
	if (status != CAIRO_STATUS_SUCCESS) {
		buf_done(&ret->png);
		return error_set(e, ERR_LIMIT_EXCEEDED, "the screen could not be drawn: %s",
		                 cairo_status_to_string(status));
	}
	ret->width = width;
	ret->height = height;
	ret->scale = scale;
	return 0;
}
