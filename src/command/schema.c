/* JSON Schemas for MCP, in the plainest dialect: strict clients refuse a property without exactly
 * one string type, enums of anything but strings, union types, $ref and const. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "command/spec_internal.h"

static const char *schema_type(const struct cmd_param *p)
{
	switch (p->type) {
	case CMD_INT: return "integer";
	case CMD_NUMBER: return "number";
	case CMD_BOOL: return "boolean";
	case CMD_LIST: return "array";
	default: return "string";
	}
}

static void add_enum(json_t *o, const struct cmd_param *p)
{
	json_t *list = json_array();

	for (const char *const *v = p->values; *v; v++)
		json_array_append_new(list, json_string(*v));
	jx_set(o, "enum", list);
}

static void add_default(json_t *o, const struct cmd_param *p)
{
	json_t *v = p->type == CMD_LIST ? NULL : cmd_value_from_text(p, p->dflt, NULL);

	if (v)
		jx_set(o, "default", v);
}

static void add_description(json_t *o, const struct cmd_param *p)
{
	auto_buf struct buf b;

	buf_init(&b, LIM_ERROR_TEXT);
	buf_adds(&b, p->help);
	if (p->unit && !p->has_min && !p->has_max)
		buf_addf(&b, " (%s)", p->unit);
	jx_set_str(o, "description", b.data);
}

static json_t *schema_of(const struct cmd_param *p)
{
	json_t *o = json_object();

	jx_set_str(o, "type", schema_type(p));
	add_description(o, p);
	if (p->values)
		add_enum(o, p);
	if (p->has_min)
		jx_set_num(o, "minimum", p->min);
	if (p->has_max)
		jx_set_num(o, "maximum", p->max);
	if (p->type == CMD_LIST)
		jx_set(o, "items", json_pack("{s:s}", "type", "string"));
	if (p->dflt)
		add_default(o, p);
	return o;
}

json_t *cmd_schema(const struct cmd_spec *spec)
{
	json_t *schema = json_object(), *props = json_object(), *required = json_array();

	for (size_t i = 0; i < spec->n_params; i++) {
		const struct cmd_param *p = &spec->params[i];

		if (p->where == CMD_ONLY_CLI)
			continue;
		jx_set(props, p->name, schema_of(p));
		if (p->required)
			json_array_append_new(required, json_string(p->name));
	}
	for (size_t i = 0; i < cmd_n_global_params; i++) {
		const struct cmd_param *p = &cmd_global_params[i];

		if (p->where != CMD_ONLY_CLI && !json_object_get(props, p->name))
			jx_set(props, p->name, schema_of(p));
	}
	jx_set_str(schema, "type", "object");
	jx_set(schema, "properties", props);
	if (json_array_size(required))
		jx_set(schema, "required", required);
	else
		json_decref(required);
	jx_set_bool(schema, "additionalProperties", false);
	return schema;
}
