/* Whether the session bus can give an accessibility bus. Asks the bus driver only: nothing is
 * started by it. */
#ifndef DEFT_PLATFORM_LINUX_A11Y_BUS_H
#define DEFT_PLATFORM_LINUX_A11Y_BUS_H

#include "base/cancel.h"

enum pf_a11y {
	PF_A11Y_THERE,     /* org.a11y.Bus runs or can be started */
	PF_A11Y_MISSING,   /* no program provides it: at-spi2-core is not installed */
	PF_A11Y_NO_ANSWER, /* the session bus did not answer in time, or refused us */
};

/* address: D-Bus address of the session bus. Takes LIM_DESKTOP_CHECK_MS at most. */
enum pf_a11y pf_a11y_check(const char *address, struct call c);

#endif
