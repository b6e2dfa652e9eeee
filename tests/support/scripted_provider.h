/* A runner that never was: the runner client's provider with a script. Each request must be the next
 * one of the script and gets its answer or failure; everything is recorded. Time is the virtual
 * clock's. */
#ifndef DEFT_TESTS_SCRIPTED_PROVIDER_H
#define DEFT_TESTS_SCRIPTED_PROVIDER_H

#include "client/client.h"

enum { SP_MAX = 256 };

struct sp_step {
	const char *command;     /* the request expected; NULL: any */
	enum cl_failure failure; /* CL_OK: reply is the body */
	const char *reply;
	int64_t takes_ms; /* the clock moves on by this */
	bool dies;        /* the runner's process is gone afterwards */
	bool forever;     /* stays for every further request of this command */
	bool not_sent;    /* CL_CANCELED before a byte had left */
};

struct sp_request {
	char command[32];
	json_t *body;
	int64_t at_ms, left_ms; /* when, and how long it might take at most */
	int runner;             /* 1 for the first one started, … */
};

struct sp {
	struct sp_step script[SP_MAX];
	size_t n_script, at;
	struct sp_request requests[SP_MAX];
	size_t n_requests;
	int started, stopped, unexpected;
	int64_t last_grace_ms;
	int fail_starts; /* so many starts fail */
	bool alive;
	bool freed;
};

void sp_init(struct sp *p);
void sp_done(struct sp *p);
struct cl_provider sp_provider(struct sp *p);

/* Adds to the script. */
void sp_add(struct sp *p, struct sp_step step);
void sp_reply(struct sp *p, const char *command, const char *reply);
void sp_fail(struct sp *p, const char *command, enum cl_failure failure);

/* Commands as they were asked for, "uptime tap status"; valid until the next call. */
const char *sp_order(const struct sp *p);
/* The n-th request (from 0) of this command, or NULL. */
const struct sp_request *sp_find(const struct sp *p, const char *command, size_t n);
size_t sp_count(const struct sp *p, const char *command);
/* The whole script was used and nothing else was asked for. */
bool sp_is_finished(const struct sp *p);

#endif
