/* The device's screen as a picture: cairo and pango, light or dark, at the flavour's scale. */
#ifndef DEFT_BACKEND_VIRTUAL_RENDER_H
#define DEFT_BACKEND_VIRTUAL_RENDER_H

#include "backend/virtual/device.h"
#include "runner/backend.h"

/* part: a rect in points to cut out, or NULL for the whole screen. */
int vd_render(const struct vd_device *d, const struct ui_rect *part, struct rb_image *ret,
              struct error *e);

#endif
