/* What takes text, and the keyboard it is taken from. */
#include "backend/virtual/paint.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

#define DOTS 40 /* of a password that are drawn; its field is no longer */

static void magnifier(struct vd_canvas *c, double x, double y)
{
	const double handle[][2] = { { x + 4, y + 4 }, { x + 8, y + 8 } };
	vd_frame(c, (struct ui_rect){ x - 6, y - 6, 11, 11 }, 6, VD_FAINT, 2);
	vd_stroke(c, handle, 2, 2, VD_FAINT, 1);
}

static void calendar(struct vd_canvas *c, double x, double y)
{
	vd_frame(c, (struct ui_rect){ x - 8, y - 7, 16, 15 }, 3, VD_FAINT, 1.5);
	vd_fill(c, (struct ui_rect){ x - 7, y - 3, 14, 1.5 }, 0, VD_FAINT, 1);
	vd_fill(c, (struct ui_rect){ x - 4.5, y - 9, 1.5, 4 }, 0, VD_FAINT, 1);
	vd_fill(c, (struct ui_rect){ x + 3, y - 9, 1.5, 4 }, 0, VD_FAINT, 1);
}

/* What stands in the field: dots for a secret, nothing for an empty one. */
static void content(const struct vd_widget *w, struct buf *out)
{
	if (!w->text)
		return;
	if (!vd_is(w, VT_SECRET)) {
		buf_adds(out, w->text);
		return;
	}
	for (size_t n = utf8_count(w->text), i = 0; i < n && i < DOTS; i++)
		buf_adds(out, "\u2022");
}

static void caret(struct vd_canvas *c, struct ui_rect r, double after)
{
	double x = fmin(r.x + after + 1, r.x + r.width - 2);
	vd_fill(c, (struct ui_rect){ x, r.y + r.height / 2 - 8, 1.5, 16 }, 0, VD_ACCENT, 1);
}

static void caption(struct vd_canvas *c, const struct vd_widget *w, struct ui_rect r)
{
	vd_text_draw(c, &(struct vd_label){ .text = w->error ? w->error : w->label,
	                                    .rect = { r.x, r.y, r.width, 16 },
	                                    .font = VD_SMALL,
	                                    .colour = w->error ? VD_DANGER : VD_FAINT,
	                                    .alpha = vd_strength(w),
	                                    .single = true });
}

/* The label (or what is wrong) small above, below it the text or what is expected there. */
void vd_paint_field(struct vd_canvas *c, const struct vd_widget *w)
{
	bool focused = w->uid == c->device->focus, many = vd_is(w, VT_MULTILINE);
	bool search = w->kind == VD_SEARCH, captioned = (w->label || w->error) && !search;
	struct ui_rect r = w->rect, in = vd_inset(r, 12, 5);
	auto_buf struct buf now;
	buf_init(&now, 4096);
	content(w, &now);
	vd_fill(c, r, search ? 12 : 10, search ? VD_SUNK : VD_SURFACE, 1);
	if (!search || focused)
		vd_frame(c, r, 10, w->error ? VD_DANGER : focused ? VD_ACCENT : VD_LINE, focused ? 2 : 1);
	if (search) {
		magnifier(c, r.x + 18, r.y + r.height / 2);
		in.x += 20;
		in.width -= 20;
	}
	if (w->kind == VD_DATE)
		calendar(c, r.x + r.width - 22, r.y + r.height / 2);
	if (captioned) {
		caption(c, w, in);
		in.y += 16;
		in.height -= 16;
	}
	const char *hint = w->placeholder ? w->placeholder : captioned ? NULL : w->label;
	double width =
	    vd_text_draw(c, &(struct vd_label){ .text = now.len ? now.data : hint,
	                                        .rect = in,
	                                        .font = VD_BODY_TEXT,
	                                        .colour = now.len ? VD_INK : VD_FAINT,
	                                        .alpha = vd_strength(w) * (now.len ? 1 : 0.7),
	                                        .top = many,
	                                        .single = !many });
	if (focused && !many)
		caret(c, in, now.len ? width : 0);
}

/* --- the keyboard ------------------------------------------------------------------------------- */

static void key(struct vd_canvas *c, struct ui_rect r, const char *text, enum vd_colour colour)
{
	vd_fill(c, (struct ui_rect){ r.x, r.y + 1, r.width, r.height }, 6, VD_SHADE, 0.18);
	vd_fill(c, r, 6, colour, 1);
	vd_text_draw(c, &(struct vd_label){ .text = text,
	                                    .rect = r,
	                                    .font = VD_BODY_TEXT,
	                                    .colour = colour == VD_ACCENT ? VD_ON_ACCENT : VD_INK,
	                                    .alpha = 1,
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

void vd_paint_keyboard(struct vd_canvas *c, const struct vd_widget *w)
{
	static const char *const rows[] = { "qwertyuiop", "asdfghjkl", "zxcvbnm" };
	struct ui_rect r = w->rect;
	double wide = r.width / 10, high = fmin(56, (r.height - 30) / 4), y = r.y + 10;
	vd_fill(c, r, 0, VD_SUNK, 1);
	vd_fill(c, (struct ui_rect){ r.x, r.y, r.width, 1 }, 0, VD_LINE, 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++, y += high) {
		size_t n = strlen(rows[i]);
		double x = r.x + (r.width - wide * (double)n) / 2;
		for (size_t k = 0; k < n; k++, x += wide) {
			char letter[2] = { rows[i][k], '\0' };
			key(c, (struct ui_rect){ x + 3, y + 4, wide - 6, high - 10 }, letter, VD_SURFACE);
		}
		if (i == 2) {
			key(c, (struct ui_rect){ r.x + 3, y + 4, wide * 1.4 - 6, high - 10 }, "\u21e7",
			    VD_LINE);
			key(c,
			    (struct ui_rect){ r.x + r.width - wide * 1.4 + 3, y + 4, wide * 1.4 - 6,
			                      high - 10 },
			    "\u232b", VD_LINE);
		}
	}
	key(c, (struct ui_rect){ r.x + 3, y + 4, wide * 2 - 6, high - 10 }, "123", VD_LINE);
	key(c, (struct ui_rect){ r.x + wide * 2 + 3, y + 4, wide * 6 - 6, high - 10 }, "space",
	    VD_SURFACE);
	key(c, (struct ui_rect){ r.x + wide * 8 + 3, y + 4, wide * 2 - 6, high - 10 }, "\u23ce",
	    VD_ACCENT);
}
