#include "daemon/session.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/log.h"
#include "daemon/files.h"
#include "daemon/totals.h"

#include <stdio.h>
#include <string.h>

void dm_device_key(const struct pf_device_info *info, char out[DM_DEVICE_KEY])
{
	snprintf(out, DM_DEVICE_KEY, "device %s:%s", info->platform, info->id);
}

char *dm_session_dir(const struct dm_daemon *d, const char *key)
{
	char name[DM_KEY];
	dm_name_dir(key, name);
	return fs_join(d->state.sessions, name);
}

/* --- the list --------------------------------------------------------------------------------- */

struct dm_session *dm_session_find(struct dm_daemon *d, const char *key)
{
	struct dm_session *s = d->sessions;
	while (s && strcmp(s->key, key) != 0)
		s = s->next;
	return s;
}

struct dm_session *dm_session_of_device(struct dm_daemon *d, const struct pf_device_info *info)
{
	struct dm_session *s = d->sessions;
	while (s && (strcmp(s->device->info.id, info->id) != 0 ||
	             strcmp(s->device->info.platform, info->platform) != 0))
		s = s->next;
	return s;
}

static int enlist(struct dm_daemon *d, struct dm_session *s, struct error *e)
{
	int r = 0;
	pthread_mutex_lock(&d->lock);
	struct dm_session **at = &d->sessions;
	while (*at)
		at = &(*at)->next;
	if (d->n_sessions >= LIM_DAEMON_SESSIONS) {
		r = error_set(e, ERR_LIMIT_EXCEEDED, "%d sessions are open already", LIM_DAEMON_SESSIONS);
	} else {
		*at = s;
		d->n_sessions++;
	}
	pthread_mutex_unlock(&d->lock);
	return r;
}

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(struct dm_session *s)
{
	s->device->ops->close(s->device);
	if (s->has_frame)
		ui_tree_done(&s->frame.view);
	free(s->app_id);
	free(s->app_name);
	free(s->dir);
	free(s);
}

int dm_session_add(struct dm_daemon *d, const char *key, struct pf_device *device_stolen,
                   struct dm_session **ret, struct error *e)
{
	struct dm_session *s = calloc(1, sizeof(*s));
	if (!s) {
		device_stolen->ops->close(device_stolen);
		return error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	}
	s->device = device_stolen;
	snprintf(s->key, sizeof(s->key), "%s", key);
	s->created_wall_ms = clock_wall_ms();
	s->used_ms = clock_now_ms();
	s->dir = dm_session_dir(d, key);
	int r = s->dir ? fs_mkdirs(s->dir, 0700, e) : error_set(e, ERR_LIMIT_EXCEEDED, "out of memory");
	if (r == 0)
		r = enlist(d, s, e);
	if (r < 0) {
		destroy(s);
		return r;
	}
	log_msg(LOG_INFO, "daemon", "session %s opened on %s %s", key, device_stolen->info.platform,
	        device_stolen->info.id);
	*ret = s;
	return 0;
}

static void keep_counters(struct dm_daemon *d, const struct dm_session *s)
{
	struct cl_counters c;
	if (!s->device->runner)
		return;
	cl_session_counters(s->device->runner, &c);
	dm_totals_add(&d->runners_gone, &c);
}

static void unlist(struct dm_daemon *d, struct dm_session *s)
{
	pthread_mutex_lock(&d->lock);
	struct dm_session **at = &d->sessions;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	d->n_sessions--;
	d->used_ms = clock_now_ms();
	keep_counters(d, s);
	pthread_mutex_unlock(&d->lock);
}

void dm_session_end(struct dm_daemon *d, struct dm_session *s)
{
	auto_free char *dir = strdup(s->dir);
	log_msg(LOG_INFO, "daemon", "session %s closes", s->key);
	unlist(d, s);
	destroy(s);
	if (dir)
		dm_remove_dir(dir);
}

void dm_session_end_all(struct dm_daemon *d)
{
	while (d->sessions)
		dm_session_end(d, d->sessions);
}

/* --- sessions nobody comes back to ------------------------------------------------------------ */

/* The first session that is due and that nobody is using; *ret_left: ms until the next one is. */
static bool find_expired(struct dm_daemon *d, char key[DM_KEY], int64_t *ret_left)
{
	bool found = false;
	*ret_left = INT64_MAX;
	pthread_mutex_lock(&d->lock);
	for (const struct dm_session *s = d->sessions; s && !found; s = s->next) {
		int64_t left = d->session_idle_ms - (clock_now_ms() - s->used_ms);
		found = left <= 0 && dm_key_free(&d->locks, s->key);
		if (found)
			memcpy(key, s->key, DM_KEY);
		/* one in use counts anew from its request's end: look again later */
		if (left <= 0)
			left = d->session_idle_ms;
		*ret_left = left < *ret_left ? left : *ret_left;
	}
	pthread_mutex_unlock(&d->lock);
	return found;
}

static void expire(struct dm_daemon *d, const char *key)
{
	struct dm_ticket session = { .key = NULL }, device = { .key = NULL };
	char device_key[DM_DEVICE_KEY];
	if (!dm_ticket_take(&d->locks, &session, key, "idle session"))
		return;
	dm_ticket_wait(&d->locks, &session, CALL_FOREVER, NULL);
	pthread_mutex_lock(&d->lock);
	struct dm_session *s = dm_session_find(d, key);
	bool due = s && clock_now_ms() - s->used_ms >= d->session_idle_ms;
	pthread_mutex_unlock(&d->lock);
	if (due) {
		dm_device_key(&s->device->info, device_key);
		if (dm_ticket_take(&d->locks, &device, device_key, "idle session"))
			dm_ticket_wait(&d->locks, &device, CALL_FOREVER, NULL);
		log_msg(LOG_WARN, "daemon", "session %s was not used for %lld ms and is closed", key,
		        (long long)d->session_idle_ms);
		dm_session_end(d, s);
	}
	dm_ticket_drop(&d->locks, &device);
	dm_ticket_drop(&d->locks, &session);
}

int64_t dm_session_expire(struct dm_daemon *d)
{
	char key[DM_KEY];
	int64_t left;
	while (find_expired(d, key, &left))
		expire(d, key);
	return left;
}
