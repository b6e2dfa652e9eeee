#include "runner/reply.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/runner_msg.h"

#include <stdlib.h>
#include <string.h>

double rc_uptime_ms(void)
{
	return (double)clock_now_us() / 1000.0;
}

void rc_reply_stamp(json_t *reply, double uptime_ms, bool busy)
{
	json_t *data;

	if (!json_is_true(json_object_get(reply, "ok")))
		return;
	data = json_object_get(reply, "data");
	if (!json_is_object(data)) {
		data = json_object();
		json_object_set_new(reply, "data", data);
	}
	jx_set_num(data, "currentUptimeMs", uptime_ms);
	jx_set_bool(data, "runnerMainThreadBusy", busy);
}

unsigned rc_reply_status(const json_t *reply)
{
	const char *code = jx_get_str(json_object_get(reply, "error"), "code", "");

	return strcmp(code, "MAIN_THREAD_TIMEOUT") == 0 || strcmp(code, "INTERNAL_ERROR") == 0 ? 500
	                                                                                       : 200;
}

static struct rc_reply *from_text(struct buf *text, unsigned status)
{
	struct rc_reply *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	atomic_init(&r->refs, 1);
	r->status = status;
	r->len = text->len;
	r->body = buf_detach(text);
	if (!r->body) {
		free(r);
		return NULL;
	}
	return r;
}

struct rc_reply *rc_reply_new(json_t *reply, unsigned status, bool busy)
{
	struct buf auto_buf text;
	struct error auto_error e = ERROR_INIT;

	rc_reply_stamp(reply, rc_uptime_ms(), busy);
	buf_init(&text, LIM_RUNNER_REPLY);
	if (jx_dump(reply, false, &text))
		return from_text(&text, status);
	error_set(&e, ERR_LIMIT_EXCEEDED, "the reply is larger than %u bytes", LIM_RUNNER_REPLY);
	return rc_reply_error(&e, status);
}

struct rc_reply *rc_reply_error(const struct error *e, unsigned status)
{
	auto_json
	json_t *reply = wire_reply_error(e);
	struct buf auto_buf text;

	buf_init(&text, LIM_RUNNER_REPLY);
	return jx_dump(reply, false, &text) ? from_text(&text, status) : NULL;
}

struct rc_reply *rc_reply_ref(struct rc_reply *r)
{
	if (r)
		atomic_fetch_add(&r->refs, 1);
	return r;
}

void rc_reply_unref(struct rc_reply *r)
{
	if (!r || atomic_fetch_sub(&r->refs, 1) > 1)
		return;
	free(r->body);
	free(r);
}
