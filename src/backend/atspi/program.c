#include "backend/atspi/program.h"

#include "backend/atspi/desktop_entry.h"
#include "backend/atspi/near.h"
#include "backend/atspi/process.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

void program_done(struct program *p)
{
	free(p->id);
	free(p->name);
	free(p->exe);
	free(p->cwd);
	desktop_argv_free(p->argv);
	*p = (struct program){ .argv = NULL };
}

/* --- the kinds of target -------------------------------------------------------------------- */

/* "scheme:rest" as URLs have it; "C" alone or a path with a colon is none. */
static bool is_url(const char *t)
{
	size_t n = 0;
	if (!isalpha((unsigned char)t[0]))
		return false;
	while (isalnum((unsigned char)t[n]) || (t[n] && strchr("+-.", t[n])))
		n++;
	return n > 1 && t[n] == ':' && t[n + 1];
}

static bool is_entry_file(const char *t)
{
	size_t n = strlen(t);
	return n > 8 && strcmp(t + n - 8, ".desktop") == 0 && strchr(t, '/');
}

/* Words of the command line, before they are copied. */
struct given {
	const char *words[LIM_LAUNCH_ARGS];
	size_t n;
};

static int take_args(const json_t *args, struct given *g, struct error *e)
{
	size_t i;
	json_t *v;
	json_array_foreach(args, i, v)
	{
		if (!json_is_string(v))
			return error_set(e, ERR_INVALID_ARGS, "args must be an array of strings");
		if (g->n == LIM_LAUNCH_ARGS - 1)
			return error_set(e, ERR_LIMIT_EXCEEDED, "more than %d arguments", LIM_LAUNCH_ARGS);
		g->words[g->n++] = json_string_value(v);
	}
	return 0;
}

static char **copy_argv(const char *first, const struct given *g)
{
	char **argv = calloc(g->n + 2, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = strdup(first);
	for (size_t i = 0; i < g->n; i++)
		argv[i + 1] = strdup(g->words[i]);
	for (size_t i = 0; i < g->n + 1; i++)
		if (!argv[i]) {
			desktop_argv_free(argv);
			return NULL;
		}
	return argv;
}

static char *resolved(const char *program)
{
	auto_free char *path = fs_which(program, NULL);
	return path ? realpath(path, NULL) : NULL;
}

/* Completes what is common; the parts that memory ran out for are seen here. */
static int finish(struct program *p, struct error *e)
{
	if (p->id && p->name && p->argv) {
		p->exe = resolved(p->argv[0]);
		return 0;
	}
	program_done(p);
	return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
}

static int from_entry(const struct desktop_entry *d, const struct given *g, struct program *ret,
                      struct error *e)
{
	struct program p = { .kind = PROGRAM_ENTRY, .has_args = g->n > 0 };
	if (!desktop_entry_usable(d))
		return error_set(e, ERR_APP_NOT_FOUND, "the desktop entry %s names no installed program",
		                 d->id);
	if (d->terminal) {
		error_set(e, ERR_UNSUPPORTED_OPERATION, "%s runs in a terminal", d->id);
		error_hint(e, "open a terminal program and type the command into it");
		return -ERR_UNSUPPORTED_OPERATION;
	}
	int r = desktop_entry_argv(d, g->words, g->n, &p.argv, e);
	if (r < 0)
		return r;
	p.id = strdup(d->id);
	p.name = strdup(d->name ? d->name : d->id);
	p.cwd = d->path && *d->path ? strdup(d->path) : NULL;
	*ret = p;
	return finish(ret, e);
}

static int from_file(const char *path, const struct given *g, struct program *ret, struct error *e)
{
	const char *slash = strrchr(path, '/');
	*ret = (struct program){
		.kind = PROGRAM_FILE,
		.id = strdup(slash ? slash + 1 : path),
		.name = strdup(slash ? slash + 1 : path),
		.argv = copy_argv(path, g),
		.has_args = g->n > 0,
	};
	return finish(ret, e);
}

static int from_opener(const char *target, const struct given *g, struct program *ret,
                       struct error *e)
{
	auto_free char *opener = fs_which("xdg-open", NULL);
	struct given one = { { target }, 1 };
	if (g->n > 0)
		return error_set(e, ERR_INVALID_ARGS, "a document or URL takes no arguments");
	if (!opener) {
		error_set(e, ERR_TOOL_MISSING,
		          "xdg-open, which opens documents and URLs, is not installed");
		error_hint(e, "install xdg-utils, or open a program and give it the document: "
		              "`deft open <program> <file>`");
		return -ERR_TOOL_MISSING;
	}
	*ret = (struct program){
		.kind = PROGRAM_OPENER,
		.id = strdup("xdg-open"),
		.name = strdup(target),
		.argv = copy_argv(opener, &one),
		.has_args = true,
	};
	return finish(ret, e);
}

/* --- by name -------------------------------------------------------------------------------- */

static int by_entry_name(const struct desktop_entries *all, const char *name,
                         const struct desktop_entry **ret, struct error *e)
{
	auto_json json_t *ids = json_array();
	for (size_t i = 0; i < all->n; i++) {
		const struct desktop_entry *d = &all->list[i];
		if (!d->name || d->no_display || strcasecmp(d->name, name) != 0)
			continue;
		*ret = d;
		json_array_append_new(ids, json_string(d->id));
	}
	if (json_array_size(ids) < 2)
		return 0;
	error_set(e, ERR_AMBIGUOUS_MATCH, "%zu programs are called \"%s\"", json_array_size(ids), name);
	error_hint(e, "open one of them by its id");
	error_detail(e, "candidates", TAKE(ids));
	return -ERR_AMBIGUOUS_MATCH;
}

static int not_found(const struct desktop_entries *all, const char *target, struct error *e)
{
	struct near_names near = { .word = target };
	for (size_t i = 0; i < all->n; i++) {
		const struct desktop_entry *d = &all->list[i];
		if (d->no_display)
			continue;
		near_offer(&near, d->id);
		/* "calculator" means org.gnome.Calculator */
		const char *dot = strrchr(d->id, '.');
		if (dot && near_distance(target, dot + 1, 2) <= 2)
			near_offer(&near, d->id);
		if (d->name)
			near_offer(&near, d->name);
	}
	json_t *names = json_array();
	for (size_t i = 0; i < near.n; i++)
		json_array_append_new(names, json_string(near.name[i]));
	error_set(e, ERR_APP_NOT_FOUND, "no program, desktop entry or file is called \"%s\"", target);
	if (near.n > 0)
		error_hint(e, "did you mean \"%s\"? `deft apps --all` lists what is installed",
		           near.name[0]);
	error_detail(e, "near", names);
	return -ERR_APP_NOT_FOUND;
}

static int by_name(const char *target, const struct given *g, struct program *ret, struct error *e)
{
	struct desktop_entries all;
	desktop_entries_read(&all);
	const struct desktop_entry *d = desktop_entries_find(&all, target);
	auto_free char *file = d ? NULL : fs_which(target, NULL);
	int r = 0;
	if (!d && !file)
		r = by_entry_name(&all, target, &d, e);
	if (r == 0 && d)
		r = from_entry(d, g, ret, e);
	else if (r == 0 && file)
		r = from_file(file, g, ret, e);
	else if (r == 0)
		r = not_found(&all, target, e);
	desktop_entries_done(&all);
	return r;
}

static int by_path(const char *target, const struct given *g, struct program *ret, struct error *e)
{
	struct stat st;
	if (stat(target, &st) < 0)
		return error_set(e, ERR_APP_NOT_FOUND, "there is no file %s", target);
	if (is_entry_file(target)) {
		struct desktop_entry d;
		int r = desktop_entry_read(target, &d, e);
		if (r < 0)
			return r;
		r = from_entry(&d, g, ret, e);
		desktop_entry_done(&d);
		return r;
	}
	if (!S_ISREG(st.st_mode) || access(target, X_OK) < 0)
		return from_opener(target, g, ret, e);
	int r = from_file(target, g, ret, e);
	if (r == 0)
		ret->by_path = true;
	return r;
}

int program_resolve(const char *target, const json_t *args, struct program *ret, struct error *e)
{
	struct given g = { .n = 0 };
	int r = take_args(args, &g, e);
	if (r < 0)
		return r;
	if (strchr(target, '/') && !is_url(target))
		return by_path(target, &g, ret, e);
	if (is_url(target))
		return from_opener(target, &g, ret, e);
	return by_name(target, &g, ret, e);
}

/* --- instances ------------------------------------------------------------------------------ */

bool program_is(const struct program *p, const struct atspi_app *app)
{
	if (p->kind == PROGRAM_OPENER)
		return false;
	if (app->pid > 0 && p->exe && process_runs(app->pid, p->exe))
		return true;
	if (p->by_path)
		return false;
	const char *dot = strrchr(p->id, '.');
	return strcasecmp(app->name, p->id) == 0 || strcasecmp(app->name, p->name) == 0 ||
	       (dot && strcasecmp(app->name, dot + 1) == 0);
}

bool program_is_chromium(const char *exe)
{
	static const char *const names[] = {
		"chromium", "chromium-browser", "chrome",         "google-chrome", "google-chrome-stable",
		"brave",    "brave-browser",    "microsoft-edge", "msedge",        "vivaldi",
		"opera",    "electron",         "code",           "slack",         "discord"
	};
	const char *slash = strrchr(exe, '/');
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(slash ? slash + 1 : exe, names[i]) == 0)
			return true;
	return false;
}
