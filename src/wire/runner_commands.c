#include "wire/runner_commands.h"

#include <string.h>

static const struct wire_command_traits traits[WIRE_CMD_COUNT] = {
#define RUNNER_ROW(name, wire, inter, ro, life, retain, cro, skip) \
	[WIRE_CMD_##name] = { wire, inter, ro, life, retain, cro, skip },
	RUNNER_COMMANDS(RUNNER_ROW)
#undef RUNNER_ROW
};

const struct wire_command_traits *wire_command_traits(enum wire_command c)
{
	return &traits[c];
}

int wire_command_from_name(const char *name)
{
	for (int i = 0; name && i < WIRE_CMD_COUNT; i++)
		if (strcmp(traits[i].name, name) == 0)
			return i;
	return -1;
}
