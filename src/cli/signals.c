#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static struct cancel *canceled;
static atomic_int seen;

static void on_signal(int sig)
{
	int none = 0;
	if (!atomic_compare_exchange_strong(&seen, &none, sig))
		_exit(128 + sig);
	cancel_fire(canceled);
}

/* A signal that was ignored on entry (nohup) stays ignored. */
static void catch_signal(int sig)
{
	struct sigaction old, act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigemptyset(&act.sa_mask);
	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
		return;
	sigaction(sig, &act, NULL);
}

void cli_signals_install(struct cancel *cancel)
{
	canceled = cancel;
	signal(SIGPIPE, SIG_IGN);
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	catch_signal(SIGHUP);
}

int cli_signals_seen(void)
{
	return atomic_load(&seen);
}
