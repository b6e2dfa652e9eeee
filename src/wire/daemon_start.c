#include "wire/daemon_start.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "wire/daemon_spawn.h"

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
	int r = wire_spawn_check(s, c, &busy);
	if (r == 0)
		r = wire_retire(fd, c, false, &busy);
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
		return wire_spawn_failed(s, e, "another client has been starting it for too long");
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
		r = wire_spawn(s, c, e);
	if (r < 0)
		return r;
	error_clear(e);
	r = wire_link_try(s, c, ret_fd, e);
	if (r == -ERR_DAEMON_VERSION_MISMATCH) /* what was started is not what was asked for */
		wire_spawn_check(s, c, e);
	*ret_started = r == 0;
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
