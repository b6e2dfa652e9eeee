#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/jx.h"
#include "daemon/locks.h"

#include <stdatomic.h>
#include <string.h>

static const struct call now_over = { { 0 }, NULL };

static void first_come_first_served(void **state)
{
	struct dm_locks t;
	struct dm_ticket a, b, c;
	dm_locks_init(&t);
	assert_true(dm_key_free(&t, "s"));
	assert_true(dm_ticket_take(&t, &a, "s", "press"));
	assert_true(dm_ticket_take(&t, &b, "s", "fill"));
	assert_true(dm_ticket_take(&t, &c, "s", "get"));
	assert_false(dm_key_free(&t, "s"));
	assert_int_equal(dm_ticket_wait(&t, &a, now_over, NULL), 0);
	assert_int_equal(dm_ticket_wait(&t, &b, now_over, NULL), -ERR_SESSION_BUSY);
	dm_ticket_drop(&t, &a);
	/* c can't overtake b */
	assert_int_equal(dm_ticket_wait(&t, &c, now_over, NULL), -ERR_SESSION_BUSY);
	assert_int_equal(dm_ticket_wait(&t, &b, now_over, NULL), 0);
	/* one that gives up in the middle of the queue leaves the others in order */
	dm_ticket_drop(&t, &c);
	dm_ticket_drop(&t, &b);
	assert_true(dm_key_free(&t, "s"));
	dm_ticket_drop(&t, &b); /* nothing on an empty ticket */
	dm_locks_done(&t);
}

static void keys_are_independent(void **state)
{
	struct dm_locks t;
	struct dm_ticket a, b;
	dm_locks_init(&t);
	assert_true(dm_ticket_take(&t, &a, "device 1", "press"));
	assert_true(dm_ticket_take(&t, &b, "device 2", "press"));
	assert_int_equal(dm_ticket_wait(&t, &a, now_over, NULL), 0);
	assert_int_equal(dm_ticket_wait(&t, &b, now_over, NULL), 0);
	dm_ticket_drop(&t, &a);
	dm_ticket_drop(&t, &b);
	dm_locks_done(&t);
}

static void busy_names_the_holder(void **state)
{
	auto_error struct error e = ERROR_INIT;
	struct dm_locks t;
	struct dm_ticket a, b;
	dm_locks_init(&t);
	dm_ticket_take(&t, &a, "mine", "wait");
	dm_ticket_take(&t, &b, "mine", "press");
	assert_int_equal(dm_ticket_wait(&t, &b, now_over, &e), -ERR_SESSION_BUSY);
	assert_non_null(strstr(e.message, "`wait`"));
	assert_string_equal(jx_get_str(e.details, "command", ""), "wait");
	dm_ticket_drop(&t, &b);
	dm_ticket_drop(&t, &a);
	dm_locks_done(&t);
}

struct waiter {
	struct dm_locks *locks;
	struct dm_ticket ticket;
	struct cancel cancel;
	int result;
};

static void *wait_thread(void *arg)
{
	struct waiter *w = arg;
	struct call c = { DEADLINE_NEVER, &w->cancel };
	w->result = dm_ticket_wait(w->locks, &w->ticket, c, NULL);
	return NULL;
}

static void a_waiter_can_be_canceled(void **state)
{
	struct dm_locks t;
	struct dm_ticket a;
	struct waiter w = { .locks = &t };
	pthread_t thread;
	dm_locks_init(&t);
	assert_int_equal(cancel_init(&w.cancel, NULL), 0);
	dm_ticket_take(&t, &a, "s", "press");
	dm_ticket_take(&t, &w.ticket, "s", "fill");
	pthread_create(&thread, NULL, wait_thread, &w);
	cancel_fire(&w.cancel);
	dm_locks_wake(&t);
	pthread_join(thread, NULL);
	assert_int_equal(w.result, -ERR_CANCELED);
	dm_ticket_drop(&t, &w.ticket);
	dm_ticket_drop(&t, &a);
	cancel_done(&w.cancel);
	dm_locks_done(&t);
}

enum { THREADS = 8, ROUNDS = 200 };

struct contest {
	struct dm_locks locks;
	atomic_int inside, wrong;
	int total; /* guarded by the key */
};

static void *compete(void *arg)
{
	struct contest *c = arg;
	for (int i = 0; i < ROUNDS; i++) {
		struct dm_ticket k;
		dm_ticket_take(&c->locks, &k, "key", "x");
		dm_ticket_wait(&c->locks, &k, CALL_FOREVER, NULL);
		if (atomic_fetch_add(&c->inside, 1) != 0)
			atomic_fetch_add(&c->wrong, 1);
		c->total++;
		atomic_fetch_sub(&c->inside, 1);
		dm_ticket_drop(&c->locks, &k);
	}
	return NULL;
}

static void one_holder_at_a_time(void **state)
{
	struct contest c = { .total = 0 };
	pthread_t threads[THREADS];
	dm_locks_init(&c.locks);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, compete, &c);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(c.total, THREADS * ROUNDS);
	assert_true(dm_key_free(&c.locks, "key"));
	dm_locks_done(&c.locks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_come_first_served), cmocka_unit_test(keys_are_independent),
		cmocka_unit_test(busy_names_the_holder),   cmocka_unit_test(a_waiter_can_be_canceled),
		cmocka_unit_test(one_holder_at_a_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
