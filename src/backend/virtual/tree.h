/* What the device's accessibility shows of its screen. */
#ifndef DEFT_BACKEND_VIRTUAL_TREE_H
#define DEFT_BACKEND_VIRTUAL_TREE_H

#include "backend/virtual/device.h"
#include "ui/node.h"

/* Makes a new tree; the caller ends it. Linear in the number of widgets. */
int vd_tree_make(const struct vd_device *d, struct ui_tree *ret, struct error *e);

/* One widget as it is now. */
struct vd_view {
	uint32_t flags;
	struct ui_rect clip; /* the part of its rect that is inside every scroll container and screen */
	bool clipped_away;   /* nothing of it is */
	bool covered;        /* an overlay, the keyboard or a sticky header lies over its middle */
};
void vd_view_of(const struct vd_device *d, const struct vd_widget *w, struct vd_view *ret);
/* What the accessibility calls it; appended, may be nothing. */
void vd_label_of(const struct vd_widget *w, struct buf *out);
/* "v12", at most 16 bytes. */
void vd_handle(const struct vd_widget *w, char out[16]);

#endif
