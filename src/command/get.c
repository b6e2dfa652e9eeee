/* get: the text or the attributes of one element, read afresh. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"
#include "ui/tree_json.h"

#include <string.h>

/* What a ref names is looked up in a new capture, so that the answer is of now. */
static int refresh(struct dm_request *rq, struct act_target *t, struct error *e)
{
	uint32_t ref = t->tree->nodes[t->node].ref, now;
	auto_free char *handle = strdup(t->tree->nodes[t->node].handle);
	auto_free char *line = act_line(t);
	int r = act_capture(rq, rq->call, &t->capture, e);

	if (r < 0)
		return r;
	now = act_find_handle(&t->capture, handle);
	if (now == UI_NONE) {
		error_set(e, ERR_ELEMENT_STALE, "%s is not on the screen any more", line ? line : "it");
		return error_reason(e, act_capture_complete(&t->capture) ? "gone" : "capture_incomplete");
	}
	t->capture.nodes[now].ref = ref;
	t->tree = &t->capture;
	t->node = now;
	return 0;
}

/* The whole text of an input comes from the element itself: a tree may hold it cut. */
static int read_text(struct dm_request *rq, const struct act_target *t, json_t *data,
                     struct error *e)
{
	const struct ui_node *n = act_node(t);
	auto_json json_t *reply = NULL;
	int r;

	if (ui_node_secret(n)) {
		error_set(e, ERR_INVALID_TARGET, "the text of a password field is not given out");
		return error_hint(e, "`deft get attrs` tells its length");
	}
	if (!ui_role_is_text_input(n->role) && !ui_has(n, UI_EDITABLE) && !ui_has(n, UI_CUT)) {
		jx_set(data, "text", json_string(ui_node_text(n) ? ui_node_text(n) : ""));
		return 0;
	}
	r = act_send(rq, act_request(rq, "readText", t), &reply, e);
	if (r == 0)
		jx_set(data, "text", json_string(jx_get_str(reply, "text", "")));
	return r;
}

static int get_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *data = json_object();
	int r = act_resolve(rq, jx_get_str(rq->args, "target", ""), UI_PICK_READ, &t, e);

	if (r == 0 && !act_node(&t)) {
		error_set(e, ERR_INVALID_ARGS, "a point has no text or attributes");
		r = error_hint(e, "give a ref or selector, for example 'label=\"Save\"'");
	}
	if (r == 0 && t.parsed.kind == UI_TARGET_REF)
		r = refresh(rq, &t, e);
	if (r < 0)
		return r;
	act_describe(&t, data);
	jx_set_str(data, "what", jx_get_str(rq->args, "what", "text"));
	jx_set(data, "node", ui_node_to_json(t.tree, t.node));
	if (!strcmp(jx_get_str(rq->args, "what", ""), "text"))
		r = read_text(rq, &t, data, e);
	if (r == 0)
		*ret_data = TAKE(data);
	return r;
}

static void get_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	if (!strcmp(jx_get_str(data, "what", ""), "text"))
		buf_adds(out, jx_get_str(data, "text", ""));
	else
		jx_dump(json_object_get(data, "node"), true, out);
	buf_addc(out, '\n');
}

static const char *const whats[] = { "text", "attrs", NULL };
static const struct cmd_param params[] = {
	{ .name = "what",
	  .type = CMD_ENUM,
	  .positional = true,
	  .required = true,
	  .values = whats,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "its text, or everything that is known of it as JSON" },
	PARAM_TARGET("the element, read afresh"),
};
static const char *const examples[] = { "deft get text @e3", "deft get attrs 'role=slider'", NULL };

const struct cmd_entry cmd_entry_get = {
	.spec = { .name = "get",
	          .summary = "Read the text or the attributes of one element",
	          .details =
	              "The text of an element is its label, value or identifier, the first that "
	              "is not empty; of a text field it is the whole content. The attributes hold "
	              "role, states, rect, actions, and of a slider its range and value.",
	          .group = "Screen",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_NEEDS_SESSION | CMD_LOCKS | CMD_READ_ONLY },
	CMD_CODE(get_run, get_render),
};
