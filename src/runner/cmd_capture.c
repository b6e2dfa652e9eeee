/* snapshot, screenshot. */
#include "runner/commands.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "runner/actionability.h"
#include "runner/base64.h"
#include "ui/selector.h"
#include "ui/tree_json.h"

#include <string.h>

/* --- snapshot -------------------------------------------------------------------------------- */

static int check_surface(const struct wire_request *r, struct error *e)
{
	static const char *const known[] = { "app", "frontmost-app", "desktop" };

	for (size_t i = 0; r->surface && i < ARRAY_SIZE(known); i++)
		if (strcmp(r->surface, known[i]) == 0)
			return 0;
	return r->surface
	           ? error_set(e, ERR_INVALID_ARGS, "surface must be app, frontmost-app or desktop")
	           : 0;
}

static uint32_t scope_root(const struct ui_tree *t, const char *scope)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		const char *const texts[] = { n->label, n->value, n->identifier };

		for (size_t k = 0; k < ARRAY_SIZE(texts); k++)
			if (texts[k] && ui_text_contains(texts[k], scope))
				return i;
	}
	return UI_NONE;
}

/* Keeps the first node that carries the scope's text, with its subtree; parents are preorder, so the
 * new index of a node is its old one less the root's. */
static int keep_scope(struct ui_tree *t, const char *scope, struct error *e)
{
	struct ui_tree auto_tree part = { 0 };
	uint32_t root = scope_root(t, scope);
	int status = ui_tree_init(&part, e);

	if (status < 0)
		return status;
	for (uint32_t i = root; root != UI_NONE && i < ui_tree_subtree_end(t, root); i++) {
		uint32_t parent = i == root ? UI_NONE : t->nodes[i].parent - root;

		if (ui_tree_copy_node(&part, parent, &t->nodes[i]) == UI_NONE)
			return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	part.truncated = t->truncated;
	part.quality.effective_depth = t->quality.effective_depth;
	part.screen = t->screen;
	part.dropped = t->dropped;
	part.warnings = json_incref(t->warnings);
	part.app = ui_tree_text(&part, t->app, NULL);
	part.app_id = ui_tree_text(&part, t->app_id, NULL);
	part.surface = ui_tree_text(&part, t->surface, NULL);
	part.window_title = ui_tree_text(&part, t->window_title, NULL);
	part.quality.reason = ui_tree_text(&part, t->quality.reason, NULL);
	part.quality.reason_code = ui_tree_text(&part, t->quality.reason_code, NULL);
	part.quality.state = ui_tree_text(&part, t->quality.state, NULL);
	part.quality.backend = ui_tree_text(&part, t->quality.backend, NULL);

	struct ui_tree whole = *t;

	*t = part;
	part = whole;
	return 0;
}

int rc_cmd_snapshot(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                    struct error *e)
{
	const struct rb_snapshot_opts opts = {
		.app = r->app,
		.surface = r->surface,
		.interactive_only = r->interactive_only,
		.raw = r->raw,
		.depth = r->depth >= 0 && r->depth < LIM_TREE_DEPTH ? (int)r->depth : -1,
	};
	struct ui_tree auto_tree tree = { 0 };
	int status = check_surface(r, e);

	if (status == 0)
		status = env->backend->ops->snapshot(env->backend, call_limit(c, LIM_SNAPSHOT_BUDGET_MS),
		                                     &opts, &tree, e);
	if (status < 0)
		return status;
	if (!tree.quality.state)
		tree.quality.state = "healthy";
	if (!tree.quality.backend)
		tree.quality.backend = env->backend->ops->name;
	status = r->scope ? keep_scope(&tree, r->scope, e) : 0;
	if (status == 0)
		*ret = ui_tree_to_json(&tree);
	return status;
}

/* --- screenshot ------------------------------------------------------------------------------ */

static int check_destination(const struct wire_request *r, struct error *e)
{
	if (!r->out_path && !r->inline_image)
		return error_set(e, ERR_INVALID_ARGS, "screenshot requires outPath or inlineScreenshot");
	if (r->out_path && r->out_path[0] != '/')
		return error_set(e, ERR_INVALID_ARGS, "outPath must be absolute");
	return 0;
}

static int put_image(json_t *data, const struct wire_request *r, const struct rb_image *image,
                     struct error *e)
{
	if (r->out_path) {
		int status = fs_write(r->out_path, image->png.data, image->png.len, 0644, e);

		if (status < 0)
			return error_prefix(e, "Failed to write screenshot");
		jx_set_str(data, "path", r->out_path);
		jx_set_str(data, "message", r->out_path);
	}
	if (r->inline_image) {
		auto_free
		char *text = rc_base64(image->png.data, image->png.len);

		if (!text)
			return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
		jx_set_str(data, "imageBase64", text);
	}
	jx_set_str(data, "format", "png");
	jx_set_int(data, "width", image->width);
	jx_set_int(data, "height", image->height);
	jx_set_num(data, "scale", image->scale);
	const struct ui_rect shown = { image->x, image->y, image->width / image->scale,
		                           image->height / image->scale };

	jx_set(data, "rect", rc_rect_json(shown));
	return 0;
}

static int shoot(struct rc_env *env, const struct wire_request *r, struct call c, const char *node,
                 json_t **ret, struct error *e)
{
	const struct rb_shot shot = { .app = r->app, .node = node, .fullscreen = r->fullscreen };
	struct rb_image image = { .scale = 1 };
	auto_json
	json_t *data = json_object();
	int status;

	buf_init(&image.png, LIM_RUNNER_REPLY / 2);
	status = env->backend->ops->screenshot(env->backend, c, &shot, &image, e);
	if (status == 0)
		status = put_image(data, r, &image, e);
	if (status == 0)
		*ret = TAKE(data);
	buf_done(&image.png);
	return status;
}

int rc_cmd_screenshot(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                      struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status = check_destination(r, e);

	if (status == 0 && !env->backend->ops->screenshot)
		status = rc_unsupported(env, r, e);
	if (status == 0 && r->node)
		status = rc_target_node(env, r, c, RC_NEED_IN_VIEW, &t, e);
	return status < 0 ? status : shoot(env, r, c, t.node, ret, e);
}
