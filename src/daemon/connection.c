/* One client's connection: hello, then requests, cancellations and retirement, line by line. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/sock.h"
#include "daemon/cond.h"
#include "daemon/job.h"
#include "daemon/server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct conn {
	struct dm_server *server;
	struct dm_sink sink;
	int fd;
	pthread_mutex_t write_lock; /* one line at a time */
	bool broken;                /* guarded by it: the peer stopped reading or went away */
	bool greeted, same_build;
	char build[64], version[64]; /* the client's */
};

/* --- writing ---------------------------------------------------------------------------------- */

static void write_line(struct conn *c, const struct buf *line)
{
	struct call limit = { deadline_in(LIM_DAEMON_WRITE_MS), NULL };
	pthread_mutex_lock(&c->write_lock);
	if (!c->broken && sock_write(c->fd, line->data, line->len, limit, NULL) < 0) {
		c->broken = true; /* half a line may be out: nothing can follow it */
		shutdown(c->fd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&c->write_lock);
}

static json_t *too_long(const json_t *line)
{
	auto_error struct error e = ERROR_INIT;
	error_set(&e, ERR_LIMIT_EXCEEDED, "the answer is over %u bytes", LIM_ENVELOPE_LINE);
	error_hint(&e, "ask for less: `snapshot -i`, -d or -s");
	return wire_response_error(jx_get_str(line, "id", NULL), &e);
}

static void send_line(void *ctx, json_t *line_stolen)
{
	auto_json json_t *line = line_stolen;
	auto_buf struct buf text;
	buf_init(&text, LIM_ENVELOPE_LINE);
	if (!jx_dump(line, false, &text) || !buf_addc(&text, '\n')) {
		auto_json json_t *error = too_long(line);
		buf_reset(&text);
		jx_dump(error, false, &text);
		buf_addc(&text, '\n');
	}
	write_line(ctx, &text);
}

static void send_error(struct conn *c, const char *id, const struct error *e)
{
	send_line(c, wire_response_error(id, e));
}

/* --- lines ------------------------------------------------------------------------------------ */

static void copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);
	memcpy(to, from, n);
	to[n] = '\0';
}

static void greet(struct conn *c, const json_t *line)
{
	auto_error struct error e = ERROR_INIT;
	const struct dm_daemon *d = c->server->daemon;
	struct wire_hello h;
	if (wire_hello_parse(line, &h, &e) < 0) {
		send_error(c, NULL, &e);
		return;
	}
	copy(c->version, sizeof(c->version), h.version);
	copy(c->build, sizeof(c->build), h.build);
	c->greeted = true;
	c->same_build = h.protocol == WIRE_DAEMON_PROTOCOL && strcmp(h.version, d->version) == 0 &&
	                strcmp(h.build, d->build) == 0;
	send_line(c, wire_hello_make(d->version, d->build, getpid(), c->same_build));
}

static void retire(struct conn *c, const json_t *line)
{
	auto_error struct error e = ERROR_INIT;
	int r = dm_retire(c->server->daemon, jx_get_bool(line, "force", false), NULL, NULL, &e);
	json_t *answer = r < 0 && e.details ? json_copy(e.details) : json_object();
	jx_set_str(answer, "type", "retired");
	jx_set_bool(answer, "ok", r == 0);
	send_line(c, answer);
}

static int refuse_stranger(const struct conn *c, struct error *e)
{
	const struct dm_daemon *d = c->server->daemon;
	if (!c->greeted) {
		error_set(e, ERR_INVALID_ARGS, "the first line of a connection is a hello");
		return error_hint(e, "see \"Handshake\" in docs/daemon.md");
	}
	if (c->same_build)
		return 0;
	error_set(
	    e, ERR_DAEMON_VERSION_MISMATCH,
	    "the daemon is deft %s build %s, the client is deft %s build %s; nothing was executed",
	    d->version, d->build, c->version, c->build);
	error_detail_str(e, "daemonBuild", d->build);
	return error_detail_str(e, "clientBuild", c->build);
}

static void job_task(void *arg)
{
	struct dm_job *j = arg;
	dm_job_run(j);
	dm_job_free(j);
}

static void start_request(struct conn *c, struct wire_call *call)
{
	auto_error struct error e = ERROR_INIT;
	auto_free char *id = strdup(call->id);
	struct dm_job *job = NULL;
	int r = refuse_stranger(c, &e);
	if (r < 0)
		wire_call_done(call);
	else
		r = dm_job_new(c->server->daemon, call, &c->sink, &job, &e);
	if (r == 0 && !dm_pool_run(&c->server->pool, job_task, job)) {
		r = error_set(&e, ERR_LIMIT_EXCEEDED, "no thread is left for the request");
		dm_job_free(job);
	}
	if (r < 0)
		send_error(c, id, &e);
}

static void handle_line(struct conn *c, const char *line, size_t len)
{
	auto_error struct error e = ERROR_INIT;
	struct wire_call call;
	if (strspn(line, " \t") == len)
		return;
	if (wire_call_parse(line, len, &call, &e) == 0) {
		if (call.is_cancel)
			dm_cancel(c->server->daemon, &c->sink, call.id);
		if (call.is_cancel)
			wire_call_done(&call);
		else
			start_request(c, &call);
		return;
	}
	auto_json json_t *other = jx_parse(line, len, NULL);
	const char *type = jx_get_str(other, "type", "");
	if (strcmp(type, "hello") == 0)
		greet(c, other);
	else if (strcmp(type, "retire") == 0 && c->greeted)
		retire(c, other);
	else
		send_error(c, jx_get_str(other, "id", NULL), &e);
}

/* --- the connection --------------------------------------------------------------------------- */

static void read_lines(struct conn *c)
{
	struct dm_daemon *d = c->server->daemon;
	struct line_reader lines;
	auto_error struct error e = ERROR_INIT;
	char *line;
	size_t len;
	int r;
	line_reader_init(&lines, c->fd, LIM_ENVELOPE_LINE);
	do {
		struct call wait = { DEADLINE_NEVER, &d->stop };
		if (!c->greeted)
			wait.deadline = deadline_in(LIM_DAEMON_HELLO_MS);
		r = line_reader_next(&lines, wait, &line, &len, &e);
		if (r > 0)
			handle_line(c, line, len);
	} while (r > 0);
	if (r == -ERR_LIMIT_EXCEEDED)
		send_error(c, NULL, &e);
	line_reader_done(&lines);
}

/* The client is gone: nobody waits for what still runs. */
static void end_requests(struct conn *c)
{
	struct dm_daemon *d = c->server->daemon;
	dm_cancel(d, &c->sink, NULL);
	pthread_mutex_lock(&d->lock);
	while (dm_jobs_of(d, &c->sink) > 0)
		dm_cond_wait(&d->changed, &d->lock, INT64_MAX);
	pthread_mutex_unlock(&d->lock);
}

static void leave(struct dm_daemon *d)
{
	pthread_mutex_lock(&d->lock);
	d->connections--;
	d->used_ms = clock_now_ms();
	pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
}

static void conn_free(struct conn *c)
{
	close(c->fd);
	pthread_mutex_destroy(&c->write_lock);
	free(c);
}

static void conn_task(void *arg)
{
	struct conn *c = arg;
	struct dm_daemon *d = c->server->daemon;
	read_lines(c);
	end_requests(c);
	conn_free(c);
	leave(d);
}

/* The words for a client that is not let in. */
static int admit(struct dm_daemon *d, int fd, struct error *e)
{
	int r = 0;
	if (sock_peer_uid(fd) != geteuid())
		return error_set(e, ERR_UNAUTHORIZED, "this daemon serves user %ld only", (long)geteuid());
	pthread_mutex_lock(&d->lock);
	if (d->connections >= LIM_DAEMON_CONNECTIONS)
		r = error_set(e, ERR_LIMIT_EXCEEDED, "%d clients are connected already",
		              LIM_DAEMON_CONNECTIONS);
	else
		d->connections++;
	pthread_mutex_unlock(&d->lock);
	return r;
}

void dm_connection_start(struct dm_server *s, int fd)
{
	auto_error struct error e = ERROR_INIT;
	struct conn *c = calloc(1, sizeof(*c));
	if (!c) {
		close(fd);
		return;
	}
	*c = (struct conn){ .server = s, .fd = fd, .sink = { send_line, c } };
	pthread_mutex_init(&c->write_lock, NULL);
	if (admit(s->daemon, fd, &e) < 0) {
		send_error(c, NULL, &e);
		conn_free(c);
	} else if (!dm_pool_run(&s->pool, conn_task, c)) {
		conn_free(c);
		leave(s->daemon);
	}
}
