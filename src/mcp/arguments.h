/* Arguments of tools/call as a client sends them, made into arguments of a command. */
#ifndef DEFT_MCP_ARGUMENTS_H
#define DEFT_MCP_ARGUMENTS_H

#include "base/error.h"
#include "command/spec.h"

#include <jansson.h>

/* params.arguments as an object (new reference): an object, a JSON text of one (some clients send
 * that), or absent. NULL: neither. */
json_t *mcp_arguments_take(const json_t *params);
/* Checks args in place, leniently: numbers and booleans may be written as text. Paths come out
 * absolute. Global parameters move to *ret_globals (a new object), where `defaults` (or NULL) fills
 * what the call does not say. -ERR_INVALID_ARGS names what is wrong. */
int mcp_arguments_check(const struct cmd_spec *spec, json_t *args, const json_t *defaults,
                        json_t **ret_globals, struct error *e);
/* Pictures: unless the call says so, a new file (called by `id`) in the daemon's folder, and a
 * reduced copy that fits a message, where the command has the parameters for it. Before the check. */
void mcp_arguments_for_image(const struct cmd_spec *spec, json_t *args, const char *id);

#endif
