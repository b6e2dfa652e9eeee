#include "words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void words_split(const char *line, struct words *ret)
{
	char *out = ret->text;
	char quote = 0;
	bool in_word = false, first = true;

	*ret = (struct words){ .argc = 0 };
	assert_true(strlen(line) < sizeof(ret->text));
	for (;; line++) {
		if (!quote && (*line == ' ' || !*line)) {
			if (in_word) {
				*out++ = '\0';
				if (!first)
					ret->argc++;
				first = in_word = false;
			}
			if (!*line)
				break;
			continue;
		}
		if (!in_word && !first) {
			assert_true(ret->argc < MAX_WORDS);
			ret->argv[ret->argc] = out;
		}
		in_word = true;
		if (quote && *line == quote)
			quote = 0;
		else if (!quote && (*line == '\'' || *line == '"'))
			quote = *line;
		else
			*out++ = *line;
		assert_true(*line != '\0');
	}
	assert_int_equal(quote, 0);
}
