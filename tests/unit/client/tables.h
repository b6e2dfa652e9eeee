/* The runner client's tables as docs/runner-client.md shows them, made from the code. */
#ifndef DEFT_TESTS_CLIENT_TABLES_H
#define DEFT_TESTS_CLIENT_TABLES_H

#include "base/buf.h"

struct table {
	const char *name; /* in the page: between "<!-- table: NAME -->" and "<!-- end -->" */
	void (*make)(struct buf *out);
};

extern const struct table tables[];
extern const size_t n_tables;

#endif
