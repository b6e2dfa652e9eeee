/* docs/runner-cases.md: every case of the protocol has a row, and every test it names is there. */
#include "base/cleanup.h"
#include "base/fs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 4 << 20 };

static struct buf page;

static char *source_path(const char *name)
{
	const char *data = getenv("DEFT_TEST_DATA");
	char auto_free *root = fs_join(data ? data : ".", "../..");
	return fs_join(root, name);
}

static int load(void **state)
{
	char auto_free *path = source_path("docs/runner-cases.md");
	buf_init(&page, TEXT_MAX);
	return fs_read(path, TEXT_MAX, &page, NULL) < 0 ? -1 : 0;
}

static int unload(void **state)
{
	buf_done(&page);
	return 0;
}

static void every_case_has_a_row(void **state)
{
	static const struct {
		char kind;
		int from, to;
	} ranges[] = { { 'T', 1, 23 }, { 'J', 1, 20 }, { 'C', 1, 15 }, { 'S', 1, 12 }, { 'S', 20, 48 },
		           { 'P', 1, 34 }, { 'R', 1, 30 }, { 'E', 1, 9 },  { 'L', 1, 21 } };
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		for (int n = ranges[i].from; n <= ranges[i].to; n++) {
			char row[16];
			snprintf(row, sizeof row, "\n| %c%d | ", ranges[i].kind, n);
			if (!strstr(page.data, row))
				fail_msg("case %c%d has no row", ranges[i].kind, n);
		}
	}
}

/* The text between the next two back quotes at or behind *at; NULL: none in this line. */
static char *next_quoted(const char **at)
{
	const char *from = strchr(*at, '`'), *line_end = strchr(*at, '\n');
	const char *to = from ? strchr(from + 1, '`') : NULL;
	if (!to || (line_end && to > line_end))
		return NULL;
	*at = to + 1;
	return strndup(from + 1, (size_t)(to - from - 1));
}

static void check_row(const char *row)
{
	const char *at = row;
	struct buf auto_buf text;
	buf_init(&text, TEXT_MAX);
	if (strstr(row, " | – | ")) /* not tested: the reason stands there */
		return;
	char auto_free *file = next_quoted(&at);
	char auto_free *test = file ? next_quoted(&at) : NULL;
	if (!file)
		fail_msg("neither a file nor a reason: %s", row);
	char auto_free *path = source_path(file);
	if (fs_read(path, TEXT_MAX, &text, NULL) < 0)
		fail_msg("%s can't be read", file);
	if (!test || !strstr(text.data, test))
		fail_msg("%s has no %s", file, test ? test : "test named");
}

static void every_test_named_is_there(void **state)
{
	int rows = 0;
	for (const char *at = page.data; (at = strstr(at, "\n| ")); at += 3) {
		bool is_case = strchr("TJCSPREL", at[3]) && at[4] >= '0' && at[4] <= '9';
		if (!is_case)
			continue;
		const char *end = strchr(at + 1, '\n');
		char auto_free *row = strndup(at + 1, end ? (size_t)(end - at - 1) : strlen(at + 1));
		check_row(row);
		rows++;
	}
	assert_true(rows >= 193);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_has_a_row),
		cmocka_unit_test(every_test_named_is_there),
	};
	return cmocka_run_group_tests_name("cases", tests, load, unload);
}
