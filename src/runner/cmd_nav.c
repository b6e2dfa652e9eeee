/* back, home, rotate, keyboardDismiss, alert: what phones have. */
#include "runner/commands.h"

#include "base/buf.h"
#include "base/jx.h"

#include <string.h>

static int navigate(struct rc_env *env, const struct wire_request *r, struct call c,
                    const char *what, json_t **ret, struct error *e)
{
	int status;

	if (!env->backend->ops->navigate)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->navigate(env->backend, c, what, e);
	if (status < 0)
		return status;
	*ret = rc_message(wire_command_traits(r->command)->name);
	return 0;
}

int rc_cmd_back(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	return navigate(env, r, c, "back", ret, e);
}

int rc_cmd_home(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	return navigate(env, r, c, "home", ret, e);
}

int rc_cmd_keyboard_dismiss(struct rc_env *env, const struct wire_request *r, struct call c,
                            json_t **ret, struct error *e)
{
	return navigate(env, r, c, "keyboardDismiss", ret, e);
}

int rc_cmd_rotate(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                  struct error *e)
{
	static const char *const known[] = { "portrait", "portrait-upside-down", "landscape-left",
		                                 "landscape-right" };
	struct buf auto_buf what;
	bool ok = false;
	int status;

	buf_init(&what, 64);
	if (!r->orientation)
		return error_set(e, ERR_INVALID_ARGS, "rotate requires orientation");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		ok = ok || strcmp(known[i], r->orientation) == 0;
	if (!ok)
		return error_set(e, ERR_INVALID_ARGS, "unsupported rotate orientation: %.64s",
		                 r->orientation);
	buf_addf(&what, "rotate:%s", r->orientation);
	status = navigate(env, r, c, what.data, ret, e);
	env->screen.known = false;
	if (status == 0)
		jx_set_str(*ret, "orientation", r->orientation);
	return status;
}

/* --- alert ----------------------------------------------------------------------------------- */

static const char *alert_action(const struct wire_request *r)
{
	static const char *const known[] = { "get", "accept", "dismiss" };

	if (!r->action)
		return "get";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcasecmp(known[i], r->action) == 0)
			return known[i];
	return NULL;
}

int rc_cmd_alert(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                 struct error *e)
{
	const char *action = alert_action(r);
	json_t *data = NULL;
	int status;

	if (!action)
		return error_set(e, ERR_INVALID_ARGS, "alert action must be get, accept or dismiss");
	if (!env->backend->ops->alert)
		return rc_unsupported(env, r, e);
	status = env->backend->ops->alert(env->backend, c, action, &data, e);
	if (status < 0)
		return status;
	if (!jx_get_bool(data, "present", false)) {
		json_decref(data);
		return error_set(e, ERR_ELEMENT_NOT_FOUND, "alert not found");
	}
	if (strcmp(action, "get") == 0)
		jx_set_str(data, "message", jx_get_str(data, "title", "Alert"));
	else
		jx_set_str(data, "message", strcmp(action, "accept") == 0 ? "accepted" : "dismissed");
	*ret = data;
	return 0;
}
