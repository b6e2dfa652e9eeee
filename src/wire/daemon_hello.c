#include "wire/daemon_hello.h"

#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/sock.h"
#include "wire/envelope.h"

#include <string.h>
#include <unistd.h>

static int write_line(int fd, struct call c, const json_t *j, struct error *e)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_DAEMON_HELLO);
	if (!jx_dump(j, false, &b) || !buf_addc(&b, '\n'))
		return error_set(e, ERR_LIMIT_EXCEEDED, "hello line over %d bytes", LIM_DAEMON_HELLO);
	return sock_write(fd, b.data, b.len, c, e);
}

static int gone(struct error *e)
{
	error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon closed the connection");
	return error_reason(e, "gone");
}

/* One line, parsed. The peer speaks only when spoken to, so nothing is read beyond the line. */
static int read_object(int fd, struct call c, json_t **ret, struct error *e)
{
	struct line_reader lr;
	char *line;
	size_t len;
	line_reader_init(&lr, fd, LIM_DAEMON_HELLO);
	int r = line_reader_next(&lr, c, &line, &len, e);
	if (r == 0 || r == -ERR_IO_ERROR) {
		r = gone(e);
	} else if (r == -ERR_TIMEOUT) {
		error_set(e, ERR_DAEMON_UNAVAILABLE, "the daemon accepts connections and does not answer");
		r = error_reason(e, "unresponsive");
	} else if (r > 0) {
		*ret = jx_parse(line, len, e);
		r = *ret ? 0 : -ERR_INVALID_ARGS;
	}
	line_reader_done(&lr);
	return r;
}

static void copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);
	memcpy(to, from, n);
	to[n] = 0;
}

static int parse_peer(const json_t *j, struct wire_peer *ret)
{
	struct wire_hello h;
	if (wire_hello_parse(j, &h, NULL) < 0)
		return -ERR_DAEMON_VERSION_MISMATCH;
	ret->pid = h.pid;
	ret->ok = h.ok;
	copy(ret->version, sizeof(ret->version), h.version);
	copy(ret->build, sizeof(ret->build), h.build);
	return 0;
}

int wire_hello_exchange(int fd, struct call c, const char *version, const char *build,
                        struct wire_peer *ret, struct error *e)
{
	struct call limited = call_limit(c, LIM_DAEMON_HELLO_MS);
	auto_json json_t *hello = wire_hello_make(version, build, 0, true);
	auto_json json_t *answer = NULL;
	if (sock_peer_uid(fd) != geteuid())
		return error_set(e, ERR_UNAUTHORIZED, "the daemon's socket is served by another user");
	int r = write_line(fd, limited, hello, e);
	if (r < 0 && r != -ERR_IO_ERROR)
		return r;
	/* who closes at once may have said why before */
	r = read_object(fd, limited, &answer, e);
	if (r == 0 && json_object_get(answer, "error")) /* not let in, and told why */
		return error_from_json(e, json_object_get(answer, "error"));
	if (r == 0)
		r = parse_peer(answer, ret);
	if (r == -ERR_INVALID_ARGS || r == -ERR_DAEMON_VERSION_MISMATCH)
		return error_set(e, ERR_DAEMON_VERSION_MISMATCH,
		                 "what listens on the daemon's socket does not speak protocol %d",
		                 WIRE_DAEMON_PROTOCOL);
	return r;
}

int wire_retire(int fd, struct call c, bool force, struct error *e)
{
	auto_json json_t *ask = json_pack("{s:s,s:b}", "type", "retire", "force", (int)force);
	auto_json json_t *answer = NULL;
	int r = write_line(fd, c, ask, e);
	if (r == 0)
		r = read_object(fd, call_limit(c, LIM_DAEMON_HELLO_MS), &answer, e);
	if (r < 0)
		return r;
	if (jx_get_bool(answer, "ok", false))
		return 0;
	json_t *sessions = json_object_get(answer, "sessions");
	error_set(e, ERR_SESSION_BUSY, "the daemon has %zu open session(s) and %lld running request(s)",
	          json_array_size(sessions), (long long)jx_get_int(answer, "requests", 0));
	return error_detail(e, "sessions", sessions ? json_incref(sessions) : json_array());
}
