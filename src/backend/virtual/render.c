#include "backend/virtual/render.h"

#include "backend/virtual/paint.h"
#include "base/cleanup.h"
#include "base/image.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

/* --- widgets ----------------------------------------------------------------------------------- */

/* Where in its content a scroll container stands. */
static void scroll_mark(struct vd_canvas *c, const struct vd_widget *w)
{
	struct ui_rect r = w->rect;
	if (w->content <= r.height + 0.5 || r.height < 40)
		return;
	double high = fmax(24, r.height * r.height / w->content);
	double y = r.y + (r.height - high) * w->offset / (w->content - r.height);
	vd_fill(c, (struct ui_rect){ r.x + r.width - 5, y + 2, 3, high - 4 }, 1.5, VD_FAINT, 0.6);
}

static void draw(struct vd_canvas *c, const struct vd_widget *w)
{
	if (!w->shown || w->rect.y > c->device->height || w->rect.y + w->rect.height < 0)
		return;
	vd_paint(c, w);
	bool clips = vd_is(w, VT_SCROLLS);
	if (clips) {
		cairo_save(c->cr);
		cairo_rectangle(c->cr, w->rect.x, w->rect.y, w->rect.width, w->rect.height);
		cairo_clip(c->cr);
	}
	for (const struct vd_widget *k = w->first; k; k = k->next)
		if (!k->sticky)
			draw(c, k);
	for (const struct vd_widget *k = w->first; k; k = k->next)
		if (k->sticky)
			draw(c, k);
	if (clips) {
		scroll_mark(c, w);
		cairo_restore(c->cr);
	}
}

/* --- the device around them -------------------------------------------------------------------- */

static void draw_battery(struct vd_canvas *c, double right, double y)
{
	vd_frame(c, (struct ui_rect){ right - 26, y - 6, 23, 12 }, 3.5, VD_INK, 1.2);
	vd_fill(c, (struct ui_rect){ right - 24, y - 4, 15, 8 }, 2, VD_INK, 1);
	vd_fill(c, (struct ui_rect){ right - 2, y - 2, 2, 4 }, 1, VD_INK, 1);
	for (int i = 0; i < 4; i++)
		vd_fill(c,
		        (struct ui_rect){ right - 54 + i * 5, y + 5 - (i + 1) * 2.6, 3.4, (i + 1) * 2.6 },
		        1, VD_INK, 1);
}

static void draw_status_bar(struct vd_canvas *c)
{
	const struct vd_device *d = c->device;
	double high = d->flavour->status_bar, middle = d->flavour->id == VD_IOS ? 34 : high / 2;
	if (high <= 0)
		return;
	int64_t minutes = d->clock.now_ms / 60000;
	auto_buf struct buf time;
	buf_init(&time, 16);
	buf_addf(&time, "%d:%02d", (int)(9 + (41 + minutes) / 60) % 24, (int)((41 + minutes) % 60));
	if (vd_device_screen(d))
		vd_fill(c, (struct ui_rect){ 0, 0, d->width, high }, 0, VD_SURFACE, 1);
	vd_text_draw(c, &(struct vd_label){ .text = time.data,
	                                    .rect = { 20, middle - 10, 80, 20 },
	                                    .font = VD_STRONG,
	                                    .colour = VD_INK,
	                                    .alpha = 1,
	                                    .single = true });
	draw_battery(c, d->width - 18, middle);
}

static void draw_home_mark(struct vd_canvas *c)
{
	const struct vd_device *d = c->device;
	if (d->flavour->status_bar > 0)
		vd_fill(c, (struct ui_rect){ d->width / 2 - 64, d->height - 9, 128, 4.5 }, 2.5, VD_INK,
		        0.8);
}

/* No app in front: the device's own screen with the app on it. */
static void draw_home_screen(struct vd_canvas *c)
{
	const struct vd_device *d = c->device;
	const char *name = d->scene ? d->scene->app_name : "Demo";
	struct ui_rect icon = { 32, d->flavour->status_bar + 40, 64, 64 };
	char first[8] = { 0 };
	memcpy(first, name, strnlen(name, 1));
	vd_fill(c, (struct ui_rect){ 0, 0, d->width, d->height }, 0, VD_ACCENT, 0.16);
	vd_shadow(c, icon, 16);
	vd_fill(c, icon, 16, VD_ACCENT, 1);
	vd_text_draw(c, &(struct vd_label){ .text = first,
	                                    .rect = icon,
	                                    .font = VD_SYMBOL,
	                                    .colour = VD_ON_ACCENT,
	                                    .alpha = 1,
	                                    .align = VD_MIDDLE,
	                                    .single = true });
	vd_text_draw(c, &(struct vd_label){ .text = name,
	                                    .rect = { icon.x - 16, icon.y + 70, 96, 18 },
	                                    .font = VD_SMALL,
	                                    .colour = VD_INK,
	                                    .alpha = 1,
	                                    .align = VD_MIDDLE,
	                                    .single = true });
}

static void draw_all(struct vd_canvas *c)
{
	const struct vd_device *d = c->device;
	const struct ui_rect whole = { 0, 0, d->width, d->height };
	struct vd_widget *roots[VD_STACK_MAX + 2];
	unsigned n = vd_device_roots(d, roots);
	vd_fill(c, whole, 0, VD_GROUND, 1);
	if (n == 0)
		draw_home_screen(c);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0 && roots[i]->kind != VD_KEYBOARD)
			vd_fill(c, whole, 0, VD_SHADE, 0.4);
		draw(c, roots[i]);
		if (i == 0)
			draw_status_bar(c);
	}
	if (n == 0)
		draw_status_bar(c);
	draw_home_mark(c);
}

/* --- pixels ------------------------------------------------------------------------------------- */

/* Mapped, not allocated: it is megabytes, and goes back to the system at once. */
static int map_pixels(struct ui_rect shown, double scale, struct image *ret, struct error *e)
{
	int width = (int)ceil(shown.width * scale), height = (int)ceil(shown.height * scale);
	int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, width);
	if (width < 1 || height < 1 || width > LIM_IMAGE_SIDE || height > LIM_IMAGE_SIDE || stride < 0)
		return error_set(e, ERR_LIMIT_EXCEEDED, "a picture of %d x %d pixels", width, height);
	void *data = mmap(NULL, (size_t)stride * (size_t)height, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	*ret = (struct image){ .width = (unsigned)width,
		                   .height = (unsigned)height,
		                   .stride = (size_t)stride,
		                   .layout = IMAGE_XRGB,
		                   .data = data };
	return 0;
}

static int draw_on(const struct image *img, const struct vd_device *d, struct ui_rect shown,
                   struct error *e)
{
	cairo_surface_t *surface = cairo_image_surface_create_for_data(
	    img->data, CAIRO_FORMAT_RGB24, (int)img->width, (int)img->height, (int)img->stride);
	struct vd_canvas c;
	vd_canvas_init(&c, d, surface, d->flavour->scale, shown.x, shown.y);
	draw_all(&c);
	cairo_status_t status = cairo_status(c.cr);
	vd_canvas_done(&c);
	cairo_surface_finish(surface);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS
	           ? 0
	           : error_set(e, ERR_COMMAND_FAILED, "the screen could not be drawn: %s",
	                       cairo_status_to_string(status));
}

int vd_render(const struct vd_device *d, const struct ui_rect *part, struct rb_image *ret,
              struct error *e)
{
	struct ui_rect whole = { 0, 0, d->width, d->height }, shown = whole;
	struct image image;
	if (part && !ui_rect_intersect(whole, *part, &shown))
		return error_set(e, ERR_ELEMENT_OFFSCREEN, "the element is scrolled out of view");
	int r = map_pixels(shown, d->flavour->scale, &image, e);
	if (r < 0)
		return r;
	r = draw_on(&image, d, shown, e);
	if (r == 0)
		r = image_to_png(&image, &ret->png, e);
	munmap(image.data, image.stride * image.height);
	if (r < 0)
		return r;
	ret->width = (int)image.width;
	ret->height = (int)image.height;
	ret->scale = d->flavour->scale;
	ret->x = shown.x;
	ret->y = shown.y;
	return 0;
}
