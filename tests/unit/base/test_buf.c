#include "base/buf.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_invariants(const struct buf *b)
{
	assert_non_null(b->data);
	assert_true(b->len <= b->max);
	assert_int_equal(b->data[b->len], '\0');
}

static void an_empty_buffer_is_an_empty_string(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 10);
	assert_string_equal(b.data, "");
	buf_reset(&b);
	buf_drop_front(&b, 3);
	assert_invariants(&b);
	buf_done(&b);
	buf_done(&b);
	assert_string_equal(b.data, "");
}

static void appending_grows_up_to_the_ceiling_inclusive(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 6);
	assert_true(buf_adds(&b, "abc"));
	assert_true(buf_addf(&b, "%d", 123));
	assert_string_equal(b.data, "abc123");
	assert_false(buf_addc(&b, 'x'));
	assert_true(b.over);
	assert_string_equal(b.data, "abc123");
	assert_false(buf_adds(&b, ""));
	assert_invariants(&b);
	buf_reset(&b);
	assert_false(b.over);
	assert_true(buf_fill(&b, '-', 6));
	assert_string_equal(b.data, "------");
}

static void a_formatted_text_that_does_not_fit_changes_nothing(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 5);
	buf_adds(&b, "ab");
	assert_false(buf_addf(&b, "%s", "cdef"));
	assert_string_equal(b.data, "ab");
	assert_int_equal(b.len, 2);
}

static void dropping_the_front_keeps_the_rest(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 100);
	buf_adds(&b, "hello world");
	buf_drop_front(&b, 6);
	assert_string_equal(b.data, "world");
	buf_drop_front(&b, 5);
	assert_string_equal(b.data, "");
	assert_invariants(&b);
}

static void detach_gives_the_string_away(void **state)
{
	struct buf b;
	buf_init(&b, 100);
	char *none = buf_detach(&b);
	assert_string_equal(none, "");
	free(none);
	buf_adds(&b, "mine");
	char *s = buf_detach(&b);
	assert_string_equal(s, "mine");
	assert_int_equal(b.len, 0);
	free(s);
	buf_adds(&b, "next");
	assert_string_equal(b.data, "next");
	buf_done(&b);
}

static void reserve_and_commit_write_in_place(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 8);
	char *room = buf_reserve(&b, 8);
	assert_non_null(room);
	memcpy(room, "12345678", 8);
	buf_commit(&b, 5);
	assert_string_equal(b.data, "12345");
	assert_null(buf_reserve(&b, 4));
}

static void numbers_are_the_shortest_that_read_back(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0.65, "0.65" },
		{ 0.1, "0.1" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 3, "3" },
		{ -0.0, "0" },
		{ -2.5, "-2.5" },
		{ 1e21, "1e+21" },
		{ 5e-324, "5e-324" },
		{ 123456789012345678.0, "1.2345678901234568e+17" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ NAN, "null" },
		{ INFINITY, "null" },
		{ DBL_MAX, "1.7976931348623157e+308" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf auto_buf b;
		buf_init(&b, 40);
		assert_true(buf_add_number(&b, cases[i].v));
		assert_string_equal(b.data, cases[i].text);
	}
}

static void quoted_text_is_escaped_and_always_valid(void **state)
{
	struct buf auto_buf b;
	buf_init(&b, 200);
	buf_add_quoted(&b, "a\"b\\c\n\t\x01\x7f\xc3\xa4\xff\xe2\x82");
	assert_string_equal(
	    b.data, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_is_an_empty_string),
		cmocka_unit_test(appending_grows_up_to_the_ceiling_inclusive),
		cmocka_unit_test(a_formatted_text_that_does_not_fit_changes_nothing),
		cmocka_unit_test(dropping_the_front_keeps_the_rest),
		cmocka_unit_test(detach_gives_the_string_away),
		cmocka_unit_test(reserve_and_commit_write_in_place),
		cmocka_unit_test(numbers_are_the_shortest_that_read_back),
		cmocka_unit_test(quoted_text_is_escaped_and_always_valid),
	};
	return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
