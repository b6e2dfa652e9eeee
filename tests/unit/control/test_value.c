/* What holds for everything the value parser accepts; its cases are in tests/data/control/cases.json. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "control/value.h"

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
		cmocka_unit_test(test_random_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
