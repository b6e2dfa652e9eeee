/* The daemon's runner client: starts a runner, proves it is alive, sends each command exactly once,
 * and after a lost reply asks what became of it (runner protocol 4). It knows nothing of buttons.
 *
 * Provider seam: struct cl_provider executes what lies outside (starting a process, one HTTP
 * exchange). Tests replace the provider and nothing else.
 *
 * THREADS: one cl_session is used by one thread at a time, except cl_session_status(). */
#ifndef DEFT_CLIENT_CLIENT_H
#define DEFT_CLIENT_CLIENT_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/proc.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* How an exchange failed, as far as can be told (runner protocol 4.11). */
enum cl_failure {
	CL_OK,        /* a reply body arrived */
	CL_NOT_SENT,  /* refused before a byte of the request left: certainly not executed */
	CL_LOST,      /* sent (maybe in part), then reset or closed: outcome unknown */
	CL_TIMED_OUT, /* sent, no reply within the limit: outcome unknown */
	CL_CANCELED,  /* the caller stopped it: outcome unknown, unless details.notSent is true */
};

struct cl_endpoint {
	char host[64];
	uint16_t port;
	char token[65];
	struct proc_id process; /* {0,0}: none of ours */
	void *impl;             /* provider's own */
};

/* Executes things outside. `ctx` is the provider's own. Every operation honours the call. */
struct cl_provider {
	void *ctx;
	/* Starts a runner for this device and returns its endpoint once it announced its port. */
	int (*start)(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e);
	/* True while the runner's process runs. Never blocks. */
	bool (*alive)(void *ctx, const struct cl_endpoint *ep);
	/* One POST of body; appends the reply body. Always sets *ret_failure; returns 0 exactly with
	 * CL_OK, else fills e. Connections may be kept and reused. A request whose bytes may have reached
	 * the runner is never repeated here. */
	int (*post)(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
	            struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e);
	/* Ends the runner's process (grace, then kill), frees ep->impl. Never fails. */
	void (*stop)(void *ctx, struct cl_endpoint *ep, int64_t grace_ms);
	void (*free)(void *ctx); /* may be NULL */
};

/* The session's states; what leads from one to the next is one table (state.c). */
enum cl_state {
	CL_IDLE,     /* no runner was needed yet, or the session is closed */
	CL_STARTING, /* its process is being started */
	CL_STARTED,  /* it announced its port; nothing was answered yet */
	CL_READY,    /* it answered ok at least once */
	CL_INVALID,  /* the last one was ended or did not start; the next command starts another */
	CL_STATE_COUNT
};

struct cl_counters {
	uint64_t requests, commands, preflights, preflights_skipped, recoveries, retries, restarts,
	    invalidations;
};

/* How one command went; for --debug, traces and counters. */
struct cl_trace {
	const char *preflight;        /* "used" | "skipped" | "not_needed" */
	const char *preflight_reason; /* the rule that decided (runner protocol 4.5); static, or NULL */
	const char *skip_reason;      /* the same when no preflight ran; else NULL */
	int64_t proof_age_ms;         /* -1: none */
	const char *recovery;         /* NULL, or what status recovery decided (static) */
	const char *invalidation;     /* NULL, or the reason (static) */
	int requests, retries;
	int commands, preflights, preflights_skipped; /* of a sum; see cl_trace_add() */
	int64_t start_ms, send_ms; /* time spent starting the runner, and in exchanges */
};

/* Adds one command's trace to the sum of several (which begins as zeros). The preflight told is the
 * last command's, recovery and invalidation are the last there were. */
void cl_trace_add(struct cl_trace *sum, const struct cl_trace *one);

struct cl_session;

/* Takes over the provider. */
int cl_session_new(struct cl_session **ret, const struct cl_provider *provider, struct error *e);
/* Graceful: `shutdown`, wait, kill. */
void cl_session_free(struct cl_session *s);

/* Sends one command. `request` is an object with "command" and its fields (borrowed; commandId is
 * added). *ret_data: the reply's data, new reference. Starts the runner when there is none. */
int cl_send(struct cl_session *s, struct call c, json_t *request, json_t **ret_data,
            struct cl_trace *ret_trace, struct error *e);
/* Ends the current runner, if any; the next command starts another. */
void cl_invalidate(struct cl_session *s, const char *reason);
enum cl_state cl_session_state(const struct cl_session *s);                    /* [any thread] */
void cl_session_counters(const struct cl_session *s, struct cl_counters *ret); /* [any thread] */
struct proc_id cl_session_process(const struct cl_session *s);                 /* [any thread] */

#endif
