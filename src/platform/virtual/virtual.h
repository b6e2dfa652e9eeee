/* The virtual device: a scene in memory, no hardware needed. Always there, always last choice. */
#ifndef DEFT_PLATFORM_VIRTUAL_VIRTUAL_H
#define DEFT_PLATFORM_VIRTUAL_VIRTUAL_H

#include "platform/platform.h"

extern const struct pf_module pf_virtual_module;

#endif
