/* A small command table for tests of the front ends, in the place of the generated one. */
#include "base/cleanup.h"
#include "command/spec.h"

static const char *const press_aliases[] = { "click", "tap", NULL };
static const char *const press_examples[] = { "deft press @e3", NULL };
static const char *const buttons[] = { "primary", "secondary", NULL };
static const struct cmd_param press_params[] = {
	{ .name = "target", .type = CMD_TARGET, .positional = true, .required = true, .help = "what" },
	{ .name = "count",
	  .type = CMD_INT,
	  .has_min = true,
	  .min = 1,
	  .has_max = true,
	  .max = 200,
	  .dflt = "1",
	  .help = "how often" },
	{ .name = "doubleTap", .type = CMD_BOOL, .help = "twice" },
	{ .name = "button", .type = CMD_ENUM, .values = buttons, .help = "which" },
};
static const struct cmd_spec press = { .name = "press",
	                                   .aliases = press_aliases,
	                                   .summary = "Press something",
	                                   .group = "Act",
	                                   .examples = press_examples,
	                                   .params = press_params,
	                                   .n_params = ARRAY_SIZE(press_params),
	                                   .exposure = CMD_CLI | CMD_MCP,
	                                   .traits = CMD_NEEDS_SESSION | CMD_LOCKS };

static const struct cmd_param snapshot_params[] = {
	{ .name = "interactive", .type = CMD_BOOL, .letter = 'i', .help = "only these" },
	{ .name = "depth", .type = CMD_INT, .letter = 'd', .has_min = true, .help = "how deep" },
};
static const struct cmd_spec snapshot = { .name = "snapshot",
	                                      .summary = "Read the screen",
	                                      .group = "Screen",
	                                      .params = snapshot_params,
	                                      .n_params = ARRAY_SIZE(snapshot_params),
	                                      .exposure = CMD_CLI | CMD_MCP,
	                                      .traits = CMD_READ_ONLY };

static const struct cmd_param screenshot_params[] = {
	{ .name = "path", .type = CMD_PATH, .positional = true, .help = "where to" },
};
static const struct cmd_spec screenshot = { .name = "screenshot",
	                                        .summary = "Save a picture",
	                                        .group = "Screen",
	                                        .params = screenshot_params,
	                                        .n_params = ARRAY_SIZE(screenshot_params),
	                                        .exposure = CMD_CLI | CMD_MCP,
	                                        .traits = CMD_READ_ONLY | CMD_IMAGE };

static const struct cmd_param wait_params[] = {
	{ .name = "condition",
	  .type = CMD_LIST,
	  .positional = true,
	  .required = true,
	  .help = "for what" },
};
static const struct cmd_spec wait_spec = { .name = "wait",
	                                       .summary = "Wait for something",
	                                       .group = "Screen",
	                                       .params = wait_params,
	                                       .n_params = ARRAY_SIZE(wait_params),
	                                       .exposure = CMD_CLI | CMD_MCP,
	                                       .traits = CMD_READ_ONLY };

static const struct cmd_spec mcp = { .name = "mcp",
	                                 .summary = "Serve MCP on stdio",
	                                 .group = "Help",
	                                 .exposure = CMD_CLI,
	                                 .traits = CMD_LOCAL };

static const struct cmd_spec *const specs[] = { &press, &snapshot, &screenshot, &wait_spec, &mcp };

const struct cmd_spec *const *cmd_specs(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(specs);
	return specs;
}
