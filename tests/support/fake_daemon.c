#include "support/fake_daemon.h"

#include "base/build.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/sock.h"
#include "wire/envelope.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct fake_daemon {
	pthread_t thread;
	struct cancel stop;
	int listener;
	const char *build;
	fake_handler *handle;
	atomic_int connections;
};

void fake_send(int fd, const char *text)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_ENVELOPE_LINE);
	buf_adds(&b, text);
	buf_addc(&b, '\n');
	sock_write(fd, b.data, b.len, CALL_FOREVER, NULL);
}

static void send_json(int fd, json_t *stolen)
{
	auto_json json_t *j = stolen;
	auto_buf struct buf b;
	buf_init(&b, LIM_ENVELOPE_LINE);
	jx_dump(j, false, &b);
	fake_send(fd, b.data);
}

void fake_answer(int fd, const json_t *request, json_t *data_stolen, const char *text)
{
	json_t *response = wire_response_ok(jx_get_str(request, "id", ""), data_stolen);
	jx_set_str(response, "text", text);
	send_json(fd, response);
}

static bool take(struct fake_daemon *d, int fd, const json_t *line)
{
	if (strcmp(jx_get_str(line, "type", ""), "hello") != 0)
		return d->handle(d, fd, line);
	bool same = strcmp(jx_get_str(line, "build", ""), d->build) == 0;
	send_json(fd, wire_hello_make(build_version(), d->build, getpid(), same));
	return true;
}

static void serve(struct fake_daemon *d, int fd)
{
	struct line_reader lr;
	char *text;
	size_t len;
	bool go_on = true;
	line_reader_init(&lr, fd, LIM_ENVELOPE_LINE);
	while (go_on && line_reader_next(&lr, (struct call){ DEADLINE_NEVER, &d->stop }, &text, &len,
	                                 NULL) == 1) {
		auto_json json_t *line = jx_parse(text, len, NULL);
		go_on = line && take(d, fd, line);
	}
	line_reader_done(&lr);
}

static void *run(void *arg)
{
	struct fake_daemon *d = arg;
	for (;;) {
		auto_close int fd =
		    sock_accept(d->listener, (struct call){ DEADLINE_NEVER, &d->stop }, NULL);
		if (fd < 0)
			return NULL;
		atomic_fetch_add(&d->connections, 1);
		serve(d, fd);
	}
}

struct fake_daemon *fake_daemon_start(const char *state_dir, const char *build, fake_handler *h)
{
	auto_free char *path = fs_join(state_dir, "daemon.sock");
	struct fake_daemon *d = calloc(1, sizeof(*d));
	d->build = build ? build : build_id();
	d->handle = h;
	d->listener = sock_listen_unix(path, NULL);
	if (d->listener < 0 || cancel_init(&d->stop, NULL) < 0 ||
	    pthread_create(&d->thread, NULL, run, d) != 0)
		abort();
	return d;
}

void fake_daemon_stop(struct fake_daemon *d)
{
	cancel_fire(&d->stop);
	pthread_join(d->thread, NULL);
	cancel_done(&d->stop);
	close(d->listener);
	free(d);
}

int fake_daemon_connections(struct fake_daemon *d)
{
	return atomic_load(&d->connections);
}
