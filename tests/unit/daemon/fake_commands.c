#include "base/cleanup.h"
#include "base/jx.h"
#include "command/command.h"
#include "fake.h"

#include <string.h>

#define SPEC(NAME, TRAITS)                                                                    \
	.name = NAME, .summary = "test", .group = "Test", .exposure = CMD_CLI, .traits = (TRAITS)
#define PARAMS(LIST) .params = (LIST), .n_params = ARRAY_SIZE(LIST)

/* --- answers what it got ---------------------------------------------------------------------- */

static const struct cmd_param echo_params[] = {
	{ .name = "text", .type = CMD_TEXT, .required = true, .positional = true, .help = "text" },
	{ .name = "count",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = 9,
	  .dflt = "1",
	  .help = "number" },
	{ .name = "wait", .type = CMD_INT, .budget = true, .help = "time it may take" },
};

static int echo(struct dm_request *rq, json_t **ret, struct error *e)
{
	dm_stage(rq, "think");
	dm_notice(rq, "echo of %zu bytes", strlen(jx_get_str(rq->args, "text", "")));
	*ret = json_deep_copy(rq->args);
	jx_set_int(*ret, "leftMs", deadline_left(rq->call.deadline));
	return 0;
}

static void echo_text(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	buf_addf(out, "%s (width %d)\n", jx_get_str(data, "text", ""), o->width);
}

/* --- sessions --------------------------------------------------------------------------------- */

static int open_session(struct dm_request *rq, json_t **ret, struct error *e)
{
	int r = dm_session_open(rq, e);
	if (r < 0)
		return r;
	dm_set_app(rq, "app.id", "App");
	*ret = json_pack("{s:s,s:s,s:i}", "device", dm_device(rq)->info.id, "session",
	                 dm_session_label(rq), "child", fake_child(dm_device(rq)));
	return 0;
}

static int close_session(struct dm_request *rq, json_t **ret, struct error *e)
{
	return dm_session_close(rq, e);
}

static int sessions(struct dm_request *rq, json_t **ret, struct error *e)
{
	*ret = dm_sessions_json(rq, true);
	return 0;
}

/* --- the device ------------------------------------------------------------------------------- */

static const struct cmd_param hold_params[] = {
	{ .name = "ms", .type = CMD_INT, .dflt = "60000", .budget = true, .help = "how long" },
};

/* Says "holding" when it has the device, then keeps it for ms. */
static int hold(struct dm_request *rq, json_t **ret, struct error *e)
{
	struct pf_device *d = dm_device(rq);
	dm_progress(rq, "holding", 1, -1);
	return d->ops->run(d, rq->call, rq->args, ret, e);
}

static int use_device(struct dm_request *rq, json_t **ret, struct error *e)
{
	struct pf_device *d;
	auto_json json_t *request = json_object();
	int r = dm_device_for(rq, &d, e);
	return r < 0 ? r : d->ops->run(d, rq->call, request, ret, e);
}

/* --- frames ----------------------------------------------------------------------------------- */

static int store_frame(struct dm_request *rq, json_t **ret, struct error *e)
{
	struct ui_tree view;
	int r = ui_tree_init(&view, e);
	if (r < 0)
		return r;
	ui_tree_add(&view, UI_NONE);
	*ret = json_pack("{s:I}", "generation", (json_int_t)dm_frame_store(rq, &view));
	return 0;
}

static int show_frame(struct dm_request *rq, json_t **ret, struct error *e)
{
	const struct dm_frame *f = dm_frame(rq);
	*ret = json_pack("{s:I,s:i}", "generation", f ? (json_int_t)f->generation : 0, "nodes",
	                 f ? (int)f->view.count : 0);
	return 0;
}

/* --- the daemon ------------------------------------------------------------------------------- */

static int status(struct dm_request *rq, json_t **ret, struct error *e)
{
	*ret = dm_status_json(rq);
	return 0;
}

static const struct cmd_param stop_params[] = {
	{ .name = "force", .type = CMD_BOOL, .help = "also with sessions" },
};

static int stop(struct dm_request *rq, json_t **ret, struct error *e)
{
	return dm_stop(rq, jx_get_bool(rq->args, "force", false), e);
}

static int devices(struct dm_request *rq, json_t **ret, struct error *e)
{
	return dm_devices_json(rq, ret, e);
}

static int fail(struct dm_request *rq, json_t **ret, struct error *e)
{
	error_set(e, ERR_NO_EFFECT, "nothing changed after \"hunter2\"");
	return error_reason(e, "on_purpose");
}

static const struct cmd_param flood_params[] = {
	{ .name = "bytes", .type = CMD_INT, .required = true, .positional = true, .help = "size" },
};

static int flood(struct dm_request *rq, json_t **ret, struct error *e)
{
	auto_buf struct buf b;
	buf_init(&b, 64u << 20);
	buf_fill(&b, 'x', (size_t)jx_get_int(rq->args, "bytes", 0));
	*ret = json_pack("{s:s}", "filling", b.data);
	return 0;
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct cmd_entry entries[] = {
	{ { SPEC("echo", 0), PARAMS(echo_params) }, echo, echo_text },
	{ { SPEC("open", CMD_SETS_APP | CMD_LOCKS) }, open_session },
	{ { SPEC("close", CMD_NEEDS_SESSION | CMD_LOCKS) }, close_session },
	{ { SPEC("sessions", 0) }, sessions },
	{ { SPEC("hold", CMD_NEEDS_SESSION | CMD_LOCKS), PARAMS(hold_params) }, hold },
	{ { SPEC("apps", 0) }, use_device },
	{ { SPEC("store", CMD_NEEDS_SESSION | CMD_LOCKS) }, store_frame },
	{ { SPEC("show", CMD_NEEDS_SESSION | CMD_LOCKS) }, show_frame },
	{ { SPEC("status", 0) }, status },
	{ { SPEC("stop", 0), PARAMS(stop_params) }, stop },
	{ { SPEC("devices", 0) }, devices },
	{ { SPEC("fail", 0) }, fail },
	{ { SPEC("flood", 0), PARAMS(flood_params) }, flood },
};

static const struct cmd_entry *table[ARRAY_SIZE(entries) + 1];
static const struct cmd_spec *specs[ARRAY_SIZE(entries)];

__attribute__((constructor)) static void fill(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		table[i] = &entries[i];
		specs[i] = &entries[i].spec;
	}
}

const struct cmd_entry *const *cmd_entries(void)
{
	return table;
}

const struct cmd_entry *cmd_entry_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (strcmp(entries[i].spec.name, name) == 0)
			return &entries[i];
	return NULL;
}

const struct cmd_spec *const *cmd_specs(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(specs);
	return specs;
}
