/* The daemon as its own parts see it: names, clocks, counters, and the lists of sessions and
 * requests. One object per state directory; a test may have several in one process. */
#ifndef DEFT_DAEMON_CORE_H
#define DEFT_DAEMON_CORE_H

#include "client/client.h"
#include "daemon/daemon.h"
#include "daemon/locks.h"
#include "wire/state_dir.h"

#include <pthread.h>
#include <stdatomic.h>

/* What `daemon status` prints. Starting and stopped daemons serve nobody and need no name. */
enum dm_phase { DM_RUNNING, DM_STOPPING };

struct dm_options {
	const char *state_dir;       /* NULL: default */
	const char *version, *build; /* NULL: of this build */
	int64_t idle_ms;             /* 0: LIM_DAEMON_IDLE_MS */
	int64_t session_idle_ms;     /* 0: LIM_SESSION_IDLE_MS */
};

struct dm_daemon {
	/* constant after dm_daemon_init() */
	struct wire_state state;
	const char *version, *build;
	int64_t started_ms, idle_ms, session_idle_ms;
	struct cancel stop;        /* fired once: the server leaves [any thread] */
	struct dm_locks locks;     /* has its own lock */
	pthread_mutex_t file_lock; /* serialises rotation of logs and traces */
	atomic_ullong generation;  /* of frames */

	pthread_mutex_t lock;   /* guards everything below */
	pthread_cond_t changed; /* a request or connection ended */
	enum dm_phase phase;
	unsigned connections;
	struct dm_job *jobs;
	unsigned n_jobs;
	struct dm_session *sessions; /* in the order they were opened */
	unsigned n_sessions;
	uint64_t requests_total, requests_failed;
	int64_t used_ms;                 /* last time a connection or session ended */
	struct cl_counters runners_gone; /* counters of runners that have been closed */
};

int dm_daemon_init(struct dm_daemon *d, const struct dm_options *o, struct error *e);
/* Closes every session; no request may run any more. */
void dm_daemon_done(struct dm_daemon *d);

/* From now on new requests are refused; the running ones are canceled, connections are left. */
void dm_begin_stop(struct dm_daemon *d);
/* Waits until no connection and no request is left. False: time ran out. */
bool dm_wait_quiet(struct dm_daemon *d, struct deadline until);
/* ms until the daemon may leave for want of work (0: now); INT64_MAX: it is in use. */
int64_t dm_idle_left(struct dm_daemon *d);
/* Stops the daemon if nobody needs it, or by force. Else -ERR_SESSION_BUSY with details.sessions
 * (names) and details.requests. The session called `own_key` (NULL: none) and the request `own`
 * (NULL: none) do not count. The server leaves at once, or when `own` has been answered. */
int dm_retire(struct dm_daemon *d, bool force, struct dm_job *own, const char *own_key,
              struct error *e);

#endif
