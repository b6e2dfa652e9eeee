#include "backend/virtual/canvas.h"

#include <math.h>

static const double light[VD_COLOURS][3] = {
	[VD_GROUND] = { .95, .95, .97 }, [VD_SURFACE] = { 1, 1, 1 },   [VD_SUNK] = { .89, .90, .92 },
	[VD_LINE] = { .84, .85, .87 },   [VD_INK] = { .09, .10, .12 }, [VD_FAINT] = { .40, .42, .46 },
	[VD_ACCENT] = { .08, .36, .86 }, [VD_ON_ACCENT] = { 1, 1, 1 }, [VD_DANGER] = { .75, .12, .10 },
	[VD_SHADE] = { 0, 0, 0 },
};
static const double dark[VD_COLOURS][3] = {
	[VD_GROUND] = { .05, .055, .065 }, [VD_SURFACE] = { .12, .13, .15 },
	[VD_SUNK] = { .21, .22, .25 },     [VD_LINE] = { .26, .28, .31 },
	[VD_INK] = { .94, .95, .96 },      [VD_FAINT] = { .62, .64, .68 },
	[VD_ACCENT] = { .44, .65, 1 },     [VD_ON_ACCENT] = { .04, .07, .14 },
	[VD_DANGER] = { 1, .50, .44 },     [VD_SHADE] = { 0, 0, 0 },
};

static const struct {
	double size;
	PangoWeight weight;
} fonts[VD_FONTS] = {
	[VD_SMALL] = { 11.5, PANGO_WEIGHT_NORMAL }, [VD_BODY_TEXT] = { 14, PANGO_WEIGHT_NORMAL },
	[VD_STRONG] = { 14, PANGO_WEIGHT_BOLD },    [VD_TITLE] = { 17, PANGO_WEIGHT_BOLD },
	[VD_SYMBOL] = { 22, PANGO_WEIGHT_NORMAL },
};

void vd_canvas_init(struct vd_canvas *c, const struct vd_device *d, cairo_surface_t *surface,
                    double scale, double x, double y)
{
	c->device = d;
	c->cr = cairo_create(surface);
	cairo_scale(c->cr, scale, scale);
	cairo_translate(c->cr, -x, -y);
	c->layout = pango_cairo_create_layout(c->cr);
	pango_layout_set_wrap(c->layout, PANGO_WRAP_WORD_CHAR);
	pango_layout_set_ellipsize(c->layout, PANGO_ELLIPSIZE_END);
	for (int i = 0; i < VD_FONTS; i++) {
		c->fonts[i] = pango_font_description_new();
		pango_font_description_set_family_static(c->fonts[i], "Sans");
		pango_font_description_set_weight(c->fonts[i], fonts[i].weight);
		pango_font_description_set_absolute_size(c->fonts[i], fonts[i].size * PANGO_SCALE);
	}
}

void vd_canvas_done(struct vd_canvas *c)
{
	for (int i = 0; i < VD_FONTS; i++)
		pango_font_description_free(c->fonts[i]);
	g_object_unref(c->layout);
	cairo_destroy(c->cr);
}

static void use(struct vd_canvas *c, enum vd_colour colour, double alpha)
{
	const double *rgb = c->device->dark ? dark[colour] : light[colour];
	cairo_set_source_rgba(c->cr, rgb[0], rgb[1], rgb[2], alpha);
}

static void path(struct vd_canvas *c, struct ui_rect r, double radius)
{
	radius = fmin(radius, fmin(r.width, r.height) / 2);
	if (radius <= 0) {
		cairo_rectangle(c->cr, r.x, r.y, r.width, r.height);
		return;
	}
	double x2 = r.x + r.width, y2 = r.y + r.height;
	cairo_new_sub_path(c->cr);
	cairo_arc(c->cr, x2 - radius, r.y + radius, radius, -M_PI / 2, 0);
	cairo_arc(c->cr, x2 - radius, y2 - radius, radius, 0, M_PI / 2);
	cairo_arc(c->cr, r.x + radius, y2 - radius, radius, M_PI / 2, M_PI);
	cairo_arc(c->cr, r.x + radius, r.y + radius, radius, M_PI, 3 * M_PI / 2);
	cairo_close_path(c->cr);
}

void vd_fill(struct vd_canvas *c, struct ui_rect r, double radius, enum vd_colour colour,
             double alpha)
{
	if (r.width <= 0 || r.height <= 0)
		return;
	path(c, r, radius);
	use(c, colour, alpha);
	cairo_fill(c->cr);
}

void vd_frame(struct vd_canvas *c, struct ui_rect r, double radius, enum vd_colour colour,
              double width)
{
	struct ui_rect middle = vd_inset(r, width / 2, width / 2);
	if (middle.width <= 0 || middle.height <= 0)
		return;
	path(c, middle, radius - width / 2);
	use(c, colour, 1);
	cairo_set_line_width(c->cr, width);
	cairo_stroke(c->cr);
}

void vd_shadow(struct vd_canvas *c, struct ui_rect r, double radius)
{
	for (int i = 6; i > 0; i--) {
		struct ui_rect wider = vd_inset(r, -i, -i);
		wider.y += 2;
		vd_fill(c, wider, radius + i, VD_SHADE, 0.025);
	}
}

void vd_disc(struct vd_canvas *c, double x, double y, double radius, enum vd_colour colour,
             double alpha)
{
	cairo_new_sub_path(c->cr);
	cairo_arc(c->cr, x, y, radius, 0, 2 * M_PI);
	use(c, colour, alpha);
	cairo_fill(c->cr);
}

void vd_stroke(struct vd_canvas *c, const double (*points)[2], size_t n, double width,
               enum vd_colour colour, double alpha)
{
	for (size_t i = 0; i < n; i++)
		cairo_line_to(c->cr, points[i][0], points[i][1]);
	cairo_set_line_width(c->cr, width);
	cairo_set_line_cap(c->cr, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
	use(c, colour, alpha);
	cairo_stroke(c->cr);
}

double vd_text_draw(struct vd_canvas *c, const struct vd_label *l)
{
	static const PangoAlignment aligns[] = { [VD_LEFT] = PANGO_ALIGN_LEFT,
		                                     [VD_MIDDLE] = PANGO_ALIGN_CENTER,
		                                     [VD_RIGHT] = PANGO_ALIGN_RIGHT };
	struct ui_rect r = l->rect;
	if (!l->text || !*l->text || r.width <= 0 || r.height <= 0)
		return 0;
	pango_layout_set_font_description(c->layout, c->fonts[l->font]);
	pango_layout_set_single_paragraph_mode(c->layout, l->single);
	pango_layout_set_text(c->layout, l->text, -1);
	pango_layout_set_width(c->layout, (int)(r.width * PANGO_SCALE));
	pango_layout_set_height(c->layout, l->single ? -1 : (int)(r.height * PANGO_SCALE));
	pango_layout_set_alignment(c->layout, aligns[l->align]);
	int width, height;
	pango_layout_get_pixel_size(c->layout, &width, &height);
	cairo_move_to(c->cr, r.x, r.y + (l->top ? 0 : floor((r.height - height) / 2)));
	use(c, l->colour, l->alpha);
	pango_cairo_show_layout(c->cr, c->layout);
	return width;
}
