/* virtual: what a writer of scenes needs beside the device: is this file good, which faults are there. */
#include "backend/virtual/fault.h"
#include "backend/virtual/scene.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "command/shared.h"

#include <string.h>

static size_t count_widgets(const json_t *list)
{
	size_t n = 0, i;
	json_t *w;

	json_array_foreach(list, i, w) n +=
	    (size_t)jx_get_int(w, "repeat", 1) * (1 + count_widgets(json_object_get(w, "children")));
	return n;
}

static json_t *describe(const struct vd_scene *s, const char *path)
{
	const json_t *screens = json_object_get(s->json, "screens");
	size_t widgets = 0, i;
	json_t *data = json_object(), *screen;

	json_array_foreach(screens, i, screen)
	{
		static const char *const lists[] = { "body", "top", "tabs" };

		for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
			widgets += count_widgets(json_object_get(screen, lists[k]));
	}
	jx_set_str(data, "path", path);
	jx_set_str(data, "appId", s->app_id);
	jx_set_str(data, "appName", s->app_name);
	jx_set_str(data, "flavour", s->flavour ? s->flavour->name : NULL);
	jx_set_str(data, "start", s->start);
	jx_set_int(data, "screens", (int64_t)json_array_size(screens));
	jx_set_int(data, "widgets", (int64_t)widgets);
	jx_set_int(data, "faults", (int64_t)json_array_size(json_object_get(s->json, "faults")));
	cmd_message(data, "%s can be played: app %s, %zu screens, %zu widgets", path, s->app_id,
	            json_array_size(screens), widgets);
	return data;
}

static int validate(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const char *file = jx_get_str(rq->args, "file", NULL);
	auto_free char *path = NULL;
	struct vd_scene *scene = NULL;
	int r;

	if (!file) {
		error_set(e, ERR_INVALID_ARGS, "validate needs the file to look at");
		return error_hint(e, "for example `deft virtual validate my-scene.json`");
	}
	path = rq->caller.cwd ? fs_join(rq->caller.cwd, file) : strdup(file);
	r = path ? vd_scene_load(path, &scene, e) : error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	if (r < 0)
		return r;
	*ret_data = describe(scene, file);
	vd_scene_free(scene);
	return 0;
}

static const char *const stages[] = { "arrived", "before", "look", "answer" };

static json_t *fault_json(enum vd_fault_kind kind)
{
	const struct vd_fault_info *info = vd_fault_info(kind);
	json_t *o = json_object();

	jx_set_str(o, "fault", info->word);
	jx_set_str(o, "stage", stages[info->stage]);
	jx_set_str(o, "does", info->what);
	if (info->ms)
		jx_set_int(o, "ms", info->ms);
	if (info->count)
		jx_set_int(o, "count", info->count);
	return o;
}

static int virtual_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	json_t *list;

	if (!strcmp(jx_get_str(rq->args, "action", ""), "validate"))
		return validate(rq, ret_data, e);
	if (json_object_get(rq->args, "file"))
		return error_set(e, ERR_INVALID_ARGS, "faults takes no file");
	list = json_array();
	for (int i = 0; i < VD_FAULT_COUNT; i++)
		json_array_append_new(list, fault_json((enum vd_fault_kind)i));
	*ret_data = json_object();
	jx_set(*ret_data, "faults", list);
	return 0;
}

static void render_fault(const json_t *o, struct buf *out)
{
	buf_addf(out, "%-13s %s", jx_get_str(o, "fault", ""), jx_get_str(o, "does", ""));
	for (const char *const *k = (const char *const[]){ "ms", "count", NULL }; *k; k++)
		if (json_object_get(o, *k))
			buf_addf(out, " (%s=%lld)", *k, (long long)jx_get_int(o, *k, 0));
	buf_addc(out, '\n');
}

static void virtual_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	size_t i;
	json_t *fault;

	if (json_object_get(data, "message")) {
		cmd_render_message(data, o, out);
		return;
	}
	json_array_foreach(json_object_get(data, "faults"), i, fault) render_fault(fault, out);
}

static const char *const actions[] = { "validate", "faults", NULL };
static const struct cmd_param params[] = {
	{ .name = "action",
	  .type = CMD_ENUM,
	  .positional = true,
	  .required = true,
	  .values = actions,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "validate a scene file, or list the faults a scene can ask for" },
	{ .name = "file",
	  .type = CMD_PATH,
	  .positional = true,
	  .complete = CMD_COMPLETE_FILE,
	  .help = "validate: a scene, a uiautomator dump or a recorded snapshot" },
};
static const char *const examples[] = { "deft virtual validate my-scene.json",
	                                    "deft virtual faults", NULL };

const struct cmd_entry cmd_entry_virtual = {
	.spec = { .name = "virtual",
	          .summary = "Check a scene file of the virtual device, or list its faults on demand",
	          .details =
	              "The first mistake of a scene is told with its line and column, exit status "
	              "2. docs/scenes.md explains scenes, docs/virtual-device.md the faults.",
	          .group = "App",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_CLI,
	          .traits = CMD_READ_ONLY },
	CMD_CODE(virtual_run, virtual_render),
};
