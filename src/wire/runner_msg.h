/* One runner request and reply (runner protocol 1.2, 1.3, 2.1, 2.2).
 *
 * Decoding follows the specification: `command` is required and known; null equals absent; a wrong
 * type refuses the whole request; integers refuse fractions; unknown fields are ignored. */
#ifndef DEFT_WIRE_RUNNER_MSG_H
#define DEFT_WIRE_RUNNER_MSG_H

#include "base/error.h"
#include "wire/runner_commands.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define WIRE_RUNNER_PROTOCOL 1

/* Optional numbers carry a presence bit, so that 0 is a value. */
struct wire_num {
	bool has;
	double v;
};

struct wire_step {
	const char *kind;
	struct wire_num x, y, x2, y2, duration_ms, pause_ms;
	bool synthesized;
};

/* Strings are borrowed from `json`, which the request owns. */
struct wire_request {
	json_t *json;
	enum wire_command command;
	const char *command_id;        /* trimmed; NULL when absent or blank */
	const char *status_command_id; /* the same for status */
	const char *app;               /* appBundleId; blank is NULL */
	const char *node;              /* nodeId: opaque handle from a snapshot of this runner */
	const char *expect_role;       /* what the caller saw behind nodeId; checked before acting */
	const char *expect_label;
	const char *text;
	const char *selector_key, *selector_value;
	const char *text_entry_mode;   /* append | replace */
	const char *action;            /* alert, performAction */
	const char *direction;
	const char *button;            /* primary | secondary | middle */
	const char *keys;              /* key: chord such as ctrl+shift+a */
	const char *surface;           /* app | frontmost-app | desktop */
	const char *scope;
	const char *out_path;          /* screenshot: absolute path of the PNG */
	const char *orientation;
	const char *target;            /* launch: desktop id, program, path or URL */
	const char *flavour;           /* launch: which kind of device a virtual one plays */
	json_t *args, *env;            /* launch: array of strings, object of strings */
	struct wire_num x, y, x2, y2, duration_ms, amount, pixels, value, timeout_ms, count, reads;
	int64_t delay_ms, depth;       /* -1: absent */
	bool interactive_only, raw, fullscreen, force, relaunch, inline_image;
	bool background;               /* launch: do not raise it */
	bool installed;                /* apps: also what is not running */
	struct wire_step *steps;       /* sequence: the first LIM_SEQUENCE_STEPS of n_steps */
	size_t n_steps;                /* as received; more than LIM_SEQUENCE_STEPS is to be refused */
	bool has_steps;
};

/* Parses a body. On failure -ERR_INVALID_ARGS with the specified message prefix. */
int wire_request_parse(const char *body, size_t len, struct wire_request *ret, struct error *e);
void wire_request_done(struct wire_request *r);

/* {"ok":true,"data":…}; steals data (NULL: no data). */
json_t *wire_reply_ok(json_t *data);
/* {"ok":false,"error":{code,message,hint}} (+ details, ours). */
json_t *wire_reply_error(const struct error *e);
/* Reads a reply body: 0 with *ret_data (new reference, an object, maybe empty), or the runner's
 * error in e (details.runner = true). A body that is no such object: -ERR_COMMAND_FAILED with
 * reason "invalid_runner_response". */
int wire_reply_parse(const char *body, size_t len, json_t **ret_data, struct error *e);

#endif
