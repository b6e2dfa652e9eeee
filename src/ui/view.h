/* Inside of ui_view_make(): what the passes over the raw tree find out about each node. Every pass is
 * linear; all of them index the raw tree. */
#ifndef DEFT_UI_VIEW_H
#define DEFT_UI_VIEW_H

#include "ui/filter.h"
#include "ui/viewport.h"

struct ui_mark {
	uint32_t end;        /* one past the last descendant */
	uint32_t add_flags;  /* flags that the view adds to the node */
	const char *caption; /* borrowed from a descendant */
	uint8_t place;       /* enum ui_place */
	bool shown;          /* visible, or an ancestor of something visible */
	bool interactive;
	bool unlabelled; /* its label is printed elsewhere, or says nothing */
	bool dropped;    /* a duplicate of an ancestor or descendant */
	bool loose;      /* outside, and no scroll container tells of it */
};

struct ui_viewer {
	const struct ui_tree *raw;
	const struct ui_view_opts *opts;
	struct ui_mark *marks;
	uint32_t first, end; /* the scope: a subtree, or everything */
};

/* Fills shown, place, loose and the hidden-content flags. -ERR_LIMIT_EXCEEDED without memory. */
int ui_view_mark_visible(struct ui_viewer *v, struct error *e);
/* Fills caption, unlabelled and dropped: a text that a control or its wrappers repeat is shown once
 * (case A26). Needs shown and interactive. */
int ui_view_mark_duplicates(struct ui_viewer *v, struct error *e);
/* Adds UI_COVERED where a later overlay lies over a node's centre. */
int ui_view_mark_covered(struct ui_viewer *v, struct error *e);

/* The text that stands for a node: label, caption, and for plain text the value. NULL: none. */
const char *ui_view_text(const struct ui_viewer *v, uint32_t i);

/* Adds the notices of agent surface 4.7 and runner protocol 6.11 to the view's warnings. */
void ui_view_notices(const struct ui_tree *raw, const struct ui_view_opts *opts,
                     const struct ui_view_stats *stats, struct ui_tree *view);

#endif
