/* The MCP server over pipes, with a fake daemon behind it. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/sock.h"
#include "mcp/mcp.h"
#include "support/fake_daemon.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT ((struct call){ deadline_in(20000), NULL })

static const char png[] = "\x89PNG\r\n\x1a\nnot really";

struct rig {
	char dir[64];
	struct fake_daemon *daemon;
	struct mcp_opts opts;
	json_t *defaults;
	int to, from; /* the test's ends */
	struct line_reader lines;
	pthread_t server;
	int status;
	bool joined;
};

/* --- the daemon's side -------------------------------------------------------------------------- */

static json_t *picture(const json_t *args)
{
	const char *path = jx_get_str(args, "path", "");
	size_t size = strstr(path, "big") ? LIM_MCP_IMAGE_BYTES + 1 : sizeof(png) - 1;
	auto_free char *bytes = calloc(1, size);
	memcpy(bytes, strstr(path, "text") ? "hello, I am a text" : png, 18);
	assert_int_equal(fs_write(path, bytes, size, 0600, NULL), 0);
	return json_pack("{s:s,s:s}", "path", path, "mime", "image/png");
}

static void progress(int fd, const json_t *request, int done, int total)
{
	char line[200];
	snprintf(line, sizeof(line),
	         "{\"type\":\"progress\",\"id\":\"%s\",\"message\":\"step\",\"done\":%d,\"total\":%d}",
	         jx_get_str(request, "id", ""), done, total);
	fake_send(fd, line);
}

/* press answers with the whole request as data; its target may ask for more. wait never answers,
 * unless it is canceled: then it tells so in the next press. */
static bool handle(struct fake_daemon *d, int fd, const json_t *line)
{
	static char last_canceled[64];
	const char *command = jx_get_str(line, "command", "");
	json_t *args = json_object_get(line, "args");
	const char *target = jx_get_str(args, "target", "");
	if (strcmp(jx_get_str(line, "type", ""), "cancel") == 0) {
		snprintf(last_canceled, sizeof(last_canceled), "%s", jx_get_str(line, "id", ""));
		return true;
	}
	if (strcmp(command, "wait") == 0) {
		progress(fd, line, 1, 3);
		progress(fd, line, 1, 3);
		return true;
	}
	if (strcmp(target, "notice") == 0) {
		json_t *response =
		    json_pack("{s:s,s:s,s:b,s:{},s:s,s:[s]}", "type", "response", "id",
		              jx_get_str(line, "id", ""), "ok", 1, "data", "text", "Tapped\n", "notices",
		              "mind the gap");
		auto_free char *text = json_dumps(response, JSON_COMPACT);
		json_decref(response);
		fake_send(fd, text);
		return true;
	}
	if (strcmp(target, "die") == 0)
		return false;
	if (strcmp(target, "half") == 0) {
		static const char broken[] = "{\"type\":\"resp";
		sock_write(fd, broken, sizeof(broken) - 1, CALL_FOREVER, NULL);
		return false;
	}
	if (strcmp(command, "screenshot") == 0) {
		fake_answer(fd, line, picture(args), "saved\n");
		return true;
	}
	if (strcmp(target, "fail") == 0) {
		char error[300];
		snprintf(error, sizeof(error),
		         "{\"type\":\"response\",\"id\":\"%s\",\"ok\":false,\"error\":{\"code\":"
		         "\"ELEMENT_STALE\",\"message\":\"gone\",\"hint\":\"look again\"}}",
		         jx_get_str(line, "id", ""));
		fake_send(fd, error);
		return true;
	}
	json_t *data = json_deep_copy(line);
	jx_set_str(data, "lastCanceled", last_canceled);
	fake_answer(fd, line, data, "Tapped\n");
	return true;
}

/* --- the client's side -------------------------------------------------------------------------- */

static void *serve(void *arg)
{
	struct rig *r = arg;
	r->status = mcp_serve(&r->opts);
	return NULL;
}

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	int in[2], out[2];
	snprintf(r->dir, sizeof(r->dir), "/tmp/deft-test-mcp-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	r->daemon = fake_daemon_start(r->dir, NULL, handle);
	r->defaults = json_pack("{s:s,s:s}", "session", "s1", "platform", "virtual");
	r->opts = (struct mcp_opts){
		.in = in[0], .out = out[1], .state_dir = r->dir, .defaults = r->defaults
	};
	r->to = in[1];
	r->from = out[0];
	line_reader_init(&r->lines, r->from, LIM_MCP_QUEUE);
	assert_int_equal(pthread_create(&r->server, NULL, serve, r), 0);
	*state = r;
	return 0;
}

static void close_input(struct rig *r)
{
	if (r->to >= 0)
		close(r->to);
	r->to = -1;
}

static void join(struct rig *r)
{
	if (!r->joined)
		pthread_join(r->server, NULL);
	r->joined = true;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

static int tear_down(void **state)
{
	struct rig *r = *state;
	close_input(r);
	join(r);
	fake_daemon_stop(r->daemon);
	line_reader_done(&r->lines);
	close(r->opts.in);
	if (r->opts.out >= 0)
		close(r->opts.out);
	if (r->from >= 0)
		close(r->from);
	json_decref(r->defaults);
	nftw(r->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(r);
	return 0;
}

static void put(struct rig *r, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(r->to, data, len);
		assert_true(n > 0);
		data += n;
		len -= (size_t)n;
	}
}

static void say(struct rig *r, const char *line)
{
	put(r, line, strlen(line));
	put(r, "\n", 1);
}

/* The next line as JSON; every line the server writes must be a message. */
static json_t *hear(struct rig *r)
{
	char *line;
	size_t len;
	assert_int_equal(line_reader_next(&r->lines, WAIT, &line, &len, NULL), 1);
	json_t *j = jx_parse(line, len, NULL);
	assert_non_null(j);
	return j;
}

static void expect_id(const json_t *message, int id)
{
	assert_int_equal(json_integer_value(json_object_get(message, "id")), id);
}

static json_t *ask(struct rig *r, int id, const char *line)
{
	say(r, line);
	json_t *j = hear(r);
	expect_id(j, id);
	return j;
}

static json_t *result_of(const json_t *message)
{
	json_t *result = json_object_get(message, "result");
	assert_non_null(result);
	return result;
}

static int error_of(const json_t *message)
{
	return (int)jx_get_int(json_object_get(message, "error"), "code", 0);
}

static json_t *initialize(struct rig *r, const char *version)
{
	char line[300];
	snprintf(
	    line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
	    "\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"0\"}}}",
	    version);
	json_t *j = ask(r, 0, line);
	say(r, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	return j;
}

#define CALL(id, name, arguments)                                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name \
	"\",\"arguments\":" arguments "}}"

static const char *content_text(const json_t *message)
{
	json_t *content = json_object_get(result_of(message), "content");
	return jx_get_str(json_array_get(content, 0), "text", "");
}

static bool is_error(const json_t *message)
{
	return jx_get_bool(result_of(message), "isError", false);
}

static const char *error_name(const json_t *message)
{
	assert_true(is_error(message));
	return jx_get_str(json_object_get(result_of(message), "structuredContent"), "code", "");
}

/* What the fake daemon was sent. */
static json_t *sent(const json_t *message)
{
	assert_false(is_error(message));
	return json_object_get(result_of(message), "structuredContent");
}

/* --- protocol ----------------------------------------------------------------------------------- */

static void initialize_agrees_on_a_version(void **state)
{
	struct rig *r = *state;
	auto_json json_t *newer = initialize(r, "2099-01-01");
	auto_json json_t *older = initialize(r, "2024-11-05");
	json_t *result = result_of(newer);
	assert_string_equal(jx_get_str(result, "protocolVersion", ""), "2025-11-25");
	assert_string_equal(jx_get_str(json_object_get(result, "serverInfo"), "name", ""), "deft");
	assert_non_null(json_object_get(json_object_get(result, "capabilities"), "tools"));
	assert_string_equal(jx_get_str(result_of(older), "protocolVersion", ""), "2024-11-05");
	auto_json json_t *list = ask(r, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	json_t *tool = json_array_get(json_object_get(result_of(list), "tools"), 0);
	assert_null(json_object_get(tool, "annotations"));
	assert_int_equal(fake_daemon_connections(r->daemon), 0);
}

/* G05 */
static void discovery_is_answered(void **state)
{
	struct rig *r = *state;
	static const char *const methods[] = { "resources/list", "resources/templates/list",
		                                   "prompts/list", "ping" };
	static const char *const keys[] = { "resources", "resourceTemplates", "prompts", NULL };
	for (int i = 0; i < 4; i++) {
		char line[200];
		snprintf(line, sizeof(line), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\"}", i,
		         methods[i]);
		auto_json json_t *j = ask(r, i, line);
		assert_int_equal(json_object_size(result_of(j)), keys[i] ? 1 : 0);
		if (keys[i])
			assert_true(json_is_array(json_object_get(result_of(j), keys[i])));
	}
	auto_json json_t *level = ask(r, 5,
	                              "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\","
	                              "\"params\":{\"level\":\"info\"}}");
	assert_int_equal(json_object_size(result_of(level)), 0);
	auto_json json_t *bad = ask(r, 6,
	                            "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"logging/setLevel\","
	                            "\"params\":{\"level\":\"loud\"}}");
	assert_int_equal(error_of(bad), -32602);
}

static void wrong_messages_get_their_code(void **state)
{
	struct rig *r = *state;
	static const struct {
		const char *line;
		int code;
	} cases[] = {
		{ "{nonsense", -32700 },
		{ "\xff\xfe", -32700 },
		{ "[]", -32600 },
		{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600 },
		{ "7", -32600 },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1}", -32600 },
		{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600 },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"completion/complete\"}", -32601 },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", -32602 },
		{ CALL("1", "presss", "{}"), -32602 },
		{ CALL("1", "press", "[1]"), -32602 },
		{ CALL("1", "press", "\"no json\""), -32602 },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
		  -32602 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		say(r, cases[i].line);
		auto_json json_t *j = hear(r);
		assert_int_equal(error_of(j), cases[i].code);
	}
	say(r, "   "); /* blank lines and notifications get no answer */
	say(r, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}");
	say(r, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	auto_json json_t *ping = ask(r, 9, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
	assert_non_null(result_of(ping));
}

static void a_batch_is_answered_as_one(void **state)
{
	struct rig *r = *state;
	auto_json json_t *hello = initialize(r, "2025-03-26");
	assert_non_null(result_of(hello));
	say(r,
	    "[" CALL("1", "press",
	             "{\"target\":\"@e1\"}") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"},"
	                                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"},7]");
	auto_json json_t *answers = hear(r);
	assert_true(json_is_array(answers));
	assert_int_equal(json_array_size(answers), 3);
	expect_id(json_array_get(answers, 0), 2);
	assert_int_equal(error_of(json_array_get(answers, 1)), -32600);
	expect_id(json_array_get(answers, 2), 1); /* the call ends last */
	say(r, "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]");
	auto_json json_t *ping = ask(r, 3, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
	assert_non_null(ping);
}

static void a_message_too_long_is_refused_alone(void **state)
{
	struct rig *r = *state;
	size_t n = LIM_MCP_LINE + 10;
	auto_free char *line = malloc(n + 1);
	memset(line, 'x', n);
	line[n] = '\0';
	say(r, line);
	auto_json json_t *j = hear(r);
	assert_int_equal(error_of(j), -32600);
	auto_json json_t *ping = ask(r, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
	assert_non_null(ping);
}

/* --- calls -------------------------------------------------------------------------------------- */

static void a_call_reaches_the_daemon(void **state)
{
	struct rig *r = *state;
	auto_json json_t *j =
	    ask(r, 1, CALL("1", "press", "{\"target\":\"@e1\",\"session\":\"mine\",\"device\":\"d\"}"));
	json_t *request = sent(j), *meta = json_object_get(request, "meta");
	assert_string_equal(content_text(j), "Tapped\n");
	assert_string_equal(jx_get_str(request, "command", ""), "press");
	assert_string_equal(jx_get_str(request, "session", ""), "mine");
	assert_string_equal(jx_get_str(meta, "platform", ""), "virtual");
	assert_string_equal(jx_get_str(meta, "device", ""), "d");
	assert_string_equal(jx_get_str(meta, "output", ""), "text");
	auto_free char *cwd = getcwd(NULL, 0);
	assert_string_equal(jx_get_str(meta, "cwd", ""), cwd);
	assert_true(json_is_object(json_object_get(meta, "env")));
	assert_int_equal(jx_get_int(json_object_get(request, "args"), "count", 0), 1);
	auto_json json_t *second = ask(r, 2, CALL("2", "press", "{\"target\":\"@e1\"}"));
	assert_string_equal(jx_get_str(sent(second), "session", ""), "s1");
	assert_int_equal(fake_daemon_connections(r->daemon), 1);
}

/* G07 */
static void numbers_and_booleans_may_be_text(void **state)
{
	struct rig *r = *state;
	auto_json json_t *a = ask(
	    r, 1, CALL("1", "press", "{\"target\":\"@e1\",\"count\":\"3\",\"doubleTap\":\"false\"}"));
	auto_json json_t *b =
	    ask(r, 2, CALL("2", "press", "\"{\\\"target\\\":\\\"@e2\\\",\\\"count\\\":2}\""));
	json_t *args = json_object_get(sent(a), "args");
	assert_int_equal(jx_get_int(args, "count", 0), 3);
	assert_true(json_is_false(json_object_get(args, "doubleTap")));
	assert_string_equal(jx_get_str(json_object_get(sent(b), "args"), "target", ""), "@e2");
}

static void wrong_arguments_are_tool_errors(void **state)
{
	struct rig *r = *state;
	static const char *const calls[] = {
		CALL("1", "press", "{}"),
		CALL("1", "press", "{\"target\":\"@e1\",\"count\":0}"),
		CALL("1", "press", "{\"target\":\"@e1\",\"cuont\":1}"),
		CALL("1", "press", "{\"target\":\"@e1\",\"button\":\"third\"}"),
		CALL("1", "press", "{\"target\":7}"),
	};
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		auto_json json_t *j = ask(r, 1, calls[i]);
		assert_string_equal(error_name(j), "INVALID_ARGS");
	}
	assert_int_equal(fake_daemon_connections(r->daemon), 0);
}

static void the_daemons_error_is_told(void **state)
{
	struct rig *r = *state;
	auto_json json_t *j = ask(r, 1, CALL("1", "press", "{\"target\":\"fail\"}"));
	assert_string_equal(error_name(j), "ELEMENT_STALE");
	assert_string_equal(content_text(j), "Error (ELEMENT_STALE): gone\nHint: look again\n");
}

/* F08 */
static void a_dying_daemon_is_told_and_replaced(void **state)
{
	struct rig *r = *state;
	static const char *const calls[] = { CALL("1", "press", "{\"target\":\"die\"}"),
		                                 CALL("1", "press", "{\"target\":\"half\"}") };
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		auto_json json_t *j = ask(r, 1, calls[i]);
		assert_string_equal(error_name(j), "DAEMON_UNAVAILABLE");
		json_t *details =
		    json_object_get(json_object_get(result_of(j), "structuredContent"), "details");
		assert_string_equal(jx_get_str(details, "outcome", ""), "unknown");
	}
	auto_json json_t *j = ask(r, 2, CALL("2", "press", "{\"target\":\"@e1\"}"));
	assert_string_equal(content_text(j), "Tapped\n");
	assert_int_equal(fake_daemon_connections(r->daemon), 3);
}

/* G09: no answer to a canceled request; its id is free again; others go on. */
static void a_canceled_call_is_not_answered(void **state)
{
	struct rig *r = *state;
	say(r, CALL("7", "wait", "{\"condition\":[\"30000\"]}"));
	auto_json json_t *taken = ask(r, 7, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}");
	assert_int_equal(error_of(taken), -32600);
	auto_json json_t *other = ask(r, 8, CALL("8", "press", "{\"target\":\"@e1\"}"));
	assert_string_equal(jx_get_str(sent(other), "lastCanceled", "?"), "");
	say(r, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	       "cancelled\",\"params\":{\"requestId\":7}}");
	auto_json json_t *later = ask(r, 7, CALL("7", "press", "{\"target\":\"@e1\"}"));
	assert_int_equal(strlen(jx_get_str(sent(later), "lastCanceled", "")), 16);
}

static void notices_are_logged_when_asked_for(void **state)
{
	struct rig *r = *state;
	auto_json json_t *quiet = ask(r, 1, CALL("1", "press", "{\"target\":\"notice\"}"));
	assert_string_equal(content_text(quiet), "Tapped\nNote: mind the gap\n");
	auto_json json_t *level = ask(r, 2,
	                              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\","
	                              "\"params\":{\"level\":\"notice\"}}");
	assert_non_null(result_of(level));
	say(r, CALL("3", "press", "{\"target\":\"notice\"}"));
	auto_json json_t *message = hear(r), *result = hear(r);
	assert_string_equal(jx_get_str(message, "method", ""), "notifications/message");
	assert_string_equal(jx_get_str(json_object_get(message, "params"), "data", ""), "mind the gap");
	expect_id(result, 3);
}

static void too_many_calls_are_refused(void **state)
{
	struct rig *r = *state;
	for (int i = 0; i < LIM_MCP_CALLS; i++) {
		char line[200];
		snprintf(line, sizeof(line), CALL("%d", "wait", "{\"condition\":[\"1\"]}"), i);
		say(r, line);
	}
	auto_json json_t *over = ask(r, 100, CALL("100", "press", "{\"target\":\"@e1\"}"));
	assert_string_equal(error_name(over), "LIMIT_EXCEEDED");
	say(r, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
	auto_json json_t *fits = ask(r, 101, CALL("101", "press", "{\"target\":\"@e1\"}"));
	assert_false(is_error(fits));
}

static void a_daemon_that_can_not_start_is_told(void **state)
{
	struct rig *r = *state;
	setenv("DEFT_DEFTD", "/nonexistent/deftd", 1);
	fake_daemon_stop(r->daemon);
	auto_json json_t *j = ask(r, 1, CALL("1", "press", "{\"target\":\"@e1\"}"));
	assert_true(is_error(j));
	assert_non_null(strstr(content_text(j), "/nonexistent/deftd"));
	r->daemon = fake_daemon_start(r->dir, NULL, handle);
	auto_json json_t *again = ask(r, 2, CALL("2", "press", "{\"target\":\"@e1\"}"));
	assert_false(is_error(again));
	unsetenv("DEFT_DEFTD");
}

static void progress_grows(void **state)
{
	struct rig *r = *state;
	say(r, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\","
	       "\"arguments\":{\"condition\":[\"1\"]},\"_meta\":{\"progressToken\":\"p\"}}}");
	double last = -1;
	for (int i = 0; i < 2; i++) {
		auto_json json_t *j = hear(r);
		json_t *params = json_object_get(j, "params");
		assert_string_equal(jx_get_str(j, "method", ""), "notifications/progress");
		assert_string_equal(jx_get_str(params, "progressToken", ""), "p");
		assert_string_equal(jx_get_str(params, "message", ""), "step");
		assert_true(jx_get_num(params, "progress", -1) > last);
		last = jx_get_num(params, "progress", -1);
	}
}

static json_t *shoot(struct rig *r, const char *name)
{
	char line[300];
	snprintf(line, sizeof(line), CALL("1", "screenshot", "{\"path\":\"%s/%s\"}"), r->dir, name);
	return ask(r, 1, line);
}

/* G12, G14 */
static void a_picture_is_image_content(void **state)
{
	struct rig *r = *state;
	auto_json json_t *small = shoot(r, "a.jpg"), *big = shoot(r, "big.png"),
	                 *text = shoot(r, "text.png");
	json_t *content = json_object_get(result_of(small), "content");
	json_t *image = json_array_get(content, 1);
	assert_string_equal(jx_get_str(image, "type", ""), "image");
	assert_string_equal(jx_get_str(image, "mimeType", ""), "image/png");
	assert_string_equal(jx_get_str(image, "data", ""), "iVBORw0KGgpub3QgcmVhbGx5");
	assert_int_equal(json_array_size(json_object_get(result_of(big), "content")), 1);
	assert_non_null(strstr(content_text(big), "[picture not shown: "));
	assert_int_equal(json_array_size(json_object_get(result_of(text), "content")), 1);
	assert_non_null(strstr(content_text(text), "is no PNG, JPEG, GIF or WebP picture"));
}

/* --- the end ------------------------------------------------------------------------------------ */

/* What was asked before the end of the input is answered. */
static void the_end_of_input_ends_the_server(void **state)
{
	struct rig *r = *state;
	static const char lines[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n" CALL(
	    "2", "press", "{\"target\":\"@e1\"}");
	put(r, lines, sizeof(lines) - 1);
	close_input(r);
	auto_json json_t *a = hear(r), *b = hear(r);
	expect_id(a, 1);
	expect_id(b, 2);
	join(r);
	assert_int_equal(r->status, 0);
}

/* G11: a call that does not end is given up. */
static void the_end_of_input_cancels_what_hangs(void **state)
{
	struct rig *r = *state;
	say(r, CALL("1", "wait", "{\"condition\":[\"30000\"]}"));
	close_input(r);
	join(r);
	assert_int_equal(r->status, 0);
}

static void a_client_that_reads_no_more_ends_the_server(void **state)
{
	struct rig *r = *state;
	close(r->from);
	r->from = -1;
	join(r); /* nothing is written: the closed end alone is noticed */
	assert_int_equal(r->status, 0);
}

static void a_client_that_reads_slowly_gets_everything(void **state)
{
	struct rig *r = *state;
	enum { N = 400 };
	for (int i = 0; i < N; i++) { /* answers pile up over what a pipe takes */
		char line[100];
		snprintf(line, sizeof(line), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}",
		         i);
		say(r, line);
	}
	for (int i = 0; i < N; i++) {
		auto_json json_t *j = hear(r);
		expect_id(j, i);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(initialize_agrees_on_a_version),
		TEST(discovery_is_answered),
		TEST(wrong_messages_get_their_code),
		TEST(a_batch_is_answered_as_one),
		TEST(a_message_too_long_is_refused_alone),
		TEST(a_call_reaches_the_daemon),
		TEST(numbers_and_booleans_may_be_text),
		TEST(wrong_arguments_are_tool_errors),
		TEST(the_daemons_error_is_told),
		TEST(a_dying_daemon_is_told_and_replaced),
		TEST(a_canceled_call_is_not_answered),
		TEST(notices_are_logged_when_asked_for),
		TEST(too_many_calls_are_refused),
		TEST(a_daemon_that_can_not_start_is_told),
		TEST(progress_grows),
		TEST(a_picture_is_image_content),
		TEST(the_end_of_input_ends_the_server),
		TEST(the_end_of_input_cancels_what_hangs),
		TEST(a_client_that_reads_no_more_ends_the_server),
		TEST(a_client_that_reads_slowly_gets_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
