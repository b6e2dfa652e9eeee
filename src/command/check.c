/* Checking and completing a command's arguments. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"
#include "command/spec_internal.h"

#include <math.h>
#include <string.h>

/* --- what is allowed, as text ------------------------------------------------------------------ */

void cmd_range_text(const struct cmd_param *p, struct buf *out)
{
	if (p->values) {
		for (const char *const *v = p->values; *v; v++)
			buf_addf(out, "%s%s", v == p->values ? "" : "|", *v);
		return;
	}
	if (!p->has_min && !p->has_max)
		return;
	if (p->has_min && p->has_max) {
		buf_add_number(out, p->min);
		buf_adds(out, "..");
		buf_add_number(out, p->max);
	} else {
		buf_adds(out, p->has_min ? "at least " : "at most ");
		buf_add_number(out, p->has_min ? p->min : p->max);
	}
	if (p->unit)
		buf_addf(out, " %s", p->unit);
}

/* "count: 300 is out of range (1..200)" with details {parameter, value, allowed}. */
static int bad_value(const struct cmd_param *p, const json_t *value, const char *problem,
                     struct error *e)
{
	auto_buf struct buf shown, allowed;
	auto_free char *safe = NULL;

	buf_init(&shown, LIM_ERROR_TEXT);
	buf_init(&allowed, LIM_ERROR_TEXT);
	if (json_is_string(value)) {
		safe = utf8_repair(json_string_value(value), json_string_length(value), 80, NULL);
		buf_add_quoted(&shown, safe ? safe : "");
	} else if (json_is_number(value)) {
		buf_add_number(&shown, json_number_value(value));
	} else {
		auto_free char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

		safe = dump ? utf8_repair(dump, strlen(dump), 80, NULL) : NULL;
		buf_adds(&shown, safe ? safe : "the value");
	}
	cmd_range_text(p, &allowed);
	error_set(e, ERR_INVALID_ARGS, "%s: %s %s%s%s%s", p->name, shown.data, problem,
	          allowed.len ? " (" : "", allowed.data, allowed.len ? ")" : "");
	error_detail_str(e, "parameter", p->name);
	error_detail_str(e, "value", shown.data);
	if (allowed.len)
		error_detail_str(e, "allowed", allowed.data);
	return -ERR_INVALID_ARGS;
}

/* --- values ------------------------------------------------------------------------------------ */

static bool is_whole(double v)
{
	return v == floor(v) && fabs(v) <= 9007199254740992.0;
}

/* Replaces the value by the number it stands for, an integer when it is one. */
static void put_number(json_t **value, double v)
{
	json_decref(*value);
	*value = is_whole(v) ? json_integer((json_int_t)v) : json_real(v);
}

static int check_number(const struct cmd_param *p, json_t **value, bool lenient, struct error *e)
{
	bool whole = p->type == CMD_INT;
	double v;

	if (json_is_number(*value))
		v = json_number_value(*value);
	else if (!lenient || !json_is_string(*value) || !number_parse(json_string_value(*value), &v))
		return bad_value(p, *value, whole ? "is not a whole number" : "is not a number", e);
	if (whole && !is_whole(v))
		return bad_value(p, *value, "is not a whole number", e);
	put_number(value, v);
	if ((p->has_min && v < p->min) || (p->has_max && v > p->max))
		return bad_value(p, *value, "is out of range", e);
	return 0;
}

static int check_bool(const struct cmd_param *p, json_t **value, bool lenient, struct error *e)
{
	const char *s = json_string_value(*value);

	if (json_is_boolean(*value))
		return 0;
	if (!lenient || !s || (strcmp(s, "true") && strcmp(s, "false")))
		return bad_value(p, *value, "is not true or false", e);
	bool on = !strcmp(s, "true");
	json_decref(*value);
	*value = json_boolean(on);
	return 0;
}

static int check_enum(const struct cmd_param *p, json_t **value, struct error *e)
{
	const char *s = json_string_value(*value), *near;
	size_t n = 0;

	for (; p->values[n]; n++)
		if (s && !strcmp(p->values[n], s))
			return 0;
	bad_value(p, *value, "is none of the allowed words", e);
	near = cmd_nearest(s, p->values, n);
	if (near)
		error_hint(e, "did you mean \"%s\"?", near);
	return -ERR_INVALID_ARGS;
}

static int check_string(const struct cmd_param *p, json_t **value, struct error *e)
{
	if (!json_is_string(*value))
		return bad_value(p, *value, "is not text", e);
	if (p->type != CMD_TEXT && json_string_length(*value) == 0)
		return bad_value(p, *value, "is empty", e);
	/* Names, paths and targets end at a NUL for the system; text to enter can't hold one either. */
	if (strlen(json_string_value(*value)) != json_string_length(*value))
		return bad_value(p, *value, "holds a NUL character", e);
	return 0;
}

static int check_list(const struct cmd_param *p, json_t **value, bool lenient, struct error *e)
{
	size_t i;
	json_t *item;

	if (lenient && json_is_string(*value)) {
		json_t *list = json_pack("[o]", *value);

		if (!list)
			return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
		*value = list;
	}
	if (!json_is_array(*value))
		return bad_value(p, *value, "is not a list of strings", e);
	json_array_foreach(*value, i, item)
	{
		if (!json_is_string(item) || strlen(json_string_value(item)) != json_string_length(item))
			return bad_value(p, item, "is no string of the list", e);
	}
	return 0;
}

int cmd_check_value(const struct cmd_param *p, json_t **value, bool lenient, struct error *e)
{
	switch (p->type) {
	case CMD_INT:
	case CMD_NUMBER: return check_number(p, value, lenient, e);
	case CMD_BOOL: return check_bool(p, value, lenient, e);
	case CMD_ENUM: return check_enum(p, value, e);
	case CMD_LIST: return check_list(p, value, lenient, e);
	default: return check_string(p, value, e);
	}
}

json_t *cmd_value_from_text(const struct cmd_param *p, const char *text, struct error *e)
{
	json_t *v = json_string(text);

	if (!v) {
		error_set(e, ERR_INVALID_ARGS, "%s: the value is not valid UTF-8", p->name);
		error_hint(e, "give the text in UTF-8");
		return NULL;
	}
	if (p->type == CMD_LIST)
		return v;
	if (cmd_check_value(p, &v, true, e) < 0) {
		json_decref(v);
		return NULL;
	}
	return v;
}

int cmd_point_to_help(const struct cmd_spec *spec, struct error *e)
{
	if (!e)
		return -ERR_INVALID_ARGS;
	if (e->hint && strcmp(e->hint, error_default_hint(e->code)) != 0)
		return -(int)e->code;
	return error_hint(e, "see `deft help %s`", spec->name);
}

/* --- whole argument objects -------------------------------------------------------------------- */

int cmd_check_known(const struct cmd_param *params, size_t n, json_t *args, bool lenient,
                    struct error *e)
{
	for (size_t i = 0; i < n; i++) {
		json_t *v = json_object_get(args, params[i].name);
		int r;

		if (!v)
			continue;
		if (json_is_null(v)) {
			json_object_del(args, params[i].name);
			continue;
		}
		json_incref(v);
		r = cmd_check_value(&params[i], &v, lenient && !params[i].strict, e);
		/* jansson keeps the key's place when it exists already */
		if (json_object_set_new(args, params[i].name, v) < 0 && r == 0)
			r = error_set(e, ERR_INTERNAL_ERROR, "out of memory");
		if (r < 0)
			return r;
	}
	return 0;
}

static int refuse_unknown(const struct cmd_spec *spec, const char *key, struct error *e)
{
	const char *names[128], *near;
	size_t n = 0;

	for (size_t i = 0; i < spec->n_params && n < ARRAY_SIZE(names); i++)
		names[n++] = spec->params[i].name;
	error_set(e, ERR_INVALID_ARGS, "`%s` has no parameter \"%.80s\"", spec->name, key);
	error_detail_str(e, "parameter", key);
	near = cmd_nearest(key, names, n);
	if (near)
		error_hint(e, "did you mean \"%s\"?", near);
	else
		error_hint(e, "see `deft help %s`", spec->name);
	return -ERR_INVALID_ARGS;
}

static int complete(const struct cmd_spec *spec, json_t *args, struct error *e)
{
	for (size_t i = 0; i < spec->n_params; i++) {
		const struct cmd_param *p = &spec->params[i];
		json_t *v;

		if (json_object_get(args, p->name))
			continue;
		if (p->required) {
			auto_buf struct buf allowed;

			buf_init(&allowed, LIM_ERROR_TEXT);
			cmd_range_text(p, &allowed);
			error_set(e, ERR_INVALID_ARGS, "`%s` needs %s: %s%s%s%s", spec->name, p->name, p->help,
			          allowed.len ? " (" : "", allowed.data, allowed.len ? ")" : "");
			error_detail_str(e, "parameter", p->name);
			return error_hint(e, "for example `%s`; see `deft help %s`",
			                  spec->examples ? spec->examples[0] : spec->name, spec->name);
		}
		if (!p->dflt)
			continue;
		v = cmd_value_from_text(p, p->dflt, e);
		if (!v || json_object_set_new(args, p->name, v) < 0)
			return error_set(e, ERR_INTERNAL_ERROR, "the default of %s does not fit", p->name);
	}
	return 0;
}

int cmd_check_args(const struct cmd_spec *spec, json_t *args, bool lenient, struct error *e)
{
	const char *key;
	json_t *value;
	int r;

	if (!json_is_object(args))
		return error_set(e, ERR_INVALID_ARGS, "the arguments of `%s` are no object", spec->name);
	json_object_foreach(args, key, value)
	{
		if (!(spec->traits & CMD_LOOSE) && !cmd_param_find(spec->params, spec->n_params, key))
			return refuse_unknown(spec, key, e);
	}
	r = cmd_check_known(spec->params, spec->n_params, args, lenient, e);
	if (r == 0)
		r = complete(spec, args, e);
	return r < 0 ? cmd_point_to_help(spec, e) : 0;
}

int cmd_take_globals(const struct cmd_spec *spec, json_t *args, bool lenient, json_t **ret_globals,
                     struct error *e)
{
	auto_json json_t *globals = json_object();
	int r;

	for (size_t i = 0; i < cmd_n_global_params; i++) {
		const struct cmd_param *p = &cmd_global_params[i];
		json_t *v = json_object_get(args, p->name);

		if (!v || p->where == CMD_ONLY_CLI || cmd_param_find(spec->params, spec->n_params, p->name))
			continue;
		json_object_set(globals, p->name, v);
		json_object_del(args, p->name);
	}
	r = cmd_check_known(cmd_global_params, cmd_n_global_params, globals, lenient, e);
	if (r < 0)
		return r;
	*ret_globals = TAKE(globals);
	return 0;
}
