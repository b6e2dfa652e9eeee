/* The command table, in the order of the help. A new command is one line here. */
#include "base/cleanup.h"
#include "command/command.h"

#include <string.h>

#define COMMANDS(X)                                                                                \
	X(devices)                                                                                     \
	X(apps)                                                                                        \
	X(open)                                                                                        \
	X(close)                                                                                       \
	X(snapshot) X(get) X(wait) X(screenshot) X(press) X(longpress) X(focus) X(fill) X(type) X(key) \
	    X(scroll) X(swipe) X(drag) X(adjust) X(adjust_control) X(back) X(home) X(session) X(virtual) X(daemon)     \
	        X(mcp) X(help) X(completion) X(version)

#define DECLARE(name) extern const struct cmd_entry cmd_entry_##name;
COMMANDS(DECLARE)

#define ENTRY(name) &cmd_entry_##name,
static const struct cmd_entry *const entries[] = { COMMANDS(ENTRY) NULL };

#define SPEC(name) &cmd_entry_##name.spec,
static const struct cmd_spec *const specs[] = { COMMANDS(SPEC) };

const struct cmd_entry *const *cmd_entries(void)
{
	return entries;
}

const struct cmd_spec *const *cmd_specs(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(specs);
	return specs;
}

const struct cmd_entry *cmd_entry_find(const char *name)
{
	const struct cmd_spec *spec = cmd_spec_find(name);

	for (size_t i = 0; spec && i < ARRAY_SIZE(specs); i++)
		if (specs[i] == spec)
			return entries[i];
	return NULL;
}
