/* Files. Everything that others read is written by temp-and-rename; locks are held on the open file
 * (flock), so that a dead owner never blocks anybody. */
#ifndef DEFT_BASE_FS_H
#define DEFT_BASE_FS_H

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* mkdir -p; new directories get mode. 0 or -ERR_IO_ERROR. */
int fs_mkdirs(const char *path, mode_t mode, struct error *e);
/* Reads a whole file of at most max bytes into out (appended). -ERR_IO_ERROR, -ERR_LIMIT_EXCEEDED. */
int fs_read(const char *path, size_t max, struct buf *out, struct error *e);
/* Writes all or nothing: a temp file beside the target, fsync-free, then rename. A failure (disk
 * full) removes the temp file and leaves an existing target as it was. */
int fs_write(const char *path, const void *data, size_t len, mode_t mode, struct error *e);
/* Takes an exclusive lock on path (created 0600 if absent), waiting until the call's deadline.
 * Returns the descriptor that holds it (close to release), or a negative error. */
int fs_lock(const char *path, struct call call, struct error *e);
/* Like fs_lock without waiting: -ERR_DAEMON_UNAVAILABLE never; -ERR_TIMEOUT when somebody holds it. */
int fs_try_lock(const char *path, struct error *e);
/* a/b, or b alone when it is absolute; caller frees. */
char *fs_join(const char *a, const char *b);
/* Resolved absolute path of an existing or not yet existing file (its directory must exist). */
char *fs_resolve(const char *path);
bool fs_exists(const char *path);
/* Removes the oldest plain files of a directory whose names end in suffix, until `keep` are left; equal
 * ages go by name. What can't be removed stays, a missing directory is fine. */
void fs_keep_newest(const char *dir, const char *suffix, size_t keep);
/* First executable NAME in a PATH-like list (NULL: getenv "PATH"); caller frees; NULL: none. */
char *fs_which(const char *name, const char *path_list);
/* The directory of the running executable; caller frees. */
char *fs_exe_dir(void);

#endif
