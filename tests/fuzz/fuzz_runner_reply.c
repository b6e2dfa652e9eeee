/* Replies of a runner, as the client and the interactor read them: any bytes, any failures between.
 * The input is a list of replies separated by 0x1e; the first byte of each is how it goes ('-' not
 * sent, '!' lost, '~' timed out, '^' canceled, else a reply), the very first byte of all chooses the
 * command. No mutation may be posted twice. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/log.h"
#include "platform/platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	const char *at, *end;
	char last_sent[64]; /* id of the last mutation of which bytes had left */
	int64_t now;
} script;

static int64_t now_ms(void *ctx)
{
	return script.now;
}

static void advance(void *ctx, int64_t ms)
{
	script.now += ms;
}

static int start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	*ret = (struct cl_endpoint){ .port = 1 };
	return 0;
}

static bool alive(void *ctx, const struct cl_endpoint *ep)
{
	return true;
}

static void stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
}

static enum cl_failure failure_of(char c)
{
	switch (c) {
	case '-': return CL_NOT_SENT;
	case '!': return CL_LOST;
	case '~': return CL_TIMED_OUT;
	case '^': return CL_CANCELED;
	default: return CL_OK;
	}
}

static void check_sent_once(const char *body, size_t len, enum cl_failure failure)
{
	json_t auto_json *request = jx_parse(body, len, NULL);
	const char *command = jx_get_str(request, "command", ""),
	           *id = jx_get_str(request, "commandId", "");
	bool mutation = strcmp(command, "tap") == 0 || strcmp(command, "sequence") == 0 ||
	                strcmp(command, "type") == 0;
	if (!mutation)
		return;
	if (strcmp(script.last_sent, id) == 0)
		abort();
	size_t n = strlen(id);
	if (failure != CL_NOT_SENT && n < sizeof script.last_sent)
		memcpy(script.last_sent, id, n + 1);
}

static int post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	size_t left = (size_t)(script.end - script.at);
	const char *end = left ? memchr(script.at, 0x1e, left) : NULL;
	size_t n = end ? (size_t)(end - script.at) : left;
	enum cl_failure failure = n ? failure_of(*script.at) : CL_LOST;
	check_sent_once(body, len, failure);
	advance(NULL, 20);
	if (failure == CL_OK)
		buf_add(reply, script.at + 1, n - 1);
	script.at += n + (end != NULL);
	*ret_failure = failure;
	return failure == CL_OK ? 0 : error_set(e, ERR_RUNNER_LOST_REPLY, "failed");
}

static void drive(struct pf_device *d, uint8_t choice)
{
	struct error auto_error e = ERROR_INIT;
	json_t auto_json *reply = NULL;
	struct call c = { deadline_in(20000), NULL };
	struct ui_tree auto_tree tree = { 0 };
	const struct pf_snapshot_opts whole = { .depth = -1 };
	const struct pf_tap_opts one = { .count = 1 }, many = { .count = 30 };
	json_t auto_json *type = json_pack("{s:s}", "command", "type");
	switch (choice % 4) {
	case 0: d->ops->tap(d, c, &one, &reply, &e); break;
	case 1: d->ops->tap(d, c, &many, &reply, &e); break;
	case 2: d->ops->snapshot(d, c, &whole, &tree, &e); break;
	default: d->ops->run(d, c, type, &reply, &e); break;
	}
	json_t auto_json *told = error_to_json(&e);
	struct buf auto_buf text;
	buf_init(&text, 1 << 24);
	jx_dump(told, false, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct clock_source source = { .now_ms = now_ms,
		                                        .wall_ms = now_ms,
		                                        .advance = advance };
	static const struct cl_provider provider = {
		.start = start, .alive = alive, .post = post, .stop = stop
	};
	static const struct pf_device_info info = { .id = "fuzz" };
	if (size == 0)
		return 0;
	log_set_level(LOG_ERROR);
	clock_set_source(&source);
	memset(&script, 0, sizeof script);
	script.at = (const char *)data + 1;
	script.end = (const char *)data + size;
	struct pf_device d;
	if (pf_runner_device_init(&d, &info, &provider, NULL) < 0)
		return 0;
	drive(&d, data[0]);
	drive(&d, data[0]); /* hot now, when it went well */
	cl_invalidate(d.runner, "end");
	pf_runner_device_done(&d);
	return 0;
}
