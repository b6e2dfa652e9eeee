/* The parameters that every command takes. */
#include "base/cleanup.h"
#include "base/limits.h"
#include "command/spec_internal.h"

static const char *const platform_values[] = { "linux", "virtual", "android", "ios", NULL };
static const char *const color_values[] = { "auto", "always", "never", NULL };

const struct cmd_param cmd_global_params[] = {
	{ .name = "session",
	  .type = CMD_STRING,
	  .complete = CMD_COMPLETE_SESSIONS,
	  .help = "session to work in; without it the one of this directory's worktree" },
	{ .name = "platform",
	  .type = CMD_ENUM,
	  .values = platform_values,
	  .complete = CMD_COMPLETE_VALUES,
	  .help = "choose a device of this platform" },
	{ .name = "device",
	  .type = CMD_STRING,
	  .help = "choose the device by id or name, as `deft devices` lists them" },
	{ .name = "timeout",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = LIM_REQUEST_MAX_MS,
	  .unit = "ms",
	  .help = "time the whole command may take" },
	{ .name = "json",
	  .type = CMD_BOOL,
	  .where = CMD_ONLY_CLI,
	  .help = "print one JSON object, for success and failure alike" },
	{ .name = "debug",
	  .type = CMD_BOOL,
	  .where = CMD_ONLY_CLI,
	  .help = "add time per stage and error details, on stderr" },
	{ .name = "stateDir",
	  .type = CMD_PATH,
	  .complete = CMD_COMPLETE_FILE,
	  .where = CMD_ONLY_CLI,
	  .help = "directory of the daemon's state; default $DEFT_STATE_DIR, else ~/.deft" },
	{ .name = "color",
	  .type = CMD_ENUM,
	  .values = color_values,
	  .complete = CMD_COMPLETE_VALUES,
	  .where = CMD_ONLY_CLI,
	  .help = "colour the text; auto: on a terminal unless NO_COLOR is set" },
	{ .name = "help",
	  .type = CMD_BOOL,
	  .letter = 'h',
	  .where = CMD_ONLY_CLI,
	  .help = "explain the command instead of running it" },
};
const size_t cmd_n_global_params = ARRAY_SIZE(cmd_global_params);
