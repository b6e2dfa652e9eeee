#include "backend/atspi/x11_priv.h"
#include "base/limits.h"

#include <math.h>
#include <xcb/xtest.h>

#define DRAG_STEP_MS 10

void x11_fake(struct x11 *x, uint8_t type, uint8_t detail, int16_t px, int16_t py)
{
	xcb_test_fake_input(x->conn, type, detail, XCB_CURRENT_TIME, x->root, px, py, 0);
}

static void move(struct x11 *x, double px, double py)
{
	int w, h;
	x11_screen_size(x, &w, &h);
	int16_t ix = (int16_t)fmin(fmax(floor(px), 0), w - 1);
	int16_t iy = (int16_t)fmin(fmax(floor(py), 0), h - 1);
	x11_fake(x, XCB_MOTION_NOTIFY, 0, ix, iy);
}

static void press(struct x11 *x, enum x11_button b)
{
	x11_fake(x, XCB_BUTTON_PRESS, (uint8_t)b, 0, 0);
}

static void release(struct x11 *x, enum x11_button b)
{
	x11_fake(x, XCB_BUTTON_RELEASE, (uint8_t)b, 0, 0);
}

static int begin(struct x11 *x, struct call c, struct error *e)
{
	int r = x11_require(x, "move the pointer", e);
	if (r == 0)
		r = call_check(c, "the gesture", e);
	if (r == 0)
		x11_drop_events(x);
	return r;
}

/* Ends a gesture during which the button was down: it goes up whatever r says. */
static int finish(struct x11 *x, struct call c, int r, enum x11_button b, struct error *e)
{
	release(x, b);
	if (r == 0)
		return x11_sync(x, c, e);
	x11_sync(x, x11_undo_call(), NULL);
	return r;
}

int x11_click(struct x11 *x, struct call c, double px, double py, enum x11_button button,
              int clicks, int hold_ms, struct error *e)
{
	int r = begin(x, c, e);
	if (r < 0)
		return r;
	move(x, px, py);
	/* All of a double click leaves in one write: two slow clicks would be two single ones. */
	for (int i = 1; i < clicks; i++) {
		press(x, button);
		release(x, button);
	}
	press(x, button);
	if (hold_ms > 0) {
		r = x11_sync(x, c, e);
		if (r == 0)
			r = x11_pause(c, hold_ms, e);
	}
	return finish(x, c, r, button, e);
}

int x11_drag(struct x11 *x, struct call c, double px, double py, double px2, double py2,
             int duration_ms, struct error *e)
{
	int r = begin(x, c, e);
	if (r < 0)
		return r;
	int steps = duration_ms / DRAG_STEP_MS;
	steps = steps < 2 ? 2 : steps;
	int64_t start = clock_now_ms();
	move(x, px, py);
	press(x, X11_LEFT);
	r = x11_sync(x, c, e);
	for (int i = 1; i <= steps && r == 0; i++) {
		int64_t due = start + (int64_t)duration_ms * i / steps;
		int64_t wait = due - clock_now_ms();
		if (wait > 0)
			r = x11_pause(c, wait, e);
		if (r == 0) {
			double t = (double)i / steps;
			move(x, px + (px2 - px) * t, py + (py2 - py) * t);
			r = x11_sync(x, c, e);
		}
	}
	return finish(x, c, r, X11_LEFT, e);
}

int x11_wheel(struct x11 *x, struct call c, double px, double py, enum x11_button button, int n,
              struct error *e)
{
	int r = begin(x, c, e);
	if (r < 0)
		return r;
	move(x, px, py);
	for (int i = 0; i < n; i++) {
		press(x, button);
		release(x, button);
	}
	return x11_sync(x, c, e);
}
