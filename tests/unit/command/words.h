/* Splits a line as a shell does, as far as our examples go: blanks, '…', "…". */
#ifndef DEFT_TESTS_COMMAND_WORDS_H
#define DEFT_TESTS_COMMAND_WORDS_H

#define MAX_WORDS 32

struct words {
	char text[512];
	const char *argv[MAX_WORDS];
	int argc;
};

/* The words of line without the first one ("deft"). Fails the test on a line it can't split. */
void words_split(const char *line, struct words *ret);

#endif
