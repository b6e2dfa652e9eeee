/* Everything `deft` writes. The result goes to stdout, all else to stderr. */
#ifndef DEFT_CLI_OUT_H
#define DEFT_CLI_OUT_H

#include "base/error.h"
#include "cli/reply.h"
#include "cli/term.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_out {
	struct cli_term term;
	bool json, debug;
	bool line_open; /* a progress line stands on stderr */
};

#define CLI_READER_GONE 141 /* 128 + SIGPIPE, as a shell reports it */
#define CLI_MAX_CANDIDATES 5

/* Prints a result; returns the exit status: 0, CLI_READER_GONE (quietly) when nobody reads stdout,
 * that of IO_ERROR (with its message) when stdout takes no more. */
int cli_out_reply(struct cli_out *o, const struct cli_reply *r);
/* Prints a failure: with --json the envelope on stdout, else on stderr `Error (CODE): message`, the
 * candidates and the hint; details only with --debug. Returns the exit status of its code. */
int cli_out_error(struct cli_out *o, const struct error *e);
/* One line on stderr. */
void cli_out_notice(struct cli_out *o, const char *line);
/* Shows how far a command is, on a terminal only; done/total < 0: unknown. */
void cli_out_progress(struct cli_out *o, const char *message, int64_t done, int64_t total);
/* All bytes to a descriptor: 0 or the errno. Waits when the descriptor does not block. */
int cli_write(int fd, const char *data, size_t len);

#endif
