#include "base/cleanup.h"
#include "base/limits.h"
#include "base/number.h"
#include "ui/fields.h"
#include "ui/tree_json.h"

#include <math.h>
#include <string.h>

struct reader {
	struct ui_tree *tree;
	struct error *e;
	unsigned cursor;  /* where the next key probably stands in ui_fields */
	bool has_visible; /* some node says whether it is visible */
};

static bool real_number(const json_t *j, double *ret)
{
	if (!json_is_number(j) || !isfinite(json_number_value(j)))
		return false;
	*ret = json_number_value(j);
	return true;
}

static bool count_value(const json_t *j, uint32_t *ret)
{
	double v;
	if (!real_number(j, &v) || v < 0 || v > UINT32_MAX || v != trunc(v))
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* Anything but four finite numbers on a possible screen is no rect (cases A22, C17). */
static bool rect_value(const json_t *j, struct ui_rect *ret)
{
	struct ui_rect r;
	if (!real_number(json_object_get(j, "x"), &r.x) ||
	    !real_number(json_object_get(j, "y"), &r.y) ||
	    !real_number(json_object_get(j, "width"), &r.width) ||
	    !real_number(json_object_get(j, "height"), &r.height) || !ui_rect_known(r))
		return false;
	*ret = r;
	return true;
}

static bool range_value(const json_t *j, struct ui_range *ret)
{
	struct ui_range r = { 0 };
	if (!real_number(json_object_get(j, "min"), &r.min) ||
	    !real_number(json_object_get(j, "max"), &r.max) ||
	    !real_number(json_object_get(j, "current"), &r.current))
		return false;
	if (!real_number(json_object_get(j, "step"), &r.step) || r.step < 0)
		r.step = 0;
	*ret = r;
	return true;
}

static void read_actions(struct ui_tree *t, struct ui_node *n, const json_t *j)
{
	size_t size = json_array_size(j);
	if (size > LIM_TREE_ACTIONS) {
		size = LIM_TREE_ACTIONS;
		n->flags |= UI_CUT;
	}
	const char *names[LIM_TREE_ACTIONS];
	uint32_t count = 0;
	for (size_t i = 0; i < size; i++) {
		const char *name = json_string_value(json_array_get(j, i));
		if (name)
			names[count++] = name;
	}
	n->actions = ui_tree_texts(t, names, count);
	n->n_actions = n->actions ? count : 0;
}

static uint32_t ref_value(const json_t *j)
{
	const char *s = json_string_value(j);
	int64_t v;
	if (!s || *s != 'e' || !number_parse_int(s + 1, &v) || v < 1 || v > UINT32_MAX)
		return 0;
	return (uint32_t)v;
}

static void read_special(struct reader *r, struct ui_node *n, enum ui_field_special which,
                         const json_t *value)
{
	int role;
	switch (which) {
	case UI_KEY_TYPE: n->type = ui_tree_text(r->tree, json_string_value(value), NULL); break;
	case UI_KEY_ROLE:
		role = ui_role_from_name(json_string_value(value));
		if (role >= 0)
			n->role = (enum ui_role)role;
		break;
	case UI_KEY_VALUE: n->value = ui_tree_text(r->tree, json_string_value(value), &n->flags); break;
	case UI_KEY_RECT:
		if (rect_value(value, &n->rect))
			n->flags |= UI_HAS_RECT;
		break;
	case UI_KEY_RANGE:
		if (range_value(value, &n->range))
			n->flags |= UI_HAS_RANGE;
		break;
	case UI_KEY_ACTIONS: read_actions(r->tree, n, value); break;
	case UI_KEY_REF: n->ref = ref_value(value); break;
	case UI_KEY_INDEX:
	case UI_KEY_DEPTH:
	case UI_KEY_PARENT: break; /* the place in the tree is settled before */
	}
}

static void read_field(struct reader *r, struct ui_node *n, const struct ui_field *f,
                       const json_t *value)
{
	void *member = (char *)n + f->what;
	switch (f->kind) {
	case UI_FIELD_TEXT:
		*(const char **)member = ui_tree_text(r->tree, json_string_value(value), &n->flags);
		break;
	case UI_FIELD_FLAG:
	case UI_FIELD_BOOL:
		if (f->what == UI_VISIBLE)
			r->has_visible = true;
		if (json_is_true(value))
			n->flags |= f->what;
		break;
	case UI_FIELD_COUNT: count_value(value, member); break;
	case UI_FIELD_SPECIAL: read_special(r, n, (enum ui_field_special)f->what, value); break;
	}
}

/* Our own writers keep the order of the table, so that the next key is nearly always the next row. */
static const struct ui_field *find_field(struct reader *r, const char *key)
{
	for (unsigned k = 0; k < ui_fields_count; k++) {
		unsigned at = r->cursor + k;
		if (at >= ui_fields_count)
			at -= ui_fields_count;
		if (ui_fields[at].key[0] == key[0] && strcmp(ui_fields[at].key, key) == 0) {
			r->cursor = at + 1 == ui_fields_count ? 0 : at + 1;
			return &ui_fields[at];
		}
	}
	return NULL;
}

/* Finds the parent and refuses what would not be a tree in document order. */
static int read_parent(struct reader *r, const json_t *item, uint32_t position, uint32_t *ret)
{
	const struct ui_tree *t = r->tree;
	const json_t *index = json_object_get(item, "index");
	const json_t *parent = json_object_get(item, "parentIndex");
	uint32_t at, p = UI_NONE;
	if (index && !json_is_null(index) && (!count_value(index, &at) || at != position))
		return error_set(r->e, ERR_COMMAND_FAILED, "node %u of the tree has a wrong index",
		                 (unsigned)position);
	if (parent && !json_is_null(parent) && (!count_value(parent, &p) || p >= position))
		return error_set(r->e, ERR_COMMAND_FAILED, "node %u of the tree has a parent after itself",
		                 (unsigned)position);
	if (p != UI_NONE && t->nodes[p].depth + 1 >= LIM_TREE_DEPTH) {
		p = t->nodes[p].parent; /* what is deeper still is shown, flattened and marked */
		r->tree->truncated = true;
	}
	uint32_t open = position - 1;
	while (p != UI_NONE && open != UI_NONE && open > p)
		open = t->nodes[open].parent;
	if (p != UI_NONE && open != p)
		return error_set(r->e, ERR_COMMAND_FAILED, "node %u of the tree is out of document order",
		                 (unsigned)position);
	*ret = p;
	return 0;
}

static int read_node(struct reader *r, json_t *item, uint32_t position)
{
	uint32_t parent = UI_NONE;
	if (!json_is_object(item))
		return error_set(r->e, ERR_COMMAND_FAILED, "node %u of the tree is no object",
		                 (unsigned)position);
	int rc = read_parent(r, item, position, &parent);
	if (rc < 0)
		return rc;
	uint32_t i = ui_tree_add(r->tree, parent);
	if (i == UI_NONE)
		return 1; /* cut and marked; what follows would miss its parents */
	struct ui_node *n = &r->tree->nodes[i];
	n->role = UI_ROLE_COUNT; /* not said yet */
	const char *key;
	json_t *value;
	json_object_foreach(item, key, value)
	{
		const struct ui_field *f = find_field(r, key);
		if (f)
			read_field(r, n, f, value);
	}
	if (n->role == UI_ROLE_COUNT) {
		int role = ui_role_from_name(n->type);
		n->role = role < 0 ? UI_OTHER : (enum ui_role)role;
	}
	if (ui_node_secret(n))
		n->value = NULL;
	return 0;
}

/* A verdict without a known state and a backend counts as absent (runner protocol 6.10). */
static void read_quality(struct ui_tree *t, const json_t *j)
{
	static const char *const states[] = { "healthy", "recovered", "sparse", "partial" };
	const char *state = json_string_value(json_object_get(j, "state"));
	const char *backend = json_string_value(json_object_get(j, "backend"));
	bool known = false;
	for (size_t i = 0; state && i < ARRAY_SIZE(states); i++)
		known = known || strcmp(state, states[i]) == 0;
	if (!known || !backend || !*backend)
		return;
	t->quality.state = ui_tree_text(t, state, NULL);
	t->quality.backend = ui_tree_text(t, backend, NULL);
	t->quality.reason = ui_tree_text(t, json_string_value(json_object_get(j, "reason")), NULL);
	t->quality.reason_code =
	    ui_tree_text(t, json_string_value(json_object_get(j, "reasonCode")), NULL);
	count_value(json_object_get(j, "effectiveDepth"), &t->quality.effective_depth);
}

static void read_head(struct ui_tree *t, const json_t *data)
{
	size_t i;
	json_t *warning;
	t->truncated = t->truncated || json_is_true(json_object_get(data, "truncated"));
	read_quality(t, json_object_get(data, "snapshotQuality"));
	t->app = ui_tree_text(t, json_string_value(json_object_get(data, "appName")), NULL);
	t->app_id = ui_tree_text(t, json_string_value(json_object_get(data, "appBundleId")), NULL);
	t->surface = ui_tree_text(t, json_string_value(json_object_get(data, "surface")), NULL);
	t->window_title =
	    ui_tree_text(t, json_string_value(json_object_get(data, "windowTitle")), NULL);
	rect_value(json_object_get(data, "screen"), &t->screen);
	count_value(json_object_get(data, "droppedNodes"), &t->dropped);
	json_array_foreach(json_object_get(data, "warnings"), i, warning)
	{
		if (json_is_string(warning))
			ui_tree_warn(t, json_string_value(warning));
	}
}

int ui_tree_from_json(const json_t *data, struct ui_tree *ret, struct error *e)
{
	auto_tree struct ui_tree tree = { 0 };
	struct reader r = { .tree = &tree, .e = e };
	const json_t *nodes = json_object_get(data, "nodes");
	if (!json_is_array(nodes))
		return error_set(e, ERR_COMMAND_FAILED, "the tree has no list of nodes");
	int rc = ui_tree_init(&tree, e);
	for (size_t i = 0; rc == 0 && i < json_array_size(nodes); i++)
		rc = read_node(&r, json_array_get(nodes, i), (uint32_t)i);
	if (rc < 0)
		return rc;
	/* A runner that never mentions visibility lists only what is shown. */
	for (uint32_t i = 0; !r.has_visible && i < tree.count; i++)
		tree.nodes[i].flags |= UI_VISIBLE;
	read_head(&tree, data);
	rc = ui_tree_check(&tree, e);
	if (rc < 0)
		return rc;
	*ret = tree;
	tree = (struct ui_tree){ 0 };
	return 0;
}
