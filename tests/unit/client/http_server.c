#include "http_server.h"

#include "base/limits.h"
#include "base/sock.h"
#include "wire/seal.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(int fd, const char *text)
{
	send(fd, text, strlen(text), MSG_NOSIGNAL);
}

static void take_seal(struct http_server *s)
{
	const char *at = strstr(s->last_head, WIRE_SEAL_REQUEST ": ");
	memcpy(s->seal_before, s->seal, sizeof s->seal);
	s->seal[0] = '\0';
	if (at)
		snprintf(s->seal, sizeof s->seal, "%.*s", (int)strcspn(at + 16, "\r"), at + 16);
}

static void sealed(int fd, const char *request_seal, const char *sealed_body, const char *body)
{
	char seal[WIRE_SEAL_REPLY_SIZE], text[512];
	if (!wire_seal_reply(request_seal, sealed_body, strlen(sealed_body), seal))
		abort();
	snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%s: %s\r\nContent-Length: %zu\r\n\r\n%s",
	         WIRE_SEAL_REPLY, seal, strlen(body), body);
	say(fd, text);
}

/* Reads one whole request; 0 when the peer is gone before. */
static int read_request(struct http_server *s, int fd)
{
	char text[sizeof s->last_head];
	size_t n = 0;
	char *end = NULL;
	while (!end) {
		ssize_t got = n < sizeof text - 1 ? recv(fd, text + n, sizeof text - 1 - n, 0) : -1;
		if (got <= 0)
			return 0;
		n += (size_t)got;
		text[n] = '\0';
		end = strstr(text, "\r\n\r\n");
	}
	size_t head = (size_t)(end + 4 - text), have = n - head;
	const char *length = strcasestr(text, "content-length:");
	size_t body = length ? strtoul(length + 15, NULL, 10) : 0;
	snprintf(s->last_head, sizeof s->last_head, "%.*s", (int)head, text);
	take_seal(s);
	size_t kept = (size_t)snprintf(s->last_body, sizeof s->last_body, "%s", text + head);
	while (have < body) {
		char rest[65536];
		ssize_t got = recv(fd, rest, sizeof rest, 0);
		if (got <= 0)
			return 0;
		have += (size_t)got;
		if (kept < sizeof s->last_body)
			kept += (size_t)snprintf(s->last_body + kept, sizeof s->last_body - kept, "%.*s",
			                         (int)got, rest);
	}
	atomic_fetch_add(&s->received, 1);
	return 1;
}

static void huge(int fd)
{
	say(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
	static char chunk[1 << 20];
	memset(chunk, ' ', sizeof chunk);
	for (size_t i = 0; i < LIM_RUNNER_REPLY / sizeof chunk + 2; i++)
		if (send(fd, chunk, sizeof chunk, MSG_NOSIGNAL) <= 0)
			return;
}

static void reset(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger));
}

/* 1: the connection goes on. */
static int serve(struct http_server *s, int fd, enum behaviour b)
{
	if (b == SERVE_SLAM) {
		reset(fd);
		return 0;
	}
	if (!read_request(s, fd))
		return -1;
	switch (b) {
	case SERVE_KEEP:
	case SERVE_LEAVE: say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"ok\":true}"); break;
	case SERVE_CLOSE:
		say(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\n{\"ok\":true}");
		break;
	case SERVE_500:
		say(fd, "HTTP/1.1 500 Oops\r\nContent-Length: 12\r\n\r\n{\"ok\":false}");
		return 1;
	case SERVE_HALF: say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"ok\":tr"); break;
	case SERVE_GARBAGE: say(fd, "what?\r\n\r\n"); break;
	case SERVE_RESET: reset(fd); break;
	case SERVE_HUGE: huge(fd); break;
	case SERVE_SEALED: sealed(fd, s->seal, "{\"ok\":true}", "{\"ok\":true}"); return 1;
	case SERVE_STALE: sealed(fd, s->seal_before, "{\"ok\":true}", "{\"ok\":true}"); return 1;
	case SERVE_DAMAGED: sealed(fd, s->seal, "{\"ok\":true}", "{\"ok\":trve}"); return 1;
	case SERVE_STALL: {
		char c;
		while (recv(fd, &c, 1, 0) > 0)
			continue;
		break;
	}
	default: break;
	}
	return b == SERVE_KEEP;
}

static void *run(void *arg)
{
	struct http_server *s = arg;
	int fd = -1;
	for (const enum behaviour *b = s->list; *b != SERVE_END;) {
		if (fd < 0) {
			fd = accept(s->listener, NULL, NULL);
			if (fd < 0)
				break;
			atomic_fetch_add(&s->connections, 1);
		}
		int r = serve(s, fd, *b);
		if (r <= 0) {
			close(fd);
			fd = -1;
		}
		if (r >= 0) /* a peer that came and said nothing uses no behaviour up */
			b++;
	}
	if (fd >= 0)
		close(fd);
	shutdown(s->listener, SHUT_RDWR);
	return NULL;
}

void http_server_start(struct http_server *s, const enum behaviour *list)
{
	*s = (struct http_server){ .list = list };
	s->listener = sock_listen_loopback(0, &s->port, NULL);
	pthread_t *thread = malloc(sizeof *thread);
	s->thread = thread;
	if (s->listener < 0 || pthread_create(thread, NULL, run, s) != 0)
		abort();
}

void http_server_stop(struct http_server *s)
{
	shutdown(s->listener, SHUT_RDWR);
	pthread_join(*(pthread_t *)s->thread, NULL);
	close(s->listener);
	free(s->thread);
}
