#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/jx.h"
#include "daemon/redact.h"

#include <string.h>

static void check(const char *in, const char *want)
{
	auto_buf struct buf out;
	buf_init(&out, 4096);
	dm_redact_text(in, &out);
	assert_string_equal(out.data, want);
}

static void credentials_are_masked(void **state)
{
	check("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]");
	check("Authorization: Bearer a.b.c", "Authorization: Bearer [redacted]");
	check("bearer   xyz rest", "bearer   [redacted] rest");
	check("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
	check("(AKIAIOSFODNN7EXAMPLE)", "([redacted])");
	check("https://host/p?token=abc123&page=2", "https://host/p?token=[redacted]&page=2");
	check("https://me:pw@host/path", "https://[redacted]@host/path");
	check("MY_API_KEY=xyz", "MY_API_KEY=[redacted]");
	check("password: hunter2, next", "password: [redacted], next");
	check("access_token='a b c' x", "access_token=[redacted] x");
}

static void typed_text_in_selectors_is_masked(void **state)
{
	check("role=\"text-field\" value=\"hunter2\"", "role=\"text-field\" value=[redacted]");
	check("text=\"with \\\" quote\" || id=ok", "text=[redacted] || id=ok");
}

static void ordinary_text_is_kept(void **state)
{
	static const char *const kept[] = {
		"@e12",
		"id=volume",
		"label=\"Save\"",
		"/home/me/file.png",
		"org.gnome.Calculator",
		"https://host/path?page=2",
		"basic",
		"sk-short",
		"a:b=c",
		"",
		"x://y",
		"Grüße =",
	};
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		check(kept[i], kept[i]);
}

static const struct cmd_param params[] = {
	{ .name = "target", .type = CMD_TARGET }, { .name = "text", .type = CMD_TEXT },
	{ .name = "words", .type = CMD_WORDS },   { .name = "list", .type = CMD_LIST },
	{ .name = "count", .type = CMD_INT },     { .name = "fast", .type = CMD_BOOL },
};
static const struct cmd_spec spec = { .name = "fill",
	                                  .params = params,
	                                  .n_params = ARRAY_SIZE(params) };

static void typed_text_never_shows(void **state)
{
	const char *text =
	    "{\"target\":\"value=\\\"pw1\\\"\",\"text\":\"pässwörd\",\"words\":\"pw2 x\","
	    "\"list\":[\"pw3\",\"pw4\"],\"count\":3,\"fast\":true,\"other\":\"pw5\"}";
	auto_json json_t *args = jx_parse(text, strlen(text), NULL);
	auto_json json_t *out = dm_redact_args(&spec, args);
	assert_string_equal(jx_get_str(out, "text", ""), "<8 characters>");
	assert_string_equal(jx_get_str(out, "words", ""), "<5 characters>");
	assert_string_equal(jx_get_str(out, "list", ""), "<6 characters>");
	assert_string_equal(jx_get_str(out, "target", ""), "value=[redacted]");
	assert_int_equal(jx_get_int(out, "count", 0), 3);
	assert_true(jx_get_bool(out, "fast", false));
	auto_free char *dump = json_dumps(out, 0);
	assert_null(strstr(dump, "pw"));
	assert_null(json_object_get(out, "other"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(credentials_are_masked),
		cmocka_unit_test(typed_text_in_selectors_is_masked),
		cmocka_unit_test(ordinary_text_is_kept),
		cmocka_unit_test(typed_text_never_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
