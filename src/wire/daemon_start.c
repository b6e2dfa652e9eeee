#include "wire/daemon_start.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/sock.h"
#include "wire/daemon_link.h"

#include <string.h>
#include <unistd.h>

static void notice(const struct wire_link *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void notice(const struct wire_link *s, const char *fmt, ...)
{
	auto_buf struct buf b;
	va_list ap;
	buf_init(&b, LIM_ERROR_TEXT);
	va_start(ap, fmt);
	buf_addv(&b, fmt, ap);
	va_end(ap);
	if (s->o->notice)
		s->o->notice(s->o->ctx, b.data);
}

/* --- spawning --------------------------------------------------------------------------------- */

/* $DEFT_DEFTD, beside the caller's program, its sibling in a build tree, PATH. */
static char *find_program(const struct wire_link *s)
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

static int start_failed(const struct wire_link *s, struct error *e, const char *what)
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
		return start_failed(s, e, "no word from it in time");
	if (r == -ERR_CANCELED)
		return r;
	if (json_object_get(said, "error"))
		return error_from_json(e, json_object_get(said, "error"));
	if (!jx_get_bool(said, "ready", false))
		return start_failed(s, e, "it ended without a word");
	return 0;
}

static int spawn(const struct wire_link *s, struct call c, struct error *e)
{
	auto_free char *program = find_program(s);
	if (!program) {
		error_set(e, ERR_TOOL_MISSING, "the daemon program deftd was not found");
		return error_hint(e, "install deft as a whole, or name the program with DEFT_DEFTD");
	}
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

/* --- replacing -------------------------------------------------------------------------------- */

static int refuse(const struct wire_link *s, const struct error *busy, struct error *e)
{
	auto_buf struct buf names;
	json_t *name, *sessions = json_object_get(busy->details, "sessions");
	size_t i;
	buf_init(&names, LIM_ERROR_TEXT);
	json_array_foreach(sessions, i, name)
	    buf_addf(&names, "%s%s", i ? ", " : "", json_string_value(name));
	wire_link_other_build(s, e);
	error_prefix(e, "the daemon is in use (%s) and can't be replaced",
	             names.len ? names.data : "a request runs");
	error_hint(e, "close its sessions with the deft that opened them, or end it with "
	              "`deft daemon stop --force`");
	return error_detail(e, "sessions", json_incref(sessions));
}

static int replace(const struct wire_link *s, struct call c, int fd, struct error *e)
{
	auto_error struct error busy = ERROR_INIT;
	int r = wire_retire(fd, c, false, &busy);
	if (r == -ERR_SESSION_BUSY)
		return refuse(s, &busy, e);
	if (r < 0) {
		error_move(e, &busy);
		return r;
	}
	notice(s, "Replacing the daemon (pid %ld, deft %s build %s): this client is deft %s build %s",
	       s->peer.pid, s->peer.version, s->peer.build, s->version, s->build);
	return wire_link_wait_end(s, call_limit(c, LIM_DAEMON_STOP_MS + LIM_CLIENT_GRACE_MS), e);
}

/* --- the algorithm ---------------------------------------------------------------------------- */

/* The slow way, one client at a time. */
static int start_locked(struct wire_link *s, struct call c, int *ret_fd, bool *ret_started,
                        struct error *e)
{
	auto_close int lock = fs_lock(s->state.lock, c, e);
	if (lock == -ERR_TIMEOUT)
		return start_failed(s, e, "another client has been starting it for too long");
	if (lock < 0)
		return lock;
	auto_close int fd = -1;
	int r = wire_link_try(s, c, &fd, e);
	if (r == 0) {
		*ret_fd = TAKE_FD(fd);
		return 0;
	}
	if (r == -ERR_DAEMON_VERSION_MISMATCH && fd >= 0)
		r = replace(s, c, fd, e);
	else if (wire_link_absent(r, e))
		r = 0;
	if (r == 0)
		r = spawn(s, c, e);
	if (r < 0)
		return r;
	error_clear(e);
	r = wire_link_try(s, c, ret_fd, e);
	if (r == 0)
		*ret_started = true;
	return r;
}

int wire_daemon_connect(const struct wire_daemon_opts *o, struct call c, int *ret_fd,
                        bool *ret_started, struct error *e)
{
	__attribute__((cleanup(wire_link_done))) struct wire_link s = { NULL };
	auto_error struct error why = ERROR_INIT;
	auto_close int fd = -1;
	bool started = false;
	int r = wire_link_init(&s, o, !o->no_start, e);
	if (r < 0)
		return r;
	r = wire_link_try(&s, c, &fd, &why);
	if (wire_link_absent(r, &why) && o->no_start)
		return wire_link_not_running(&s, e);
	if (!o->no_start &&
	    (wire_link_absent(r, &why) || (r == -ERR_DAEMON_VERSION_MISMATCH && fd >= 0))) {
		if (fd >= 0)
			close(TAKE_FD(fd));
		error_clear(&why);
		r = start_locked(&s, call_limit(c, LIM_DAEMON_START_MS), &fd, &started, &why);
	}
	if (r < 0) {
		error_move(e, &why);
		return r;
	}
	*ret_fd = TAKE_FD(fd);
	if (ret_started)
		*ret_started = started;
	return 0;
}
