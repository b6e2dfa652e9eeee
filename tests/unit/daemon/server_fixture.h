/* For tests of the daemon as a program of its own: argv[1] is the program, argv[2]
 * the same of a former build; each test has a state
 * directory, and whatever daemon serves it is stopped in the end. Include cmocka.h before. */
#ifndef DEFT_TESTS_DAEMON_SERVER_FIXTURE_H
#define DEFT_TESTS_DAEMON_SERVER_FIXTURE_H

#include "base/proc.h"
#include "lines.h"
#include "wire/daemon_start.h"
#include "wire/state_dir.h"

extern struct wire_state server_state; /* of the test's directory */
extern char server_notices[1024];      /* what connecting told the user, a line each */

int server_setup(void **state);
int server_teardown(void **state);
#define SERVER_TEST(f) cmocka_unit_test_setup_teardown(f, server_setup, server_teardown)
/* What main() returns; 77 (skipped) without a program. */
int server_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n);

/* Long enough for anything that is not broken. */
struct call server_patience(void);
struct wire_daemon_opts server_opts(void);
/* A client and daemon of a former build (old_build.c). */
struct wire_daemon_opts server_old_opts(void);
/* A client of the daemon, which is started when there is none; true: it was. */
bool server_connect(struct client *c);
pid_t server_pid(struct client *c);
/* Opens a session; the process that stands for its runner. */
struct proc_id server_open_session(struct client *c, const char *session);
/* Processes end when they end: looked at until they are gone. */
void server_wait_gone(struct proc_id id);
void server_wait_end(void);
/* Code of an error response, "" without one. */
const char *server_code(const json_t *response);

#endif
