#include "fault_proxy.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/sock.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	CONNECTIONS = 64, /* open at once */
	MESSAGE = 1 << 22,
	PATIENCE_MS = 10000, /* for a held message at most */
};

struct line {
	struct fault_proxy *proxy;
	pthread_t thread;
	bool used, over; /* under the proxy's lock */
	int client, runner;
	struct buf swapped; /* REORDER of replies: the one that waits for the next */
	bool swap_next;
};

struct fault_proxy {
	uint16_t port, to_port;
	fault_notice *notice;
	void *ctx;
	int listener;
	int stop;  /* eventfd, readable once everything ends */
	int flush; /* eventfd, readable while nothing is held back */
	pthread_t thread;

	pthread_mutex_t lock;
	pthread_cond_t changed; /* busy */
	struct line lines[CONNECTIONS];
	struct fault plan[FAULTS_PLANNED];
	unsigned struck;
	unsigned seen;   /* exchanges since the plan was made */
	unsigned busy;   /* exchanges that have not come to their end */
	uint64_t passed; /* replies passed on, all time */
	int64_t refused_until_ms;
	struct fault_figures figures;
};

const char *fault_name(enum fault_kind kind)
{
	static const char *const names[] = {
#define FAULT_NAME(name, text) text,
		FAULT_KINDS(FAULT_NAME)
#undef FAULT_NAME
	};
	return names[kind];
}

/* --- the plan ------------------------------------------------------------------------------------- */

static bool is_connection_fault(enum fault_kind kind)
{
	return kind == FAULT_SLAM || kind == FAULT_REFUSE;
}

static void strike(struct fault_proxy *p, size_t i)
{
	p->struck |= 1u << i;
	p->figures.struck[p->plan[i].kind]++;
}

/* The fault of this exchange, or one of kind NONE. */
static struct fault fault_of_exchange(struct fault_proxy *p)
{
	struct fault found = { .kind = FAULT_NONE };
	pthread_mutex_lock(&p->lock);
	unsigned number = p->seen++;
	p->figures.exchanges++;
	for (size_t i = 0; i < FAULTS_PLANNED && found.kind == FAULT_NONE; i++) {
		const struct fault *f = &p->plan[i];
		if (f->kind == FAULT_NONE || is_connection_fault(f->kind) || p->struck & 1u << i ||
		    f->skip != number)
			continue;
		strike(p, i);
		found = *f;
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

static bool slams(struct fault_proxy *p)
{
	bool slam = false;
	pthread_mutex_lock(&p->lock);
	p->figures.connections++;
	for (size_t i = 0; i < FAULTS_PLANNED && !slam; i++) {
		if (p->plan[i].kind != FAULT_SLAM || p->struck & 1u << i)
			continue;
		strike(p, i);
		slam = true;
	}
	pthread_mutex_unlock(&p->lock);
	return slam;
}

/* Ends what is open; the threads of the lines see it. */
static void shut_lines(struct fault_proxy *p)
{
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (p->lines[i].used && !p->lines[i].over)
			shutdown(p->lines[i].client, SHUT_RDWR);
}

void fault_proxy_plan(struct fault_proxy *p, const struct fault faults[FAULTS_PLANNED])
{
	bool refuse = false;
	uint64_t one;
	(void)!read(p->flush, &one, sizeof one);
	pthread_mutex_lock(&p->lock);
	p->struck = p->seen = 0;
	p->refused_until_ms = 0;
	for (size_t i = 0; i < FAULTS_PLANNED; i++) {
		p->plan[i] = faults[i];
		if (faults[i].kind != FAULT_REFUSE)
			continue;
		p->refused_until_ms = clock_now_us() / 1000 + faults[i].ms;
		strike(p, i);
		refuse = true;
	}
	if (refuse || faults[0].kind == FAULT_SLAM || faults[1].kind == FAULT_SLAM)
		shut_lines(p);
	if (refuse)
		shutdown(p->listener, SHUT_RD); /* connections are refused from here on */
	pthread_mutex_unlock(&p->lock);
}

unsigned fault_proxy_struck(struct fault_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	unsigned struck = p->struck;
	pthread_mutex_unlock(&p->lock);
	return struck;
}

struct fault_figures fault_proxy_figures(struct fault_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	struct fault_figures f = p->figures;
	pthread_mutex_unlock(&p->lock);
	return f;
}

/* --- messages ------------------------------------------------------------------------------------- */

/* Length of the whole message that begins in b, or 0 while its head is not complete. */
static size_t message_length(const struct buf *b)
{
	const char *end = strstr(b->data, "\r\n\r\n");
	if (!end)
		return 0;
	size_t length = (size_t)(end + 4 - b->data);
	for (const char *at = b->data; at && at < end; at = strstr(at, "\r\n")) {
		at += *at == '\r' ? 2 : 0;
		if (strncasecmp(at, "content-length:", 15) == 0)
			length += strtoul(at + 15, NULL, 10);
	}
	return length;
}

/* One whole message into b, which may hold the beginning of it. False: the peer is gone, or the other
 * side (-1: nobody) who waits for the message, or the end has come. */
static bool read_message(struct fault_proxy *p, int fd, int waiting, struct buf *b)
{
	for (;;) {
		size_t length = message_length(b);
		if (length && b->len >= length)
			return true;
		struct pollfd fds[3] = { { fd, POLLIN, 0 },
			                     { p->stop, POLLIN, 0 },
			                     { waiting, POLLRDHUP, 0 } };
		if (poll(fds, 3, -1) < 0 || fds[1].revents || (fds[2].revents && !fds[0].revents))
			return false;
		char some[16384];
		ssize_t n = recv(fd, some, sizeof some, 0);
		if (n <= 0 || !buf_add(b, some, (size_t)n))
			return false;
	}
}

static bool pass(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static void make_reset(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger));
}

/* --- holding back --------------------------------------------------------------------------------- */

/* Until the client has gone, or ms have passed; a flush ends both. False: everything ends. */
static bool wait_while_client(struct line *l, int ms)
{
	struct pollfd fds[3] = { { l->client, POLLRDHUP, 0 },
		                     { l->proxy->flush, POLLIN, 0 },
		                     { l->proxy->stop, POLLIN, 0 } };
	poll(fds, 3, ms);
	return !fds[2].revents;
}

static void count_busy(struct fault_proxy *p, int by)
{
	pthread_mutex_lock(&p->lock);
	p->busy += (unsigned)by;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

/* Until another line has passed a reply on, or a flush. */
static bool wait_for_another(struct line *l)
{
	struct fault_proxy *p = l->proxy;
	pthread_mutex_lock(&p->lock);
	uint64_t before = p->passed;
	pthread_mutex_unlock(&p->lock);
	for (int waited = 0; waited < PATIENCE_MS; waited++) {
		struct pollfd fds[2] = { { p->flush, POLLIN, 0 }, { p->stop, POLLIN, 0 } };
		pthread_mutex_lock(&p->lock);
		bool passed = p->passed != before;
		pthread_mutex_unlock(&p->lock);
		if (passed)
			return true;
		if (poll(fds, 2, 1) > 0)
			return !fds[1].revents;
	}
	return true;
}

void fault_proxy_flush(struct fault_proxy *p)
{
	uint64_t one = 1;
	(void)!write(p->flush, &one, sizeof one);
	pthread_mutex_lock(&p->lock);
	while (p->busy > 0)
		pthread_cond_wait(&p->changed, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

/* --- one exchange --------------------------------------------------------------------------------- */

static int open_runner(const struct fault_proxy *p)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = { .sin_family = AF_INET,
		                      .sin_port = htons(p->to_port),
		                      .sin_addr = { htonl(INADDR_LOOPBACK) } };
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void drop_replies(struct fault_proxy *p, int fd)
{
	struct buf auto_buf reply;
	buf_init(&reply, MESSAGE);
	read_message(p, fd, -1, &reply);
}

static void notice(struct line *l, enum fault_kind kind)
{
	l->proxy->notice(l->proxy->ctx, kind);
}

enum further { GO_ON, NO_REPLY /* the exchange is over, the line too */ };

/* After the first `at` bytes of a message to `to`: what the fault does to the rest. */
static enum further pass_rest(struct line *l, const struct fault *f, int to, const struct buf *m,
                              size_t at)
{
	bool request = to == l->runner;
	switch (f->kind) {
	case FAULT_RESET:
		make_reset(l->client);
		make_reset(l->runner);
		return NO_REPLY;
	case FAULT_CUT: return NO_REPLY;
	case FAULT_TRUNCATE: shutdown(to, SHUT_WR); return request ? GO_ON : NO_REPLY;
	case FAULT_DELAY:
		if (!wait_while_client(l, f->ms))
			return NO_REPLY;
		break;
	case FAULT_STALL: wait_while_client(l, PATIENCE_MS); return NO_REPLY;
	case FAULT_LATE:
	case FAULT_REORDER: {
		bool on = wait_while_client(l, PATIENCE_MS) &&
		          (f->kind == FAULT_LATE || wait_for_another(l)) &&
		          pass(to, m->data + at, m->len - at);
		if (on && request)
			drop_replies(l->proxy, l->runner);
		return NO_REPLY;
	}
	case FAULT_KILL:
	case FAULT_CANCEL: notice(l, f->kind); break;
	default: break;
	}
	return pass(to, m->data + at, m->len - at) ? GO_ON : NO_REPLY;
}

/* Where the fault strikes: a byte of the message, or behind its last one where that makes sense. */
static size_t place(const struct fault *f, const struct buf *m)
{
	switch (f->kind) {
	case FAULT_NONE: return 0;
	case FAULT_CORRUPT:
	case FAULT_STALL:
	case FAULT_LATE:
	case FAULT_TRUNCATE: return f->at % m->len;
	default: return f->at % (m->len + 1);
	}
}

static enum further pass_message(struct line *l, const struct fault *f, int to, struct buf *m)
{
	size_t at = place(f, m);
	if (f->kind == FAULT_CORRUPT)
		m->data[at] = (char)(m->data[at] ^ f->mask);
	if (!pass(to, m->data, at))
		return NO_REPLY;
	return pass_rest(l, f, to, m, at);
}

/* A second copy of a request arrives on a connection of its own; its answer goes nowhere. */
static void send_copy(struct fault_proxy *p, const struct buf *m)
{
	int fd = open_runner(p);
	if (fd >= 0 && pass(fd, m->data, m->len))
		drop_replies(p, fd);
	if (fd >= 0)
		close(fd);
}

static enum further pass_reply(struct line *l, const struct fault *f, struct buf *reply)
{
	static const struct fault none = { .kind = FAULT_NONE };
	if (f->kind == FAULT_REORDER) { /* a copy waits and is taken for the next one */
		l->swap_next = buf_add(&l->swapped, reply->data, reply->len);
		return pass_message(l, &none, l->client, reply);
	}
	if (l->swap_next) {
		l->swap_next = false;
		return pass_message(l, &none, l->client, &l->swapped);
	}
	enum further further = pass_message(l, f, l->client, reply);
	if (further == GO_ON && f->kind == FAULT_DUPLICATE && !pass(l->client, reply->data, reply->len))
		return NO_REPLY;
	return further;
}

static enum further exchange(struct line *l, struct buf *request)
{
	static const struct fault none = { .kind = FAULT_NONE };
	struct fault f = fault_of_exchange(l->proxy);
	struct buf auto_buf reply;
	buf_init(&reply, MESSAGE);
	enum further further = pass_message(l, f.side == ON_REQUEST ? &f : &none, l->runner, request);
	if (further != GO_ON)
		return further;
	if (f.kind == FAULT_DUPLICATE && f.side == ON_REQUEST)
		send_copy(l->proxy, request);
	if (!read_message(l->proxy, l->runner, l->client, &reply)) {
		pass(l->client, reply.data, reply.len); /* what there was of it */
		return NO_REPLY;
	}
	further = pass_reply(l, f.side == ON_REPLY ? &f : &none, &reply);
	pthread_mutex_lock(&l->proxy->lock);
	l->proxy->passed++;
	pthread_mutex_unlock(&l->proxy->lock);
	return further;
}

/* --- lines ---------------------------------------------------------------------------------------- */

static void *line_main(void *arg)
{
	struct line *l = arg;
	struct buf request;
	buf_init(&request, MESSAGE);
	buf_init(&l->swapped, MESSAGE);
	l->runner = open_runner(l->proxy);
	enum further further = l->runner >= 0 ? GO_ON : NO_REPLY;
	while (further == GO_ON && read_message(l->proxy, l->client, -1, &request)) {
		count_busy(l->proxy, 1);
		further = exchange(l, &request);
		count_busy(l->proxy, -1);
		buf_reset(&request);
	}
	buf_done(&request);
	buf_done(&l->swapped);
	pthread_mutex_lock(&l->proxy->lock);
	l->over = true; /* before its descriptor can become another's */
	close(l->client);
	pthread_mutex_unlock(&l->proxy->lock);
	if (l->runner >= 0)
		close(l->runner);
	return NULL;
}

static struct line *free_line(struct fault_proxy *p)
{
	struct line *found = NULL;
	pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < CONNECTIONS && !found; i++)
		if (!p->lines[i].used || p->lines[i].over)
			found = &p->lines[i];
	pthread_mutex_unlock(&p->lock);
	if (found && found->used) {
		pthread_join(found->thread, NULL);
		found->used = false;
	}
	return found;
}

static void open_line(struct fault_proxy *p, int client)
{
	struct line *l = slams(p) ? NULL : free_line(p);
	if (!l) {
		make_reset(client);
		close(client);
		return;
	}
	pthread_mutex_lock(&p->lock);
	*l = (struct line){ .proxy = p, .client = client, .runner = -1 };
	l->used = pthread_create(&l->thread, NULL, line_main, l) == 0;
	if (!l->used)
		close(client);
	pthread_mutex_unlock(&p->lock);
}

/* While connections are refused: how long still; then the listener listens again. */
static int refusal_left(struct fault_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	int64_t left = p->refused_until_ms - clock_now_us() / 1000;
	pthread_mutex_unlock(&p->lock);
	return left > 0 ? (int)left : 0;
}

static void end_refusal(struct fault_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	p->refused_until_ms = 0;
	pthread_mutex_unlock(&p->lock);
}

static void *listen_main(void *arg)
{
	struct fault_proxy *p = arg;
	for (;;) {
		int left = refusal_left(p);
		struct pollfd fds[2] = { { p->stop, POLLIN, 0 },
			                     { left ? p->flush : p->listener, POLLIN, 0 } };
		if (poll(fds, 2, left ? left : -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents)
			break;
		if (left && fds[1].revents)
			end_refusal(p);
		if (left)
			continue;
		int client = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC);
		if (client >= 0)
			open_line(p, client);
		else if (errno == EINVAL && refusal_left(p) == 0)
			listen(p->listener, 64); /* it was shut for a refusal */
	}
	return NULL;
}

/* A listener whose port was asked for by number keeps it when it stops listening for a while. */
static int listen_for_good(uint16_t *ret_port)
{
	int fd = -1;
	for (int i = 0; i < 20 && fd < 0; i++) {
		int first = sock_listen_loopback(0, ret_port, NULL);
		if (first < 0)
			return -1;
		close(first);
		fd = sock_listen_loopback(*ret_port, ret_port, NULL);
	}
	return fd;
}

struct fault_proxy *fault_proxy_new(uint16_t to_port, fault_notice *notice_fn, void *ctx)
{
	struct fault_proxy *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	*p = (struct fault_proxy){ .to_port = to_port, .notice = notice_fn, .ctx = ctx };
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	p->stop = eventfd(0, EFD_CLOEXEC);
	p->flush = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->listener = listen_for_good(&p->port);
	if (p->listener < 0 || pthread_create(&p->thread, NULL, listen_main, p) != 0) {
		close(p->stop);
		close(p->flush);
		free(p);
		return NULL;
	}
	return p;
}

uint16_t fault_proxy_port(const struct fault_proxy *p)
{
	return p->port;
}

void fault_proxy_free(struct fault_proxy *p)
{
	uint64_t one = 1;
	if (!p)
		return;
	(void)!write(p->stop, &one, sizeof one);
	pthread_join(p->thread, NULL);
	pthread_mutex_lock(&p->lock);
	shut_lines(p);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (p->lines[i].used)
			pthread_join(p->lines[i].thread, NULL);
	close(p->listener);
	close(p->stop);
	close(p->flush);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p);
}
