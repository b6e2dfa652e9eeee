/* The plain table: the specs as C source, without handlers. */
#include "gen.h"

#include "command/spec.h"

#include <string.h>

static void quoted(const char *s, struct buf *out)
{
	if (!s) {
		buf_adds(out, "NULL");
		return;
	}
	buf_addc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_addf(out, "\\%c", *s);
		else if (*s == '\n')
			buf_adds(out, "\\n");
		else if (*s == '?')
			buf_adds(out, "\\?"); /* no trigraphs */
		else if ((unsigned char)*s < 0x20)
			buf_addf(out, "\\%03o", (unsigned char)*s);
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

/* static const char *const NAME[] = { …, NULL }; */
static void string_list(const char *kind, const char *command, size_t i, const char *const *list,
                        struct buf *out)
{
	buf_addf(out, "static const char *const %s_%s_%zu[] = { ", kind, command, i);
	for (; *list; list++) {
		quoted(*list, out);
		buf_adds(out, ", ");
	}
	buf_adds(out, "NULL };\n");
}

static void param(const char *command, size_t i, const struct cmd_param *p, struct buf *out)
{
	buf_adds(out, "\t{ .name = ");
	quoted(p->name, out);
	buf_addf(out, ", .type = (enum cmd_type)%d, .positional = %d, .required = %d, .letter = %d,\n",
	         (int)p->type, p->positional, p->required, p->letter);
	buf_addf(out, "\t  .has_min = %d, .has_max = %d, .min = ", p->has_min, p->has_max);
	buf_add_number(out, p->min);
	buf_adds(out, ", .max = ");
	buf_add_number(out, p->max);
	buf_adds(out, ", .dflt = ");
	quoted(p->dflt, out);
	if (p->values)
		buf_addf(out, ", .values = values_%s_%zu", command, i);
	buf_adds(out, ",\n\t  .unit = ");
	quoted(p->unit, out);
	buf_addf(out,
	         ", .complete = (enum cmd_complete)%d, .where = (enum cmd_where)%d, .budget = %d, "
	         ".strict = %d,\n"
	         "\t  .help = ",
	         (int)p->complete, (int)p->where, p->budget, p->strict);
	quoted(p->help, out);
	buf_adds(out, " },\n");
}

static void spec(const struct cmd_spec *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_params; i++)
		if (s->params[i].values)
			string_list("values", s->name, i, s->params[i].values, out);
	if (s->aliases)
		string_list("aliases", s->name, 0, s->aliases, out);
	if (s->examples)
		string_list("examples", s->name, 0, s->examples, out);
	if (s->n_params) {
		buf_addf(out, "static const struct cmd_param params_%s[] = {\n", s->name);
		for (size_t i = 0; i < s->n_params; i++)
			param(s->name, i, &s->params[i], out);
		buf_adds(out, "};\n");
	}
	buf_addf(out, "static const struct cmd_spec spec_%s = {\n\t.name = ", s->name);
	quoted(s->name, out);
	if (s->aliases)
		buf_addf(out, ",\n\t.aliases = aliases_%s_0", s->name);
	buf_adds(out, ",\n\t.summary = ");
	quoted(s->summary, out);
	buf_adds(out, ",\n\t.details = ");
	quoted(s->details, out);
	buf_adds(out, ",\n\t.group = ");
	quoted(s->group, out);
	if (s->examples)
		buf_addf(out, ",\n\t.examples = examples_%s_0", s->name);
	if (s->n_params)
		buf_addf(out, ",\n\t.params = params_%s,\n\t.n_params = %zu", s->name, s->n_params);
	buf_addf(out, ",\n\t.exposure = %uu,\n\t.traits = %uu,\n\t.timeout_ms = %ld,\n};\n\n",
	         s->exposure, s->traits, s->timeout_ms);
}

void gen_table(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_adds(out, "/* Generated from src/command/ by tools/gen; not to be edited. */\n"
	              "#include \"command/spec.h\"\n\n");
	for (size_t i = 0; i < n; i++)
		spec(all[i], out);
	buf_adds(out, "static const struct cmd_spec *const specs[] = {\n");
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "\t&spec_%s,\n", all[i]->name);
	buf_addf(out,
	         "};\n\nconst struct cmd_spec *const *cmd_specs(size_t *ret_n)\n{\n"
	         "\t*ret_n = %zu;\n\treturn specs;\n}\n",
	         n);
}
