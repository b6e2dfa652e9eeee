#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text)
{
	struct error auto_error e = ERROR_INIT;
	json_t *j = jx_parse(text, strlen(text), &e);
	if (!j)
		fail_msg("%s", e.message);
	return j;
}

static void assert_dump(const json_t *j, bool pretty, const char *want)
{
	struct buf auto_buf out;
	buf_init(&out, 10000);
	assert_true(jx_dump(j, pretty, &out));
	assert_string_equal(out.data, want);
}

static void dumping_keeps_order_and_short_numbers(void **state)
{
	json_t auto_json *j =
	    parse("{\"b\": 0.65, \"a\": [1, 1.0, 2.50, true, false, null, \"x\\n\\u00e4\"], \"c\": "
	          "{}, \"d\": []}");
	assert_dump(j, false,
	            "{\"b\":0.65,\"a\":[1,1,2.5,true,false,null,\"x\\n\xc3\xa4\"],\"c\":{},\"d\":[]}");
}

static void pretty_is_indented_by_two(void **state)
{
	json_t auto_json *j = parse("{\"a\":[1,{\"b\":[]}],\"c\":{}}");
	assert_dump(j, true,
	            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
}

static void dumping_into_a_full_buffer_says_so(void **state)
{
	json_t auto_json *j = parse("[1,2,3]");
	struct buf auto_buf out;
	buf_init(&out, 4);
	assert_false(jx_dump(j, false, &out));
	assert_true(out.over);
}

static void parsing_takes_exactly_one_value(void **state)
{
	static const char *const bad[] = { "",           "{",        "{\"a\":1,\"a\":2}", "1 2",
		                               "{\"a\":01}", "\"\xff\"", "\"\\u0000\"",       "1e999",
		                               "nan" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct error auto_error e = ERROR_INIT;
		assert_null(jx_parse(bad[i], strlen(bad[i]), &e));
		assert_int_equal(e.code, ERR_INVALID_ARGS);
		assert_non_null(strstr(e.message, "line 1"));
	}
	json_t auto_json *j = parse(" \"x\" ");
	assert_string_equal(json_string_value(j), "x");
}

static void nesting_is_limited_in_and_out(void **state)
{
	enum { DEEP = LIM_JSON_DEPTH + 10 };
	char text[2 * DEEP];
	memset(text, '[', DEEP);
	memset(text + DEEP, ']', DEEP);
	struct error auto_error e = ERROR_INIT;
	assert_null(jx_parse(text, sizeof text, &e));
	json_t auto_json *j = json_array();
	for (int i = 0; i < DEEP; i++) {
		json_t *outer = json_array();
		json_array_append_new(outer, j);
		j = outer;
	}
	struct buf auto_buf out;
	buf_init(&out, 100000);
	assert_false(jx_dump(j, false, &out));
}

static void typed_readers_tell_absent_from_wrong(void **state)
{
	json_t auto_json *o = parse(
	    "{\"s\":\"x\",\"n\":1.5,\"i\":3.0,\"b\":true,\"o\":{},\"a\":[],\"z\":null,\"big\":1e300}");
	struct error auto_error e = ERROR_INIT;
	const char *s = "old";
	double n = 7;
	int64_t i = 7;
	bool b = false;
	json_t *v = NULL;
	assert_int_equal(jx_str(o, "none", &s, &e), 0);
	assert_int_equal(jx_str(o, "z", &s, &e), 0);
	assert_string_equal(s, "old");
	assert_int_equal(jx_str(o, "s", &s, &e), 1);
	assert_string_equal(s, "x");
	assert_int_equal(jx_num(o, "n", &n, &e), 1);
	assert_true(n == 1.5);
	assert_int_equal(jx_int(o, "i", &i, &e), 1);
	assert_int_equal(i, 3);
	assert_int_equal(jx_int(o, "n", &i, &e), -ERR_INVALID_ARGS);
	assert_int_equal(jx_int(o, "big", &i, &e), -ERR_INVALID_ARGS);
	assert_int_equal(i, 3);
	assert_int_equal(jx_bool(o, "b", &b, &e), 1);
	assert_true(b);
	assert_int_equal(jx_obj(o, "o", &v, &e), 1);
	assert_int_equal(jx_arr(o, "a", &v, &e), 1);
	assert_int_equal(jx_arr(o, "s", &v, &e), -ERR_INVALID_ARGS);
	assert_string_equal(e.message, "s must be an array, not a string");
	assert_string_equal(jx_get_str(e.details, "key", ""), "s");
	assert_int_equal(jx_bool(o, "n", &b, NULL), -ERR_INVALID_ARGS);
	assert_int_equal(jx_str(NULL, "s", &s, NULL), 0);
}

static void lenient_readers_fall_back(void **state)
{
	json_t auto_json *o = parse("{\"s\":1,\"n\":\"x\",\"i\":2.5}");
	assert_string_equal(jx_get_str(o, "s", "d"), "d");
	assert_true(jx_get_num(o, "n", 4) == 4);
	assert_int_equal(jx_get_int(o, "i", 9), 9);
	assert_true(jx_get_bool(o, "s", true));
	assert_int_equal(jx_get_int(NULL, "i", 9), 9);
}

static void setters_keep_objects_clean(void **state)
{
	json_t auto_json *o = json_object();
	jx_set_num(o, "inf", INFINITY);
	jx_set_num(o, "nan", NAN);
	jx_set_num(o, "one", 1.0);
	jx_set_num(o, "half", 0.5);
	jx_set_str(o, "null", NULL);
	jx_set_str(o, "bad", "a\xff");
	jx_set_bool(o, "t", true);
	jx_set(o, "x", NULL);
	assert_dump(o, false, "{\"one\":1,\"half\":0.5,\"bad\":\"a\xef\xbf\xbd\",\"t\":true}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dumping_keeps_order_and_short_numbers),
		cmocka_unit_test(pretty_is_indented_by_two),
		cmocka_unit_test(dumping_into_a_full_buffer_says_so),
		cmocka_unit_test(parsing_takes_exactly_one_value),
		cmocka_unit_test(nesting_is_limited_in_and_out),
		cmocka_unit_test(typed_readers_tell_absent_from_wrong),
		cmocka_unit_test(lenient_readers_fall_back),
		cmocka_unit_test(setters_keep_objects_clean),
	};
	return cmocka_run_group_tests_name("jx", tests, NULL, NULL);
}
