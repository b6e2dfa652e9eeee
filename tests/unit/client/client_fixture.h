/* A session over a scripted runner, and what every test of the client asks of it. */
#ifndef DEFT_TESTS_CLIENT_FIXTURE_H
#define DEFT_TESTS_CLIENT_FIXTURE_H

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "client/internal.h"
#include "support/scripted_provider.h"
#include "support/virtual_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK "{\"ok\":true,\"data\":{}}"
#define APP "com.example.demo"

struct fixture {
	struct sp runner;
	struct cl_session *session;
	struct cl_trace trace;
	struct error error;
	json_t *data;
};

static inline int fixture_new(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	virtual_clock_use(1000000);
	sp_init(&f->runner);
	struct cl_provider provider = sp_provider(&f->runner);
	cl_session_new(&f->session, &provider, NULL);
	*state = f;
	return 0;
}

static inline int fixture_free(void **state)
{
	struct fixture *f = *state;
	f->runner.alive = false; /* no farewell of its own */
	cl_session_free(f->session);
	sp_done(&f->runner);
	error_clear(&f->error);
	json_decref(f->data);
	free(f);
	virtual_clock_leave();
	return 0;
}

static inline int send_within(struct fixture *f, struct call c, json_t *request_stolen)
{
	error_clear(&f->error);
	json_decref(f->data);
	f->data = NULL;
	int r = cl_send(f->session, c, request_stolen, &f->data, &f->trace, &f->error);
	json_decref(request_stolen);
	return r;
}

static inline json_t *request_of(const char *command)
{
	return json_pack("{s:s, s:s}", "command", command, "appBundleId", APP);
}

static inline int send_command(struct fixture *f, const char *command)
{
	return send_within(f, CALL_FOREVER, request_of(command));
}

/* The session has answered once and has no proof of a healthy mutation. */
static inline void make_ready(struct fixture *f)
{
	sp_reply(&f->runner, "snapshot", OK);
	assert_int_equal(send_command(f, "snapshot"), 0);
	f->runner.n_script = f->runner.at = 0;
	sp_done(&f->runner);
}

/* The session is ready and a tap went well age_ms ago. */
static inline void make_hot(struct fixture *f, int64_t age_ms)
{
	sp_reply(&f->runner, "uptime", OK);
	sp_reply(&f->runner, "tap", OK);
	assert_int_equal(send_command(f, "tap"), 0);
	f->runner.n_script = f->runner.at = 0;
	sp_done(&f->runner);
	virtual_clock_advance(age_ms);
}

static inline struct cl_counters counters_of(const struct fixture *f)
{
	struct cl_counters c;
	cl_session_counters(f->session, &c);
	return c;
}

static inline const char *detail(const struct fixture *f, const char *key)
{
	return jx_get_str(f->error.details, key, "");
}

static inline bool has_detail(const struct fixture *f, const char *key)
{
	return json_object_get(f->error.details, key) != NULL;
}

#define assert_order(f, want)                              \
	do {                                                   \
		assert_string_equal(sp_order(&(f)->runner), want); \
		assert_true(sp_is_finished(&(f)->runner));         \
	} while (0)
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_new, fixture_free)

#endif
