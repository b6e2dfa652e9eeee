/* Numbers in accessibility texts: "50 %", "3 of 5", "−12 dB". Strict: what is localised or free-form is
 * no number (spec: debug tools 4.5). Pure, locale-free, allocation-free. */
#ifndef DEFT_CONTROL_VALUE_H
#define DEFT_CONTROL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

struct ct_parsed {
	double value;
	const char *unit; /* one of the closed list (static), or NULL */
	bool percent;     /* domain 0..100 unless the platform says otherwise */
	bool has_max;     /* "3 of 5": domain 0..max */
	double max;
};

/* Forms F1–F4: NUM, NUM %, NUM of NUM [unit], NUM unit. False: the text is no number. */
bool ct_value_parse(const char *text, size_t len, struct ct_parsed *ret);
/* Form F5, "Label, NUM": accepted only because the platform's own number of the same node is the same. */
bool ct_value_confirms(const char *text, size_t len, double number);

#endif
