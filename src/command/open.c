/* open: a session on a device, and a program in it: started, or raised when it runs already. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

#include <string.h>

/* A program's name goes to the runner as one word and to no shell; what can't be one is refused. */
static int check_app(const char *app, struct error *e)
{
	const char *bad = NULL;

	for (const char *s = app; *s && !bad; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			bad = "holds a control character";
	if (app[0] == '-')
		bad = "starts with a dash";
	else if (strlen(app) >= LIM_PATH)
		bad = "is too long";
	if (!bad)
		return 0;
	error_set(e, ERR_INVALID_ARGS, "app: the name %s", bad);
	return error_hint(e, "give the id, name or path of a program; `deft apps --all` lists them");
}

/* A path is meant relative to where the caller stands. */
static char *launch_target(const struct dm_request *rq, const char *app)
{
	bool path = strchr(app, '/') && !strstr(app, "://");

	return path && rq->caller.cwd ? fs_join(rq->caller.cwd, app) : strdup(app);
}

/* ["K=V", …] as the object the runner wants. */
static int launch_env(const json_t *list, json_t *request, struct error *e)
{
	json_t *env = json_array_size(list) ? json_object() : NULL;
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item)
	{
		const char *text = json_string_value(item), *equals = strchr(text, '=');
		auto_free char *key = equals && equals > text ? strndup(text, (size_t)(equals - text)) : NULL;

		if (!key) {
			json_decref(env);
			return error_set(e, ERR_INVALID_ARGS, "env: \"%s\" is not of the form NAME=VALUE", text);
		}
		jx_set_str(env, key, equals + 1);
	}
	if (env)
		jx_set(request, "env", env);
	return 0;
}

/* Only the virtual device plays scenes and flavours; elsewhere asking for one is a mistake. */
static int check_virtual(struct dm_request *rq, struct error *e)
{
	const char *scene = jx_get_str(rq->args, "scene", NULL);
	const char *flavour = jx_get_str(rq->args, "flavour", NULL);

	if ((!scene && !flavour) || strcmp(dm_device(rq)->info.platform, "virtual") == 0)
		return 0;
	error_set(e, ERR_INVALID_ARGS, "%s is only for the virtual device, this session holds %s",
	          scene ? "scene" : "flavour", dm_device(rq)->info.id);
	return error_hint(e, "add --platform virtual, with a --session of its own if need be");
}

static int launch(struct dm_request *rq, const char *app, json_t **ret_app, struct error *e)
{
	const char *scene = jx_get_str(rq->args, "scene", NULL);
	auto_free char *target = launch_target(rq, scene ? scene : app);
	json_t *request = json_object();
	int r = check_virtual(rq, e);

	if (r == 0)
		r = launch_env(json_object_get(rq->args, "env"), request, e);
	if (r < 0) {
		json_decref(request);
		return r;
	}
	jx_set_str(request, "command", "launch");
	jx_set_str(request, "target", target);
	jx_set_str(request, "flavour", jx_get_str(rq->args, "flavour", NULL));
	if (json_array_size(json_object_get(rq->args, "args")))
		json_object_set(request, "args", json_object_get(rq->args, "args"));
	if (jx_get_bool(rq->args, "relaunch", false))
		jx_set_bool(request, "relaunch", true);
	if (jx_get_bool(rq->args, "background", false))
		jx_set_bool(request, "background", true);
	return act_send(rq, request, ret_app, e);
}

/* Why this device: what a caller must know who named none. */
static const char *selection(const struct dm_request *rq, bool existed)
{
	if (existed)
		return "session";
	if (rq->device_id)
		return "device";
	return rq->platform ? "platform" : "only-device";
}

static json_t *base_result(struct dm_request *rq, bool existed)
{
	const struct pf_device_info *info = &dm_device(rq)->info;
	json_t *data = json_object();

	jx_set_str(data, "session", dm_session_label(rq));
	jx_set_str(data, "platform", info->platform);
	jx_set_str(data, "device", info->name);
	jx_set_str(data, "id", info->id);
	jx_set_str(data, "target", info->target);
	jx_set(data, "selection", json_pack("{s:s}", "reason", selection(rq, existed)));
	return data;
}

static json_t *app_result(struct dm_request *rq, bool existed, const char *app, const json_t *reply)
{
	json_t *data = base_result(rq, existed);
	const char *id = jx_get_str(reply, "id", app), *name = jx_get_str(reply, "name", id);
	bool started = jx_get_bool(reply, "started", false);

	jx_set_str(data, "appId", id);
	jx_set_str(data, "appName", name);
	jx_set_bool(data, "started", started);
	for (const char *const *k = (const char *const[]){ "pid", "toolkit", "accessible", "windows",
	                                                   "running", "frontmost", NULL };
	     *k; k++)
		if (json_object_get(reply, *k))
			json_object_set(data, *k, json_object_get(reply, *k));
	cmd_message(data, "%s: %s (%s) on %s", started ? "Opened" : "Raised, it runs already", name, id,
	            dm_device(rq)->info.id);
	return data;
}

/* A failed open leaves no session behind that was not there before. */
static int undo(struct dm_request *rq, bool existed, struct error *e)
{
	auto_error struct error ignored = ERROR_INIT;
	int r = -(int)e->code;

	if (!existed)
		dm_session_close(rq, &ignored);
	return r;
}

static int open_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const char *scene = jx_get_str(rq->args, "scene", NULL);
	const char *app = jx_get_str(rq->args, "app", scene);
	auto_json json_t *reply = NULL;
	bool existed;
	int r = app ? check_app(app, e) : 0;

	if (r == 0 && !app && jx_get_bool(rq->args, "relaunch", false))
		r = error_set(e, ERR_INVALID_ARGS, "relaunch needs an app");
	if (r < 0)
		return r;
	existed = rq->session != NULL;
	r = dm_session_open(rq, e);
	if (r < 0)
		return r;
	if (!app) {
		*ret_data = base_result(rq, existed);
		cmd_message(*ret_data, "%s: %s", existed ? "The session is open already" : "Session opened",
		            dm_device(rq)->info.id);
		return 0;
	}
	r = launch(rq, app, &reply, e);
	if (r < 0)
		return undo(rq, existed, e);
	dm_set_app(rq, jx_get_str(reply, "id", app), jx_get_str(reply, "name", app));
	dm_frame_drop(rq);
	*ret_data = app_result(rq, existed, app, reply);
	return 0;
}

static void open_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	cmd_render_message(data, o, out);
	buf_addf(out, "Session: %s\n", jx_get_str(data, "session", ""));
	if (json_is_false(json_object_get(data, "accessible")))
		buf_adds(out, "The program shows nothing to the accessibility bus yet.\n");
}

static const char *const flavours[] = { "android", "ios", "linux", NULL };

static const struct cmd_param params[] = {
	{ .name = "app",
	  .type = CMD_STRING,
	  .positional = true,
	  .complete = CMD_COMPLETE_APPS,
	  .help = "id, name or path of the program, or a URL; without it only the session is opened" },
	{ .name = "args",
	  .type = CMD_LIST,
	  .positional = true,
	  .help = "arguments for the program, behind --" },
	{ .name = "relaunch", .type = CMD_BOOL, .help = "end a running instance first" },
	{ .name = "background", .type = CMD_BOOL, .help = "do not bring it to the front" },
	{ .name = "env",
	  .type = CMD_LIST,
	  .help = "NAME=VALUE for the program's environment; may be given several times" },
	{ .name = "scene",
	  .type = CMD_PATH,
	  .complete = CMD_COMPLETE_FILE,
	  .help = "play this scene file (or recorded dump) on the virtual device" },
	{ .name = "flavour",
	  .type = CMD_ENUM,
	  .values = flavours,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "which kind of device the virtual one plays; the scene's own, else android" },
};
static const char *const examples[] = { "deft open galculator", "deft open ./build/demo --relaunch",
	                                    "deft open demo --platform virtual --flavour ios",
	                                    "deft open gedit -- --new-window notes.txt", NULL };

const struct cmd_entry cmd_entry_open = {
	.spec = { .name = "open",
	          .summary = "Start a program, or raise it when it runs, and begin a session with it",
	          .details =
	              "A session belongs to the working tree the command runs in, or to the name "
	              "given with --session, and holds one device. A program that runs already "
	              "is raised, never started twice; --relaunch ends it first.",
	          .group = "App",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_LOCKS | CMD_REPLAYABLE | CMD_SETS_APP },
	CMD_CODE(open_run, open_render),
};
