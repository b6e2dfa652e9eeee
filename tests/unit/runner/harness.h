/* A runner in process over the scripted backend. */
#ifndef TESTS_RUNNER_HARNESS_H
#define TESTS_RUNNER_HARNESS_H

#include "../../conformance/fake_backend.h"
#include "../../conformance/raw_http.h"
#include "runner/runner.h"

struct harness {
	struct fake_backend fake;
	struct rc_runner *runner;
};

/* cfg NULL: no token, default times. */
void harness_start(struct harness *h, const struct rc_config *cfg);
void harness_stop(struct harness *h);

/* A connection to the runner; fails the test when there is none. */
int http_connect(const struct harness *h);
/* Writes one POST /command with this body, without waiting. */
void http_send_command(int fd, const char *body);
/* One command on a connection of its own. */
struct http_answer http_command(const struct harness *h, const char *body);
/* The answer's data or error object, and shortcuts. */
const json_t *answer_data(const struct http_answer *a);
const char *answer_code(const struct http_answer *a);

#endif
