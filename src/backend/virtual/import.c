#include "backend/virtual/import.h"

#include "backend/virtual/kinds.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A recorded node on its way into a scene: the widget made of it, and what it hangs from. */
struct import {
	json_t *stack[LIM_TREE_DEPTH]; /* children arrays of the open elements; borrowed */
	size_t depth;
	size_t nodes;
	bool too_deep;
};

static int kind_of_role(int role)
{
	for (int i = 0; i < VD_KIND_COUNT; i++)
		if (vd_kind_is_public((enum vd_kind)i) && (int)vd_kind_info((enum vd_kind)i)->role == role)
			return i;
	return VD_COLUMN;
}

static int kind_of_class(const char *name)
{
	for (int i = 0; i < VD_KIND_COUNT; i++)
		if (vd_kind_is_public((enum vd_kind)i) &&
		    strcmp(vd_kind_info((enum vd_kind)i)->type[VD_ANDROID], name) == 0)
			return i;
	return VD_COLUMN;
}

/* What was recorded may be out of all bounds; what a scene holds is not. */
static double bounded(double v)
{
	return fmin(LIM_SCENE_NUMBER, fmax(-LIM_SCENE_NUMBER, v));
}

static json_t *widget_json(int kind, double x, double y, double w, double h)
{
	json_t *o = json_object();
	jx_set_str(o, "type", vd_kind_info((enum vd_kind)kind)->word);
	json_t *at = json_array();
	const double numbers[] = { x, y, w, h };
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		json_array_append_new(at, json_real(bounded(numbers[i])));
	jx_set(o, "at", at);
	return o;
}

static void set_texts(json_t *o, int kind, const char *label, const char *value, const char *id)
{
	bool input = (vd_kind_info((enum vd_kind)kind)->traits & VT_TEXT_IN) != 0;
	if (label && *label)
		jx_set_str(o, "label", label);
	if (input && value && *value)
		jx_set_str(o, "text", value);
	if (id && *id)
		jx_set_str(o, "id", id);
}

/* --- snapshot --raw --json ------------------------------------------------------------------------ */

/* NULL: there is no range to make a control of. */
static json_t *control_json(const json_t *range)
{
	double min = bounded(jx_get_num(range, "min", 0)), max = bounded(jx_get_num(range, "max", 1));
	if (!range || max < min)
		return NULL;
	json_t *c = json_object();
	jx_set_num(c, "min", min);
	jx_set_num(c, "max", max);
	jx_set_num(c, "step", fmax(0, bounded(jx_get_num(range, "step", 0))));
	jx_set_num(c, "value", bounded(jx_get_num(range, "current", min)));
	jx_set_bool(c, "direct", true);
	return c;
}

static json_t *from_node(const json_t *n)
{
	const json_t *r = json_object_get(n, "rect");
	int role = ui_role_from_name(jx_get_str(n, "role", ""));
	int kind = kind_of_role(role < 0 ? UI_OTHER : role);
	bool numeric = (vd_kind_info((enum vd_kind)kind)->traits & VT_CONTROL) != 0;
	json_t *o = widget_json(kind, jx_get_num(r, "x", 0), jx_get_num(r, "y", 0),
	                        jx_get_num(r, "width", 0), jx_get_num(r, "height", 0));
	set_texts(o, kind, jx_get_str(n, "label", NULL), jx_get_str(n, "value", NULL),
	          jx_get_str(n, "identifier", NULL));
	jx_set_bool(o, "enabled", jx_get_bool(n, "enabled", true));
	if (jx_get_bool(n, "checked", false))
		jx_set_bool(o, "checked", true);
	json_t *control = numeric ? control_json(json_object_get(n, "range")) : NULL;
	if (control)
		jx_set(o, "control", control);
	return o;
}

static json_t *children_of(json_t *o)
{
	json_t *list = json_object_get(o, "children");
	if (!list) {
		list = json_array();
		json_object_set_new(o, "children", list);
	}
	return list;
}

static int import_nodes(const json_t *nodes, json_t *roots, const char *name, struct error *e)
{
	size_t n = json_array_size(nodes);
	json_t **made = calloc(n ? n : 1, sizeof(*made));
	if (!made)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	int r = 0;
	for (size_t i = 0; i < n && r == 0; i++) {
		const json_t *node = json_array_get(nodes, i);
		int64_t parent = jx_get_int(node, "parentIndex", -1);
		if (parent >= (int64_t)i) {
			r = error_set(e, ERR_INVALID_ARGS, "%s: node %zu names a later parent", name, i);
			break;
		}
		made[i] = from_node(node);
		json_array_append_new(parent < 0 ? roots : children_of(made[parent]), made[i]);
	}
	free(made);
	return r;
}

/* --- uiautomator dump ------------------------------------------------------------------------------ */

static const char *attribute(const XML_Char **a, const char *key)
{
	for (; a && *a; a += 2)
		if (strcmp(a[0], key) == 0)
			return a[1];
	return "";
}

static void XMLCALL xml_open(void *data, const XML_Char *tag, const XML_Char **a)
{
	struct import *im = data;
	if (im->depth + 1 >= LIM_TREE_DEPTH) {
		im->too_deep = true;
		return;
	}
	json_t *parent = im->stack[im->depth], *next = parent;
	if (strcmp(tag, "node") == 0) {
		int x1 = 0, y1 = 0, x2 = 0, y2 = 0;
		if (sscanf(attribute(a, "bounds"), "[%6d,%6d][%6d,%6d]", &x1, &y1, &x2, &y2) != 4)
			x1 = y1 = x2 = y2 = 0;
		int kind = strcmp(attribute(a, "password"), "true") == 0
		               ? VD_PASSWORD
		               : kind_of_class(attribute(a, "class"));
		/* Dumps are in pixels; the android flavour has two of them to a point. */
		json_t *o = widget_json(kind, x1 / 2.0, y1 / 2.0, (x2 - x1) / 2.0, (y2 - y1) / 2.0);
		const char *text = attribute(a, "text"), *desc = attribute(a, "content-desc");
		set_texts(o, kind, *desc ? desc : text, text, attribute(a, "resource-id"));
		jx_set_bool(o, "enabled", strcmp(attribute(a, "enabled"), "false") != 0);
		if (strcmp(attribute(a, "checked"), "true") == 0)
			jx_set_bool(o, "checked", true);
		next = children_of(o);
		json_array_append_new(parent, o);
		im->nodes++;
	}
	im->stack[++im->depth] = next;
}

static void XMLCALL xml_close(void *data, const XML_Char *tag)
{
	(void)tag;
	struct import *im = data;
	if (im->depth > 0)
		im->depth--;
}

static int import_xml(const char *text, size_t len, json_t *roots, const char *name,
                      struct error *e)
{
	struct import *im = calloc(1, sizeof(*im));
	XML_Parser p = im ? XML_ParserCreate("UTF-8") : NULL;
	if (!p) {
		free(im);
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	im->stack[0] = roots;
	XML_SetUserData(p, im);
	XML_SetElementHandler(p, xml_open, xml_close);
	int r = 0;
	if (XML_Parse(p, text, (int)len, 1) == XML_STATUS_ERROR)
		r = error_set(
		    e, ERR_INVALID_ARGS, "%s:%lu:%lu: %s", name, (unsigned long)XML_GetCurrentLineNumber(p),
		    (unsigned long)XML_GetCurrentColumnNumber(p) + 1, XML_ErrorString(XML_GetErrorCode(p)));
	else if (im->too_deep)
		r = error_set(e, ERR_LIMIT_EXCEEDED, "%s is deeper than %d elements", name, LIM_TREE_DEPTH);
	else if (im->nodes == 0)
		r = error_set(e, ERR_INVALID_ARGS, "%s holds no node", name);
	XML_ParserFree(p);
	free(im);
	return r;
}

/* --- both ------------------------------------------------------------------------------------------ */

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p;
}

bool vd_import_wanted(const char *text, size_t len)
{
	const char *p = skip_blanks(text, text + len), *end = text + len;
	if (p < end && *p == '<')
		return true;
	/* A scene says so within its first bytes; a recorded snapshot has nodes instead. */
	auto_json json_t *j = p < end && *p == '{' ? jx_parse(text, len, NULL) : NULL;
	const json_t *data = json_object_get(j, "data");
	return json_is_array(json_object_get(j, "nodes")) ||
	       json_is_array(json_object_get(data, "nodes"));
}

int vd_import(const char *text, size_t len, const char *name, struct buf *out, struct error *e)
{
	auto_json json_t *roots = json_array();
	const char *p = skip_blanks(text, text + len);
	int r;
	if (*p == '<') {
		r = import_xml(text, len, roots, name, e);
	} else {
		auto_json json_t *j = jx_parse(text, len, e);
		if (!j)
			return error_prefix(e, "%s", name);
		const json_t *data = json_object_get(j, "data");
		const json_t *nodes = json_object_get(j, "nodes");
		r = import_nodes(nodes ? nodes : json_object_get(data, "nodes"), roots, name, e);
	}
	if (r < 0)
		return r;
	auto_json json_t *scene =
	    json_pack("{s:i, s:{s:s, s:s}, s:[{s:s, s:O}]}", "scene", 1, "app", "id", "recorded",
	              "name", name, "screens", "id", "recorded", "body", roots);
	if (!scene || !jx_dump(scene, false, out))
		return error_set(e, ERR_LIMIT_EXCEEDED, "%s is too large for a scene", name);
	return 0;
}
