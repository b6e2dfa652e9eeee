#include "cli/local.h"

#include "base/build.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "cli/daemon_ctl.h"
#include "wire/envelope.h"

#include <string.h>

static json_t *text_data(const char *text)
{
	json_t *data = json_object();
	jx_set_str(data, "text", text);
	return data;
}

/* The text is both: what is printed, and data.text for --json. */
static int reply_text(struct buf *text, struct cli_reply *ret, struct error *e)
{
	if (text->over)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the text is over %zu bytes", text->max);
	*ret = (struct cli_reply){ .data = text_data(text->data) };
	ret->text = buf_detach(text);
	return 0;
}

void cli_local_help(const struct cmd_spec *spec, int width, struct cli_reply *ret_reply)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_HELP_TEXT);
	if (spec)
		cmd_help_text(spec, width, &b);
	else
		cmd_help_overview(width, &b);
	*ret_reply = (struct cli_reply){ .data = text_data(b.data) };
	ret_reply->text = buf_detach(&b);
}

static int run_help(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	const char *name = jx_get_str(run->line.args, "command", NULL);
	const struct cmd_spec *spec = name ? cmd_spec_find(name) : NULL;
	if (name && !spec)
		return cli_unknown_command(name, e);
	cli_local_help(spec, run->out.term.width, ret);
	return 0;
}

static int run_completion(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	auto_buf struct buf b;
	const char *shell = jx_get_str(run->line.args, "shell", "");
	buf_init(&b, LIM_HELP_TEXT);
	if (!cmd_completion(shell, &b))
		return error_set(e, ERR_INVALID_ARGS, "no completion for '%s': bash, zsh or fish", shell);
	return reply_text(&b, ret, e);
}

static int run_version(struct cli_run *run, struct cli_reply *ret, struct error *e)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	buf_addf(&b, "deft %s (build %s, daemon protocol %d)\n", build_version(), build_id(),
	         WIRE_DAEMON_PROTOCOL);
	json_t *data = json_object();
	jx_set_str(data, "version", build_version());
	jx_set_str(data, "build", build_id());
	jx_set_int(data, "protocol", WIRE_DAEMON_PROTOCOL);
	*ret = (struct cli_reply){ .data = data, .text = buf_detach(&b) };
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct cli_run *run, struct cli_reply *ret, struct error *e);
} commands[] = {
	{ "help", run_help },
	{ "completion", run_completion },
	{ "version", run_version },
	{ "daemon", cli_daemon_ctl },
};

int cli_local_run(struct cli_run *run, struct cli_reply *ret_reply, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(run->line.spec->name, commands[i].name) == 0)
			return commands[i].run(run, ret_reply, e);
	return CLI_NOT_LOCAL;
}
