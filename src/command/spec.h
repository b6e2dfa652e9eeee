/* The data half of the command table: names, typed parameters, help, exposure, traits. Linked by
 * `deft` (as a generated plain table) and by the daemon (inside struct cmd_entry). argv parsing, JSON
 * validation, MCP schemas, help, completion, man page and docs/commands.md are all read from it.
 *
 * Everything is const and static; nothing here may call a platform. */
#ifndef DEFT_COMMAND_SPEC_H
#define DEFT_COMMAND_SPEC_H

#include "base/buf.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum cmd_type {
	CMD_STRING, /* one token */
	CMD_TEXT,   /* one token that may be empty or hold anything (text to enter) */
	CMD_WORDS,  /* all remaining positionals, joined by one blank */
	CMD_LIST,   /* repeatable flag, or all remaining positionals as an array of strings */
	CMD_INT,
	CMD_NUMBER,
	CMD_BOOL,   /* a flag without a value */
	CMD_ENUM,   /* one of `values` */
	CMD_TARGET, /* @ref, selector, or a point: on the command line also two numbers */
	CMD_PATH,   /* a file; made absolute against the caller's directory by the front end */
};

enum cmd_complete {
	CMD_COMPLETE_NONE,
	CMD_COMPLETE_FILE,
	CMD_COMPLETE_VALUES,
	CMD_COMPLETE_COMMANDS,
	CMD_COMPLETE_REFS,
	CMD_COMPLETE_SESSIONS,
	CMD_COMPLETE_APPS
};

enum cmd_where { CMD_EVERYWHERE, CMD_ONLY_CLI, CMD_ONLY_MCP };

struct cmd_param {
	const char *name; /* camelCase: the key in args and in MCP; flag is --kebab-case of it */
	enum cmd_type type;
	bool positional; /* in the order of the array; else a flag */
	bool required;
	char letter; /* short flag, 0: none */
	bool has_min, has_max;
	double min, max;           /* inclusive; for CMD_INT, CMD_NUMBER */
	const char *dflt;          /* text of the default, NULL: none */
	const char *const *values; /* CMD_ENUM, NULL-terminated */
	const char *unit;          /* "ms", "px", NULL */
	enum cmd_complete complete;
	enum cmd_where where;
	bool budget;      /* milliseconds the command may spend: see cmd_deadline_ms() */
	bool strict;      /* in JSON: a number written as a string is refused also by lenient front ends */
	const char *help; /* one line, lower-case start, no full stop */
};

enum cmd_exposure { CMD_CLI = 1, CMD_MCP = 2, CMD_BATCH = 4 };

enum cmd_trait {
	CMD_NEEDS_SESSION = 1 << 0, /* SESSION_NOT_FOUND without one */
	CMD_LOCKS = 1 << 1,         /* holds the session's device lock while it runs */
	CMD_READ_ONLY = 1 << 2,     /* changes nothing on the device */
	CMD_REPLAYABLE = 1 << 3,    /* belongs into a recorded script */
	CMD_LOCAL = 1 << 4,    /* the front end answers it itself (help, completion, version, mcp) */
	CMD_NO_START = 1 << 5, /* never starts a daemon (daemon stop, daemon status) */
	CMD_SETS_APP = 1 << 6, /* may create the session (open) */
	CMD_IMAGE = 1 << 7,    /* the result names an image file (path, mime) */
	CMD_LOOSE = 1 << 8,    /* unknown keys of args are passed on to the handler, which tells of them */
};

struct cmd_spec {
	const char *name;           /* "press" */
	const char *const *aliases; /* NULL-terminated, or NULL */
	const char *summary;        /* one line for lists and MCP: what it does and answers */
	const char *details;        /* paragraphs for help, NULL: none */
	const char *group; /* heading in help: "App", "Screen", "Act", "Session", "Daemon", "Help" */
	const char *const *examples; /* NULL-terminated runnable lines; the first one ends the help */
	const struct cmd_param *params;
	size_t n_params;
	unsigned exposure; /* enum cmd_exposure */
	unsigned traits;   /* enum cmd_trait */
	long timeout_ms;   /* default deadline, 0: LIM_REQUEST_DEFAULT_MS */
};

/* Parameters every command takes: session, platform, device, timeout (everywhere); json, debug,
 * stateDir, color, help (command line only). A command's own parameter of the same name wins. */
extern const struct cmd_param cmd_global_params[];
extern const size_t cmd_n_global_params;

/* The table as the linking program sees it: the daemon's from its entries, the client's generated. */
const struct cmd_spec *const *cmd_specs(size_t *ret_n);
/* By name or alias; NULL: unknown. */
const struct cmd_spec *cmd_spec_find(const char *name);
/* A command of the command line; the others are tools of MCP only. */
static inline bool cmd_on_cli(const struct cmd_spec *s)
{
	return (s->exposure & CMD_CLI) != 0;
}
/* The nearest name by edit distance (at most 2, or a third of the length); NULL: nothing near. */
const char *cmd_nearest(const char *word, const char *const *names, size_t n);
const char *cmd_nearest_command(const char *word);

/* Checks args (an object) against the spec and completes it with defaults: unknown keys, wrong
 * types, ranges, enums, missing required ones are -ERR_INVALID_ARGS that name the parameter, the
 * value and the allowed range, and propose the nearest name. With `lenient` numbers and booleans
 * written as strings are accepted ("300", "false"). args is changed in place. */
int cmd_check_args(const struct cmd_spec *spec, json_t *args, bool lenient, struct error *e);
/* argv (without the command's own name) into a fresh args object and global options (an object
 * keyed by the names of cmd_global_params; absent: not given). Flags and positionals may be mixed;
 * "--" ends the flags; a negative number is a positional; -x and clusters -ix. With --help among
 * the globals the args are incomplete and unchecked. */
int cmd_parse_argv(const struct cmd_spec *spec, int argc, const char *const *argv,
                   json_t **ret_args, json_t **ret_globals, struct error *e);
/* Index of the command's name in argv: the first word that is neither a global flag nor the value of
 * one ("deft --session a press @e1"). argc when there is none. Flags before it belong to the command
 * as those after it do: hand both parts to cmd_parse_argv(). */
int cmd_argv_command(int argc, const char *const *argv);
/* Moves the global parameters out of a front end's flat args (MCP) into a fresh, checked object. */
int cmd_take_globals(const struct cmd_spec *spec, json_t *args, bool lenient, json_t **ret_globals,
                     struct error *e);
/* An error that has no hint of its own, or only the general one of its code, gets the one to the
 * command's help; returns the error's code. */
int cmd_point_to_help(const struct cmd_spec *spec, struct error *e);
/* The request's deadline in ms: an explicit global timeout; else the longest budget parameter of the
 * checked args plus LIM_REQUEST_MARGIN_MS, where that is longer than the command's default (a list
 * counts when its last word is an integer, as in `wait text Done 5000`); at most
 * LIM_REQUEST_MAX_MS. globals may be NULL. */
long cmd_deadline_ms(const struct cmd_spec *spec, const json_t *args, const json_t *globals);
/* "--kebab-case" of a parameter's name. */
void cmd_flag_name(const struct cmd_param *p, char *out, size_t size);
/* JSON Schema (object, strict) of the command for MCP; new reference. One string `type` for every
 * property, string enums, no union types, no $ref. */
json_t *cmd_schema(const struct cmd_spec *spec);

/* --- text for people ---------------------------------------------------------------------------- */

/* `help <command>`: usage, parameters, details, examples; the last line is a runnable example.
 * width: columns to wrap at, 0: 80. */
void cmd_help_text(const struct cmd_spec *spec, int width, struct buf *out);
/* `help`: the commands by group, global flags, exit statuses; ends with a runnable example. */
void cmd_help_overview(int width, struct buf *out);
/* "press <target> [--count <n>] …": one line. */
void cmd_usage(const struct cmd_spec *spec, struct buf *out);
/* Completion script of a shell: "bash", "zsh" or "fish". false: unknown shell. */
bool cmd_completion(const char *shell, struct buf *out);
/* The last n lines of a log file; a missing file gives none. */
int cmd_log_tail(const char *path, size_t lines, struct buf *out, struct error *e);

#endif
