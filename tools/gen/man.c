/* deft.1 in the man macros. */
#include "gen.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "command/spec.h"

#include <string.h>

/* Text that troff leaves alone: \ - ' and a dot or quote at the start of a line. */
static void roff(const char *text, struct buf *out)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			buf_adds(out, "\\&");
		if (*text == '\\')
			buf_adds(out, "\\e");
		else if (*text == '-')
			buf_adds(out, "\\-");
		else if (*text == '\'' && !line_start)
			buf_adds(out, "\\(aq");
		else
			buf_addc(out, *text);
		line_start = *text == '\n';
	}
}

static void heading(const char *macro, const char *text, struct buf *out)
{
	buf_addf(out, ".%s ", macro);
	roff(text, out);
	buf_addc(out, '\n');
}

static void param(const struct cmd_param *p, struct buf *out)
{
	char flag[64];

	if (p->where == CMD_ONLY_MCP)
		return;
	buf_adds(out, ".TP\n\\fB");
	if (p->positional) {
		roff(p->name, out);
	} else {
		if (p->letter)
			buf_addf(out, "\\-%c\\fR, \\fB", p->letter);
		cmd_flag_name(p, flag, sizeof(flag));
		roff(flag, out);
	}
	buf_adds(out, "\\fR\n");
	roff(p->help, out);
	if (p->values) {
		buf_adds(out, ":");
		for (const char *const *v = p->values; *v; v++) {
			buf_addc(out, ' ');
			roff(*v, out);
		}
	}
	if (p->dflt) {
		buf_adds(out, " (default ");
		roff(p->dflt, out);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
}

static void command(const struct cmd_spec *s, struct buf *out)
{
	auto_buf struct buf usage;

	buf_init(&usage, LIM_HELP_TEXT);
	cmd_usage(s, &usage);
	heading("SS", usage.data, out);
	roff(s->summary, out);
	buf_adds(out, ".\n");
	if (s->details) {
		buf_adds(out, ".PP\n");
		roff(s->details, out);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < s->n_params; i++)
		param(&s->params[i], out);
	if (s->examples) {
		buf_adds(out, ".PP\n.nf\n");
		for (const char *const *x = s->examples; *x; x++) {
			buf_adds(out, "  ");
			roff(*x, out);
			buf_addc(out, '\n');
		}
		buf_adds(out, ".fi\n");
	}
}

void gen_man(struct buf *out)
{
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	buf_adds(out,
	         ".TH DEFT 1 \"\" \"deft " DEFT_VERSION "\" \"User Commands\"\n"
	         ".SH NAME\ndeft \\- drive an app on a device and know what happened\n"
	         ".SH SYNOPSIS\n.B deft\n\\fIcommand\\fR [\\fIarguments\\fR] [\\fIflags\\fR]\n"
	         ".SH DESCRIPTION\n"
	         "deft reads the screen of a device as an accessibility tree, acts on its elements "
	         "and says what really happened. Commands talk to a daemon that is started when it "
	         "is needed.\n"
	         ".SH OPTIONS\nEvery command takes these.\n");
	for (size_t i = 0; i < cmd_n_global_params; i++)
		param(&cmd_global_params[i], out);
	buf_adds(out, ".SH COMMANDS\n");
	for (size_t i = 0; i < n; i++)
		if (cmd_on_cli(all[i]))
			command(all[i], out);
	buf_adds(out, ".SH EXIT STATUS\n0 is success; every error code has its own status.\n");
	for (int c = ERR_OK + 1; c < ERR_COUNT; c++) {
		enum err_code code = (enum err_code)c;

		buf_addf(out, ".TP\n.B %d %s\n", error_exit_status(code), error_code_name(code));
		roff(error_meaning(code), out);
		buf_addc(out, '\n');
	}
	buf_adds(out, ".SH ENVIRONMENT\n"
	              ".TP\n.B DEFT_STATE_DIR\ndirectory of the daemon\\(aqs state; default ~/.deft\n"
	              ".TP\n.B DEFT_LOG\nerror, warn, info or debug\n"
	              ".TP\n.B NO_COLOR\nno colours, whatever the terminal can do\n");
}
