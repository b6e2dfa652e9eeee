/* What a front end (`deft`, `deft mcp`) puts into its request lines: the client's half of
 * envelope.h. The daemon acts for the caller: in the caller's directory, on the caller's display. */
#ifndef DEFT_WIRE_CALLER_H
#define DEFT_WIRE_CALLER_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

#define WIRE_CALL_ID 17 /* 16 hex digits and NUL */

/* A fresh request id; ids appear in logs and traces, so they differ between clients, too. */
void wire_call_id(char out[WIRE_CALL_ID]);
/* {"cwd":…,"env":{…}} of this process: the directory and the display, bus and locale variables that
 * are set. cwd is left out when the directory is gone. Text that is not UTF-8 is repaired. */
json_t *wire_caller_meta(void);
/* The request object; args and meta are stolen. Of the global parameters (an object or NULL) it
 * carries session, platform and device, each at its place. */
json_t *wire_call_make(const char *id, const char *command, json_t *args_stolen,
                       const json_t *globals, json_t *meta_stolen);
json_t *wire_cancel_make(const char *id);
/* Makes the path (or the array of paths) under a key absolute against this process's directory; an
 * absent key is fine. -ERR_IO_ERROR when the directory is gone. */
int wire_absolute_path(json_t *args, const char *key, struct error *e);

/* What can be said truthfully when the answer never came. Both return -e->code.
 *
 * Lost: the connection ended first. -ERR_DAEMON_UNAVAILABLE, details.reason as given,
 * details.outcome "unchanged" for a command that only reads, else "unknown".
 * Silent: the daemon kept the connection and overran the deadline it was given. -ERR_TIMEOUT,
 * reason "daemon_silent". */
int wire_answer_lost(const char *command, bool only_reads, const char *reason, struct error *e);
int wire_answer_silent(const char *command, long deadline_ms, struct error *e);

#endif
