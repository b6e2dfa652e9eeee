#include "client/http_provider.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/sock.h"
#include "client/http_exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct http_provider {
	char **argv, **env;
	char *log_path; /* NULL: the runner's log is thrown away */
};

/* One started runner. */
struct running {
	struct proc proc;
	struct http_link *link;
};

/* --- copies of lists ------------------------------------------------------------------------------ */

static size_t list_length(const char *const *list)
{
	size_t n = 0;
	while (list && list[n])
		n++;
	return n;
}

static void list_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* A copy with room for `more` further entries; NULL when memory ran out. */
static char **list_copy(const char *const *list, size_t more)
{
	size_t n = list_length(list);
	char **copy = calloc(n + more + 1, sizeof *copy);
	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = strdup(list[i]);
		if (!copy[i]) {
			list_free(copy);
			return NULL;
		}
	}
	return copy;
}

static bool is_ours(const char *entry)
{
	static const char *const names[] = { "DEFT_RUNNER_PORT=", "DEFT_RUNNER_TOKEN=" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(entry, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* The caller's environment with this runner's token; any port, so that none can be taken already. */
static char **runner_env(const struct http_provider *p, const char *token)
{
	char **env = list_copy((const char *const *)p->env, 2);
	size_t n = 0;
	for (size_t i = 0; env && env[i]; i++) {
		char *entry = TAKE(env[i]);
		if (is_ours(entry))
			free(entry);
		else
			env[n++] = entry;
	}
	struct buf line;
	buf_init(&line, 128);
	for (int i = 0; env && i < 2; i++) {
		buf_addf(&line, i ? "DEFT_RUNNER_TOKEN=%s" : "DEFT_RUNNER_PORT=0", token);
		env[n++] = buf_detach(&line);
	}
	return env;
}

static void make_token(char out[65])
{
	unsigned char r[32];
	while (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
		continue;
	for (size_t i = 0; i < sizeof r; i++)
		snprintf(out + 2 * i, 3, "%02x", r[i]);
}

/* --- start ---------------------------------------------------------------------------------------- */

/* A log that has grown too large becomes NAME.1. */
static void rotate_log(const char *path)
{
	struct stat st;
	if (!path || stat(path, &st) < 0 || st.st_size < (off_t)LIM_LOG_FILE)
		return;
	struct buf auto_buf old;
	buf_init(&old, LIM_PATH);
	if (buf_addf(&old, "%s.1", path))
		rename(path, old.data);
}

static off_t log_size(const char *path)
{
	struct stat st;
	return path && stat(path, &st) == 0 ? st.st_size : 0;
}

/* What the runner wrote since it was started, its end at most. */
static void add_log_tail(struct error *e, const char *path, off_t from)
{
	int auto_close fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	error_detail_str(e, "log", path);
	char text[LIM_RUNNER_LOG_TAIL + 1];
	off_t end = lseek(fd, 0, SEEK_END);
	off_t at = end - from > LIM_RUNNER_LOG_TAIL ? end - LIM_RUNNER_LOG_TAIL : from;
	ssize_t n = pread(fd, text, LIM_RUNNER_LOG_TAIL, at);
	if (n <= 0)
		return;
	text[n] = '\0';
	error_detail_str(e, "logTail", text);
}

static int early_exit(struct proc *p, struct call c, const char *program, struct error *e)
{
	int status = -1;
	if (proc_wait(p, call_limit(c, LIM_RUNNER_KILL_MS), &status, NULL) < 0)
		return error_set(e, ERR_RUNNER_UNAVAILABLE, "%s closed its output before it was ready",
		                 program);
	error_set(e, ERR_RUNNER_UNAVAILABLE, "%s ended before it was ready (exit status %d)", program,
	          status);
	error_detail_int(e, "exitStatus", status);
	return error_reason(e, "early_exit");
}

/* Reads the announcement: the port, then READY. */
static int await_ready(struct proc *p, struct call c, const char *program, uint16_t *ret_port,
                       struct error *e)
{
	static const char port_key[] = "DEFT_RUNNER_PORT=", ready[] = "DEFT_RUNNER_READY";
	struct line_reader reader;
	line_reader_init(&reader, p->out, LIM_ERROR_TEXT);
	unsigned long port = 0;
	int r;
	do {
		char *line;
		size_t len;
		r = line_reader_next(&reader, c, &line, &len, e);
		if (r == 1 && strncmp(line, port_key, sizeof port_key - 1) == 0)
			port = strtoul(line + sizeof port_key - 1, NULL, 10);
		if (r == 1 && strcmp(line, ready) == 0)
			break;
	} while (r == 1);
	line_reader_done(&reader);
	if (r == 0)
		return early_exit(p, c, program, e);
	if (r == -ERR_TIMEOUT) {
		error_set(e, ERR_RUNNER_UNAVAILABLE, "%s was not ready in time", program);
		return error_reason(e, "start_timeout");
	}
	if (r == 1 && (port == 0 || port > UINT16_MAX))
		return error_set(e, ERR_RUNNER_UNAVAILABLE, "%s announced no port", program);
	if (r == 1)
		*ret_port = (uint16_t)port;
	return r < 0 ? r : 0;
}

static void running_free(struct running *run, int64_t grace_ms)
{
	if (!run)
		return;
	http_link_free(run->link);
	proc_end(&run->proc, grace_ms);
	free(run);
}

static int launch(const struct http_provider *p, const char *token, struct running *run,
                  struct error *e)
{
	char **env = runner_env(p, token);
	if (!env)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	struct proc_opts opts = {
		.argv = (const char *const *)p->argv,
		.env = (const char *const *)env,
		.log_path = p->log_path,
		.pipe_out = true,
		.die_with_parent = true,
	};
	int r = proc_start(&run->proc, &opts, e);
	list_free(env);
	return r;
}

static int provider_start(void *ctx, struct call c, struct cl_endpoint *ret, struct error *e)
{
	struct http_provider *p = ctx;
	struct cl_endpoint ep = { .host = "127.0.0.1" };
	make_token(ep.token);
	rotate_log(p->log_path);
	off_t log_from = log_size(p->log_path);
	struct running *run = calloc(1, sizeof *run);
	if (!run)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	run->proc = (struct proc){ .out = -1, .err = -1 };
	int r = launch(p, ep.token, run, e);
	if (r == 0) {
		r = await_ready(&run->proc, c, p->argv[0], &ep.port, e);
		if (r < 0)
			add_log_tail(e, p->log_path, log_from);
	}
	if (r == 0)
		r = http_link_new(&run->link, ep.host, ep.port, ep.token, e);
	if (r < 0) {
		running_free(run, 0);
		return r;
	}
	ep.process = run->proc.id;
	ep.impl = run;
	*ret = ep;
	return 0;
}

/* --- the other operations --------------------------------------------------------------------------- */

static bool provider_alive(void *ctx, const struct cl_endpoint *ep)
{
	struct running *run = ep->impl;
	return proc_alive(&run->proc);
}

static int provider_post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                         struct call c, struct buf *reply, enum cl_failure *ret_failure,
                         struct error *e)
{
	struct running *run = ep->impl;
	return http_link_post(run->link, body, len, c, reply, ret_failure, e);
}

static void provider_stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	running_free(ep->impl, grace_ms);
	ep->impl = NULL;
}

static void provider_free(void *ctx)
{
	struct http_provider *p = ctx;
	list_free(p->argv);
	list_free(p->env);
	free(p->log_path);
	free(p);
}

int cl_http_provider_new(struct cl_provider *ret, const struct cl_http_opts *o, struct error *e)
{
	struct http_provider *p = calloc(1, sizeof *p);
	if (!p)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	p->argv = list_copy(o->argv, 0);
	p->env = list_copy(o->env, 0);
	p->log_path = o->log_path ? strdup(o->log_path) : NULL;
	if (!p->argv || !p->env || (o->log_path && !p->log_path)) {
		provider_free(p);
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	}
	*ret = (struct cl_provider){
		.ctx = p,
		.start = provider_start,
		.alive = provider_alive,
		.post = provider_post,
		.stop = provider_stop,
		.free = provider_free,
	};
	return 0;
}
