#include "platform/linux/linux.h"

#include "base/cleanup.h"
#include "platform/linux/desktop.h"
#include "platform/runner_program.h"

#include <stdio.h>

static void check(const struct pf_caller *caller, struct call c, struct pf_device_info *info)
{
	struct pf_lack lack;
	char auto_free *program = pf_runner_program("linux");
	if (!pf_desktop_check(caller, c, &lack))
		pf_unavailable(info, lack.code, lack.text);
	else if (!program)
		pf_unavailable(info, "runner_missing",
		               "the program deft-runner-linux is not installed beside deft");
}

static int devices(const struct pf_caller *caller, struct call c, struct pf_device_info *list,
                   size_t max, size_t *ret_n, struct error *e)
{
	*ret_n = 0;
	if (max == 0)
		return 0;
	const char *display = pf_desktop_display(caller);
	struct buf auto_buf id;
	struct pf_device_info *info = &list[0];
	buf_init(&id, sizeof info->id);
	pf_desktop_id(caller, &id);
	*info = (struct pf_device_info){
		.platform = "linux",
		.kind = "desktop",
		.target = "desktop",
		.available = true,
	};
	snprintf(info->id, sizeof info->id, "%s", id.data);
	snprintf(info->name, sizeof info->name, display ? "Linux desktop %s" : "Linux desktop",
	         display);
	check(caller, c, info);
	*ret_n = 1;
	return 0;
}

static int attach(const struct pf_caller *caller, const struct pf_device_info *info,
                  struct pf_device **ret, struct error *e)
{
	struct pf_lack lack;
	if (!pf_desktop_check(caller, CALL_FOREVER, &lack)) {
		error_set(e, ERR_DEVICE_UNAVAILABLE, "%s can't be used: %s", info->name, lack.text);
		return error_reason(e, lack.code);
	}
	return pf_runner_attach(caller, info, "linux", ret, e);
}

const struct pf_module pf_linux_module = {
	.platform = "linux",
	.devices = devices,
	.attach = attach,
};
