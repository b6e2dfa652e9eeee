/* What programs say about themselves, in three pipelined rounds: their process ids; facts of
 * programs not seen before, and the windows of all; the windows' own state. */
#include "backend/atspi/app.h"
#include "backend/atspi/bus.h"

/* --- facts and windows ----------------------------------------------------------------- */

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
	default: read_windows(app, m);
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
	struct bus_target direct = { peer, peer->root, ATSPI_I_APPLICATION,
		                         "GetApplicationBusAddress" };
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

/* --- the windows' state ---------------------------------------------------------------- */

enum window_part { PART_STATE, PART_ROLE, PART_NAME, N_PARTS };

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

int apps_gather(struct atspi *a, struct call c, pid_t only, struct atspi_apps *apps,
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
	return r < 0 ? r : gather_windows(&g, c, e);
}
