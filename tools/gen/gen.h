/* The generator: linked with the data half of the command table, it prints what is made of it.
 * It runs at build time (the client's plain table, the man page) and by hand or as a test for the
 * documents that are kept in docs/. */
#ifndef DEFT_TOOLS_GEN_H
#define DEFT_TOOLS_GEN_H

#include "base/buf.h"
#include "base/error.h"

/* Each appends one whole document. */
void gen_table(struct buf *out);     /* the C source that defines cmd_specs() for the client */
void gen_commands(struct buf *out);  /* docs/commands.md */
void gen_man(struct buf *out);       /* deft.1 */
void gen_errors(struct buf *out);    /* docs/errors.md */
void gen_mcp_tools(struct buf *out); /* docs/mcp-tools.json */
/* docs/limits.md from the text of src/base/limits.h. -ERR_INVALID_ARGS when a limit has no comment. */
int gen_limits(const char *header, struct buf *out, struct error *e);

/* Text inside a table cell: | and line breaks do not end it. */
void gen_cell(const char *text, struct buf *out);

#endif
