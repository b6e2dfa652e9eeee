#include "cli/line.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/utf8.h"
#include "wire/caller.h"

#include <string.h>

static int check_utf8(int argc, const char *const *argv, struct error *e)
{
	for (int i = 0; i < argc; i++) {
		if (utf8_valid(argv[i], strlen(argv[i])))
			continue;
		error_set(e, ERR_INVALID_ARGS, "argument %d is not valid UTF-8", i + 1);
		return error_hint(e, "write it in UTF-8; nothing was sent to the device");
	}
	return 0;
}

static bool has_word(int n, const char *const *argv, const char *a, const char *b)
{
	for (int i = 0; i < n; i++)
		if (strcmp(argv[i], a) == 0 || strcmp(argv[i], b) == 0)
			return true;
	return false;
}

int cli_unknown_command(const char *word, struct error *e)
{
	const char *near = cmd_nearest_command(word);
	error_set(e, ERR_UNKNOWN_COMMAND, "no command is called '%s'", word);
	if (near) {
		error_detail_str(e, "suggestion", near);
		return error_hint(e, "did you mean `deft %s`? `deft help` lists all commands", near);
	}
	return -ERR_UNKNOWN_COMMAND;
}

/* The flags before the command and everything after it, as one argument list. */
static const char **join(int command, int argc, const char *const *argv)
{
	const char **all = calloc((size_t)argc + 1, sizeof(*all));
	for (int i = 0, n = 0; all && i < argc; i++)
		if (i != command)
			all[n++] = argv[i];
	return all;
}

static int absolute_paths(struct cli_line *l, struct error *e)
{
	for (size_t i = 0; i < l->spec->n_params; i++) {
		if (l->spec->params[i].type != CMD_PATH)
			continue;
		int r = wire_absolute_path(l->args, l->spec->params[i].name, e);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Without a command only global flags can stand there; any spec reads them. */
static int parse_without_command(int argc, const char *const *argv, struct cli_line *l,
                                 struct error *e)
{
	const struct cmd_spec no_command = { .name = "help", .exposure = CMD_CLI };
	if (has_word(argc, argv, "--version", "-V")) {
		l->ask = CLI_ASK_VERSION;
		return 0;
	}
	int r = cmd_parse_argv(&no_command, argc, argv, &l->args, &l->globals, e);
	if (r < 0)
		return r;
	l->ask = jx_get_bool(l->globals, "help", false) ? CLI_ASK_HELP : CLI_ASK_NOTHING;
	return 0;
}

static int parse_command(int at, int argc, const char *const *argv, struct cli_line *l,
                         struct error *e)
{
	const struct cmd_spec *spec = cmd_spec_find(argv[at]);
	if (!spec || !(spec->exposure & CMD_CLI))
		return cli_unknown_command(argv[at], e);
	auto_free const char **rest = join(at, argc, argv);
	if (!rest)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	l->spec = spec;
	int r = cmd_parse_argv(spec, argc - 1, rest, &l->args, &l->globals, e);
	if (r < 0)
		return r;
	if (jx_get_bool(l->globals, "help", false)) {
		l->ask = CLI_ASK_HELP;
		return 0;
	}
	return absolute_paths(l, e);
}

int cli_line_parse(int argc, const char *const *argv, struct cli_line *ret, struct error *e)
{
	struct cli_line l = { .ask = CLI_ASK_COMMAND };
	int r = check_utf8(argc, argv, e);
	if (r < 0)
		return r;
	int at = cmd_argv_command(argc, argv);
	if (at >= argc)
		r = parse_without_command(argc, argv, &l, e);
	else if (has_word(at, argv, "--version", "-V"))
		l.ask = CLI_ASK_VERSION;
	else
		r = parse_command(at, argc, argv, &l, e);
	if (r < 0)
		cli_line_done(&l);
	else
		*ret = l;
	return r;
}

void cli_line_done(struct cli_line *l)
{
	json_decref(l->args);
	json_decref(l->globals);
	l->args = l->globals = NULL;
}

bool cli_line_wants_json(int argc, const char *const *argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			return true;
	return false;
}
