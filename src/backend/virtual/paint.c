/* Texts, buttons, rows, surfaces; and the table of who draws what. */
#include "backend/virtual/paint.h"

#include <string.h>

static void text(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_text_draw(c, &(struct vd_label){ .text = w->text ? w->text : w->label,
	                                    .rect = vd_inset(w->rect, 4, 0),
	                                    .font = VD_BODY_TEXT,
	                                    .colour = VD_INK,
	                                    .alpha = vd_strength(w) });
}

static void heading(struct vd_canvas *c, const struct vd_widget *w)
{
	bool middle = w->parent && (w->parent->kind == VD_ALERT || w->parent->kind == VD_SHEET);
	vd_text_draw(c, &(struct vd_label){ .text = w->label ? w->label : w->text,
	                                    .rect = vd_inset(w->rect, 4, 0),
	                                    .font = VD_TITLE,
	                                    .colour = VD_INK,
	                                    .alpha = 1,
	                                    .align = middle ? VD_MIDDLE : VD_LEFT });
}

static void header(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_fill(c, w->rect, 0, VD_SUNK, 1);
	vd_text_draw(c, &(struct vd_label){ .text = w->label ? w->label : w->text,
	                                    .rect = vd_inset(w->rect, 12, 0),
	                                    .font = VD_STRONG,
	                                    .colour = VD_FAINT,
	                                    .alpha = 1,
	                                    .single = true });
}

static void web_link(struct vd_canvas *c, const struct vd_widget *w)
{
	double width = vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                                   .rect = vd_inset(w->rect, 4, 0),
	                                                   .font = VD_BODY_TEXT,
	                                                   .colour = VD_ACCENT,
	                                                   .alpha = vd_strength(w),
	                                                   .single = true });
	vd_fill(c, (struct ui_rect){ w->rect.x + 4, w->rect.y + w->rect.height / 2 + 9, width, 1 }, 0,
	        VD_ACCENT, vd_strength(w));
}

static void chevron(struct vd_canvas *c, double x, double y, double way, enum vd_colour colour)
{
	const double points[][2] = { { x - way * 3, y - 6 },
		                         { x + way * 3, y },
		                         { x - way * 3, y + 6 } };
	vd_stroke(c, points, 3, 2, colour, 1);
}

/* In the bar at the top a button is its text, as on phones. */
static void bar_button(struct vd_canvas *c, const struct vd_widget *w)
{
	bool back = w->id && strcmp(w->id, "back") == 0;
	struct ui_rect r = vd_inset(w->rect, back ? 0 : 4, 0);
	if (back) {
		chevron(c, r.x + 12, r.y + r.height / 2, -1, VD_ACCENT);
		r.x += 20;
		r.width -= 20;
	}
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = r,
	                                    .font = VD_BODY_TEXT,
	                                    .colour = VD_ACCENT,
	                                    .alpha = vd_strength(w),
	                                    .align = back ? VD_LEFT : VD_MIDDLE,
	                                    .single = true });
}

static void button(struct vd_canvas *c, const struct vd_widget *w)
{
	enum vd_kind in = w->parent ? w->parent->kind : VD_BODY;
	if (in == VD_NAVBAR) {
		bar_button(c, w);
		return;
	}
	bool quiet = in == VD_ALERT || in == VD_SHEET;
	vd_fill(c, w->rect, 10, quiet ? VD_SUNK : VD_ACCENT, vd_strength(w));
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = vd_inset(w->rect, 8, 0),
	                                    .font = VD_STRONG,
	                                    .colour = quiet ? VD_ACCENT : VD_ON_ACCENT,
	                                    .alpha = vd_strength(w),
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

static void item(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	bool alone = !w->parent || w->parent->kind != VD_LIST;
	vd_fill(c, r, alone ? 10 : 0, VD_SURFACE, 1);
	if (!alone && w->next)
		vd_fill(c, (struct ui_rect){ r.x + 12, r.y + r.height - 1, r.width - 12, 1 }, 0, VD_LINE,
		        1);
	if (json_object_get(w->on, "press"))
		chevron(c, r.x + r.width - 16, r.y + r.height / 2, 1, VD_LINE);
	vd_text_draw(c, &(struct vd_label){ .text = w->label   ? w->label
	                                            : w->first ? NULL
	                                                       : w->text,
	                                    .rect = { r.x + 12, r.y, r.width - 40, r.height },
	                                    .font = VD_BODY_TEXT,
	                                    .colour = VD_INK,
	                                    .alpha = vd_strength(w) });
}

static void option(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	if (w->checked) {
		double x = r.x + r.width - 28, y = r.y + r.height / 2;
		const double tick[][2] = { { x, y }, { x + 4, y + 4 }, { x + 12, y - 6 } };
		vd_stroke(c, tick, 3, 2.5, VD_ACCENT, 1);
	}
	if (w->next)
		vd_fill(c, (struct ui_rect){ r.x + 14, r.y + r.height - 1, r.width - 14, 1 }, 0, VD_LINE,
		        1);
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = { r.x + 14, r.y, r.width - 48, r.height },
	                                    .font = w->checked ? VD_STRONG : VD_BODY_TEXT,
	                                    .colour = w->checked ? VD_ACCENT : VD_INK,
	                                    .alpha = 1,
	                                    .single = true });
}

static void list(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_fill(c, w->rect, 10, VD_SURFACE, 1);
}

static void bar(struct vd_canvas *c, const struct vd_widget *w)
{
	bool at_top = w->kind == VD_NAVBAR;
	struct ui_rect r = w->rect, line = { r.x, at_top ? r.y + r.height - 1 : r.y, r.width, 1 };
	vd_fill(c, r, 0, VD_SURFACE, 1);
	vd_fill(c, line, 0, VD_LINE, 1);
}

static void tab(struct vd_canvas *c, const struct vd_widget *w)
{
	if (w->parent && w->parent->kind == VD_SEGMENTS) {
		vd_paint_segment(c, w);
		return;
	}
	struct ui_rect r = w->rect;
	vd_frame(c, (struct ui_rect){ r.x + r.width / 2 - 9, r.y + 8, 18, 18 }, 5, VD_FAINT, 2);
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = { r.x, r.y + 30, r.width, r.height - 34 },
	                                    .font = VD_SMALL,
	                                    .colour = VD_FAINT,
	                                    .alpha = vd_strength(w),
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

static void card(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_fill(c, w->rect, 14, VD_SURFACE, 1);
	vd_frame(c, w->rect, 14, VD_LINE, 1);
}

static void dialog(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_shadow(c, w->rect, 16);
	vd_fill(c, w->rect, 16, VD_SURFACE, 1);
	if (c->device->dark)
		vd_frame(c, w->rect, 16, VD_LINE, 1);
}

/* It comes up from the bottom edge: its lower corners lie outside. */
static void sheet(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	r.height += 16;
	vd_shadow(c, r, 16);
	vd_fill(c, r, 16, VD_SURFACE, 1);
	vd_fill(c, (struct ui_rect){ r.x + r.width / 2 - 18, r.y + 6, 36, 4 }, 2, VD_LINE, 1);
}

static void image(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	double x = r.x + r.width / 2, y = r.y + r.height / 2 - 6;
	const double hills[][2] = {
		{ x - 26, y + 16 }, { x - 10, y - 6 }, { x, y + 6 }, { x + 8, y - 2 }, { x + 26, y + 16 }
	};
	vd_fill(c, r, 8, VD_SUNK, 1);
	vd_disc(c, x + 14, y - 12, 5, VD_FAINT, 1);
	vd_stroke(c, hills, 5, 2.5, VD_FAINT, 1);
	vd_text_draw(c, &(struct vd_label){ .text = w->label,
	                                    .rect = { r.x + 8, r.y + r.height - 24, r.width - 16, 20 },
	                                    .font = VD_SMALL,
	                                    .colour = VD_FAINT,
	                                    .alpha = 1,
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

static void divider(struct vd_canvas *c, const struct vd_widget *w)
{
	vd_fill(c, (struct ui_rect){ w->rect.x, w->rect.y + 4, w->rect.width, 1 }, 0, VD_LINE, 1);
}

static vd_painter *const painters[VD_KIND_COUNT] = {
	[VD_TEXT] = text,
	[VD_HEADING] = heading,
	[VD_HEADER] = header,
	[VD_LINK] = web_link,
	[VD_BUTTON] = button,
	[VD_ITEM] = item,
	[VD_OPTION] = option,
	[VD_LIST] = list,
	[VD_NAVBAR] = bar,
	[VD_TABS] = bar,
	[VD_TAB] = tab,
	[VD_CARD] = card,
	[VD_ALERT] = dialog,
	[VD_POPUP] = dialog,
	[VD_SHEET] = sheet,
	[VD_IMAGE] = image,
	[VD_DIVIDER] = divider,
	[VD_FIELD] = vd_paint_field,
	[VD_SEARCH] = vd_paint_field,
	[VD_PASSWORD] = vd_paint_field,
	[VD_AREA] = vd_paint_field,
	[VD_DATE] = vd_paint_field,
	[VD_KEYBOARD] = vd_paint_keyboard,
	[VD_SLIDER] = vd_paint_slider,
	[VD_STEPPER] = vd_paint_stepper,
	[VD_RATING] = vd_paint_rating,
	[VD_SWITCH] = vd_paint_switch,
	[VD_CHECKBOX] = vd_paint_check,
	[VD_RADIO] = vd_paint_check,
	[VD_SEGMENTS] = vd_paint_segments,
	[VD_DROPDOWN] = vd_paint_dropdown,
	[VD_SPINNER] = vd_paint_spinner,
	[VD_PROGRESS] = vd_paint_progress,
};

void vd_paint(struct vd_canvas *c, const struct vd_widget *w)
{
	if (painters[w->kind])
		painters[w->kind](c, w);
}
