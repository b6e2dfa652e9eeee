/* type: text appended where the keyboard focus is. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"
#include "command/text_entry.h"

#include <ctype.h>

/* "@e3", "@e3~s12" and a blank or the end after it. */
static bool starts_with_ref(const char *s)
{
	if (s[0] != '@' || s[1] != 'e' || !isdigit((unsigned char)s[2]))
		return false;
	for (s += 2; isdigit((unsigned char)*s);)
		s++;
	if (s[0] == '~' && s[1] == 's' && isdigit((unsigned char)s[2]))
		for (s += 2; isdigit((unsigned char)*s);)
			s++;
	return !*s || isspace((unsigned char)*s);
}

static int type_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_json json_t *reply = NULL;
	const char *text = jx_get_str(rq->args, "text", "");
	json_t *request, *data;
	int r = text_entry_check(text, e);

	if (r < 0)
		return r;
	if (starts_with_ref(text)) {
		error_set(e, ERR_INVALID_ARGS, "the text begins with a ref; `type` has no target");
		return error_hint(e, "use `deft fill <target> <text>`, or `deft focus <target>` first");
	}
	request = act_bare_request(rq, "type");
	text_entry_request(request, rq, "append");
	r = act_send(rq, request, &reply, e);
	if (r < 0)
		return r;
	data = json_object();
	text_entry_result(data, "Typed", text, reply);
	*ret_data = data;
	return 0;
}

static const struct cmd_param params[] = {
	{ .name = "text",
	  .type = CMD_WORDS,
	  .positional = true,
	  .required = true,
	  .help = "what to type" },
	PARAM_MS("delayMs", 0, LIM_INTERVAL_MS, NULL, "type it key by key with this pause"),
};
static const char *const examples[] = { "deft type \"hello world\"",
	                                    "deft type --delay-ms 20 12.50", NULL };

const struct cmd_entry cmd_entry_type = {
	.spec = { .name = "type",
	          .summary = "Type text into what has the keyboard focus, behind what is there",
	          .details =
	              "To replace the content of a field use `deft fill`. Text that begins with a "
	              "ref such as @e3 is refused, because a target was probably meant.",
	          .group = "Act",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_ACTING },
	CMD_CODE(type_run, cmd_render_message),
};
