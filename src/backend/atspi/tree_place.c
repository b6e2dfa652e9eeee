/* Places on the screen. Toolkits disagree about what "screen" and "window" coordinates are:
 *
 *   gtk, Qt, Chromium, WebKit, Gecko   SCREEN extents are right (Qt 6.4: WINDOW ones are not)
 *   GTK (4.x)                          knows no screen: always relative to the window's content,
 *                                      so the window's place is asked from the X server */
#include "backend/atspi/tree.h"
#include "backend/atspi/x11.h"

#include <math.h>

#define COORD_SCREEN 0u
#define COORD_WINDOW 1u
/* No screen is this large; sentinels are (INT_MIN, INT_MIN, 1, 1), (…, INT_MAX, …). */
#define COORD_LIMIT 1000000

uint32_t place_coord_type(enum atspi_toolkit toolkit)
{
	return toolkit == ATSPI_TOOLKIT_GTK4 ? COORD_WINDOW : COORD_SCREEN;
}

bool place_extents_sane(const struct tree_extents *x)
{
	return x->width > 0 && x->height > 0 && x->width < COORD_LIMIT && x->height < COORD_LIMIT &&
	       x->x > -COORD_LIMIT && x->x < COORD_LIMIT && x->y > -COORD_LIMIT && x->y < COORD_LIMIT;
}

/* How far the content starts inside the client window: the shadow that the client draws itself. */
static void content_inset(const struct x11_window *w, const struct tree_extents *frame, double *ret_x,
                          double *ret_y)
{
	const int *shadow = w->gtk_frame;

	*ret_x = (w->client.width - frame->width) / 2;
	*ret_y = (w->client.height - frame->height) / 2;
	if (w->has_gtk_frame && fabs(w->client.width - shadow[0] - shadow[1] - frame->width) <= 1 &&
	    fabs(w->client.height - shadow[2] - shadow[3] - frame->height) <= 1) {
		*ret_x = shadow[0];
		*ret_y = shadow[2];
	}
	if (*ret_x < 0 || *ret_y < 0)
		*ret_x = *ret_y = 0;
}

struct tree_place place_of_window(struct atspi *a, struct call c, enum atspi_toolkit toolkit, pid_t pid,
                                  const char *title, const struct tree_extents *frame)
{
	struct tree_place place = { PLACE_SCREEN, 0, 0 };
	struct x11_window w;
	double x, y;

	if (place_coord_type(toolkit) == COORD_SCREEN)
		return place;
	place.kind = PLACE_UNKNOWN;
	if (!a->x11 || !x11_available(a->x11) || pid <= 0 ||
	    x11_window_for(a->x11, c, pid, title && *title ? title : NULL, &w, NULL) < 0)
		return place;
	content_inset(&w, frame, &x, &y);
	return (struct tree_place){ PLACE_WINDOW, w.client.x + x, w.client.y + y };
}

bool place_rect(const struct tree_place *p, const struct tree_extents *x, struct ui_rect *ret)
{
	if (p->kind == PLACE_UNKNOWN || !place_extents_sane(x))
		return false;
	*ret = (struct ui_rect){ x->x + p->dx, x->y + p->dy, x->width, x->height };
	return true;
}
