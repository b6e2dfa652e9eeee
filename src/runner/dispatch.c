#include "runner/dispatch.h"

#include "base/clock.h"
#include "base/log.h"
#include "runner/commands.h"

#include <stdlib.h>
#include <strings.h>

#define RETRY_AFTER_MS 200

/* `status` and `uptime` are answered by the transport and never come here. */
static rc_command_fn *const functions[WIRE_CMD_COUNT] = {
	[WIRE_CMD_TAP] = rc_cmd_tap,
	[WIRE_CMD_LONG_PRESS] = rc_cmd_long_press,
	[WIRE_CMD_DRAG] = rc_cmd_drag,
	[WIRE_CMD_SWIPE] = rc_cmd_swipe,
	[WIRE_CMD_SCROLL] = rc_cmd_scroll,
	[WIRE_CMD_SEQUENCE] = rc_cmd_sequence,
	[WIRE_CMD_TYPE] = rc_cmd_type,
	[WIRE_CMD_BACK] = rc_cmd_back,
	[WIRE_CMD_HOME] = rc_cmd_home,
	[WIRE_CMD_ROTATE] = rc_cmd_rotate,
	[WIRE_CMD_KEYBOARD_DISMISS] = rc_cmd_keyboard_dismiss,
	[WIRE_CMD_FIND_TEXT] = rc_cmd_find_text,
	[WIRE_CMD_READ_TEXT] = rc_cmd_read_text,
	[WIRE_CMD_SNAPSHOT] = rc_cmd_snapshot,
	[WIRE_CMD_SCREENSHOT] = rc_cmd_screenshot,
	[WIRE_CMD_QUERY_SELECTOR] = rc_cmd_query_selector,
	[WIRE_CMD_ALERT] = rc_cmd_alert,
	[WIRE_CMD_SHUTDOWN] = rc_cmd_shutdown,
	[WIRE_CMD_FOCUS] = rc_cmd_focus,
	[WIRE_CMD_KEY] = rc_cmd_key,
	[WIRE_CMD_PERFORM_ACTION] = rc_cmd_perform_action,
	[WIRE_CMD_LOCATE] = rc_cmd_locate,
	[WIRE_CMD_READ_CONTROL] = rc_cmd_read_control,
	[WIRE_CMD_SET_VALUE] = rc_cmd_set_value,
	[WIRE_CMD_STEP] = rc_cmd_step,
	[WIRE_CMD_APPS] = rc_cmd_apps,
	[WIRE_CMD_DEVICE_INFO] = rc_cmd_device_info,
	[WIRE_CMD_LAUNCH] = rc_cmd_launch,
	[WIRE_CMD_ACTIVATE] = rc_cmd_activate,
	[WIRE_CMD_TERMINATE] = rc_cmd_terminate,
	[WIRE_CMD_IDLE] = rc_cmd_idle,
};

static bool read_only(const struct wire_request *r)
{
	switch (wire_command_traits(r->command)->read_only) {
	case WIRE_RO_ALWAYS: return true;
	case WIRE_RO_CONDITIONAL: return !r->action || strcasecmp(r->action, "get") == 0;
	case WIRE_RO_NEVER: break;
	}
	return false;
}

static bool retry_wanted(const struct wire_request *r, const struct error *e)
{
	return read_only(r) && error_is(e, ERR_DEVICE_UNAVAILABLE);
}

static int once(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
                struct error *e)
{
	const struct wire_command_traits *traits = wire_command_traits(r->command);
	int status = call_check(c, traits->name, e);

	if (status == 0 && !traits->lifecycle && env->backend->ops->prepare)
		status = env->backend->ops->prepare(env->backend, c, r->app, traits->interaction, e);
	if (status < 0)
		return status;
	if (!functions[r->command])
		return error_set(e, ERR_INTERNAL_ERROR, "%s came to the executor", traits->name);
	env->executed[r->command]++;
	return functions[r->command](env, r, c, ret, e);
}

int rc_execute(struct rc_env *env, const struct wire_request *r, struct call c, json_t **ret,
               struct error *e)
{
	struct error auto_error first = ERROR_INIT;
	int status = once(env, r, c, ret, &first);

	if (status == 0)
		return 0;
	if (retry_wanted(r, &first) && clock_wait(RETRY_AFTER_MS, c.cancel, NULL) == 0) {
		log_msg(LOG_INFO, "runner", "DEFT_RUNNER_RETRY command=%s reason=device_unavailable",
		        wire_command_traits(r->command)->name);
		return once(env, r, c, ret, e);
	}
	error_move(e, &first);
	return status;
}
