/* From a request to the function that carries it out: one row per command. Runs on the executor's
 * worker thread; nothing here locks. */
#ifndef DEFT_RUNNER_DISPATCH_H
#define DEFT_RUNNER_DISPATCH_H

#include "runner/backend.h"
#include "wire/runner_msg.h"

struct rc_screen {
	double width, height; /* 0: unknown */
	int64_t read_at_ms;
	bool known;
};

/* What the command functions work with. */
struct rc_env {
	struct rb_backend *backend; /* borrowed */
	struct rc_screen screen;    /* use rc_screen() */
	uint64_t executed[WIRE_CMD_COUNT]; /* how often each command function ran; deviceInfo tells */
};

/* Returns 0 with the reply's data (new reference, or untouched for none), or a typed error. */
typedef int rc_command_fn(struct rc_env *env, const struct wire_request *r, struct call c,
                          json_t **ret, struct error *e);

/* Prepares the app (runner protocol 2.5), carries the command out, and repeats a read-only one once
 * when the device was not there for a moment (8.2). */
int rc_execute(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
               struct error *e);

#endif
