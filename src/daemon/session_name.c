#include "daemon/session_name.h"

#include "base/buf.h"
#include "base/cleanup.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX "cwd:"
#define SUFFIX ":default"
#define HEX_DIGITS 16

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_name_char(char c)
{
	return is_alnum(c) || c == '.' || c == '_' || c == '-';
}

bool dm_name_is_unnamed(const char *key)
{
	size_t prefix = strlen(PREFIX);
	return strlen(key) == prefix + HEX_DIGITS + strlen(SUFFIX) &&
	       strncmp(key, PREFIX, prefix) == 0 &&
	       strspn(key + prefix, "0123456789abcdef") == HEX_DIGITS &&
	       strcmp(key + prefix + HEX_DIGITS, SUFFIX) == 0;
}

const char *dm_name_label(const char *key)
{
	return dm_name_is_unnamed(key) ? "default" : key;
}

void dm_name_dir(const char *key, char out[DM_KEY])
{
	size_t i = 0;
	for (; key[i] && i < DM_KEY - 1; i++)
		out[i] = is_name_char(key[i]) ? key[i] : '_';
	out[i] = '\0';
}

/* Cuts path to the nearest directory that holds `.git`; false, and path whole, when none does. */
static bool cut_to_worktree(char *path)
{
	struct stat st;
	auto_buf struct buf git;
	buf_init(&git, LIM_PATH + 8);
	for (size_t len = strlen(path); len > 0;) {
		buf_reset(&git);
		buf_add(&git, path, len);
		buf_adds(&git, "/.git");
		if (lstat(git.data, &st) == 0) {
			path[len] = '\0';
			return true;
		}
		while (len > 0 && path[--len] != '/')
			;
	}
	return false;
}

static void unnamed_key(const char *cwd, char out[DM_KEY])
{
	auto_free char *path = cwd ? realpath(cwd, NULL) : NULL;
	if (path)
		cut_to_worktree(path);
	uint64_t hash = 0xcbf29ce484222325u;
	for (const char *s = path ? path : cwd ? cwd : ""; *s; s++)
		hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
	snprintf(out, DM_KEY, PREFIX "%016" PRIx64 SUFFIX, hash);
}

static bool is_good_name(const char *name)
{
	size_t len = strlen(name);
	if (dm_name_is_unnamed(name))
		return true;
	if (len == 0 || len > LIM_SESSION_NAME || !is_alnum(name[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(name[i]))
			return false;
	return true;
}

int dm_name_resolve(struct dm_name *ret, const char *name, const char *cwd, struct error *e)
{
	struct dm_name n = { .is_explicit = name != NULL };
	if (name && !is_good_name(name)) {
		error_set(e, ERR_INVALID_ARGS, "\"%.64s\" is no session name", name);
		error_detail_str(e, "parameter", "session");
		error_hint(e, "use 1 to %d letters, digits, dots, dashes or underscores", LIM_SESSION_NAME);
		return -ERR_INVALID_ARGS;
	}
	unnamed_key(cwd, n.scope);
	memcpy(n.key, name ? name : n.scope, strlen(name ? name : n.scope) + 1);
	*ret = n;
	return 0;
}
