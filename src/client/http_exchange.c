#include "client/http_exchange.h"

#include "base/cleanup.h"
#include "base/limits.h"
#include "wire/seal.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

struct http_link {
	CURLM *multi; /* holds the kept connection */
	CURL *easy;
	char *token;
	bool sealed; /* this runner seals its replies: one without is not its answer */
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

struct download {
	struct buf *body;
	size_t from;                     /* where this reply's body begins */
	char seal[WIRE_SEAL_REPLY_SIZE]; /* "": none, or one of another form */
};

static size_t write_reply(char *from, size_t size, size_t n, void *ctx)
{
	struct download *d = ctx;
	return buf_add(d->body, from, size * n) ? size * n : 0;
}

static size_t read_header(char *line, size_t size, size_t n, void *ctx)
{
	static const char name[] = WIRE_SEAL_REPLY ": ";
	struct download *d = ctx;
	size_t len = size * n, head = sizeof name - 1;
	if (len == head + sizeof d->seal - 1 + 2 && strncasecmp(line, name, head) == 0) {
		memcpy(d->seal, line + head, sizeof d->seal - 1);
		d->seal[sizeof d->seal - 1] = '\0';
	}
	return len;
}

static void global_init(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

static bool add_header(struct curl_slist **list, const char *name, const char *value)
{
	struct buf auto_buf line;
	buf_init(&line, 256);
	struct curl_slist *more =
	    buf_addf(&line, "%s: %s", name, value) ? curl_slist_append(*list, line.data) : NULL;
	if (more)
		*list = more;
	return more != NULL;
}

/* NULL when memory ran out; ends with curl_slist_free_all(). */
static struct curl_slist *make_headers(const struct http_link *l, const char *seal)
{
	/* "Expect:" keeps curl from asking first whether it may send a large body. */
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");
	if (list && add_header(&list, "Content-Type", "application/json") &&
	    add_header(&list, WIRE_SEAL_REQUEST, seal) &&
	    (!l->token[0] || add_header(&list, "X-Deft-Token", l->token)))
		return list;
	curl_slist_free_all(list);
	return NULL;
}

static bool set_options(struct http_link *l, const char *host, uint16_t port)
{
	struct buf auto_buf url;
	buf_init(&url, 256);
	buf_addf(&url, strchr(host, ':') ? "http://[%s]:%u/command" : "http://%s:%u/command", host,
	         (unsigned)port);
	CURL *h = l->easy;
	return curl_easy_setopt(h, CURLOPT_URL, url.data) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_POST, 1L) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_READFUNCTION, read_body) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, write_reply) == CURLE_OK &&
	       curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, read_header) == CURLE_OK &&
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
		l->token = strdup(token);
	}
	if (!l || !l->multi || !l->easy || !l->token || !set_options(l, host, port)) {
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
	free(l->token);
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

/* Forgets every kept connection: they are out of step. */
static void drop_connections(struct http_link *l)
{
	CURLM *fresh = curl_multi_init();
	if (!fresh)
		return;
	curl_multi_cleanup(l->multi);
	l->multi = fresh;
}

/* The reply is the answer to this very request, undamaged; also when the runner knows no seals. */
static int check_seal(struct http_link *l, const struct download *d, const char *request_seal,
                      enum cl_failure *ret_failure, struct error *e)
{
	if (!d->seal[0] && !l->sealed)
		return 0;
	if (wire_seal_fits_reply(d->seal, request_seal, d->body->data + d->from,
	                         d->body->len - d->from)) {
		l->sealed = true;
		return 0;
	}
	drop_connections(l);
	*ret_failure = CL_LOST;
	error_set(e, ERR_RUNNER_LOST_REPLY,
	          "the runner's reply was lost: what arrived is damaged, or answers another request");
	return error_reason(e, "broken_seal");
}

static int transfer(struct http_link *l, struct upload *upload, struct call c, struct download *d,
                    enum cl_failure *ret_failure, struct error *e)
{
	curl_easy_setopt(l->easy, CURLOPT_READDATA, upload);
	curl_easy_setopt(l->easy, CURLOPT_WRITEDATA, d);
	curl_easy_setopt(l->easy, CURLOPT_HEADERDATA, d);
	curl_easy_setopt(l->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)upload->len);
	curl_multi_add_handle(l->multi, l->easy);
	CURLcode code = CURLE_OK;
	int r = drive(l, c, &code, e);
	bool sent = has_sent(l, upload);
	/* Taking an unfinished transfer out closes its connection: a late reply can't be mistaken. */
	curl_multi_remove_handle(l->multi, l->easy);
	if (r < 0)
		return stopped(r, sent, ret_failure, e);
	if (code != CURLE_OK)
		return failed(code, sent, d->body->over, ret_failure, e);
	long status = 0;
	curl_easy_getinfo(l->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status != 200)
		drop_connections(l); /* a refusal at the door: what of the request was read is not known */
	*ret_failure = CL_OK;
	return 0;
}

int http_link_post(struct http_link *l, const char *body, size_t len, struct call c,
                   struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	struct upload upload = { body, len, 0 };
	struct download download = { .body = reply, .from = reply->len };
	char seal[WIRE_SEAL_REQUEST_SIZE];
	uint64_t nonce;
	while (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
		continue;
	wire_seal_request(nonce, body, len, seal);
	struct curl_slist *headers = make_headers(l, seal);
	if (!headers) {
		*ret_failure = CL_NOT_SENT;
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	}
	curl_easy_setopt(l->easy, CURLOPT_HTTPHEADER, headers);
	int r = transfer(l, &upload, c, &download, ret_failure, e);
	curl_easy_setopt(l->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return r < 0 ? r : check_seal(l, &download, seal, ret_failure, e);
}
