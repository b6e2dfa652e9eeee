/* What the device's screen is drawn with: colours, fonts, boxes, texts. Lengths are points. */
#ifndef DEFT_BACKEND_VIRTUAL_CANVAS_H
#define DEFT_BACKEND_VIRTUAL_CANVAS_H

#include "backend/virtual/device.h"

#include <cairo.h>
#include <pango/pangocairo.h>

enum vd_colour {
	VD_GROUND,  /* behind everything */
	VD_SURFACE, /* cards, rows, fields */
	VD_SUNK,    /* tracks, keys, what lies in a surface */
	VD_LINE,
	VD_INK, /* text */
	VD_FAINT,
	VD_ACCENT,
	VD_ON_ACCENT,
	VD_DANGER,
	VD_SHADE, /* over what a dialog covers */
	VD_COLOURS
};

enum vd_font { VD_SMALL, VD_BODY_TEXT, VD_STRONG, VD_TITLE, VD_SYMBOL, VD_FONTS };
enum vd_align { VD_LEFT, VD_MIDDLE, VD_RIGHT };

struct vd_canvas {
	cairo_t *cr;
	const struct vd_device *device;
	PangoLayout *layout;
	PangoFontDescription *fonts[VD_FONTS];
};

/* Draws on a surface of `scale` pixels a point, the point (x, y) of the screen at its corner. */
void vd_canvas_init(struct vd_canvas *c, const struct vd_device *d, cairo_surface_t *surface,
                    double scale, double x, double y);
void vd_canvas_done(struct vd_canvas *c);

void vd_fill(struct vd_canvas *c, struct ui_rect r, double radius, enum vd_colour colour,
             double alpha);
/* The line lies inside of the rect. */
void vd_frame(struct vd_canvas *c, struct ui_rect r, double radius, enum vd_colour colour,
              double width);
/* A soft edge around what is drawn next. */
void vd_shadow(struct vd_canvas *c, struct ui_rect r, double radius);
void vd_disc(struct vd_canvas *c, double x, double y, double radius, enum vd_colour colour,
             double alpha);
/* A line through n points. */
void vd_stroke(struct vd_canvas *c, const double (*points)[2], size_t n, double width,
               enum vd_colour colour, double alpha);
/* One text in a rect: wrapped, cut with an ellipsis, vertically centred unless `top`. */
struct vd_label {
	const char *text; /* NULL: nothing is drawn */
	struct ui_rect rect;
	enum vd_font font;
	enum vd_colour colour;
	double alpha;
	enum vd_align align;
	bool top;
	bool single; /* one line, not wrapped */
};
/* Returns the width of what was drawn. */
double vd_text_draw(struct vd_canvas *c, const struct vd_label *l);

static inline struct ui_rect vd_inset(struct ui_rect r, double x, double y)
{
	return (struct ui_rect){ r.x + x, r.y + y, r.width - 2 * x, r.height - 2 * y };
}

#endif
