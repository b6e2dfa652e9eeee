#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/jx.h"
#include "lines.h"

#include <string.h>

#define PATIENCE_MS 20000

void client_init(struct client *c, int fd)
{
	assert_true(fd >= 0);
	c->fd = fd;
	line_reader_init(&c->reader, fd, 16u << 20);
}

void client_done(struct client *c)
{
	line_reader_done(&c->reader);
	close(c->fd);
	c->fd = -1;
}

void client_send(struct client *c, const char *line)
{
	auto_buf struct buf b;
	buf_init(&b, 32u << 20);
	buf_addf(&b, "%s\n", line);
	assert_int_equal(sock_write(c->fd, b.data, b.len, CALL_FOREVER, NULL), 0);
}

void client_request(struct client *c, const char *id, const char *command, const char *args,
                    const char *session)
{
	auto_json json_t *line = json_object();
	jx_set_str(line, "type", "request");
	jx_set_str(line, "id", id);
	jx_set_str(line, "command", command);
	jx_set_str(line, "session", session);
	jx_set(line, "args", args ? jx_parse(args, strlen(args), NULL) : json_object());
	jx_set(line, "meta", json_pack("{s:s,s:s}", "cwd", "/", "output", "json"));
	auto_free char *text = json_dumps(line, JSON_COMPACT);
	client_send(c, text);
}

json_t *client_read(struct client *c)
{
	struct call limit = { deadline_in(PATIENCE_MS), NULL };
	auto_error struct error e = ERROR_INIT;
	char *line;
	size_t len;
	int r = line_reader_next(&c->reader, limit, &line, &len, &e);
	if (r == 0 || r == -ERR_IO_ERROR)
		return NULL;
	if (r < 0)
		fail_msg("no line from the daemon: %s", e.message);
	json_t *j = jx_parse(line, len, &e);
	assert_non_null(j);
	return j;
}

json_t *client_answer(struct client *c)
{
	for (;;) {
		json_t *j = client_read(c);
		if (!j || strcmp(jx_get_str(j, "type", ""), "progress") != 0)
			return j;
		json_decref(j);
	}
}

void client_wait_progress(struct client *c)
{
	auto_json json_t *j = client_read(c);
	assert_non_null(j);
	assert_string_equal(jx_get_str(j, "type", ""), "progress");
}

json_t *client_ok(struct client *c, const char *command, const char *args, const char *session)
{
	client_request(c, "ok", command, args, session);
	auto_json json_t *j = client_answer(c);
	assert_non_null(j);
	if (!jx_get_bool(j, "ok", false))
		fail_msg("%s: %s", command, jx_get_str(json_object_get(j, "error"), "message", ""));
	return json_incref(json_object_get(j, "data"));
}
