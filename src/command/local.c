/* help, version, completion, mcp: answered by the front end itself; here is only what it must know
 * to parse and explain them. */
#include "command/shared.h"

static const struct cmd_param help_params[] = {
	{ .name = "command",
	  .type = CMD_STRING,
	  .positional = true,
	  .complete = CMD_COMPLETE_COMMANDS,
	  .help = "the command to explain; without it all are listed" },
};
static const char *const help_examples[] = { "deft help press", "deft help", NULL };

const struct cmd_entry cmd_entry_help = {
	.spec = { .name = "help",
	          .summary = "Explain a command, or list all",
	          .group = "Help",
	          .examples = help_examples,
	          CMD_PARAMS(help_params),
	          .exposure = CMD_CLI,
	          .traits = CMD_LOCAL },
};

static const char *const shells[] = { "bash", "zsh", "fish", NULL };
static const struct cmd_param completion_params[] = {
	{ .name = "shell",
	  .type = CMD_ENUM,
	  .positional = true,
	  .required = true,
	  .values = shells,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "the shell the script is for" },
};
static const char *const completion_examples[] = { "deft completion bash", "deft completion fish",
	                                               NULL };

const struct cmd_entry cmd_entry_completion = {
	.spec = { .name = "completion",
	          .summary = "Print a completion script for a shell",
	          .details = "bash: source <(deft completion bash)\n"
	                     "zsh: deft completion zsh > \"${fpath[1]}/_deft\"\n"
	                     "fish: deft completion fish | source",
	          .group = "Help",
	          .examples = completion_examples,
	          CMD_PARAMS(completion_params),
	          .exposure = CMD_CLI,
	          .traits = CMD_LOCAL },
};

static const char *const version_examples[] = { "deft version", NULL };

const struct cmd_entry cmd_entry_version = {
	.spec = { .name = "version",
	          .summary = "Print the version and build of deft",
	          .group = "Help",
	          .examples = version_examples,
	          .exposure = CMD_CLI,
	          .traits = CMD_LOCAL },
};

static const char *const mcp_examples[] = { "deft mcp", NULL };

const struct cmd_entry cmd_entry_mcp = {
	.spec = { .name = "mcp",
	          .summary = "Serve the commands as MCP tools on stdin and stdout",
	          .details = "A client starts this as a stdio server: command \"deft\", arguments "
	                     "[\"mcp\"]. Global flags given here hold for all calls.",
	          .group = "Daemon",
	          .examples = mcp_examples,
	          .exposure = CMD_CLI,
	          .traits = CMD_LOCAL },
};
