#include "wire/daemon_spawn.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/sock.h"

#include <string.h>
#include <unistd.h>

/* $DEFT_DEFTD, beside the caller's program, its sibling in a build tree, PATH. */
static char *search(const struct wire_link *s)
{
	static const char *const places[] = { "deftd", "../daemon/deftd", "../libexec/deft/deftd" };
	const char *given = s->o->program ? s->o->program : getenv("DEFT_DEFTD");
	if (given && *given)
		return strdup(given);
	auto_free char *exe = fs_exe_dir();
	for (size_t i = 0; exe && i < ARRAY_SIZE(places); i++) {
		auto_free char *path = fs_join(exe, places[i]);
		if (path && access(path, X_OK) == 0)
			return TAKE(path);
	}
	return fs_which("deftd", NULL);
}

static char *find_program(const struct wire_link *s, struct error *e)
{
	char *program = search(s);
	if (!program) {
		error_set(e, ERR_TOOL_MISSING, "the daemon program deftd was not found");
		error_hint(e, "install deft as a whole, or name the program with DEFT_DEFTD");
	}
	return program;
}

int wire_spawn_check(const struct wire_link *s, struct call c, struct error *e)
{
	auto_buf struct buf said, want;
	buf_init(&said, LIM_DAEMON_HELLO);
	buf_init(&want, LIM_DAEMON_HELLO);
	auto_free char *program = find_program(s, e);
	if (!program)
		return -ERR_TOOL_MISSING;
	const char *argv[] = { program, "--version", NULL };
	int status = 0;
	int r = proc_run(&(struct proc_opts){ .argv = argv }, c, &said, NULL, &status, e);
	if (r < 0)
		return r;
	buf_addf(&want, "deftd %s build %s\n", s->version, s->build);
	if (strcmp(said.data, want.data) == 0)
		return 0;
	error_set(e, ERR_DAEMON_VERSION_MISMATCH,
	          "this client is deft %s build %s, the daemon program %s is another build", s->version,
	          s->build, program);
	error_reason(e, "mixed_install");
	return error_hint(e, "build or install deft and deftd together");
}

int wire_spawn_failed(const struct wire_link *s, struct error *e, const char *what)
{
	auto_buf struct buf log;
	buf_init(&log, LIM_LOG_FILE * 2);
	error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon did not start: %s", what);
	error_reason(e, "start_failed");
	if (fs_read(s->state.log, log.max, &log, NULL) == 0 && log.len > 0) {
		size_t skip = log.len > LIM_DAEMON_LOG_TAIL ? log.len - LIM_DAEMON_LOG_TAIL : 0;
		json_t *tail = json_object();
		jx_set_str(tail, "log", log.data + skip); /* repairs a character that was cut */
		error_detail(e, "log", json_incref(json_object_get(tail, "log")));
		json_decref(tail);
	}
	return error_detail_str(e, "logPath", s->state.log);
}

/* deftd's one line on stdout: {"ready":true,"pid":N} or {"error":{…}}. */
static int read_ready(const struct wire_link *s, int fd, struct call c, struct error *e)
{
	struct line_reader lr;
	char *line;
	size_t len;
	auto_json json_t *said = NULL;
	line_reader_init(&lr, fd, LIM_DAEMON_HELLO);
	int r = line_reader_next(&lr, c, &line, &len, e);
	if (r > 0)
		said = jx_parse(line, len, NULL);
	line_reader_done(&lr);
	if (r == -ERR_TIMEOUT)
		return wire_spawn_failed(s, e, "no word from it in time");
	if (r == -ERR_CANCELED)
		return r;
	if (json_object_get(said, "error"))
		return error_from_json(e, json_object_get(said, "error"));
	if (!jx_get_bool(said, "ready", false))
		return wire_spawn_failed(s, e, "it ended without a word");
	return 0;
}

int wire_spawn(const struct wire_link *s, struct call c, struct error *e)
{
	auto_free char *program = find_program(s, e);
	if (!program)
		return -ERR_TOOL_MISSING;
	const char *argv[] = { program, "--background", "--state-dir", s->state.dir, NULL };
	struct proc p;
	int r = proc_start(
	    &p,
	    &(struct proc_opts){
	        .argv = argv, .log_path = s->state.log, .pipe_out = true, .new_session = true },
	    e);
	if (r < 0)
		return r;
	/* What was started forks the daemon and ends at once: reaping it leaves nothing of ours. */
	auto_error struct error ignored = ERROR_INIT;
	int status, reaped = proc_wait(&p, c, &status, &ignored);
	r = read_ready(s, p.out, c, e);
	if (reaped < 0)
		proc_end(&p, 0);
	else if (p.out >= 0)
		close(p.out);
	return r;
}
