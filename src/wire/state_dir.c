#include "wire/state_dir.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *fmt, ...)
{
	auto_buf struct buf b;
	va_list ap;
	buf_init(&b, LIM_PATH);
	va_start(ap, fmt);
	buf_addv(&b, fmt, ap);
	va_end(ap);
	return b.over ? NULL : buf_detach(&b);
}

static char *default_dir(void)
{
	const char *env = getenv("DEFT_STATE_DIR");
	if (env && *env)
		return text("%s", env);
	const char *home = getenv("HOME");
	if (home && *home)
		return text("%s/.deft", home);
	struct passwd pw, *found = NULL;
	char strings[LIM_PATH];
	if (getpwuid_r(geteuid(), &pw, strings, sizeof(strings), &found) != 0 || !found)
		return NULL;
	return text("%s/.deft", found->pw_dir);
}

static int check_owner(const char *path, const struct stat *st, struct error *e)
{
	if (!S_ISDIR(st->st_mode))
		return error_set(e, ERR_IO_ERROR, "%s is not a directory", path);
	if (st->st_uid == geteuid())
		return 0;
	error_set(e, ERR_UNAUTHORIZED, "%s belongs to another user (uid %ld)", path, (long)st->st_uid);
	return error_hint(e, "choose a directory of your own with --state-dir or DEFT_STATE_DIR");
}

static uint64_t fnv1a(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

/* The place for sockets whose own directory has too long a name. In /tmp anybody could have made
 * the directory first, so it must be ours and closed to others. */
static int runtime_dir(bool create, char **ret, struct error *e)
{
	struct stat st;
	auto_free char *user = text("/run/user/%ld", (long)geteuid());
	bool have = user && stat(user, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
	auto_free char *dir = have ? text("%s/deft", user) : text("/tmp/deft-%ld", (long)geteuid());
	if (!dir)
		return error_set(e, ERR_INTERNAL_ERROR, "out of memory");
	if (create && mkdir(dir, 0700) < 0 && errno != EEXIST)
		return error_set(e, ERR_IO_ERROR, "cannot make %s: %s", dir, strerror(errno));
	if (lstat(dir, &st) == 0) {
		int r = check_owner(dir, &st, e);
		if (r < 0)
			return r;
		if (st.st_mode & 077)
			return error_set(e, ERR_UNAUTHORIZED, "%s is open to other users (mode %o)", dir,
			                 (unsigned)st.st_mode & 0777);
	}
	*ret = TAKE(dir);
	return 0;
}

static int socket_path(struct wire_state *s, bool create, struct error *e)
{
	s->socket = text("%s/daemon.sock", s->dir);
	if (s->socket && strlen(s->socket) < sizeof(((struct sockaddr_un *)0)->sun_path))
		return 0;
	auto_free char *dir = NULL;
	int r = runtime_dir(create, &dir, e);
	if (r < 0)
		return r;
	free(s->socket);
	s->socket = text("%s/%016" PRIx64 ".sock", dir, fnv1a(s->dir));
	return 0;
}

static int resolve(struct wire_state *s, const char *dir, bool create, struct error *e)
{
	auto_free char *wanted = dir && *dir ? text("%s", dir) : default_dir();
	if (!wanted) {
		error_set(e, ERR_INVALID_ARGS,
		          "no state directory: no home directory, or a path over %d bytes", LIM_PATH);
		return error_hint(e, "name one with --state-dir or DEFT_STATE_DIR");
	}
	int r = create ? fs_mkdirs(wanted, 0700, e) : 0;
	if (r < 0)
		return r;
	struct stat st;
	if (stat(wanted, &st) < 0) {
		if (errno != ENOENT)
			return error_set(e, ERR_IO_ERROR, "cannot use %s: %s", wanted, strerror(errno));
		error_set(e, ERR_DAEMON_UNAVAILABLE, "no daemon runs for %s", wanted);
		return error_reason(e, "not_running");
	}
	r = check_owner(wanted, &st, e);
	if (r < 0)
		return r;
	s->dir = fs_resolve(wanted);
	return s->dir ? 0
	              : error_set(e, ERR_IO_ERROR, "cannot resolve %s: %s", wanted, strerror(errno));
}

int wire_state_open(struct wire_state *ret, const char *dir, bool create, struct error *e)
{
	auto_state struct wire_state s = { NULL };
	int r = resolve(&s, dir, create, e);
	if (r == 0)
		r = socket_path(&s, create, e);
	if (r < 0)
		return r;
	s.lock = text("%s/daemon.lock", s.dir);
	s.alive = text("%s/daemon.alive", s.dir);
	s.info = text("%s/daemon.json", s.dir);
	s.log = text("%s/daemon.log", s.dir);
	s.sessions = text("%s/sessions", s.dir);
	if (!s.socket || !s.lock || !s.alive || !s.info || !s.log || !s.sessions)
		return error_set(e, ERR_LIMIT_EXCEEDED, "the state directory's path is over %d bytes",
		                 LIM_PATH);
	*ret = s;
	s = (struct wire_state){ NULL };
	return 0;
}

void wire_state_done(struct wire_state *s)
{
	char *all[] = { s->dir, s->socket, s->lock, s->alive, s->info, s->log, s->sessions };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		free(all[i]);
	*s = (struct wire_state){ NULL };
}
