/* What the daemon offers to commands: the request, its session, the session's device and screen.
 * This is the daemon's only public header; command/ includes nothing else of daemon/. */
#ifndef DEFT_DAEMON_DAEMON_H
#define DEFT_DAEMON_DAEMON_H

#include "base/cancel.h"
#include "base/error.h"
#include "platform/platform.h"
#include "ui/filter.h"
#include "ui/node.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct dm_daemon;
struct dm_session;

/* One request on its way through the pipeline; lives on its thread's stack. */
struct dm_request {
	struct dm_daemon *daemon;
	const char *id, *command;
	json_t *args;     /* checked and completed, borrowed */
	struct call call; /* deadline and cancellation of the whole request */
	struct pf_caller caller;
	const char *session_name;         /* effective key, e.g. "cwd:1a2b…:default" */
	bool session_explicit;            /* named by the caller */
	const char *platform, *device_id; /* selectors of this request, NULL: none */
	struct dm_session *session;       /* NULL: none open (CMD_NEEDS_SESSION guarantees one) */
	bool debug;
	json_t *notices;         /* array: lines for stderr */
	struct dm_stage *stages; /* time per stage */
};

/* --- session --------------------------------------------------------------------------------- */

/* Selects a device by the request's selectors (or the only one present, else the virtual device and
 * a notice), binds a new session to it and makes it the request's session, with the device lock
 * held. An existing session with the same device is returned as it is. -ERR_DEVICE_IN_USE names the
 * holder; -ERR_DEVICE_NOT_FOUND, -ERR_DEVICE_UNAVAILABLE say why. */
int dm_session_open(struct dm_request *rq, struct error *e);
/* Ends the request's session: its runner is stopped, its device freed, its state files removed. */
int dm_session_close(struct dm_request *rq, struct error *e);
/* {"sessions":[{name,platform,device,app?,createdAt,idleMs,current:bool}]}; without `all` only those
 * of the caller's scope and explicit ones. */
json_t *dm_sessions_json(struct dm_request *rq, bool all);

struct pf_device *dm_device(struct dm_request *rq); /* the session's device, never NULL then */
const char *dm_app(const struct dm_request *rq);    /* app id of the session, NULL: none */
void dm_set_app(struct dm_request *rq, const char *id, const char *name);
/* Public name of the session ("default" for the implicit one). */
const char *dm_session_label(const struct dm_request *rq);

/* --- the session's current snapshot (refs) ----------------------------------------------------- */

struct dm_frame {
	struct ui_tree view; /* what the caller was shown, with refs */
	uint64_t generation; /* grows with every stored frame, also across sessions of one daemon */
	int64_t taken_ms;    /* monotonic */
	uint64_t fingerprint;
};

/* Stores a view as the current frame (takes it over) and returns its generation. */
uint64_t dm_frame_store(struct dm_request *rq, struct ui_tree *view_stolen);
/* NULL: no snapshot yet. Valid while the request runs. */
const struct dm_frame *dm_frame(const struct dm_request *rq);
void dm_frame_drop(struct dm_request *rq);

/* --- the request ------------------------------------------------------------------------------- */

/* A line for stderr beside the result ("Starting …", "no device chosen: using the virtual one"). */
__attribute__((format(printf, 2, 3))) void dm_notice(struct dm_request *rq, const char *fmt, ...);
/* A progress event to the waiting client; done/total < 0: unknown. */
void dm_progress(struct dm_request *rq, const char *message, int64_t done, int64_t total);
/* Marks the end of a stage ("resolve", "send", "render", …); shown under --debug and in the trace. */
void dm_stage(struct dm_request *rq, const char *name);

/* --- the daemon -------------------------------------------------------------------------------- */

/* {"devices":[{platform,id,name,kind,target,available,reason?,session?}]} */
int dm_devices_json(struct dm_request *rq, json_t **ret, struct error *e);
/* A device for a command without a session (apps, screenshot of a device): attached for this request
 * only, unless the session has it. Released with the request. */
int dm_device_for(struct dm_request *rq, struct pf_device **ret, struct error *e);
/* {"pid","version","build","protocol","state":"running"|"stopping","stateDir","socket","uptimeMs",
 *  "idleExitMs","sessions":N,"requests":{total,running,failed},"runner":{counters summed}} */
json_t *dm_status_json(struct dm_request *rq);
/* Asks the daemon to stop after this reply; with sessions of others open and without force:
 * -ERR_SESSION_BUSY naming them. */
int dm_stop(struct dm_request *rq, bool force, struct error *e);
const char *dm_state_dir(const struct dm_request *rq);

#endif
