#include "platform/platform.h"

#include "platform/linux/linux.h"
#include "platform/virtual/virtual.h"

#include <stddef.h>

static const struct pf_module *const all[] = { &pf_linux_module, &pf_virtual_module, NULL };
static const struct pf_module *const *current = all;

const struct pf_module *const *pf_modules(void)
{
	return current;
}

void pf_set_modules(const struct pf_module *const *list)
{
	current = list ? list : all;
}
