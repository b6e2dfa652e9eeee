/* Help for people, made of the table. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "command/spec_internal.h"

#include <string.h>

#define WIDTH_DEFAULT 80
#define WIDTH_MIN 40
#define WIDTH_MAX 120
#define TERM_COLUMN 26 /* where explanations start */

static int usable_width(int width)
{
	if (width <= 0)
		width = WIDTH_DEFAULT;
	return width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
}

/* Appends text wrapped at width; the first line starts at column `at`, the others at `indent`.
 * A line of the text that begins with a blank is kept as it is (examples, tables). */
static void wrap(struct buf *out, const char *text, int at, int indent, int width)
{
	int column = at;
	bool line_start = true;

	while (*text) {
		size_t word = strcspn(text, " \n");

		if (line_start && word == 0 && *text == ' ') {
			size_t keep = strcspn(text, "\n");

			buf_add(out, text, keep);
			text += keep;
		} else if (word) {
			if (column > indent && column + 1 + (int)word > width) {
				buf_addc(out, '\n');
				buf_fill(out, ' ', (size_t)indent);
				column = indent;
			} else if (!line_start) {
				buf_addc(out, ' ');
				column++;
			}
			buf_add(out, text, word);
			column += (int)word;
			text += word;
			line_start = false;
		}
		if (*text == '\n') {
			buf_addc(out, '\n');
			if (text[1] && text[1] != '\n')
				buf_fill(out, ' ', (size_t)indent);
			column = indent;
			line_start = true;
			text++;
		} else if (*text == ' ') {
			text++;
		}
	}
	buf_addc(out, '\n');
}

/* "  term        explanation" */
static void entry(struct buf *out, const char *term, const char *text, int width)
{
	int at = 2 + (int)strlen(term);

	buf_addf(out, "  %s", term);
	if (at + 2 > TERM_COLUMN) {
		buf_addc(out, '\n');
		at = 0;
	}
	buf_fill(out, ' ', (size_t)(TERM_COLUMN - at));
	wrap(out, text, TERM_COLUMN, TERM_COLUMN, width);
}

void cmd_placeholder(const struct cmd_param *p, struct buf *out)
{
	if (p->values)
		cmd_range_text(p, out);
	else if (p->positional)
		buf_addf(out, "<%s>", p->name);
	else if (p->unit)
		buf_addf(out, "<%s>", p->unit);
	else if (p->type == CMD_PATH)
		buf_adds(out, "<path>");
	else if (p->type == CMD_TARGET)
		buf_adds(out, "<target>");
	else
		buf_adds(out, p->type == CMD_INT || p->type == CMD_NUMBER ? "<n>" : "<text>");
}

void cmd_usage(const struct cmd_spec *spec, struct buf *out)
{
	buf_addf(out, "deft %s", spec->name);
	for (size_t i = 0; i < spec->n_params; i++) {
		const struct cmd_param *p = &spec->params[i];

		if (!p->positional || p->where == CMD_ONLY_MCP)
			continue;
		buf_adds(out, p->required ? " " : " [");
		cmd_placeholder(p, out);
		buf_adds(out, p->type == CMD_LIST || p->type == CMD_WORDS ? " …" : "");
		buf_adds(out, p->required ? "" : "]");
	}
	buf_adds(out, " [flags]");
}

/* "-d, --depth <n>" for a flag, "target" for a positional. */
static void param_term(const struct cmd_param *p, struct buf *out)
{
	char flag[CMD_FLAG_NAME];

	if (p->positional) {
		buf_adds(out, p->name);
		return;
	}
	if (p->letter)
		buf_addf(out, "-%c, ", p->letter);
	cmd_flag_name(p, flag, sizeof(flag));
	buf_adds(out, flag);
	if (p->type != CMD_BOOL && !p->values) {
		buf_addc(out, ' ');
		cmd_placeholder(p, out);
	}
}

static void param_entry(const struct cmd_param *p, struct buf *out, int width)
{
	auto_buf struct buf term, text, range;

	buf_init(&term, LIM_ERROR_TEXT);
	buf_init(&text, LIM_ERROR_TEXT);
	buf_init(&range, LIM_ERROR_TEXT);
	param_term(p, &term);
	cmd_range_text(p, &range);
	buf_adds(&text, p->help);
	if (range.len || p->dflt)
		buf_addf(&text, " (%s%s%s%s)", range.data, range.len && p->dflt ? "; " : "",
		         p->dflt ? "default " : "", p->dflt ? p->dflt : "");
	entry(out, term.data, text.data, width);
}

/* A heading and the entries of one kind, when there are any. */
static void param_section(const char *heading, const struct cmd_param *params, size_t n,
                          bool positional, struct buf *out, int width)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (params[i].positional != positional || params[i].where == CMD_ONLY_MCP)
			continue;
		if (!any)
			buf_addf(out, "\n%s:\n", heading);
		any = true;
		param_entry(&params[i], out, width);
	}
}

static void aliases_line(const struct cmd_spec *spec, struct buf *out)
{
	if (!spec->aliases || !spec->aliases[0])
		return;
	buf_adds(out, "Also:  ");
	for (const char *const *a = spec->aliases; *a; a++)
		buf_addf(out, "%s%s", a == spec->aliases ? "" : ", ", *a);
	buf_addc(out, '\n');
}

void cmd_help_text(const struct cmd_spec *spec, int width, struct buf *out)
{
	size_t n = 0;

	width = usable_width(width);
	wrap(out, spec->summary, 0, 0, width);
	buf_adds(out, "\nUsage: ");
	cmd_usage(spec, out);
	buf_addc(out, '\n');
	aliases_line(spec, out);
	param_section("Arguments", spec->params, spec->n_params, true, out, width);
	param_section("Flags", spec->params, spec->n_params, false, out, width);
	buf_adds(out, "\nEvery command also takes the global flags of `deft help`.\n");
	if (spec->details) {
		buf_addc(out, '\n');
		wrap(out, spec->details, 0, 0, width);
	}
	while (spec->examples && spec->examples[n])
		n++;
	buf_addf(out, "\nExample%s:\n", n > 1 ? "s" : "");
	while (n--)
		buf_addf(out, "  %s\n", spec->examples[n]);
}

/* --- the overview ------------------------------------------------------------------------------ */

static void group_entries(const char *group, struct buf *out, int width)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_addf(out, "\n%s:\n", group);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i]->group, group) && cmd_on_cli(all[i]))
			entry(out, all[i]->name, all[i]->summary, width);
}

static bool group_is_new(const struct cmd_spec *const *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(all[k]->group, all[i]->group))
			return false;
	return true;
}

static const struct {
	int status;
	const char *meaning;
} exit_meanings[] = {
	{ 0, "done" },
	{ 1, "failed" },
	{ 2, "the call itself is wrong" },
	{ 3, "the target on the screen: not found, ambiguous, stale, covered, disabled" },
	{ 4, "device or app" },
	{ 5, "session or daemon" },
	{ 6, "time ran out, or canceled" },
	{ 7, "can't be done here" },
	{ 8, "done, but not proven" },
	{ 9, "runner" },
	{ 70, "a defect of deft" },
};

void cmd_help_overview(int width, struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	width = usable_width(width);
	wrap(out,
	     "deft drives an app on a device: see its screen as a tree, act, and know what happened.",
	     0, 0, width);
	buf_adds(out, "\nUsage: deft <command> [arguments] [flags]\n");
	for (size_t i = 0; i < n; i++)
		if (group_is_new(all, i))
			group_entries(all[i]->group, out, width);
	param_section("Global flags", cmd_global_params, cmd_n_global_params, false, out, width);
	buf_adds(out, "\nTargets:\n");
	entry(out, "@e3", "a ref of the last snapshot (@e3~s12: of exactly that one)", width);
	entry(out, "'label=\"Save\"'",
	      "a selector: id= role= label= text= value=, several are joined, || is or", width);
	entry(out, "120 44", "a point of the screen", width);
	buf_adds(out, "\nExit status:\n");
	for (size_t i = 0; i < ARRAY_SIZE(exit_meanings); i++) {
		char status[8];

		snprintf(status, sizeof(status), "%d", exit_meanings[i].status);
		entry(out, status, exit_meanings[i].meaning, width);
	}
	buf_adds(out, "\nopen an app, look, act, look again:\n"
	              "  deft open galculator && deft snapshot -i && deft press 'label=\"7\"'\n");
}
