#include "platform/caller_env.h"

#include "base/cleanup.h"
#include "base/jx.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* What a caller may set. `place`: belongs to a desktop session, so that the daemon's own value would
 * be wrong for a caller who has none. */
static const struct variable {
	const char *name;
	bool place;
} variables[] = {
	{ "DISPLAY", true },
	{ "WAYLAND_DISPLAY", true },
	{ "XAUTHORITY", true },
	{ "XDG_RUNTIME_DIR", true },
	{ "XDG_SESSION_TYPE", true },
	{ "XDG_CURRENT_DESKTOP", true },
	{ "DBUS_SESSION_BUS_ADDRESS", true },
	{ "AT_SPI_BUS_ADDRESS", true },
	{ "NO_AT_BRIDGE", true },
	{ "GTK_A11Y", true },
	{ "GSK_RENDERER", true },
	{ "QT_QPA_PLATFORM", true },
	{ "XDG_DATA_DIRS", false },
	{ "XDG_DATA_HOME", false },
	{ "HOME", false },
	{ "PATH", false },
	{ "LANG", false },
	{ "LC_ALL", false },
	{ "USER", false },
};

static bool told_nothing(const struct pf_caller *caller)
{
	return json_object_size(caller->env) == 0;
}

const char *pf_caller_get(const struct pf_caller *caller, const char *name)
{
	const char *v = told_nothing(caller) ? getenv(name) : jx_get_str(caller->env, name, NULL);
	return v && v[0] ? v : NULL;
}

static const struct variable *find_variable(const char *entry)
{
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		size_t n = strlen(variables[i].name);
		if (strncmp(entry, variables[i].name, n) == 0 && entry[n] == '=')
			return &variables[i];
	}
	return NULL;
}

/* Whether the daemon's own entry goes on to the runner. */
static bool is_inherited(const struct pf_caller *caller, const char *entry)
{
	const struct variable *v = find_variable(entry);
	if (!v || told_nothing(caller))
		return true;
	return !v->place && !json_object_get(caller->env, v->name);
}

static bool add(char **env, size_t *n, const char *name, const char *value)
{
	size_t room = strlen(name) + strlen(value) + 1;
	struct buf line;
	buf_init(&line, room);
	buf_addf(&line, "%s=%s", name, value);
	if (line.over) {
		buf_done(&line);
		return false;
	}
	env[(*n)++] = buf_detach(&line);
	return true;
}

char **pf_caller_env(const struct pf_caller *caller)
{
	size_t n = 0, own = 0;
	while (environ[own])
		own++;
	char **env = calloc(own + ARRAY_SIZE(variables) + 1, sizeof *env);
	bool ok = env != NULL;
	for (size_t i = 0; ok && i < own; i++) {
		if (!is_inherited(caller, environ[i]))
			continue;
		env[n] = strdup(environ[i]);
		ok = env[n++] != NULL;
	}
	for (size_t i = 0; ok && i < ARRAY_SIZE(variables); i++) {
		const char *value = jx_get_str(caller->env, variables[i].name, NULL);
		if (value)
			ok = add(env, &n, variables[i].name, value);
	}
	if (ok)
		return env;
	pf_env_free(env);
	return NULL;
}

void pf_env_free(char **env)
{
	for (size_t i = 0; env && env[i]; i++)
		free(env[i]);
	free(env);
}
