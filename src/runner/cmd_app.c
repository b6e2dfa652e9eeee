/* apps, deviceInfo, launch, activate, terminate, shutdown: programs and the device itself. */
#include "runner/commands.h"

#include "base/jx.h"
#include "base/limits.h"

int rc_cmd_apps(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	json_t *apps = NULL;
	int status;

	if (!env->backend->ops->apps)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->apps(env->backend, c, r->installed, &apps, e);
	if (status < 0)
		return status;
	*ret = json_object();
	jx_set(*ret, "apps", apps);
	return 0;
}

static json_t *executed(const struct rc_env *env)
{
	json_t *counts = json_object();

	for (int i = 0; i < WIRE_CMD_COUNT; i++)
		if (env->executed[i])
			jx_set_int(counts, wire_command_traits((enum wire_command)i)->name,
			           (int64_t)env->executed[i]);
	return counts;
}

int rc_cmd_device_info(struct rc_env *env, const struct wire_request *r, struct call c,
                       json_t **ret, struct error *e)
{
	json_t *facts = NULL;
	int status = env->backend->ops->describe(env->backend, c, &facts, e);

	if (status < 0)
		return status;
	jx_set_str(facts, "backend", env->backend->ops->name);
	jx_set_int(facts, "protocol", WIRE_RUNNER_PROTOCOL);
	jx_set_str(facts, "version", DEFT_VERSION);
	jx_set(facts, "executed", executed(env));
	*ret = facts;
	return 0;
}

int rc_cmd_launch(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                  struct error *e)
{
	const struct rb_launch launch = {
		.target = r->target,
		.flavour = r->flavour,
		.args = r->args,
		.env = r->env,
		.relaunch = r->relaunch,
		.background = r->background,
	};
	json_t *app = NULL;
	int status;

	if (!r->target || !*r->target)
		return error_set(e, ERR_INVALID_ARGS, "launch requires target");
	if (!env->backend->ops->launch)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->launch(env->backend, c, &launch, &app, e);
	if (status < 0)
		return status;
	jx_set_str(app, "message", "launched");
	*ret = app;
	return 0;
}

int rc_cmd_activate(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                    struct error *e)
{
	int status;

	if (!r->app)
		return error_set(e, ERR_INVALID_ARGS, "activate requires appBundleId");
	if (!env->backend->ops->activate)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->activate(env->backend, c, r->app, e);
	if (status < 0)
		return status;
	*ret = rc_message("activated");
	return 0;
}

int rc_cmd_terminate(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                     struct error *e)
{
	bool left = false;
	int status;

	if (!r->app)
		return error_set(e, ERR_INVALID_ARGS, "terminate requires appBundleId");
	if (!env->backend->ops->terminate)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->terminate(env->backend, c, r->app, r->force, &left, e);
	if (status < 0)
		return status;
	*ret = rc_message("terminated");
	jx_set_bool(*ret, "stillRunning", left);
	return 0;
}

int rc_cmd_idle(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	double ms = r->duration_ms.has ? r->duration_ms.v : 0;
	int64_t now = 0;
	int status;

	if (!env->backend->ops->idle)
		return rc_unsupported(env, r, e);
	if (!(ms >= 0 && ms <= LIM_REQUEST_MAX_MS))
		return error_set(e, ERR_INVALID_ARGS, "durationMs must be between 0 and %d",
		                 LIM_REQUEST_MAX_MS);
	status = env->backend->ops->idle(env->backend, c, (int64_t)ms, &now, e);
	if (status < 0)
		return status;
	*ret = rc_message("idle");
	jx_set_int(*ret, "deviceTimeMs", now);
	return 0;
}

int rc_cmd_shutdown(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                    struct error *e)
{
	*ret = rc_message("shutdown");
	return 0;
}
