/* deftd: the daemon's program. Started by the first client (--background), or by hand. */
#include "base/build.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/number.h"
#include "daemon/files.h"
#include "daemon/server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "Usage: deftd [--state-dir DIR] [--background]\n"
    "\n"
    "Serves deft's clients. They start it by themselves; by hand it stays in the foreground and\n"
    "logs to stderr.\n"
    "\n"
    "  --state-dir DIR  its files; default $DEFT_STATE_DIR, else ~/.deft\n"
    "  --background     leave the caller, log to DIR/daemon.log, say one line on stdout when "
    "ready\n"
    "  --version        print the version and build\n"
    "\n"
    "Environment: DEFT_DAEMON_IDLE_MS, DEFT_SESSION_IDLE_MS, DEFT_LOG; see docs/daemon.md.\n"
    "\n"
    "  deftd --state-dir /tmp/deft-trial\n";

struct options {
	const char *state_dir;
	bool background, help, version;
};

static int parse(int argc, char **argv, struct options *o, struct error *e)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--background") == 0)
			o->background = true;
		else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			o->help = true;
		else if (strcmp(argv[i], "--version") == 0)
			o->version = true;
		else if (strcmp(argv[i], "--state-dir") == 0 && i + 1 < argc)
			o->state_dir = argv[++i];
		else
			return error_set(e, ERR_INVALID_ARGS, "deftd: unexpected argument %s", argv[i]);
	}
	return 0;
}

/* A client that was left without an answer reads this line (wire/daemon_start.c). */
static void announce(const json_t *line)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_DAEMON_HELLO);
	jx_dump(line, false, &b);
	buf_addc(&b, '\n');
	if (write(STDOUT_FILENO, b.data, b.len) != (ssize_t)b.len)
		log_msg(LOG_WARN, "daemon", "the client that started this daemon is gone");
}

static int fail(const struct options *o, const struct error *e)
{
	auto_json json_t *line = json_pack("{s:o}", "error", error_to_json(e));
	if (o->background)
		announce(line);
	else
		fprintf(stderr, "Error (%s): %s\nHint: %s\n", error_code_name(e->code), e->message,
		        error_hint_text(e));
	return error_exit_status(e->code);
}

/* Leaves the caller's terminal and process group. Before any thread exists. */
static void detach(void)
{
	if (fork() > 0)
		_exit(0);
	setsid();
}

static int signals(void)
{
	sigset_t set;
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int64_t env_ms(const char *name)
{
	const char *text = getenv(name);
	int64_t ms = 0;
	if (text && *text && (!number_parse_int(text, &ms) || ms < 0))
		log_msg(LOG_WARN, "daemon", "%s is not a number of milliseconds: %s", name, text);
	return ms > 0 ? ms : 0;
}

/* The pipe to the client ends here: who waits for its end must not wait for the daemon's. */
static void close_stdout(void)
{
	auto_close int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDOUT_FILENO);
}

static int serve(struct dm_daemon *d, const struct options *o, int signal_fd, struct error *e)
{
	struct dm_server server;
	auto_json json_t *ready = json_pack("{s:b,s:i}", "ready", 1, "pid", (int)getpid());
	int r = o->background ? dm_log_open(d, e) : 0;
	if (chdir("/") < 0)
		log_msg(LOG_WARN, "daemon", "cannot leave the caller's directory");
	if (r == 0)
		r = dm_server_open(&server, d, e);
	if (r < 0)
		return r;
	if (o->background)
		announce(ready);
	close_stdout();
	dm_server_run(&server, signal_fd);
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { NULL };
	struct dm_daemon d;
	auto_error struct error e = ERROR_INIT;
	if (parse(argc, argv, &o, &e) < 0)
		return fail(&o, &e);
	if (o.help || o.version) {
		if (o.help)
			fputs(usage, stdout);
		else
			printf("deftd %s build %s\n", build_version(), build_id());
		return 0;
	}
	if (o.background)
		detach();
	umask(077);
	log_init_from_env();
	json_object_seed(0);
	auto_close int signal_fd = signals();
	const struct dm_options options = { .state_dir = o.state_dir,
		                                .idle_ms = env_ms("DEFT_DAEMON_IDLE_MS"),
		                                .session_idle_ms = env_ms("DEFT_SESSION_IDLE_MS") };
	int r = dm_daemon_init(&d, &options, &e);
	if (r == 0) {
		r = serve(&d, &o, signal_fd, &e);
		dm_daemon_done(&d);
	}
	return r < 0 ? fail(&o, &e) : 0;
}
