#include "client/internal.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/runner_msg.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static void random_bytes(void *out, size_t len)
{
	/* Never fails for so few bytes once the system has started. */
	while (getrandom(out, len, 0) != (ssize_t)len)
		continue;
}

void cl_new_id(char *out, size_t size)
{
	unsigned char r[16];
	random_bytes(r, sizeof r);
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40); /* UUID version 4 */
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);
	int n = snprintf(out, size, "runner-");
	for (size_t i = 0; i < sizeof r; i++)
		n += snprintf(out + n, size - (size_t)n, "%s%02x",
		              i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", r[i]);
}

int cl_post_once(struct cl_session *s, struct call c, struct cl_job *job, const struct buf *body,
                 struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	int64_t from = clock_now_us();
	CL_COUNT(s, requests);
	job->trace->requests++;
	int r = s->provider.post(s->provider.ctx, &s->endpoint, body->data, body->len, c, reply,
	                         ret_failure, e);
	job->exchange_us += clock_now_us() - from;
	job->trace->send_ms = (job->exchange_us + 500) / 1000;
	return r;
}

/* Base 300 ms, doubled up to 2 s, plus or minus a fifth. */
static int64_t back_off(unsigned attempt)
{
	int64_t ms = LIM_RUNNER_BACKOFF_MS;
	for (unsigned i = 1; i < attempt && ms < LIM_RUNNER_BACKOFF_MAX_MS; i++)
		ms *= 2;
	if (ms > LIM_RUNNER_BACKOFF_MAX_MS)
		ms = LIM_RUNNER_BACKOFF_MAX_MS;
	uint32_t r;
	random_bytes(&r, sizeof r);
	return ms - ms / 5 + (int64_t)(r % (uint32_t)(2 * (ms / 5) + 1));
}

static bool is_retried(enum cl_failure failure, bool retry_lost)
{
	return failure == CL_NOT_SENT || (failure == CL_LOST && retry_lost);
}

int cl_post_retrying(struct cl_session *s, struct call c, struct cl_job *job,
                     const struct buf *body, bool retry_lost, struct buf *reply,
                     enum cl_failure *ret_failure, struct error *e)
{
	for (unsigned attempt = 1;; attempt++) {
		int r = cl_post_once(s, c, job, body, reply, ret_failure, e);
		if (r == 0 || !is_retried(*ret_failure, retry_lost))
			return r;
		if (!s->provider.alive(s->provider.ctx, &s->endpoint))
			return error_reason(e, "runner_process_exited");
		int64_t wait = back_off(attempt), left = deadline_left(c.deadline);
		if (wait > left / 2)
			wait = left / 2; /* so that a last try has time for an answer */
		if (wait < LIM_RUNNER_BACKOFF_MIN_MS)
			return r;
		struct error auto_error stop = ERROR_INIT;
		if (clock_wait(wait, c.cancel, &stop) < 0) {
			*ret_failure = CL_CANCELED;
			error_move(e, &stop);
			return -ERR_CANCELED;
		}
		buf_reset(reply);
		job->trace->retries++;
		CL_COUNT(s, retries);
	}
}

int cl_parse(struct cl_session *s, const struct buf *reply, json_t **ret_data,
             enum cl_class *ret_class, struct error *e)
{
	struct error auto_error found = ERROR_INIT;
	int r = wire_reply_parse(reply->data, reply->len, ret_data, &found);
	if (r == 0) {
		cl_step(s, CL_EV_ANSWERED, NULL);
		*ret_class = CL_CLASS_NONE;
		return 0;
	}
	*ret_class =
	    jx_get_bool(found.details, "runner", false) ? CL_CLASS_RUNNER_ERROR : CL_CLASS_BAD_REPLY;
	error_move(e, &found);
	return r;
}

bool cl_is_cut_short(struct call c, int64_t ms)
{
	return deadline_left(c.deadline) < ms;
}

/* The question or its answer did not arrive as it was sent: nothing is wrong with our questions. */
static bool is_damaged(enum cl_class class, const struct error *e)
{
	return class == CL_CLASS_BAD_REPLY ||
	       (class == CL_CLASS_RUNNER_ERROR &&
	        (error_is(e, ERR_INVALID_ARGS) || error_is(e, ERR_UNAUTHORIZED)));
}

static int ask_once(struct cl_session *s, struct call c, struct cl_job *job, const struct buf *body,
                    json_t **ret_data, enum cl_class *ret_class, struct error *e)
{
	struct buf auto_buf reply;
	enum cl_failure failure = CL_OK;
	buf_init(&reply, LIM_RUNNER_REPLY);
	int r = cl_post_retrying(s, c, job, body, true, &reply, &failure, e);
	*ret_class = cl_class_of(failure);
	return r < 0 ? r : cl_parse(s, &reply, ret_data, ret_class, e);
}

int cl_probe(struct cl_session *s, struct call c, struct cl_job *job, const char *command,
             const char *status_id, json_t **ret_data, enum cl_class *ret_class, struct error *e)
{
	json_t auto_json *request = json_object();
	jx_set_str(request, "command", command);
	if (status_id) {
		jx_set_str(request, "statusCommandId", status_id);
	} else {
		char id[64];
		cl_new_id(id, sizeof id);
		jx_set_str(request, "commandId", id);
	}
	struct buf auto_buf body;
	struct error auto_error failed = ERROR_INIT;
	buf_init(&body, LIM_RUNNER_REQUEST);
	jx_dump(request, false, &body);
	int r = ask_once(s, c, job, &body, ret_data, ret_class, &failed);
	if (r < 0 && is_damaged(*ret_class, &failed))
		r = ask_once(s, c, job, &body, ret_data, ret_class, &failed);
	if (r < 0)
		error_move(e, &failed);
	return r;
}
