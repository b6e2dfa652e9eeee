/* How many decisions the engine of adjust takes in a second: a decision is one operation chosen after two
 * readings that were parsed, compared and judged. Prints one line. */
#include "base/clock.h"
#include "control/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
	struct ct_reading r;
	unsigned ops;
};

static enum ct_answer resolve(void *ctx)
{
	return CT_DONE;
}

static enum ct_answer read_control(void *ctx, struct ct_reading *ret)
{
	*ret = ((struct bench *)ctx)->r;
	return CT_DONE;
}

static bool settle(void *ctx, unsigned reads)
{
	return reads < 10;
}

static enum ct_answer set(void *ctx, double value, enum ct_strategy which)
{
	return CT_REJECTED;
}

static enum ct_answer step(void *ctx, int direction)
{
	struct bench *b = ctx;
	b->r.value.number += direction;
	b->ops++;
	return CT_DONE;
}

static enum ct_answer place(void *ctx, double x, double y)
{
	return CT_REJECTED;
}

int main(int argc, char **argv)
{
	long wanted = argc > 1 ? atol(argv[1]) : 2000000;
	long decisions = 0;
	struct ct_result result;
	int64_t start = clock_now_us();
	while (decisions < wanted) {
		struct bench b = { .r = { .value = { true, 0, true, 0, 1000, 1 },
			                      .offers = CT_OFFERS_INCREMENT | CT_OFFERS_DECREMENT,
			                      .enabled = true,
			                      .visible = true } };
		const struct ct_ops ops = { &b, resolve, read_control, settle, set, step, place };
		const struct ct_request rq = { .target = 100, .max_attempts = 100 };
		ct_adjust(&ops, &rq, &result);
		if (result.code != CT_OK)
			return 1;
		decisions += b.ops;
	}
	double seconds = (double)(clock_now_us() - start) / 1e6;
	printf("engine: %.0f decisions a second (%ld in %.2f s)\n", (double)decisions / seconds,
	       decisions, seconds);
	return 0;
}
