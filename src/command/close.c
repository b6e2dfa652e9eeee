/* close: the app is ended, then the session; what still runs is said. */
#include "base/cleanup.h"
#include "base/jx.h"
#include "command/acting.h"
#include "command/shared.h"

#include <string.h>

/* What became of the app. */
enum fate { FATE_NONE, FATE_CLOSED, FATE_GONE, FATE_LEFT, FATE_KEPT, FATE_UNKNOWN };

static const char *const fates[] = { NULL,   "closed", "not-running", "still-running",
	                                 "kept", "unknown" };

static json_t *terminate_request(struct dm_request *rq, const char *app)
{
	json_t *request = json_object();

	jx_set_str(request, "command", "terminate");
	jx_set_str(request, "appBundleId", app);
	if (jx_get_bool(rq->args, "force", false))
		jx_set_bool(request, "force", true);
	return request;
}

/* A failure does not keep the session alive: it is told, and the session ends all the same. */
static enum fate end_app(struct dm_request *rq, struct pf_device *d, const char *app, json_t *data,
                         struct error *why)
{
	auto_json json_t *request = terminate_request(rq, app);
	auto_json json_t *reply = NULL;
	int r;

	if (!d->ops->run) {
		error_set(why, ERR_UNSUPPORTED_OPERATION, "%s can't end a program", d->info.name);
		return FATE_UNKNOWN;
	}
	r = d->ops->run(d, rq->call, request, &reply, why);
	dm_stage(rq, "terminate");
	if (r == -ERR_APP_NOT_RUNNING || r == -ERR_APP_NOT_FOUND)
		return FATE_GONE;
	if (r < 0)
		return FATE_UNKNOWN;
	if (json_object_get(reply, "remaining"))
		json_object_set(data, "remaining", json_object_get(reply, "remaining"));
	return jx_get_bool(reply, "stillRunning", false) ? FATE_LEFT : FATE_CLOSED;
}

static void say(json_t *data, const char *session, const char *app, enum fate fate,
                const struct error *why)
{
	auto_buf struct buf b;

	buf_init(&b, LIM_ERROR_TEXT);
	if (session)
		buf_addf(&b, "Closed: %s", session);
	switch (fate) {
	case FATE_NONE: break;
	case FATE_CLOSED: buf_addf(&b, "%s%s ended", session ? "; " : "", app); break;
	case FATE_GONE: buf_addf(&b, "%s%s was not running", session ? "; " : "", app); break;
	case FATE_KEPT: buf_addf(&b, "; %s runs on, as asked", app); break;
	case FATE_LEFT:
		buf_addf(&b, "%s%s still runs: it may be asking something; `deft close %s --force` ends it",
		         session ? "; " : "", app, app);
		break;
	case FATE_UNKNOWN:
		buf_addf(&b, "%swhether %s still runs is not known: %s", session ? "; " : "", app,
		         why->message ? why->message : "it could not be asked");
		break;
	}
	jx_set_str(data, "message", b.data);
}

static void put_app(json_t *data, const char *app, enum fate fate, const struct error *why)
{
	json_t *o;

	if (fate == FATE_NONE)
		return;
	o = json_object();
	jx_set_str(o, "id", app);
	jx_set_str(o, "state", fates[fate]);
	if (fate == FATE_UNKNOWN)
		jx_set(o, "error", error_to_json(why));
	jx_set(data, "app", o);
}

/* "demo" and "demo#12" both name the session's app demo#12. */
static bool is_sessions_app(struct dm_request *rq, const char *app)
{
	const char *own = dm_app(rq);
	size_t n = strlen(app);

	return own && !strncmp(own, app, n) && (own[n] == '\0' || own[n] == '#');
}

/* A slip of the pen must not cost the session. */
static int no_such_app(struct dm_request *rq, const char *app, struct error *e)
{
	error_set(e, ERR_APP_NOT_RUNNING, "%.200s is not running; session %s stays open", app,
	          dm_session_label(rq));
	error_detail_str(e, "app", app);
	return error_hint(e, "`deft close` ends %s; `deft apps` lists what runs",
	                  dm_app(rq) ? dm_app(rq) : "the session");
}

static int close_session(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	auto_error struct error why = ERROR_INIT;
	auto_json json_t *data = json_object();
	const char *named = jx_get_str(rq->args, "app", dm_app(rq));
	/* The session and all that it owns are gone when the sentence is made. */
	auto_free char *app = named ? strdup(named) : NULL;
	auto_free char *label = strdup(dm_session_label(rq));
	enum fate fate = FATE_NONE;
	int r;

	if (app && jx_get_bool(rq->args, "keepApp", false))
		fate = FATE_KEPT;
	else if (app)
		fate = end_app(rq, dm_device(rq), app, data, &why);
	if (fate == FATE_GONE && !is_sessions_app(rq, app))
		return no_such_app(rq, app, e);
	if (why.code == ERR_CANCELED) {
		error_move(e, &why);
		return -ERR_CANCELED;
	}
	r = dm_session_close(rq, e);
	if (r < 0)
		return r;
	jx_set_str(data, "session", label);
	put_app(data, app, fate, &why);
	say(data, label, app, fate, &why);
	*ret_data = TAKE(data);
	return 0;
}

/* Without a session a named app is ended on the selected device; then a failure is an error. */
static int close_app(struct dm_request *rq, const char *app, json_t **ret_data, struct error *e)
{
	auto_json json_t *data = json_object();
	struct pf_device *d = NULL;
	enum fate fate;
	int r = dm_device_for(rq, &d, e);

	if (r < 0)
		return r;
	fate = end_app(rq, d, app, data, e);
	if (fate == FATE_UNKNOWN)
		return -(int)e->code;
	error_clear(e);
	put_app(data, app, fate, e);
	say(data, NULL, app, fate, e);
	*ret_data = TAKE(data);
	return 0;
}

static int close_run(struct dm_request *rq, json_t **ret_data, struct error *e)
{
	const char *app = jx_get_str(rq->args, "app", NULL);
	int r = cmd_exclude(rq->args, "keepApp", "force", e);

	if (r < 0)
		return r;
	if (rq->session)
		return close_session(rq, ret_data, e);
	if (app)
		return close_app(rq, app, ret_data, e);
	return dm_session_close(rq, e); /* says that there is none */
}

static const struct cmd_param params[] = {
	{ .name = "app",
	  .type = CMD_STRING,
	  .positional = true,
	  .complete = CMD_COMPLETE_APPS,
	  .help = "id of the program to end; default: the one of the session" },
	{ .name = "keepApp",
	  .type = CMD_BOOL,
	  .help = "end the session only and leave the program alone" },
	{ .name = "force", .type = CMD_BOOL, .help = "end the program by signal, without asking it" },
};
static const char *const examples[] = { "deft close", "deft close --keep-app",
	                                    "deft close galculator --force", NULL };

const struct cmd_entry cmd_entry_close = {
	.spec = { .name = "close",
	          .summary = "End the app and the session; says what still runs",
	          .group = "App",
	          .examples = examples,
	          CMD_PARAMS(params),
	          .exposure = CMD_ANYWHERE,
	          .traits = CMD_LOCKS | CMD_REPLAYABLE },
	CMD_CODE(close_run, cmd_render_message),
};
