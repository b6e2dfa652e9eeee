/* Many calls in flight at once, over the bus and direct connections together.
 *
 * How long to wait is decided here and not by sd-bus: with hundreds of calls queued at a program,
 * an old call says nothing about it as long as it answers others. A program is silent when it has
 * answered nothing for the patience of its oldest call; one object is silent when the program has
 * answered calls that were sent later, and this one not. To tell the two apart, a program that says
 * nothing for half the time is asked for the role of its root object. */
#include "backend/atspi/bus.h"

#include <errno.h>
#include <poll.h>

struct bus_job {
	struct bus_job *next, *prev;
	struct bus_pipe *pipe;
	struct bus_conn *conn;
	struct atspi_peer *peer;
	sd_bus_slot *slot;
	bus_answer_fn *fn; /* NULL: a probe */
	void *ctx;
	uint32_t tag;
	uint64_t serial;
	int64_t sent_ms, patience_ms;
	bool probed;
};

void bus_pipe_init(struct bus_pipe *p, struct atspi_bus *b, struct call c)
{
	*p = (struct bus_pipe){ .bus = b, .call = c };
}

/* Takes a job out of the run; answers that come later are dropped by sd-bus. */
static void job_end(struct bus_job *j)
{
	struct bus_pipe *p = j->pipe;

	*(j->prev ? &j->prev->next : &p->first) = j->next;
	*(j->next ? &j->next->prev : &p->last) = j->prev;
	j->conn->in_flight--;
	sd_bus_slot_unref(j->slot);
	j->slot = NULL;
	j->next = p->bus->free_jobs;
	p->bus->free_jobs = j;
}

static void job_finish(struct bus_job *j, enum bus_outcome outcome, sd_bus_message *m)
{
	bus_answer_fn *fn = j->fn;
	void *ctx = j->ctx;
	uint32_t tag = j->tag;

	job_end(j);
	if (fn)
		fn(ctx, tag, outcome, m);
}

void bus_pipe_done(struct bus_pipe *p)
{
	while (p->first)
		job_end(p->first);
}

/* What an error reply means. */
static enum bus_outcome classify(struct atspi_peer *peer, const sd_bus_error *se)
{
	static const char *const peer_gone[] = {
		SD_BUS_ERROR_SERVICE_UNKNOWN,
		SD_BUS_ERROR_NAME_HAS_NO_OWNER,
		SD_BUS_ERROR_DISCONNECTED,
		SD_BUS_ERROR_NO_REPLY,
	};

	for (size_t i = 0; i < ARRAY_SIZE(peer_gone); i++) {
		if (sd_bus_error_has_name(se, peer_gone[i])) {
			peer->gone = true;
			return BUS_GONE;
		}
	}
	if (sd_bus_error_has_name(se, SD_BUS_ERROR_UNKNOWN_OBJECT))
		return BUS_GONE;
	/* GTK 4 says it this way, in words. */
	if (sd_bus_error_has_name(se, SD_BUS_ERROR_UNKNOWN_METHOD) && se->message &&
	    strstr(se->message, "does not exist at path"))
		return BUS_GONE;
	return BUS_REFUSED;
}

static int on_reply(sd_bus_message *m, void *data, sd_bus_error *ret_error)
{
	struct bus_job *j = data;
	struct atspi_peer *peer = j->peer;
	enum bus_outcome outcome = BUS_OK;

	if (sd_bus_message_is_method_error(m, NULL))
		outcome = classify(peer, sd_bus_message_get_error(m));
	if (!peer->gone) {
		peer->heard_ms = clock_now_ms();
		if (j->serial > peer->heard_serial)
			peer->heard_serial = j->serial;
	}
	job_finish(j, outcome, m);
	return 0;
}

/* Connection lost: whatever waits for it will not be answered. */
static void conn_fail(struct bus_pipe *p, struct bus_conn *conn)
{
	conn->lost = true;
	for (struct bus_job *next, *j = p->first; j; j = next) {
		next = j->next;
		if (j->conn == conn)
			job_finish(j, BUS_GONE, NULL);
	}
}

static void conn_process(struct bus_pipe *p, struct bus_conn *conn)
{
	int r;

	if (conn->lost)
		return;
	while ((r = sd_bus_process(conn->bus, NULL)) > 0)
		;
	if (r < 0)
		conn_fail(p, conn);
}

static struct bus_job *job_new(struct atspi_bus *b)
{
	struct bus_job *j = b->free_jobs;

	if (!j)
		return calloc(1, sizeof(*j));
	b->free_jobs = j->next;
	*j = (struct bus_job){ NULL };
	return j;
}

struct bus_job *bus_job_free(struct bus_job *j)
{
	struct bus_job *next = j->next;

	free(j);
	return next;
}

static struct bus_conn *conn_of(struct atspi_bus *b, struct atspi_peer *peer)
{
	return peer->direct && !peer->direct->lost ? peer->direct : &b->main;
}

/* Puts a message on its way, without waiting for room. Takes m. */
static void job_start(struct bus_pipe *p, struct atspi_peer *peer, sd_bus_message *m,
                      struct bus_job want)
{
	struct bus_job *j = m ? job_new(p->bus) : NULL;
	int r = -1;

	if (j) {
		*j = want;
		j->pipe = p;
		j->peer = peer;
		j->conn = conn_of(p->bus, peer);
		j->serial = ++p->bus->serial;
		j->sent_ms = clock_now_ms();
		j->conn->in_flight++;
		j->prev = p->last;
		*(p->last ? &p->last->next : &p->first) = j;
		p->last = j;
		r = sd_bus_call_async(j->conn->bus, &j->slot, m, on_reply, j, UINT64_MAX);
		if (r < 0)
			job_finish(j, BUS_GONE, NULL);
	} else if (want.fn) {
		want.fn(want.ctx, want.tag, BUS_GONE, NULL);
	}
	sd_bus_message_unref(m);
}

static void probe(struct bus_pipe *p, struct bus_job *j)
{
	struct bus_target t = { j->peer, j->peer->root[0] ? j->peer->root : ATSPI_ROOT,
		                    ATSPI_I_ACCESSIBLE, "GetRole" };

	j->probed = true;
	if (j->peer != &p->bus->daemon)
		job_start(p, j->peer, bus_message(p->bus, t), (struct bus_job){ .probed = true });
}

static void peer_silent(struct bus_pipe *p, struct atspi_peer *peer)
{
	peer->silent = true;
	for (struct bus_job *next, *j = p->first; j; j = next) {
		next = j->next;
		if (j->peer == peer)
			job_finish(j, BUS_NO_ANSWER, NULL);
	}
}

/* Looks for what will not be answered any more; *ret_ms: when to look again. One job may be
 * finished a call, since finishing changes the list: returns true then. */
static bool sweep(struct bus_pipe *p, int64_t *ret_ms)
{
	int64_t now = clock_now_ms(), again = INT64_MAX;

	for (struct bus_job *j = p->first; j; j = j->next) {
		int64_t patience = j->patience_ms > 0 ? j->patience_ms : LIM_ATSPI_CALL_MS;
		int64_t since = j->peer->heard_ms > j->sent_ms ? j->peer->heard_ms : j->sent_ms;
		bool overtaken = j->peer->heard_serial > j->serial;
		int64_t end = overtaken ? j->sent_ms + patience : since + patience;

		if (!j->probed && now >= j->sent_ms + LIM_ATSPI_CALL_MS / 2) {
			probe(p, j);
			return true;
		}
		if (now >= end && overtaken) {
			job_finish(j, BUS_NO_ANSWER, NULL);
			return true;
		}
		if (now >= end && j->fn) {
			peer_silent(p, j->peer);
			return true;
		}
		if (now >= end)
			end = now + LIM_ATSPI_CALL_MS; /* a probe: its job decides */
		if (!j->probed && j->sent_ms + LIM_ATSPI_CALL_MS / 2 < end)
			end = j->sent_ms + LIM_ATSPI_CALL_MS / 2;
		if (end < again)
			again = end;
	}
	*ret_ms = again;
	return false;
}

static unsigned collect_conns(struct bus_pipe *p, struct bus_conn **conns, unsigned max)
{
	unsigned n = 0;

	for (struct bus_job *j = p->first; j; j = j->next) {
		bool known = false;

		for (unsigned i = 0; i < n; i++)
			known = known || conns[i] == j->conn;
		if (!known && n < max)
			conns[n++] = j->conn;
	}
	return n;
}

enum { MAX_CONNS = LIM_ATSPI_PEERS + 1 };

static int wait_for_input(struct bus_pipe *p, struct bus_conn **conns, unsigned n, int64_t until,
                          struct error *e)
{
	struct pollfd fds[MAX_CONNS + 1];
	struct deadline end = deadline_min(p->call.deadline, (struct deadline){ until });
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++) {
		int events = conns[i]->lost ? -1 : sd_bus_get_events(conns[i]->bus);

		if (events >= 0)
			fds[count++] = (struct pollfd){ sd_bus_get_fd(conns[i]->bus), (short)events, 0 };
	}
	if (p->call.cancel)
		fds[count++] = (struct pollfd){ p->call.cancel->fd, POLLIN, 0 };
	if (poll(fds, count, deadline_poll_ms(end)) < 0 && errno != EINTR)
		return error_set(e, ERR_IO_ERROR, "can't wait for the accessibility bus: %m");
	return 0;
}

static bool have_room(const struct bus_conn *conn)
{
	return conn ? conn->in_flight < LIM_ATSPI_PIPELINE : false;
}

/* Runs until `conn` has room, or with NULL until nothing is in flight. */
static int pipe_run(struct bus_pipe *p, struct bus_conn *conn, struct error *e)
{
	struct bus_conn *conns[MAX_CONNS];

	for (;;) {
		unsigned n = collect_conns(p, conns, MAX_CONNS);
		int64_t until;
		int r;

		for (unsigned i = 0; i < n; i++)
			conn_process(p, conns[i]);
		if (p->bus->main.lost)
			return error_set(e, ERR_DEVICE_UNAVAILABLE, "the accessibility bus has gone away");
		if (!p->first || have_room(conn))
			return 0;
		r = call_check(p->call, "reading the accessibility bus", e);
		if (r < 0)
			return r;
		if (sweep(p, &until))
			continue;
		r = wait_for_input(p, conns, n, until, e);
		if (r < 0)
			return r;
	}
}

int bus_pipe_wait(struct bus_pipe *p, struct error *e)
{
	return pipe_run(p, NULL, e);
}

sd_bus_message *bus_message(struct atspi_bus *b, struct bus_target t)
{
	struct bus_conn *conn = conn_of(b, t.peer);
	sd_bus_message *m = NULL;

	if (conn->lost)
		return NULL;
	if (sd_bus_message_new_method_call(conn->bus, &m, conn == &b->main ? t.peer->bus : NULL, t.path,
	                                   t.iface, t.member) < 0)
		return NULL;
	return m;
}

int bus_pipe_send(struct bus_pipe *p, struct atspi_peer *peer, sd_bus_message *m,
                  int64_t patience_ms, bus_answer_fn *fn, void *ctx, uint32_t tag, struct error *e)
{
	struct bus_job want = { .fn = fn, .ctx = ctx, .tag = tag, .patience_ms = patience_ms };
	struct bus_conn *conn = conn_of(p->bus, peer);
	int r = have_room(conn) ? 0 : pipe_run(p, conn, e);

	if (r < 0 || p->bus->main.lost || peer->gone || peer->silent) {
		sd_bus_message_unref(m);
		if (r < 0)
			return r;
		if (p->bus->main.lost)
			return error_set(e, ERR_DEVICE_UNAVAILABLE, "the accessibility bus has gone away");
		fn(ctx, tag, peer->gone ? BUS_GONE : BUS_NO_ANSWER, NULL);
		return 0;
	}
	job_start(p, peer, m, want);
	return 0;
}

int bus_pipe_call(struct bus_pipe *p, struct bus_target t, int64_t patience_ms, bus_answer_fn *fn,
                  void *ctx, uint32_t tag, struct error *e, const char *types, ...)
{
	sd_bus_message *m = bus_message(p->bus, t);
	va_list ap;

	if (m && types) {
		va_start(ap, types);
		if (sd_bus_message_appendv(m, types, ap) < 0)
			m = sd_bus_message_unref(m);
		va_end(ap);
	}
	return bus_pipe_send(p, t.peer, m, patience_ms, fn, ctx, tag, e);
}
