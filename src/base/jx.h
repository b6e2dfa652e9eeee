/* Typed access to JSON objects: absent and null are the same, a wrong type is a typed error that
 * names the key. `ret_` values are untouched when the key is absent. */
#ifndef DEFT_BASE_JX_H
#define DEFT_BASE_JX_H

#include "base/buf.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Each returns 1 when the key was there, 0 when absent or null, -ERR_INVALID_ARGS on a wrong type.
 * Strings are borrowed from the object. jx_int accepts integral reals (3.0), refuses 3.5. */
int jx_str(const json_t *o, const char *key, const char **ret, struct error *e);
int jx_num(const json_t *o, const char *key, double *ret, struct error *e);
int jx_int(const json_t *o, const char *key, int64_t *ret, struct error *e);
int jx_bool(const json_t *o, const char *key, bool *ret, struct error *e);
int jx_obj(const json_t *o, const char *key, json_t **ret, struct error *e);
int jx_arr(const json_t *o, const char *key, json_t **ret, struct error *e);

/* Lenient readers for replies: the value, or the default on absence or a wrong type. */
const char *jx_get_str(const json_t *o, const char *key, const char *dflt);
double jx_get_num(const json_t *o, const char *key, double dflt);
int64_t jx_get_int(const json_t *o, const char *key, int64_t dflt);
bool jx_get_bool(const json_t *o, const char *key, bool dflt);

/* Setters that never put a non-finite number or ill-formed text into an object: such numbers are
 * left out, such text is repaired. A NULL string is left out. */
void jx_set_str(json_t *o, const char *key, const char *s);
void jx_set_num(json_t *o, const char *key, double v); /* an integer when it is one */
void jx_set_int(json_t *o, const char *key, int64_t v);
void jx_set_bool(json_t *o, const char *key, bool v);
void jx_set(json_t *o, const char *key, json_t *stolen);

/* Parses exactly one JSON value (objects keep their key order; duplicate keys are refused; depth is
 * limited). NULL on failure with -ERR_INVALID_ARGS in e, which names line and column. */
json_t *jx_parse(const char *text, size_t len, struct error *e);
/* Compact (one line) or indented by 2; appended to out; key order kept. */
bool jx_dump(const json_t *j, bool pretty, struct buf *out);

#endif
