#include "base/proc_spawn.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum step { STEP_FORK, STEP_CHDIR, STEP_EXEC, STEP_COUNT };
static const char *const step_names[STEP_COUNT] = { "fork", "chdir", "exec" };

struct failure {
	int number; /* errno */
	enum step step;
};

/* Only async-signal-safe calls from here to exec: other threads' locks are as they were at the fork. */
static _Noreturn void child_fail(int report, enum step step)
{
	struct failure f = { errno, step };
	ssize_t n = write(report, &f, sizeof f);
	(void)n;
	_exit(127);
}

static void reset_signals(void)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child_run(const struct spawn *s, int report, pid_t parent)
{
	if (s->new_session)
		setsid();
	else
		setpgid(0, 0);
	dup2(s->in, 0);
	dup2(s->out, 1);
	dup2(s->err, 2);
	report = dup3(report, 3, O_CLOEXEC);
	syscall(SYS_close_range, 4u, ~0u, 0u);
	if (s->cwd && chdir(s->cwd) < 0)
		child_fail(report, STEP_CHDIR);
	reset_signals();
	if (s->die_with_parent) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent) /* it died before the request */
			_exit(127);
	}
	execve(s->path, s->argv, s->env);
	child_fail(report, STEP_EXEC);
}

/* Blocks all signals around the fork, so that no handler of ours runs in the child. */
static pid_t fork_child(const struct spawn *s, int report)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		child_run(s, report, parent);
	int number = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = number;
	return pid;
}

static pid_t spawn_here(const struct spawn *s, const char **ret_step)
{
	*ret_step = step_names[STEP_FORK];
	int pipe_fds[2];
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	int auto_close read_end = pipe_fds[0];
	int auto_close report = fcntl(pipe_fds[1], F_DUPFD_CLOEXEC, SPAWN_FD_MIN);
	int number = errno;
	close(pipe_fds[1]);
	if (report < 0)
		return -number;
	pid_t pid = fork_child(s, report);
	if (pid < 0)
		return -errno;
	close(TAKE_FD(report));
	if (!s->new_session)
		setpgid(pid, pid); /* so that the group exists for us too; the child does the same */
	struct failure f;
	ssize_t n;
	while ((n = read(read_end, &f, sizeof f)) < 0 && errno == EINTR)
		continue;
	if (n != (ssize_t)sizeof f)
		return pid;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	*ret_step = step_names[f.step];
	return -f.number;
}

/* The death signal follows the thread that forked, not the process: children that should live as
 * long as the process are forked by one thread that never ends. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool running;
	const struct spawn *job; /* non-NULL: waiting or in work */
	bool done;
	pid_t pid;
	const char *step;
} spawner = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

static void *spawner_run(void *unused)
{
	pthread_mutex_lock(&spawner.lock);
	for (;;) {
		while (!spawner.job || spawner.done)
			pthread_cond_wait(&spawner.change, &spawner.lock);
		const struct spawn *job = spawner.job;
		pthread_mutex_unlock(&spawner.lock);
		const char *step;
		pid_t pid = spawn_here(job, &step);
		pthread_mutex_lock(&spawner.lock);
		spawner.pid = pid;
		spawner.step = step;
		spawner.done = true;
		pthread_cond_broadcast(&spawner.change);
	}
	return NULL;
}

static int spawner_start(void)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_t thread;
	int r = pthread_create(&thread, NULL, spawner_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r == 0)
		pthread_detach(thread);
	spawner.running = r == 0;
	return r;
}

static pid_t spawn_by_spawner(const struct spawn *s, const char **ret_step)
{
	pthread_mutex_lock(&spawner.lock);
	int r = spawner.running ? 0 : spawner_start();
	if (r) {
		pthread_mutex_unlock(&spawner.lock);
		*ret_step = step_names[STEP_FORK];
		return -r;
	}
	while (spawner.job)
		pthread_cond_wait(&spawner.change, &spawner.lock);
	spawner.job = s;
	spawner.done = false;
	pthread_cond_broadcast(&spawner.change);
	while (!spawner.done)
		pthread_cond_wait(&spawner.change, &spawner.lock);
	pid_t pid = spawner.pid;
	*ret_step = spawner.step;
	spawner.job = NULL;
	pthread_cond_broadcast(&spawner.change);
	pthread_mutex_unlock(&spawner.lock);
	return pid;
}

pid_t spawn_run(const struct spawn *s, const char **ret_step)
{
	return s->die_with_parent ? spawn_by_spawner(s, ret_step) : spawn_here(s, ret_step);
}
