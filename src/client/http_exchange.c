#include "client/http_exchange.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct http_link {
	CURLM *multi; /* holds the kept connection */
	CURL *easy;
	struct curl_slist *headers;
};

/* The request body as curl pulls it. Without a way to rewind, on purpose: when a kept connection
 * breaks after the request has left, curl opens another one and would send it a second time, POST or
 * not; a body that was pulled and can't be pulled again makes it give up instead. */
struct upload {
	const char *body;
	size_t len, at;
};

static size_t read_body(char *to, size_t size, size_t n, void *ctx)
{
	struct upload *u = ctx;
	size_t take = size * n < u->len - u->at ? size * n : u->len - u->at;
	memcpy(to, u->body + u->at, take);
	u->at += take;
	return take;
}

static size_t write_reply(char *from, size_t size, size_t n, void *ctx)
{
	return buf_add(ctx, from, size * n) ? size * n : 0;
}

static void global_init(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

static bool set_headers(struct http_link *l, const char *token)
{
	struct buf auto_buf line;
	buf_init(&line, 256);
	buf_addf(&line, "X-Deft-Token: %s", token);
	/* "Expect:" keeps curl from asking first whether it may send a large body. */
	const char *const lines[] = { "Content-Type: application/json",
		                          "Expect:", token[0] ? line.data : NULL };
	for (size_t i = 0; i < ARRAY_SIZE(lines) && lines[i]; i++) {
		struct curl_slist *more = curl_slist_append(l->headers, lines[i]);
		if (!more)
			return false;
		l->headers = more;
	}
	return true;
}

static bool set_options(struct http_link *l, const char *host, uint16_t port)
{
	struct buf auto_buf url;
	buf_init(&url, 256);
	buf_addf(&url, strchr(host, ':') ? "http://[%s]:%u/command" : "http://%s:%u/command", host,
	         (unsigned)port);
	CURL *h = l->easy;
	return curl_easy_setopt(h, CURLOPT_URL, url.data) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_HTTPHEADER, l->headers) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_POST, 1L) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_READFUNCTION, read_body) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, write_reply) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) == CURLE_OK &&
	       /* An idle connection this old may be closed by the runner any moment: not worth the doubt. */
	       curl_easy_setopt(h, CURLOPT_MAXAGE_CONN, (long)(LIM_HTTP_KEPT_MS / 1000)) == CURLE_OK;
}

int http_link_new(struct http_link **ret, const char *host, uint16_t port, const char *token,
                  struct error *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, global_init);
	struct http_link *l = calloc(1, sizeof *l);
	if (l) {
		l->multi = curl_multi_init();
		l->easy = curl_easy_init();
	}
	if (!l || !l->multi || !l->easy || !set_headers(l, token) || !set_options(l, host, port)) {
		http_link_free(l);
		return error_set(e, ERR_INTERNAL_ERROR, "the HTTP client could not be set up");
	}
	*ret = l;
	return 0;
}

void http_link_free(struct http_link *l)
{
	if (!l)
		return;
	if (l->easy)
		curl_easy_cleanup(l->easy);
	if (l->multi)
		curl_multi_cleanup(l->multi);
	curl_slist_free_all(l->headers);
	free(l);
}

/* Drives the transfer to its end, the deadline or the cancellation. 0: *ret_code is valid. */
static int drive(struct http_link *l, struct call c, CURLcode *ret_code, struct error *e)
{
	struct curl_waitfd canceled = { .fd = c.cancel ? c.cancel->fd : -1,
		                            .events = CURL_WAIT_POLLIN };
	for (;;) {
		int running = 0, left;
		CURLMcode m = curl_multi_perform(l->multi, &running);
		if (m != CURLM_OK)
			return error_set(e, ERR_INTERNAL_ERROR, "the HTTP client failed: %s",
			                 curl_multi_strerror(m));
		const CURLMsg *msg = curl_multi_info_read(l->multi, &left);
		if (msg && msg->msg == CURLMSG_DONE) {
			*ret_code = msg->data.result;
			return 0;
		}
		int r = call_check(c, "the runner's reply", e);
		if (r < 0)
			return r;
		int wait = deadline_poll_ms(c.deadline);
		curl_multi_poll(l->multi, &canceled, c.cancel ? 1 : 0, wait < 0 ? LIM_HTTP_POLL_MS : wait,
		                NULL);
	}
}

/* Whether a byte of the request may have left this process. */
static bool has_sent(struct http_link *l, const struct upload *upload)
{
	long head = 0;
	curl_off_t body = 0;
	curl_easy_getinfo(l->easy, CURLINFO_REQUEST_SIZE, &head);
	curl_easy_getinfo(l->easy, CURLINFO_SIZE_UPLOAD_T, &body);
	return head > 0 || body > 0 || upload->at > 0;
}

static int stopped(int r, bool sent, enum cl_failure *ret_failure, struct error *e)
{
	if (r == -ERR_CANCELED) {
		*ret_failure = CL_CANCELED;
		if (!sent)
			error_detail(e, "notSent", json_true());
	} else if (r == -ERR_TIMEOUT) {
		*ret_failure = sent ? CL_TIMED_OUT : CL_NOT_SENT;
		error_set(e, ERR_TIMEOUT,
		          sent ? "the runner did not answer in time"
		               : "the runner did not accept a connection in time");
	} else {
		*ret_failure = sent ? CL_LOST : CL_NOT_SENT;
	}
	return r;
}

static int failed(CURLcode code, bool sent, bool over, enum cl_failure *ret_failure,
                  struct error *e)
{
	*ret_failure = sent ? CL_LOST : CL_NOT_SENT;
	if (over)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the runner's reply is larger than %u bytes",
		                 LIM_RUNNER_REPLY);
	if (sent)
		return error_set(e, ERR_RUNNER_LOST_REPLY, "the runner's reply was lost: %s",
		                 curl_easy_strerror(code));
	error_set(e, ERR_RUNNER_UNAVAILABLE, "the runner did not accept the connection: %s",
	          curl_easy_strerror(code));
	return error_reason(e, "runner_connect_failed");
}

int http_link_post(struct http_link *l, const char *body, size_t len, struct call c,
                   struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	struct upload upload = { body, len, 0 };
	curl_easy_setopt(l->easy, CURLOPT_READDATA, &upload);
	curl_easy_setopt(l->easy, CURLOPT_WRITEDATA, reply);
	curl_easy_setopt(l->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
	curl_multi_add_handle(l->multi, l->easy);
	CURLcode code = CURLE_OK;
	int r = drive(l, c, &code, e);
	bool sent = has_sent(l, &upload);
	/* Taking an unfinished transfer out closes its connection: a late reply can't be mistaken. */
	curl_multi_remove_handle(l->multi, l->easy);
	if (r < 0)
		return stopped(r, sent, ret_failure, e);
	if (code != CURLE_OK)
		return failed(code, sent, reply->over, ret_failure, e);
	*ret_failure = CL_OK;
	return 0;
}
