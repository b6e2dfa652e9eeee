/* One run: the state a session is in, one to three commands, and the faults that meet them. All of it
 * follows from the run's number. */
#ifndef DEFT_TESTS_CAMPAIGN_PLAN_H
#define DEFT_TESTS_CAMPAIGN_PLAN_H

#include "base/buf.h"
#include "fault_proxy.h"

enum start_state {
	FROM_NEW,   /* a runner is started for it */
	FROM_READY, /* it has answered, there is no proof of a recent mutation */
	FROM_HOT,   /* a mutation of the same app went well just now */
	START_STATES
};
const char *start_state_name(enum start_state s);

enum { COMMANDS_MAX = 3 };

struct plan {
	uint64_t number;
	enum start_state from;
	unsigned n_commands;
	unsigned kinds[COMMANDS_MAX]; /* of the world's commands */
	unsigned hit;                 /* the command that the faults are planned for */
	struct fault faults[FAULTS_PLANNED];
	int deadline_ms;
};

/* The run of this seed; n_kinds: how many kinds of commands the world has. */
struct plan plan_random(uint64_t seed, unsigned n_kinds);

/* The sweep: one fault at every byte position of request and reply, at every stage of a command's life
 * (preflight and command of a new session, of a ready one, command and status question of a hot one),
 * of every kind that depends on the place. Runs 0 … plan_sweep_size() - 1. `mutation`: the kind of
 * command to send. */
enum { SWEEP_BYTES = 512 }; /* longer messages are met only up to here; shorter ones twice */
uint64_t plan_sweep_size(void);
struct plan plan_sweep(uint64_t number, unsigned mutation);

/* A line for a person, to run it again by. */
void plan_tell(const struct plan *p, struct buf *out);

#endif
