#include "raw_http.h"

#include "base/buf.h"
#include "base/cancel.h"
#include "base/jx.h"
#include "base/limits.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

void http_answer_done(struct http_answer *a)
{
	json_decref(a->json);
	free(a->body);
	*a = (struct http_answer){ 0 };
}

int http_open(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

void http_send(int fd, const void *data, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = send(fd, (const char *)data + done, len - done, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		done += (size_t)n;
	}
}

void http_post(int fd, const char *token, const char *extra, const void *body, size_t len)
{
	struct buf auto_buf text;

	buf_init(&text, (size_t)2 * LIM_RUNNER_DRAIN);
	buf_adds(&text, "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\n");
	if (token)
		buf_addf(&text, "X-Deft-Token: %s\r\n", token);
	buf_adds(&text, "Content-Type: application/json\r\n");
	buf_addf(&text, "%sContent-Length: %zu\r\n\r\n", extra ? extra : "", len);
	buf_add(&text, body, len);
	http_send(fd, text.data, text.len);
}

static bool more(int fd, struct buf *in)
{
	struct call c = { deadline_in(HTTP_ANSWER_MS), NULL };
	char chunk[65536];

	if (call_poll(c, fd, POLLIN, "an answer", NULL) < 0)
		return false;

	ssize_t n = recv(fd, chunk, sizeof(chunk), 0);

	return n > 0 && buf_add(in, chunk, (size_t)n);
}

static const char *header_value(const char *head, const char *end, const char *name)
{
	for (const char *line = head; line < end; line = strstr(line, "\r\n") + 2)
		if (strncasecmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':')
			return line + strlen(name) + 2;
	return NULL;
}

struct http_answer http_receive(int fd)
{
	struct http_answer a = { 0 };
	struct buf auto_buf in;
	const char *end;

	buf_init(&in, LIM_RUNNER_REPLY);
	while (!(end = strstr(in.data, "\r\n\r\n")))
		if (!more(fd, &in))
			return a;

	const char *length = header_value(in.data, end, "Content-Length");
	const char *connection = header_value(in.data, end, "Connection");
	size_t want = length ? (size_t)strtoul(length, NULL, 10) : 0;
	size_t head = (size_t)(end + 4 - in.data);

	a.status = (int)strtol(in.data + strlen("HTTP/1.1 "), NULL, 10);
	const char *seal = header_value(in.data, end, "X-Deft-Reply");
	if (seal)
		snprintf(a.seal, sizeof(a.seal), "%.*s", (int)strcspn(seal, "\r"), seal);
	a.close = connection && strncasecmp(connection, "close", 5) == 0;
	while (in.len < head + want)
		if (!more(fd, &in))
			break;
	a.body = strndup(in.data + head, want);
	a.json = jx_parse(a.body, strlen(a.body), NULL);
	return a;
}

bool http_closed(int fd)
{
	struct buf auto_buf rest;

	buf_init(&rest, 1 << 20);
	return !more(fd, &rest);
}
