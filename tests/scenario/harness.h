/* The daemon's real request path in process: requests go in as the lines a client would send and
 * come out as the answers it would get; only what lies below the platform interface is replaced (by
 * the test). No socket, no second process. */
#ifndef DEFT_TESTS_HARNESS_H
#define DEFT_TESTS_HARNESS_H

#include "daemon/core.h"

#include <jansson.h>

struct harness;

struct harness_call {
	const char *command;
	const char *args;                   /* JSON object, NULL: {} */
	const char *session, *cwd, *output; /* NULL: none, the harness's directory, "json" */
	const char *platform, *device;
	int64_t deadline_ms; /* 0: the command's own */
	bool debug;
	bool no_data; /* meta.data false */
};

/* A daemon with a state directory of its own; options may be NULL. Aborts on failure. */
struct harness *harness_new(const struct dm_options *options);
/* Closes the sessions and removes the directory. */
void harness_free(struct harness *h);
const char *harness_dir(const struct harness *h);
struct dm_daemon *harness_daemon(struct harness *h);

/* Runs one request on the caller's thread; the response, new reference. */
json_t *harness_call(struct harness *h, const struct harness_call *c);
/* Short forms: without a session name; args is JSON or NULL. */
json_t *harness_run(struct harness *h, const char *command, const char *args);
/* The response's data, which must be there (else the test aborts with the error printed). */
json_t *harness_ok(struct harness *h, const char *command, const char *args);
/* The error code of a request that must fail; "" if it does not. Valid until the next call. */
const char *harness_error(struct harness *h, const char *command, const char *args);

/* A request on a thread of its own. */
struct harness_job;
struct harness_job *harness_start(struct harness *h, const struct harness_call *c);
/* Waits for the n-th (from 1) progress line: then the handler is certainly running. */
void harness_wait_progress(struct harness_job *j, unsigned n);
void harness_cancel(struct harness_job *j);
/* Waits for the end; the response, new reference. */
json_t *harness_finish(struct harness_job *j);

/* Lines of an event file ("events.ndjson" of the state directory, or of a session), parsed; array. */
json_t *harness_events(struct harness *h, const char *session_key);

#endif
