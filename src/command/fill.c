/* fill: the whole content of a text field, replaced and read back. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/number.h"
#include "command/shared.h"
#include "command/text_entry.h"

#include <string.h>

static bool takes_text(const struct ui_node *n)
{
	return ui_role_is_text_input(n->role) || ui_has(n, UI_EDITABLE) || n->role == UI_SPIN_BUTTON;
}

/* A point names no element: the smallest text input there is meant, or nothing is. */
static int input_at_point(struct dm_request *rq, struct act_target *t, struct error *e)
{
	double best_area = 0;
	uint32_t best = UI_NONE;
	int r = act_capture(rq, rq->call, &t->capture, e);

	if (r < 0)
		return r;
	for (uint32_t i = 0; i < t->capture.count; i++) {
		const struct ui_node *n = &t->capture.nodes[i];
		double area = n->rect.width * n->rect.height;

		if (!ui_has(n, UI_HAS_RECT) || !n->handle || !takes_text(n) ||
		    !ui_rect_contains(n->rect, t->parsed.x, t->parsed.y))
			continue;
		if (best == UI_NONE || area <= best_area) {
			best = i;
			best_area = area;
		}
	}
	if (best == UI_NONE)
		return error_set(e, ERR_INVALID_TARGET, "no text field is at that point");
	t->tree = &t->capture;
	t->node = best;
	return 0;
}

static int check_field(const struct act_target *t, const char *text, struct error *e)
{
	const struct ui_node *n = act_node(t);
	auto_free char *line = act_line(t);
	const char *name = line ? line : "the element";

	if (ui_role_is_adjustable(n->role) && n->role != UI_SPIN_BUTTON) {
		error_set(e, ERR_INVALID_TARGET, "%s takes no text; its value is moved, not typed", name);
		return error_hint(e, "name the value: `deft adjust <target> <value>`");
	}
	if (!takes_text(n)) {
		error_set(e, ERR_INVALID_TARGET, "%s is no text field", name);
		return error_hint(e, "choose a text-field, text-view or search from `deft snapshot -i`");
	}
	if (ui_has(n, UI_READ_ONLY)) {
		error_set(e, ERR_INVALID_TARGET, "%s is read-only", name);
		return error_hint(e, "its text can be read with `deft get text`");
	}
	if (strchr(text, '\n') && !ui_has(n, UI_MULTILINE) && n->role != UI_TEXT_VIEW &&
	    n->role != UI_TERMINAL && n->role != UI_WEB_AREA) {
		error_set(e, ERR_INVALID_ARGS, "the text holds a line break, and %s has one line", name);
		return error_hint(e, "fill it without the line break; `deft key enter` submits it");
	}
	return 0;
}

/* A spin button may hold a text without having taken it as its value. */
static int check_spin_value(struct dm_request *rq, const struct act_target *t, const char *text,
                            json_t *data, struct error *e)
{
	auto_json json_t *control = NULL;
	auto_error struct error ignored = ERROR_INIT;
	const json_t *value;
	double wanted, actual;

	if (act_node(t)->role != UI_SPIN_BUTTON || !number_parse(text, &wanted))
		return 0;
	if (act_send(rq, act_request(rq, "readControl", t), &control, &ignored) < 0)
		return 0; /* the text was read back; of the value nothing is claimed */
	value = json_object_get(control, "value");
	if (!json_is_number(value))
		return 0;
	actual = json_number_value(value);
	jx_set_num(data, "value", actual);
	if (actual == wanted)
		return 0;
	error_set(e, ERR_TEXT_ENTRY_MISMATCH,
	          "the text stands in the field, but the control's value is another");
	error_detail(e, "wanted", json_real(wanted));
	error_detail(e, "actual", json_real(actual));
	error_reason(e, "value_not_taken");
	return error_hint(e, "`deft key enter` makes most programs take it; then `deft get attrs`");
}

static int fill_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *reply = NULL;
	auto_json json_t *data = json_object();
	auto_buf struct buf lead;
	auto_free char *line = NULL;
	json_t *request;
	const char *text = jx_get_str(rq->args, "text", "");
	int r = text_entry_check(text, e);

	buf_init(&lead, LIM_ERROR_TEXT);
	if (r == 0)
		r = act_resolve(rq, jx_get_str(rq->args, "target", ""), UI_PICK_TEXT_INPUT, &t, e);
	if (r == 0 && !act_node(&t))
		r = input_at_point(rq, &t, e);
	if (r == 0)
		r = check_field(&t, text, e);
	if (r < 0)
		return r;
	request = act_request(rq, "type", &t);
	text_entry_request(request, rq, "replace");
	r = act_send(rq, request, &reply, e);
	if (r < 0)
		return r;
	line = act_line(&t);
	act_describe(&t, data);
	buf_addf(&lead, "Filled %s with", line ? line : "the field");
	text_entry_result(data, lead.data, text, reply);
	r = check_spin_value(rq, &t, text, data, e);
	if (r == 0)
		*ret_data = TAKE(data);
	return r;
}

static const struct cmd_param params[] = {
	PARAM_TARGET("the text field"),
	{ .name = "text",
	  .type = CMD_TEXT,
	  .positional = true,
	  .required = true,
	  .help = "the new content; an empty one (\"\") clears the field" },
	PARAM_MS("delayMs", 0, LIM_INTERVAL_MS, NULL, "enter it key by key with this pause"),
};
static const char *const examples[] = { "deft fill 'role=text-field' \"Ada Lovelace\"",
	                                    "deft fill @e5 \"\"", NULL };

const struct cmd_entry cmd_entry_fill = {
	.spec = { .name = "fill",
	          .summary = "Replace the content of a text field and read it back",
	          .details = "Success means that the field was read back and holds the text; where it "
	                     "can't be read the answer says \"unverified\". Of a password only the "
	                     "length is compared. Nothing is interpreted: quotes, backslashes, % and $ "
	                     "are entered as they are.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(fill_run, cmd_render_message),
};
