#include "base/sock.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int sock_error(struct error *e, enum err_code code, const char *what, const char *where)
{
	int number = errno;
	return error_set(e, code, "can't %s %s: %s", what, where, strerror(number));
}

static int unix_address(const char *path, struct sockaddr_un *ret, struct error *e)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	if (len == 0 || len >= sizeof address.sun_path)
		return error_set(e, ERR_INVALID_ARGS, "a socket path has 1..%zu bytes, this one %zu: %s",
		                 sizeof address.sun_path - 1, len, path);
	memcpy(address.sun_path, path, len + 1);
	*ret = address;
	return 0;
}

/* Whether a socket file is a left-over: nobody answers on it. */
static bool is_left_over(const struct sockaddr_un *address)
{
	struct stat st;
	if (lstat(address->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return false;
	int auto_close fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 &&
	       errno == ECONNREFUSED;
}

int sock_listen_unix(const char *path, struct error *e)
{
	struct sockaddr_un address;
	int r = unix_address(path, &address, e);
	if (r < 0)
		return r;
	int auto_close fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return sock_error(e, ERR_IO_ERROR, "make a socket for", path);
	/* The file takes its mode from the descriptor, so that it is never open to others. */
	fchmod(fd, 0600);
	const struct sockaddr *sa = (const struct sockaddr *)&address;
	r = bind(fd, sa, sizeof address);
	if (r < 0 && errno == EADDRINUSE) {
		if (!is_left_over(&address))
			return error_set(e, ERR_DAEMON_UNAVAILABLE, "somebody already listens on %s", path);
		unlink(path);
		r = bind(fd, sa, sizeof address);
	}
	if (r < 0 || chmod(path, 0600) < 0 || listen(fd, LIM_DAEMON_CONNECTIONS) < 0)
		return sock_error(e, ERR_IO_ERROR, "listen on", path);
	return TAKE_FD(fd);
}

int sock_connect_unix(const char *path, struct call call, struct error *e)
{
	struct sockaddr_un address;
	int r = unix_address(path, &address, e);
	if (r < 0)
		return r;
	int auto_close fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return sock_error(e, ERR_IO_ERROR, "make a socket for", path);
	while (connect(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
		/* EAGAIN: the listener's queue is full; there is no descriptor to wait on. */
		if (errno != EAGAIN && errno != EINTR)
			return sock_error(e, ERR_DAEMON_UNAVAILABLE, "reach the daemon at", path);
		r = call_check(call, "connecting to the daemon", e);
		if (r == 0)
			r = clock_wait(LIM_LOCK_POLL_MS, call.cancel, e);
		if (r < 0)
			return r;
	}
	return TAKE_FD(fd);
}

int sock_accept(int fd, struct call call, struct error *e)
{
	for (;;) {
		int r = call_poll(call, fd, POLLIN, "waiting for a connection", e);
		if (r < 0)
			return r;
		int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (client >= 0)
			return client;
		/* The peer may be gone again, or another thread was faster. */
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			return sock_error(e, ERR_IO_ERROR, "accept", "a connection");
	}
}

uid_t sock_peer_uid(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 ? peer.uid : (uid_t)-1;
}

int sock_listen_loopback(uint16_t port, uint16_t *ret_port, struct error *e)
{
	int auto_close fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return sock_error(e, ERR_IO_ERROR, "make a socket on", "127.0.0.1");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof address;
	if (bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, LIM_DAEMON_CONNECTIONS) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) < 0)
		return sock_error(e, ERR_IO_ERROR, "listen on", "127.0.0.1");
	*ret_port = ntohs(address.sin_port);
	return TAKE_FD(fd);
}

int sock_write(int fd, const void *data, size_t len, struct call call, struct error *e)
{
	const char *p = data;
	while (len) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n >= 0) {
			p += n;
			len -= (size_t)n;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return sock_error(e, ERR_IO_ERROR, "write to", "the peer");
		int r = call_poll(call, fd, POLLOUT, "writing to the peer", e);
		if (r < 0)
			return r;
	}
	return 0;
}
