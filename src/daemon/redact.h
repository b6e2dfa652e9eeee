/* What may be written to logs and traces (cases K12): the shape of a request, never its secrets. */
#ifndef DEFT_DAEMON_REDACT_H
#define DEFT_DAEMON_REDACT_H

#include "base/buf.h"
#include "command/spec.h"

/* Arguments for a trace: free text (CMD_TEXT, CMD_WORDS, CMD_LIST) becomes "<N characters>", other
 * strings go through dm_redact_text(). Unknown keys are left out. New reference. */
json_t *dm_redact_args(const struct cmd_spec *spec, const json_t *args);
/* Appends s with what looks like a credential masked: what follows "Bearer" or "Basic", tokens of
 * known shape (ghp_…, AKIA…), values of key=value whose key tells of a secret, passwords in URLs,
 * quoted values in selectors (value="…", text="…" may be what was typed). */
void dm_redact_text(const char *s, struct buf *out);

#endif
