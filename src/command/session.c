/* session list: who works on what. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"

static int session_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	*ret_data = dm_sessions_json(rq, jx_get_bool(rq->args, "all", false));
	return *ret_data ? 0 : error_set(e, ERR_INTERNAL_ERROR, "out of memory");
}

/* * default  linux::99  Calculator (galculator), idle for 12 s */
static void session_line(const json_t *s, struct buf *out)
{
	const char *app = jx_get_str(s, "app", NULL);

	buf_addf(out, "%s %s  %s", jx_get_bool(s, "current", false) ? "*" : " ",
	         jx_get_str(s, "name", ""), jx_get_str(s, "device", ""));
	if (app) {
		buf_adds(out, "  ");
		cmd_add_line(out, jx_get_str(s, "appName", app));
		buf_addf(out, " (%s)", app);
	}
	buf_addf(out, ", idle for %lld s\n", (long long)jx_get_int(s, "idleMs", 0) / 1000);
}

static void session_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	const json_t *list = json_object_get(data, "sessions");
	size_t i;
	json_t *s;

	if (!json_array_size(list))
		buf_adds(out, "No session is open.\n");
	json_array_foreach(list, i, s) session_line(s, out);
}

static const char *const actions[] = { "list", NULL };
static const struct cmd_param params[] = {
	{ .name = "action",
	  .type = CMD_ENUM,
	  .positional = true,
	  .values = actions,
	  .dflt = "list",
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "what to do" },
	{ .name = "all", .type = CMD_BOOL, .help = "also the unnamed ones of other working trees" },
};
static const char *const examples[] = { "deft session list", "deft session list --all", NULL };

const struct cmd_entry cmd_entry_session = {
	.spec = { .name = "session",
	          .summary = "List the open sessions; the one of this call is marked",
	          .group = "Session",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_READ_ONLY },
	CMD_CODE(session_run, session_render),
};
