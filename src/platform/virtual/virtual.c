#include "platform/virtual/virtual.h"

#include "base/cleanup.h"
#include "platform/runner_program.h"

static int devices(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
                   size_t max, size_t *ret_n, struct error *e)
{
	*ret_n = 0;
	if (max == 0)
		return 0;
	list[0] = (struct pf_device_info){
		.platform = "virtual",
		.id = "virtual",
		.name = "Virtual device",
		.kind = "virtual",
		.target = "mobile",
		.available = true,
	};
	char auto_free *program = pf_runner_program("virtual");
	if (!program)
		pf_unavailable(&list[0], "runner_missing",
		               "the program deft-runner-virtual is not installed beside deft");
	*ret_n = 1;
	return 0;
}

static int attach(const struct pf_caller *caller, const struct pf_device_info *info,
                  struct pf_device **ret, struct error *e)
{
	int r = pf_runner_attach(caller, info, "virtual", ret, e);
	if (r == 0)
		(*ret)->own_time = true;
	return r;
}

const struct pf_module pf_virtual_module = {
	.platform = "virtual",
	.devices = devices,
	.attach = attach,
};
