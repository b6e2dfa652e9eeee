/* Completion scripts of bash, zsh and fish, made of the table. Words of ours hold no character that
 * a shell would interpret except in help texts, which are quoted. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "command/spec_internal.h"

#include <ctype.h>
#include <string.h>

static bool shown(const struct cmd_param *p)
{
	return p->where != CMD_ONLY_MCP;
}

static const struct cmd_param *param_at(const struct cmd_spec *spec, size_t i)
{
	return i < spec->n_params ? &spec->params[i] : &cmd_global_params[i - spec->n_params];
}

static size_t param_count(const struct cmd_spec *spec)
{
	return spec->n_params + cmd_n_global_params;
}

/* Name and aliases, joined by sep. */
static void names(const struct cmd_spec *spec, const char *sep, struct buf *out)
{
	buf_adds(out, spec->name);
	for (const char *const *a = spec->aliases; a && *a; a++)
		buf_addf(out, "%s%s", sep, *a);
}

static void all_names(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t i = 0; i < n; i++) {
		if (!cmd_on_cli(all[i]))
			continue;
		if (i)
			buf_addc(out, ' ');
		names(all[i], " ", out);
	}
}

static void values(const struct cmd_param *p, struct buf *out)
{
	if (p->complete == CMD_COMPLETE_COMMANDS) {
		all_names(out);
		return;
	}
	for (const char *const *v = p->values; v && *v; v++)
		buf_addf(out, "%s%s", v == p->values ? "" : " ", *v);
}

static bool has_values(const struct cmd_param *p)
{
	return p->values || p->complete == CMD_COMPLETE_COMMANDS;
}

/* Single-quoted for a shell that ends a quote at ' (all three do). */
static void quoted(const char *s, const char *also_escape, struct buf *out)
{
	buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else if (strchr(also_escape, *s))
			buf_addf(out, "\\%c", *s);
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

/* --- bash -------------------------------------------------------------------------------------- */

static void bash_flag_values(const struct cmd_spec *spec, struct buf *out)
{
	char flag[CMD_FLAG_NAME];

	for (size_t i = 0; i < param_count(spec); i++) {
		const struct cmd_param *p = param_at(spec, i);

		if (p->positional || !shown(p) || p->type == CMD_BOOL)
			continue;
		cmd_flag_name(p, flag, sizeof(flag));
		buf_addf(out, "\t\t%s", flag);
		if (p->letter)
			buf_addf(out, "|-%c", p->letter);
		if (has_values(p)) {
			buf_adds(out, ") COMPREPLY=($(compgen -W \"");
			values(p, out);
			buf_adds(out, "\" -- \"$cur\")); return ;;\n");
		} else if (p->complete == CMD_COMPLETE_FILE) {
			buf_adds(out, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
		} else {
			buf_adds(out, ") return ;;\n");
		}
	}
}

static void bash_words(const struct cmd_spec *spec, struct buf *out)
{
	char flag[CMD_FLAG_NAME];
	bool files = false;

	buf_adds(out, "\t\twords=\"");
	for (size_t i = 0; i < param_count(spec); i++) {
		const struct cmd_param *p = param_at(spec, i);

		if (!shown(p))
			continue;
		if (p->positional) {
			files |= p->complete == CMD_COMPLETE_FILE;
			values(p, out);
			buf_adds(out, has_values(p) ? " " : "");
		} else {
			cmd_flag_name(p, flag, sizeof(flag));
			buf_addf(out, "%s ", flag);
		}
	}
	buf_addf(out, "\"; files=%d ;;\n", files);
}

static void bash_script(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_adds(out, "# bash completion of deft: source <(deft completion bash)\n"
	              "_deft() {\n"
	              "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
	              " cmd=${COMP_WORDS[1]} words= files=0\n"
	              "\tCOMPREPLY=()\n"
	              "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	              "\t\tCOMPREPLY=($(compgen -W \"");
	all_names(out);
	buf_adds(out, "\" -- \"$cur\")); return\n\tfi\n\tcase $cmd in\n");
	for (size_t i = 0; i < n; i++) {
		if (!cmd_on_cli(all[i]))
			continue;
		buf_adds(out, "\t");
		names(all[i], "|", out);
		buf_adds(out, ")\n\t\tcase $prev in\n");
		bash_flag_values(all[i], out);
		buf_adds(out, "\t\tesac\n");
		bash_words(all[i], out);
	}
	buf_adds(out, "\tesac\n"
	              "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	              "\t[ \"$files\" = 1 ] && COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
	              "\treturn 0\n"
	              "}\n"
	              "complete -F _deft deft\n");
}

/* --- zsh --------------------------------------------------------------------------------------- */

static void zsh_action(const struct cmd_param *p, struct buf *out)
{
	buf_addf(out, ":%s:", p->name);
	if (has_values(p)) {
		buf_addc(out, '(');
		values(p, out);
		buf_addc(out, ')');
	} else if (p->complete == CMD_COMPLETE_FILE) {
		buf_adds(out, "_files");
	}
}

static void zsh_param(const struct cmd_param *p, struct buf *out)
{
	auto_buf struct buf spec;
	char flag[CMD_FLAG_NAME];

	buf_init(&spec, LIM_HELP_TEXT);
	if (p->positional) {
		buf_adds(&spec, p->type == CMD_LIST || p->type == CMD_WORDS ? "*" : "");
		buf_adds(&spec, p->required ? "" : spec.len ? "" : ":");
		zsh_action(p, &spec);
	} else {
		cmd_flag_name(p, flag, sizeof(flag));
		buf_addf(&spec, "%s%s[", p->type == CMD_LIST ? "*" : "", flag);
		for (const char *h = p->help; *h; h++)
			buf_addf(&spec, strchr("[]\\:", *h) ? "\\%c" : "%c", *h);
		buf_addc(&spec, ']');
		if (p->type != CMD_BOOL)
			zsh_action(p, &spec);
	}
	buf_adds(out, " \\\n\t\t\t");
	quoted(spec.data, "", out);
}

static void zsh_script(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_adds(out, "#compdef deft\n"
	              "# zsh completion of deft: deft completion zsh > \"${fpath[1]}/_deft\"\n"
	              "_deft() {\n"
	              "\tlocal -a commands\n"
	              "\tcommands=(\n");
	for (size_t i = 0; i < n; i++) {
		auto_buf struct buf line;

		if (!cmd_on_cli(all[i]))
			continue;
		buf_init(&line, LIM_HELP_TEXT);
		buf_addf(&line, "%s:%s", all[i]->name, all[i]->summary);
		buf_adds(out, "\t\t");
		quoted(line.data, "", out);
		buf_addc(out, '\n');
	}
	buf_adds(out, "\t)\n"
	              "\tif (( CURRENT == 2 )); then\n"
	              "\t\t_describe command commands\n"
	              "\t\treturn\n"
	              "\tfi\n"
	              "\tlocal cmd=$words[2]\n"
	              "\tshift words; (( CURRENT-- ))\n"
	              "\tcase $cmd in\n");
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, "\t");
		names(all[i], "|", out);
		buf_adds(out, ")\n\t\t_arguments");
		for (size_t k = 0; k < param_count(all[i]); k++)
			if (shown(param_at(all[i], k)))
				zsh_param(param_at(all[i], k), out);
		buf_adds(out, " ;;\n");
	}
	buf_adds(out, "\tesac\n}\nif [ \"$funcstack[1]\" = _deft ]; then _deft \"$@\"; "
	              "else compdef _deft deft; fi\n");
}

/* --- fish -------------------------------------------------------------------------------------- */

static void fish_param(const struct cmd_spec *spec, const struct cmd_param *p, struct buf *out)
{
	auto_buf struct buf words;
	char flag[CMD_FLAG_NAME];

	buf_init(&words, LIM_HELP_TEXT);
	values(p, &words);
	if (p->positional && !words.len && p->complete != CMD_COMPLETE_FILE)
		return;
	buf_adds(out, "complete -c deft -n '__fish_seen_subcommand_from ");
	names(spec, " ", out);
	buf_addc(out, '\'');
	if (!p->positional) {
		cmd_flag_name(p, flag, sizeof(flag));
		buf_addf(out, " -l %s", flag + 2);
		if (p->letter)
			buf_addf(out, " -s %c", p->letter);
	}
	if (p->complete == CMD_COMPLETE_FILE)
		buf_adds(out, p->positional ? " -F" : " -r -F");
	else if (!p->positional && p->type != CMD_BOOL)
		buf_adds(out, " -x");
	if (words.len) {
		buf_adds(out, " -a ");
		quoted(words.data, "\\", out);
	}
	buf_adds(out, " -d ");
	quoted(p->help, "\\", out);
	buf_addc(out, '\n');
}

static void fish_script(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_adds(out, "# fish completion of deft: deft completion fish | source\n"
	              "complete -c deft -f\n");
	for (size_t i = 0; i < n; i++) {
		if (!cmd_on_cli(all[i]))
			continue;
		buf_addf(out, "complete -c deft -n __fish_use_subcommand -a %s -d ", all[i]->name);
		quoted(all[i]->summary, "\\", out);
		buf_addc(out, '\n');
		for (size_t k = 0; k < param_count(all[i]); k++)
			if (shown(param_at(all[i], k)))
				fish_param(all[i], param_at(all[i], k), out);
	}
}

bool cmd_completion(const char *shell, struct buf *out)
{
	static const struct {
		const char *shell;
		void (*write)(struct buf *out);
	} scripts[] = { { "bash", bash_script }, { "zsh", zsh_script }, { "fish", fish_script } };

	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		if (strcmp(scripts[i].shell, shell))
			continue;
		scripts[i].write(out);
		return true;
	}
	return false;
}
