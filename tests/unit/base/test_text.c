/* utf8.h and number.h */
#include "base/number.h"
#include "base/utf8.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void validity_follows_the_standard(void **state)
{
	static const struct {
		const char *s;
		bool valid;
	} cases[] = {
		{ "", true },
		{ "abc", true },
		{ "\xc3\xa4", true },
		{ "\xf0\x9f\x98\x80", true },
		{ "\xc0\xaf", false },         /* overlong */
		{ "\xe0\x80\xaf", false },     /* overlong */
		{ "\xed\xa0\x80", false },     /* surrogate */
		{ "\xf4\x8f\xbf\xbf", true },  /* U+10FFFF */
		{ "\xf4\x90\x80\x80", false }, /* above */
		{ "\xf5\x80\x80\x80", false },
		{ "\x80", false },
		{ "\xe2\x82", false },
		{ "\xff", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(utf8_valid(cases[i].s, strlen(cases[i].s)), cases[i].valid);
	assert_true(utf8_valid("a\0b", 3));
}

static void assert_repaired(const char *s, size_t len, size_t max, const char *want, bool want_cut)
{
	bool cut = !want_cut;
	char *got = utf8_repair(s, len, max, &cut);
	assert_string_equal(got, want);
	assert_int_equal(cut, want_cut);
	free(got);
}

#define FFFD "\xef\xbf\xbd"

static void repair_replaces_what_is_ill_formed(void **state)
{
	assert_repaired("ok\t\n", 4, 100, "ok\t\n", false);
	assert_repaired("a\0b\x1b", 4, 100, "a" FFFD "b" FFFD, false);
	assert_repaired("\xe2\x82z\xff", 4, 100, FFFD FFFD "z" FFFD, false);
	assert_repaired("\xed\xa0\x80", 3, 100, FFFD FFFD FFFD, false);
}

static void repair_cuts_at_a_character(void **state)
{
	assert_repaired("ab\xc3\xa4", 4, 3, "ab", true);
	assert_repaired("ab\xc3\xa4", 4, 4, "ab\xc3\xa4", false);
	assert_repaired("ab\xff", 3, 4, "ab", true);
	assert_repaired("abc", 3, 0, "", true);
}

static void code_points_count_decode_and_encode(void **state)
{
	const char *s = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
	static const uint32_t want[] = { 'a', 0xe4, 0x20ac, 0x1f600, 0 };
	assert_int_equal(utf8_count(s), 4);
	assert_int_equal(utf8_offset(s, 2), 3);
	assert_int_equal(utf8_offset(s, 99), strlen(s));
	const char *p = s;
	for (size_t i = 0; i < 5; i++) {
		const char *before = p;
		assert_int_equal(utf8_next(&p), want[i]);
		char out[4];
		if (want[i]) {
			assert_int_equal(utf8_put(want[i], out), p - before);
			assert_memory_equal(out, before, (size_t)(p - before));
		}
	}
	char out[4];
	assert_int_equal(utf8_put(0xd800, out), 3);
	assert_memory_equal(out, FFFD, 3);
}

static void every_code_point_goes_round(void **state)
{
	for (uint32_t cp = 1; cp <= 0x10ffff; cp += cp < 0x3000 ? 1 : 97) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		char text[5] = { 0 };
		unsigned n = utf8_put(cp, text);
		const char *p = text;
		assert_true(utf8_valid(text, n));
		assert_int_equal(utf8_next(&p), cp);
	}
}

static void folding_covers_the_named_scripts(void **state)
{
	static const uint32_t pairs[][2] = {
		{ 'A', 'a' },     { 'z', 'z' },       { '[', '[' },     { 0xc4, 0xe4 },   { 0xd7, 0xd7 },
		{ 0x100, 0x101 }, { 0x101, 0x101 },   { 0x139, 0x13a }, { 0x13a, 0x13a }, { 0x178, 0xff },
		{ 0x17d, 0x17e }, { 0x391, 0x3b1 },   { 0x3a3, 0x3c3 }, { 0x3c2, 0x3c3 }, { 0x386, 0x3ac },
		{ 0x410, 0x430 }, { 0x401, 0x451 },   { 0x490, 0x491 }, { 0x130, 0x130 }, { 0x1e9e, 0xdf },
		{ 0x212a, 'k' },  { 0x4e2d, 0x4e2d },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_int_equal(utf8_fold(pairs[i][0]), pairs[i][1]);
	for (uint32_t cp = 0; cp < 0x10000; cp++) /* folding twice changes nothing more */
		assert_int_equal(utf8_fold(utf8_fold(cp)), utf8_fold(cp));
}

static void spaces(void **state)
{
	assert_true(utf8_is_space(' '));
	assert_true(utf8_is_space(0xa0));
	assert_true(utf8_is_space(0x200b));
	assert_false(utf8_is_space('_'));
	assert_false(utf8_is_space(0x200c));
}

static void numbers_parse_whole_decimals_only(void **state)
{
	static const char *const bad[] = { "",   " 1", "1 ",  "inf", "nan", "0x10",  "1.",
		                               ".5", "1e", "1e+", "+",   "1,5", "1e999", "--1" };
	double v = 7;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(number_parse(bad[i], &v));
	assert_true(v == 7);
	assert_true(number_parse("-0.65e1", &v));
	assert_true(v == -6.5);
	assert_true(number_parse("+3", &v));
	assert_true(v == 3);
}

static void integers_parse_within_their_range(void **state)
{
	int64_t n = 7;
	assert_false(number_parse_int("9223372036854775808", &n));
	assert_false(number_parse_int("1.0", &n));
	assert_false(number_parse_int("", &n));
	assert_false(number_parse_int("-", &n));
	assert_int_equal(n, 7);
	assert_true(number_parse_int("-9223372036854775808", &n));
	assert_true(n == INT64_MIN);
	assert_true(number_parse_int("+12", &n));
	assert_int_equal(n, 12);
}

static void rounding_is_half_away_from_zero(void **state)
{
	assert_int_equal(number_round(2.5), 3);
	assert_int_equal(number_round(-2.5), -3);
	assert_int_equal(number_round(0.49), 0);
	assert_true(number_round(1e300) == INT64_MAX);
	assert_true(number_round(-INFINITY) == INT64_MIN);
	assert_int_equal(number_round(NAN), 0);
}

/* Under every locale with a decimal comma that the machine has (none: under the default one). */
static void numbers_know_no_locale(void **state)
{
	static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8" };
	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		if (!setlocale(LC_ALL, locales[i]))
			continue;
		char text[NUMBER_TEXT];
		number_format(0.65, text);
		double v = 0;
		bool ok = number_parse("0.65", &v);
		setlocale(LC_ALL, "C");
		assert_string_equal(text, "0.65");
		assert_true(ok && v == 0.65);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(validity_follows_the_standard),
		cmocka_unit_test(repair_replaces_what_is_ill_formed),
		cmocka_unit_test(repair_cuts_at_a_character),
		cmocka_unit_test(code_points_count_decode_and_encode),
		cmocka_unit_test(every_code_point_goes_round),
		cmocka_unit_test(folding_covers_the_named_scripts),
		cmocka_unit_test(spaces),
		cmocka_unit_test(numbers_parse_whole_decimals_only),
		cmocka_unit_test(integers_parse_within_their_range),
		cmocka_unit_test(rounding_is_half_away_from_zero),
		cmocka_unit_test(numbers_know_no_locale),
	};
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
