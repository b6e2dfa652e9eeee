#include "wire/daemon_link.h"

#include "base/build.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/sock.h"

#include <string.h>
#include <unistd.h>

int wire_link_init(struct wire_link *s, const struct wire_daemon_opts *o, bool create,
                   struct error *e)
{
	*s = (struct wire_link){ .o = o };
	s->version = o->version ? o->version : build_version();
	s->build = o->build ? o->build : build_id();
	return wire_state_open(&s->state, o->state_dir, create, e);
}

void wire_link_done(struct wire_link *s)
{
	wire_state_done(&s->state);
}

bool wire_link_absent(int r, const struct error *e)
{
	return r == -ERR_DAEMON_UNAVAILABLE &&
	       strcmp(jx_get_str(e->details, "reason", "gone"), "gone") == 0;
}

int wire_link_other_build(const struct wire_link *s, struct error *e)
{
	error_set(e, ERR_DAEMON_VERSION_MISMATCH,
	          "the daemon (pid %ld) is deft %s build %s, this client is deft %s build %s",
	          s->peer.pid, s->peer.version, s->peer.build, s->version, s->build);
	error_detail_int(e, "pid", s->peer.pid);
	error_detail_str(e, "daemonBuild", s->peer.build);
	return error_detail_str(e, "clientBuild", s->build);
}

int wire_link_try(struct wire_link *s, struct call c, int *ret_fd, struct error *e)
{
	auto_close int fd = sock_connect_unix(s->state.socket, c, e);
	if (fd < 0)
		return fd;
	s->peer = (struct wire_peer){ 0 };
	int r = wire_hello_exchange(fd, c, s->version, s->build, &s->peer, e);
	if (r == 0 && !s->peer.ok)
		r = wire_link_other_build(s, e);
	if (r == 0 || (r == -ERR_DAEMON_VERSION_MISMATCH && s->peer.build[0]))
		*ret_fd = TAKE_FD(fd);
	return r;
}

/* The daemon holds its lock until its process ends, whatever else it still does. */
int wire_link_wait_end(const struct wire_link *s, struct call c, struct error *e)
{
	if (!fs_exists(s->state.alive))
		return 0;
	int fd = fs_lock(s->state.alive, c, e);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd != -ERR_TIMEOUT)
		return fd;
	error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon's process does not end");
	error_reason(e, "unresponsive");
	return error_hint(e, "end it with `deft daemon stop --force`");
}

int wire_link_not_running(const struct wire_link *s, struct error *e)
{
	int fd = fs_exists(s->state.alive) ? fs_try_lock(s->state.alive, NULL) : -ERR_IO_ERROR;
	if (fd >= 0)
		close(fd);
	if (fd == -ERR_TIMEOUT) {
		error_set(e, ERR_DAEMON_UNAVAILABLE,
		          "a daemon's process lives for %s and does not answer (it starts, stops or hangs)",
		          s->state.dir);
		error_reason(e, "unresponsive");
		return error_hint(e, "try again; if it stays, end it with `deft daemon stop --force`");
	}
	error_set(e, ERR_DAEMON_UNAVAILABLE, "no daemon runs for %s", s->state.dir);
	error_reason(e, "not_running");
	return error_hint(e, "`deft daemon start`, or any command that needs it, starts one");
}
