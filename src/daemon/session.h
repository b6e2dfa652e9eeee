/* Sessions: one chosen device and opened app each (agent surface 3.2). They live in the daemon's
 * memory only; nothing is restored after a restart.
 *
 * A session is used by the request that holds its key (daemon/locks.h). What others may read at any
 * time (app, used_ms) is changed under the daemon's lock. */
#ifndef DEFT_DAEMON_SESSION_H
#define DEFT_DAEMON_SESSION_H

#include "daemon/core.h"
#include "daemon/session_name.h"

struct dm_session {
	struct dm_session *next;
	char key[DM_KEY];
	char *dir;                /* <state>/sessions/<safe name>, exists as long as the session */
	struct pf_device *device; /* never NULL */
	char *app_id, *app_name;  /* NULL: none */
	int64_t created_wall_ms;
	int64_t used_ms; /* end of its last request */
	struct dm_frame frame;
	bool has_frame;
};

/* Key of the lock that guards the use of a device. */
#define DM_DEVICE_KEY (sizeof(((struct pf_device_info *)0)->id) + 32)
void dm_device_key(const struct pf_device_info *info, char out[DM_DEVICE_KEY]);

/* By key, or by device; NULL: none. Call with the daemon's lock held. */
struct dm_session *dm_session_find(struct dm_daemon *d, const char *key);
struct dm_session *dm_session_of_device(struct dm_daemon *d, const struct pf_device_info *info);

/* Makes a session around a device (taken over, also on failure) and lists it. */
int dm_session_add(struct dm_daemon *d, const char *key, struct pf_device *device_stolen,
                   struct dm_session **ret, struct error *e);
/* Unlists and frees it: runner stopped, directory removed. The caller holds its key and its device's
 * key, or nothing runs any more. */
void dm_session_end(struct dm_daemon *d, struct dm_session *s);
void dm_session_end_all(struct dm_daemon *d);
/* Ends sessions nobody has used for session_idle_ms; returns ms until the next one is due. */
int64_t dm_session_expire(struct dm_daemon *d);
/* <state>/sessions/<safe name>; caller frees. */
char *dm_session_dir(const struct dm_daemon *d, const char *key);

#endif
