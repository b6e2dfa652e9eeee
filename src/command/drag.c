/* drag: from one element or point to another, with the button held down. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

struct end {
	struct act_target target;
	double x, y;
};

static void end_done(struct end *end)
{
	act_target_done(&end->target);
}

static int end_resolve(struct dm_request *rq, const char *param, struct end *end, struct error *e)
{
	int r = act_resolve(rq, jx_get_str(rq->args, param, ""), UI_PICK_TOUCH, &end->target, e);

	end->x = end->target.parsed.x;
	end->y = end->target.parsed.y;
	return r < 0 ? error_prefix(e, "%s", param) : 0;
}

/* The runner looks at the element where the drag begins itself; the point where it ends is asked for
 * beforehand. What lies over that end does not matter: something is dropped there. */
static int locate_end(struct dm_request *rq, struct end *to, struct error *e)
{
	auto_json json_t *reply = NULL;
	auto_free char *line = NULL;
	int r;

	if (!act_node(&to->target))
		return 0;
	r = act_send(rq, act_request(rq, "locate", &to->target), &reply, e);
	if (r < 0)
		return error_prefix(e, "to");
	line = act_line(&to->target);
	if (jx_get_bool(reply, "offscreen", false))
		return error_set(e, ERR_ELEMENT_OFFSCREEN, "to: %s is outside of what is visible",
		                 line ? line : "the element");
	if (!json_object_get(reply, "x") || !json_object_get(reply, "y"))
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "to: %s has no point: %s",
		                 line ? line : "the element",
		                 jx_get_str(reply, "reason", "its place is not known"));
	to->x = jx_get_num(reply, "x", 0);
	to->y = jx_get_num(reply, "y", 0);
	return 0;
}

static json_t *end_json(const struct end *end)
{
	json_t *o = json_object();

	act_describe(&end->target, o);
	jx_set_num(o, "x", end->x);
	jx_set_num(o, "y", end->y);
	return o;
}

static void say_end(const struct end *end, struct buf *out)
{
	auto_free char *line = act_line(&end->target);

	buf_addf(out, "%s%s", line ? line : "", line && *line ? " " : "");
	cmd_add_point(out, end->x, end->y);
}

static json_t *result(const struct end *from, const struct end *to, int64_t ms)
{
	auto_buf struct buf b;
	json_t *data = json_object();

	buf_init(&b, LIM_ENVELOPE_LINE);
	jx_set(data, "from", end_json(from));
	jx_set(data, "to", end_json(to));
	jx_set_int(data, "durationMs", ms);
	buf_adds(&b, "Dragged from ");
	say_end(from, &b);
	buf_adds(&b, " to ");
	say_end(to, &b);
	jx_set_str(data, "message", b.data);
	return data;
}

static int drag_between(struct dm_request *rq, struct end *from, const struct end *to, int64_t ms,
                        struct error *e)
{
	auto_json json_t *reply = NULL;
	json_t *request = act_request(rq, "drag", &from->target);
	int r;

	jx_set_num(request, "x2", to->x);
	jx_set_num(request, "y2", to->y);
	jx_set_int(request, "durationMs", ms);
	r = act_send(rq, request, &reply, e);
	from->x = jx_get_num(reply, "x", from->x);
	from->y = jx_get_num(reply, "y", from->y);
	return r;
}

static int drag_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	__attribute__((cleanup(end_done))) struct end from = { 0 };
	__attribute__((cleanup(end_done))) struct end to = { 0 };
	int64_t ms = jx_get_int(rq->args, "durationMs", 0);
	int r = end_resolve(rq, "from", &from, e);

	if (r == 0)
		r = end_resolve(rq, "to", &to, e);
	if (r == 0)
		r = locate_end(rq, &to, e);
	if (r == 0)
		r = drag_between(rq, &from, &to, ms, e);
	if (r == 0)
		*ret_data = result(&from, &to, ms);
	return r;
}

#define DRAG_END(name_, text)                                                    \
	{                                                                            \
		.name = name_, .type = CMD_TARGET, .positional = true, .required = true, \
		.complete = CMD_COMPLETE_REFS, .help = text                              \
	}
static const struct cmd_param params[] = {
	DRAG_END("from", "where to press down: @ref, selector, or x y"),
	DRAG_END("to", "where to let go: @ref, selector, or x y"),
	PARAM_MS("durationMs", LIM_SWIPE_MIN_MS, LIM_SWIPE_MAX_MS, "500", "how long the way takes"),
};
static const char *const examples[] = {
	"deft drag @e3 @e9", "deft drag 100 200 400 200",
	"deft drag 'label=\"Draft\"' 'label=\"Done\"' --duration-ms 800", NULL
};

const struct cmd_entry cmd_entry_drag = {
	.spec = { .name = "drag",
	          .summary = "Drag from one element or point to another",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(drag_run, cmd_render_message),
};
