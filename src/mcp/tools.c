#include "mcp/tools.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <ctype.h>
#include <string.h>

static bool is_tool(const struct cmd_spec *spec)
{
	return spec->exposure & CMD_MCP;
}

const struct cmd_spec *mcp_tool_find(const char *name)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);
	for (size_t i = 0; i < n; i++)
		if (is_tool(all[i]) && strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

const char *mcp_tool_nearest(const char *name)
{
	size_t n, n_names = 0;
	const struct cmd_spec *const *all = cmd_specs(&n), *alias = cmd_spec_find(name);
	if (alias && is_tool(alias))
		return alias->name;
	auto_free const char **names = calloc(n + 1, sizeof(*names));
	if (!names)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (is_tool(all[i]))
			names[n_names++] = all[i]->name;
	return cmd_nearest(name, names, n_names);
}

/* For people: "wait_for" becomes "Wait for". */
static void set_title(json_t *o, const char *name)
{
	auto_free char *title = strdup(name);
	if (!title)
		return;
	title[0] = (char)toupper((unsigned char)title[0]);
	for (char *c = title; *c; c++)
		if (*c == '_' || *c == '-')
			*c = ' ';
	jx_set_str(o, "title", title);
}

static json_t *annotations(const struct cmd_spec *spec)
{
	json_t *a = json_object();
	set_title(a, spec->name);
	jx_set_bool(a, "readOnlyHint", spec->traits & CMD_READ_ONLY);
	return a;
}

static json_t *tool(const struct cmd_spec *spec, enum mcp_version v)
{
	json_t *t = json_object();
	jx_set_str(t, "name", spec->name);
	if (mcp_has_structured(v))
		set_title(t, spec->name);
	jx_set_str(t, "description", spec->summary);
	jx_set(t, "inputSchema", cmd_schema(spec));
	if (mcp_has_annotations(v))
		jx_set(t, "annotations", annotations(spec));
	return t;
}

void mcp_add_tool_list(struct buf *b, enum mcp_version v)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);
	bool first = true;
	buf_adds(b, "{\"tools\":[");
	for (size_t i = 0; i < n; i++) {
		if (!is_tool(all[i]))
			continue;
		auto_json json_t *t = tool(all[i], v);
		if (!first)
			buf_addc(b, ',');
		first = false;
		jx_dump(t, false, b);
	}
	buf_adds(b, "]}");
}
