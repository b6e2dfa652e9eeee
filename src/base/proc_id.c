/* Processes known by (pid, start time). Signals go through a pidfd taken before the start time is
 * compared, so that a pid recycled in between is never hit. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/proc.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* State letter and start time from /proc/PID/stat. The command name may hold blanks and ')'. */
static bool read_stat(pid_t pid, char *ret_state, uint64_t *ret_start)
{
	char path[48], text[1024];
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	int auto_close fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	char *field = strrchr(text, ')');
	if (!field || field[1] != ' ')
		return false;
	*ret_state = field[2];
	field += 2; /* at field 3 */
	for (int i = 3; i < 22; i++) {
		field = strchr(field, ' ');
		if (!field)
			return false;
		field++;
	}
	*ret_start = strtoull(field, NULL, 10);
	return true;
}

struct proc_id proc_self(void)
{
	return (struct proc_id){ getpid(), proc_start_time(getpid()) };
}

uint64_t proc_start_time(pid_t pid)
{
	char state;
	uint64_t start;
	if (pid <= 0 || !read_stat(pid, &state, &start) || state == 'Z' || state == 'X')
		return 0;
	return start;
}

bool proc_id_alive(struct proc_id id)
{
	uint64_t now = proc_start_time(id.pid);
	return now != 0 && now == id.start;
}

/* A pidfd of the very same process, or -1. */
static int open_id(struct proc_id id)
{
	if (id.pid <= 0 || id.start == 0)
		return -1;
	int auto_close fd = (int)syscall(SYS_pidfd_open, id.pid, 0);
	return fd >= 0 && proc_id_alive(id) ? TAKE_FD(fd) : -1;
}

bool proc_id_signal(struct proc_id id, int sig)
{
	int auto_close fd = open_id(id);
	return fd >= 0 && syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0) == 0;
}

void proc_id_end(struct proc_id id, int64_t grace_ms)
{
	int auto_close fd = open_id(id);
	if (fd < 0)
		return;
	syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
	struct call grace = { deadline_in(grace_ms), NULL };
	if (call_poll(grace, fd, POLLIN, "the end of a process", NULL) < 0)
		syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
}
