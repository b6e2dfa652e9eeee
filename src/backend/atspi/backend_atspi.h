/* The desktop backend: AT-SPI for reading and semantic acting, X11 for pointer, keys and pictures. */
#ifndef DEFT_BACKEND_ATSPI_BACKEND_ATSPI_H
#define DEFT_BACKEND_ATSPI_BACKEND_ATSPI_H

#include "base/error.h"
#include "runner/backend.h"

/* Works without a display and without a bus: what is missing is said by describe() and by the
 * operations that need it. The environment (DISPLAY, WAYLAND_DISPLAY, XDG_SESSION_TYPE, the bus
 * addresses) is that of the process. -ERR_COMMAND_FAILED only when memory ran out. */
int atspi_backend_open(struct rb_backend **ret, struct error *e);

#endif
