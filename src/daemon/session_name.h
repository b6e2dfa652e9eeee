/* How sessions are called (agent surface 3.1).
 *
 * A caller who names no session gets the one of its working tree: key "cwd:<16 hex>:default", where
 * the hex is a 64-bit FNV-1a hash of the resolved root of the git worktree that holds the caller's
 * directory (the nearest parent with a `.git` file or directory; the directory itself outside of
 * any). Named sessions are global within a daemon. */
#ifndef DEFT_DAEMON_SESSION_NAME_H
#define DEFT_DAEMON_SESSION_NAME_H

#include "base/error.h"
#include "base/limits.h"

#include <stdbool.h>

#define DM_KEY (LIM_SESSION_NAME + 1)

struct dm_name {
	char key[DM_KEY];   /* effective, unique in the daemon */
	char scope[DM_KEY]; /* key of the caller's own unnamed session */
	bool is_explicit;   /* the caller named it */
};

/* name: 1..LIM_SESSION_NAME of A-Z a-z 0-9 . _ - that starts with a letter or digit, or the key of
 * an unnamed session; NULL: none given. cwd may be NULL. -ERR_INVALID_ARGS for a bad name. */
int dm_name_resolve(struct dm_name *ret, const char *name, const char *cwd, struct error *e);
/* What the session is called in answers: "default" for an unnamed one. */
const char *dm_name_label(const char *key);
bool dm_name_is_unnamed(const char *key);
/* The name of its directory: every character outside of A-Za-z0-9._- becomes `_`. */
void dm_name_dir(const char *key, char out[DM_KEY]);

#endif
