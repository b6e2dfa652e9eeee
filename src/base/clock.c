#include "base/clock.h"

#include "base/cancel.h"
#include "base/error.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

static int64_t read_clock(clockid_t id, int64_t per_second)
{
	struct timespec ts;
	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * per_second + ts.tv_nsec / (1000000000 / per_second);
}

static struct clock_source source; /* all NULL: the real clock */

void clock_set_source(const struct clock_source *src)
{
	source = src ? *src : (struct clock_source){ 0 };
}

int64_t clock_now_ms(void)
{
	return source.now_ms ? source.now_ms(source.ctx) : read_clock(CLOCK_MONOTONIC, 1000);
}

int64_t clock_now_us(void)
{
	return read_clock(CLOCK_MONOTONIC, 1000000);
}

int64_t clock_wall_ms(void)
{
	return source.wall_ms ? source.wall_ms(source.ctx) : read_clock(CLOCK_REALTIME, 1000);
}

void clock_wall_iso(int64_t wall_ms, char *out, unsigned size)
{
	int ms = (int)((wall_ms % 1000 + 1000) % 1000);
	time_t seconds = (time_t)((wall_ms - ms) / 1000);
	struct tm tm;
	gmtime_r(&seconds, &tm);
	snprintf(out, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900, tm.tm_mon + 1,
	         tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ms);
}

int clock_wait(int64_t ms, struct cancel *cancel, struct error *e)
{
	if (source.advance) {
		if (!cancel_fired(cancel) && ms > 0)
			source.advance(source.ctx, ms);
	} else {
		struct deadline until = deadline_in(ms);
		struct pollfd fd = { .fd = cancel ? cancel->fd : -1, .events = POLLIN };
		while (!cancel_fired(cancel) && !deadline_over(until))
			poll(&fd, 1, deadline_poll_ms(until));
	}
	return cancel_fired(cancel) ? error_set(e, ERR_CANCELED, "canceled while waiting") : 0;
}

struct deadline deadline_in(int64_t ms)
{
	int64_t now = clock_now_ms();
	return ms >= INT64_MAX - now ? DEADLINE_NEVER : (struct deadline){ now + (ms > 0 ? ms : 0) };
}

struct deadline deadline_min(struct deadline a, struct deadline b)
{
	return a.at_ms < b.at_ms ? a : b;
}

int64_t deadline_left(struct deadline d)
{
	if (d.at_ms == INT64_MAX)
		return INT64_MAX;
	int64_t left = d.at_ms - clock_now_ms();
	return left > 0 ? left : 0;
}

bool deadline_over(struct deadline d)
{
	return deadline_left(d) == 0;
}

int deadline_poll_ms(struct deadline d)
{
	int64_t left = deadline_left(d);
	if (left == INT64_MAX)
		return -1;
	return left > INT_MAX ? INT_MAX : (int)left;
}
