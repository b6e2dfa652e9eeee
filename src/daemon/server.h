/* The daemon's socket: accepts clients, ends when it is told to or when nobody needs it. */
#ifndef DEFT_DAEMON_SERVER_H
#define DEFT_DAEMON_SERVER_H

#include "daemon/core.h"
#include "daemon/pool.h"

struct dm_server {
	struct dm_daemon *daemon;
	struct dm_pool pool;
	int listen_fd;
	atomic_bool expiring; /* a thread is closing sessions nobody uses */
};

/* Takes daemon.alive for the life of the process and opens the socket; writes daemon.json. What a
 * killed daemon left is replaced. -ERR_DAEMON_UNAVAILABLE, reason "already_running" or
 * "unresponsive" (its process lives and does not answer). */
int dm_server_open(struct dm_server *s, struct dm_daemon *d, struct error *e);
/* Serves until the daemon's stop token fires, signal_fd (-1: none) is readable, or the daemon has
 * been idle. Then: socket and daemon.json removed, requests canceled, sessions closed, threads
 * joined. What does not end within LIM_DAEMON_STOP_MS is killed together with this process. */
void dm_server_run(struct dm_server *s, int signal_fd);

/* One client from the first line to the last (connection.c); a pool task, owns the descriptor. */
void dm_connection_start(struct dm_server *s, int fd);

#endif
