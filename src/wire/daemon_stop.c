#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/proc.h"
#include "wire/daemon_link.h"

#include <string.h>

#define KILL_GRACE_MS 1000 /* for a daemon that has not answered for seconds already */

/* daemon.json is trusted only as far as the process it names still is the one it was. */
static struct proc_id recorded_process(const struct wire_link *s)
{
	auto_buf struct buf text;
	buf_init(&text, LIM_DAEMON_HELLO);
	if (fs_read(s->state.info, text.max, &text, NULL) < 0)
		return (struct proc_id){ 0, 0 };
	auto_json json_t *info = jx_parse(text.data, text.len, NULL);
	return (struct proc_id){ .pid = (pid_t)jx_get_int(info, "pid", 0),
		                     .start = (uint64_t)jx_get_int(info, "startTime", 0) };
}

static int kill_unresponsive(const struct wire_link *s, struct call c, struct error *e)
{
	struct proc_id id = recorded_process(s);
	if (id.pid > 1 && id.start > 0 && proc_id_alive(id))
		proc_id_end(id, KILL_GRACE_MS);
	return wire_link_wait_end(s, call_limit(c, LIM_DAEMON_HELLO_MS), e);
}

static bool has_reason(const struct error *e, const char *reason)
{
	return strcmp(jx_get_str(e->details, "reason", ""), reason) == 0;
}

static int stop(struct wire_link *s, struct call c, bool force, struct error *e)
{
	auto_close int fd = -1;
	int r = wire_link_try(s, c, &fd, e);
	if (fd >= 0) {
		error_clear(e);
		r = wire_retire(fd, c, force, e);
		if (r == 0)
			r = wire_link_wait_end(s, call_limit(c, LIM_DAEMON_STOP_MS + LIM_CLIENT_GRACE_MS), e);
	} else if (wire_link_absent(r, e)) {
		r = wire_link_not_running(s, e);
	}
	return r;
}

int wire_daemon_stop(const struct wire_daemon_opts *o, struct call c, bool force,
                     bool *ret_was_running, struct error *e)
{
	__attribute__((cleanup(wire_link_done))) struct wire_link s = { NULL };
	auto_error struct error why = ERROR_INIT;
	bool was_running = true;
	int r = wire_link_init(&s, o, false, &why);
	if (r == 0)
		r = stop(&s, c, force, &why);
	if (r < 0 && force && (has_reason(&why, "unresponsive") || has_reason(&why, "gone")))
		r = kill_unresponsive(&s, c, &why);
	if (r == -ERR_DAEMON_UNAVAILABLE && has_reason(&why, "not_running")) {
		was_running = false;
		r = 0;
	}
	if (r < 0) {
		error_move(e, &why);
		return r;
	}
	*ret_was_running = was_running;
	return 0;
}
