/* Shared by the interpreters of the data half; not for other rooms. */
#ifndef DEFT_COMMAND_SPEC_INTERNAL_H
#define DEFT_COMMAND_SPEC_INTERNAL_H

#include "command/spec.h"

#define CMD_FLAG_NAME 64 /* size of a flag's name with dashes and NUL */

const struct cmd_param *cmd_param_find(const struct cmd_param *params, size_t n, const char *name);
/* The command's own parameter, else the global one; *ret_global says which. NULL: none. */
const struct cmd_param *cmd_param_for(const struct cmd_spec *spec, const char *name,
                                      bool *ret_global);
/* One word of a command line (or a default) as a typed value; NULL with e filled. For CMD_LIST and
 * CMD_BOOL the value of one element, or true and false. */
json_t *cmd_value_from_text(const struct cmd_param *p, const char *text, struct error *e);
/* Checks one value in place; may replace it. 0 or -ERR_INVALID_ARGS. */
int cmd_check_value(const struct cmd_param *p, json_t **value, bool lenient, struct error *e);
/* Checks every known key of args against params; unknown ones are left alone. */
int cmd_check_known(const struct cmd_param *params, size_t n, json_t *args, bool lenient,
                    struct error *e);
/* "<count>", "on|off": what stands for a value in usage lines. */
void cmd_placeholder(const struct cmd_param *p, struct buf *out);
/* "1..200 ms" or "" for the allowed values. */
void cmd_range_text(const struct cmd_param *p, struct buf *out);

#endif
