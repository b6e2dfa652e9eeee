/* findText, querySelector, locate: questions about what is on the screen. */
#include "runner/commands.h"

#include "base/jx.h"
#include "runner/actionability.h"
#include "runner/match.h"
#include "ui/role.h"
#include "ui/tree_json.h"

#include <string.h>

int rc_cmd_find_text(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	struct ui_tree auto_tree tree = { 0 };
	int status;

	if (!r->text || !*r->text)
		return error_set(e, ERR_INVALID_ARGS, "findText requires text");
	status = rc_capture(env, r, c, &tree, e);
	if (status < 0)
		return status;
	*ret = json_object();
	jx_set_bool(*ret, "found", rc_find_text(&tree, r->text) != UI_NONE);
	return 0;
}

/* One node by itself: index 0, depth 0, no parent. */
static json_t *single_node(const struct ui_tree *tree, uint32_t i)
{
	json_t *node = ui_node_to_json(tree, i);

	jx_set_int(node, "index", 0);
	jx_set_int(node, "depth", 0);
	json_object_del(node, "parentIndex");
	json_object_del(node, "focused");
	return json_pack("[o]", node);
}

int rc_cmd_query_selector(struct rc_env *env, const struct wire_request *r, struct call c,
                          json_t **ret, struct error *e)
{
	struct ui_tree auto_tree tree = { 0 };
	struct error auto_error miss = ERROR_INIT;
	uint32_t node = UI_NONE;
	int status;

	if (!r->selector_key || !r->selector_value)
		return error_set(e, ERR_INVALID_ARGS,
		                 "querySelector requires selectorKey and selectorValue");
	status = rc_capture(env, r, c, &tree, e);
	if (status < 0)
		return status;
	status = rc_match(&tree, r->selector_key, r->selector_value, UI_PICK_READ, &node, &miss);
	if (status < 0 && !error_is(&miss, ERR_ELEMENT_NOT_FOUND)) {
		error_move(e, &miss);
		return status;
	}
	*ret = json_object();
	jx_set_bool(*ret, "found", status == 0);
	if (status == 0)
		jx_set_str(*ret, "text", rc_readable(&tree.nodes[node]));
	jx_set(*ret, "nodes", status == 0 ? single_node(&tree, node) : json_array());
	return 0;
}

static json_t *located_json(const struct rb_located *at)
{
	json_t *data = json_object();
	bool enabled = (at->flags & UI_ENABLED) != 0;

	jx_set_bool(data, "found", true);
	rc_put_element(data, at);
	jx_set_bool(data, "enabled", enabled);
	jx_set_bool(data, "hittable", at->has_point && enabled && !at->covered && !at->offscreen);
	jx_set_bool(data, "offscreen", at->offscreen);
	jx_set_bool(data, "covered", at->covered);
	if (at->covered_by[0])
		jx_set_str(data, "coveredBy", at->covered_by);
	if (at->has_point) {
		jx_set_num(data, "x", at->x);
		jx_set_num(data, "y", at->y);
		jx_set(data, "rect", rc_rect_json(at->rect));
	} else {
		jx_set_str(data, "reason", at->no_point_reason);
	}
	jx_set_bool(data, "semantic", at->semantic);
	return data;
}

int rc_cmd_locate(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                  struct error *e)
{
	struct rc_target auto_target t = { 0 };
	int status = rc_target_node(env, r, c, 0, &t, e);

	if (status < 0)
		return status;
	*ret = located_json(&t.at);
	return 0;
}
