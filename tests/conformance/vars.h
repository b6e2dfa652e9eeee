/* ${name} in a case: a whole string "${name}" becomes the variable's value, whatever its type; inside
 * of a longer string its text is put in. An unknown name stays as it is. */
#ifndef TESTS_CONFORMANCE_VARS_H
#define TESTS_CONFORMANCE_VARS_H

#include <jansson.h>

/* A copy of j with the variables put in; new reference. */
json_t *vars_expand(const json_t *j, const json_t *vars);

#endif
