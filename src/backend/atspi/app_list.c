/* The programs on the accessibility bus: the registry's list, and what is made of what the programs
 * say about themselves (app_gather.c). */
#include "backend/atspi/app.h"
#include "backend/atspi/bus.h"
#include "backend/atspi/x11.h"

#include "base/fs.h"

#define EMPTY_LIST_POLL_MS 100
#define KEEP_UNLISTED 16 /* lists */

static void window_clear(struct atspi_window *w)
{
	free(w->path);
	free(w->title);
}

static void app_clear(struct atspi_app *app)
{
	for (uint32_t i = 0; i < app->n_windows; i++)
		window_clear(&app->windows[i]);
	free(app->windows);
}

void atspi_apps_clear(struct atspi_apps *apps)
{
	for (uint32_t i = 0; i < apps->n; i++)
		app_clear(&apps->apps[i]);
	free(apps->apps);
	*apps = (struct atspi_apps){ .frontmost = -1 };
}

/* --- the registry's list --------------------------------------------------------------- */

static bool app_append(struct atspi_apps *apps, struct atspi_peer *peer)
{
	struct atspi_app *grown = realloc(apps->apps, (apps->n + 1) * sizeof(*grown));

	if (!grown)
		return false;
	apps->apps = grown;
	grown[apps->n] = (struct atspi_app){ .peer = peer };
	bus_copy(grown[apps->n].bus, sizeof(grown[apps->n].bus), peer->bus);
	apps->n++;
	return true;
}

static void read_registry(struct atspi_bus *b, sd_bus_message *m, struct atspi_apps *apps)
{
	const char *name, *path;

	if (sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return;
	while (sd_bus_message_read(m, "(so)", &name, &path) > 0) {
		struct atspi_peer *peer = bus_peer(b, name);

		if (!peer || peer->listed || strlen(path) >= sizeof(peer->root))
			continue;
		bus_copy(peer->root, sizeof(peer->root), path);
		peer->gone = false;
		peer->listed = app_append(apps, peer);
	}
}

/* Peers that are in no list any more are forgotten: their names never come back. Not at once, since
 * an operation may still hold an element of theirs. */
static void forget_unlisted(struct atspi_bus *b)
{
	struct atspi_peer **at = &b->peers;

	while (*at) {
		struct atspi_peer *p = *at;

		p->unlisted = p->listed ? 0 : p->unlisted + 1;
		if (p->unlisted < KEEP_UNLISTED) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		b->n_peers--;
		bus_peer_free(p);
	}
}

static int list_once(struct atspi_bus *b, struct call c, struct atspi_apps *apps, struct error *e)
{
	struct bus_target t = { &b->registry, ATSPI_ROOT, ATSPI_I_ACCESSIBLE, "GetChildren" };
	auto_message sd_bus_message *m = NULL;
	int r = bus_call(b, c, t, &m, e, NULL);

	if (r == -ERR_TIMEOUT || r == -ERR_CANCELED)
		return r;
	if (r < 0) {
		error_set(e, ERR_DEVICE_UNAVAILABLE, "the accessibility registry does not answer");
		error_reason(e, "accessibility_registry_silent");
		error_hint(e, "restart at-spi2-registryd (package at-spi2-core) or the desktop session");
		return -ERR_DEVICE_UNAVAILABLE;
	}
	for (struct atspi_peer *p = b->peers; p; p = p->next)
		p->listed = false;
	read_registry(b, m, apps);
	forget_unlisted(b);
	return 0;
}

static int list_apps(struct atspi_bus *b, struct call c, int64_t wait_ms, struct atspi_apps *apps,
                     struct error *e)
{
	struct deadline end = deadline_in(wait_ms < 0 ? LIM_ATSPI_FIRST_APPS_MS : wait_ms);

	for (;;) {
		int r = list_once(b, c, apps, e);

		if (r < 0 || apps->n > 0 || deadline_over(end))
			return r;
		/* A registry that has just started is empty until the programs have found it. */
		r = clock_wait(EMPTY_LIST_POLL_MS, c.cancel, e);
		if (r == 0)
			r = call_check(c, "waiting for programs on the accessibility bus", e);
		if (r < 0)
			return r;
	}
}

/* --- putting it together ---------------------------------------------------------------------- */

static void read_comm(struct atspi_peer *peer)
{
	auto_buf struct buf path, text;

	buf_init(&path, 64);
	buf_init(&text, 256);
	buf_addf(&path, "/proc/%d/comm", (int)peer->pid);
	if (peer->comm[0] || peer->pid <= 0 || fs_read(path.data, 256, &text, NULL) < 0)
		return;
	text.data[strcspn(text.data, "\n")] = '\0';
	bus_copy(peer->comm, sizeof(peer->comm), text.data);
}

static void finish_window(struct atspi_window *w)
{
	/* Hidden windows of some programs keep the state ACTIVE. */
	w->active =
	    atspi_state(w->states, ATSPI_STATE_ACTIVE) && atspi_state(w->states, ATSPI_STATE_SHOWING);
}

static void finish_app(struct atspi_app *app)
{
	struct atspi_peer *peer = app->peer;
	struct buf id;

	read_comm(peer);
	peer->toolkit = atspi_toolkit_from_name(peer->toolkit_name);
	app->pid = peer->pid;
	app->toolkit = peer->toolkit;
	app->unresponsive = peer->silent;
	/* "Unnamed": GTK 4 without a GApplication. */
	bus_copy(app->name, sizeof(app->name),
	         peer->name[0] && strcmp(peer->name, "Unnamed") != 0 ? peer->name : peer->comm);
	bus_copy(app->comm, sizeof(app->comm), peer->comm);
	bus_copy(app->toolkit_name, sizeof(app->toolkit_name), peer->toolkit_name);
	bus_copy(app->toolkit_version, sizeof(app->toolkit_version), peer->toolkit_version);
	buf_init(&id, sizeof(app->id) - 1);
	buf_addf(&id, "%s#%d", app->name, (int)app->pid);
	bus_copy(app->id, sizeof(app->id), id.data);
	buf_done(&id);
	for (uint32_t i = 0; i < app->n_windows; i++) {
		finish_window(&app->windows[i]);
		app->active = app->active || app->windows[i].active;
	}
}

static void drop_gone(struct atspi_apps *apps)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < apps->n; i++) {
		if (apps->apps[i].peer->gone)
			app_clear(&apps->apps[i]);
		else
			apps->apps[kept++] = apps->apps[i];
	}
	apps->n = kept;
}

static int gather_all(struct atspi *a, struct call c, pid_t only, struct atspi_apps *apps,
                      struct error *e)
{
	int r = apps_gather(a, c, only, apps, e);

	if (r < 0)
		return r;
	drop_gone(apps);
	for (uint32_t i = 0; i < apps->n; i++)
		finish_app(&apps->apps[i]);
	return 0;
}

static int refresh(struct atspi *a, struct call c, int64_t wait_ms, pid_t only,
                   const struct atspi_apps **ret, struct error *e)
{
	struct atspi_apps fresh = { .frontmost = -1 };
	int r = atspi_bus_connect(a, c, e);

	if (r < 0)
		return r;
	/* The old list borrows peers that may be forgotten now. */
	atspi_apps_clear(&a->bus->apps);
	r = list_apps(a->bus, c, wait_ms, &fresh, e);
	if (r == 0)
		r = gather_all(a, c, only, &fresh, e);
	if (r < 0) {
		atspi_apps_clear(&fresh);
		return r;
	}
	if (only == 0)
		fresh.frontmost = atspi_frontmost(a, c, &fresh);
	a->bus->apps = fresh;
	*ret = &a->bus->apps;
	return 0;
}

int atspi_apps_refresh(struct atspi *a, struct call c, int64_t wait_ms,
                       const struct atspi_apps **ret, struct error *e)
{
	return refresh(a, c, wait_ms, 0, ret, e);
}

int atspi_app_refresh(struct atspi *a, struct call c, const char *which,
                      const struct atspi_apps **ret, const struct atspi_app **ret_app,
                      struct error *e)
{
	bool named = which && *which;
	int r = refresh(a, c, named ? 0 : -1, named ? atspi_pid_of_id(which) : 0, ret, e);

	return r < 0 ? r : atspi_app_find(*ret, which, ret_app, e);
}
