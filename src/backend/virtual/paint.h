/* What each kind of widget looks like. */
#ifndef DEFT_BACKEND_VIRTUAL_PAINT_H
#define DEFT_BACKEND_VIRTUAL_PAINT_H

#include "backend/virtual/canvas.h"

/* Draws the widget itself, without its children. */
void vd_paint(struct vd_canvas *c, const struct vd_widget *w);

typedef void vd_painter(struct vd_canvas *c, const struct vd_widget *w);
/* paint_controls.c: what has a value or a state. */
vd_painter vd_paint_slider, vd_paint_stepper, vd_paint_rating, vd_paint_switch, vd_paint_check,
    vd_paint_segments, vd_paint_segment, vd_paint_dropdown, vd_paint_spinner, vd_paint_progress;
/* paint_fields.c: what takes text, and the keyboard. */
vd_painter vd_paint_field, vd_paint_keyboard;

/* How strongly a widget is drawn: disabled ones are pale. */
static inline double vd_strength(const struct vd_widget *w)
{
	return w->enabled ? 1 : 0.4;
}
/* True for the chosen part of a segmented control. */
bool vd_segment_chosen(const struct vd_widget *w);

#endif
