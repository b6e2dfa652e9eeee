/* Running programs: bringing them forward, ending them, listing them beside the installed ones. */
#include "backend/atspi/app.h"
#include "backend/atspi/desktop_entry.h"
#include "backend/atspi/launch.h"
#include "backend/atspi/process.h"
#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#define POLL_MS 20
#define WINDOW_LOOK_MS 100

static int find_app(struct atspi *a, struct call c, const char *which, const struct atspi_app **ret,
                    struct error *e)
{
	const struct atspi_apps *apps;
	int r = atspi_apps_refresh(a, c, 0, &apps, e);
	return r < 0 ? r : atspi_app_find(apps, which, ret, e);
}

/* --- forward -------------------------------------------------------------------------------- */

/* The window to raise: a new program's takes a moment to be mapped. */
static int shown_window(struct atspi *a, struct call c, pid_t pid, struct x11_window *ret,
                        struct error *e)
{
	struct call limited = call_limit(c, LIM_X11_RAISE_MS);
	for (;;) {
		auto_free struct x11_window *list = NULL;
		size_t n = 0, at = SIZE_MAX;
		int r = x11_list_windows(a->x11, c, pid, &list, &n, e);
		if (r < 0)
			return r;
		for (size_t i = n; i-- > 0;)
			if (!list[i].override_redirect)
				at = i; /* the topmost, iconified ones too */
		if (at != SIZE_MAX) {
			*ret = list[at];
			return 1;
		}
		if (deadline_over(limited.deadline))
			return 0;
		r = clock_wait(POLL_MS, c.cancel, e);
		if (r < 0)
			return r;
	}
}

int launch_raise(struct atspi *a, struct call c, pid_t pid, struct error *e)
{
	struct x11_window w;
	if (!x11_available(a->x11) || pid <= 0)
		return 0;
	int r = shown_window(a, c, pid, &w, e);
	return r <= 0 ? r : x11_raise(a->x11, c, w.id, e);
}

int atspi_activate(struct atspi *a, struct call c, const char *app, struct error *e)
{
	const struct atspi_app *found;
	int r = x11_require(a->x11, "bring a program forward", e);
	if (r == 0)
		r = find_app(a, c, app, &found, e);
	if (r == 0 && found->pid <= 0)
		r = error_set(e, ERR_UNSUPPORTED_OPERATION, "the process of %s is not known", found->id);
	return r < 0 ? r : launch_raise(a, c, found->pid, e);
}

int atspi_prepare(struct atspi *a, struct call c, const char *app, bool interaction,
                  struct error *e)
{
	const struct atspi_app *found;
	pid_t active = 0;
	if (!interaction || !app || !x11_available(a->x11))
		return 0;
	int r = x11_active_pid(a->x11, c, &active, e);
	/* The usual case costs two round trips: the program is in front already. */
	if (r < 0 || (active != 0 && active == atspi_pid_of_id(app)))
		return r;
	r = find_app(a, c, app, &found, e);
	return r < 0 || found->pid == active ? r : launch_raise(a, c, found->pid, e);
}

/* --- ending --------------------------------------------------------------------------------- */

/* Asks every window to close; how many there were. */
static int ask_windows(struct atspi *a, struct call c, pid_t pid, size_t *ret_asked,
                       struct error *e)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0;
	*ret_asked = 0;
	if (!x11_available(a->x11))
		return 0;
	int r = x11_list_windows(a->x11, c, pid, &list, &n, e);
	for (size_t i = 0; r == 0 && i < n; i++) {
		if (list[i].override_redirect)
			continue;
		r = x11_close_window(a->x11, c, list[i].id, e);
		if (r == -ERR_ELEMENT_STALE) { /* gone with one before it */
			error_clear(e);
			r = 0;
		}
		*ret_asked += list[i].viewable;
	}
	return r;
}

/* A window came up since the closing was asked for: "save changes?", which a person must answer. */
static bool asks_back(struct atspi *a, struct call c, pid_t pid, size_t n_before)
{
	auto_free struct x11_window *list = NULL;
	size_t n = 0, managed = 0;
	if (n_before == 0 || x11_list_windows(a->x11, c, pid, &list, &n, NULL) < 0)
		return false;
	for (size_t i = 0; i < n; i++)
		managed += !list[i].override_redirect && list[i].viewable;
	return managed > n_before;
}

/* Waits until the process has ended; *ret_left: it asks back, or time ran out first. n_windows: how
 * many were asked to close, 0 when it was a signal. */
static int wait_gone(struct atspi *a, struct proc_id id, struct call c, size_t n_windows,
                     bool *ret_left, struct error *e)
{
	auto_close int fd = (int)syscall(SYS_pidfd_open, id.pid, 0);
	struct call all = call_limit(c, LIM_TERMINATE_MS);
	int r = 0;
	while (fd >= 0 && proc_id_alive(id) && !deadline_over(all.deadline)) {
		r = call_poll(call_limit(all, WINDOW_LOOK_MS), fd, POLLIN, "the program's end", e);
		if (r == -ERR_CANCELED)
			return r;
		if (r == -ERR_TIMEOUT && asks_back(a, all, id.pid, n_windows))
			break;
	}
	error_clear(e);
	*ret_left = proc_id_alive(id);
	return 0;
}

int launch_end(struct atspi *a, struct call c, pid_t pid, bool force, bool *ret_left,
               struct error *e)
{
	struct proc_id id = { pid, proc_start_time(pid) };
	size_t asked = 0;
	bool left = false;
	int r = 0;
	if (id.start == 0) {
		*ret_left = false;
		return 0;
	}
	if (!force)
		r = ask_windows(a, c, pid, &asked, e);
	if (r < 0)
		return r;
	if (asked == 0)
		proc_id_signal(id, SIGTERM);
	r = wait_gone(a, id, force ? call_limit(c, LIM_TERMINATE_MS / 5) : c, asked, &left, e);
	if (r == 0 && left && force) {
		proc_id_signal(id, SIGKILL);
		r = wait_gone(a, id, c, 0, &left, e);
	}
	launcher_reap(a->launcher);
	if (r == 0)
		*ret_left = left;
	return r;
}

int atspi_terminate(struct atspi *a, struct call c, const char *app, bool force, bool *ret_left,
                    struct error *e)
{
	const struct atspi_app *found;
	int r = find_app(a, c, app, &found, e);
	if (r == 0 && found->pid <= 0)
		r = error_set(e, ERR_UNSUPPORTED_OPERATION,
		              "the process of %s is not known, so it can't be ended", found->id);
	return r < 0 ? r : launch_end(a, c, found->pid, force, ret_left, e);
}

/* --- listing -------------------------------------------------------------------------------- */

/* The resolved program of an entry; NULL: unknown. */
static char *entry_program(const struct desktop_entry *d)
{
	char **argv = NULL;
	if (desktop_entry_argv(d, NULL, 0, &argv, NULL) < 0)
		return NULL;
	auto_free char *path = fs_which(argv[0], NULL);
	desktop_argv_free(argv);
	return path ? realpath(path, NULL) : NULL;
}

/* Notes in a running program's object which entry started it; false: none of them did. */
static bool note_running(json_t *running, const struct atspi_apps *apps,
                         const struct desktop_entry *d)
{
	auto_free char *program = entry_program(d);
	bool found = false;
	for (uint32_t i = 0; program && i < apps->n; i++) {
		if (apps->apps[i].pid <= 0 || !process_runs(apps->apps[i].pid, program))
			continue;
		jx_set_str(json_array_get(running, i), "desktopId", d->id);
		found = true;
	}
	return found;
}

static void add_installed(json_t *list, const struct atspi_apps *apps)
{
	struct desktop_entries all;
	desktop_entries_read(&all);
	for (size_t i = 0; i < all.n; i++) {
		const struct desktop_entry *d = &all.list[i];
		if (note_running(list, apps, d) || d->no_display || d->terminal)
			continue;
		json_t *o = json_object();
		jx_set_str(o, "id", d->id);
		jx_set_str(o, "name", d->name ? d->name : d->id);
		jx_set_bool(o, "running", false);
		json_array_append_new(list, o);
	}
	desktop_entries_done(&all);
}

int atspi_apps(struct atspi *a, struct call c, bool installed, json_t **ret, struct error *e)
{
	const struct atspi_apps none = { NULL, 0, -1 }, *apps = &none;
	auto_error struct error why = ERROR_INIT;
	/* Only a bus met for the first time may still be filling its list. */
	int r = atspi_apps_refresh(a, c, a->bus ? 0 : -1, &apps, &why);
	/* What is installed can be said without the bus. */
	if (r < 0 && (!installed || r != -ERR_DEVICE_UNAVAILABLE)) {
		error_move(e, &why);
		return r;
	}
	json_t *list = json_array();
	for (uint32_t i = 0; i < apps->n; i++)
		json_array_append_new(list, atspi_app_json(&apps->apps[i]));
	if (installed)
		add_installed(list, apps);
	*ret = list;
	return 0;
}
