#include "support/virtual_clock.h"

#include "base/clock.h"

#include <stddef.h>

static int64_t now;

static int64_t get_now(void *ctx)
{
	return now;
}

static void advance(void *ctx, int64_t ms)
{
	now += ms;
}

void virtual_clock_use(int64_t now_ms)
{
	static const struct clock_source source = { .now_ms = get_now,
		                                        .wall_ms = get_now,
		                                        .advance = advance };
	now = now_ms;
	clock_set_source(&source);
}

void virtual_clock_advance(int64_t ms)
{
	now += ms;
}

int64_t virtual_clock_now(void)
{
	return now;
}

void virtual_clock_leave(void)
{
	clock_set_source(NULL);
}
