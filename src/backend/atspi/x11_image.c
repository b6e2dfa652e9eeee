#include "backend/atspi/pixels.h"
#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <math.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <xcb/shm.h>

struct x11_shm {
	xcb_shm_seg_t seg;
	uint8_t *data;
	size_t size;
};

void x11_shm_free(struct x11 *x)
{
	if (!x->shm)
		return;
	if (x->conn && !xcb_connection_has_error(x->conn))
		xcb_shm_detach(x->conn, x->shm->seg);
	shmdt(x->shm->data);
	free(TAKE(x->shm));
}

/* A segment of at least size bytes that the server has attached; false: there is none to be had. */
static bool shm_ready(struct x11 *x, struct call c, size_t size)
{
	if (x->shm && x->shm->size >= size)
		return true;
	x11_shm_free(x);
	if (x->no_shm)
		return false;
	int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
	if (id < 0)
		return false;
	void *data = shmat(id, NULL, 0);
	xcb_generic_error_t *refused = NULL;
	bool attached = false;
	if (data != (void *)-1) {
		xcb_shm_seg_t seg = xcb_generate_id(x->conn);
		xcb_void_cookie_t cookie = xcb_shm_attach_checked(x->conn, seg, (uint32_t)id, 0);
		if (x11_sync(x, c, NULL) == 0) {
			refused = xcb_request_check(x->conn, cookie);
			attached = !refused;
		}
		x->shm = attached ? malloc(sizeof(*x->shm)) : NULL;
		if (x->shm)
			*x->shm = (struct x11_shm){ seg, data, size };
		else
			shmdt(data);
	}
	/* Both sides hold it now: it goes away with the last of them. */
	shmctl(id, IPC_RMID, NULL);
	x->no_shm = x->no_shm || refused != NULL; /* a server on another machine refuses */
	free(refused);
	return x->shm != NULL;
}

/* --- the format of the root window ---------------------------------------------------------- */

static bool root_format(const struct x11 *x, struct pixel_format *ret, unsigned *ret_pad)
{
	const xcb_setup_t *setup = xcb_get_setup(x->conn);
	xcb_format_iterator_t f = xcb_setup_pixmap_formats_iterator(setup);
	for (; f.rem > 0 && f.data->depth != x->screen->root_depth; xcb_format_next(&f))
		;
	xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(x->screen);
	for (; f.rem > 0 && d.rem > 0; xcb_depth_next(&d)) {
		xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(d.data);
		for (; v.rem > 0; xcb_visualtype_next(&v)) {
			if (v.data->visual_id != x->screen->root_visual)
				continue;
			*ret_pad = f.data->scanline_pad / 8;
			*ret = (struct pixel_format){
				.bytes = f.data->bits_per_pixel / 8,
				.big_endian = setup->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST,
				.red = v.data->red_mask,
				.green = v.data->green_mask,
				.blue = v.data->blue_mask,
			};
			return true;
		}
	}
	return false;
}

/* Whole pixels around a rectangle, cut to the screen. */
static bool whole_pixels(const struct x11 *x, const struct ui_rect *rect, struct ui_rect *ret)
{
	int w, h;
	x11_screen_size(x, &w, &h);
	struct ui_rect screen = { 0, 0, w, h };
	if (!rect) {
		*ret = screen;
		return w > 0 && h > 0;
	}
	struct ui_rect cut;
	if (!ui_rect_intersect(*rect, screen, &cut))
		return false;
	double left = floor(cut.x), top = floor(cut.y);
	*ret = (struct ui_rect){ left, top, ceil(cut.x + cut.width) - left,
		                     ceil(cut.y + cut.height) - top };
	return ret->width >= 1 && ret->height >= 1;
}

/* --- fetching ------------------------------------------------------------------------------- */

/* What is done with the pixels while they are there. */
typedef int use_fn(const struct pixel_image *img, void *arg, struct error *e);

static int by_shm(struct x11 *x, struct call c, struct ui_rect r, struct pixel_image *img,
                  use_fn *use, void *arg, struct error *e)
{
	auto_free xcb_shm_get_image_reply_t *reply = NULL;
	unsigned seq =
	    xcb_shm_get_image(x->conn, x->root, (int16_t)r.x, (int16_t)r.y, (uint16_t)r.width,
	                      (uint16_t)r.height, UINT32_MAX, XCB_IMAGE_FORMAT_Z_PIXMAP, x->shm->seg, 0)
	        .sequence;
	int rc = x11_reply(x, c, seq, &reply, e);
	if (rc < 0)
		return rc;
	img->data = x->shm->data;
	img->size = x->shm->size;
	return use(img, arg, e);
}

static int by_socket(struct x11 *x, struct call c, struct ui_rect r, struct pixel_image *img,
                     use_fn *use, void *arg, struct error *e)
{
	auto_free xcb_get_image_reply_t *reply = NULL;
	unsigned seq = xcb_get_image(x->conn, XCB_IMAGE_FORMAT_Z_PIXMAP, x->root, (int16_t)r.x,
	                             (int16_t)r.y, (uint16_t)r.width, (uint16_t)r.height, UINT32_MAX)
	                   .sequence;
	int rc = x11_reply(x, c, seq, &reply, e);
	if (rc < 0)
		return rc;
	img->data = xcb_get_image_data(reply);
	img->size = (size_t)xcb_get_image_data_length(reply);
	return use(img, arg, e);
}

static int with_pixels(struct x11 *x, struct call c, struct ui_rect r, use_fn *use, void *arg,
                       struct error *e)
{
	struct pixel_image img = { .width = (unsigned)r.width, .height = (unsigned)r.height };
	unsigned pad = 4;
	if (!root_format(x, &img.format, &pad))
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "the screen's colour format is not known");
	img.stride = ((size_t)img.width * img.format.bytes + pad - 1) / pad * pad;
	int rc = shm_ready(x, c, img.stride * img.height) ? by_shm(x, c, r, &img, use, arg, e)
	                                                  : by_socket(x, c, r, &img, use, arg, e);
	/* The segment is given back: a full screen is more than everything else the runner holds. */
	x11_shm_free(x);
	return rc;
}

static int use_as_png(const struct pixel_image *img, void *arg, struct error *e)
{
	return pixels_to_png(img, arg, e);
}

static int use_as_digest(const struct pixel_image *img, void *arg, struct error *e)
{
	return pixels_digest(img, arg, e);
}

static int part_of_screen(struct x11 *x, const struct ui_rect *rect, struct ui_rect *ret,
                          struct error *e)
{
	int rc = x11_require(x, "take a picture of the screen", e);
	if (rc < 0)
		return rc;
	x11_drop_events(x);
	if (!whole_pixels(x, rect, ret))
		return error_set(e, ERR_INVALID_TARGET, "the area to show lies outside the screen");
	return 0;
}

int x11_pixel_digest(struct x11 *x, struct call c, const struct ui_rect *rect, uint64_t *ret,
                     struct error *e)
{
	struct ui_rect r;
	int rc = part_of_screen(x, rect, &r, e);
	return rc < 0 ? rc : with_pixels(x, c, r, use_as_digest, ret, e);
}

int x11_capture(struct x11 *x, struct call c, const struct ui_rect *rect, struct buf *out,
                struct ui_rect *ret_rect, struct error *e)
{
	struct ui_rect r;
	int rc = part_of_screen(x, rect, &r, e);
	if (rc == 0)
		rc = with_pixels(x, c, r, use_as_png, out, e);
	if (rc == 0)
		*ret_rect = r;
	return rc;
}
