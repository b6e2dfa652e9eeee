/* adjust: a value is named, reached by the strongest means the control offers, and read back. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/adjusting.h"
#include "command/shared.h"

static int adjust_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const struct adjust_ask ask = {
		.selector = jx_get_str(rq->args, "target", NULL),
		.property = jx_get_str(rq->args, "property", "value"),
		.target = jx_get_num(rq->args, "value", 0),
		.has_tolerance = json_object_get(rq->args, "tolerance") != NULL,
		.tolerance = jx_get_num(rq->args, "tolerance", 0),
		.max_attempts = jx_get_int(rq->args, "maxAttempts", CT_DEFAULT_ATTEMPTS),
	};
	return adjust_perform(rq, &ask, ret_data, e);
}

static const char *const properties[] = { "value", "raw_value", NULL };
static const struct cmd_param params[] = {
	{ .name = "target",
	  .type = CMD_TARGET,
	  .positional = true,
	  .required = true,
	  .complete = CMD_COMPLETE_REFS,
	  .help = "the control: @ref or selector" },
	{ .name = "value",
	  .type = CMD_NUMBER,
	  .positional = true,
	  .required = true,
	  .help = "what it is to become, in the control's own range: 0.5 is never taken for 50 %" },
	{ .name = "tolerance",
	  .type = CMD_NUMBER,
	  .has_min = true,
	  .min = 0,
	  .help = "how far off is good enough; without it 0 where the control has steps, else 1 % of "
	          "its range" },
	{ .name = "maxAttempts",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .dflt = "5",
	  .help = "operations on the device at most, never over 100" },
	{ .name = "property",
	  .type = CMD_ENUM,
	  .values = properties,
	  .dflt = "value",
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "raw_value: the platform's own number, where it differs from what is shown" },
};
static const char *const examples[] = { "deft adjust 'id=\"volume\"' 0.65",
	                                    "deft adjust @e7 63 --tolerance 2",
	                                    "deft adjust 'role=spin-button label=\"Copies\"' 3", NULL };

const struct cmd_entry cmd_entry_adjust = {
	.spec = { .name = "adjust",
	          .summary = "Set a slider, stepper or rating to a value, proven by reading it back",
	          .details =
	              "The strongest means that the control itself offers is used: its value is set "
	              "directly, else it is stepped, else its track is pressed at the value's place. "
	              "After each operation the control is read until two readings in a row are equal; "
	              "it ends as soon as the value is reached. A control with steps goes to the "
	              "nearest "
	              "stop, and the answer says which. A value outside of its range, a disabled "
	              "control "
	              "and one whose state can't be read as a number are refused before anything is "
	              "touched.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_CLI | CMD_BATCH,
	          .traits = CMD_ACTING,
	          .timeout_ms = LIM_ADJUST_MS + LIM_REQUEST_MARGIN_MS },
	CMD_CODE(adjust_run, cmd_render_message),
};
