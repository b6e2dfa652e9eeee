/* Cases P01–P50 of the value parser, and the invariants of what it accepts. */
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

struct parse_case {
	const char *id, *text;
	bool good;
	double value;
	const char *unit;
	bool percent;
	double max; /* 0: none */
};

#define OK(id, text, value) { id, text, true, value, NULL, false, 0 }
#define PERCENT(id, text, value) { id, text, true, value, NULL, true, 0 }
#define OF(id, text, value, max) { id, text, true, value, NULL, false, max }
#define UNIT(id, text, value, unit) { id, text, true, value, unit, false, 0 }
#define NO(id, text) { id, text, false, 0, NULL, false, 0 }

static const struct parse_case cases[] = {
	PERCENT("P01", "50%", 50),
	PERCENT("P02", "50 %", 50),
	PERCENT("P03", "50\xC2\xA0%", 50),
	PERCENT("P04", "\xE2\x80\x8F"
	               "50%",
	        50),
	NO("P05", "50\xEF\xBC\x85"),
	NO("P06", "50%%"),
	{ "P07", "65 percent", true, 65, "percent", true, 0 },
	OF("P08", "3 of 5", 3, 5),
	OF("P09", "3 OF 5", 3, 5),
	OF("P10", "3  of  5", 3, 5),
	OF("P11", "3.5 of 5", 3.5, 5),
	NO("P12", "3of5"),
	NO("P13", "6 of 5"),
	NO("P14", "-3 of 5"),
	NO("P15", "3 of 0"),
	NO("P16", "3 von 5"),
	NO("P17", "3/5"),
	{ "P18", "3 of 5 stars", true, 3, "stars", false, 5 },
	NO("P20", "Volume, 7"),
	NO("P22", "Step 2, 7"),
	NO("P23", "0,65"),
	NO("P24", "1,234"),
	NO("P25", "1.234,5"),
	NO("P26", "1 234"),
	NO("P27", "\xD9\xA5\xD9\xA0\xD9\xAA"),
	NO("P28", "\xD9\xA7"),
	NO("P29", "\xD9\xA3 of 5"),
	OK("P30", "7", 7),
	OK("P31", "  42  ", 42),
	OK("P32", "+7", 7),
	OK("P33", "-7", -7),
	OK("P34", "\xE2\x88\x92"
	          "5",
	   -5),
	NO("P35", "- 7"),
	NO("P36", ".5"),
	NO("P37", "5."),
	NO("P38", "0x10"),
	NO("P39", "1e3"),
	NO("P40", "Infinity"),
	NO("P40", "NaN"),
	NO("P40", "1e999"),
	NO("P41", ""),
	NO("P41", "   "),
	UNIT("P42", "-12 dB", -12, "dB"),
	UNIT("P43", "7dB", 7, "dB"),
	NO("P44", "5k"),
	NO("P44", "2nd"),
	NO("P44", "4K"),
	NO("P45", "12:30"),
	NO("P46", "\xC2\xBD"),
	NO("P47", "loud"),
	NO("P47", "sehr laut"),
	NO("P48", "1234567890123456"),
	NO("P49", "1                                                                2"),
	NO("P50", "5\xFF"),
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct parse_case *c = &cases[i];
		struct ct_parsed p = { 0 };
		bool good = ct_value_parse(c->text, strlen(c->text), &p);
		if (good != c->good)
			fail_msg("%s \"%s\": accepted %d, expected %d", c->id, c->text, good, c->good);
		if (!good)
			continue;
		bool same_unit = (!p.unit && !c->unit) || (p.unit && c->unit && !strcmp(p.unit, c->unit));
		if (p.value != c->value || p.percent != c->percent || !same_unit ||
		    p.has_max != (c->max > 0) || p.max != c->max)
			fail_msg("%s \"%s\": value %g percent %d unit %s max %g", c->id, c->text, p.value,
			         p.percent, p.unit ? p.unit : "-", p.max);
	}
}

static void test_label_confirmed_by_number(void **state)
{
	(void)state;
	assert_true(ct_value_confirms("Volume, 7", 9, 7));   /* P19 */
	assert_false(ct_value_confirms("Volume, 7", 9, 8));  /* P21 */
	assert_false(ct_value_confirms("Volume 7", 8, 7));
	assert_false(ct_value_confirms(", 7", 3, 7));
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
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_label_confirmed_by_number),
		cmocka_unit_test(test_random_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
