/* Text of a result within its limit. */
#ifndef DEFT_MCP_TEXT_H
#define DEFT_MCP_TEXT_H

#include "base/buf.h"
#include "command/spec.h"

/* Appends text; above max bytes only its beginning, up to a whole line (a single long line: up to a
 * whole character), and a last line that counts what is missing and names the parameters of the
 * command that ask for less. Text is valid UTF-8 before and after. */
void mcp_add_cut_text(struct buf *b, const char *text, size_t max, const struct cmd_spec *spec);

#endif
