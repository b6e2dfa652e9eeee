/* Small file jobs of the daemon: growing logs with one rotation, directories, daemon.json. */
#ifndef DEFT_DAEMON_FILES_H
#define DEFT_DAEMON_FILES_H

#include "daemon/core.h"

/* Appends one line (a newline is added) with a single write; a file over LIM_LOG_FILE is renamed to
 * <path>.1 first. A failure is reported once in the log, then silent: a full disk stops no command. */
void dm_append_line(struct dm_daemon *d, const char *path, const char *line, size_t len);
/* Directs stderr (the log) to <state>/daemon.log, appending. */
int dm_log_open(struct dm_daemon *d, struct error *e);
/* Rotates daemon.log when it is over LIM_LOG_FILE; cheap enough for every request. */
void dm_log_rotate(struct dm_daemon *d);
/* Removes a directory of plain files and one level of such directories. Best effort. */
void dm_remove_dir(const char *path);
/* Removes session directories that a former daemon left, older than LIM_SESSION_TRACE_MS. */
void dm_remove_old_sessions(const struct dm_daemon *d);
/* <state>/daemon.json: who serves this directory. */
int dm_info_write(const struct dm_daemon *d, struct error *e);
void dm_info_remove(const struct dm_daemon *d);

#endif
