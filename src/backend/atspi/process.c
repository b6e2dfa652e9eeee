#include "backend/atspi/process.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <limits.h>
#include <string.h>

static void proc_path(char out[64], pid_t pid, const char *name)
{
	snprintf(out, 64, "/proc/%d/%s", (int)pid, name);
}

bool process_exe(pid_t pid, char *out, size_t size)
{
	char path[64], exe[PATH_MAX];
	proc_path(path, pid, "exe");
	ssize_t n = readlink(path, exe, sizeof(exe) - 1);
	if (n <= 0 || (size_t)n >= size)
		return false;
	memcpy(out, exe, (size_t)n);
	out[n] = '\0';
	return true;
}

/* The NUL-separated strings of a file under /proc. */
static bool read_strings(pid_t pid, const char *name, struct buf *out)
{
	char path[64];
	proc_path(path, pid, name);
	return fs_read(path, LIM_PROC_OUTPUT, out, NULL) == 0;
}

bool process_runs(pid_t pid, const char *program)
{
	char exe[PATH_MAX];
	if (process_exe(pid, exe, sizeof(exe)) && strcmp(exe, program) == 0)
		return true;
	auto_buf struct buf words;
	buf_init(&words, LIM_PROC_OUTPUT);
	if (!read_strings(pid, "cmdline", &words))
		return false;
	const char *at = words.data, *end = words.data + words.len;
	for (int i = 0; i < 2 && at < end; i++, at += strlen(at) + 1) {
		/* A bare or relative word means nothing without that process's directory and PATH. */
		auto_free char *real = *at == '/' ? realpath(at, NULL) : NULL;
		if (real && strcmp(real, program) == 0)
			return true;
	}
	return false;
}

bool process_has_env(pid_t pid, const char *assignment)
{
	auto_buf struct buf env;
	buf_init(&env, LIM_PROC_OUTPUT);
	if (!read_strings(pid, "environ", &env))
		return false;
	const char *end = env.data + env.len;
	for (const char *at = env.data; at < end; at += strlen(at) + 1)
		if (strcmp(at, assignment) == 0)
			return true;
	return false;
}
