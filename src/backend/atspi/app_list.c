/* The programs on the accessibility bus and their top-level windows, read in three pipelined rounds:
 * the registry's list; facts of programs not seen before, and the windows of all; the windows' own
 * state. */
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

/* --- round 1: the registry's list --------------------------------------------------------------- */

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
		return error_hint(e, "restart at-spi2-registryd (package at-spi2-core) or the desktop session");
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

/* --- round 2: facts and windows ----------------------------------------------------------------- */

enum fact { FACT_PID, FACT_NAME, FACT_TOOLKIT, FACT_VERSION, FACT_DIRECT, FACT_WINDOWS, N_FACTS };

struct gather {
	struct atspi_bus *bus;
	struct atspi_apps *apps;
	pid_t only;          /* != 0: nothing is asked of other programs */
	char (*direct)[256]; /* per app: direct address, "" none */
};

static bool add_window(struct atspi_app *app, const char *path)
{
	struct atspi_window *grown = realloc(app->windows, (app->n_windows + 1) * sizeof(*grown));

	if (!grown)
		return false;
	app->windows = grown;
	grown[app->n_windows] = (struct atspi_window){ .path = strdup(path) };
	if (!grown[app->n_windows].path)
		return false;
	app->n_windows++;
	return true;
}

static void read_windows(struct atspi_app *app, sd_bus_message *m)
{
	const char *name, *path;

	if (sd_bus_message_enter_container(m, 'a', "(so)") < 0)
		return;
	while (app->n_windows < LIM_ATSPI_CHILDREN && sd_bus_message_read(m, "(so)", &name, &path) > 0)
		if (strcmp(path, ATSPI_NULL) != 0 && !add_window(app, path))
			return;
}

static void read_fact(struct atspi_app *app, enum fact fact, sd_bus_message *m, char *direct)
{
	struct atspi_peer *peer = app->peer;
	const char *text = NULL;
	uint32_t pid;

	switch (fact) {
	case FACT_PID:
		if (sd_bus_message_read(m, "u", &pid) > 0)
			peer->pid = (pid_t)pid;
		break;
	case FACT_NAME:
		if (bus_read_variant_string(m, &text))
			bus_copy(peer->name, sizeof(peer->name), text);
		break;
	case FACT_TOOLKIT:
		if (bus_read_variant_string(m, &text))
			bus_copy(peer->toolkit_name, sizeof(peer->toolkit_name), text);
		peer->facts = true;
		break;
	case FACT_VERSION:
		if (bus_read_variant_string(m, &text))
			bus_copy(peer->toolkit_version, sizeof(peer->toolkit_version), text);
		break;
	case FACT_DIRECT:
		if (sd_bus_message_read(m, "s", &text) > 0)
			bus_copy(direct, 256, text);
		break;
	default:
		read_windows(app, m);
	}
}

static void on_fact(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct gather *g = ctx;
	uint32_t i = tag / N_FACTS;
	enum fact fact = tag % N_FACTS;

	if (outcome == BUS_OK)
		read_fact(&g->apps->apps[i], fact, m, g->direct[i]);
	else if (outcome == BUS_REFUSED && fact == FACT_TOOLKIT)
		g->apps->apps[i].peer->facts = true; /* it has none, and will have none */
}

static int ask_property(struct bus_pipe *p, struct gather *g, uint32_t i, const char *iface,
                        const char *property, enum fact fact, int64_t patience, struct error *e)
{
	struct atspi_peer *peer = g->apps->apps[i].peer;
	struct bus_target t = { peer, peer->root, DBUS_I_PROPERTIES, "Get" };

	return bus_pipe_call(p, t, patience, on_fact, g, i * N_FACTS + fact, e, "ss", iface, property);
}

static int ask_facts(struct bus_pipe *p, struct gather *g, uint32_t i, int64_t patience,
                     struct error *e)
{
	struct atspi_peer *peer = g->apps->apps[i].peer;
	struct bus_target direct = { peer, peer->root, ATSPI_I_APPLICATION, "GetApplicationBusAddress" };
	/* The name of a program may come late: ask again. */
	int r = ask_property(p, g, i, ATSPI_I_ACCESSIBLE, "Name", FACT_NAME, patience, e);

	if (r < 0 || peer->facts)
		return r;
	r = ask_property(p, g, i, ATSPI_I_APPLICATION, "ToolkitName", FACT_TOOLKIT, patience, e);
	if (r == 0)
		r = ask_property(p, g, i, ATSPI_I_APPLICATION, "Version", FACT_VERSION, patience, e);
	if (r == 0)
		r = bus_pipe_call(p, direct, patience, on_fact, g, i * N_FACTS + FACT_DIRECT, e, NULL);
	return r;
}

/* Process ids come from the bus itself: no program can hold this up. */
static int gather_pids(struct gather *g, struct call c, struct error *e)
{
	struct bus_target t = { &g->bus->daemon, "/org/freedesktop/DBus", "org.freedesktop.DBus",
		                "GetConnectionUnixProcessID" };
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, g->bus, c);
	for (uint32_t i = 0; i < g->apps->n && r == 0; i++) {
		struct atspi_peer *peer = g->apps->apps[i].peer;

		if (peer->pid == 0)
			r = bus_pipe_call(&p, t, 0, on_fact, g, i * N_FACTS + FACT_PID, e, "s", peer->bus);
	}
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

static bool left_out(const struct gather *g, uint32_t i)
{
	return g->only != 0 && g->apps->apps[i].peer->pid != g->only;
}

static int gather_facts(struct gather *g, struct call c, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, g->bus, c);
	for (uint32_t i = 0; i < g->apps->n && r == 0; i++) {
		struct atspi_peer *peer = g->apps->apps[i].peer;
		struct bus_target t = { peer, peer->root, ATSPI_I_ACCESSIBLE, "GetChildren" };
		int64_t patience;

		if (left_out(g, i))
			continue;
		patience = bus_peer_patience(peer);
		r = ask_facts(&p, g, i, patience, e);
		if (r == 0)
			r = bus_pipe_call(&p, t, patience, on_fact, g, i * N_FACTS + FACT_WINDOWS, e, NULL);
	}
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

/* --- round 3: the windows' state ---------------------------------------------------------------- */

enum window_part { PART_STATE, PART_ROLE, PART_NAME, N_PARTS };

struct window_slot {
	struct atspi_window *w;
	enum window_part part;
};

static void on_window(void *ctx, uint32_t tag, enum bus_outcome outcome, sd_bus_message *m)
{
	struct atspi_window *w = ctx;
	const char *title;

	if (outcome == BUS_NO_ANSWER)
		w->unresponsive = true;
	if (outcome != BUS_OK)
		return;
	switch (tag) {
	case PART_STATE:
		if (!bus_read_states(m, &w->states))
			w->states = 0;
		break;
	case PART_ROLE:
		if (sd_bus_message_read(m, "u", &w->role) <= 0)
			w->role = 0;
		break;
	default:
		if (bus_read_variant_string(m, &title) && !w->title)
			w->title = strdup(title);
	}
}

static int ask_window(struct bus_pipe *p, struct atspi_app *app, struct atspi_window *w,
                      struct error *e)
{
	struct bus_target state = { app->peer, w->path, ATSPI_I_ACCESSIBLE, "GetState" };
	struct bus_target role = { app->peer, w->path, ATSPI_I_ACCESSIBLE, "GetRole" };
	struct bus_target get = { app->peer, w->path, DBUS_I_PROPERTIES, "Get" };
	int r = bus_pipe_call(p, state, 0, on_window, w, PART_STATE, e, NULL);

	if (r == 0)
		r = bus_pipe_call(p, role, 0, on_window, w, PART_ROLE, e, NULL);
	if (r == 0)
		r = bus_pipe_call(p, get, 0, on_window, w, PART_NAME, e, "ss", ATSPI_I_ACCESSIBLE, "Name");
	return r;
}

static int gather_windows(struct gather *g, struct call c, struct error *e)
{
	auto_pipe struct bus_pipe p;
	int r = 0;

	bus_pipe_init(&p, g->bus, c);
	for (uint32_t i = 0; i < g->apps->n; i++) {
		struct atspi_app *app = &g->apps->apps[i];

		for (uint32_t k = 0; k < app->n_windows && r == 0; k++)
			r = ask_window(&p, app, &app->windows[k], e);
	}
	return r < 0 ? r : bus_pipe_wait(&p, e);
}

/* --- putting it together ------------------------------------------------------------------------ */

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
	w->active = atspi_state(w->states, ATSPI_STATE_ACTIVE) &&
	            atspi_state(w->states, ATSPI_STATE_SHOWING);
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
	struct gather g = { .bus = a->bus, .apps = apps };
	int r;

	g.direct = calloc(apps->n + 1, sizeof(*g.direct));
	if (!g.direct)
		return error_set(e, ERR_COMMAND_FAILED, "out of memory");
	r = gather_pids(&g, c, e);
	for (uint32_t i = 0; i < apps->n && only > 0; i++)
		if (apps->apps[i].peer->pid == only)
			g.only = only;
	if (r == 0)
		r = gather_facts(&g, c, e);
	for (uint32_t i = 0; i < apps->n && r == 0; i++)
		if (g.direct[i][0])
			bus_peer_go_direct(a->bus, apps->apps[i].peer, g.direct[i], c);
	free(g.direct);
	if (r == 0)
		r = gather_windows(&g, c, e);
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
	/* The old list borrows peers that round 1 may forget. */
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

int atspi_app_refresh(struct atspi *a, struct call c, const char *which, const struct atspi_apps **ret,
                      const struct atspi_app **ret_app, struct error *e)
{
	bool named = which && *which;
	int r = refresh(a, c, named ? 0 : -1, named ? atspi_pid_of_id(which) : 0, ret, e);

	return r < 0 ? r : atspi_app_find(*ret, which, ret_app, e);
}
