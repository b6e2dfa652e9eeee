/* One thing on the virtual screen, and the tree of them. Widgets are made from scene JSON, live in
 * their parent, and are named to the outside by a number that is never used again. */
#ifndef DEFT_BACKEND_VIRTUAL_WIDGET_H
#define DEFT_BACKEND_VIRTUAL_WIDGET_H

#include "backend/virtual/kinds.h"
#include "base/error.h"
#include "ui/node.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A numeric control and its habits. The habits are what the bundled Controls screen shows: each is a
 * way in which real controls disappoint a driver. */
struct vd_control {
	double value, min, max, step; /* step 0: continuous */
	bool has_range;               /* the range is visible to a driver */
	bool direct, steps,
	    by_point; /* what it offers: set a value, one step up/down, press on the track */
	bool vertical, rtl;
	bool stuck;            /* accepts and never changes */
	int delay_ms;          /* reaches its value this much later */
	int slip;              /* settles this many steps away */
	int vanish_after;      /* leaves the screen after so many adjustments, 0: never */
	int lose_direct_after; /* stops offering a direct set after so many, 0: never */
	int adjustments;       /* how many there were */
	char *format;          /* value text with one %; NULL: the plain number */
	bool text_only;        /* no numeric channel, only the text */
};

struct vd_widget {
	uint32_t uid;
	enum vd_kind kind;
	struct vd_widget *parent, *first, *last, *next;
	char *id, *label, *text, *placeholder, *error;
	bool enabled, shown, checked, sticky, collapsed;
	double width;  /* points asked for, 0: what the parent gives */
	double height; /* points asked for, 0: the kind's */
	bool fixed;    /* stands at `at`, outside of the flow (recorded screens) */
	struct ui_rect at;
	json_t *on;                 /* bindings: object event → array of actions; or NULL */
	json_t *choices;            /* array of strings, or NULL */
	int chosen;                 /* index into choices, -1: none */
	struct vd_control *control; /* NULL: not numeric */
	struct ui_rect rect;        /* by the last layout, screen points, scrolling applied */
	double offset, content;     /* scroll containers: scrolled so far, height of the content */
	int64_t edits;              /* how often text was entered */
};

struct vd_widget *vd_widget_new(enum vd_kind kind, uint32_t uid);
/* Frees the widget with its children; it must not be in a parent any more. NULL is fine. */
void vd_widget_free(struct vd_widget *w);
void vd_widget_append(struct vd_widget *parent, struct vd_widget *child);
void vd_widget_detach(struct vd_widget *child);

/* Next widget in document order below root, or NULL; start with root itself. */
struct vd_widget *vd_widget_next(const struct vd_widget *root, const struct vd_widget *w);
struct vd_widget *vd_widget_by_id(struct vd_widget *root, const char *id);
struct vd_widget *vd_widget_by_uid(struct vd_widget *root, uint32_t uid);
/* Shown, and so are all its parents. */
bool vd_widget_visible(const struct vd_widget *w);
static inline bool vd_is(const struct vd_widget *w, unsigned trait)
{
	return (vd_kind_info(w->kind)->traits & trait) != 0;
}
void vd_widget_set_text(struct vd_widget *w, const char *text);
/* Replaces "#" in id, label and text of the widget and its children by n (repeated widgets). */
void vd_widget_number(struct vd_widget *w, int64_t n);
void vd_replace(char **slot, const char *text);

#endif
