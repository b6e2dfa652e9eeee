/* Acting on elements and points: what rb_ops asks of the acting half beside programs (launch.h). */
#ifndef DEFT_ATSPI_ACTING_H
#define DEFT_ATSPI_ACTING_H

#include "backend/atspi/atspi.h"
#include "backend/atspi/x11.h"

/* rb_ops of the same names. */
int atspi_tap(struct atspi *a, struct call c, const struct rb_tap *t, struct error *e);
int atspi_drag(struct atspi *a, struct call c, const struct rb_drag *d, struct error *e);
int atspi_scroll(struct atspi *a, struct call c, const struct rb_scroll *s, int *ret_moved,
                 struct error *e);
int atspi_focus(struct atspi *a, struct call c, const char *node, struct error *e);
int atspi_key(struct atspi *a, struct call c, const char *chord, struct error *e);
int atspi_text(struct atspi *a, struct call c, const struct rb_text *t, struct rb_text_result *ret,
               struct error *e);
int atspi_screenshot(struct atspi *a, struct call c, const struct rb_shot *s, struct rb_image *ret,
                     struct error *e);
int atspi_describe(struct atspi *a, struct call c, json_t **ret, struct error *e);

/* Brings the window of an element forward, for keys and pictures. */
int acting_raise_node(struct atspi *a, struct call c, const char *node, struct x11_window *ret,
                      struct error *e);

#endif
