/* What a runner program is around its backend: arguments, announcements, signals. stdout carries the
 * two announcements and nothing else. */
#include "runner/runner.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>

/* A descriptor that is readable once one of the signals that end a program has come. They are blocked
 * in every thread (made later) and so never interrupt anything. -1: none; then they end the program
 * in their own way. */
static int stop_signals(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaddset(&set, numbers[i]);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd >= 0)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return fd;
}

static int start(int argc, char **argv, struct rb_backend *backend, const struct rc_hooks *hooks,
                 struct rc_runner **ret, struct error *e)
{
	struct rc_config config;
	int r = rc_config_from_args(&config, argc, argv, e);

	config.hooks = hooks;
	return r < 0 ? r : rc_start(ret, &config, backend, e);
}

int rc_run(int argc, char **argv, struct rb_backend *backend)
{
	return rc_run_hooked(argc, argv, backend, NULL);
}

int rc_run_hooked(int argc, char **argv, struct rb_backend *backend, const struct rc_hooks *hooks)
{
	struct error auto_error e = ERROR_INIT;
	struct rc_runner *r = NULL;

	log_init_from_env();
	auto_close int signals = stop_signals();
	if (start(argc, argv, backend, hooks, &r, &e) < 0) {
		log_msg(LOG_ERROR, "runner", "DEFT_RUNNER_LISTENER_FAILED=%s (%s)", e.message,
		        error_hint_text(&e));
		backend->ops->close(backend);
		return error_exit_status(e.code);
	}
	printf("DEFT_RUNNER_PORT=%u\nDEFT_RUNNER_READY\n", rc_port(r));
	fflush(stdout);
	log_msg(LOG_INFO, "runner", "DEFT_RUNNER_LISTENER_READY port=%u backend=%s", rc_port(r),
	        backend->ops->name);
	rc_wait_or(r, signals);
	log_msg(LOG_INFO, "runner", "DEFT_RUNNER_STOPPING");
	rc_free(r);
	return 0;
}
