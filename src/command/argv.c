/* Command lines: argv into arguments (agent surface 1.14). Words are sorted into flags and
 * positionals first; positionals are handed to the parameters when all are known. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "base/number.h"
#include "command/spec_internal.h"

#include <string.h>

struct line {
	const struct cmd_spec *spec;
	int argc;
	const char *const *argv;
	int at;                 /* next word */
	json_t *args, *globals; /* borrowed */
	const char **words;     /* positionals, n_words */
	size_t n_words;
};

static bool is_number(const char *s)
{
	double v;

	return number_parse(s, &v);
}

/* "-5" is a number, "-" a file name by custom; everything else that starts with a dash is a flag. */
static bool is_flag(const char *s)
{
	return s[0] == '-' && s[1] && !is_number(s);
}

/* --- flags ------------------------------------------------------------------------------------- */

static const struct cmd_param *flag_in(const struct cmd_param *params, size_t n, const char *name,
                                       size_t len)
{
	char flag[CMD_FLAG_NAME];

	for (size_t i = 0; i < n; i++) {
		if (params[i].where == CMD_ONLY_MCP || params[i].positional)
			continue;
		cmd_flag_name(&params[i], flag, sizeof(flag));
		if (strlen(flag) == len && !strncmp(flag, name, len))
			return &params[i];
	}
	return NULL;
}

static const struct cmd_param *letter_in(const struct cmd_param *params, size_t n, char letter)
{
	for (size_t i = 0; i < n; i++)
		if (params[i].letter == letter && params[i].where != CMD_ONLY_MCP)
			return &params[i];
	return NULL;
}

/* The commands that do have the flag: "press, swipe". */
static void flag_owners(const char *name, size_t len, struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++)
		if (cmd_on_cli(all[i]) && flag_in(all[i]->params, all[i]->n_params, name, len))
			buf_addf(out, "%s`%s`", out->len ? ", " : "", all[i]->name);
}

static const char *nearest_flag(const struct cmd_spec *spec, const char *name, char *store,
                                size_t size)
{
	char flags[160][CMD_FLAG_NAME];
	const char *names[160], *near;
	size_t n = 0;

	for (size_t i = 0; i < spec->n_params + cmd_n_global_params && n < ARRAY_SIZE(names); i++) {
		const struct cmd_param *p =
		    i < spec->n_params ? &spec->params[i] : &cmd_global_params[i - spec->n_params];

		if (p->positional || p->where == CMD_ONLY_MCP)
			continue;
		cmd_flag_name(p, flags[n], CMD_FLAG_NAME);
		names[n] = flags[n] + 2;
		n++;
	}
	near = cmd_nearest(name, names, n);
	if (!near)
		return NULL;
	snprintf(store, size, "--%s", near);
	return store;
}

static int unknown_flag(const struct line *l, const char *word, size_t len, struct error *e)
{
	auto_buf struct buf owners;
	char near[CMD_FLAG_NAME], bare[CMD_FLAG_NAME];
	size_t skip = strspn(word, "-");

	buf_init(&owners, LIM_ERROR_TEXT);
	flag_owners(word, len, &owners);
	if (owners.len) {
		error_set(e, ERR_INVALID_ARGS, "`%s` does not take %.*s; it is a flag of %s", l->spec->name,
		          (int)len, word, owners.data);
		error_hint(e, "see `deft help %s`", l->spec->name);
	} else {
		error_set(e, ERR_INVALID_ARGS, "unknown flag %.*s", (int)(len < 80 ? len : 80), word);
		snprintf(bare, sizeof(bare), "%.*s", (int)(len - skip), word + skip);
		if (nearest_flag(l->spec, bare, near, sizeof(near)))
			error_hint(e, "did you mean %s?", near);
		else
			error_hint(e, "see `deft help %s`; text that starts with a dash goes behind --",
			           l->spec->name);
	}
	return error_detail_str(e, "flag", word);
}

static int flag_store(struct line *l, const struct cmd_param *p, bool global, const char *text,
                      struct error *e)
{
	json_t *into = global ? l->globals : l->args, *list, *v;

	v = p->type == CMD_BOOL ? json_true() : cmd_value_from_text(p, text, e);
	if (!v)
		return -ERR_INVALID_ARGS;
	list = json_object_get(into, p->name);
	if (p->type == CMD_LIST) {
		if (!list) {
			list = json_array();
			json_object_set_new(into, p->name, list);
		}
		json_array_append_new(list, v);
		return 0;
	}
	if (list && p->type != CMD_BOOL) {
		json_decref(v);
		error_set(e, ERR_INVALID_ARGS, "%s is given twice", p->name);
		return error_hint(e, "give it once");
	}
	json_object_set_new(into, p->name, v);
	return 0;
}

/* The value that belongs to a flag: its "=value", or the next word. NULL with e filled. */
static const char *flag_value(struct line *l, const struct cmd_param *p, const char *inline_value,
                              struct error *e)
{
	char flag[CMD_FLAG_NAME];

	if (inline_value)
		return inline_value;
	if (l->at < l->argc && !is_flag(l->argv[l->at]))
		return l->argv[l->at++];
	cmd_flag_name(p, flag, sizeof(flag));
	error_set(e, ERR_INVALID_ARGS, "%s needs a value", flag);
	if (l->at < l->argc)
		error_hint(e, "a value that starts with a dash is written %s=%.80s", flag, l->argv[l->at]);
	return NULL;
}

static int long_flag(struct line *l, const char *word, struct error *e)
{
	const char *eq = strchr(word, '=');
	size_t len = eq ? (size_t)(eq - word) : strlen(word);
	const struct cmd_param *p = flag_in(l->spec->params, l->spec->n_params, word, len);
	bool global = !p;
	const char *text = NULL;

	if (!p)
		p = flag_in(cmd_global_params, cmd_n_global_params, word, len);
	if (!p)
		return unknown_flag(l, word, len, e);
	if (p->type == CMD_BOOL) {
		if (eq)
			return error_set(e, ERR_INVALID_ARGS, "%.*s takes no value", (int)len, word);
	} else {
		text = flag_value(l, p, eq ? eq + 1 : NULL, e);
		if (!text)
			return -ERR_INVALID_ARGS;
	}
	return flag_store(l, p, global, text, e);
}

/* -i, -d 2, -d2, -id2 */
static int short_flags(struct line *l, const char *word, struct error *e)
{
	for (const char *c = word + 1; *c; c++) {
		const struct cmd_param *p = letter_in(l->spec->params, l->spec->n_params, *c);
		bool global = !p;
		const char *text = NULL;
		int r;

		if (!p)
			p = letter_in(cmd_global_params, cmd_n_global_params, *c);
		if (!p) {
			char one[3] = { '-', *c, '\0' };

			return unknown_flag(l, one, 2, e);
		}
		if (p->type != CMD_BOOL) {
			text = flag_value(l, p, c[1] ? c + 1 + (c[1] == '=') : NULL, e);
			if (!text)
				return -ERR_INVALID_ARGS;
		}
		r = flag_store(l, p, global, text, e);
		if (r < 0 || text)
			return r;
	}
	return 0;
}

/* --- positionals ------------------------------------------------------------------------------- */

static bool takes_text_after(const struct cmd_spec *spec, size_t param)
{
	for (size_t i = param + 1; i < spec->n_params; i++) {
		const struct cmd_param *p = &spec->params[i];

		if (p->positional && p->type != CMD_INT && p->type != CMD_NUMBER)
			return true;
	}
	return false;
}

/* How many words a target takes: two numbers are a point; terms of one selector may stand unquoted
 * (label=Save role=button) unless a text follows that could look like one. */
static size_t target_words(const struct line *l, size_t param, size_t at)
{
	size_t n = 1;

	if (at + 1 < l->n_words && is_number(l->words[at]) && is_number(l->words[at + 1]))
		return 2;
	if (!strchr(l->words[at], '=') || takes_text_after(l->spec, param))
		return 1;
	while (at + n < l->n_words &&
	       (strchr(l->words[at + n], '=') || !strcmp(l->words[at + n], "||")))
		n++;
	return n;
}

static json_t *join_words(const struct cmd_param *p, const char *const *words, size_t n,
                          struct error *e)
{
	auto_buf struct buf b;

	buf_init(&b, LIM_ENVELOPE_LINE);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(&b, ' ');
		buf_adds(&b, words[i]);
	}
	if (b.over) {
		error_set(e, ERR_LIMIT_EXCEEDED, "%s is longer than %u bytes", p->name, LIM_ENVELOPE_LINE);
		return NULL;
	}
	return cmd_value_from_text(p, b.data, e);
}

static json_t *list_words(const struct cmd_param *p, const char *const *words, size_t n,
                          struct error *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *word = cmd_value_from_text(p, words[i], e);

		if (!word) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, word);
	}
	return list;
}

/* Gives param the words from `at` on; returns how many it took, or a negative error. */
static int positional_store(struct line *l, size_t param, size_t at, struct error *e)
{
	const struct cmd_param *p = &l->spec->params[param];
	size_t n = 1, rest = l->n_words - at;
	json_t *v;

	if (p->type == CMD_WORDS || p->type == CMD_LIST)
		n = rest;
	else if (p->type == CMD_TARGET)
		n = target_words(l, param, at);
	if (p->type == CMD_LIST)
		v = list_words(p, l->words + at, n, e);
	else if (n > 1)
		v = join_words(p, l->words + at, n, e);
	else
		v = cmd_value_from_text(p, l->words[at], e);
	if (!v)
		return e ? -(int)e->code : -ERR_INVALID_ARGS;
	json_object_set_new(l->args, p->name, v);
	return (int)n;
}

static int positionals(struct line *l, struct error *e)
{
	size_t at = 0;

	for (size_t i = 0; i < l->spec->n_params && at < l->n_words; i++) {
		const struct cmd_param *p = &l->spec->params[i];
		int n;

		if (!p->positional || p->where == CMD_ONLY_MCP)
			continue;
		n = positional_store(l, i, at, e);
		if (n < 0)
			return n;
		at += (size_t)n;
	}
	if (at == l->n_words)
		return 0;
	error_set(e, ERR_INVALID_ARGS, "`%s` has no use for \"%.80s\"", l->spec->name, l->words[at]);
	return error_hint(e, "quote what holds blanks; see `deft help %s`", l->spec->name);
}

/* --- the whole line ---------------------------------------------------------------------------- */

static int sort_words(struct line *l, struct error *e)
{
	bool flags = true;

	while (l->at < l->argc) {
		const char *word = l->argv[l->at++];
		int r = 0;

		if (flags && !strcmp(word, "--"))
			flags = false;
		else if (flags && !strncmp(word, "--", 2))
			r = long_flag(l, word, e);
		else if (flags && is_flag(word))
			r = short_flags(l, word, e);
		else
			l->words[l->n_words++] = word;
		if (r < 0)
			return r;
	}
	return 0;
}

int cmd_parse_argv(const struct cmd_spec *spec, int argc, const char *const *argv,
                   json_t **ret_args, json_t **ret_globals, struct error *e)
{
	auto_json json_t *args = json_object();
	auto_json json_t *globals = json_object();
	auto_free const char **words = NULL;
	struct line l = { spec, argc, argv, 0, args, globals, NULL, 0 };
	int r;

	if (argc > LIM_ARGV_WORDS)
		return error_set(e, ERR_LIMIT_EXCEEDED, "more than %d words on the command line",
		                 LIM_ARGV_WORDS);
	l.words = words = calloc((size_t)argc + 1, sizeof(*words));
	if (!args || !globals || !words)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	r = sort_words(&l, e);
	if (r < 0)
		return cmd_point_to_help(spec, e);
	if (!json_object_get(globals, "help")) {
		r = positionals(&l, e);
		if (r == 0)
			r = cmd_check_args(spec, args, false, e);
		if (r < 0)
			return cmd_point_to_help(spec, e);
	}
	*ret_args = TAKE(args);
	*ret_globals = TAKE(globals);
	return 0;
}

int cmd_argv_command(int argc, const char *const *argv)
{
	for (int i = 0; i < argc; i++) {
		const struct cmd_param *p;
		const char *eq;

		if (!is_flag(argv[i]))
			return i;
		if (argv[i][1] != '-')
			continue; /* global letters take no value */
		eq = strchr(argv[i], '=');
		p = flag_in(cmd_global_params, cmd_n_global_params, argv[i],
		            eq ? (size_t)(eq - argv[i]) : strlen(argv[i]));
		if (p && p->type != CMD_BOOL && !eq)
			i++;
	}
	return argc;
}
