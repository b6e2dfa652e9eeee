/* The table itself: well formed, explained, fit for strict MCP clients, and the same in the client. */
#include "command/spec.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "words.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The generated table of the client, compiled under another name. */
const struct cmd_spec *const *client_specs(size_t *ret_n);

static void every_name_is_taken_once(void **state)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	assert_true(n >= 22);
	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(cmd_spec_find(all[i]->name), all[i]);
		for (const char *const *a = all[i]->aliases; a && *a; a++)
			assert_ptr_equal(cmd_spec_find(*a), all[i]);
	}
	assert_null(cmd_spec_find("no-such-command"));
	assert_null(cmd_spec_find(NULL));
}

static bool is_help_line(const char *s)
{
	return s && *s && !strchr(s, '\n') && s[strlen(s) - 1] != '.';
}

static void check_param(const struct cmd_spec *s, size_t i)
{
	const struct cmd_param *p = &s->params[i];

	assert_true(is_help_line(p->help));
	assert_true(islower((unsigned char)p->name[0]));
	assert_true((p->type == CMD_ENUM) == (p->values != NULL));
	assert_false(p->required && p->dflt);
	assert_false(p->has_min && p->has_max && p->min > p->max);
	for (size_t k = 0; k < i; k++) {
		assert_string_not_equal(s->params[k].name, p->name);
		assert_false(p->letter && s->params[k].letter == p->letter);
	}
	for (size_t k = 0; k < cmd_n_global_params; k++)
		assert_false(p->letter && cmd_global_params[k].letter == p->letter);
}

/* What takes the rest of the line stands last, and nothing required behind something optional. */
static void check_positionals(const struct cmd_spec *s)
{
	bool optional = false, rest = false;

	for (size_t i = 0; i < s->n_params; i++) {
		const struct cmd_param *p = &s->params[i];

		if (!p->positional)
			continue;
		assert_false(rest);
		assert_false(optional && p->required);
		optional |= !p->required;
		rest |= p->type == CMD_WORDS || p->type == CMD_LIST;
		assert_true(p->type != CMD_BOOL);
	}
}

static void every_entry_is_well_formed(void **state)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++) {
		const struct cmd_spec *s = all[i];

		assert_true(is_help_line(s->summary));
		assert_non_null(s->group);
		assert_non_null(s->examples);
		assert_non_null(s->examples[0]);
		assert_true(s->exposure & (CMD_CLI | CMD_MCP));
		assert_false((s->traits & CMD_LOCAL) && (s->exposure & CMD_MCP));
		for (size_t k = 0; k < s->n_params; k++)
			check_param(s, k);
		check_positionals(s);
	}
}

static void check_example(const struct cmd_spec *s, const char *line)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = NULL;
	auto_json json_t *globals = NULL;
	struct words w;

	assert_int_equal(strncmp(line, "deft ", 5), 0);
	words_split(line, &w);
	assert_true(w.argc > 0);
	/* a tool of MCP only shows the command that does the same */
	if (cmd_on_cli(s))
		assert_ptr_equal(cmd_spec_find(w.argv[0]), s);
	s = cmd_spec_find(w.argv[0]);
	assert_non_null(s);
	if (cmd_parse_argv(s, w.argc - 1, w.argv + 1, &args, &globals, &e) < 0)
		fail_msg("%s: %s", line, e.message);
}

static void every_example_parses(void **state)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++)
		for (const char *const *x = all[i]->examples; *x; x++)
			check_example(all[i], *x);
}

static void every_help_ends_with_an_example_that_parses(void **state)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++) {
		auto_buf struct buf help;
		char *last;

		buf_init(&help, LIM_HELP_TEXT);
		cmd_help_text(all[i], 80, &help);
		assert_false(help.over);
		assert_true(help.len > 2 && help.data[help.len - 1] == '\n');
		help.data[help.len - 1] = '\0';
		last = strrchr(help.data, '\n') + 1;
		assert_int_equal(strncmp(last, "  deft ", 7), 0);
		check_example(all[i], last + 2);
		assert_non_null(strstr(help.data, all[i]->name));
	}
}

static void assert_width(const char *text, size_t width)
{
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n"), blanks = strspn(line, " ");

		/* a word that is longer than the line, and examples, stay whole */
		if (len > width && memchr(line + blanks, ' ', len - blanks) &&
		    strncmp(line + blanks, "deft ", 5) && strncmp(line, "Usage: ", 7))
			fail_msg("longer than %zu: %.*s", width, (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static void help_keeps_the_width(void **state)
{
	static const int widths[] = { 60, 80, 100 };
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t k = 0; k < ARRAY_SIZE(widths); k++) {
		auto_buf struct buf help;

		buf_init(&help, LIM_HELP_TEXT);
		for (size_t i = 0; i < n; i++)
			cmd_help_text(all[i], widths[k], &help);
		cmd_help_overview(widths[k], &help);
		assert_false(help.over);
		assert_width(help.data, (size_t)widths[k]);
	}
}

static void the_overview_names_every_command_and_global_flag(void **state)
{
	auto_buf struct buf help;
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_init(&help, LIM_HELP_TEXT);
	cmd_help_overview(0, &help);
	for (size_t i = 0; i < n; i++) {
		char line[64];

		if (!cmd_on_cli(all[i]))
			continue;
		snprintf(line, sizeof(line), "\n  %s ", all[i]->name);
		assert_non_null(strstr(help.data, line));
	}
	for (size_t i = 0; i < cmd_n_global_params; i++) {
		char flag[64];

		cmd_flag_name(&cmd_global_params[i], flag, sizeof(flag));
		assert_non_null(strstr(help.data, flag));
	}
}

/* --- MCP --------------------------------------------------------------------------------------- */

static void check_string_enum(const json_t *list)
{
	size_t i;
	json_t *v;

	json_array_foreach(list, i, v) assert_true(json_is_string(v));
}

static void check_property(const json_t *p)
{
	static const char *const types[] = { "string", "integer", "number", "boolean", "array" };
	static const char *const keys[] = { "type",    "description", "enum", "minimum",
		                                "maximum", "default",     "items" };
	const char *type = jx_get_str(p, "type", "");
	const char *key;
	json_t *v;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		known |= !strcmp(types[i], type);
	assert_true(known);
	json_object_foreach((json_t *)p, key, v)
	{
		known = false;
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			known |= !strcmp(keys[i], key);
		if (!known)
			fail_msg("a property has the keyword %s", key);
	}
	check_string_enum(json_object_get(p, "enum"));
	if (json_object_get(p, "enum"))
		assert_string_equal(type, "string");
	if (!strcmp(type, "array"))
		assert_string_equal(jx_get_str(json_object_get(p, "items"), "type", ""), "string");
	assert_true(jx_get_str(p, "description", "")[0]);
}

static void check_tool_name(const char *name)
{
	size_t len = strlen(name);

	assert_in_range(len, 1, 64);
	assert_int_equal(
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"), len);
}

static void schemas_please_strict_clients(void **state)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++) {
		auto_json json_t *schema = NULL;
		const char *key;
		json_t *p;
		size_t k;

		if (!(all[i]->exposure & CMD_MCP))
			continue;
		schema = cmd_schema(all[i]);
		check_tool_name(all[i]->name);
		assert_string_equal(jx_get_str(schema, "type", ""), "object");
		assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
		json_object_foreach(schema, key, p)
		    assert_true(!strcmp(key, "type") || !strcmp(key, "properties") ||
		                !strcmp(key, "required") || !strcmp(key, "additionalProperties"));
		json_object_foreach(json_object_get(schema, "properties"), key, p)
		{
			check_tool_name(key);
			check_property(p);
		}
		json_array_foreach(json_object_get(schema, "required"), k, p) assert_non_null(
		    json_object_get(json_object_get(schema, "properties"), json_string_value(p)));
	}
}

static void the_schemas_are_small(void **state)
{
	size_t n, bytes = 0;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++) {
		auto_json json_t *schema = cmd_schema(all[i]);
		char *text = json_dumps(schema, JSON_COMPACT);

		if (all[i]->exposure & CMD_MCP)
			bytes += strlen(text) + strlen(all[i]->name) + strlen(all[i]->summary) + 60;
		free(text);
	}
	assert_in_range(bytes, 1000, 40 * 1024);
}

static void a_defaults_value_has_the_schemas_type(void **state)
{
	auto_json json_t *schema = cmd_schema(cmd_spec_find("press"));
	json_t *props = json_object_get(schema, "properties");

	assert_int_equal(
	    json_integer_value(json_object_get(json_object_get(props, "count"), "default")), 1);
	assert_string_equal(jx_get_str(json_object_get(props, "button"), "default", ""), "primary");
	assert_int_equal(jx_get_int(json_object_get(props, "count"), "maximum", 0), 200);
	assert_null(json_object_get(props, "json"));
	assert_non_null(json_object_get(props, "session"));
}

/* --- the client's table ------------------------------------------------------------------------ */

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_list(const char *const *a, const char *const *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && *b; a++, b++)
		if (!same(*a, *b))
			return false;
	return *a == *b;
}

static void assert_same_param(const struct cmd_param *a, const struct cmd_param *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->positional, b->positional);
	assert_int_equal(a->required, b->required);
	assert_int_equal(a->letter, b->letter);
	assert_int_equal(a->has_min, b->has_min);
	assert_int_equal(a->has_max, b->has_max);
	assert_true(a->min == b->min && a->max == b->max);
	assert_true(same(a->dflt, b->dflt));
	assert_true(same_list(a->values, b->values));
	assert_true(same(a->unit, b->unit));
	assert_int_equal(a->complete, b->complete);
	assert_int_equal(a->where, b->where);
	assert_int_equal(a->budget, b->budget);
	assert_int_equal(a->strict, b->strict);
	assert_string_equal(a->help, b->help);
}

static void the_clients_table_is_the_daemons(void **state)
{
	size_t n, m;
	const struct cmd_spec *const *own = cmd_specs(&n), *const *client = client_specs(&m);

	assert_int_equal(n, m);
	for (size_t i = 0; i < n; i++) {
		const struct cmd_spec *a = own[i], *b = client[i];

		assert_string_equal(a->name, b->name);
		assert_string_equal(a->summary, b->summary);
		assert_true(same(a->details, b->details));
		assert_string_equal(a->group, b->group);
		assert_true(same_list(a->aliases, b->aliases));
		assert_true(same_list(a->examples, b->examples));
		assert_int_equal(a->exposure, b->exposure);
		assert_int_equal(a->traits, b->traits);
		assert_int_equal(a->timeout_ms, b->timeout_ms);
		assert_int_equal(a->n_params, b->n_params);
		for (size_t k = 0; k < a->n_params; k++)
			assert_same_param(&a->params[k], &b->params[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_taken_once),
		cmocka_unit_test(every_entry_is_well_formed),
		cmocka_unit_test(every_example_parses),
		cmocka_unit_test(every_help_ends_with_an_example_that_parses),
		cmocka_unit_test(help_keeps_the_width),
		cmocka_unit_test(the_overview_names_every_command_and_global_flag),
		cmocka_unit_test(schemas_please_strict_clients),
		cmocka_unit_test(the_schemas_are_small),
		cmocka_unit_test(a_defaults_value_has_the_schemas_type),
		cmocka_unit_test(the_clients_table_is_the_daemons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
