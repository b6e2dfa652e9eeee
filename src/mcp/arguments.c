#include "mcp/arguments.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "wire/caller.h"

#include <string.h>

json_t *mcp_arguments_take(const json_t *params)
{
	json_t *given = json_object_get(params, "arguments");
	if (!given || json_is_null(given))
		return json_object();
	if (json_is_object(given))
		return json_incref(given);
	const char *text = json_string_value(given);
	if (!text)
		return NULL;
	json_t *parsed = *text ? jx_parse(text, strlen(text), NULL) : json_object();
	if (json_is_object(parsed))
		return parsed;
	json_decref(parsed);
	return NULL;
}

/* What the server was started with holds where the call says nothing. */
static void add_defaults(json_t *globals, const json_t *defaults)
{
	static const char *const names[] = { "session", "platform", "device", "timeout" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		json_t *value = json_object_get(defaults, names[i]);
		if (value && !json_object_get(globals, names[i]))
			json_object_set(globals, names[i], value);
	}
}

int mcp_arguments_check(const struct cmd_spec *spec, json_t *args, const json_t *defaults,
                        json_t **ret_globals, struct error *e)
{
	auto_json json_t *globals = NULL;
	int r = cmd_take_globals(spec, args, true, &globals, e);
	if (r == 0)
		r = cmd_check_args(spec, args, true, e);
	for (size_t i = 0; r == 0 && i < spec->n_params; i++)
		if (spec->params[i].type == CMD_PATH)
			r = wire_absolute_path(args, spec->params[i].name, e);
	if (r < 0)
		return r;
	add_defaults(globals, defaults);
	*ret_globals = TAKE(globals);
	return 0;
}

static bool takes(const struct cmd_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->n_params; i++)
		if (strcmp(spec->params[i].name, name) == 0 && spec->params[i].where != CMD_ONLY_CLI)
			return true;
	return false;
}

void mcp_arguments_for_image(const struct cmd_spec *spec, json_t *args, const char *id)
{
	if (!(spec->traits & CMD_IMAGE))
		return;
	auto_buf struct buf name;
	buf_init(&name, LIM_PATH);
	buf_addf(&name, "%s-%s.png", spec->name, id);
	if (takes(spec, "name") && !json_object_get(args, "name") && !json_object_get(args, "path"))
		jx_set_str(args, "name", name.data);
	if (takes(spec, "maxSize") && !json_object_get(args, "maxSize"))
		jx_set_int(args, "maxSize", LIM_MCP_IMAGE_SIDE);
}
