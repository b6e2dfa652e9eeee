/* adjust_control: the same as `adjust` under the name and with the parameters of the specified MCP tool,
 * whose answer is the whole action envelope. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/adjusting.h"
#include "command/shared.h"

#include <string.h>

static const struct cmd_param params[] = {
	{ .name = "selector",
	  .type = CMD_TEXT,
	  .help = "the control: a selector such as id=\"volume\", or a @ref; this or element_id" },
	{ .name = "element_id",
	  .type = CMD_TEXT,
	  .help = "the control by its stable id el_…, from a snapshot or an earlier answer" },
	{ .name = "property",
	  .type = CMD_TEXT,
	  .dflt = "value",
	  .help = "value, or raw_value for the platform's own number" },
	{ .name = "targetValue",
	  .type = CMD_NUMBER,
	  .required = true,
	  .strict = true,
	  .help = "what it is to become, in the control's own range; never converted" },
	{ .name = "tolerance",
	  .type = CMD_NUMBER,
	  .strict = true,
	  .has_min = true,
	  .min = 0,
	  .help =
	      "how far off is good enough; without it 0 for controls with steps, else 1 % of range" },
	{ .name = "maxAttempts",
	  .type = CMD_INT,
	  .strict = true,
	  .has_min = true,
	  .min = 1,
	  .dflt = "5",
	  .help = "operations on the device at most, never over 100" },
};

/* What the contract does not know is left out, and never silently. */
static void tell_unknown(struct dm_request *rq)
{
	const char *key;
	json_t *value;

	json_object_foreach(rq->args, key, value)
	{
		bool known = false;

		for (size_t i = 0; i < ARRAY_SIZE(params); i++)
			known |= strcmp(params[i].name, key) == 0;
		if (!known)
			dm_notice(rq, "adjust_control has no parameter \"%.80s\"; it was left out", key);
	}
}

static int adjust_control_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const struct adjust_ask ask = {
		.selector = jx_get_str(rq->args, "selector", NULL),
		.element_id = jx_get_str(rq->args, "element_id", NULL),
		.property = jx_get_str(rq->args, "property", "value"),
		.target = jx_get_num(rq->args, "targetValue", 0),
		.has_tolerance = json_object_get(rq->args, "tolerance") != NULL,
		.tolerance = jx_get_num(rq->args, "tolerance", 0),
		.max_attempts = jx_get_int(rq->args, "maxAttempts", CT_DEFAULT_ATTEMPTS),
		.fingerprints = true,
	};
	tell_unknown(rq);
	return adjust_perform(rq, &ask, ret_data, e);
}

static const char *const examples[] = { "deft adjust 'id=\"volume\"' 0.65", NULL };

const struct cmd_entry cmd_entry_adjust_control = {
	.spec = { .name = "adjust_control",
	          .summary = "Set a slider, stepper or rating to a value, proven by reading it back",
	          .details = "On the command line: `deft adjust`.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_MCP,
	          .traits = CMD_ACTING | CMD_LOOSE,
	          .timeout_ms = LIM_ADJUST_MS + LIM_REQUEST_MARGIN_MS },
	CMD_CODE(adjust_control_run, cmd_render_message),
};
