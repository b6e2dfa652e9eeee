/* What the two output streams can show. */
#ifndef DEFT_CLI_TERM_H
#define DEFT_CLI_TERM_H

#include <stdbool.h>

struct cli_term {
	bool out_color, err_color;
	bool progress; /* stderr is a terminal that can rewrite a line */
	bool out_is;   /* stdout is a terminal at all */
	int width;     /* columns of the terminal on stdout; 0: none */
};

/* choice: "always", "never", "auto" or NULL (auto). Auto asks, in this order: NO_COLOR (set and not
 * empty: none), FORCE_COLOR ("0": none; else not empty: colour), TERM (unset or "dumb": none), and
 * whether the stream is a terminal. */
void cli_term_detect(struct cli_term *ret, const char *choice);

#endif
