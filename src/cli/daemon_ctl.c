#include "cli/daemon_ctl.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/state_dir.h"

#include <string.h>

static bool not_running(int r, const struct error *e)
{
	return r == -ERR_DAEMON_UNAVAILABLE &&
	       strcmp(jx_get_str(e->details, "reason", ""), "not_running") == 0;
}

static struct call call_of(const struct cli_run *run)
{
	return (struct call){ deadline_in(run->limit_ms), run->cancel };
}

/* {"state":…} and a sentence. */
static void reply_state(struct cli_reply *ret, const char *state, const char *sentence)
{
	json_t *data = json_object();
	jx_set_str(data, "state", state);
	*ret = (struct cli_reply){ .data = data, .text = strdup(sentence) };
}

static int start(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	struct wire_daemon_opts o = cli_daemon_opts(run, false);
	auto_close int fd = -1;
	bool started = false;
	int r = wire_daemon_connect(&o, call_of(run), &fd, &started, e);
	if (r < 0)
		return r;
	reply_state(ret, "running",
	            started ? "The daemon was started.\n" : "The daemon runs already.\n");
	jx_set_bool(ret->data, "started", started);
	return 0;
}

static int status(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	auto_error struct error why = ERROR_INIT;
	int r = cli_ask_daemon(run, true, ret, &why);
	if (not_running(r, &why)) {
		reply_state(ret, "not-running", "No daemon runs.\n");
		return 0;
	}
	if (r < 0)
		error_move(e, &why);
	return r;
}

/* Who is in the way, and the two ways on. */
static int busy(struct error *e)
{
	size_t i;
	json_t *name, *sessions = json_object_get(e->details, "sessions");
	auto_buf struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	json_array_foreach (sessions, i, name)
		buf_addf(&b, "%s%s", i ? ", " : ": ", json_string_value(name));
	return error_hint(e, "close the sessions with `deft close`, or `deft daemon stop --force`%s",
	                  b.data);
}

static int stop(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	struct wire_daemon_opts o = cli_daemon_opts(run, true);
	bool was_running = false;
	bool force = jx_get_bool(run->line.args, "force", false);
	int r = wire_daemon_stop(&o, call_of(run), force, &was_running, e);
	if (r == -ERR_SESSION_BUSY)
		return busy(e);
	if (r < 0)
		return r;
	reply_state(ret, "not-running",
	            was_running ? "The daemon was stopped.\n" : "No daemon runs.\n");
	jx_set_bool(ret->data, "stopped", was_running);
	return 0;
}

static int logs(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	auto_state struct wire_state state = { NULL };
	auto_error struct error none = ERROR_INIT;
	auto_buf struct buf b;
	buf_init(&b, LIM_CLI_OUTPUT);
	int r = wire_state_open(&state, run->state_dir, false, &none);
	if (r == -ERR_DAEMON_UNAVAILABLE) {
		*ret = (struct cli_reply){ .data = json_object(), .text = strdup("") };
		jx_set_str(ret->data, "text", "");
		return 0;
	}
	if (r == 0)
		r = cmd_log_tail(state.log, (size_t)jx_get_int(run->line.args, "lines", 0), &b, &none);
	if (r < 0) {
		error_move(e, &none);
		return r;
	}
	*ret = (struct cli_reply){ .data = json_object() };
	jx_set_str(ret->data, "path", state.log);
	jx_set_str(ret->data, "text", b.data);
	ret->text = buf_detach(&b);
	return 0;
}

int cli_daemon_ctl(struct cli_run *run, struct cli_reply *ret_reply, struct error *e)
{
	static const struct {
		const char *action;
		int (*run)(struct cli_run *run, struct cli_reply *ret, struct error *e);
	} actions[] = { { "start", start }, { "status", status }, { "stop", stop }, { "logs", logs } };
	const char *action = jx_get_str(run->line.args, "action", "");
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (strcmp(action, actions[i].action) == 0)
			return actions[i].run(run, ret_reply, e);
	return error_set(e, ERR_INVALID_ARGS, "daemon can't '%s'", action);
}
