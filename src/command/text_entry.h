/* What fill and type share: limits, the runner's answer, and how success is worded. */
#ifndef DEFT_COMMAND_TEXT_ENTRY_H
#define DEFT_COMMAND_TEXT_ENTRY_H

#include "command/acting.h"

/* 0, or -ERR_LIMIT_EXCEEDED above LIM_TEXT code points. */
int text_entry_check(const char *text, struct error *e);
/* Adds text, mode and pace to a runner request. */
void text_entry_request(json_t *request, const struct dm_request *rq, const char *mode);
/* Adds chars, verified, secret? and the message "<lead> with N chars, read back". What was entered is
 * never repeated: it may be a secret. */
void text_entry_result(json_t *data, const char *lead, const char *text, const json_t *reply);

#endif
