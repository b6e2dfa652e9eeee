/* Typed errors. A function that can fail returns 0 or a negative enum err_code and fills a
 * struct error. Log where a failure is first known or return it, never both.
 *
 * struct error is owned by the caller; start with ERROR_INIT, end with error_clear() or auto_error.
 * Every function accepts a NULL error and then only returns the code. Not thread-safe: one error
 * belongs to one thread. */
#ifndef DEFT_BASE_ERROR_H
#define DEFT_BASE_ERROR_H

#include "base/error_table.h"

#include <jansson.h>
#include <stdbool.h>

enum err_code {
	ERR_OK = 0,
#define ERROR_ENUM(name, exit_status, retriable, meaning, hint) ERR_##name,
	ERROR_TABLE(ERROR_ENUM)
#undef ERROR_ENUM
	ERR_COUNT
};

struct error {
	enum err_code code;
	char *message;   /* what happened; valid UTF-8, no newline */
	char *hint;      /* the next step; NULL: the table's default */
	json_t *details; /* object or NULL; details.reason is the machine-readable cause */
};

#define ERROR_INIT { ERR_OK, NULL, NULL, NULL }

/* Sets code and message (replacing what was there, details included) and returns -code. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *e, enum err_code code,
                                                     const char *fmt, ...);
/* Sets the hint of an already set error; returns -e->code. */
__attribute__((format(printf, 2, 3))) int error_hint(struct error *e, const char *fmt, ...);
/* Adds to details; `value` is stolen in the json form. Return -e->code. */
int error_detail(struct error *e, const char *key, json_t *value);
int error_detail_str(struct error *e, const char *key, const char *value);
int error_detail_int(struct error *e, const char *key, long long value);
/* details.reason, the machine-readable cause; returns -e->code. */
int error_reason(struct error *e, const char *reason);
/* Puts "prefix: " before the message; returns -e->code. */
__attribute__((format(printf, 2, 3))) int error_prefix(struct error *e, const char *fmt, ...);
void error_move(struct error *to, struct error *from);
void error_clear(struct error *e);
static inline bool error_is(const struct error *e, enum err_code code)
{
	return e && e->code == code;
}
#define auto_error __attribute__((cleanup(error_clear)))

const char *error_code_name(enum err_code code);          /* "INVALID_ARGS" */
enum err_code error_code_from_name(const char *name);     /* unknown: ERR_COMMAND_FAILED */
bool error_code_known(const char *name);
int error_exit_status(enum err_code code);
bool error_retriable(enum err_code code);
const char *error_meaning(enum err_code code);
const char *error_default_hint(enum err_code code);
/* The hint to show: the error's own, else the table's. Never NULL. */
const char *error_hint_text(const struct error *e);

/* {"code","message","hint","retriable","details"?}; new reference. */
json_t *error_to_json(const struct error *e);
/* Reads what error_to_json wrote (code may be absent: COMMAND_FAILED; an unknown code is kept in
 * details.remoteCode). Always sets e and returns -code. */
int error_from_json(struct error *e, const json_t *j);

#endif
