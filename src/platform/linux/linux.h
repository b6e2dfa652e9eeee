/* The caller's own Linux desktop: one device per display, "linux:<display>". */
#ifndef DEFT_PLATFORM_LINUX_LINUX_H
#define DEFT_PLATFORM_LINUX_LINUX_H

#include "platform/platform.h"

extern const struct pf_module pf_linux_module;

#endif
