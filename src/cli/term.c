#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool env_set(const char *name)
{
	const char *v = getenv(name);
	return v && *v;
}

static bool smart_terminal(int fd)
{
	return env_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0 && isatty(fd);
}

static bool wants_color(const char *choice, int fd)
{
	if (choice && strcmp(choice, "auto") != 0)
		return strcmp(choice, "always") == 0;
	if (env_set("NO_COLOR"))
		return false;
	if (env_set("FORCE_COLOR"))
		return strcmp(getenv("FORCE_COLOR"), "0") != 0;
	return smart_terminal(fd);
}

static int columns(int fd)
{
	struct winsize w = { 0 };
	return ioctl(fd, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

void cli_term_detect(struct cli_term *ret, const char *choice)
{
	ret->out_color = wants_color(choice, STDOUT_FILENO);
	ret->err_color = wants_color(choice, STDERR_FILENO);
	ret->progress = smart_terminal(STDERR_FILENO);
	ret->out_is = isatty(STDOUT_FILENO);
	ret->width = columns(STDOUT_FILENO);
}
