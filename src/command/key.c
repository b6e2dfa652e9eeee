/* key: one chord. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

static int key_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const char *keys = jx_get_str(rq->args, "keys", "");
	auto_json json_t *reply = NULL;
	json_t *request = act_bare_request(rq, "key"), *data;
	int r;

	jx_set_str(request, "keys", keys);
	r = act_send(rq, request, &reply, e);
	if (r < 0)
		return r;
	data = json_object();
	act_merge(data, reply);
	jx_set_str(data, "keys", keys);
	cmd_message(data, "Pressed %s", keys);
	*ret_data = data;
	return 0;
}

static const struct cmd_param params[] = {
	{ .name = "keys",
	  .type = CMD_STRING,
	  .positional = true,
	  .required = true,
	  .help = "modifiers ctrl, shift, alt, super and one key, joined by +" },
};
static const char *const examples[] = { "deft key ctrl+s", "deft key page-down", "deft key F5",
	                                    NULL };

const struct cmd_entry cmd_entry_key = {
	.spec = { .name = "key",
	          .summary = "Press a key or chord in the focused program",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(key_run, cmd_render_message),
};
