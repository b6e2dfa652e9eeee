#include "cli/exchange.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/sock.h"
#include "wire/caller.h"

#include <string.h>

static int send_line(int fd, const json_t *j, struct call c, struct error *e)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_ENVELOPE_LINE);
	jx_dump(j, false, &b);
	if (!buf_addc(&b, '\n'))
		return error_set(e, ERR_LIMIT_EXCEEDED, "the request is over %u bytes", LIM_ENVELOPE_LINE);
	return sock_write(fd, b.data, b.len, c, e);
}

static int lost(const struct cli_exchange *x, const char *reason, struct error *e)
{
	return wire_answer_lost(x->spec->name, x->spec->traits & CMD_READ_ONLY, reason, e);
}

/* What comes beside the result, also beside an error. */
static void tell(const struct cli_exchange *x, const json_t *response)
{
	size_t i;
	json_t *line, *timing = json_object_get(response, "timing");
	json_array_foreach (json_object_get(response, "notices"), i, line)
		if (x->notice && json_is_string(line))
			x->notice(x->ctx, json_string_value(line));
	if (!x->notice || !timing)
		return;
	auto_buf struct buf b;
	buf_init(&b, LIM_ENVELOPE_LINE);
	buf_adds(&b, "Timing: ");
	jx_dump(timing, false, &b);
	x->notice(x->ctx, b.data);
}

static int take_response(const json_t *response, struct cli_reply *ret, struct error *e)
{
	if (!jx_get_bool(response, "ok", false))
		return error_from_json(e, json_object_get(response, "error"));
	const char *text = jx_get_str(response, "text", NULL);
	*ret = (struct cli_reply){
		.data = json_incref(json_object_get(response, "data")),
		.text = text ? strdup(text) : NULL,
	};
	return 0;
}

/* 1: *ret_response is ours; 0: the line was something else (progress, another id). */
static int take_line(const char *line, size_t len, const char *id, const struct cli_exchange *x,
                     json_t **ret_response, struct error *e)
{
	auto_json json_t *j = jx_parse(line, len, NULL);
	if (!j)
		return lost(x, "invalid_response", e);
	if (strcmp(jx_get_str(j, "id", ""), id) != 0)
		return 0;
	const char *type = jx_get_str(j, "type", "");
	if (strcmp(type, "progress") == 0 && x->progress)
		x->progress(x->ctx, jx_get_str(j, "message", ""), jx_get_int(j, "done", -1),
		            jx_get_int(j, "total", -1));
	if (strcmp(type, "response") != 0)
		return 0;
	*ret_response = TAKE(j);
	return 1;
}

static int read_response(struct line_reader *lr, struct call c, const char *id,
                         const struct cli_exchange *x, json_t **ret_response, struct error *e)
{
	for (;;) {
		char *line;
		size_t len;
		int r = line_reader_next(lr, c, &line, &len, e);
		if (r == 0 || r == -ERR_IO_ERROR)
			return lost(x, "connection_lost", e);
		if (r > 0)
			r = take_line(line, len, id, x, ret_response, e);
		if (r != 0)
			return r;
	}
}

/* The daemon hears of the cancellation and may still say how the command ended. */
static int read_after_cancel(int fd, struct line_reader *lr, const char *id,
                             const struct cli_exchange *x, json_t **ret_response, struct error *e)
{
	struct call c = { deadline_in(LIM_CANCEL_WAIT_MS), NULL };
	auto_json json_t *cancel = wire_cancel_make(id);
	int r = send_line(fd, cancel, c, e);
	if (r == 0)
		r = read_response(lr, c, id, x, ret_response, e);
	if (r == -ERR_TIMEOUT) {
		error_set(e, ERR_CANCELED, "`%s` was canceled; the daemon has not said how it ended",
		          x->spec->name);
		error_detail_str(e, "outcome", "unknown");
		r = -ERR_CANCELED;
	}
	return r;
}

int cli_exchange(int fd, const json_t *request, const struct cli_exchange *x,
                 struct cli_reply *ret_reply, struct error *e)
{
	const char *id = jx_get_str(request, "id", "");
	struct call c = { deadline_in(x->limit_ms + LIM_CLIENT_GRACE_MS), x->cancel };
	auto_json json_t *response = NULL;
	struct line_reader lr;
	int r = send_line(fd, request, c, e);
	if (r == -ERR_IO_ERROR)
		return lost(x, "connection_lost", e);
	if (r < 0)
		return r;
	line_reader_init(&lr, fd, LIM_ENVELOPE_LINE);
	r = read_response(&lr, c, id, x, &response, e);
	if (r == -ERR_CANCELED && !response)
		r = read_after_cancel(fd, &lr, id, x, &response, e);
	else if (r == -ERR_TIMEOUT)
		r = wire_answer_silent(x->spec->name, x->limit_ms, e);
	line_reader_done(&lr);
	if (r < 0)
		return r;
	tell(x, response);
	return take_response(response, ret_reply, e);
}
