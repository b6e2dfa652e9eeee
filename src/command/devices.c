/* devices: what there is to drive, and what each thing lacks that can't be driven now. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"

static int devices_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	return dm_devices_json(rq, ret_data, e);
}

/* linux::99  Xvfb (linux desktop target=desktop) available, session default */
static void device_line(const json_t *d, struct buf *out)
{
	const char *session = jx_get_str(d, "session", NULL);

	cmd_add_line(out, jx_get_str(d, "id", ""));
	buf_adds(out, "  ");
	cmd_add_line(out, jx_get_str(d, "name", ""));
	buf_addf(out, " (%s %s target=%s) ", jx_get_str(d, "platform", ""), jx_get_str(d, "kind", ""),
	         jx_get_str(d, "target", ""));
	if (jx_get_bool(d, "available", false)) {
		buf_adds(out, "available");
	} else {
		buf_adds(out, "unavailable: ");
		cmd_add_line(out, jx_get_str(d, "reason", "no reason is known"));
	}
	if (session)
		buf_addf(out, ", session %s", session);
	buf_addc(out, '\n');
}

static void devices_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	const json_t *list = json_object_get(data, "devices");
	size_t i;
	json_t *d;

	if (!json_array_size(list))
		buf_adds(out, "No devices found.\n");
	json_array_foreach(list, i, d) device_line(d, out);
}

static const char *const examples[] = { "deft devices", "deft devices --platform linux", NULL };

const struct cmd_entry cmd_entry_devices = {
	.spec = { .name = "devices",
	          .summary = "List the devices that can be driven, and why others can't",
	          .group = "App",
	          .examples = examples,
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_READ_ONLY },
	CMD_CODE(devices_run, devices_render),
};
