/* clock.h and cancel.h */
#include "base/cancel.h"
#include "base/cleanup.h"
#include "base/clock.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int64_t virtual_now;

static int64_t get_now(void *ctx)
{
	return virtual_now;
}

static void advance(void *ctx, int64_t ms)
{
	virtual_now += ms;
}

static const struct clock_source virtual_clock = { .now_ms = get_now,
	                                               .wall_ms = get_now,
	                                               .advance = advance };

static int use_virtual(void **state)
{
	virtual_now = 1000;
	clock_set_source(&virtual_clock);
	return 0;
}

static int use_real(void **state)
{
	clock_set_source(NULL);
	return 0;
}

static void deadlines_count_down(void **state)
{
	struct deadline d = deadline_in(500);
	assert_int_equal(deadline_left(d), 500);
	virtual_now += 499;
	assert_false(deadline_over(d));
	assert_int_equal(deadline_poll_ms(d), 1);
	virtual_now += 1;
	assert_true(deadline_over(d));
	assert_int_equal(deadline_poll_ms(d), 0);
	virtual_now += 1000;
	assert_int_equal(deadline_left(d), 0);
}

static void never_and_already_over(void **state)
{
	assert_true(deadline_over(deadline_in(0)));
	assert_true(deadline_over(deadline_in(-5)));
	assert_true(deadline_left(DEADLINE_NEVER) == INT64_MAX);
	assert_int_equal(deadline_poll_ms(DEADLINE_NEVER), -1);
	assert_true(deadline_in(INT64_MAX).at_ms == INT64_MAX);
	assert_int_equal(deadline_poll_ms(deadline_in((int64_t)INT_MAX + 10)), INT_MAX);
	assert_true(deadline_min(DEADLINE_NEVER, deadline_in(5)).at_ms == 1005);
}

static void a_virtual_clock_waits_by_moving_on(void **state)
{
	struct error auto_error e = ERROR_INIT;
	assert_int_equal(clock_wait(300, NULL, &e), 0);
	assert_int_equal(virtual_now, 1300);
}

static void wall_time_is_printed_as_iso(void **state)
{
	char text[32];
	clock_wall_iso(1795919200123, text, sizeof text);
	assert_string_equal(text, "2026-11-29T02:26:40.123Z");
	clock_wall_iso(-1, text, sizeof text);
	assert_string_equal(text, "1969-12-31T23:59:59.999Z");
}

static void a_fired_token_stops_everything(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct cancel c;
	assert_int_equal(cancel_init(&c, &e), 0);
	struct call call = { DEADLINE_NEVER, &c };
	assert_int_equal(call_check(call, "x", &e), 0);
	assert_false(cancel_fired(&c));
	cancel_fire(&c);
	cancel_fire(&c);
	assert_true(cancel_fired(&c));
	assert_int_equal(call_check(call, "x", &e), -ERR_CANCELED);
	assert_int_equal(clock_wait(1000000, &c, &e), -ERR_CANCELED);
	assert_int_equal(call_poll(call, -1, POLLIN, "x", &e), -ERR_CANCELED);
	cancel_done(&c);
	cancel_done(&c);
	assert_false(cancel_fired(NULL));
	cancel_fire(NULL);
	cancel_done(NULL);
}

static void *fire(void *c)
{
	cancel_fire(c);
	return NULL;
}

static void a_wait_ends_when_another_thread_cancels(void **state)
{
	struct error auto_error e = ERROR_INIT;
	struct cancel c;
	assert_int_equal(cancel_init(&c, &e), 0);
	pthread_t t;
	pthread_create(&t, NULL, fire, &c);
	assert_int_equal(call_poll((struct call){ DEADLINE_NEVER, &c }, -1, POLLIN, "waiting", &e),
	                 -ERR_CANCELED);
	assert_string_equal(e.message, "waiting was canceled");
	pthread_join(t, NULL);
	cancel_done(&c);
}

static void polling_reports_events_and_time(void **state)
{
	struct error auto_error e = ERROR_INIT;
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(
	    call_poll((struct call){ deadline_in(0), NULL }, fds[0], POLLIN, "reading", &e),
	    -ERR_TIMEOUT);
	assert_string_equal(e.message, "reading took too long");
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_true(call_poll(CALL_FOREVER, fds[0], POLLIN, "reading", &e) & POLLIN);
	close(fds[0]);
	close(fds[1]);
}

static void limiting_a_call_never_extends_it(void **state)
{
	struct call c = { deadline_in(100), NULL };
	assert_int_equal(deadline_left(call_limit(c, 5000).deadline), 100);
	assert_int_equal(deadline_left(call_limit(c, 50).deadline), 50);
	assert_int_equal(call_check((struct call){ deadline_in(0), NULL }, "it", NULL), -ERR_TIMEOUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(deadlines_count_down, use_virtual, use_real),
		cmocka_unit_test_setup_teardown(never_and_already_over, use_virtual, use_real),
		cmocka_unit_test_setup_teardown(a_virtual_clock_waits_by_moving_on, use_virtual, use_real),
		cmocka_unit_test(wall_time_is_printed_as_iso),
		cmocka_unit_test(a_fired_token_stops_everything),
		cmocka_unit_test(a_wait_ends_when_another_thread_cancels),
		cmocka_unit_test(polling_reports_events_and_time),
		cmocka_unit_test_setup_teardown(limiting_a_call_never_extends_it, use_virtual, use_real),
	};
	return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
