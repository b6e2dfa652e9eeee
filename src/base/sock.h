/* Sockets: unix stream and loopback TCP, and framed lines over them. */
#ifndef DEFT_BASE_SOCK_H
#define DEFT_BASE_SOCK_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

/* Binds path with mode 0600 and listens; a left-over socket nobody answers on is replaced, one that
 * answers is -ERR_DAEMON_UNAVAILABLE. Paths over sun_path's size are -ERR_INVALID_ARGS. */
int sock_listen_unix(const char *path, struct error *e);
/* Connects; -ERR_DAEMON_UNAVAILABLE when nobody listens. Returns the descriptor (CLOEXEC). */
int sock_connect_unix(const char *path, struct call call, struct error *e);
int sock_accept(int fd, struct call call, struct error *e);
/* The uid of the peer of a unix socket, or (uid_t)-1. */
uid_t sock_peer_uid(int fd);
/* 127.0.0.1:port; port 0: the system's choice, returned in *ret_port. */
int sock_listen_loopback(uint16_t port, uint16_t *ret_port, struct error *e);
/* All bytes or an error; -ERR_IO_ERROR when the peer is gone. SIGPIPE is never raised. */
int sock_write(int fd, const void *data, size_t len, struct call call, struct error *e);

/* Lines ('\n'; a '\r' before it is dropped) of at most max bytes from a descriptor. */
struct line_reader {
	int fd;
	struct buf buf;
	size_t scanned;
	size_t consumed; /* bytes of the line handed out last */
};
void line_reader_init(struct line_reader *r, int fd, size_t max);
void line_reader_done(struct line_reader *r);
/* 1: *ret_line (NUL-terminated, valid until the next call) and *ret_len; 0: end of stream;
 * negative: -ERR_LIMIT_EXCEEDED (line too long; the reader can't go on), -ERR_TIMEOUT, -ERR_CANCELED,
 * -ERR_IO_ERROR. */
int line_reader_next(struct line_reader *r, struct call call, char **ret_line, size_t *ret_len,
                     struct error *e);
/* A whole line is already buffered. */
bool line_reader_pending(struct line_reader *r);

#endif
