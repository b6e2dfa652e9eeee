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

/* Forms F1–F4: NUM, NUM %, NUM of NUM [unit], NUM unit. False: the text is no number. Form F5,
 * "Label, NUM", is no number either: it counts only where the platform gives the number itself, and then
 * that is what is read. */
bool ct_value_parse(const char *text, size_t len, struct ct_parsed *ret);

#endif
