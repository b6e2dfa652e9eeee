/* How an item looks: what can be told of it only together with what surrounds it. */
#ifndef DEFT_BACKEND_ATSPI_TREE_LOOK_H
#define DEFT_BACKEND_ATSPI_TREE_LOOK_H

#include "backend/atspi/tree.h"

struct tree_look {
	enum ui_role role;
	uint32_t flags; /* enum ui_flag */
	bool visible;
	bool has_rect;
	bool in_popup;      /* below a menu or combo list: may lie outside of its window */
	bool starts_popup;  /* a window of its own (GTK 4) */
	bool scrolls_above; /* some ancestor scrolls: may lie outside of what is visible */
	bool clipped_away;
	struct tree_place place; /* of what is in the same window or popover */
	struct ui_rect rect;     /* on the screen */
	struct ui_rect clip;     /* what its ancestors let through */
};

/* One per item of the reader; NULL when memory ran out. */
struct tree_look *looks_make(struct tree_reader *r, struct ui_rect screen);
void looks_free(struct tree_look *looks);
/* Name, else the text of the label that names it, else (controls) the description; NULL: none. */
const char *look_label(const struct tree_reader *r, const struct tree_look *looks, uint32_t i);
/* What a combo box shows as chosen; NULL: not one, or it can't be told. */
const char *look_choice(const struct tree_reader *r, const struct tree_look *looks, uint32_t i);
/* Verdict and warnings of the whole snapshot; quality.effective_depth is set when depth cut it. */
void set_quality(struct tree_reader *r, const struct tree_look *looks, struct ui_tree *t,
                 bool silent_seen);

#endif
