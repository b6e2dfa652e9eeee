/* What the files of the runner client share; nothing outside client/ and its tests includes this.
 *
 *   state.c     the session's states, events and actions, as one table
 *   session.c   the runner's life: carries the table's actions out; recency; counters
 *   preflight.c the ordered rules that say when a proof of life is needed (runner protocol 4.5)
 *   exchange.c  one POST, the retrying sender, reply to outcome (1.7, 4.7)
 *   execute.c   preflight + send + what the reply means for the session (4.5-4.8)
 *   ladder.c    failure class to path, as one table (4.9, 4.11)
 *   recovery.c  status-before-invalidate, as one table (4.10)
 *   outcome.c   whether a failed mutation may have been executed
 *   send.c      cl_send(): the whole way of one command (4.9, 1.8) */
#ifndef DEFT_CLIENT_INTERNAL_H
#define DEFT_CLIENT_INTERNAL_H

#include "client/client.h"
#include "wire/runner_commands.h"

#include <pthread.h>

/* The proof of life a recent successful mutation gives. Dies with every runner. */
struct cl_recency {
	bool has;
	int64_t at_ms;
	char *app; /* NULL: the command named none; absent and blank are the same */
};

struct cl_session {
	struct cl_provider provider;
	struct cl_endpoint endpoint; /* valid while cl_runs() */
	struct cl_recency recency;

	pthread_mutex_t lock; /* guards what other threads may read; only the session's own writes: */
	enum cl_state state;
	struct proc_id process;
	struct cl_counters counters;
};

#define CL_COUNT(s, what)                 \
	do {                                  \
		pthread_mutex_lock(&(s)->lock);   \
		(s)->counters.what++;             \
		pthread_mutex_unlock(&(s)->lock); \
	} while (0)

/* One command on its way. */
struct cl_job {
	const struct wire_command_traits *traits;
	enum wire_command command;
	bool read_only;  /* the client may send it again */
	const char *app; /* borrowed; NULL: none */
	char id[64];     /* "" for status */
	struct buf body;
	struct cl_trace *trace;
	int64_t exchange_us;
};

/* --- the state machine --------------------------------------------------------------------------- */

enum cl_event {
	CL_EV_NEEDED,       /* a command wants a runner */
	CL_EV_ANNOUNCED,    /* the process that was started told its port */
	CL_EV_START_FAILED, /* it did not, in time */
	CL_EV_ANSWERED,     /* an ok reply was parsed, of whatever command */
	CL_EV_PROVED,       /* and it was a healthy mutation of the allowlist (4.8) */
	CL_EV_DOUBTED,      /* no reply after a preflight that was skipped (4.6) */
	CL_EV_GONE,         /* its process has ended; noticed before use (4.2) */
	CL_EV_DROPPED,      /* invalidated, for whatever reason (4.12) */
	CL_EV_CLOSED,       /* the session is given back */
	CL_EV_COUNT
};

enum cl_action {
	CL_DO_START = 1 << 0,    /* a process is started; `announced` or `startFailed` follows */
	CL_DO_FAREWELL = 1 << 1, /* `shutdown` is sent, if the process lives */
	CL_DO_STOP = 1 << 2,     /* the process is ended: grace, then kill */
	CL_DO_NOTE = 1 << 3,     /* the proof of life is noted */
	CL_DO_FORGET = 1 << 4,   /* the proof of life is forgotten */
	CL_DO_COUNT_RESTART = 1 << 5,
	CL_DO_COUNT_DROP = 1 << 6,
	CL_DO_REFUSE = 1 << 7, /* can't happen: a defect, logged; nothing changes */
};

struct cl_state_row {
	enum cl_state next;
	unsigned actions; /* enum cl_action */
};

const struct cl_state_row *cl_state_row(enum cl_state state, enum cl_event event);
const char *cl_state_name(enum cl_state state); /* as the documentation says it */
const char *cl_event_name(enum cl_event event);

/* Only on the session's own thread. */
bool cl_runs(const struct cl_session *s); /* there is an endpoint */
bool cl_is_ready(const struct cl_session *s);

/* What an event brings along; what does not belong to it is NULL. */
struct cl_news {
	const struct cl_endpoint *endpoint; /* announced */
	const char *reason;                 /* gone, dropped: static */
	const char *app;                    /* proved */
	struct cl_trace *trace;
};
/* Looks the row up, carries its actions out, publishes the next state. Returns the actions. */
unsigned cl_step(struct cl_session *s, enum cl_event event, const struct cl_news *news);

/* --- failure classes (4.11) ------------------------------------------------------------------- */

enum cl_class {
	CL_CLASS_NONE,              /* no failure */
	CL_CLASS_START,             /* no runner could be started */
	CL_CLASS_OUT_OF_TIME,       /* the budget was used up before the command was sent */
	CL_CLASS_PREFLIGHT_CONNECT, /* the probe found nobody listening */
	CL_CLASS_PREFLIGHT_LOST,    /* the probe was not answered in time, or its reply was lost */
	CL_CLASS_PREFLIGHT_REFUSED, /* the runner answered the probe with an error */
	CL_CLASS_NOT_SENT,          /* the command found nobody listening */
	CL_CLASS_LOST,              /* sent, then reset or closed */
	CL_CLASS_TIMED_OUT,         /* sent, no reply within the limit */
	CL_CLASS_CANCELED,          /* the caller stopped it */
	CL_CLASS_BAD_REPLY,         /* the reply is no runner reply */
	CL_CLASS_RUNNER_ERROR,      /* the runner's own error */
	CL_CLASS_COUNT
};

/* How one execution ended; the error itself stands in struct error. */
struct cl_outcome {
	enum cl_class class;
	bool sent;    /* bytes of the command may have left */
	bool settled; /* recovery has spoken the last word: a read is not tried again either */
	bool preflight_skipped; /* by recency: the failure casts doubt on the proof */
	int64_t proof_age_ms;
};

enum cl_path {
	CL_PATH_RETHROW,
	CL_PATH_AGAIN, /* executed again behind a preflight, which decides; then as CL_PATH_RESTART */
	CL_PATH_RESTART,
	CL_PATH_RECOVER,
	CL_PATH_COUNT
};

struct cl_ladder_row {
	enum cl_path path;
	const char *reason;   /* of the invalidation that the path may bring; NULL: none */
	const char *executed; /* of a mutation: "no" | "unknown"; NULL: the runner's error decides */
};

const struct cl_ladder_row *cl_ladder(enum cl_class class);
const char *cl_class_name(enum cl_class class); /* as the documentation says it */
enum cl_class cl_class_of(enum cl_failure failure);

/* --- preflight -------------------------------------------------------------------------------- */

struct cl_preflight {
	bool run;
	const char *reason;   /* static, as runner protocol 4.5 names it */
	int64_t proof_age_ms; /* -1: not considered */
};

struct cl_preflight_rule {
	bool run, tells_age;
	const char *reason;
};
/* In the order in which they are asked; NULL behind the last. */
const struct cl_preflight_rule *cl_preflight_rule(size_t i);
/* Pure: facts in, decision out. */
struct cl_preflight cl_preflight_decide(bool ready, bool read_only, enum wire_command command,
                                        const char *app, const struct cl_recency *recency,
                                        int64_t now_ms);

/* --- status recovery (4.10) --------------------------------------------------------------------- */

enum cl_answer {
	CL_ANSWER_UNAVAILABLE, /* nothing to ask about */
	CL_ANSWER_PROBE_FAILED,
	CL_ANSWER_OUT_OF_TIME,     /* no time, or canceled: nothing was learned */
	CL_ANSWER_COMPLETED_REPLY, /* with a retained ok reply */
	CL_ANSWER_COMPLETED,       /* without a usable one */
	CL_ANSWER_FAILED,
	CL_ANSWER_IN_FLIGHT,     /* accepted or started */
	CL_ANSWER_UNKNOWN_STATE, /* notAccepted and whatever else it may say */
	CL_ANSWER_NO_STATE,
	CL_ANSWER_COUNT
};

enum cl_recovery_action {
	CL_ACT_TRANSPORT_ERROR, /* the error of the lost send */
	CL_ACT_RETURN_REPLY,    /* the retained reply is the result */
	CL_ACT_RUNNER_FAILURE,  /* the error the runner recorded */
	CL_ACT_LOST_REPLY,      /* RUNNER_LOST_REPLY that says what is known */
};

struct cl_recovery_row {
	enum cl_recovery_action action[2]; /* [0] mutation, [1] read-only */
	bool invalidate;
	const char *decision[2]; /* the reason of keeping or dropping the session */
	const char *recovery;    /* details.recovery */
	const char *executed;    /* of a mutation */
};

const struct cl_recovery_row *cl_recovery_row(enum cl_answer answer);
/* After a lost reply: asks the runner and does what the table says. Returns 0 with *ret_data when
 * the retained reply was found, else fills e (which holds the transport error on entry). */
int cl_recover(struct cl_session *s, struct call c, struct cl_job *job, struct cl_outcome *outcome,
               const char *invalidation, json_t **ret_data, struct error *e);

/* --- session ------------------------------------------------------------------------------------ */

/* A living runner: the present one, or a new one. A dead one is dropped without ceremony. */
int cl_ensure(struct cl_session *s, struct call c, struct cl_trace *trace, struct error *e);
/* Invalidates; nothing happens when no runner runs. */
void cl_drop(struct cl_session *s, const char *reason, struct cl_trace *trace);

/* --- exchanges ---------------------------------------------------------------------------------- */

/* "runner-<uuid>" */
void cl_new_id(char *out, size_t size);
/* Exactly one POST. 0 with the reply in `reply`, else *ret_failure and e. */
int cl_post_once(struct cl_session *s, struct call c, struct cl_job *job, const struct buf *body,
                 struct buf *reply, enum cl_failure *ret_failure, struct error *e);
/* The retrying sender: while nobody listens, with back-off, until the call's deadline; with
 * `retry_lost` also after a lost reply (probes only). Gives up at once when the process is gone. */
int cl_post_retrying(struct cl_session *s, struct call c, struct cl_job *job,
                     const struct buf *body, bool retry_lost, struct buf *reply,
                     enum cl_failure *ret_failure, struct error *e);
/* Reply to data; an ok reply makes the session ready. *ret_class on failure. */
int cl_parse(struct cl_session *s, const struct buf *reply, json_t **ret_data,
             enum cl_class *ret_class, struct error *e);
/* Less than ms are left to the caller: what goes unanswered is not the runner's fault. */
bool cl_is_cut_short(struct call c, int64_t ms);
/* uptime, status, shutdown: built, sent by the retrying sender, parsed; once more when
 * question or answer arrived damaged. */
int cl_probe(struct cl_session *s, struct call c, struct cl_job *job, const char *command,
             const char *status_id, json_t **ret_data, enum cl_class *ret_class, struct error *e);

/* Preflight, send, and what the reply means for the session. */
int cl_execute(struct cl_session *s, struct call c, struct cl_job *job, json_t **ret_data,
               struct cl_outcome *ret, struct error *e);

/* details.executed of a failed mutation, unless it is already known. */
void cl_note_executed(struct error *e, enum cl_class class, bool sent);

#endif
