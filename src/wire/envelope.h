/* The daemon's line protocol: one JSON object a line over the unix socket (mode 0600).
 *
 * client → daemon, first line:
 *   {"type":"hello","protocol":1,"version":"0.1.0","build":"<id>"}
 * daemon → client, first line:
 *   {"type":"hello","protocol":1,"version":…,"build":…,"pid":N,"ok":true|false}
 * The client may send its first request together with the hello; a daemon of another build answers
 * that request with DAEMON_VERSION_MISMATCH and executes nothing.
 *
 * request:   {"type":"request","id":"<hex>","command":"press","args":{…},"session":"name"?,
 *             "meta":{"cwd":…,"deadlineMs":N?,"debug":bool?,"output":"text"|"json",
 *                     "color":bool?,"width":N?,"env":{…}?}}
 * cancel:    {"type":"cancel","id":"<hex>"}
 * progress:  {"type":"progress","id":…,"message":…,"done":N?,"total":N?}
 * response:  {"type":"response","id":…,"ok":true,"data":{…},"text":"…"?,"notices":[…]?,"timing":{…}?}
 *            {"type":"response","id":…,"ok":false,"error":{…},"text":"…"?}
 *
 * A connection carries any number of requests, answered in the order they end; blank lines are
 * ignored; a line that is no such object is answered with INVALID_ARGS and the connection goes on.
 * When the client goes away, its running requests are canceled. */
#ifndef DEFT_WIRE_ENVELOPE_H
#define DEFT_WIRE_ENVELOPE_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

#define WIRE_DAEMON_PROTOCOL 1

struct wire_hello {
	int protocol;
	const char *version, *build; /* borrowed from the parsed object */
	long pid;                    /* daemon only */
	bool ok;
};

json_t *wire_hello_make(const char *version, const char *build, long pid, bool ok);
int wire_hello_parse(const json_t *j, struct wire_hello *ret, struct error *e);

/* One parsed request; strings are borrowed from `json`, which it owns. */
struct wire_call {
	json_t *json;
	const char *id, *command, *session, *cwd, *output;
	json_t *args; /* object, never NULL */
	json_t *env;  /* object or NULL: the caller's display and bus variables */
	int64_t deadline_ms;
	bool debug, color, is_cancel;
	int width;
};
int wire_call_parse(const char *line, size_t len, struct wire_call *ret, struct error *e);
void wire_call_done(struct wire_call *c);

json_t *wire_response_ok(const char *id, json_t *data_stolen);
json_t *wire_response_error(const char *id, const struct error *e);
json_t *wire_progress(const char *id, const char *message, int64_t done, int64_t total);

#endif
