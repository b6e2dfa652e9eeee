/* An HTTP server that behaves as badly as it is told, one behaviour per request, on a thread of its
 * own. Counts the requests that it read completely: that is what a runner would have executed. */
#ifndef DEFT_TESTS_HTTP_SERVER_H
#define DEFT_TESTS_HTTP_SERVER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum behaviour {
	SERVE_END,     /* of the list: closes the listener */
	SERVE_KEEP,    /* reply, keep the connection */
	SERVE_CLOSE,   /* reply with Connection: close */
	SERVE_LEAVE,   /* reply as if it would be kept, then close it */
	SERVE_500,     /* an error status with a body */
	SERVE_MUTE,    /* read all, close without a word */
	SERVE_RESET,   /* read all, reset the connection */
	SERVE_HALF,    /* half a reply, then close */
	SERVE_GARBAGE, /* something that is not HTTP */
	SERVE_STALL,   /* read all, never answer, until the peer closes */
	SERVE_SLAM,    /* reset before reading anything */
	SERVE_HUGE,    /* more than a reply may be */
	SERVE_SEALED,  /* reply with the request's seal, keep the connection */
	SERVE_STALE,   /* the same with the seal of the request before */
	SERVE_DAMAGED, /* the same with the right seal over another body */
};

struct http_server {
	const enum behaviour *list;
	uint16_t port;
	int listener;
	atomic_int received, connections;
	char last_head[4096], last_body[4096];
	char seal[64], seal_before[64]; /* of the last requests */
	void *thread;
};

void http_server_start(struct http_server *s, const enum behaviour *list);
void http_server_stop(struct http_server *s); /* waits for its end */

#endif
