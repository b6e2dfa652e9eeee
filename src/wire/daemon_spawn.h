/* The daemon's program: finding it, asking which build it is, starting it. Private to
 * wire/daemon_start.c. */
#ifndef DEFT_WIRE_DAEMON_SPAWN_H
#define DEFT_WIRE_DAEMON_SPAWN_H

#include "wire/daemon_link.h"

/* Starts it in the background and waits for its word that it serves. Its own typed error, or
 * -ERR_DAEMON_UNAVAILABLE, reason "start_failed". */
int wire_spawn(const struct wire_link *s, struct call c, struct error *e);
/* 0 when the program is of this client's build; else -ERR_DAEMON_VERSION_MISMATCH, reason
 * "mixed_install": starting it would help nobody. */
int wire_spawn_check(const struct wire_link *s, struct call c, struct error *e);
/* Always fails: reason "start_failed", with the end of the log. */
int wire_spawn_failed(const struct wire_link *s, struct error *e, const char *what);

#endif
