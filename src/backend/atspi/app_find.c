/* Which program is meant, and which is in front. */
#include "backend/atspi/app.h"
#include "backend/atspi/bus.h"
#include "backend/atspi/x11.h"

#include "base/fs.h"
#include "base/number.h"

#include <strings.h>

enum atspi_toolkit atspi_toolkit_from_name(const char *name)
{
	static const struct {
		const char *name;
		enum atspi_toolkit toolkit;
	} known[] = {
		/* By case: "gtk" is GTK 3, "GTK" is GTK 4. */
		{ "gtk", ATSPI_TOOLKIT_GTK3 },
		{ "GTK", ATSPI_TOOLKIT_GTK4 },
		{ "Qt", ATSPI_TOOLKIT_QT },
		{ "Chromium", ATSPI_TOOLKIT_CHROMIUM },
		{ "WebKitGTK", ATSPI_TOOLKIT_WEBKIT },
		{ "WebKitGtk", ATSPI_TOOLKIT_WEBKIT },
		{ "Gecko", ATSPI_TOOLKIT_GECKO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].toolkit;
	return ATSPI_TOOLKIT_OTHER;
}

static int of_pid(const struct atspi_apps *apps, pid_t pid)
{
	for (uint32_t i = 0; i < apps->n && pid > 0; i++)
		if (apps->apps[i].pid == pid)
			return (int)i;
	return -1;
}

/* The program of the topmost managed window that is shown; -1: unknown. */
static int topmost_on_screen(struct atspi *a, struct call c, const struct atspi_apps *apps,
                             bool only_active)
{
	struct x11_window *list = NULL;
	size_t n = 0;
	int found = -1;

	if (!a->x11 || !x11_available(a->x11) ||
	    x11_list_windows(a->x11, call_limit(c, LIM_ATSPI_CALL_MS), 0, &list, &n, NULL) < 0)
		return -1;
	for (size_t i = 0; i < n && found < 0; i++)
		if (list[i].viewable && !list[i].override_redirect && (list[i].active || !only_active))
			found = of_pid(apps, list[i].pid);
	free(list);
	return found;
}

static bool has_shown_window(const struct atspi_app *app)
{
	for (uint32_t i = 0; i < app->n_windows; i++)
		if (atspi_state(app->windows[i].states, ATSPI_STATE_SHOWING))
			return true;
	return false;
}

int atspi_frontmost(struct atspi *a, struct call c, const struct atspi_apps *apps)
{
	int active = -1, found;
	unsigned n_active = 0;

	for (uint32_t i = 0; i < apps->n; i++) {
		if (apps->apps[i].active) {
			active = (int)i;
			n_active++;
		}
	}
	if (n_active == 1)
		return active;
	found = topmost_on_screen(a, c, apps, n_active > 1);
	if (found >= 0)
		return found;
	if (n_active > 1)
		return active;
	for (uint32_t i = 0; i < apps->n; i++)
		if (has_shown_window(&apps->apps[i]))
			return (int)i;
	return -1;
}

/* --- by name ---------------------------------------------------------------------------------- */

pid_t atspi_pid_of_id(const char *which)
{
	const char *hash = strrchr(which, '#');
	int64_t pid;

	if (number_parse_int(hash ? hash + 1 : which, &pid) && pid > 0 && pid <= INT32_MAX)
		return (pid_t)pid;
	return 0;
}

static bool named(const struct atspi_app *app, const char *which)
{
	return strcmp(app->bus, which) == 0 || strcasecmp(app->name, which) == 0 ||
	       strcasecmp(app->comm, which) == 0;
}

static int ambiguous(const struct atspi_apps *apps, const char *which, struct error *e)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < apps->n; i++)
		if (named(&apps->apps[i], which))
			json_array_append_new(list, json_string(apps->apps[i].id));
	error_set(e, ERR_AMBIGUOUS_MATCH, "%zu running programs are called %s", json_array_size(list),
	          which);
	error_hint(e, "name one of them by its id from `deft apps`");
	error_detail(e, "candidates", list);
	return -ERR_AMBIGUOUS_MATCH;
}

int atspi_app_find(const struct atspi_apps *apps, const char *which, const struct atspi_app **ret,
                   struct error *e)
{
	const struct atspi_app *found = NULL;
	unsigned n = 0;
	int i;

	if (!which || !*which) {
		if (apps->frontmost < 0)
			return error_set(e, ERR_APP_NOT_RUNNING,
			                 "no program shows a window to the accessibility bus");
		*ret = &apps->apps[apps->frontmost];
		return 0;
	}
	i = of_pid(apps, atspi_pid_of_id(which));
	if (i >= 0) {
		*ret = &apps->apps[i];
		return 0;
	}
	for (uint32_t k = 0; k < apps->n; k++) {
		if (named(&apps->apps[k], which)) {
			found = &apps->apps[k];
			n++;
		}
	}
	if (n > 1)
		return ambiguous(apps, which, e);
	if (!found)
		return error_set(e, ERR_APP_NOT_RUNNING, "%s is not on the accessibility bus", which);
	*ret = found;
	return 0;
}

/* The parent process of pid; 0: unknown. */
static pid_t parent_of(pid_t pid)
{
	auto_buf struct buf path, text;
	const char *p;
	int64_t parent;

	buf_init(&path, 64);
	buf_init(&text, 4096);
	buf_addf(&path, "/proc/%d/stat", (int)pid);
	if (fs_read(path.data, 4096, &text, NULL) < 0)
		return 0;
	/* "pid (comm) state ppid …": comm may hold anything, brackets too. */
	p = strrchr(text.data, ')');
	if (!p || strlen(p) < 5)
		return 0;
	p += 4;
	text.data[p - text.data + (long)strcspn(p, " ")] = '\0';
	return number_parse_int(p, &parent) && parent > 1 ? (pid_t)parent : 0;
}

const struct atspi_app *atspi_app_of_pid(const struct atspi_apps *apps, pid_t pid)
{
	int i = of_pid(apps, pid);

	if (i >= 0)
		return &apps->apps[i];
	for (uint32_t k = 0; k < apps->n; k++) {
		pid_t up = apps->apps[k].pid;

		for (unsigned steps = 0; up > 1 && steps < 16; steps++) {
			if (up == pid)
				return &apps->apps[k];
			up = parent_of(up);
		}
	}
	return NULL;
}

static json_t *windows_json(const struct atspi_app *app)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < app->n_windows; i++) {
		const struct atspi_window *w = &app->windows[i];

		if (!atspi_state(w->states, ATSPI_STATE_SHOWING) && !w->unresponsive)
			continue;
		json_array_append_new(list, json_pack("{s:s, s:b}", "title", w->title ? w->title : "",
		                                      "active", (int)w->active));
	}
	return list;
}

json_t *atspi_app_json(const struct atspi_app *app)
{
	json_t *j =
	    json_pack("{s:s, s:s, s:i, s:b, s:b, s:o}", "id", app->id, "name", app->name, "pid",
	              (int)app->pid, "running", 1, "accessible", 1, "windows", windows_json(app));

	if (!j)
		return NULL;
	if (app->toolkit_name[0])
		json_object_set_new(j, "toolkit", json_string(app->toolkit_name));
	if (app->active)
		json_object_set_new(j, "frontmost", json_true());
	if (app->unresponsive)
		json_object_set_new(j, "unresponsive", json_true());
	return j;
}
