/* Locale-free numbers. */
#ifndef DEFT_BASE_NUMBER_H
#define DEFT_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The whole string (no blanks around it) as a finite decimal number: [+-]digits[.digits][e[+-]digits].
 * "inf", "nan", hex and an empty string are refused. */
bool number_parse(const char *s, double *ret);
/* The whole string as a decimal integer. */
bool number_parse_int(const char *s, int64_t *ret);
/* Half away from zero; clamped to the range of int64_t, 0 for NaN. */
int64_t number_round(double v);
/* Shortest decimal that reads back as the same double: "0.65", "3", "1e+21"; "0" for -0; "null"
 * when not finite. */
enum { NUMBER_TEXT = 32 };
void number_format(double v, char out[NUMBER_TEXT]);

#endif
