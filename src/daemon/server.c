#include "daemon/server.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/proc.h"
#include "base/sock.h"
#include "daemon/cond.h"
#include "daemon/files.h"
#include "daemon/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLAIM_SLICE_MS 100 /* between two looks whether the holder of the lock serves */
#define TICK_MS 60000      /* longest time between two looks at what is idle */

/* --- opening ---------------------------------------------------------------------------------- */

static bool somebody_serves(const struct dm_daemon *d)
{
	int fd = sock_connect_unix(d->state.socket, CALL_FOREVER, NULL);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The lock is never given back: the system does it when the process ends, however that happens. */
static int claim(const struct dm_daemon *d, struct error *e)
{
	struct call c = { deadline_in(LIM_DAEMON_START_MS), NULL };
	for (;;) {
		auto_error struct error why = ERROR_INIT;
		int fd = fs_lock(d->state.alive, call_limit(c, CLAIM_SLICE_MS), &why);
		if (fd >= 0)
			return 0;
		if (fd != -ERR_TIMEOUT) {
			error_move(e, &why);
			return fd;
		}
		if (somebody_serves(d)) {
			error_set(e, ERR_DAEMON_UNAVAILABLE, "a daemon runs for %s already", d->state.dir);
			return error_reason(e, "already_running");
		}
		if (deadline_over(c.deadline)) {
			error_set(e, ERR_DAEMON_UNAVAILABLE,
			          "a former daemon's process neither serves nor ends");
			error_hint(e, "end it with `deft daemon stop --force`");
			return error_reason(e, "unresponsive");
		}
	}
}

/* A socket that was left is replaced by the bind; a plain file in its place would be in the way. */
static void remove_stray_file(const char *path)
{
	struct stat st;
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
}

int dm_server_open(struct dm_server *s, struct dm_daemon *d, struct error *e)
{
	*s = (struct dm_server){ .daemon = d, .listen_fd = -1 };
	int r = claim(d, e);
	if (r < 0)
		return r;
	if (fs_exists(d->state.info) || fs_exists(d->state.socket))
		log_msg(LOG_WARN, "daemon", "a former daemon was killed; what it left in %s is replaced",
		        d->state.dir);
	dm_remove_old_sessions(d);
	remove_stray_file(d->state.socket);
	s->listen_fd = sock_listen_unix(d->state.socket, e);
	if (s->listen_fd < 0)
		return s->listen_fd;
	r = dm_info_write(d, e);
	if (r == 0 && !dm_pool_init(&s->pool, LIM_DAEMON_CONNECTIONS + LIM_DAEMON_REQUESTS + 1))
		r = error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	if (r < 0) {
		unlink(d->state.socket);
		dm_info_remove(d);
		close(TAKE_FD(s->listen_fd));
	}
	return r;
}

/* --- serving ---------------------------------------------------------------------------------- */

static void accept_one(struct dm_server *s)
{
	auto_error struct error e = ERROR_INIT;
	int fd = sock_accept(s->listen_fd, CALL_FOREVER, &e);
	if (fd < 0)
		log_msg(LOG_WARN, "daemon", "accept: %s", e.message);
	else
		dm_connection_start(s, fd);
}

static void expire_task(void *arg)
{
	struct dm_server *s = arg;
	dm_session_expire(s->daemon);
	atomic_store(&s->expiring, false);
}

static void expire(struct dm_server *s)
{
	if (atomic_exchange(&s->expiring, true))
		return;
	if (!dm_pool_run(&s->pool, expire_task, s))
		atomic_store(&s->expiring, false);
}

static int tick_ms(const struct dm_daemon *d, int64_t idle_left)
{
	int64_t ms = TICK_MS;
	const int64_t all[] = { idle_left, d->idle_ms, d->session_idle_ms };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		ms = all[i] < ms ? all[i] : ms;
	return (int)ms;
}

/* Returns why it ends. */
static const char *serve(struct dm_server *s, int signal_fd)
{
	struct dm_daemon *d = s->daemon;
	struct pollfd fds[] = { { .fd = s->listen_fd, .events = POLLIN },
		                    { .fd = d->stop.fd, .events = POLLIN },
		                    { .fd = signal_fd, .events = POLLIN } };
	for (;;) {
		int64_t left = dm_idle_left(d);
		if (left == 0)
			return "nobody uses it";
		int n = poll(fds, ARRAY_SIZE(fds), tick_ms(d, left));
		if (n < 0 && errno != EINTR)
			return strerror(errno);
		if (n > 0 && fds[1].revents)
			return "it was asked to";
		if (n > 0 && fds[2].revents)
			return "a signal came";
		if (n > 0 && fds[0].revents)
			accept_one(s);
		if (n == 0)
			expire(s);
	}
}

/* --- stopping --------------------------------------------------------------------------------- */

struct watchdog {
	struct dm_daemon *daemon;
	struct deadline until;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
};

/* The end for a daemon that can't end in order: no child may outlive it. */
static void kill_all(struct dm_daemon *d)
{
	log_msg(LOG_ERROR, "daemon", "the clean stop took over %d ms: runners are killed",
	        LIM_DAEMON_STOP_MS);
	pthread_mutex_lock(&d->lock);
	for (const struct dm_session *s = d->sessions; s; s = s->next)
		if (s->device->runner)
			proc_id_signal(cl_session_process(s->device->runner), SIGKILL);
	_exit(error_exit_status(ERR_INTERNAL_ERROR));
}

static void *watch(void *arg)
{
	struct watchdog *w = arg;
	pthread_mutex_lock(&w->lock);
	while (!w->done && !deadline_over(w->until))
		dm_cond_wait(&w->changed, &w->lock, deadline_left(w->until));
	bool done = w->done;
	pthread_mutex_unlock(&w->lock);
	if (!done)
		kill_all(w->daemon);
	return NULL;
}

static void stop_in_order(struct dm_server *s)
{
	struct dm_daemon *d = s->daemon;
	dm_begin_stop(d);
	dm_wait_quiet(d, DEADLINE_NEVER);
	dm_pool_done(&s->pool);
	dm_session_end_all(d);
}

static void stop(struct dm_server *s)
{
	struct watchdog w = { .daemon = s->daemon, .until = deadline_in(LIM_DAEMON_STOP_MS) };
	pthread_t thread;
	/* first of all, so that no new client comes; the next daemon waits for our lock */
	unlink(s->daemon->state.socket);
	dm_info_remove(s->daemon);
	close(TAKE_FD(s->listen_fd));
	pthread_mutex_init(&w.lock, NULL);
	dm_cond_init(&w.changed);
	bool watched = pthread_create(&thread, NULL, watch, &w) == 0;
	stop_in_order(s);
	pthread_mutex_lock(&w.lock);
	w.done = true;
	pthread_cond_signal(&w.changed);
	pthread_mutex_unlock(&w.lock);
	if (watched)
		pthread_join(thread, NULL);
	pthread_cond_destroy(&w.changed);
	pthread_mutex_destroy(&w.lock);
}

void dm_server_run(struct dm_server *s, int signal_fd)
{
	log_msg(LOG_INFO, "daemon", "deft %s build %s serves %s (pid %ld)", s->daemon->version,
	        s->daemon->build, s->daemon->state.dir, (long)getpid());
	const char *why = serve(s, signal_fd);
	log_msg(LOG_INFO, "daemon", "stops: %s", why);
	stop(s);
	log_msg(LOG_INFO, "daemon", "stopped");
}
