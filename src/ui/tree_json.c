#include "ui/tree_json.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "ui/fields.h"

#include <math.h>
#include <stdio.h>

/* Texts of a tree are valid UTF-8 since they were put in: no second check. */
static json_t *text(const char *s)
{
	return s ? json_string_nocheck(s) : NULL;
}

static json_t *number(double v)
{
	if (v == trunc(v) && fabs(v) < 9e15)
		return json_integer((json_int_t)v);
	return json_real(v);
}

static void put(json_t *o, const char *key, json_t *value)
{
	if (value)
		json_object_set_new_nocheck(o, key, value);
}

static json_t *rect_json(struct ui_rect r)
{
	if (!ui_rect_known(r))
		return NULL;
	json_t *o = json_object();
	put(o, "x", number(r.x));
	put(o, "y", number(r.y));
	put(o, "width", number(r.width));
	put(o, "height", number(r.height));
	return o;
}

static json_t *range_json(const struct ui_range *r)
{
	if (!isfinite(r->min) || !isfinite(r->max) || !isfinite(r->current))
		return NULL;
	json_t *o = json_object();
	put(o, "min", number(r->min));
	put(o, "max", number(r->max));
	if (isfinite(r->step) && r->step > 0)
		put(o, "step", number(r->step));
	put(o, "current", number(r->current));
	return o;
}

static json_t *actions_json(const struct ui_node *n)
{
	if (n->n_actions == 0)
		return NULL;
	json_t *list = json_array();
	for (uint32_t i = 0; i < n->n_actions; i++)
		json_array_append_new(list, text(n->actions[i]));
	return list;
}

static json_t *ref_json(uint32_t ref)
{
	char s[16];
	if (ref == 0)
		return NULL;
	snprintf(s, sizeof(s), "e%u", (unsigned)ref);
	return json_string_nocheck(s);
}

static json_t *special(const struct ui_node *n, uint32_t index, enum ui_field_special which)
{
	switch (which) {
	case UI_KEY_INDEX: return json_integer(index);
	case UI_KEY_REF: return ref_json(n->ref);
	case UI_KEY_TYPE: return text(n->type ? n->type : ui_role_name(n->role));
	case UI_KEY_ROLE: return text(ui_role_name(n->role));
	case UI_KEY_VALUE: return ui_node_secret(n) ? NULL : text(n->value);
	case UI_KEY_RECT: return ui_has(n, UI_HAS_RECT) ? rect_json(n->rect) : NULL;
	case UI_KEY_RANGE: return ui_has(n, UI_HAS_RANGE) ? range_json(&n->range) : NULL;
	case UI_KEY_ACTIONS: return actions_json(n);
	case UI_KEY_DEPTH: return json_integer(n->depth);
	case UI_KEY_PARENT: return n->parent == UI_NONE ? NULL : json_integer(n->parent);
	}
	return NULL;
}

static json_t *field_json(const struct ui_node *n, uint32_t index, const struct ui_field *f)
{
	const void *member = (const char *)n + f->what;
	switch (f->kind) {
	case UI_FIELD_TEXT: return text(*(const char *const *)member);
	case UI_FIELD_FLAG: return ui_has(n, f->what) ? json_true() : NULL;
	case UI_FIELD_BOOL: return json_boolean(ui_has(n, f->what));
	case UI_FIELD_COUNT: {
		uint32_t count = *(const uint32_t *)member;
		return count ? json_integer(count) : NULL;
	}
	case UI_FIELD_SPECIAL: return special(n, index, (enum ui_field_special)f->what);
	}
	return NULL;
}

json_t *ui_node_to_json(const struct ui_tree *t, uint32_t index)
{
	const struct ui_node *n = &t->nodes[index];
	json_t *o = json_object();
	for (unsigned i = 0; o && i < ui_fields_count; i++)
		put(o, ui_fields[i].key, field_json(n, index, &ui_fields[i]));
	return o;
}

static json_t *quality_json(const struct ui_quality *q)
{
	if (!q->state || !q->backend)
		return NULL;
	json_t *o = json_object();
	put(o, "state", text(q->state));
	put(o, "backend", text(q->backend));
	put(o, "reason", text(q->reason));
	put(o, "reasonCode", text(q->reason_code));
	if (q->effective_depth)
		put(o, "effectiveDepth", json_integer(q->effective_depth));
	return o;
}

json_t *ui_tree_to_json(const struct ui_tree *t)
{
	json_t *o = json_object(), *nodes = json_array();
	for (uint32_t i = 0; nodes && i < t->count; i++)
		json_array_append_new(nodes, ui_node_to_json(t, i));
	put(o, "nodes", nodes);
	put(o, "truncated", json_boolean(t->truncated));
	put(o, "snapshotQuality", quality_json(&t->quality));
	put(o, "appName", text(t->app));
	put(o, "appBundleId", text(t->app_id));
	put(o, "surface", text(t->surface));
	put(o, "windowTitle", text(t->window_title));
	if (ui_rect_usable(t->screen))
		put(o, "screen", rect_json(t->screen));
	if (json_array_size(t->warnings) > 0)
		put(o, "warnings", json_deep_copy(t->warnings));
	if (t->dropped)
		put(o, "droppedNodes", json_integer(t->dropped));
	return o;
}
