/* press: one activation of an element or point, or a series of them, and how it was done. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

#include <string.h>

static struct pf_tap_opts tap_opts(const struct dm_request *rq, const struct act_target *t)
{
	const struct ui_node *n = act_node(t);

	return (struct pf_tap_opts){
		.app = dm_app(rq),
		.node = n ? n->handle : NULL,
		.expect_role = n ? ui_role_name(n->role) : NULL,
		.expect_label = n ? n->label : NULL,
		.x = t->parsed.x,
		.y = t->parsed.y,
		.button = jx_get_str(rq->args, "button", NULL),
		.count = (int)jx_get_int(rq->args, "count", 1),
		.interval_ms = (int)jx_get_int(rq->args, "intervalMs", 0),
		.hold_ms = (int)jx_get_int(rq->args, "holdMs", 0),
		.jitter_px = (int)jx_get_int(rq->args, "jitterPx", 0),
		.double_tap = jx_get_bool(rq->args, "doubleTap", false),
	};
}

static int check_series(const struct dm_request *rq, const struct pf_tap_opts *o, struct error *e)
{
	int64_t needed = (int64_t)o->count * (o->hold_ms + o->interval_ms);
	int64_t left = deadline_left(rq->call.deadline);

	if (o->double_tap && (o->hold_ms || o->jitter_px)) {
		error_set(e, ERR_INVALID_ARGS, "a double tap can't be held or jittered");
		return error_hint(e, "leave out holdMs and jitterPx, or doubleTap");
	}
	if (needed > left) {
		error_set(e, ERR_INVALID_ARGS, "the series takes %lld ms, more than the %lld ms left",
		          (long long)needed, (long long)left);
		return error_hint(e, "raise --timeout, or press fewer times");
	}
	return 0;
}

static const char *verb(const struct pf_tap_opts *o)
{
	if (o->double_tap)
		return "Double-tapped";
	return o->hold_ms ? "Long pressed" : "Tapped";
}

/* `Tapped @e3 [button] "Save" (651, 247), 3 times`; a semantic activation is said. */
static void say(const struct act_target *t, const struct pf_tap_opts *o, const json_t *reply,
                json_t *data)
{
	auto_buf struct buf b;
	auto_free char *line = act_line(t);
	bool semantic = !strcmp(jx_get_str(reply, "activation", "coordinate"), "semantic");

	buf_init(&b, LIM_ENVELOPE_LINE);
	buf_addf(&b, "%s%s%s", verb(o), line && *line ? " " : "", line ? line : "");
	if (semantic) {
		const char *action = jx_get_str(reply, "action", NULL);

		buf_adds(&b, " by its accessibility action");
		if (action)
			buf_addf(&b, " \"%s\"", action);
		buf_addf(&b, ": %s", jx_get_str(reply, "reason", "it has no point to press"));
	} else {
		buf_addc(&b, ' ');
		cmd_add_point(&b, jx_get_num(data, "x", t->parsed.x), jx_get_num(data, "y", t->parsed.y));
	}
	if (o->button && strcmp(o->button, "primary"))
		buf_addf(&b, " with the %s button", o->button);
	if (o->count > 1)
		buf_addf(&b, ", %d times", o->count);
	jx_set_str(data, "message", b.data);
}

static json_t *result(const struct act_target *t, const struct pf_tap_opts *o, json_t *reply)
{
	json_t *data = json_object();

	act_describe(t, data);
	if (t->parsed.kind == UI_TARGET_POINT) {
		jx_set_num(data, "x", t->parsed.x);
		jx_set_num(data, "y", t->parsed.y);
	}
	act_merge(data, reply);
	if (!json_object_get(data, "activation"))
		jx_set_str(data, "activation", "coordinate");
	if (o->count > 1)
		jx_set_int(data, "count", o->count);
	if (o->hold_ms)
		jx_set_int(data, "holdMs", o->hold_ms);
	if (o->double_tap)
		jx_set_bool(data, "doubleTap", true);
	say(t, o, reply, data);
	return data;
}

static int press_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *reply = NULL;
	struct pf_device *d = dm_device(rq);
	struct pf_tap_opts o = tap_opts(rq, &t);
	int r = check_series(rq, &o, e);

	if (r == 0)
		r = act_resolve(rq, jx_get_str(rq->args, "target", ""), UI_PICK_TOUCH, &t, e);
	if (r < 0)
		return r;
	if (!d->ops->tap)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s can't be pressed", d->info.name);
	o = tap_opts(rq, &t);
	r = d->ops->tap(d, rq->call, &o, &reply, e);
	dm_stage(rq, "send");
	if (r < 0)
		return r;
	*ret_data = result(&t, &o, reply);
	return 0;
}

static const char *const aliases[] = { "click", "tap", NULL };
static const char *const buttons[] = { "primary", "secondary", "middle", NULL };

static const struct cmd_param params[] = {
	PARAM_TARGET("what to press"),
	{ .name = "count",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_PRESS_COUNT,
	  .dflt = "1",
	  .help = "how often" },
	PARAM_MS("intervalMs", 0, LIM_INTERVAL_MS, "0", "pause between two presses"),
	PARAM_MS("holdMs", 0, LIM_HOLD_MS, "0", "hold each press down this long"),
	{ .name = "jitterPx",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 0,
	  .has_max = true,
	  .max = LIM_JITTER_PX,
	  .dflt = "0",
	  .unit = "px",
	  .help = "move the points of a series around the first one, in a fixed pattern" },
	{ .name = "doubleTap", .type = CMD_BOOL, .help = "make each press a double tap" },
	{ .name = "button",
	  .type = CMD_ENUM,
	  .values = buttons,
	  .dflt = "primary",
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "button of the pointer, on a desktop" },
};

static const char *const examples[] = { "deft press 'label=\"Save\"'", "deft press @e3",
	                                    "deft press 120 44 --double-tap",
	                                    "deft press 'role=button label=\"+\"' --count 3", NULL };

const struct cmd_entry cmd_entry_press = {
	.spec = { .name = "press",
	          .aliases = aliases,
	          .summary = "Press an element or point; says what was pressed, where and how",
	          .details =
	              "The element is looked at again right before the press: one that is gone, "
	              "disabled, off-screen or covered is refused and nothing is pressed. Where no "
	              "point can work but the program offers an accessibility action, that is used "
	              "and the answer says so. The answer tells that the press was delivered; what "
	              "it changed is seen with `deft snapshot -i` or `deft wait`.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(press_run, cmd_render_message),
};
