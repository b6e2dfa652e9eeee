/* Child processes: always in a process group of their own, stdout never inherited, ended as a
 * group, reaped. A process is known by (pid, start time), never by name, so that a recycled number
 * is not signalled. */
#ifndef DEFT_BASE_PROC_H
#define DEFT_BASE_PROC_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_id {
	pid_t pid;
	uint64_t start; /* /proc/PID/stat field 22, clock ticks since boot; 0: unknown */
};

struct proc {
	struct proc_id id;
	int out;     /* read end of the child's stdout, or -1 */
	int err;     /* read end of the child's stderr, or -1 */
	bool reaped;
	int status;  /* wait status once reaped */
};

struct proc_opts {
	const char *const *argv;   /* NULL-terminated; argv[0] is looked up in PATH of env */
	const char *const *env;    /* NULL-terminated "K=V"; NULL: inherit */
	const char *cwd;           /* NULL: inherit */
	const char *log_path;      /* what has no pipe is appended here (0600); NULL: /dev/null */
	bool pipe_out, pipe_err;   /* give read ends */
	bool die_with_parent;      /* SIGTERM when this process (not the calling thread) dies */
	bool new_session;          /* setsid: survives the caller's terminal */
};

/* Starts a child. All descriptors but 0..2 are closed in it, stdin is /dev/null. -ERR_TOOL_MISSING
 * when the program does not exist, -ERR_COMMAND_FAILED otherwise. */
int proc_start(struct proc *ret, const struct proc_opts *opts, struct error *e);
/* True while the child runs (reaps it when it has ended). */
bool proc_alive(struct proc *p);
/* Waits for the end; *ret_status the exit status, 128+signal for a signal. */
int proc_wait(struct proc *p, struct call call, int *ret_status, struct error *e);
/* SIGTERM to the group, up to grace_ms, SIGKILL, reap. Closes the pipes. Safe on an ended child. */
void proc_end(struct proc *p, int64_t grace_ms);
/* Runs to the end and captures stdout/stderr (each may be NULL). */
int proc_run(const struct proc_opts *opts, struct call call, struct buf *out, struct buf *err,
             int *ret_status, struct error *e);

struct proc_id proc_self(void);
/* Start time of a process; 0: no such process (zombies count as gone). */
uint64_t proc_start_time(pid_t pid);
/* The very same process still runs (a zombie does not). */
bool proc_id_alive(struct proc_id id);
/* Signals the process only while it is the very same one. */
bool proc_id_signal(struct proc_id id, int sig);
/* Ends a process that is not our child, by identity: SIGTERM, grace, SIGKILL. */
void proc_id_end(struct proc_id id, int64_t grace_ms);

#endif
