/* What a runner program is around its backend: arguments, announcements, signals. stdout carries the
 * two announcements and nothing else. */
#include "runner/runner.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic(struct rc_runner *) running;

static void on_signal(int number)
{
	struct rc_runner *r = atomic_load(&running);

	if (r)
		rc_stop(r);
}

static const int stop_signals[] = { SIGTERM, SIGINT, SIGHUP };

/* Blocked while threads are made, so that they come to the main thread only, which waits for them. */
static void hold_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		sigaddset(&set, stop_signals[i]);
	pthread_sigmask(how, &set, NULL);
}

static void catch_signals(void)
{
	struct sigaction stop = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };

	sigfillset(&stop.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		sigaction(stop_signals[i], &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	hold_signals(SIG_UNBLOCK);
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
	hold_signals(SIG_BLOCK);
	if (start(argc, argv, backend, hooks, &r, &e) < 0) {
		log_msg(LOG_ERROR, "runner", "DEFT_RUNNER_LISTENER_FAILED=%s (%s)", e.message,
		        error_hint_text(&e));
		backend->ops->close(backend);
		return error_exit_status(e.code);
	}
	atomic_store(&running, r);
	catch_signals();
	printf("DEFT_RUNNER_PORT=%u\nDEFT_RUNNER_READY\n", rc_port(r));
	fflush(stdout);
	log_msg(LOG_INFO, "runner", "DEFT_RUNNER_LISTENER_READY port=%u backend=%s", rc_port(r),
	        backend->ops->name);
	rc_wait(r);
	log_msg(LOG_INFO, "runner", "DEFT_RUNNER_STOPPING");
	atomic_store(&running, NULL);
	rc_free(r);
	return 0;
}
