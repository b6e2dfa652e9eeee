/* daemon start|stop|status|logs. The command line answers start, and the others where no daemon
 * runs; what reaches a daemon is answered here. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "command/shared.h"

#include <string.h>

static int logs(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_free char *path = fs_join(dm_state_dir(rq), "daemon.log");
	auto_buf struct buf text;
	int r;

	buf_init(&text, LIM_ENVELOPE_LINE / 2);
	if (!path)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	r = cmd_log_tail(path, (size_t)jx_get_int(rq->args, "lines", 0), &text, e);
	if (r < 0)
		return r;
	*ret_data = json_object();
	jx_set_str(*ret_data, "path", path);
	jx_set_str(*ret_data, "text", text.data);
	return 0;
}

static int daemon_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const char *action = jx_get_str(rq->args, "action", "status");

	if (!strcmp(action, "logs"))
		return logs(rq, ret_data, e);
	if (!strcmp(action, "stop")) {
		int r = dm_stop(rq, jx_get_bool(rq->args, "force", false), e);

		if (r < 0)
			return r;
		*ret_data = dm_status_json(rq);
		cmd_message(*ret_data, "The daemon stops");
		return 0;
	}
	*ret_data = dm_status_json(rq);
	return 0;
}

static void render_status(const json_t *d, struct buf *out)
{
	const json_t *requests = json_object_get(d, "requests");

	buf_addf(out, "%s, pid %lld, version %s, up for %lld s\n", jx_get_str(d, "state", "running"),
	         (long long)jx_get_int(d, "pid", 0), jx_get_str(d, "version", "?"),
	         (long long)jx_get_int(d, "uptimeMs", 0) / 1000);
	buf_addf(out, "sessions %lld, requests %lld (%lld running, %lld failed)\n",
	         (long long)jx_get_int(d, "sessions", 0), (long long)jx_get_int(requests, "total", 0),
	         (long long)jx_get_int(requests, "running", 0),
	         (long long)jx_get_int(requests, "failed", 0));
	buf_addf(out, "state %s\nsocket %s\n", jx_get_str(d, "stateDir", ""),
	         jx_get_str(d, "socket", ""));
}

static void daemon_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	if (json_object_get(data, "text"))
		buf_adds(out, jx_get_str(data, "text", ""));
	else if (json_object_get(data, "message"))
		cmd_render_message(data, o, out);
	else
		render_status(data, out);
}

static const char *const actions[] = { "start", "stop", "status", "logs", NULL };
static const struct cmd_param params[] = {
	{ .name = "action",
	  .type = CMD_ENUM,
	  .positional = true,
	  .values = actions,
	  .dflt = "status",
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "what to do" },
	{ .name = "force", .type = CMD_BOOL, .help = "stop: although sessions of others are open" },
	{ .name = "lines",
	  .type = CMD_INT,
	  .letter = 'n',
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_LOG_TAIL,
	  .dflt = "100",
	  .help = "logs: how many lines from the end" },
};
static const char *const examples[] = { "deft daemon status", "deft daemon logs --lines 20",
	                                    "deft daemon stop", NULL };

const struct cmd_entry cmd_entry_daemon = {
	.spec = { .name = "daemon",
	          .summary = "Start, stop or look at the background process that holds the sessions",
	          .details =
	              "Every command starts the daemon when it is needed; `start` only does it "
	              "beforehand. It leaves by itself when it has had nothing to do for a while.",
	          .group = "Daemon",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_CLI,
	          .traits = CMD_READ_ONLY | CMD_NO_START },
	CMD_CODE(daemon_run, daemon_render),
};
