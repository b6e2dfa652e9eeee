#include "harness.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

void harness_start(struct harness *h, const struct rc_config *cfg)
{
	struct error auto_error e = ERROR_INIT;
	const struct rc_config plain = { 0 };

	fake_init(&h->fake);
	if (rc_start(&h->runner, cfg ? cfg : &plain, &h->fake.head, &e) < 0)
		fail_msg("%s", e.message);
}

void harness_stop(struct harness *h)
{
	rc_free(h->runner);
	h->runner = NULL;
	assert_false(h->fake.overlapped);
}

void http_answer_done(struct http_answer *a)
{
	json_decref(a->json);
	free(a->body);
	*a = (struct http_answer){ 0 };
}

int http_connect(const struct harness *h)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(rc_port(h->runner)) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

void http_send(int fd, const void *data, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = send(fd, (const char *)data + done, len - done, MSG_NOSIGNAL);

		if (n <= 0)
			return; /* the other side has had enough; its answer tells */
		done += (size_t)n;
	}
}

void http_send_command(int fd, const char *body)
{
	struct buf auto_buf head;

	buf_init(&head, LIM_RUNNER_REQUEST * 2);
	buf_addf(&head, "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %zu\r\n\r\n",
	         strlen(body));
	buf_adds(&head, body);
	http_send(fd, head.data, head.len);
}

static bool more(int fd, struct buf *in)
{
	char chunk[65536];
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
	a.close = connection && strncasecmp(connection, "close", 5) == 0;
	while (in.len < head + want)
		if (!more(fd, &in))
			break;
	a.body = strndup(in.data + head, want);
	a.json = jx_parse(a.body, strlen(a.body), NULL);
	return a;
}

struct http_answer http_command(const struct harness *h, const char *body)
{
	auto_close int fd = http_connect(h);

	http_send_command(fd, body);
	return http_receive(fd);
}

const json_t *answer_data(const struct http_answer *a)
{
	return json_object_get(a->json, "data");
}

const char *answer_code(const struct http_answer *a)
{
	return jx_get_str(json_object_get(a->json, "error"), "code", "");
}
