/* A client that speaks the daemon's lines by hand. */
#ifndef DEFT_TESTS_DAEMON_LINES_H
#define DEFT_TESTS_DAEMON_LINES_H

#include "base/sock.h"

#include <jansson.h>

struct client {
	int fd;
	struct line_reader reader;
};

/* Around a connected descriptor, which it owns from then on. */
void client_init(struct client *c, int fd);
void client_done(struct client *c);
/* One line; a newline is added. */
void client_send(struct client *c, const char *line);
/* {"type":"request",…} with args (JSON or NULL) and session (or NULL). */
void client_request(struct client *c, const char *id, const char *command, const char *args,
                    const char *session);
/* The next line, parsed; NULL when the daemon has closed. Fails the test after 20 s. */
json_t *client_read(struct client *c);
/* The same, skipping progress lines. */
json_t *client_answer(struct client *c);
/* Reads until a progress line comes. */
void client_wait_progress(struct client *c);
/* A request and its answer's data, which must be there. */
json_t *client_ok(struct client *c, const char *command, const char *args, const char *session);

#endif
