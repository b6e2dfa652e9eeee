#include "backend/atspi/desktop_entry.h"
#include "backend/atspi/launch.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "wire/state_dir.h"

#include <string.h>
#include <sys/stat.h>

/* --- what was started ----------------------------------------------------------------------- */

struct launcher {
	struct proc **procs;
	size_t n, cap;
	unsigned count; /* of all, for the marks */
};

void launcher_reap(struct launcher *l)
{
	size_t n = 0;
	for (size_t i = 0; l && i < l->n; i++) {
		if (proc_alive(l->procs[i]))
			l->procs[n++] = l->procs[i];
		else
			free(l->procs[i]);
	}
	if (l)
		l->n = n;
}

void launcher_free(struct launcher *l)
{
	for (size_t i = 0; l && i < l->n; i++)
		free(l->procs[i]);
	if (l)
		free(l->procs);
	free(l);
}

static struct proc *launcher_add(struct atspi *a, const struct proc *p)
{
	struct launcher *l = a->launcher;
	struct proc *copy = malloc(sizeof(*copy));
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 8;
		struct proc **grown = realloc(l->procs, cap * sizeof(struct proc *));
		if (grown) {
			l->procs = grown;
			l->cap = cap;
		}
	}
	if (!copy || l->n == l->cap) {
		free(copy);
		return NULL;
	}
	*copy = *p;
	l->procs[l->n++] = copy;
	return copy;
}

/* --- log ------------------------------------------------------------------------------------ */

/* <state dir>/apps/<id>.log; a large one starts anew. Without a place for it the output is dropped. */
static void open_log(struct started *s, const struct program *p)
{
	auto_state struct wire_state state = { NULL };
	struct stat st;
	if (wire_state_open(&state, NULL, true, NULL) < 0)
		return;
	auto_free char *dir = fs_join(state.dir, "apps");
	if (!dir || fs_mkdirs(dir, 0700, NULL) < 0)
		return;
	int n = snprintf(s->log, sizeof(s->log), "%s/%s.log", dir, p->id);
	if (n < 0 || (size_t)n >= sizeof(s->log) || strchr(p->id, '/')) {
		s->log[0] = '\0';
		return;
	}
	if (stat(s->log, &st) == 0 && st.st_size > (off_t)LIM_LOG_FILE)
		unlink(s->log);
	s->log_from = stat(s->log, &st) == 0 ? (long)st.st_size : 0;
}

/* What the program wrote since it was started, the last part of it. */
static char *log_tail(const struct started *s)
{
	auto_buf struct buf all;
	buf_init(&all, LIM_LOG_FILE * 2);
	if (!s->log[0] || fs_read(s->log, LIM_LOG_FILE * 2, &all, NULL) < 0 ||
	    all.len <= (size_t)s->log_from)
		return NULL;
	const char *from = all.data + s->log_from;
	size_t len = all.len - (size_t)s->log_from;
	if (len > LIM_LAUNCH_TAIL) {
		from += len - LIM_LAUNCH_TAIL;
		len = LIM_LAUNCH_TAIL;
	}
	while (len > 0 && from[len - 1] == '\n')
		len--;
	return utf8_repair(from, len, LIM_LAUNCH_TAIL * 3, NULL);
}

int launch_ended(const struct started *s, const struct program *p, int status, struct error *e)
{
	auto_free char *tail = log_tail(s);
	const char *last = tail ? strrchr(tail, '\n') : NULL;
	error_set(e, ERR_COMMAND_FAILED, "%s ended with exit status %d %s%s%.300s", p->id, status,
	          "before it showed on the accessibility bus", tail ? ": " : "",
	          tail ? (last ? last + 1 : tail) : "");
	error_reason(e, "program_ended");
	error_detail_int(e, "exitStatus", status);
	if (tail)
		error_detail_str(e, "output", tail);
	if (s->log[0])
		error_detail_str(e, "log", s->log);
	error_hint(e, "start it in a terminal on this display to see what it lacks");
	return -ERR_COMMAND_FAILED;
}

/* --- starting ------------------------------------------------------------------------------- */

/* Chromium shows no tree unless told on its command line. */
static int with_switches(const struct program *p, const char *out[LIM_LAUNCH_ARGS + 4],
                         struct error *e)
{
	size_t n = 0;
	for (; p->argv[n]; n++) {
		if (n == LIM_LAUNCH_ARGS)
			return error_set(e, ERR_LIMIT_EXCEEDED, "more than %d words", LIM_LAUNCH_ARGS);
		out[n] = p->argv[n];
	}
	if (program_is_chromium(p->argv[0])) {
		memmove(out + 2, out + 1, (n - 1) * sizeof(*out));
		out[1] = "--force-renderer-accessibility";
		n++;
	}
	out[n] = NULL;
	return 0;
}

int launch_start(struct atspi *a, const struct program *p, const struct rb_launch *l,
                 struct started *ret, struct error *e)
{
	const char *argv[LIM_LAUNCH_ARGS + 4];
	struct started s = { NULL };
	if (!a->launcher && !(a->launcher = calloc(1, sizeof(*a->launcher))))
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	launcher_reap(a->launcher);
	snprintf(s.mark, sizeof(s.mark), "DEFT_LAUNCH_ID=%d.%lld.%u", (int)getpid(),
	         (long long)clock_wall_ms(), ++a->launcher->count);
	char **env = NULL;
	int r = with_switches(p, argv, e);
	if (r == 0)
		r = launch_env(a, l->env, s.mark, &env, e);
	if (r < 0)
		return r;
	open_log(&s, p);
	struct proc proc;
	struct proc_opts opts = { .argv = argv,
		                      .env = (const char *const *)env,
		                      .cwd = p->cwd,
		                      .log_path = s.log[0] ? s.log : NULL,
		                      .new_session = true };
	r = proc_start(&proc, &opts, e);
	desktop_argv_free(env);
	if (r == -ERR_TOOL_MISSING)
		return error_set(e, ERR_APP_NOT_FOUND, "the program %s of %s does not exist", p->argv[0],
		                 p->id);
	if (r < 0)
		return r;
	s.proc = launcher_add(a, &proc);
	if (!s.proc) {
		proc_end(&proc, 0);
		return error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	}
	*ret = s;
	return 0;
}
