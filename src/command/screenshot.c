/* screenshot: a PNG of the app, the whole screen or one element, written by the runner. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/overlay.h"
#include "command/picture.h"
#include "command/shared.h"
#include "ui/filter.h"
#include "ui/tree_json.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with_png(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && !strcasecmp(path + n - 4, ".png");
}

/* The folder that names from outside are kept in. */
static char *own_folder(struct dm_request *rq, struct error *e)
{
	char *dir = fs_join(dm_state_dir(rq), "screenshots");

	if (dir && fs_mkdirs(dir, 0700, e) < 0) {
		free(dir);
		return NULL;
	}
	if (!dir)
		error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	else
		fs_keep_newest(dir, ".png", LIM_SCREENSHOTS_KEPT - 1); /* room for the one to come */
	return dir;
}

/* A bare file name: letters, digits, "." "_" "-", no dot first; nothing that leaves the folder. */
static bool name_is_safe(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= 128 && name[0] != '.' && name[0] != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == n;
}

static int path_from_name(struct dm_request *rq, const char *name, char **ret, struct error *e)
{
	auto_free char *dir = NULL;
	auto_free char *path = NULL;

	if (!name_is_safe(name) || !ends_with_png(name)) {
		error_set(e, ERR_INVALID_ARGS, "name: a plain file name that ends in .png is wanted");
		return error_hint(e, "use letters, digits, '.', '_' and '-', for example \"login.png\"");
	}
	dir = own_folder(rq, e);
	if (!dir)
		return -ERR_IO_ERROR;
	path = fs_join(dir, name);
	if (path && fs_exists(path)) {
		error_set(e, ERR_INVALID_ARGS, "a picture of the name %s exists already", name);
		return error_hint(e, "choose another name");
	}
	*ret = TAKE(path);
	return 0;
}

/* screenshot-<epoch ms>.png where the caller stands; where he can't write, in our own folder. */
static int path_default(struct dm_request *rq, char **ret, struct error *e)
{
	auto_free char *own = NULL;
	char name[64];
	const char *dir = rq->caller.cwd;

	snprintf(name, sizeof(name), "screenshot-%lld.png", (long long)clock_wall_ms());
	if (!dir || access(dir, W_OK) < 0) {
		dir = own = own_folder(rq, e);
		if (!own)
			return -ERR_IO_ERROR;
	}
	*ret = fs_join(dir, name);
	return 0;
}

static int path_given(struct dm_request *rq, const char *path, char **ret, struct error *e)
{
	struct stat st;

	if (path[0] != '/' && !rq->caller.cwd)
		return error_set(e, ERR_INVALID_ARGS, "path: \"%s\" is not absolute", path);
	if (strlen(path) >= LIM_PATH || !ends_with_png(path)) {
		error_set(e, ERR_INVALID_ARGS,
		          "path: the picture is a PNG; \"%.200s\" does not end in .png", path);
		return error_hint(e, "name the file with .png");
	}
	*ret = fs_join(rq->caller.cwd ? rq->caller.cwd : "/", path);
	if (*ret && stat(*ret, &st) == 0 && !S_ISREG(st.st_mode)) {
		free(TAKE(*ret));
		return error_set(e, ERR_IO_ERROR, "%s exists and is no plain file", path);
	}
	return 0;
}

static int out_path(struct dm_request *rq, char **ret, struct error *e)
{
	const char *path = jx_get_str(rq->args, "path", NULL);
	const char *name = jx_get_str(rq->args, "name", NULL);
	int r;

	if (path)
		r = path_given(rq, path, ret, e);
	else if (name)
		r = path_from_name(rq, name, ret, e);
	else
		r = path_default(rq, ret, e);
	return r < 0 || *ret ? r : error_set(e, ERR_INTERNAL_ERROR, "out of memory");
}

static int add_target(struct dm_request *rq, struct act_target *t, json_t *request, struct error *e)
{
	const char *words = jx_get_str(rq->args, "target", NULL);
	auto_json json_t *node = NULL;
	int r;

	if (!words)
		return 0;
	r = act_resolve(rq, words, UI_PICK_READ, t, e);
	if (r < 0)
		return r;
	if (!act_node(t)) {
		error_set(e, ERR_INVALID_ARGS, "a point can't be pictured");
		return error_hint(e, "give a ref or selector as --target");
	}
	node = act_request(rq, "screenshot", t);
	json_object_update_missing(request, node);
	return 0;
}

static json_t *result(const struct act_target *t, const char *path, const json_t *reply)
{
	json_t *data = json_object();
	json_int_t width = jx_get_int(reply, "width", 0), height = jx_get_int(reply, "height", 0);
	double scale = jx_get_num(reply, "scale", 1);

	if (act_node(t))
		act_describe(t, data);
	jx_set_str(data, "path", path);
	jx_set_str(data, "mime", "image/png");
	jx_set_int(data, "width", width);
	jx_set_int(data, "height", height);
	jx_set_num(data, "scale", scale);
	if (json_object_get(reply, "rect"))
		json_object_set(data, "rect", json_object_get(reply, "rect"));
	return data;
}

/* A copy for a reader with a limit, under "preview" where one was needed; who asked for it removes
 * it. The picture itself is saved: without the copy the command is still done. */
static void add_preview(struct dm_request *rq, const char *path, json_t *data)
{
	auto_error struct error e = ERROR_INIT;
	auto_free char *dir = NULL;
	int64_t side = jx_get_int(rq->args, "maxSize", 0);
	unsigned width, height;
	auto_buf struct buf copy;

	buf_init(&copy, LIM_PATH);
	if (side <= 0)
		return;
	dir = own_folder(rq, &e);
	buf_addf(&copy, "%s/preview-%s.png", dir ? dir : "", rq->id);
	int r = dir ? picture_reduce(path, copy.data, (unsigned)side, LIM_MCP_IMAGE_BYTES, &width,
	                             &height, &e)
	            : -(int)e.code;
	if (r == 1)
		jx_set(data, "preview",
		       json_pack("{s:s,s:i,s:i}", "path", copy.data, "width", (int)width, "height",
		                 (int)height));
	else if (r < 0)
		dm_notice(rq, "no reduced copy of the picture: %s", e.message);
}

/* --- refs on the picture ------------------------------------------------------------------------- */

/* What can be acted on, with fresh refs; the caller stores it once nothing of the old frame is used. */
static int view_with_refs(struct dm_request *rq, struct ui_tree *ret, struct error *e)
{
	const struct ui_view_opts opts = { .interactive = true, .depth = -1 };
	struct ui_view_stats stats;
	auto_tree struct ui_tree raw = { 0 };
	int r = act_capture(rq, rq->call, &raw, e);

	return r < 0 ? r : ui_view_make(&raw, &opts, ret, &stats, e);
}

/* From points of the screen to pixels of the picture, which shows a part of it. */
static struct ui_rect to_pixels(struct ui_rect r, const json_t *reply)
{
	const json_t *shown = json_object_get(reply, "rect");
	double scale = jx_get_num(reply, "scale", 1);
	double x = jx_get_num(shown, "x", 0), y = jx_get_num(shown, "y", 0);

	return (struct ui_rect){ (r.x - x) * scale, (r.y - y) * scale, r.width * scale,
		                     r.height * scale };
}

static json_t *rect_json(struct ui_rect r)
{
	json_t *o = json_object();

	jx_set_num(o, "x", r.x);
	jx_set_num(o, "y", r.y);
	jx_set_num(o, "width", r.width);
	jx_set_num(o, "height", r.height);
	return o;
}

static json_t *mark_json(const struct ui_tree *view, uint32_t i, const struct overlay_mark *m)
{
	json_t *o = json_object();
	auto_free char *line = ui_node_line(view, i);
	auto_buf struct buf ref;

	buf_init(&ref, 16);
	buf_addf(&ref, "e%u", m->ref);
	jx_set_str(o, "ref", ref.data);
	jx_set_str(o, "role", ui_role_name(view->nodes[i].role));
	jx_set_str(o, "label", ui_node_text(&view->nodes[i]));
	jx_set(o, "rect", rect_json(view->nodes[i].rect));
	jx_set(o, "overlayRect", rect_json(m->rect));
	jx_set_str(o, "line", line);
	return o;
}

static int draw_refs(const struct ui_tree *view, const char *path, const json_t *reply,
                     json_t *data, struct error *e)
{
	auto_free struct overlay_mark *marks = calloc(view->count + 1, sizeof(*marks));
	json_t *drawn;
	int r;

	if (!marks)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	for (uint32_t i = 0; i < view->count; i++) {
		const struct ui_node *n = &view->nodes[i];
		struct ui_rect rect = ui_has(n, UI_HAS_RECT) ? n->rect : (struct ui_rect){ 0 };

		marks[i] = (struct overlay_mark){ n->ref, to_pixels(rect, reply) };
	}
	r = overlay_draw(path, marks, view->count, jx_get_num(reply, "scale", 1), e);
	if (r < 0)
		return r;
	drawn = json_array();
	for (uint32_t i = 0; i < view->count; i++)
		if (marks[i].rect.width > 0)
			json_array_append_new(drawn, mark_json(view, i, &marks[i]));
	jx_set(data, "overlayRefs", drawn);
	return 0;
}

/* --- run --------------------------------------------------------------------------------------- */

static int shoot(struct dm_request *rq, json_t *request_stolen, const struct act_target *t,
                 const char *path, json_t **ret_data, struct error *e)
{
	auto_json json_t *reply = NULL;
	auto_json json_t *data = NULL;
	auto_tree struct ui_tree view = { 0 };
	bool refs = jx_get_bool(rq->args, "overlayRefs", false);
	int r = refs ? view_with_refs(rq, &view, e) : 0;

	if (r < 0) {
		json_decref(request_stolen);
		return r;
	}
	r = act_send(rq, request_stolen, &reply, e);
	if (r < 0)
		return r;
	data = result(t, path, reply);
	if (refs) {
		r = draw_refs(&view, path, reply, data, e);
		if (r < 0)
			return r;
		jx_set_int(data, "refsGeneration", (json_int_t)dm_frame_store(rq, &view));
		view = (struct ui_tree){ 0 }; /* the frame has it now */
	}
	*ret_data = TAKE(data);
	return 0;
}

static int screenshot_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_target struct act_target t = { 0 };
	auto_json json_t *request = act_bare_request(rq, "screenshot");
	auto_free char *path = NULL;
	int r = cmd_exclude(rq->args, "target", "fullscreen", e);

	if (r == 0)
		r = cmd_exclude(rq->args, "path", "name", e);
	if (r == 0)
		r = out_path(rq, &path, e);
	if (r == 0)
		r = add_target(rq, &t, request, e);
	if (r < 0)
		return r;
	jx_set_str(request, "outPath", path);
	if (jx_get_bool(rq->args, "fullscreen", false))
		jx_set_bool(request, "fullscreen", true);
	r = shoot(rq, TAKE(request), &t, path, ret_data, e);
	if (r == 0)
		add_preview(rq, path, *ret_data);
	return r;
}

static void render_refs(const json_t *refs, struct buf *out)
{
	size_t i;
	json_t *ref;

	if (!refs)
		return;
	buf_addf(out, "%zu refs drawn\n", json_array_size(refs));
	json_array_foreach(refs, i, ref)
	{
		cmd_add_line(out, jx_get_str(ref, "line", ""));
		buf_addc(out, '\n');
	}
}

/* The path alone on its line, for scripts; then what a reader of the picture must know. */
static void screenshot_render(const json_t *data, const struct cmd_render_opts *o, struct buf *out)
{
	double scale = jx_get_num(data, "scale", 1);
	const json_t *preview = json_object_get(data, "preview");

	buf_addf(out, "%s\n%lld x %lld pixels", jx_get_str(data, "path", ""),
	         (long long)jx_get_int(data, "width", 0), (long long)jx_get_int(data, "height", 0));
	if (scale != 1) {
		buf_adds(out, ", ");
		buf_add_number(out, scale);
		buf_adds(out, " for one point of the screen");
	}
	if (preview)
		buf_addf(out, ", shown here at %lld x %lld", (long long)jx_get_int(preview, "width", 0),
		         (long long)jx_get_int(preview, "height", 0));
	buf_addc(out, '\n');
	render_refs(json_object_get(data, "overlayRefs"), out);
}

static const struct cmd_param params[] = {
	{ .name = "path",
	  .type = CMD_PATH,
	  .positional = true,
	  .complete = CMD_COMPLETE_FILE,
	  .where = CMD_ONLY_CLI,
	  .help = "where to write it; default ./screenshot-<time>.png" },
	{ .name = "name",
	  .type = CMD_STRING,
	  .where = CMD_ONLY_MCP,
	  .help = "file name in the screenshot folder, ends in .png; must be new" },
	{ .name = "target",
	  .type = CMD_TARGET,
	  .complete = CMD_COMPLETE_REFS,
	  .help = "only this element: @ref or selector" },
	{ .name = "fullscreen",
	  .type = CMD_BOOL,
	  .help = "the whole screen instead of the app's window" },
	{ .name = "overlayRefs",
	  .type = CMD_BOOL,
	  .help = "draw a box with its fresh ref around everything that can be acted on" },
	{ .name = "maxSize",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 16,
	  .has_max = true,
	  .max = LIM_IMAGE_SIDE,
	  .unit = "px",
	  .where = CMD_ONLY_MCP,
	  .help = "longest side of the picture in the answer; the file is never reduced" },
};
static const char *const examples[] = { "deft screenshot", "deft screenshot after.png --fullscreen",
	                                    "deft screenshot --target @e3 button.png",
	                                    "deft screenshot --overlay-refs", NULL };

const struct cmd_entry cmd_entry_screenshot = {
	.spec = { .name = "screenshot",
	          .summary = "Save a PNG of the app, the screen or one element; says path and size",
	          .details =
	              "With --overlay-refs a fresh `snapshot -i` is taken first; its refs are drawn, "
	              "listed, and can be used afterwards.",
	          .group = "Screen",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_NEEDS_SESSION | CMD_LOCKS | CMD_READ_ONLY | CMD_IMAGE },
	CMD_CODE(screenshot_run, screenshot_render),
};
