/* The virtual device: a scene that lives. Screens are stacked by navigation, overlays (alerts, sheets,
 * popups, the keyboard) lie above, one widget may have the focus, and time moves by commands only.
 *
 * Every operation leaves the layout fresh. Not thread-safe: the runner's executor is its only caller. */
#ifndef DEFT_BACKEND_VIRTUAL_DEVICE_H
#define DEFT_BACKEND_VIRTUAL_DEVICE_H

#include "backend/virtual/clock.h"
#include "backend/virtual/scene.h"
#include "backend/virtual/widget.h"
#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

#define VD_STACK_MAX 16

struct vd_device {
	struct vd_scene *scene; /* NULL: the home screen of the device */
	const struct vd_flavour *flavour;
	struct vd_clock clock;
	struct vd_widget *stack[VD_STACK_MAX]; /* screens, the last one is shown */
	char *stack_ids[VD_STACK_MAX];
	unsigned n_stack;
	struct vd_widget *overlays[VD_STACK_MAX]; /* above the screen, the last one takes the input */
	unsigned n_overlays;
	struct vd_widget *keyboard; /* NULL: hidden */
	uint32_t focus;             /* uid, 0: none */
	uint32_t uids;
	uint32_t appended; /* widgets that actions have added since the scene was opened */
	bool landscape, dark, in_front;
	double width, height;      /* points, as rotated */
	uint64_t presses, changes; /* what happened to it, for tests */
	struct vd_widget *dead;    /* left the device, freed by vd_device_sweep() */
};

int vd_device_init(struct vd_device *d, const struct vd_flavour *flavour);
void vd_device_done(struct vd_device *d);
/* Starts a scene from its first screen (takes it over) or, with NULL, the present one anew. */
int vd_device_open(struct vd_device *d, struct vd_scene *scene, struct error *e);
void vd_device_close_app(struct vd_device *d);

/* Takes a root out of use. It is freed by the next sweep, not now: the binding that removes a screen
 * usually runs on behalf of a widget of that screen. */
void vd_device_bury(struct vd_device *d, struct vd_widget *root);
/* Frees what was buried; called before a command, when nobody holds a widget. */
void vd_device_sweep(struct vd_device *d);

/* Moves time on and runs what falls due. */
void vd_device_advance(struct vd_device *d, int64_t ms);

/* The shown screen; NULL when no app is in front. */
struct vd_widget *vd_device_screen(const struct vd_device *d);
/* Roots from the bottom up: screen, overlays, keyboard. At most VD_STACK_MAX + 2; returns how many. */
unsigned vd_device_roots(const struct vd_device *d, struct vd_widget **ret);
struct vd_widget *vd_device_find(const struct vd_device *d, uint32_t uid);
struct vd_widget *vd_device_by_id(const struct vd_device *d, const char *id);
void vd_device_layout(struct vd_device *d);

/* --- input (input.c) --- */
/* What a press at the point reaches: the topmost widget there, or NULL. */
struct vd_widget *vd_hit(const struct vd_device *d, double x, double y);
#define VD_LONG_PRESS_MS 500
/* A press at the point reaches the widget or a part of it. *ret_on_top (or NULL): what it reaches
 * instead, NULL when something modal takes it. */
bool vd_reaches(const struct vd_device *d, const struct vd_widget *w, double x, double y,
                const struct vd_widget **ret_on_top);
void vd_press(struct vd_device *d, double x, double y, int clicks, int hold_ms);
/* What a press on the widget does, wherever it stands; false: it takes none, or something modal lies
 * above it. */
bool vd_activate_widget(struct vd_device *d, struct vd_widget *w);
void vd_drag(struct vd_device *d, double x, double y, double x2, double y2, int duration_ms);
/* True when the container moved. */
bool vd_scroll(struct vd_device *d, struct vd_widget *container, double dy);
/* The nearest scroll container around a widget, or NULL. */
struct vd_widget *vd_scroller_of(struct vd_widget *w);
void vd_focus(struct vd_device *d, struct vd_widget *w);
void vd_enter_text(struct vd_device *d, struct vd_widget *w, const char *text, bool replace);
bool vd_key(struct vd_device *d, const char *chord);
/* The device's back: keyboard, then overlay, then screen, then out of the app. */
void vd_back(struct vd_device *d);
/* Leaves the shown screen for the one below; false: it is the first. */
bool vd_pop(struct vd_device *d);
void vd_home(struct vd_device *d);
void vd_keyboard_hide(struct vd_device *d);
void vd_rotate(struct vd_device *d, bool landscape);

/* --- behaviour (actions.c) --- */
void vd_run_event(struct vd_device *d, struct vd_widget *w, const char *event);
void vd_run_actions(struct vd_device *d, const json_t *actions);
int vd_navigate(struct vd_device *d, const char *screen);
void vd_dismiss(struct vd_device *d);
/* Opens a popup with the widget's choices. */
void vd_open_popup(struct vd_device *d, struct vd_widget *w);
void vd_choose(struct vd_device *d, struct vd_widget *w, int index);

/* --- numeric controls (control.c) --- */
enum vd_by { VD_BY_VALUE, VD_BY_STEP, VD_BY_POINT };
/* Asks for a value; false when this way is not offered. Habits (stuck, slip, …) apply. */
bool vd_control_ask(struct vd_device *d, struct vd_widget *w, double value, enum vd_by by);
/* The value at a point of the track. */
double vd_control_at(const struct vd_widget *w, double x, double y);
void vd_control_text(const struct vd_widget *w, struct buf *out);
/* What the scene gives a control and the flavour lets through: where no direct set exists, a control
 * that has one is offered step by step instead. */
bool vd_control_offers(const struct vd_widget *w, enum vd_by by);
/* How far one step goes: the step, or a tenth of the range. */
double vd_control_stride(const struct vd_control *c);

#endif
