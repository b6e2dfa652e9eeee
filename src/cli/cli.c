#include "cli/cli.h"

#include "base/build.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "cli/local.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "mcp/mcp.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The handler of a signal may fire it until the process ends. */
static struct cancel interrupted = { .fd = -1 };

static int run_command(struct cli_run *c, struct cli_reply *ret, struct error *e)
{
	c->limit_ms = cmd_deadline_ms(c->line.spec, c->line.args, c->line.globals);
	int r = cli_local_run(c, ret, e);
	if (r != CLI_NOT_LOCAL)
		return r;
	return cli_ask_daemon(c, c->line.spec->traits & CMD_NO_START, ret, e);
}

/* `deft` alone: the way to help is an error, so that a script with an empty variable notices. */
static int no_command(struct cli_run *c)
{
	auto_error struct error e = ERROR_INIT;
	error_set(&e, ERR_INVALID_ARGS, "no command given");
	error_hint(&e, "see `deft help`");
	if (c->out.json)
		return cli_out_error(&c->out, &e);
	auto_buf struct buf b;
	buf_init(&b, LIM_HELP_TEXT);
	cmd_help_overview(c->out.term.width, &b);
	cli_write(STDERR_FILENO, b.data, b.len);
	return error_exit_status(e.code);
}

/* --version: the bare number, for scripts. */
static int bare_version(struct cli_run *c)
{
	struct cli_reply r = { .data = json_object() };
	auto_buf struct buf b;
	buf_init(&b, LIM_ERROR_TEXT);
	buf_addf(&b, "%s\n", build_version());
	jx_set_str(r.data, "version", build_version());
	r.text = buf_detach(&b);
	int status = cli_out_reply(&c->out, &r);
	cli_reply_done(&r);
	return status;
}

static int serve_mcp(struct cli_run *c)
{
	auto_error struct error e = ERROR_INIT;
	auto_close int out = mcp_claim_stdout();
	struct mcp_opts o = {
		.in = STDIN_FILENO,
		.out = out,
		.state_dir = c->state_dir,
		.defaults = c->line.globals,
		.cancel = &interrupted,
	};
	if (isatty(STDIN_FILENO))
		cli_out_notice(&c->out, "Serving MCP to a client on stdin and stdout; Ctrl-D ends it.");
	if (out >= 0)
		return mcp_serve(&o);
	error_set(&e, ERR_COMMAND_FAILED, "no descriptor for the protocol");
	return cli_out_error(&c->out, &e);
}

static int run(struct cli_run *c)
{
	auto_error struct error e = ERROR_INIT;
	auto_reply struct cli_reply reply = { 0 };
	int r = 0;
	switch (c->line.ask) {
	case CLI_ASK_NOTHING: return no_command(c);
	case CLI_ASK_VERSION: return bare_version(c);
	case CLI_ASK_HELP: cli_local_help(c->line.spec, c->out.term.width, &reply); break;
	case CLI_ASK_COMMAND:
		if (strcmp(c->line.spec->name, "mcp") == 0)
			return serve_mcp(c);
		r = run_command(c, &reply, &e);
		break;
	}
	return r < 0 ? cli_out_error(&c->out, &e) : cli_out_reply(&c->out, &reply);
}

static void apply_globals(struct cli_run *c)
{
	const json_t *g = c->line.globals;
	c->out.json = jx_get_bool(g, "json", c->out.json);
	c->out.debug = jx_get_bool(g, "debug", false);
	c->state_dir = jx_get_str(g, "stateDir", NULL);
	cli_term_detect(&c->out.term, jx_get_str(g, "color", NULL));
}

/* A closed standard descriptor must not become our socket; writing to it stays an error. */
static void hold_standard_descriptors(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int cli_main(int argc, const char *const *argv)
{
	struct cli_run c = { .cancel = &interrupted };
	auto_error struct error e = ERROR_INIT;
	int status;
	hold_standard_descriptors();
	cli_term_detect(&c.out.term, NULL);
	c.out.json = cli_line_wants_json(argc - 1, argv + 1);
	if (cancel_init(&interrupted, &e) < 0)
		return cli_out_error(&c.out, &e);
	cli_signals_install(&interrupted);
	if (cli_line_parse(argc - 1, argv + 1, &c.line, &e) < 0) {
		status = cli_out_error(&c.out, &e);
	} else {
		apply_globals(&c);
		status = run(&c);
	}
	cli_line_done(&c.line);
	return cli_signals_seen() ? 128 + cli_signals_seen() : status;
}
