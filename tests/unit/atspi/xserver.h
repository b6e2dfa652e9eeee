/* Support for tests that need an X server: a private Xvfb, a window manager when there is one, and a
 * small X program whose window writes down what reaches it, as a toolkit would understand it. */
#ifndef DEFT_TESTS_XSERVER_H
#define DEFT_TESTS_XSERVER_H

#include "backend/atspi/x11.h"
#include "base/proc.h"

#include <stdbool.h>
#include <stdint.h>

struct xserver {
	struct proc server, wm;
	char display[16];
	bool has_wm;
};

/* False: Xvfb is not installed (the caller skips). Anything else that goes wrong fails the test. */
bool xserver_start(struct xserver *s, const char *screen);
/* The same on the display the (stopped) server had. */
bool xserver_start_on(struct xserver *s, const char *screen);
/* False: openbox is not installed. Waits until it manages the display. */
bool xserver_start_wm(struct xserver *s);
void xserver_stop(struct xserver *s);
/* Runs a tool with DISPLAY set and expects exit status 0. */
void xserver_run(const struct xserver *s, const char *const *argv);
/* An x11 object of this display; fails the test when it is not available. */
struct x11 *xserver_connect(const struct xserver *s);

/* What a window saw of a button. */
struct xclient_button {
	int button;
	bool down;
	int x, y;      /* in the window */
	uint32_t time; /* of the server, ms */
};

struct xclient_opts {
	const char *title;
	int x, y, width, height;
	uint32_t colour; /* 0xrrggbb of the background */
	uint32_t pid;    /* _NET_WM_PID; 0: none */
	bool popup;      /* override-redirect */
	bool no_ping;    /* does not know _NET_WM_PING */
	bool no_delete;  /* does not know WM_DELETE_WINDOW */
};

struct xclient;
struct xclient *xclient_open(const struct xserver *s, const struct xclient_opts *o);
/* One more window of the same program (X client). */
uint32_t xclient_popup(struct xclient *p, int x, int y, int width, int height);
void xclient_close(struct xclient *p);
/* Closes those that a failed test has left open; fits cmocka's teardown. */
int xclient_close_all(void **state);
uint32_t xclient_window(const struct xclient *p);
/* Waits until the program has read everything sent so far and its window has the focus. */
void xclient_focus(struct xclient *p);
/* Text typed so far, Return as newline, BackSpace as \b; waits until there are n bytes at least. */
const char *xclient_text(struct xclient *p, size_t n);
void xclient_clear(struct xclient *p);
/* Copies the buttons seen, after waiting for n of them. */
size_t xclient_buttons(struct xclient *p, size_t n, struct xclient_button *out, size_t max);
size_t xclient_motions(struct xclient *p);
/* Waits until it was asked to close. */
bool xclient_asked_to_close(struct xclient *p);
/* Core state (modifiers, group in bits 13 and 14) of the i-th key that is no modifier, since the last
 * xclient_clear(); waits for it. */
unsigned xclient_state(struct xclient *p, size_t i);

#endif
