#include "base/proc.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *env_get(const char *const *env, const char *name)
{
	size_t n = strlen(name);
	for (; env && *env; env++)
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

/* Moves a descriptor to where the child will not overwrite it. */
static int fd_up(int fd)
{
	if (fd < 0)
		return -1;
	int up = fcntl(fd, F_DUPFD_CLOEXEC, SPAWN_FD_MIN);
	close(fd);
	return up;
}

/* A pipe: the child's end is returned, ours goes to *ret_read. */
static int open_pipe(int *ret_read)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	int write_end = fd_up(fds[1]);
	if (write_end < 0)
		close(fds[0]);
	else
		*ret_read = fds[0];
	return write_end;
}

static int open_output(bool piped, const char *log_path, int *ret_read)
{
	if (piped)
		return open_pipe(ret_read);
	if (log_path)
		return fd_up(open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
	return fd_up(open("/dev/null", O_WRONLY | O_CLOEXEC));
}

static int start_error(const char *name, const char *step, int number, struct error *e)
{
	if (strcmp(step, "exec") == 0 && (number == ENOENT || number == ENOTDIR)) {
		error_set(e, ERR_TOOL_MISSING, "the program %s does not exist", name);
		error_detail_str(e, "program", name);
		return -ERR_TOOL_MISSING;
	}
	error_set(e, ERR_COMMAND_FAILED, "can't start %s (%s): %s", name, step, strerror(number));
	return -ERR_COMMAND_FAILED;
}

int proc_start(struct proc *ret, const struct proc_opts *opts, struct error *e)
{
	const char *name = opts->argv[0];
	const char *path_list = opts->env ? env_get(opts->env, "PATH") : NULL;
	char auto_free *path = fs_which(name, path_list);
	if (!path)
		return start_error(name, "exec", fs_exists(name) && strchr(name, '/') ? EACCES : ENOENT, e);
	int auto_close read_out = -1, auto_close read_err = -1;
	int auto_close in = fd_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
	int auto_close out = in < 0 ? -1 : open_output(opts->pipe_out, opts->log_path, &read_out);
	int auto_close err = out < 0 ? -1 : open_output(opts->pipe_err, opts->log_path, &read_err);
	if (err < 0)
		return start_error(name, opts->log_path ? opts->log_path : "pipes", errno, e);
	struct spawn spawn = {
		.path = path,
		.argv = (char *const *)(uintptr_t)opts->argv,
		.env = opts->env ? (char *const *)(uintptr_t)opts->env : environ,
		.cwd = opts->cwd,
		.in = in,
		.out = out,
		.err = err,
		.die_with_parent = opts->die_with_parent,
		.new_session = opts->new_session,
	};
	const char *step = "";
	pid_t pid = spawn_run(&spawn, &step);
	if (pid < 0)
		return start_error(name, step, -pid, e);
	*ret = (struct proc){ .id = { pid, proc_start_time(pid) },
		                  .out = TAKE_FD(read_out),
		                  .err = TAKE_FD(read_err) };
	return 0;
}

static void reap(struct proc *p, int flags)
{
	if (p->reaped || p->id.pid <= 0)
		return;
	int status = 0;
	pid_t r;
	while ((r = waitpid(p->id.pid, &status, flags)) < 0 && errno == EINTR)
		continue;
	if (r == 0)
		return;
	p->reaped = true;
	p->status = r > 0 ? status : 0;
}

static bool is_unreaped(struct proc *p)
{
	reap(p, WNOHANG);
	return p->id.pid > 0 && !p->reaped;
}

bool proc_alive(struct proc *p)
{
	/* A killed process of many threads is a zombie for a while before it can be reaped. */
	return is_unreaped(p) && proc_start_time(p->id.pid) != 0;
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Readable once the child has ended; our own unreaped child, so the pid can't be another's. */
static int open_pidfd(const struct proc *p)
{
	return (int)syscall(SYS_pidfd_open, p->id.pid, 0);
}

int proc_wait(struct proc *p, struct call call, int *ret_status, struct error *e)
{
	if (is_unreaped(p)) {
		int auto_close fd = open_pidfd(p);
		if (fd < 0)
			return error_set(e, ERR_COMMAND_FAILED, "can't wait for a child: %s", strerror(errno));
		int r = call_poll(call, fd, POLLIN, "waiting for a program to end", e);
		if (r < 0)
			return r;
		reap(p, 0);
	}
	if (ret_status)
		*ret_status = exit_status(p->status);
	return 0;
}

static void close_pipe(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void proc_end(struct proc *p, int64_t grace_ms)
{
	if (!p)
		return;
	if (is_unreaped(p)) {
		struct call grace = { deadline_in(grace_ms), NULL };
		kill(-p->id.pid, SIGTERM);
		if (grace_ms <= 0 || proc_wait(p, grace, NULL, NULL) < 0) {
			kill(-p->id.pid, SIGKILL);
			reap(p, 0);
		}
	}
	close_pipe(&p->out);
	close_pipe(&p->err);
}

/* Reads what is there. False at the end of the stream or when the buffer is full. */
static bool drain(int fd, struct buf *into)
{
	char chunk[16384];
	ssize_t n = read(fd, chunk, sizeof chunk);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	return n > 0 && buf_add(into, chunk, (size_t)n);
}

static bool is_over(const struct buf *b)
{
	return b && b->over;
}

/* Collects both pipes until the child has ended and the pipes are empty. A grandchild that keeps a
 * pipe open does not hold us up. */
static int collect(struct proc *p, struct call call, struct buf *out, struct buf *err,
                   struct error *e)
{
	int auto_close ended = open_pidfd(p);
	struct pollfd fds[] = {
		{ .fd = p->out, .events = POLLIN },
		{ .fd = p->err, .events = POLLIN },
		{ .fd = ended, .events = POLLIN },
		{ .fd = call.cancel ? call.cancel->fd : -1, .events = POLLIN },
	};
	for (bool gone = false;;) {
		int r = call_check(call, "running a program", e);
		if (r < 0)
			return r;
		int n = poll(fds, ARRAY_SIZE(fds), gone ? 0 : deadline_poll_ms(call.deadline));
		if (n < 0 && errno != EINTR)
			return error_set(e, ERR_IO_ERROR, "reading a program's output: %s", strerror(errno));
		if (fds[0].fd >= 0 && fds[0].revents && !drain(fds[0].fd, out))
			fds[0].fd = -1;
		if (fds[1].fd >= 0 && fds[1].revents && !drain(fds[1].fd, err))
			fds[1].fd = -1;
		if (is_over(out) || is_over(err))
			return error_set(e, ERR_LIMIT_EXCEEDED, "a program printed more than its limit");
		bool quiet = n <= 0 || !(fds[0].revents || fds[1].revents);
		if (gone && quiet)
			return 0;
		if (n > 0 && fds[2].revents) {
			gone = true;
			fds[2].fd = -1;
		}
	}
}

int proc_run(const struct proc_opts *opts, struct call call, struct buf *out, struct buf *err,
             int *ret_status, struct error *e)
{
	struct proc_opts piped = *opts;
	piped.pipe_out = out != NULL;
	piped.pipe_err = err != NULL;
	struct proc p;
	int r = proc_start(&p, &piped, e);
	if (r < 0)
		return r;
	r = collect(&p, call, out, err, e);
	if (r == 0)
		r = proc_wait(&p, call, ret_status, e);
	proc_end(&p, 0);
	return r;
}
