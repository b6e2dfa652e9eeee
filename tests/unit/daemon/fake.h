/* A command table and platforms for tests of the daemon alone. Linked into the tests, and with the
 * daemon's main file into the program `deftd-fake`. */
#ifndef DEFT_TESTS_DAEMON_FAKE_H
#define DEFT_TESTS_DAEMON_FAKE_H

#include "platform/platform.h"

/* Which devices of platform "linux" are listed: '1' is "one", '2' is "two", 'x' is "off", which
 * can't be used (reason "switched off"). Default "12x". A caller's variable DEVICES goes before. The
 * device "virtual" is always there. */
void fake_show_devices(const char *letters);
void fake_hide_virtual(bool hide);
/* With it, every device is a child process (`sleep`), as a runner is. */
void fake_with_children(bool on);
/* Devices attached and not closed yet. */
unsigned fake_open_devices(void);
/* Devices attached since the start. */
unsigned fake_attached(void);
/* Process number of the device's child; 0: it has none. */
int fake_child(const struct pf_device *d);
/* Requests that are inside a device operation; must never be more than one per device. */
unsigned fake_max_inside(void);

#endif
