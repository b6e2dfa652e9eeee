/* The pure parts of the MCP server: versions, messages, lines, text, pictures. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/image.h"
#include "mcp/input.h"
#include "mcp/mcp.h"
#include "mcp/result.h"
#include "mcp/rpc.h"
#include "mcp/text.h"
#include "mcp/tools.h"
#include "mcp/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static json_t *parse(const char *text)
{
	json_t *j = jx_parse(text, strlen(text), NULL);
	assert_non_null(j);
	return j;
}

/* G02, G03 */
static void a_version_is_echoed_or_the_newest(void **state)
{
	static const char *const known[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25" };
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		assert_string_equal(mcp_version_name(mcp_version_negotiate(known[i])), known[i]);
	assert_string_equal(mcp_version_name(mcp_version_negotiate("2099-01-01")), "2025-11-25");
	assert_string_equal(mcp_version_name(mcp_version_negotiate(NULL)), "2025-11-25");
}

static void check_kind(const char *text, enum mcp_kind kind, bool has_id)
{
	auto_json json_t *j = parse(text);
	struct mcp_message m = mcp_message_read(j);
	assert_int_equal(m.kind, kind);
	assert_int_equal(m.id != NULL, has_id);
}

static void messages_are_told_apart(void **state)
{
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", MCP_REQUEST, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":null}",
	           MCP_REQUEST, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}", MCP_NOTIFICATION, false);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", MCP_RESPONSE, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", MCP_INVALID, false);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", MCP_INVALID, false);
	check_kind("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", MCP_INVALID, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":1}", MCP_INVALID, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", MCP_INVALID, true);
	check_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[1]}", MCP_INVALID, true);
	check_kind("7", MCP_INVALID, false);
}

static void check_line(struct mcp_input *in, bool at_end, enum mcp_line want, const char *text)
{
	char *line;
	size_t len;
	assert_int_equal(mcp_input_next(in, at_end, &line, &len), want);
	if (text)
		assert_string_equal(line, text);
}

static void lines_come_out_of_pieces(void **state)
{
	struct mcp_input in;
	mcp_input_init(&in, 10);
	mcp_input_feed(&in, "ab", 2);
	check_line(&in, false, MCP_LINE_NONE, NULL);
	mcp_input_feed(&in, "c\r\n\nde", 6);
	check_line(&in, false, MCP_LINE, "abc");
	check_line(&in, false, MCP_LINE, "");
	check_line(&in, false, MCP_LINE_NONE, NULL);
	check_line(&in, true, MCP_LINE, "de");
	check_line(&in, true, MCP_LINE_NONE, NULL);
	mcp_input_done(&in);
}

static void a_line_too_long_is_dropped_alone(void **state)
{
	struct mcp_input in;
	mcp_input_init(&in, 10);
	mcp_input_feed(&in, "0123456789\n", 11);
	check_line(&in, false, MCP_LINE, "0123456789");
	mcp_input_feed(&in, "0123456789x\nnext\n", 17);
	check_line(&in, false, MCP_LINE_TOO_LONG, NULL);
	check_line(&in, false, MCP_LINE, "next");
	mcp_input_feed(&in, "0123456789xyz", 13);
	check_line(&in, false, MCP_LINE_TOO_LONG, NULL);
	mcp_input_feed(&in, "more and more", 13);
	check_line(&in, false, MCP_LINE_NONE, NULL);
	mcp_input_feed(&in, "end\nlast\n", 9);
	check_line(&in, false, MCP_LINE, "last");
	check_line(&in, false, MCP_LINE_NONE, NULL);
	mcp_input_done(&in);
}

/* G16 */
static void text_is_cut_at_a_line_and_counted(void **state)
{
	auto_buf struct buf b;
	buf_init(&b, 1000);
	mcp_add_cut_text(&b, "one\ntwo\nthree\n", 9, mcp_tool_find("snapshot"));
	assert_string_equal(b.data,
	                    "one\ntwo\n[cut here: 1 of 3 lines, 6 of 14 bytes not shown; ask for "
	                    "less with interactive, depth]\n");
	buf_reset(&b);
	mcp_add_cut_text(&b, "one\ntwo\n", 8, mcp_tool_find("snapshot"));
	assert_string_equal(b.data, "one\ntwo\n");
}

static void a_character_is_never_cut(void **state)
{
	static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
	for (size_t max = 0; max < sizeof(text) - 1; max++) {
		auto_buf struct buf b;
		buf_init(&b, 1000);
		mcp_add_cut_text(&b, text, max, mcp_tool_find("press"));
		assert_true(utf8_valid(b.data, b.len));
		assert_non_null(strstr(b.data, "[cut here: 1 of 1 lines, "));
	}
}

/* G14 */
static void a_picture_is_known_by_its_bytes(void **state)
{
	assert_string_equal(mcp_image_type("\x89PNG\r\n\x1a\n....", 12), "image/png");
	assert_string_equal(mcp_image_type("\xff\xd8\xff\xe0", 4), "image/jpeg");
	assert_string_equal(mcp_image_type("GIF89a", 6), "image/gif");
	assert_string_equal(mcp_image_type("RIFF....WEBP", 12), "image/webp");
	assert_null(mcp_image_type("\x89PNG", 4));
	assert_null(mcp_image_type("hello", 5));
	assert_null(mcp_image_type("", 0));
}

static void base64_has_its_padding(void **state)
{
	static const char *const pairs[][2] = {
		{ "", "" },        { "f", "Zg==" },        { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "\xff\xfe\xfd", "//79" }
	};
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		auto_buf struct buf b;
		buf_init(&b, 100);
		mcp_add_base64(&b, pairs[i][0], strlen(pairs[i][0]));
		assert_string_equal(b.data, pairs[i][1]);
	}
}

static json_t *tool_list(enum mcp_version v)
{
	auto_buf struct buf b;
	buf_init(&b, 1000000);
	mcp_add_tool_list(&b, v);
	return parse(b.data);
}

static void the_tools_are_those_of_the_table(void **state)
{
	auto_json json_t *list = tool_list(MCP_NEWEST);
	json_t *tools = json_object_get(list, "tools");
	assert_int_equal(json_array_size(tools), 4); /* not mcp itself */
	json_t *press = json_array_get(tools, 0), *snapshot = json_array_get(tools, 1);
	assert_string_equal(jx_get_str(press, "name", ""), "press");
	assert_string_equal(jx_get_str(press, "title", ""), "Press");
	assert_false(jx_get_bool(json_object_get(press, "annotations"), "readOnlyHint", true));
	assert_true(jx_get_bool(json_object_get(snapshot, "annotations"), "readOnlyHint", false));
	assert_string_equal(mcp_tool_nearest("click"), "press");
	assert_string_equal(mcp_tool_nearest("snapshots"), "snapshot");
	assert_null(mcp_tool_find("click"));
	assert_null(mcp_tool_find("mcp"));
}

static void old_versions_get_what_they_know(void **state)
{
	auto_json json_t *oldest = tool_list(MCP_2024_11_05), *old = tool_list(MCP_2025_03_26);
	json_t *a = json_array_get(json_object_get(oldest, "tools"), 0);
	json_t *b = json_array_get(json_object_get(old, "tools"), 0);
	assert_null(json_object_get(a, "annotations"));
	assert_null(json_object_get(a, "title"));
	assert_non_null(json_object_get(b, "annotations"));
	assert_null(json_object_get(b, "title"));
	auto_json json_t *response = parse("{\"data\":{\"a\":1},\"text\":\"x\"}");
	for (int v = 0; v < MCP_VERSIONS; v++) {
		auto_json json_t *result =
		    mcp_result_ok(mcp_tool_find("press"), response, (enum mcp_version)v);
		assert_int_equal(json_object_get(result, "structuredContent") != NULL, v >= MCP_2025_06_18);
	}
}

static const char *text_of(const json_t *result)
{
	return jx_get_str(json_array_get(json_object_get(result, "content"), 0), "text", NULL);
}

static void an_error_carries_code_message_and_hint(void **state)
{
	auto_error struct error e = ERROR_INIT;
	error_set(&e, ERR_AMBIGUOUS_MATCH, "two elements match");
	error_detail(&e, "candidates", json_pack("[s,s]", "@e1 [button] \"A\"", "@e2 [button] \"A\""));
	error_detail_int(&e, "matches", 3);
	error_hint(&e, "use @e1 or @e2");
	auto_json json_t *r = mcp_result_error(&e, MCP_NEWEST);
	assert_true(jx_get_bool(r, "isError", false));
	assert_string_equal(text_of(r),
	                    "Error (AMBIGUOUS_MATCH): two elements match\nCandidates:\n"
	                    "  @e1 [button] \"A\"\n  @e2 [button] \"A\"\n  +1 more\nHint: use @e1 or @e2\n");
	json_t *s = json_object_get(r, "structuredContent");
	assert_string_equal(jx_get_str(s, "code", ""), "AMBIGUOUS_MATCH");
	assert_string_equal(jx_get_str(s, "hint", ""), "use @e1 or @e2");
}

/* A response whose text and data hold n bytes each. */
static json_t *large_result(size_t n)
{
	auto_free char *text = malloc(n + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = i % 50 == 49 ? '\n' : 'x';
	text[n] = '\0';
	auto_json json_t *response = json_object();
	jx_set(response, "data", json_pack("{s:s}", "big", text));
	jx_set_str(response, "text", text);
	return mcp_result_ok(mcp_tool_find("snapshot"), response, MCP_NEWEST);
}

static void a_large_result_stays_within_the_limit(void **state)
{
	auto_json json_t *fits = large_result(LIM_MCP_TEXT / 3);
	assert_null(strstr(text_of(fits), "[cut here: "));
	assert_non_null(json_object_get(fits, "structuredContent"));
	auto_json json_t *one_fits = large_result(LIM_MCP_TEXT / 3 * 2);
	assert_null(strstr(text_of(one_fits), "[cut here: "));
	assert_non_null(strstr(text_of(one_fits), "[structured data left out"));
	assert_null(json_object_get(one_fits, "structuredContent"));
	auto_json json_t *over = large_result(LIM_MCP_TEXT * 4);
	assert_in_range(strlen(text_of(over)), LIM_MCP_TEXT / 2, LIM_MCP_TEXT);
	assert_non_null(strstr(text_of(over), "[cut here: "));
	assert_non_null(strstr(text_of(over), "[structured data left out"));
	assert_null(json_object_get(over, "structuredContent"));
}

static void notices_follow_the_text(void **state)
{
	auto_json json_t *response =
	    parse("{\"data\":{},\"text\":\"ok\\n\",\"notices\":[\"mind the gap\"]}");
	auto_json json_t *r = mcp_result_ok(mcp_tool_find("press"), response, MCP_2024_11_05);
	assert_string_equal(text_of(r), "ok\nNote: mind the gap\n");
}

/* G01: what a library prints by accident must not get among the messages. */
static void stray_prints_miss_the_protocol(void **state)
{
	int out[2], err[2];
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(err), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		int fd = mcp_claim_stdout();
		bool ok = write(STDOUT_FILENO, "stray", 5) == 5 && write(fd, "message", 7) == 7;
		_exit(ok ? 0 : 1);
	}
	char text[20] = "", stray[20] = "";
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(read(out[0], text, sizeof(text) - 1), 7);
	assert_int_equal(read(err[0], stray, sizeof(stray) - 1), 5);
	assert_string_equal(text, "message");
	assert_string_equal(stray, "stray");
	for (int i = 0; i < 2; i++) {
		close(out[i]);
		close(err[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_version_is_echoed_or_the_newest),
		cmocka_unit_test(messages_are_told_apart),
		cmocka_unit_test(lines_come_out_of_pieces),
		cmocka_unit_test(a_line_too_long_is_dropped_alone),
		cmocka_unit_test(text_is_cut_at_a_line_and_counted),
		cmocka_unit_test(a_character_is_never_cut),
		cmocka_unit_test(a_picture_is_known_by_its_bytes),
		cmocka_unit_test(base64_has_its_padding),
		cmocka_unit_test(the_tools_are_those_of_the_table),
		cmocka_unit_test(old_versions_get_what_they_know),
		cmocka_unit_test(an_error_carries_code_message_and_hint),
		cmocka_unit_test(a_large_result_stays_within_the_limit),
		cmocka_unit_test(notices_follow_the_text),
		cmocka_unit_test(stray_prints_miss_the_protocol),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
