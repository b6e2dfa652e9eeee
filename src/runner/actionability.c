#include "runner/actionability.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "runner/commands.h"
#include "runner/match.h"
#include "ui/role.h"
#include "ui/selector.h"

#include <stdlib.h>
#include <string.h>

/* --- the gate -------------------------------------------------------------------------------- */

static bool same_role(const char *expected, enum ui_role now)
{
	return !expected || ui_role_from_name(expected) == (int)now;
}

/* A located label may have been cut: then the expected one has to begin with it. */
static bool same_label(const char *expected, const struct rb_located *at)
{
	size_t len = strlen(at->label);

	if (!expected)
		return true;
	if (len >= sizeof(at->label) - 4)
		return strncmp(expected, at->label, len) == 0;
	return ui_text_equal(expected, at->label);
}

static int stale(const struct rb_located *at, const char *role, const char *label, struct error *e)
{
	error_set(e, ERR_ELEMENT_STALE, "the element is now [%s] \"%s\", not [%s] \"%s\"",
	          ui_role_name(at->role), at->label, role ? role : ui_role_name(at->role),
	          label ? label : at->label);
	error_detail_str(e, "expectedRole", role);
	error_detail_str(e, "expectedLabel", label);
	error_detail_str(e, "role", ui_role_name(at->role));
	error_detail_str(e, "label", at->label);
	return error_reason(e, "element_changed");
}

static int not_now(const struct rb_located *at, enum err_code code, const char *what,
                   struct error *e)
{
	if (at->label[0])
		error_set(e, code, "[%s] \"%s\" %s", ui_role_name(at->role), at->label, what);
	else
		error_set(e, code, "[%s] %s", ui_role_name(at->role), what);
	error_detail_str(e, "role", ui_role_name(at->role));
	return error_detail_str(e, "label", at->label);
}

static int covered(const struct rb_located *at, struct error *e)
{
	error_set(e, ERR_ELEMENT_COVERED, "[%s] \"%s\" is covered by %s", ui_role_name(at->role),
	          at->label, at->covered_by[0] ? at->covered_by : "something else");
	if (at->covered_by[0])
		error_detail_str(e, "coveredBy", at->covered_by);
	error_detail_str(e, "role", ui_role_name(at->role));
	return error_detail_str(e, "label", at->label);
}

static int no_point(const struct rb_located *at, struct error *e)
{
	error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "[%s] \"%s\" has no point to press: %s",
	          ui_role_name(at->role), at->label,
	          at->no_point_reason ? at->no_point_reason : "its place is not known");
	return error_reason(e, "no_point");
}

int rc_actionable(const struct rb_located *at, const char *expect_role, const char *expect_label,
                  unsigned needs, struct error *e)
{
	if (!same_role(expect_role, at->role) || !same_label(expect_label, at))
		return stale(at, expect_role, expect_label, e);
	if ((needs & RC_NEED_ENABLED) && !(at->flags & UI_ENABLED))
		return not_now(at, ERR_ELEMENT_DISABLED, "is disabled", e);
	if ((needs & RC_NEED_IN_VIEW) && at->offscreen)
		return not_now(at, ERR_ELEMENT_OFFSCREEN, "is outside of what is visible", e);
	/* What nobody could see and press is not pressed by its semantic action either. */
	if ((needs & RC_NEED_IN_VIEW) && !at->has_point && !(at->flags & UI_VISIBLE))
		return not_now(at, ERR_ELEMENT_OFFSCREEN, "is not shown now", e);
	if ((needs & RC_NEED_UNCOVERED) && at->covered)
		return covered(at, e);
	if ((needs & RC_NEED_POINT) && !at->has_point)
		return no_point(at, e);
	return 0;
}

/* --- targets --------------------------------------------------------------------------------- */

static int locate(struct rc_env *env, const struct wire_request *r, struct call c, unsigned needs,
                  struct rc_target *t, struct error *e)
{
	int status = env->backend->ops->locate(env->backend, c, t->node, &t->at, e);

	if (status < 0)
		return status;
	t->has_point = t->at.has_point;
	t->x = t->at.x;
	t->y = t->at.y;
	return rc_actionable(&t->at, r->expect_role, r->expect_label, needs, e);
}

static int from_selector(struct rc_env *env, const struct wire_request *r, struct call c,
                         struct rc_target *t, struct error *e)
{
	struct ui_tree auto_tree tree = { 0 };
	uint32_t node;
	int status = rc_capture(env, r, c, &tree, e);

	if (status == 0)
		status = rc_match(&tree, r->selector_key, r->selector_value, UI_PICK_TOUCH, &node, e);
	if (status < 0)
		return status;
	if (!tree.nodes[node].handle)
		return error_set(e, ERR_ELEMENT_NOT_INTERACTABLE, "the element found has no handle");
	t->node = strdup(tree.nodes[node].handle);
	return t->node ? 0 : error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
}

static int resolve(struct rc_env *env, const struct wire_request *r, struct call c, unsigned needs,
                   struct rc_target *t, bool *found, struct error *e)
{
	*found = true;
	if (r->node) {
		t->node = strdup(r->node);
		return t->node ? locate(env, r, c, needs, t, e)
		               : error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	if (r->selector_key && r->selector_value) {
		int status = from_selector(env, r, c, t, e);

		return status < 0 ? status : locate(env, r, c, needs, t, e);
	}
	if (r->x.has && r->y.has) {
		t->has_point = true;
		t->x = r->x.v;
		t->y = r->y.v;
		return rc_check_point(env, c, t->x, t->y, e);
	}
	*found = false;
	return 0;
}

int rc_target_resolve(struct rc_env *env, const struct wire_request *r, struct call c,
                      unsigned needs, struct rc_target *ret, bool *ret_found, struct error *e)
{
	struct rc_target t = { 0 };
	int status = resolve(env, r, c, needs, &t, ret_found, e);

	if (status < 0) {
		rc_target_done(&t);
		return status;
	}
	*ret = t;
	return 0;
}

int rc_target_node(struct rc_env *env, const struct wire_request *r, struct call c, unsigned needs,
                   struct rc_target *ret, struct error *e)
{
	struct rc_target t = { 0 };
	bool found = false;
	int status = rc_target_resolve(env, r, c, needs, &t, &found, e);

	if (status < 0)
		return status;
	if (!found || !t.node) {
		rc_target_done(&t);
		return error_set(e, ERR_INVALID_ARGS, "%s requires nodeId or a selector",
		                 wire_command_traits(r->command)->name);
	}
	*ret = t;
	return 0;
}

void rc_target_done(struct rc_target *t)
{
	free(t->node);
	t->node = NULL;
}

void rc_put_element(json_t *data, const struct rb_located *at)
{
	if (at->label[0])
		jx_set_str(data, "label", at->label);
	jx_set_str(data, "role", ui_role_name(at->role));
}
