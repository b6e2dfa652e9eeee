/* Time. Monotonic milliseconds everywhere; wall time only for stamps people read.
 *
 * Tests replace the source: clock_set_source(). A virtual source makes clock_sleep() return at once
 * after moving the virtual time on, so that tests never wait. */
#ifndef DEFT_BASE_CLOCK_H
#define DEFT_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct cancel;
struct error;

struct clock_source {
	int64_t (*now_ms)(void *ctx);   /* monotonic */
	int64_t (*wall_ms)(void *ctx);  /* since the epoch */
	/* NULL: really wait (interruptible by cancel). */
	void (*advance)(void *ctx, int64_t ms);
	void *ctx;
};

/* Process-wide; NULL restores the real clock. Only for tests, before threads exist. */
void clock_set_source(const struct clock_source *src);

int64_t clock_now_ms(void);
int64_t clock_now_us(void);  /* always the real monotonic clock: for measuring */
int64_t clock_wall_ms(void);
/* "2026-11-30T02:26:40.123Z"; size >= 25. */
void clock_wall_iso(int64_t wall_ms, char *out, unsigned size);
/* Waits ms or until canceled: 0, or -ERR_CANCELED. A NULL cancel just waits. */
int clock_wait(int64_t ms, struct cancel *cancel, struct error *e);

/* A point in monotonic time. */
struct deadline {
	int64_t at_ms;
};
#define DEADLINE_NEVER ((struct deadline){ INT64_MAX })

struct deadline deadline_in(int64_t ms);                             /* <= 0: already over */
struct deadline deadline_min(struct deadline a, struct deadline b);
int64_t deadline_left(struct deadline d);                            /* >= 0; INT64_MAX: never */
bool deadline_over(struct deadline d);
/* For poll(): -1 never, else clamped to INT_MAX and rounded so that 0 means over. */
int deadline_poll_ms(struct deadline d);

#endif
