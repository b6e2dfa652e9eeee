/* home: a key of the device itself, where it has one. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

static int home_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_json json_t *reply = NULL;
	int r = act_send(rq, act_bare_request(rq, "home"), &reply, e);

	if (r < 0)
		return r;
	*ret_data = json_object();
	cmd_message(*ret_data, "The home screen is shown");
	return 0;
}

static const char *const examples[] = { "deft home", NULL };

const struct cmd_entry cmd_entry_home = {
	.spec = { .name = "home",
	          .summary = "Show the device's home screen; the app keeps running behind it",
	          .details = "`deft open <app>` brings the app back as it was. Only devices that have "
	                     "a home screen answer.",
	          .group = "Act",
	          .examples = examples,
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(home_run, cmd_render_message),
};
