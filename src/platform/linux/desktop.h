/* Cheap looks at what a desktop needs before a runner can work on it: a display and a session bus
 * that somebody answers on, and an accessibility bus that runs or can be started. Local sockets and
 * one question to the bus driver; nothing is started. */
#ifndef DEFT_PLATFORM_LINUX_DESKTOP_H
#define DEFT_PLATFORM_LINUX_DESKTOP_H

#include "base/buf.h"
#include "platform/platform.h"

/* What is missing: reason_code and a sentence, or {"",""}. */
struct pf_lack {
	const char *code;
	char text[256];
};

/* DISPLAY or WAYLAND_DISPLAY of the caller, in this order; NULL when it has neither. */
const char *pf_desktop_display(const struct pf_caller *caller);
/* Id of the caller's desktop: "linux::0", or "linux::0@3f9a1c" with a session bus of its own (one that
 * is not /run/user/<uid>/bus), "linux" without a display. The same display and bus have the same id,
 * however they are spelled, and others another one: two buses on one display are two desktops. */
void pf_desktop_id(const struct pf_caller *caller, struct buf *out);
/* True when nothing is missing. About a millisecond; LIM_DESKTOP_CHECK_MS with a bus that hangs. */
bool pf_desktop_check(const struct pf_caller *caller, struct call c, struct pf_lack *ret);

#endif
