/* docs/runner-client.md against the code: the page's tables are those that the client runs by.
 *
 *   test_tables --update PAGE   writes them into the page */
#include "base/cleanup.h"
#include "base/fs.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE_MAX = 1 << 20 };

/* The text between the two marks of a table; NULL: the page has no such marks. */
static const char *find_block(const char *page, const char *name, size_t *ret_len)
{
	char mark[64];
	snprintf(mark, sizeof mark, "<!-- table: %s -->\n", name);
	const char *from = strstr(page, mark);
	if (!from)
		return NULL;
	from += strlen(mark);
	const char *to = strstr(from, "<!-- end -->");
	if (!to)
		return NULL;
	*ret_len = (size_t)(to - from);
	return from;
}

static int update(const char *path)
{
	struct buf auto_buf page;
	buf_init(&page, PAGE_MAX);
	if (fs_read(path, PAGE_MAX, &page, NULL) < 0)
		return 1;
	for (size_t i = 0; i < n_tables; i++) {
		struct buf auto_buf next;
		size_t len;
		const char *block = find_block(page.data, tables[i].name, &len);
		if (!block)
			return 1;
		buf_init(&next, PAGE_MAX);
		buf_add(&next, page.data, (size_t)(block - page.data));
		tables[i].make(&next);
		buf_adds(&next, block + len);
		buf_reset(&page);
		buf_adds(&page, next.data);
	}
	return fs_write(path, page.data, page.len, 0644, NULL) < 0;
}

static void the_page_shows_the_tables_of_the_code(void **state)
{
	const char *data = getenv("DEFT_TEST_DATA");
	char auto_free *path = fs_join(data ? data : ".", "../../docs/runner-client.md");
	struct buf auto_buf page;
	buf_init(&page, PAGE_MAX);
	assert_int_equal(fs_read(path, PAGE_MAX, &page, NULL), 0);
	for (size_t i = 0; i < n_tables; i++) {
		struct buf auto_buf want;
		size_t len;
		const char *block = find_block(page.data, tables[i].name, &len);
		buf_init(&want, PAGE_MAX);
		tables[i].make(&want);
		if (!block || len != want.len || memcmp(block, want.data, len) != 0)
			fail_msg("docs/runner-client.md, table %s, is not the code's:\n%s", tables[i].name,
			         want.data);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--update") == 0)
		return update(argv[2]);
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_page_shows_the_tables_of_the_code) };
	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
