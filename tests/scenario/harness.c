#include "harness.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "daemon/files.h"
#include "daemon/job.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct harness {
	struct dm_daemon daemon;
	char *dir;
	unsigned serial;
	char error[64];
};

struct harness_job {
	struct harness *harness;
	struct dm_sink sink;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned progress;
	json_t *response;
	struct dm_job *job; /* NULL: refused at birth */
	char id[32];
};

static void die(const char *what, const struct error *e)
{
	fprintf(stderr, "harness: %s: %s\n", what, e && e->message ? e->message : "");
	abort();
}

struct harness *harness_new(const struct dm_options *options)
{
	struct dm_options o = options ? *options : (struct dm_options){ .state_dir = NULL };
	struct harness *h = calloc(1, sizeof(*h));
	auto_error struct error e = ERROR_INIT;
	const char *tmp = getenv("TMPDIR");
	h->dir = fs_join(tmp && *tmp ? tmp : "/tmp", "deft-harness-XXXXXX");
	if (!mkdtemp(h->dir))
		die("mkdtemp", NULL);
	o.state_dir = h->dir;
	if (dm_daemon_init(&h->daemon, &o, &e) < 0)
		die("daemon", &e);
	return h;
}

static void remove_all(const char *dir)
{
	auto_free char *sessions = fs_join(dir, "sessions");
	dm_remove_dir(sessions);
	dm_remove_dir(dir);
}

void harness_free(struct harness *h)
{
	dm_daemon_done(&h->daemon);
	remove_all(h->dir);
	free(h->dir);
	free(h);
}

const char *harness_dir(const struct harness *h)
{
	return h->dir;
}

struct dm_daemon *harness_daemon(struct harness *h)
{
	return &h->daemon;
}

/* --- requests --------------------------------------------------------------------------------- */

static void receive(void *ctx, json_t *line_stolen)
{
	struct harness_job *j = ctx;
	pthread_mutex_lock(&j->lock);
	if (strcmp(jx_get_str(line_stolen, "type", ""), "progress") == 0) {
		j->progress++;
		json_decref(line_stolen);
	} else if (j->response) {
		die("a second response", NULL);
	} else {
		j->response = line_stolen;
	}
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

/* The request as the text of a line, so that parsing is part of what is tested. */
static char *request_line(struct harness *h, const struct harness_call *c, const char *id)
{
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *line = json_object();
	json_t *meta = json_object();
	json_t *args = c->args ? jx_parse(c->args, strlen(c->args), &e) : json_object();
	if (!args)
		die(c->args, &e);
	jx_set_str(line, "type", "request");
	jx_set_str(line, "id", id);
	jx_set_str(line, "command", c->command);
	jx_set(line, "args", args);
	jx_set_str(line, "session", c->session);
	jx_set_str(meta, "cwd", c->cwd ? c->cwd : h->dir);
	jx_set_str(meta, "output", c->output ? c->output : "json");
	jx_set_str(meta, "platform", c->platform);
	jx_set_str(meta, "device", c->device);
	jx_set_bool(meta, "debug", c->debug);
	if (c->no_data)
		jx_set_bool(meta, "data", false);
	if (c->deadline_ms > 0)
		jx_set_int(meta, "deadlineMs", c->deadline_ms);
	jx_set(line, "meta", meta);
	return json_dumps(line, JSON_COMPACT);
}

static struct harness_job *job_new(struct harness *h, const struct harness_call *c)
{
	auto_error struct error e = ERROR_INIT;
	struct wire_call call;
	struct harness_job *j = calloc(1, sizeof(*j));
	j->harness = h;
	j->sink = (struct dm_sink){ receive, j };
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->changed, NULL);
	snprintf(j->id, sizeof(j->id), "h%u", ++h->serial);
	auto_free char *line = request_line(h, c, j->id);
	if (wire_call_parse(line, strlen(line), &call, &e) < 0 ||
	    dm_job_new(&h->daemon, &call, &j->sink, &j->job, &e) < 0)
		receive(j, wire_response_error(j->id, &e));
	return j;
}

static void run_job(struct harness_job *j)
{
	if (!j->job)
		return;
	dm_job_run(j->job);
	dm_job_free(j->job);
}

static json_t *job_free(struct harness_job *j)
{
	json_t *response = j->response;
	if (!response)
		die("no response", NULL);
	pthread_cond_destroy(&j->changed);
	pthread_mutex_destroy(&j->lock);
	free(j);
	return response;
}

json_t *harness_call(struct harness *h, const struct harness_call *c)
{
	struct harness_job *j = job_new(h, c);
	run_job(j);
	return job_free(j);
}

json_t *harness_run(struct harness *h, const char *command, const char *args)
{
	return harness_call(h, &(struct harness_call){ .command = command, .args = args });
}

json_t *harness_ok(struct harness *h, const char *command, const char *args)
{
	auto_json json_t *response = harness_run(h, command, args);
	if (!jx_get_bool(response, "ok", false)) {
		auto_free char *text = json_dumps(response, JSON_INDENT(2));
		fprintf(stderr, "%s %s failed: %s\n", command, args ? args : "", text);
		abort();
	}
	return json_incref(json_object_get(response, "data"));
}

const char *harness_error(struct harness *h, const char *command, const char *args)
{
	auto_json json_t *response = harness_run(h, command, args);
	snprintf(h->error, sizeof(h->error), "%s",
	         jx_get_str(json_object_get(response, "error"), "code", ""));
	return h->error;
}

/* --- on another thread ------------------------------------------------------------------------ */

static void *thread_main(void *arg)
{
	run_job(arg);
	return NULL;
}

struct harness_job *harness_start(struct harness *h, const struct harness_call *c)
{
	struct harness_job *j = job_new(h, c);
	if (pthread_create(&j->thread, NULL, thread_main, j) != 0)
		die("pthread_create", NULL);
	return j;
}

void harness_wait_progress(struct harness_job *j, unsigned n)
{
	pthread_mutex_lock(&j->lock);
	while (j->progress < n && !j->response)
		pthread_cond_wait(&j->changed, &j->lock);
	pthread_mutex_unlock(&j->lock);
}

void harness_cancel(struct harness_job *j)
{
	dm_cancel(&j->harness->daemon, &j->sink, j->id);
}

json_t *harness_finish(struct harness_job *j)
{
	pthread_join(j->thread, NULL);
	return job_free(j);
}

/* --- files ------------------------------------------------------------------------------------ */

json_t *harness_events(struct harness *h, const char *session_key)
{
	auto_free char *session = session_key ? dm_session_dir(&h->daemon, session_key) : NULL;
	auto_free char *path = fs_join(session ? session : h->dir, "events.ndjson");
	auto_buf struct buf text;
	json_t *list = json_array();
	buf_init(&text, 1 << 20);
	if (fs_read(path, text.max, &text, NULL) < 0)
		return list;
	for (char *at = text.data, *end; (end = strchr(at, '\n')); at = end + 1) {
		json_t *event = jx_parse(at, (size_t)(end - at), NULL);
		if (!event)
			die("an event line is no JSON", NULL);
		json_array_append_new(list, event);
	}
	return list;
}
