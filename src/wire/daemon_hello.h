/* The first lines on a daemon connection, from the client's side. Any build understands them, so
 * that two builds can always tell each other who they are and part in order:
 *
 *   → {"type":"hello","protocol":1,"version":…,"build":…}
 *   ← {"type":"hello","protocol":1,"version":…,"build":…,"pid":N,"ok":true|false}
 *   → {"type":"retire","force":bool}                      stop, if nobody needs you (or by force)
 *   ← {"type":"retired","ok":true}
 *   ← {"type":"retired","ok":false,"sessions":[name…],"requests":N} */
#ifndef DEFT_WIRE_DAEMON_HELLO_H
#define DEFT_WIRE_DAEMON_HELLO_H

#include "base/cancel.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

struct wire_peer {
	long pid;
	char version[64], build[64];
	bool ok; /* the same build */
};

/* Says hello and reads the answer. -ERR_DAEMON_UNAVAILABLE, reason "gone": the daemon closed
 * without a word (it is stopping); reason "unresponsive": nothing came in time;
 * -ERR_DAEMON_VERSION_MISMATCH: what came is no hello; -ERR_UNAUTHORIZED: not our user's daemon. */
int wire_hello_exchange(int fd, struct call c, const char *version, const char *build,
                        struct wire_peer *ret, struct error *e);
/* After the hello: asks the daemon to stop. 0: it does; -ERR_SESSION_BUSY with details.sessions. */
int wire_retire(int fd, struct call c, bool force, struct error *e);

#endif
