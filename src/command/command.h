/* One command: its data and its handler. A command is one file in src/command/ with one const entry
 * named cmd_entry_<name>; src/command/table.c lists them.
 *
 * The handler runs on the request's thread inside the daemon with the session's device lock held
 * (CMD_LOCKS). It returns its result as a JSON object; the renderer makes text of that object and of
 * nothing else, so that --json and text never disagree. */
#ifndef DEFT_COMMAND_COMMAND_H
#define DEFT_COMMAND_COMMAND_H

#include "base/buf.h"
#include "command/spec.h"
#include "daemon/daemon.h"

struct cmd_render_opts {
	bool color;
	int width; /* columns of the terminal; 0: unknown */
};

struct cmd_entry {
	struct cmd_spec spec;
	/* *ret_data: an object (new reference). NULL for CMD_LOCAL commands. */
	int (*run)(struct dm_request *rq, json_t **ret_data, struct error *e);
	/* Text for people and agents, newline-terminated; NULL: the data as indented JSON. */
	void (*render)(const json_t *data, const struct cmd_render_opts *o, struct buf *out);
};

/* The code half of an entry. The build's generator compiles every command a second time with
 * CMD_DATA_ONLY and so gets the data without handlers and their libraries. */
#ifdef CMD_DATA_ONLY
#define CMD_CODE(run_, render_) .run = NULL, .render = NULL
#else
#define CMD_CODE(run_, render_) .run = (run_), .render = (render_)
#endif

/* NULL-terminated, in the order of the help. */
const struct cmd_entry *const *cmd_entries(void);
const struct cmd_entry *cmd_entry_find(const char *name);

#endif
