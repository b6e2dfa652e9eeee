/* A daemon for tests of its clients: shakes hands, hands every further line to the test. */
#ifndef DEFT_TESTS_FAKE_DAEMON_H
#define DEFT_TESTS_FAKE_DAEMON_H

#include <jansson.h>
#include <stdbool.h>

struct fake_daemon;

/* Called on the daemon's thread for each request and cancel line; answers with the functions below.
 * false: hang up. */
typedef bool fake_handler(struct fake_daemon *d, int fd, const json_t *line);

/* Serves <state_dir>/daemon.sock, one connection after the other. `build`: NULL for the build of
 * this program. */
struct fake_daemon *fake_daemon_start(const char *state_dir, const char *build, fake_handler *h);
/* Ends the thread; also while a client is connected. */
void fake_daemon_stop(struct fake_daemon *d);
/* Connections accepted so far. */
int fake_daemon_connections(struct fake_daemon *d);

/* A raw line. */
void fake_send(int fd, const char *text);
/* A response with data (stolen) and text (NULL: none) to this request. */
void fake_answer(int fd, const json_t *request, json_t *data_stolen, const char *text);

#endif
