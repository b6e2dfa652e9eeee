/* What holds for everything the value parser accepts; its cases are in tests/data/control/cases.json. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "control/value.h"

struct text {
	const char *text;
	double value; /* NAN: refused */
};

/* The edges of the grammar: lengths, signs, both ends of every set of characters. */
static const struct text edges[] = {
	{ "0", 0 },
	{ "9", 9 },
	{ "90.09", 90.09 },
	{ "-1", -1 },
	{ "-0", 0 },
	{ "0.5", 0.5 },
	{ "123456789012345", 123456789012345 },
	{ "1.123456789012345", 1.123456789012345 },
	{ "1.1234567890123456", NAN },
	{ "-+7", NAN },
	{ "+-7", NAN },
	{ "5.x", NAN },
	{ "5. 5", NAN },
	{ ":", NAN },
	{ "/", NAN },
	{ "0 of 5", 0 },
	{ "5 of 5", 5 },
	{ "0.5 of 1", 0.5 },
	{ "0.2 of 0.5", 0.2 },
	{ "0 of 0", NAN },
	{ "3 Of 5", 3 },
	{ "3 oF 5", 3 },
	{ "3 og 5", NAN },
	{ "3 pf 5", NAN },
	{ "3 o", NAN },
	{ "3 of", NAN },
	{ "3 of ", NAN },
	{ "3 of5", NAN },
	{ "3of 5", NAN },
	{ "3 of 5 %", NAN },
	{ "3 of 5stars", 3 },
	{ "7\t%", 7 },
	{ "7\u202F%", 7 },
	{ "7\u2007%", 7 },
	{ "7\u2008%", NAN },
	{ "\u200E7", 7 },
	{ "\u200D7", NAN },
	{ "\u061C7", 7 },
	{ "\u202A7", 7 },
	{ "7\u202E", 7 },
	{ "7\u2029", NAN },
	{ "\u20667", 7 },
	{ "7\u2069", 7 },
	{ "7\u206A", NAN },
	{ "7\u2065", NAN },
	{ "\uFEFF7", 7 },
};

static void test_edges(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(edges); i++) {
		struct ct_parsed p = { .value = 4711 };
		bool good = ct_value_parse(edges[i].text, strlen(edges[i].text), &p);
		if (good == isnan(edges[i].value))
			fail_msg("\"%s\" is %s", edges[i].text, good ? "accepted" : "refused");
		/* to the bit: -0 is no value */
		if (good && (p.value != edges[i].value || signbit(p.value) != signbit(edges[i].value)))
			fail_msg("\"%s\" is %.17g", edges[i].text, p.value);
		if (!good)
			assert_true(p.value == 4711); /* untouched */
	}
}

static void test_lengths(void **state)
{
	(void)state;
	char text[80];
	struct ct_parsed p;
	memset(text, ' ', sizeof(text));
	text[0] = '7';
	assert_true(ct_value_parse(text, 64, &p));
	assert_false(ct_value_parse(text, 65, &p));
	assert_false(ct_value_parse("7\0", 2, &p));
	assert_false(ct_value_parse("7\0 8", 4, &p));
	assert_true(ct_value_parse("78", 1, &p));
	assert_true(p.value == 7);
	assert_true(ct_value_parse("3 of 57", 6, &p));
	assert_true(p.max == 5);
}

/* Whatever is accepted is finite, short, and stays the same under a printed round trip. */
static void test_random_texts(void **state)
{
	(void)state;
	static const char alphabet[] = "0123456789.,-+% ofOFdBstar\xC2\xA0\xE2\x88\x92";
	uint64_t s = 42;
	for (int i = 0; i < 200000; i++) {
		char text[16];
		size_t len = 0;
		do {
			s = s * 6364136223846793005u + 1442695040888963407u;
			text[len++] = alphabet[(s >> 33) % (sizeof(alphabet) - 1)];
		} while (len < sizeof(text) && (s >> 60) != 0);
		struct ct_parsed p = { 0 };
		if (!ct_value_parse(text, len, &p))
			continue;
		assert_true(isfinite(p.value) && fabs(p.value) < 1e16);
		assert_false(memchr(text, ',', len) != NULL);
		assert_true(!p.has_max || (p.value >= 0 && p.value <= p.max));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_random_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
