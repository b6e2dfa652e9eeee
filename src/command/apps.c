/* apps: the programs of a device. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/shared.h"

static int apps_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_json json_t *request = json_object();
	json_t *reply = NULL;
	struct pf_device *d = NULL;
	bool all = jx_get_bool(rq->args, "all", false);
	int r = dm_device_for(rq, &d, e);

	if (r < 0)
		return r;
	if (!d->ops->run)
		return error_set(e, ERR_UNSUPPORTED_OPERATION, "%s can't list its programs", d->info.name);
	jx_set_str(request, "command", "apps");
	jx_set_bool(request, "installed", all);
	r = d->ops->run(d, rq->call, request, &reply, e);
	dm_stage(rq, "send");
	if (r < 0)
		return r;
	*ret_data = json_object();
	jx_set(*ret_data, "apps", json_incref(json_object_get(reply, "apps")));
	if (!json_is_array(json_object_get(*ret_data, "apps")))
		jx_set(*ret_data, "apps", json_array());
	jx_set_str(*ret_data, "device", d->info.id);
	jx_set_bool(*ret_data, "all", all);
	json_decref(reply);
	return 0;
}

/* Calculator (galculator) running, pid 4711, in front */
static void app_line(const json_t *app, bool all, struct buf *out)
{
	const char *id = jx_get_str(app, "id", "");

	cmd_add_line(out, jx_get_str(app, "name", id));
	buf_adds(out, " (");
	cmd_add_line(out, id);
	buf_addc(out, ')');
	if (all && jx_get_bool(app, "running", false))
		buf_adds(out, " running");
	if (jx_get_bool(app, "frontmost", false))
		buf_adds(out, " in front");
	if (json_is_false(json_object_get(app, "accessible")))
		buf_adds(out, " not accessible");
	buf_addc(out, '\n');
}

static void apps_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	const json_t *list = json_object_get(data, "apps");
	bool all = jx_get_bool(data, "all", false);
	size_t i;
	json_t *app;

	if (!json_array_size(list))
		buf_addf(out, "No %s programs found.\n", all ? "installed" : "running");
	json_array_foreach(list, i, app) app_line(app, all, out);
}

static const struct cmd_param params[] = {
	{ .name = "all", .type = CMD_BOOL, .help = "also what is installed and does not run" },
};
static const char *const examples[] = { "deft apps", "deft apps --all", NULL };

const struct cmd_entry cmd_entry_apps = {
	.spec = { .name = "apps",
	          .summary = "List the running programs of a device, with --all the installed ones too",
	          .group = "App",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_LOCKS | CMD_READ_ONLY },
	CMD_CODE(apps_run, apps_render),
};
