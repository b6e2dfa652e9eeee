#include "base/log.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int threshold = LOG_INFO;
static const char *const names[] = { "error", "warn", "info", "debug" };

void log_set_level(enum log_level level)
{
	atomic_store(&threshold, (int)level);
}

void log_init_from_env(void)
{
	const char *wanted = getenv("DEFT_LOG");
	for (size_t i = 0; wanted && i < ARRAY_SIZE(names); i++)
		if (strcmp(wanted, names[i]) == 0)
			log_set_level((enum log_level)i);
}

void log_msg(enum log_level level, const char *room, const char *fmt, ...)
{
	if ((int)level > atomic_load(&threshold))
		return;
	char stamp[32];
	clock_wall_iso(clock_wall_ms(), stamp, sizeof stamp);
	struct buf auto_buf line;
	buf_init(&line, (size_t)2 * LIM_ERROR_TEXT);
	buf_addf(&line, "%s %s %s: ", stamp, names[level], room);
	size_t head = line.len;
	va_list ap;
	va_start(ap, fmt);
	if (!buf_addv(&line, fmt, ap)) {
		line.over = false;
		buf_adds(&line, "(a message over the limit of a log line)");
	}
	va_end(ap);
	for (char *p = line.data + head; *p; p++)
		if (*p == '\n')
			*p = ' ';
	buf_addc(&line, '\n');
	/* One write per line, so that lines of several threads and processes never mix. */
	ssize_t n = write(STDERR_FILENO, line.data, line.len);
	(void)n;
}
