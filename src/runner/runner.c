#include "runner/runner.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "runner/dispatch.h"
#include "runner/executor.h"
#include "runner/http.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How often a parent is looked for where the kernel has no descriptor for it. */
#define PARENT_POLL_MS 1000

struct rc_runner {
	struct rc_config config;
	struct rc_env env; /* used on the executor's worker only */
	struct rc_journal *journal;
	struct rc_exec *exec;
	struct rc_http *http;
	struct cancel stop;
	atomic_llong last_request_ms;
	pid_t parent;
	int parent_fd; /* readable once the parent is gone; -1: none */
};

/* --- requests -------------------------------------------------------------------------------- */

static enum rc_fate fate(void *ctx, const struct wire_request *req)
{
	const struct rc_runner *r = ctx;
	const struct rc_hooks *hooks = r->config.hooks;

	return hooks && hooks->answers ? hooks->answers(hooks->ctx, req) : RC_FATE_SENT;
}

static void answer_data(struct rc_runner *r, const struct wire_request *req, struct rc_exchange *x,
                        json_t *data)
{
	json_t *reply = wire_reply_ok(data);
	struct rc_reply *answer = rc_reply_new(reply, 200, rc_exec_busy(r->exec));

	if (answer)
		answer->fate = fate(r, req);
	rc_exchange_answer(x, answer);
	json_decref(reply);
}

static void answer_status(struct rc_runner *r, const struct wire_request *req,
                          struct rc_exchange *x)
{
	struct error auto_error e = ERROR_INIT;

	if (req->status_command_id) {
		answer_data(r, req, x, rc_journal_status(r->journal, req->status_command_id));
		return;
	}
	error_set(&e, ERR_INVALID_ARGS, "status requires statusCommandId");
	error_hint(&e, "send the commandId of the command to inspect as statusCommandId");
	rc_exchange_answer(x, rc_reply_error(&e, 200));
}

static void answer_later(void *exchange, struct rc_reply *reply)
{
	rc_exchange_answer(exchange, reply);
}

/* `status` and `uptime` never wait for the executor: they say whether the process answers, and what
 * became of a command. */
static void handle(void *ctx, struct wire_request *req, struct rc_exchange *x)
{
	struct rc_runner *r = ctx;

	atomic_store(&r->last_request_ms, clock_now_ms());
	if (req->command == WIRE_CMD_STATUS)
		answer_status(r, req, x);
	else if (req->command == WIRE_CMD_UPTIME)
		answer_data(r, req, x, NULL);
	else
		rc_exec_submit(r->exec, req, answer_later, x);
	wire_request_done(req);
}

static enum rc_fate arrived(void *ctx, const struct wire_request *req)
{
	const struct rc_runner *r = ctx;
	const struct rc_hooks *hooks = r->config.hooks;

	return hooks && hooks->arrived ? hooks->arrived(hooks->ctx, req) : RC_FATE_SENT;
}

static void sent_stop(void *ctx)
{
	rc_stop(ctx);
}

static int run(void *ctx, const struct wire_request *req, struct call c, json_t **ret_data,
               struct error *e)
{
	struct rc_runner *r = ctx;
	const struct rc_hooks *hooks = r->config.hooks;
	int status = hooks && hooks->before ? hooks->before(hooks->ctx, req, c, e) : 0;

	if (status == 0)
		status = rc_execute(&r->env, req, c, ret_data, e);
	atomic_store(&r->last_request_ms, clock_now_ms());
	return status;
}

/* --- life ------------------------------------------------------------------------------------ */

static int start_parts(struct rc_runner *r, struct error *e)
{
	const struct rc_exec_opts exec = {
		.run = run,
		.fate = fate,
		.ctx = r,
		.journal = r->journal,
		.watchdog_ms = r->config.watchdog_ms ? r->config.watchdog_ms : LIM_RUNNER_WATCHDOG_MS,
		.wedged_ms = r->config.wedged_ms ? r->config.wedged_ms : LIM_RUNNER_WEDGED_MS,
	};
	const struct rc_http_opts http = {
		.port = r->config.port,
		.token = r->config.token,
		.arrived = arrived,
		.handle = handle,
		.sent_stop = sent_stop,
		.ctx = r,
	};
	int status;

	if (!r->journal)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	status = rc_exec_start(&r->exec, &exec, e);
	return status < 0 ? status : rc_http_start(&r->http, &http, e);
}

static void watch_parent(struct rc_runner *r)
{
	if (!r->config.exit_with_parent)
		return;
#ifdef SYS_pidfd_open
	r->parent_fd = (int)syscall(SYS_pidfd_open, r->parent, 0);
#endif
}

int rc_start(struct rc_runner **ret, const struct rc_config *cfg, struct rb_backend *backend,
             struct error *e)
{
	struct rc_runner *r = calloc(1, sizeof(*r));
	int status;

	if (!r)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	status = cancel_init(&r->stop, e);
	if (status < 0) {
		free(r);
		return status;
	}
	r->config = *cfg;
	r->parent = getppid();
	r->parent_fd = -1;
	r->journal = rc_journal_new();
	atomic_init(&r->last_request_ms, clock_now_ms());
	r->env.backend = backend;
	status = start_parts(r, e);
	if (status < 0) {
		r->env.backend = NULL; /* still the caller's */
		rc_free(r);
		return status;
	}
	watch_parent(r);
	*ret = r;
	return 0;
}

uint16_t rc_port(const struct rc_runner *r)
{
	return rc_http_port(r->http);
}

void rc_stop(struct rc_runner *r)
{
	cancel_fire(&r->stop);
}

static bool idle_over(struct rc_runner *r, int64_t *ret_left)
{
	if (r->config.idle_exit_ms <= 0)
		return false;
	*ret_left = atomic_load(&r->last_request_ms) + r->config.idle_exit_ms - clock_now_ms();
	if (*ret_left > 0)
		return false;
	*ret_left = r->config.idle_exit_ms;
	return !rc_exec_busy(r->exec);
}

static bool parent_gone(const struct rc_runner *r)
{
	return r->config.exit_with_parent && getppid() != r->parent;
}

void rc_wait(struct rc_runner *r)
{
	rc_wait_or(r, -1);
}

void rc_wait_or(struct rc_runner *r, int fd)
{
	struct pollfd fds[] = { { r->stop.fd, POLLIN, 0 },
		                    { r->parent_fd, POLLIN, 0 },
		                    { fd, POLLIN, 0 } };
	int64_t left = INT64_MAX;

	while (!cancel_fired(&r->stop) && !idle_over(r, &left) && !parent_gone(r) &&
	       !(fds[2].revents & POLLIN)) {
		bool look = r->config.exit_with_parent && r->parent_fd < 0;

		if (look && left > PARENT_POLL_MS)
			left = PARENT_POLL_MS;
		poll(fds, ARRAY_SIZE(fds), left > INT32_MAX ? -1 : (int)left);
	}
}

void rc_free(struct rc_runner *r)
{
	if (!r)
		return;
	if (r->exec && !rc_exec_stop(r->exec)) {
		/* Its thread still uses all of this: only the end of the process may take it away. */
		log_msg(LOG_WARN, "runner", "DEFT_RUNNER_WORK_LEFT_BEHIND");
		rc_http_free(r->http);
		return;
	}
	rc_http_free(r->http);
	rc_exec_free(r->exec);
	rc_journal_free(r->journal);
	if (r->env.backend)
		r->env.backend->ops->close(r->env.backend);
	if (r->parent_fd >= 0)
		close(r->parent_fd);
	cancel_done(&r->stop);
	free(r);
}
