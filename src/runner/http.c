#include "runner/http.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/number.h"
#include "base/sock.h"
#include "wire/seal.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define CONNECTION_MEMORY (32 * 1024)

struct rc_http {
	struct rc_http_opts opts;
	char *token;
	uint16_t port;
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;
	pthread_cond_t quiet; /* open_exchanges became 0 */
	unsigned open_exchanges;
};

struct rc_exchange {
	struct rc_http *http;
	struct MHD_Connection *connection;
	struct buf body;
	struct error refusal; /* code ERR_OK: none */
	unsigned refusal_status;
	/* Under http->lock: */
	bool complete; /* the request was read: it is one of open_exchanges */
	bool answered, suspended;
	struct rc_reply *reply;
};

/* --- what is refused ------------------------------------------------------------------------- */

static bool same_token(const char *want, const char *got)
{
	size_t n = strlen(want), m = got ? strlen(got) : 0;
	unsigned char diff = n != m;

	for (size_t i = 0; i < n; i++)
		diff |= (unsigned char)want[i] ^ (unsigned char)(i < m ? got[i] : 0);
	return diff == 0;
}

static const char *header(const struct rc_exchange *x, const char *name)
{
	return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

static void refuse(struct rc_exchange *x, unsigned status, enum err_code code, const char *text)
{
	x->refusal_status = status;
	error_set(&x->refusal, code, "%s", text);
}

static int64_t content_length(const struct rc_exchange *x)
{
	const char *text = header(x, MHD_HTTP_HEADER_CONTENT_LENGTH);
	int64_t n;

	return text && number_parse_int(text, &n) && n >= 0 ? n : -1;
}

static void refuse_length(struct rc_exchange *x, int64_t length)
{
	if (length < 0) {
		refuse(x, MHD_HTTP_LENGTH_REQUIRED, ERR_INVALID_ARGS,
		       "a runner request needs a Content-Length; chunked bodies are not accepted");
		return;
	}
	x->refusal_status = MHD_HTTP_CONTENT_TOO_LARGE;
	error_set(&x->refusal, ERR_INVALID_ARGS, "runner request body exceeds the limit of %u bytes",
	          LIM_RUNNER_REQUEST);
}

static void check_head(struct rc_exchange *x, const char *url, const char *method)
{
	const char *token = x->http->token;
	int64_t length = content_length(x);

	if (token && !same_token(token, header(x, "X-Deft-Token"))) {
		refuse(x, MHD_HTTP_UNAUTHORIZED, ERR_UNAUTHORIZED,
		       "X-Deft-Token is missing or not this runner's");
		error_hint(&x->refusal, "only the daemon that started the runner may use it");
	} else if (header(x, MHD_HTTP_HEADER_ORIGIN)) {
		refuse(x, MHD_HTTP_FORBIDDEN, ERR_UNAUTHORIZED, "requests of web pages are not accepted");
	} else if (strcmp(url, "/command") != 0) {
		refuse(x, MHD_HTTP_NOT_FOUND, ERR_INVALID_ARGS, "the runner answers POST /command only");
	} else if (strcmp(method, MHD_HTTP_METHOD_POST) != 0) {
		refuse(x, MHD_HTTP_METHOD_NOT_ALLOWED, ERR_INVALID_ARGS,
		       "the runner answers POST /command only");
	} else if (length < 0 || length > LIM_RUNNER_REQUEST) {
		refuse_length(x, length);
	}
}

/* A small body is read before its refusal, so that the client is not cut off while it sends. */
static bool drains(const struct rc_exchange *x)
{
	return content_length(x) <= LIM_RUNNER_DRAIN &&
	       (content_length(x) >= 0 || !header(x, MHD_HTTP_HEADER_TRANSFER_ENCODING));
}

/* --- exchanges ------------------------------------------------------------------------------- */

static struct rc_exchange *exchange_new(struct rc_http *h, struct MHD_Connection *connection)
{
	struct rc_exchange *x = calloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->http = h;
	x->connection = connection;
	buf_init(&x->body, LIM_RUNNER_REQUEST);
	return x;
}

/* From here on a stop waits for the answer. What is only half read holds nothing up. */
static void note_complete(struct rc_exchange *x)
{
	pthread_mutex_lock(&x->http->lock);
	x->http->open_exchanges += !x->complete;
	x->complete = true;
	pthread_mutex_unlock(&x->http->lock);
}

static void exchange_free(struct rc_exchange *x)
{
	struct rc_http *h = x->http;
	bool complete = x->complete;

	buf_done(&x->body);
	error_clear(&x->refusal);
	rc_reply_unref(x->reply);
	free(x);
	pthread_mutex_lock(&h->lock);
	if (complete && --h->open_exchanges == 0)
		pthread_cond_signal(&h->quiet);
	pthread_mutex_unlock(&h->lock);
}

void rc_exchange_answer(struct rc_exchange *x, struct rc_reply *reply)
{
	struct rc_http *h = x->http;

	pthread_mutex_lock(&h->lock);
	x->answered = true;
	x->reply = reply;
	if (x->suspended)
		MHD_resume_connection(x->connection);
	pthread_mutex_unlock(&h->lock);
}

static void release_reply(void *reply)
{
	rc_reply_unref(reply);
}

/* Ends the connection without an answer. */
static enum MHD_Result hang_up(const struct rc_exchange *x, enum rc_fate fate)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	const struct sockaddr nowhere = { .sa_family = AF_UNSPEC };

	/* Dissolving the association sends the reset at once; the closing that follows can't. */
	if (fate == RC_FATE_RESET && info && connect(info->connect_fd, &nowhere, sizeof(nowhere)) < 0)
		log_msg(LOG_WARN, "runner", "http: a connection could not be reset");
	return MHD_NO;
}

static ssize_t first_half(void *reply, uint64_t from, char *out, size_t max)
{
	const struct rc_reply *r = reply;
	size_t left = r->len / 2 > from ? r->len / 2 - (size_t)from : 0;

	if (left == 0)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	left = left < max ? left : max;
	memcpy(out, r->body + from, left);
	return (ssize_t)left;
}

static struct MHD_Response *make_response(struct rc_reply *reply)
{
	if (reply->fate == RC_FATE_TRUNCATED)
		return MHD_create_response_from_callback(reply->len, 4096, first_half, rc_reply_ref(reply),
		                                         release_reply);
	return MHD_create_response_from_buffer_with_free_callback_cls(
	    reply->len, reply->body, release_reply, rc_reply_ref(reply));
}

/* A sealed request gets a sealed reply. */
static void seal(const struct rc_exchange *x, struct MHD_Response *response,
                 const struct rc_reply *reply)
{
	const char *request = header(x, WIRE_SEAL_REQUEST);
	char value[WIRE_SEAL_REPLY_SIZE];

	if (request && wire_seal_reply(request, reply->body, reply->len, value))
		MHD_add_response_header(response, WIRE_SEAL_REPLY, value);
}

static enum MHD_Result send_reply(struct rc_exchange *x, struct rc_reply *reply)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	if (!reply)
		return MHD_NO;
	if (reply->fate == RC_FATE_LOST || reply->fate == RC_FATE_RESET)
		return hang_up(x, reply->fate);
	response = make_response(reply);
	if (!response) {
		rc_reply_unref(reply);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
	if (reply->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, MHD_HTTP_METHOD_POST);
	seal(x, response, reply);
	result = MHD_queue_response(x->connection, reply->status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result send_refusal(struct rc_exchange *x)
{
	struct rc_reply *reply = rc_reply_error(&x->refusal, x->refusal_status);
	enum MHD_Result result = send_reply(x, reply);

	rc_reply_unref(reply);
	return result;
}

/* --- one request ----------------------------------------------------------------------------- */

static enum MHD_Result begin(struct rc_http *h, struct MHD_Connection *connection, const char *url,
                             const char *method, void **state)
{
	struct rc_exchange *x = exchange_new(h, connection);

	*state = x;
	if (!x)
		return MHD_NO;
	check_head(x, url, method);
	return x->refusal.code && !drains(x) ? send_refusal(x) : MHD_YES;
}

static enum MHD_Result take(struct rc_exchange *x, const char *data, size_t *size)
{
	bool ok = x->refusal.code || buf_add(&x->body, data, *size);

	*size = 0;
	return ok ? MHD_YES : MHD_NO;
}

static bool is_damaged(const struct rc_exchange *x)
{
	const char *sealed = header(x, WIRE_SEAL_REQUEST);

	return sealed && !wire_seal_fits_request(sealed, x->body.data, x->body.len);
}

/* Hands the request on; suspends the connection unless the answer is already there. */
static enum MHD_Result dispatch(struct rc_exchange *x)
{
	struct rc_http *h = x->http;
	struct wire_request req;

	if (is_damaged(x)) {
		refuse(x, MHD_HTTP_BAD_REQUEST, ERR_INVALID_ARGS,
		       "the request was damaged on its way; it was not carried out");
		error_reason(&x->refusal, "damaged_request");
		return send_refusal(x);
	}
	if (wire_request_parse(x->body.data, x->body.len, &req, &x->refusal) < 0) {
		x->refusal_status = MHD_HTTP_BAD_REQUEST;
		return send_refusal(x);
	}
	enum rc_fate fate = h->opts.arrived ? h->opts.arrived(h->opts.ctx, &req) : RC_FATE_SENT;

	if (fate != RC_FATE_SENT) {
		wire_request_done(&req);
		return hang_up(x, fate);
	}
	h->opts.handle(h->opts.ctx, &req, x);
	pthread_mutex_lock(&h->lock);
	bool answered = x->answered;
	if (!answered) {
		x->suspended = true;
		MHD_suspend_connection(x->connection);
	}
	pthread_mutex_unlock(&h->lock);
	return answered ? send_reply(x, x->reply) : MHD_YES;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state)
{
	struct rc_exchange *x = *state;

	if (!x)
		return begin(ctx, connection, url, method, state);
	if (*size > 0)
		return take(x, data, size);
	note_complete(x);
	if (x->refusal.code)
		return send_refusal(x);
	return x->suspended ? send_reply(x, x->reply) : dispatch(x);
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode how)
{
	struct rc_http *h = ctx;
	struct rc_exchange *x = *state;

	if (!x)
		return;
	*state = NULL;
	bool stop = x->reply && x->reply->stop;
	exchange_free(x);
	if (stop)
		h->opts.sent_stop(h->opts.ctx);
}

__attribute__((format(printf, 2, 0))) static void on_log(void *ctx, const char *fmt, va_list ap)
{
	struct buf auto_buf text;

	buf_init(&text, LIM_ERROR_TEXT);
	buf_addv(&text, fmt, ap);
	while (text.len > 0 && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	log_msg(LOG_DEBUG, "runner", "http: %s", text.data);
}

/* --- start and stop -------------------------------------------------------------------------- */

static void init_locks(struct rc_http *h)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->quiet, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static void destroy(struct rc_http *h)
{
	pthread_cond_destroy(&h->quiet);
	pthread_mutex_destroy(&h->lock);
	free(h->token);
	free(h);
}

static int listen_and_serve(struct rc_http *h, struct error *e)
{
	auto_close int fd = sock_listen_loopback(h->opts.port, &h->port, e);

	if (fd < 0)
		return fd;
	/* Not epoll: edge-triggered, the library misses an end of the stream that comes with the data
	 * before it, and keeps half a request for ever. */
	h->daemon = MHD_start_daemon(
	    MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, h->port, NULL,
	    NULL, on_request, h, MHD_OPTION_EXTERNAL_LOGGER, on_log, NULL, MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, h, MHD_OPTION_CONNECTION_LIMIT,
	    (unsigned)LIM_RUNNER_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
	    (unsigned)(LIM_RUNNER_KEEPALIVE_MS / 1000), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	    (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
	if (!h->daemon)
		return error_set(e, ERR_RUNNER_UNAVAILABLE, "the HTTP listener can't be started");
	(void)TAKE_FD(fd);
	return 0;
}

int rc_http_start(struct rc_http **ret, const struct rc_http_opts *opts, struct error *e)
{
	struct rc_http *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	h->opts = *opts;
	init_locks(h);
	h->token = opts->token ? strdup(opts->token) : NULL;
	r = opts->token && !h->token ? error_set(e, ERR_LIMIT_EXCEEDED, "out of memory")
	                             : listen_and_serve(h, e);
	if (r < 0) {
		destroy(h);
		return r;
	}
	*ret = h;
	return 0;
}

uint16_t rc_http_port(const struct rc_http *h)
{
	return h->port;
}

void rc_http_free(struct rc_http *h)
{
	if (!h)
		return;

	int64_t until_ms = clock_now_us() / 1000 + LIM_RUNNER_DRAIN_MS;
	const struct timespec until = { until_ms / 1000, (until_ms % 1000) * 1000000 };
	MHD_socket listener = MHD_quiesce_daemon(h->daemon);

	pthread_mutex_lock(&h->lock);
	while (h->open_exchanges > 0)
		if (pthread_cond_timedwait(&h->quiet, &h->lock, &until) != 0)
			break;
	pthread_mutex_unlock(&h->lock);
	MHD_stop_daemon(h->daemon);
	if (listener != MHD_INVALID_SOCKET)
		close(listener);
	destroy(h);
}
