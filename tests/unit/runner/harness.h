/* A runner in process over the scripted backend, and the least of an HTTP client. */
#ifndef TESTS_RUNNER_HARNESS_H
#define TESTS_RUNNER_HARNESS_H

#include "../../conformance/fake_backend.h"
#include "runner/runner.h"

struct harness {
	struct fake_backend fake;
	struct rc_runner *runner;
};

/* cfg NULL: no token, default times. */
void harness_start(struct harness *h, const struct rc_config *cfg);
void harness_stop(struct harness *h);

struct http_answer {
	int status;     /* 0: the connection was closed without an answer */
	json_t *json;   /* NULL when the body is no JSON */
	char *body;     /* as received */
	bool close;     /* Connection: close */
};
void http_answer_done(struct http_answer *a);
#define auto_answer __attribute__((cleanup(http_answer_done)))

int http_connect(const struct harness *h);
/* Writes bytes as they are. */
void http_send(int fd, const void *data, size_t len);
/* Writes one POST /command with this body, without waiting. */
void http_send_command(int fd, const char *body);
struct http_answer http_receive(int fd);
/* One command on a connection of its own. */
struct http_answer http_command(const struct harness *h, const char *body);
/* The answer's data or error object, and shortcuts. */
const json_t *answer_data(const struct http_answer *a);
const char *answer_code(const struct http_answer *a);

#endif
