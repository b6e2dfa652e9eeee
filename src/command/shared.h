/* What several commands share: rows of parameters, renderers, small formats. */
#ifndef DEFT_COMMAND_SHARED_H
#define DEFT_COMMAND_SHARED_H

#include "base/limits.h"
#include "command/command.h"

/* The thing on the screen, first on the command line. */
#define PARAM_TARGET(what)                                                          \
	{                                                                               \
		.name = "target", .type = CMD_TARGET, .positional = true, .required = true, \
		.complete = CMD_COMPLETE_REFS, .help = what ": @ref, selector, or x y"      \
	}

/* A whole number of milliseconds. */
#define PARAM_MS(name_, lo, hi, dflt_, text)                                           \
	{                                                                                  \
		.name = name_, .type = CMD_INT, .has_min = true, .min = (lo), .has_max = true, \
		.max = (hi), .dflt = dflt_, .unit = "ms", .help = text                         \
	}

#define CMD_PARAMS(list) .params = (list), .n_params = sizeof(list) / sizeof((list)[0])

/* What every command that acts on the session's device carries. */
#define CMD_ACTING (CMD_NEEDS_SESSION | CMD_LOCKS | CMD_REPLAYABLE)
#define CMD_ANYWHERE (CMD_CLI | CMD_MCP | CMD_BATCH)

/* Prints data.message; the renderer of commands whose answer is one sentence. */
void cmd_render_message(const json_t *data, const struct cmd_render_opts *o, struct buf *out);
/* Sets data.message, built with printf's rules. */
__attribute__((format(printf, 2, 3))) void cmd_message(json_t *data, const char *fmt, ...);
/* "(651, 247.5)" */
void cmd_add_point(struct buf *out, double x, double y);
/* Text that came from a screen or a file, on one line: control characters become blanks. */
void cmd_add_line(struct buf *out, const char *text);
/* 0, or -ERR_INVALID_ARGS: both of two parameters that exclude each other are given. */
int cmd_exclude(const json_t *args, const char *a, const char *b, struct error *e);

#endif
