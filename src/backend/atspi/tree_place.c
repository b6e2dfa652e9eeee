/* Places on the screen. Toolkits disagree about what "screen" and "window" coordinates are:
 *
 *   gtk, Qt, Chromium, WebKit, Gecko   SCREEN extents are right (Qt 6.4: WINDOW ones are not)
 *   GTK (4.x)                          knows no screen: always relative to the window's content,
 *                                      so the window's place is asked from the X server; what is in
 *                                      a popover is relative to the popover, which says (0,0) */
#include "backend/atspi/tree.h"
#include "backend/atspi/x11.h"

#include <math.h>

#define COORD_SCREEN 0u
#define COORD_WINDOW 1u
/* No screen is this large; sentinels are (INT_MIN, INT_MIN, 1, 1), (…, INT_MAX, …). */
#define COORD_LIMIT 1000000
/* The widest shadow a client is believed to draw around its content, on both sides together. */
#define SHADOW_LIMIT 200

uint32_t place_coord_type(enum atspi_toolkit toolkit)
{
	return toolkit == ATSPI_TOOLKIT_GTK4 ? COORD_WINDOW : COORD_SCREEN;
}

bool place_extents_sane(const struct tree_extents *x)
{
	return x->width > 0 && x->height > 0 && x->width < COORD_LIMIT && x->height < COORD_LIMIT &&
	       x->x > -COORD_LIMIT && x->x < COORD_LIMIT && x->y > -COORD_LIMIT && x->y < COORD_LIMIT;
}

bool place_rect(const struct tree_place *p, const struct tree_extents *x, struct ui_rect *ret)
{
	if (p->kind == PLACE_UNKNOWN || !place_extents_sane(x))
		return false;
	*ret = (struct ui_rect){ x->x + p->dx, x->y + p->dy, x->width, x->height };
	return true;
}

/* --- windows of the X server ---------------------------------------------------------------------- */

void place_desk_init(struct place_desk *d, struct atspi *a, struct call c)
{
	*d = (struct place_desk){ .atspi = a, .call = c };
}

void place_desk_done(struct place_desk *d)
{
	free(d->windows);
	d->windows = NULL;
}

/* The windows of pid, asked for once as long as the questions are about the same program. */
static bool look_at_desk(struct place_desk *d, pid_t pid)
{
	if (pid <= 0 || !d->atspi->x11 || !x11_available(d->atspi->x11))
		return false;
	if (d->pid == pid)
		return d->n > 0;
	place_desk_done(d);
	d->pid = pid;
	d->n = 0;
	return x11_list_windows(d->atspi->x11, d->call, pid, &d->windows, &d->n, NULL) == 0 && d->n > 0;
}

/* How far the content starts inside the client window: the shadow that the client draws itself. */
static bool content_inset(const struct x11_window *w, const struct tree_extents *frame,
                          double *ret_x, double *ret_y)
{
	const int *shadow = w->gtk_frame;
	double more_x = w->client.width - frame->width, more_y = w->client.height - frame->height;

	if (more_x < 0 || more_y < 0 || more_x > SHADOW_LIMIT || more_y > SHADOW_LIMIT)
		return false;
	*ret_x = more_x / 2;
	*ret_y = more_y / 2;
	if (w->has_gtk_frame && fabs(more_x - shadow[0] - shadow[1]) <= 1 &&
	    fabs(more_y - shadow[2] - shadow[3]) <= 1) {
		*ret_x = shadow[0];
		*ret_y = shadow[2];
	}
	return true;
}

/* The only managed window whose size fits, of this title or of any; false: none, or several. */
static bool find_window(const struct place_desk *d, const char *title,
                        const struct tree_extents *frame, struct tree_place *ret)
{
	unsigned found = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct x11_window *w = &d->windows[i];
		double x, y;

		if (w->override_redirect || (title && strcmp(w->title, title) != 0) ||
		    !content_inset(w, frame, &x, &y))
			continue;
		*ret = (struct tree_place){ PLACE_WINDOW, w->client.x + x, w->client.y + y };
		found++;
	}
	return found == 1;
}

struct tree_place place_of_window(struct place_desk *d, const struct atspi_peer *peer,
                                  const char *title, const struct tree_extents *frame)
{
	static const struct tree_place screen = { PLACE_SCREEN, 0, 0 },
	                               unknown = { PLACE_UNKNOWN, 0, 0 };
	struct tree_place place;

	if (place_coord_type(peer->toolkit) == COORD_SCREEN)
		return screen;
	if (!frame || !place_extents_sane(frame) || !look_at_desk(d, peer->pid))
		return unknown;
	if (title && *title && find_window(d, title, frame, &place))
		return place;
	return find_window(d, NULL, frame, &place) ? place : unknown;
}

bool place_of_popup(struct place_desk *d, const struct atspi_peer *peer,
                    const struct tree_extents *x, struct tree_place *ret)
{
	unsigned found = 0;

	if (peer->toolkit != ATSPI_TOOLKIT_GTK4 || x->x != 0 || x->y != 0 || !place_extents_sane(x) ||
	    !look_at_desk(d, peer->pid))
		return false;
	for (size_t i = 0; i < d->n; i++) {
		const struct x11_window *w = &d->windows[i];

		if (!w->override_redirect || !w->viewable || fabs(w->client.width - x->width) > 1 ||
		    fabs(w->client.height - x->height) > 1)
			continue;
		*ret = (struct tree_place){ PLACE_WINDOW, w->client.x, w->client.y };
		found++;
	}
	/* Two of one size: better no place than the wrong one. */
	if (found > 1)
		ret->kind = PLACE_UNKNOWN;
	return found > 0;
}
