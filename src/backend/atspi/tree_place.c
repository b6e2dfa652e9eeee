/* Places on the screen. Toolkits disagree about what "screen" and "window" coordinates are:
 *
 *   gtk, Qt, Chromium, WebKit, Gecko   SCREEN extents are right (Qt 6.4: WINDOW ones are not)
 *   GTK (4.x)                          knows no screen: always relative to the window's content,
 *                                      so the window's place is asked from the X server. A popover
 *                                      has a window of its own, whose corner counts as that of the
 *                                      element it belongs to, wherever it really opened
 *
 * All of them count in their own pixels: under GDK_SCALE=2 or QT_SCALE_FACTOR one of theirs is two
 * of the X server's. The size of a window in both tells the factor. */
#include "backend/atspi/tree.h"
#include "backend/atspi/x11.h"

#include <math.h>

#define COORD_SCREEN 0u
#define COORD_WINDOW 1u
/* No screen is this large; sentinels are (INT_MIN, INT_MIN, 1, 1), (…, INT_MAX, …). */
#define COORD_LIMIT 1000000
/* The widest border that a client draws around its content without telling, in its own pixels. */
#define BORDER_LIMIT 16

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
	*ret = (struct ui_rect){
		.x = x->x * p->scale + p->dx,
		.y = x->y * p->scale + p->dy,
		.width = x->width * p->scale,
		.height = x->height * p->scale,
	};
	return true;
}

/* --- windows of the X server ------------------------------------------------------------------ */

void place_desk_init(struct place_desk *d, struct atspi *a, struct call c)
{
	*d = (struct place_desk){ .atspi = a, .call = c };
}

void place_desk_done(struct place_desk *d)
{
	free(d->windows);
	d->windows = NULL;
	d->n = 0;
}

bool place_desk_look(struct place_desk *d)
{
	struct x11 *x = d->atspi ? d->atspi->x11 : NULL;

	if (!d->asked && x11_available(x))
		x11_list_windows(x, d->call, 0, &d->windows, &d->n, NULL);
	d->asked = true;
	return d->n > 0;
}

static bool is_popup(const struct x11_window *w)
{
	return w->override_redirect && w->viewable;
}

const struct x11_window *place_desk_popup(struct place_desk *d, pid_t pid)
{
	place_desk_look(d);
	for (size_t i = 0; i < d->n; i++)
		if (is_popup(&d->windows[i]) && (pid == 0 || d->windows[i].pid == pid))
			return &d->windows[i];
	return NULL;
}

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

static struct tree_place window_place(const struct x11_window *w, double scale, double x, double y)
{
	return (struct tree_place){
		.kind = PLACE_WINDOW, .scale = scale, .dx = x, .dy = y, .window = w->id
	};
}

/* --- GTK 4: place and scale of a window ------------------------------------------------------- */

/* The content with the shadow that the client told about fills the client window, at this scale. */
static bool fits_exactly(const struct x11_window *w, const struct tree_extents *frame, double scale,
                         struct tree_place *ret)
{
	static const int none[4] = { 0 };
	const int *shadow = w->has_gtk_frame ? w->gtk_frame : none;

	if (!near(w->client.width, frame->width * scale + shadow[0] + shadow[1], scale) ||
	    !near(w->client.height, frame->height * scale + shadow[2] + shadow[3], scale))
		return false;
	*ret = window_place(w, scale, w->client.x + shadow[0], w->client.y + shadow[2]);
	return true;
}

/* Without a compositor the client draws an even border and tells nobody. */
static bool fits_with_border(const struct x11_window *w, const struct tree_extents *frame,
                             double scale, struct tree_place *ret)
{
	double x = (w->client.width - frame->width * scale) / 2;
	double y = (w->client.height - frame->height * scale) / 2;

	if (x < 0 || x > BORDER_LIMIT * scale || !near(x, y, scale))
		return false;
	*ret = window_place(w, scale, w->client.x + x, w->client.y + y);
	return true;
}

static bool fits(const struct x11_window *w, const struct tree_extents *frame,
                 struct tree_place *ret)
{
	for (double scale = 1; scale <= 4; scale++)
		if (fits_exactly(w, frame, scale, ret))
			return true;
	for (double scale = 1; scale <= 4; scale++)
		if (fits_with_border(w, frame, scale, ret))
			return true;
	return false;
}

/* How many managed windows fit by size, of this title or of any; *ret: the last of them. */
static unsigned find_window(const struct place_desk *d, pid_t pid, const char *title,
                            const struct tree_extents *frame, struct tree_place *ret)
{
	unsigned found = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct x11_window *w = &d->windows[i];

		if (w->pid == pid && !w->override_redirect && (!title || strcmp(w->title, title) == 0) &&
		    fits(w, frame, ret))
			found++;
	}
	return found;
}

/* --- others: scale ---------------------------------------------------------------------------- */

/* The factor by which the window is larger on the X server than its program says, with or without
 * the decoration; 0: none that fits. */
static double scale_of(const struct x11_window *w, const struct tree_extents *frame)
{
	static const double known[] = { 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4 };
	double more_x = w->net_frame[0] + w->net_frame[1], more_y = w->net_frame[2] + w->net_frame[3];

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		double width = frame->width * known[i], height = frame->height * known[i];
		double slack = 2 * known[i] + 1;

		if ((near(w->client.width, width, slack) && near(w->client.height, height, slack)) ||
		    (near(w->client.width + more_x, width, slack) &&
		     near(w->client.height + more_y, height, slack)))
			return known[i];
	}
	return 0;
}

/* Asked for once in a program's life, at the first of its windows that is found again. */
static double scale_of_program(struct place_desk *d, struct atspi_peer *peer, const char *title,
                               const struct tree_extents *frame)
{
	if (peer->scale > 0)
		return peer->scale;
	if (!frame || !place_extents_sane(frame) || peer->pid <= 0 || !place_desk_look(d))
		return 1;
	for (size_t i = 0; i < d->n && peer->scale <= 0; i++)
		if (d->windows[i].pid == peer->pid && !d->windows[i].override_redirect &&
		    (!title || !*title || strcmp(d->windows[i].title, title) == 0))
			peer->scale = scale_of(&d->windows[i], frame);
	return peer->scale > 0 ? peer->scale : 1;
}

static struct tree_place unknown(const char *why)
{
	return (struct tree_place){ .kind = PLACE_UNKNOWN, .scale = 1, .why = why };
}

struct tree_place place_of_window(struct place_desk *d, struct atspi_peer *peer, const char *title,
                                  const struct tree_extents *frame)
{
	struct tree_place place;
	unsigned found = 0;

	/* Wayland: what programs call the screen is their own window. */
	if (d->atspi->x11 && !x11_available(d->atspi->x11))
		return unknown("without an X server nobody tells where windows are");
	if (place_coord_type(peer->toolkit) == COORD_SCREEN)
		return (struct tree_place){ .kind = PLACE_SCREEN,
			                        .scale = scale_of_program(d, peer, title, frame) };
	if (!frame || !place_extents_sane(frame) || peer->pid <= 0 || !place_desk_look(d))
		return unknown("the place of its window on the screen is unknown");
	if (title && *title)
		found = find_window(d, peer->pid, title, frame, &place);
	if (found == 0)
		found = find_window(d, peer->pid, NULL, frame, &place);
	if (found > 1)
		return unknown("several windows of its program look the same on the screen");
	if (found == 0)
		return unknown("the place of its window on the screen is unknown");
	peer->scale = place.scale;
	return place;
}

/* --- GTK 4: popovers -------------------------------------------------------------------------- */

/* The popover, at its place from the corner of its window, fills the window to the far edges. */
static bool fills(const struct x11_window *w, const struct tree_extents *x, double left, double top,
                  double scale)
{
	return near(w->client.width, (left + x->width) * scale, scale) &&
	       near(w->client.height, (top + x->height) * scale, scale);
}

bool place_of_popup(struct place_desk *d, const struct atspi_peer *peer,
                    const struct tree_extents *x, const struct tree_extents *up,
                    struct tree_place *place)
{
	double scale = peer->scale > 0 ? peer->scale : 1;
	double left = (double)x->x - up->x, top = (double)x->y - up->y;
	struct tree_place found = *place;
	unsigned n = 0;

	if (peer->toolkit != ATSPI_TOOLKIT_GTK4 || peer->pid <= 0 || !place_extents_sane(x) ||
	    !place_extents_sane(up) || left < 0 || top < 0 || !place_desk_popup(d, peer->pid))
		return false;
	for (size_t i = 0; i < d->n; i++) {
		const struct x11_window *w = &d->windows[i];

		if (!is_popup(w) || w->pid != peer->pid || w->id == place->window ||
		    !fills(w, x, left, top, scale))
			continue;
		found = window_place(w, scale, w->client.x - up->x * scale, w->client.y - up->y * scale);
		n++;
	}
	/* Two of one size: better no place than the wrong one. */
	if (n > 1)
		found = unknown("several open lists of its program look the same on the screen");
	*place = found;
	return n > 0;
}
