/* A device with a scripted screen for the commands' scenarios: everything above the runner's HTTP
 * exchange is real. The screen is a list of nodes; each runner command has a reply, a failure or a
 * duration; every request is kept. Time is the virtual clock's. */
#ifndef DEFT_TESTS_CMD_SCREEN_H
#define DEFT_TESTS_CMD_SCREEN_H

#include "harness.h"

/* One node. In flags: e editable, p password, d disabled, r read-only, m multiline, s scrollable,
 * f focused, a content hidden above, b content hidden below. */
struct screen_node {
	int depth;
	const char *role, *label, *value, *flags;
	double x, y, width, height;
};

/* Starts with a device "linux::7", an empty screen and time 1000; harness_new() is called, a session
 * is not yet opened. */
struct harness *screen_new(void);
void screen_free(struct harness *h);

void screen_show(const struct screen_node *nodes, size_t n);
#define SCREEN_SHOW(...)                                     \
	screen_show((const struct screen_node[]){ __VA_ARGS__ }, \
	            sizeof((const struct screen_node[]){ __VA_ARGS__ }) / sizeof(struct screen_node))
/* What the tree says of itself from now on; NULL: healthy. */
void screen_quality(const char *state, const char *reason);
/* Data of the reply to a command, as JSON; NULL: {} again. */
void screen_reply(const char *command, const char *data);
/* The runner answers with this error, as JSON; NULL: no more. */
void screen_fail(const char *command, const char *error);
/* Each of these commands takes so long. */
void screen_takes(const char *command, int64_t ms);
/* Called for each request before it is answered; may change all of the above. NULL: none. */
void screen_on_request(void (*fn)(const json_t *request));

/* Requests of a command (NULL: of all but uptime and shutdown) since the start or the last forget. */
size_t screen_count(const char *command);
/* The n-th of them (from 0), borrowed. Aborts when there is none. */
const json_t *screen_request(const char *command, size_t n);
void screen_forget(void);

/* Opens a session with the app "demo", forgets the requests. */
void screen_open(struct harness *h);
/* The text of a command that must succeed, without its last newline. Valid until the next call. */
const char *screen_text(struct harness *h, const char *command, const char *args);
/* The error object of a command that must fail, new reference. */
json_t *screen_error(struct harness *h, const char *command, const char *args);
/* details.reason of it, "" without one; valid as long as the error. */
const char *screen_reason(const json_t *error);

#endif
