/* longpress: one press that is held. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

static int longpress_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *reply = NULL;
	auto_free char *line = NULL;
	auto_buf struct buf at;
	json_t *request, *data;
	int64_t ms = jx_get_int(rq->args, "durationMs", 0);
	int r = act_resolve(rq, jx_get_str(rq->args, "target", ""), UI_PICK_TOUCH, &t, e);

	buf_init(&at, LIM_ERROR_TEXT);
	if (r < 0)
		return r;
	request = act_request(rq, "longPress", &t);
	jx_set_int(request, "durationMs", ms);
	r = act_send(rq, request, &reply, e);
	if (r < 0)
		return r;
	data = json_object();
	act_describe(&t, data);
	act_merge(data, reply);
	jx_set_str(data, "gesture", "longpress");
	jx_set_int(data, "durationMs", ms);
	line = act_line(&t);
	if (json_object_get(reply, "x") || !act_node(&t)) {
		buf_addc(&at, ' ');
		cmd_add_point(&at, jx_get_num(reply, "x", t.parsed.x), jx_get_num(reply, "y", t.parsed.y));
	}
	cmd_message(data, "Long pressed%s%s%s for %lld ms", line && *line ? " " : "", line ? line : "",
	            at.data, (long long)ms);
	*ret_data = data;
	return 0;
}

static const char *const aliases[] = { "long-press", NULL };
static const char *const examples[] = { "deft longpress 'label=\"Photo\"' 1200",
	                                    "deft longpress @e3", NULL };

static const struct cmd_param params[] = {
	PARAM_TARGET("what to press"),
	{ .name = "durationMs",
	  .type = CMD_INT,
	  .positional = true,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_HOLD_MS,
	  .dflt = "800",
	  .unit = "ms",
	  .help = "how long to hold" },
};

const struct cmd_entry cmd_entry_longpress = {
	.spec = { .name = "longpress",
	          .aliases = aliases,
	          .summary = "Press an element or point and hold it",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(longpress_run, cmd_render_message),
};
