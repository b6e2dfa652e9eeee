/* The seal of an exchange: every changed byte of a body is seen, every other request's seal refused. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "wire/seal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BODY "{\"command\":\"tap\",\"x\":1}"
#define REPLY "{\"ok\":true}"

/* Other implementations are written against these. */
static void seals_are_as_documented(void **state)
{
	char request[WIRE_SEAL_REQUEST_SIZE], reply[WIRE_SEAL_REPLY_SIZE];
	wire_seal_request(0x0123456789abcdefu, "", 0, request);
	assert_string_equal(request, "0123456789abcdef-cbf29ce484222325");
	assert_true(wire_seal_reply(request, "a", 1, reply));
	assert_string_equal(reply, "0123456789abcdef-cbf29ce484222325-af63dc4c8601ec8c");
}

static void a_seal_fits_its_own_only(void **state)
{
	char a[WIRE_SEAL_REQUEST_SIZE], b[WIRE_SEAL_REQUEST_SIZE], reply[WIRE_SEAL_REPLY_SIZE];
	wire_seal_request(1, BODY, strlen(BODY), a);
	wire_seal_request(2, BODY, strlen(BODY), b);
	assert_true(wire_seal_fits_request(a, BODY, strlen(BODY)));
	assert_false(wire_seal_fits_request(a, BODY, strlen(BODY) - 1));
	assert_true(wire_seal_reply(a, REPLY, strlen(REPLY), reply));
	assert_true(wire_seal_fits_reply(reply, a, REPLY, strlen(REPLY)));
	assert_false(wire_seal_fits_reply(reply, b, REPLY, strlen(REPLY)));
	assert_false(wire_seal_fits_reply("", a, REPLY, strlen(REPLY)));
	assert_false(wire_seal_fits_reply(a, a, REPLY, strlen(REPLY)));
}

static void every_changed_byte_is_seen(void **state)
{
	char body[] = BODY, seal[WIRE_SEAL_REQUEST_SIZE];
	wire_seal_request(7, BODY, strlen(BODY), seal);
	for (size_t i = 0; i < strlen(BODY); i++) {
		for (int mask = 1; mask < 256; mask++) {
			body[i] = (char)(BODY[i] ^ mask);
			assert_false(wire_seal_fits_request(seal, body, strlen(BODY)));
		}
		body[i] = BODY[i];
	}
	for (size_t i = 0; seal[i]; i++) {
		char kept = seal[i];
		seal[i] = kept == '0' ? '1' : '0';
		assert_int_equal(wire_seal_fits_request(seal, BODY, strlen(BODY)), i < 16);
		seal[i] = kept;
	}
}

static void text_of_another_form_is_no_seal(void **state)
{
	static const char *const texts[] = {
		"",
		"-",
		"0123456789abcdef",
		"0123456789abcdef-",
		"0123456789ABCDEF-cbf29ce484222325",
		"0123456789abcdef-cbf29ce4842223250",
		"0123456789abcdef+cbf29ce484222325",
	};
	char reply[WIRE_SEAL_REPLY_SIZE];
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_false(wire_seal_fits_request(texts[i], "", 0));
		assert_false(wire_seal_reply(texts[i], "", 0, reply));
	}
}

static void large_bodies_are_sealed_by_their_beginning(void **state)
{
	size_t len = LIM_RUNNER_SEALED + 10;
	char auto_free *body = calloc(1, len);
	char seal[WIRE_SEAL_REQUEST_SIZE];
	assert_non_null(body);
	wire_seal_request(1, body, len, seal);
	body[len - 1] = 'x';
	assert_true(wire_seal_fits_request(seal, body, len));
	body[LIM_RUNNER_SEALED - 1] = 'x';
	assert_false(wire_seal_fits_request(seal, body, len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seals_are_as_documented),
		cmocka_unit_test(a_seal_fits_its_own_only),
		cmocka_unit_test(every_changed_byte_is_seen),
		cmocka_unit_test(text_of_another_form_is_no_seal),
		cmocka_unit_test(large_bodies_are_sealed_by_their_beginning),
	};
	return cmocka_run_group_tests_name("seal", tests, NULL, NULL);
}
