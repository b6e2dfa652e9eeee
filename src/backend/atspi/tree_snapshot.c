#include "backend/atspi/tree.h"

#include "base/cleanup.h"
#include "base/limits.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum surface { SURFACE_APP, SURFACE_FRONTMOST, SURFACE_DESKTOP, N_SURFACES };

static const char *const surfaces[N_SURFACES] = { "app", "frontmost-app", "desktop" };

static int parse_surface(const char *name, enum surface *ret, struct error *e)
{
	*ret = SURFACE_APP;
	for (unsigned i = 0; name && i < N_SURFACES; i++) {
		if (strcmp(name, surfaces[i]) == 0) {
			*ret = i;
			return 0;
		}
	}
	if (!name)
		return 0;
	error_set(e, ERR_INVALID_ARGS, "unknown surface %s", name);
	error_hint(e, "a desktop has the surfaces app, frontmost-app and desktop");
	return -ERR_INVALID_ARGS;
}

/* The programs that belong to the surface; *ret_app NULL: all of them. */
static int find_apps(struct atspi *a, struct call c, const char *app, enum surface surface,
                     const struct atspi_apps **ret, const struct atspi_app **ret_app,
                     struct error *e)
{
	*ret_app = NULL;
	if (surface == SURFACE_DESKTOP)
		return atspi_apps_refresh(a, c, -1, ret, e);
	return atspi_app_refresh(a, c, surface == SURFACE_FRONTMOST ? NULL : app, ret, ret_app, e);
}

static int read_tree(struct tree_reader *r, struct error *e)
{
	int result = reader_walk(r, e);

	if (result == 0 && !r->out_of_time)
		result = reader_details(r, e);
	return result;
}

/* A program without a window may be one that is just being taken down by the kernel: its end is waited
 * for a moment before "no window" is believed. */
static bool ends_now(struct call c, const struct atspi_app *app)
{
	int auto_close fd = -1;

	if (app->peer->pid <= 0)
		return false;
	fd = (int)syscall(SYS_pidfd_open, app->peer->pid, 0);
	if (fd < 0)
		return errno == ESRCH;
	return call_poll(call_limit(c, LIM_ATSPI_READ_BACK_MS), fd, POLLIN, "the program", NULL) > 0;
}

static int has_ended(const struct atspi_app *app, struct error *e)
{
	error_set(e, ERR_APP_NOT_RUNNING, "%.100s has ended", app->name[0] ? app->name : "the program");
	return -ERR_APP_NOT_RUNNING;
}

int atspi_snapshot(struct atspi *a, struct call c, const struct rb_snapshot_opts *o,
                   struct ui_tree *ret, struct error *e)
{
	const struct atspi_apps *apps;
	const struct atspi_app *app;
	auto_reader struct tree_reader r = { NULL };
	struct ui_tree tree;
	enum surface surface;
	int result = parse_surface(o->surface, &surface, e);

	if (result == 0)
		result = find_apps(a, c, o->app, surface, &apps, &app, e);
	if (result < 0)
		return result;
	reader_init(&r, a, c, o);
	for (uint32_t i = 0; i < apps->n; i++)
		if (!app || app == &apps->apps[i])
			reader_add_app(&r, &apps->apps[i]);
	result = read_tree(&r, e);
	/* One that dies while it is read would look like one without windows. */
	if (result == 0 && app && (app->peer->gone || (r.n <= 1 && ends_now(c, app))))
		result = has_ended(app, e);
	if (result == -ERR_ELEMENT_STALE && app)
		result = has_ended(app, e);
	if (result == 0)
		result = ui_tree_init(&tree, e);
	if (result < 0)
		return result;
	result = reader_emit(&r, apps, &tree, e);
	if (result < 0) {
		ui_tree_done(&tree);
		return result;
	}
	tree.surface = ui_tree_text(&tree, surfaces[surface], NULL);
	*ret = tree;
	return 0;
}
