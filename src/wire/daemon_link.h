/* What starting and stopping a daemon share: its names, one attempt to connect, waiting for its end.
 * Private to wire/daemon_start.c and wire/daemon_stop.c. */
#ifndef DEFT_WIRE_DAEMON_LINK_H
#define DEFT_WIRE_DAEMON_LINK_H

#include "wire/daemon_hello.h"
#include "wire/daemon_start.h"
#include "wire/state_dir.h"

struct wire_link {
	const struct wire_daemon_opts *o;
	const char *version, *build; /* of this client */
	struct wire_state state;
	struct wire_peer peer; /* who answered last */
};

int wire_link_init(struct wire_link *s, const struct wire_daemon_opts *o, bool create,
                   struct error *e);
void wire_link_done(struct wire_link *s);

/* Connects and says hello. With 0 or -ERR_DAEMON_VERSION_MISMATCH *ret_fd is open, the latter only
 * if what answered said who it is (else it stays -1). */
int wire_link_try(struct wire_link *s, struct call c, int *ret_fd, struct error *e);
/* The failure says that nobody serves the socket: nobody listens, or a daemon that is stopping
 * closed without a word. */
bool wire_link_absent(int r, const struct error *e);
/* Always fails: -ERR_DAEMON_VERSION_MISMATCH with both builds. */
int wire_link_other_build(const struct wire_link *s, struct error *e);
/* Always fails: "not_running", or "unresponsive" when a daemon's process holds its lock. */
int wire_link_not_running(const struct wire_link *s, struct error *e);
/* Waits until the daemon's process has ended; -ERR_DAEMON_UNAVAILABLE, reason "unresponsive". */
int wire_link_wait_end(const struct wire_link *s, struct call c, struct error *e);

#endif
