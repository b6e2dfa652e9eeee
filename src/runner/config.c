#include "runner/runner.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define PORT_PREFIX "DEFT_RUNNER_PORT="

static bool port_of(const char *text, uint16_t *ret)
{
	int64_t n;

	if (!text || !number_parse_int(text, &n) || n < 0 || n > UINT16_MAX)
		return false;
	*ret = (uint16_t)n;
	return true;
}

static int milliseconds(const char *name, const char *text, int64_t *ret, struct error *e)
{
	int64_t n;

	if (!text)
		return 0;
	if (!number_parse_int(text, &n) || n < 1)
		return error_set(e, ERR_INVALID_ARGS,
		                 "%s must be a positive number of milliseconds, not \"%s\"", name, text);
	*ret = n;
	return 0;
}

static bool port_from_argument(int argc, char **argv, uint16_t *ret)
{
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], PORT_PREFIX, strlen(PORT_PREFIX)) == 0)
			return port_of(argv[i] + strlen(PORT_PREFIX), ret);
	return false;
}

/* The value of "--name value", NULL without; -ERR_INVALID_ARGS when the value is missing. */
static int option(int argc, char **argv, const char *name, const char **ret, struct error *e)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], name) != 0)
			continue;
		if (i + 1 == argc)
			return error_set(e, ERR_INVALID_ARGS, "%s needs a value", name);
		*ret = argv[i + 1];
		return 0;
	}
	return 0;
}

static int port(struct rc_config *cfg, int argc, char **argv, struct error *e)
{
	const char *text = NULL;

	if (port_of(getenv("DEFT_RUNNER_PORT"), &cfg->port) ||
	    port_from_argument(argc, argv, &cfg->port))
		return 0;
	if (option(argc, argv, "--port", &text, e) < 0)
		return -ERR_INVALID_ARGS;
	if (text && !port_of(text, &cfg->port))
		return error_set(e, ERR_INVALID_ARGS, "--port must be 0..65535, not \"%s\"", text);
	return 0;
}

int rc_config_from_args(struct rc_config *ret, int argc, char **argv, struct error *e)
{
	struct rc_config cfg = { 0 };
	const char *idle = NULL, *token = getenv("DEFT_RUNNER_TOKEN");

	if (token && *token)
		cfg.token = token;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--exit-with-parent") == 0)
			cfg.exit_with_parent = true;
	if (port(&cfg, argc, argv, e) < 0 || option(argc, argv, "--idle-exit-ms", &idle, e) < 0 ||
	    milliseconds("--idle-exit-ms", idle, &cfg.idle_exit_ms, e) < 0 ||
	    milliseconds("DEFT_RUNNER_WATCHDOG_MS", getenv("DEFT_RUNNER_WATCHDOG_MS"), &cfg.watchdog_ms,
	                 e) < 0 ||
	    milliseconds("DEFT_RUNNER_WEDGED_MS", getenv("DEFT_RUNNER_WEDGED_MS"), &cfg.wedged_ms, e) <
	        0)
		return -ERR_INVALID_ARGS;
	*ret = cfg;
	return 0;
}
