/* focus: keyboard focus to an element; a point is tapped, as nothing else is known of it. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

static int focus_point(struct dm_request *rq, const struct act_target *t, json_t **ret_reply,
                       struct error *e)
{
	struct pf_device *d = dm_device(rq);
	struct pf_tap_opts o = { .app = dm_app(rq), .x = t->parsed.x, .y = t->parsed.y, .count = 1 };

	if (!d->ops->tap)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s can't be pressed", d->info.name);
	return d->ops->tap(d, rq->call, &o, ret_reply, e);
}

static int focus_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *reply = NULL;
	auto_free char *line = NULL;
	auto_buf struct buf at;
	json_t *data;
	int r = act_resolve(rq, jx_get_str(rq->args, "target", ""), UI_PICK_TOUCH, &t, e);

	buf_init(&at, LIM_ERROR_TEXT);
	if (r == 0)
		r = act_node(&t) ? act_send(rq, act_request(rq, "focus", &t), &reply, e)
		                 : focus_point(rq, &t, &reply, e);
	if (r < 0)
		return r;
	data = json_object();
	act_describe(&t, data);
	act_merge(data, reply);
	if (act_node(&t)) {
		line = act_line(&t);
		cmd_message(data, "Focused %s", line ? line : "");
	} else {
		jx_set_num(data, "x", t.parsed.x);
		jx_set_num(data, "y", t.parsed.y);
		cmd_add_point(&at, t.parsed.x, t.parsed.y);
		cmd_message(data, "Tapped %s to focus what is there", at.data);
	}
	*ret_data = data;
	return 0;
}

static const struct cmd_param params[] = { PARAM_TARGET("what gets the keyboard") };
static const char *const examples[] = { "deft focus 'role=text-field label=\"Name\"'",
	                                    "deft focus @e5", NULL };

const struct cmd_entry cmd_entry_focus = {
	.spec = { .name = "focus",
	          .summary = "Give an element the keyboard focus",
	          .details =
	              "A point is tapped instead: what lies there may or may not take the focus.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(focus_run, cmd_render_message),
};
