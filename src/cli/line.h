/* A command line understood: which command, with which arguments. */
#ifndef DEFT_CLI_LINE_H
#define DEFT_CLI_LINE_H

#include "base/error.h"
#include "command/spec.h"

#include <jansson.h>
#include <stdbool.h>

enum cli_ask {
	CLI_ASK_COMMAND,
	CLI_ASK_HELP,    /* --help, -h; `spec` is the command to explain, NULL: all */
	CLI_ASK_VERSION, /* --version, -V before any command */
	CLI_ASK_NOTHING, /* no command at all */
};

struct cli_line {
	enum cli_ask ask;
	const struct cmd_spec *spec;
	json_t *args, *globals; /* checked objects, owned */
};

/* argv without the program's name. Global flags may stand before or after the command. Every
 * failure is -ERR_INVALID_ARGS or -ERR_UNKNOWN_COMMAND: an argument that is not UTF-8, an unknown
 * word (with the nearest one), a bad value. Paths come out absolute. */
int cli_line_parse(int argc, const char *const *argv, struct cli_line *ret, struct error *e);
/* -ERR_UNKNOWN_COMMAND with the nearest name. */
int cli_unknown_command(const char *word, struct error *e);
void cli_line_done(struct cli_line *l);
/* --json somewhere before a "--": decides how a line that can't be parsed is reported. */
bool cli_line_wants_json(int argc, const char *const *argv);

#endif
