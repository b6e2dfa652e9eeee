#include "base/cleanup.h"
#include "base/jx.h"
#include "cli/exchange.h"
#include "cli/run.h"
#include "wire/caller.h"

static void on_notice(void *ctx, const char *line)
{
	cli_out_notice(ctx, line);
}

static void on_progress(void *ctx, const char *message, int64_t done, int64_t total)
{
	cli_out_progress(ctx, message, done, total);
}

struct wire_daemon_opts cli_daemon_opts(struct cli_run *r, bool no_start)
{
	return (struct wire_daemon_opts){
		.state_dir = r->state_dir, .no_start = no_start, .notice = on_notice, .ctx = &r->out
	};
}

static json_t *make_request(const struct cli_run *r)
{
	char id[WIRE_CALL_ID];
	json_t *meta = wire_caller_meta();
	jx_set_int(meta, "deadlineMs", r->limit_ms);
	jx_set_bool(meta, "debug", r->out.debug);
	jx_set_str(meta, "output", r->out.json ? "json" : "text");
	jx_set_bool(meta, "data", r->out.json); /* a text is all that is printed of it */
	jx_set_bool(meta, "color", r->out.term.out_color);
	jx_set_int(meta, "width", r->out.term.width);
	wire_call_id(id);
	return wire_call_make(id, r->line.spec->name, json_incref(r->line.args), r->line.globals, meta);
}

int cli_ask_daemon(struct cli_run *r, bool no_start, struct cli_reply *ret_reply, struct error *e)
{
	struct wire_daemon_opts o = cli_daemon_opts(r, no_start);
	struct call call = { deadline_in(r->limit_ms), r->cancel };
	auto_close int fd = -1;
	int result = wire_daemon_connect(&o, call, &fd, NULL, e);
	if (result < 0)
		return result;
	auto_json json_t *request = make_request(r);
	struct cli_exchange x = {
		.spec = r->line.spec,
		.limit_ms = r->limit_ms,
		.cancel = r->cancel,
		.progress = on_progress,
		.notice = on_notice,
		.ctx = &r->out,
	};
	return cli_exchange(fd, request, &x, ret_reply, e);
}
