#include "base/cancel.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cancel_init(struct cancel *c, struct error *e)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0)
		return error_set(e, ERR_COMMAND_FAILED, "no descriptor for a cancellation: %s",
		                 strerror(errno));
	c->fd = fd;
	atomic_init(&c->fired, false);
	return 0;
}

void cancel_done(struct cancel *c)
{
	if (!c)
		return;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void cancel_fire(struct cancel *c)
{
	if (!c || atomic_exchange(&c->fired, true))
		return;
	int before = errno;
	ssize_t n = write(c->fd, &(uint64_t){ 1 }, sizeof(uint64_t));
	(void)n; /* an eventfd at 0 takes the 1 */
	errno = before;
}

bool cancel_fired(const struct cancel *c)
{
	return c && atomic_load(&c->fired);
}

int call_check(struct call c, const char *what, struct error *e)
{
	if (cancel_fired(c.cancel))
		return error_set(e, ERR_CANCELED, "%s was canceled", what);
	if (deadline_over(c.deadline))
		return error_set(e, ERR_TIMEOUT, "%s took too long", what);
	return 0;
}

struct call call_limit(struct call c, int64_t ms)
{
	return (struct call){ deadline_min(c.deadline, deadline_in(ms)), c.cancel };
}

int call_poll(struct call c, int fd, short events, const char *what, struct error *e)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = events },
		{ .fd = c.cancel ? c.cancel->fd : -1, .events = POLLIN },
	};
	for (;;) {
		if (cancel_fired(c.cancel))
			return error_set(e, ERR_CANCELED, "%s was canceled", what);
		int wait = deadline_poll_ms(c.deadline);
		int n = poll(fds, 2, wait);
		if (n < 0 && errno != EINTR)
			return error_set(e, ERR_IO_ERROR, "%s: %s", what, strerror(errno));
		if (n > 0 && fds[0].revents)
			return fds[0].revents;
		/* Time that really passed counts, whatever clock the deadline was read from. */
		if (n == 0 && wait != INT_MAX)
			return error_set(e, ERR_TIMEOUT, "%s took too long", what);
	}
}
