/* back: a key of the device itself, where it has one. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

static int back_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_json json_t *reply = NULL;
	int r = act_send(rq, act_bare_request(rq, "back"), &reply, e);

	if (r < 0)
		return r;
	*ret_data = json_object();
	cmd_message(*ret_data, "Went back");
	return 0;
}

static const char *const examples[] = { "deft back", NULL };

const struct cmd_entry cmd_entry_back = {
	.spec = { .name = "back",
	          .summary = "Go back as the device's own back key does: keyboard, dialog, screen, "
	                     "then out of the app",
	          .details = "Only devices that have such a key answer; the back button of an app is "
	                     "pressed like any other.",
	          .group = "Act",
	          .examples = examples,
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(back_run, cmd_render_message),
};
