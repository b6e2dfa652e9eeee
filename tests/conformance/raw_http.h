/* The least of an HTTP client: loopback, bytes as they are, so that broken requests can be sent too. */
#ifndef TESTS_RAW_HTTP_H
#define TESTS_RAW_HTTP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How long an answer may take before the test gives up. */
#define HTTP_ANSWER_MS 60000

struct http_answer {
	int status;    /* 0: closed, or nothing came, without an answer */
	json_t *json;  /* NULL when the body is no JSON */
	char *body;    /* as received; NULL without an answer */
	bool close;    /* Connection: close */
	char seal[64]; /* X-Deft-Reply; "": none */
};
void http_answer_done(struct http_answer *a);
#define auto_answer __attribute__((cleanup(http_answer_done)))

/* A connected socket, or -1. */
int http_open(uint16_t port);
/* Writes all that the other side takes; a peer that closed early has its reasons, and an answer. */
void http_send(int fd, const void *data, size_t len);
/* One POST /command with this body; token NULL: none; extra: further header lines, each ended by
 * CR LF, or NULL. Does not wait. */
void http_post(int fd, const char *token, const char *extra, const void *body, size_t len);
/* The next answer on the connection. */
struct http_answer http_receive(int fd);
/* True when the peer has closed and nothing more comes. */
bool http_closed(int fd);

#endif
