/* The state directory of a daemon and the names in it. Clients and daemon agree on everything here;
 * one directory belongs to one daemon, and its identity is the resolved path (a symbolic link and
 * the real directory are the same daemon).
 *
 *   daemon.lock    flock: held by the client that is starting a daemon
 *   daemon.alive   flock: held by the daemon as long as its process lives; its content means nothing
 *   daemon.json    who runs (pid, start time, version, build, socket); written whole or not at all
 *   daemon.sock    the unix socket, mode 0600
 *   daemon.log     the daemon's stderr, rotated once to daemon.log.1
 *   sessions/<safe name>/   events.ndjson and what else a session leaves on disk
 *
 * No lock depends on a file's content: an empty, half-written or left-over file blocks nobody. */
#ifndef DEFT_WIRE_STATE_DIR_H
#define DEFT_WIRE_STATE_DIR_H

#include "base/error.h"

#include <stdbool.h>

struct wire_state {
	char *dir; /* absolute, resolved */
	char *socket, *lock, *alive, *info, *log, *sessions;
};

/* Fills the names for `dir` (NULL or "": $DEFT_STATE_DIR, else ~/.deft). With `create` the
 * directory is made (0700); without it a missing one is -ERR_DAEMON_UNAVAILABLE, reason
 * "not_running". A directory of another user is -ERR_UNAUTHORIZED. When <dir>/daemon.sock is too
 * long for a socket address, the socket lies under /run/user/<uid>/deft or /tmp/deft-<uid>, named by
 * a hash of the directory (chosen by uid alone, so that callers of different environments agree). */
int wire_state_open(struct wire_state *ret, const char *dir, bool create, struct error *e);
void wire_state_done(struct wire_state *s);
#define auto_state __attribute__((cleanup(wire_state_done)))

#endif
