/* One encoded answer, shared by all connections that wait for the same execution. */
#ifndef DEFT_RUNNER_REPLY_H
#define DEFT_RUNNER_REPLY_H

#include "base/error.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What becomes of an answer. Everything but RC_FATE_SENT is a fault that a hook asked for. */
enum rc_fate {
	RC_FATE_SENT,     /* as it should be */
	RC_FATE_LOST,     /* the connection is closed without an answer */
	RC_FATE_RESET,    /* the connection is reset */
	RC_FATE_TRUNCATED /* the first half of the body is sent, then the connection is closed */
};

struct rc_reply {
	atomic_int refs;
	unsigned status;   /* HTTP */
	bool stop;         /* the runner leaves once this was sent */
	enum rc_fate fate; /* on this one way; an answer from the journal is whole */
	char *body;
	size_t len;
};

/* System uptime in milliseconds with its fraction, the clock of every *UptimeMs field. */
double rc_uptime_ms(void);

/* Puts data.currentUptimeMs and data.runnerMainThreadBusy into a reply with ok:true (data is made
 * when absent); an ok:false reply stays as it is. */
void rc_reply_stamp(json_t *reply, double uptime_ms, bool busy);

/* 500 for what broke the execution itself, 200 for every other error (runner protocol 1.3). */
unsigned rc_reply_status(const json_t *reply);

/* Stamps and encodes (borrowed, changed); one reference. An encoding above LIM_RUNNER_REPLY becomes
 * an error reply. NULL when memory ran out. */
struct rc_reply *rc_reply_new(json_t *reply, unsigned status, bool busy);
struct rc_reply *rc_reply_error(const struct error *e, unsigned status);
struct rc_reply *rc_reply_ref(struct rc_reply *r);
void rc_reply_unref(struct rc_reply *r);

#endif
