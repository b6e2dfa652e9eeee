/* scroll: moves the view in a direction, or on until an edge or an element. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/scroll_edge.h"
#include "command/scroll_until.h"
#include "command/shared.h"

#include <string.h>

static json_t *scroll_request(struct dm_request *rq, const struct act_target *t,
                              const char *direction)
{
	json_t *request = t->parsed.kind == UI_TARGET_NONE ? act_bare_request(rq, "scroll")
	                                                   : act_request(rq, "scroll", t);

	jx_set_str(request, "direction", direction);
	if (json_object_get(rq->args, "amount"))
		json_object_set(request, "amount", json_object_get(rq->args, "amount"));
	if (json_object_get(rq->args, "pixels"))
		json_object_set(request, "pixels", json_object_get(rq->args, "pixels"));
	return request;
}

/* Where the platform can tell that nothing moved, the sentence says so. */
static void say(const struct dm_request *rq, const char *direction, json_t *data)
{
	auto_buf struct buf b;
	const json_t *moved = json_object_get(data, "moved");

	buf_init(&b, LIM_ERROR_TEXT);
	buf_addf(&b, "Scrolled %s", direction);
	if (json_object_get(rq->args, "pixels")) {
		double asked = jx_get_num(rq->args, "pixels", 0), done = jx_get_num(data, "pixels", asked);

		buf_adds(&b, " by ");
		buf_add_number(&b, done);
		buf_adds(&b, "px");
		if (done < asked) {
			buf_adds(&b, " of ");
			buf_add_number(&b, asked);
			buf_adds(&b, "px: one scroll goes no further here");
		}
	} else if (json_object_get(rq->args, "amount")) {
		buf_adds(&b, " by ");
		buf_add_number(&b, jx_get_num(rq->args, "amount", 0));
	}
	if (json_is_false(moved)) {
		buf_reset(&b);
		buf_addf(&b, "Nothing moved %s: the end is reached, or nothing here scrolls", direction);
	}
	jx_set_str(data, "message", b.data);
}

static int scroll_once(struct dm_request *rq, const struct act_target *t, const char *direction,
                       json_t **ret_data, struct error *e)
{
	auto_json json_t *reply = NULL;
	json_t *data;
	int r = act_send(rq, scroll_request(rq, t, direction), &reply, e);

	if (r < 0)
		return r;
	data = json_object();
	jx_set_str(data, "direction", direction);
	if (json_object_get(rq->args, "amount"))
		json_object_set(data, "amount", json_object_get(rq->args, "amount"));
	act_merge(data, reply);
	if (t->parsed.kind != UI_TARGET_NONE)
		act_describe(t, data);
	say(rq, direction, data);
	*ret_data = data;
	return 0;
}

static int check_args(const struct dm_request *rq, bool edge, struct error *e)
{
	bool sized = json_object_get(rq->args, "amount") || json_object_get(rq->args, "pixels");
	bool until = json_object_get(rq->args, "until");

	if (edge && (sized || until)) {
		error_set(e, ERR_INVALID_ARGS, "to an edge there is no %s",
		          until ? "until" : "amount and no pixels");
		return error_hint(e, "leave %s out, or give a direction: up, down, left, right",
		                  until ? "it" : "them");
	}
	if (!until && !json_object_get(rq->args, "direction")) {
		error_set(e, ERR_INVALID_ARGS, "`scroll` needs a direction, or an element to scroll to");
		return error_hint(
		    e, "for example `deft scroll down`, `deft scroll --until 'label=\"Row 50\"'`");
	}
	return cmd_exclude(rq->args, "amount", "pixels", e);
}

static int scroll_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	const char *direction = jx_get_str(rq->args, "direction", NULL);
	const char *words = jx_get_str(rq->args, "target", NULL);
	bool edge = direction && (!strcmp(direction, "top") || !strcmp(direction, "bottom"));
	int r = check_args(rq, edge, e);

	if (r == 0 && words)
		r = act_resolve(rq, words, UI_PICK_READ, &t, e);
	if (r < 0)
		return r;
	if (json_object_get(rq->args, "until"))
		return scroll_until(rq, &t, direction, ret_data, e);
	return edge ? scroll_to_edge(rq, &t, direction, ret_data, e)
	            : scroll_once(rq, &t, direction, ret_data, e);
}

static const char *const directions[] = { "up", "down", "left", "right", "top", "bottom", NULL };
static const struct cmd_param params[] = {
	{ .name = "direction",
	  .type = CMD_ENUM,
	  .positional = true,
	  .values = directions,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "where the view moves; top and bottom: on to the end; not needed with --until" },
	{ .name = "amount",
	  .type = CMD_NUMBER,
	  .positional = true,
	  .has_min = true,
	  .min = 0.01,
	  .has_max = true,
	  .max = 10,
	  .help = "part of the view's size; default 0.6" },
	{ .name = "pixels",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = 100000,
	  .unit = "px",
	  .help = "an exact way instead of an amount" },
	{ .name = "target",
	  .type = CMD_TARGET,
	  .complete = CMD_COMPLETE_REFS,
	  .help =
	      "the container to scroll: @ref, selector, or a point in it; default: the app's window" },
	{ .name = "until",
	  .type = CMD_STRING,
	  .help = "scroll on until an element that matches this selector is in view" },
};
static const char *const examples[] = { "deft scroll down", "deft scroll down 0.3 --target @e2",
	                                    "deft scroll bottom",
	                                    "deft scroll --until 'label=\"Row 50\"'", NULL };

const struct cmd_entry cmd_entry_scroll = {
	.spec = { .name = "scroll",
	          .summary =
	              "Scroll the view in a direction, to its top or bottom, or until an element shows",
	          .details =
	              "The direction is where the view moves: down shows what is further down. "
	              "With --until nothing is sent when the element is in view already; else the "
	              "container around it (or --target) is scrolled, towards it where its place is "
	              "known, until it shows, nothing new comes, or 40 passes are done.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(scroll_run, cmd_render_message),
};
