/* rb_ops.launch: raise the running instance, or start one and wait until it can be driven. */
#include "backend/atspi/launch.h"

#include "backend/atspi/process.h"
#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/jx.h"
#include "base/limits.h"

#include <string.h>

#define POLL_MS 25

/* --- running instances ---------------------------------------------------------------------- */

static int several(const struct atspi_apps *apps, const struct program *p, size_t n,
                   struct error *e)
{
	json_t *ids = json_array();
	for (uint32_t i = 0; i < apps->n; i++)
		if (program_is(p, &apps->apps[i]))
			json_array_append_new(ids, json_string(apps->apps[i].id));
	error_set(e, ERR_AMBIGUOUS_MATCH, "%s runs %zu times", p->id, n);
	error_hint(e, "name one of them by its id, such as %s",
	           json_string_value(json_array_get(ids, 0)));
	error_detail(e, "candidates", ids);
	return -ERR_AMBIGUOUS_MATCH;
}

/* The one running instance in a fresh list; *ret NULL: none. */
static int find_instance(struct atspi *a, struct call c, const struct program *p,
                         const struct atspi_app **ret, struct error *e)
{
	const struct atspi_apps *apps;
	const struct atspi_app *found = NULL;
	size_t n = 0;
	int r = atspi_apps_refresh(a, c, 0, &apps, e);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < apps->n; i++)
		if (program_is(p, &apps->apps[i])) {
			found = &apps->apps[i];
			n++;
		}
	if (n > 1)
		return several(apps, p, n, e);
	*ret = found;
	return 0;
}

/* Brings it forward unless that is not wanted, and says how it stands then. */
static int raise_instance(struct atspi *a, struct call c, const struct atspi_app *app,
                          const struct rb_launch *l, bool started, json_t **ret, struct error *e)
{
	const struct atspi_apps *apps;
	char id[sizeof(app->id)];
	memcpy(id, app->id, sizeof(id));
	int r = l->background ? 0 : launch_raise(a, c, app->pid, e);
	if (r == 0)
		r = atspi_apps_refresh(a, c, 0, &apps, e);
	if (r == 0)
		r = atspi_app_find(apps, id, &app, e);
	if (r < 0)
		return r;
	*ret = atspi_app_json(app);
	jx_set_bool(*ret, "started", started);
	return 0;
}

/* --- waiting for the new one ---------------------------------------------------------------- */

/* The application that the started process, or one that came out of it, has become. */
static const struct atspi_app *became(const struct atspi_apps *apps, const struct started *s)
{
	const struct atspi_app *app = atspi_app_of_pid(apps, s->proc->id.pid);
	for (uint32_t i = 0; i < apps->n && !app; i++)
		if (apps->apps[i].pid > 0 && process_has_env(apps->apps[i].pid, s->mark))
			app = &apps->apps[i];
	return app;
}

/* A program that ended well has handed over to another instance: the one of its kind that runs. */
static const struct atspi_app *handed_over(const struct atspi_apps *apps, const struct program *p)
{
	for (uint32_t i = 0; i < apps->n; i++)
		if (program_is(p, &apps->apps[i]))
			return &apps->apps[i];
	return NULL;
}

static int not_accessible(const struct started *s, const struct program *p, struct error *e)
{
	error_set(e, ERR_APP_NOT_ACCESSIBLE,
	          "%s runs as process %d but does not show on the accessibility bus", p->id,
	          (int)s->proc->id.pid);
	error_detail_int(e, "pid", s->proc->id.pid);
	if (s->log[0])
		error_detail_str(e, "log", s->log);
	error_hint(e, "it may still be starting: `deft apps`; a program without accessibility "
	              "can be driven by coordinates and keys with a screenshot");
	return -ERR_APP_NOT_ACCESSIBLE;
}

/* One look: 1 found, 0 not yet, or the error that ends the waiting. */
static int look(struct atspi *a, struct call c, const struct program *p, struct started *s,
                const struct atspi_app **ret, struct error *e)
{
	const struct atspi_apps *apps;
	bool alive = proc_alive(s->proc);
	int r = atspi_apps_refresh(a, c, 0, &apps, e);
	if (r < 0)
		return r;
	const struct atspi_app *app = became(apps, s);
	if (!app && !alive) {
		int status = 0;
		proc_wait(s->proc, c, &status, NULL);
		app = status == 0 ? handed_over(apps, p) : NULL;
		if (status != 0)
			return launch_ended(s, p, status, e);
	}
	if (!app || app->n_windows == 0)
		return 0;
	*ret = app;
	return 1;
}

/* Ended with 0 and nothing came: given up sooner than a program that still starts. */
#define AFTER_END_MS 3000

static int wait_for(struct atspi *a, struct call c, const struct program *p, struct started *s,
                    const struct atspi_app **ret, struct error *e)
{
	struct call all = call_limit(c, LIM_LAUNCH_MS);
	struct deadline after_end = DEADLINE_NEVER;
	for (;;) {
		int r = look(a, all, p, s, ret, e);
		if (r == 0 && !proc_alive(s->proc) && after_end.at_ms == INT64_MAX)
			after_end = deadline_in(AFTER_END_MS);
		if (r == 0 && deadline_over(after_end))
			return launch_ended(s, p, 0, e);
		if (r == 0)
			r = clock_wait(POLL_MS, c.cancel, e);
		if (r == 0 && !deadline_over(all.deadline))
			continue;
		if (r == 0 || r == -ERR_TIMEOUT)
			return proc_alive(s->proc) ? not_accessible(s, p, e) : launch_ended(s, p, 0, e);
		return r < 0 ? r : 0;
	}
}

/* --- documents and URLs --------------------------------------------------------------------- */

/* xdg-open ends when it has handed the target on; which program took it is what is in front then. */
static int open_target(struct atspi *a, struct call c, const struct program *p,
                       const struct rb_launch *l, json_t **ret, struct error *e)
{
	struct started s;
	int status = 0;
	int r = launch_start(a, p, l, &s, e);
	if (r == 0)
		r = proc_wait(s.proc, call_limit(c, LIM_LAUNCH_MS), &status, e);
	if (r < 0)
		return r;
	if (status != 0) {
		launch_ended(&s, p, status, e);
		error_set(e, ERR_APP_NOT_FOUND, "no program opens \"%s\"", l->target);
		error_hint(e, "name the program too: `deft open <program> <document>`");
		return -ERR_APP_NOT_FOUND;
	}
	const struct atspi_apps *apps;
	const struct atspi_app *app = NULL;
	struct deadline until = deadline_min(deadline_in(AFTER_END_MS), c.deadline);
	while (!app && !deadline_over(until)) {
		r = atspi_apps_refresh(a, c, 0, &apps, e);
		for (uint32_t i = 0; r == 0 && i < apps->n && !app; i++)
			if (apps->apps[i].pid > 0 && process_has_env(apps->apps[i].pid, s.mark))
				app = &apps->apps[i];
		if (r == 0 && !app)
			r = clock_wait(POLL_MS, c.cancel, e);
		if (r < 0)
			return r;
	}
	if (app)
		return raise_instance(a, c, app, l, true, ret, e);
	error_set(e, ERR_APP_NOT_ACCESSIBLE,
	          "\"%s\" was handed to the desktop's opener, and no program "
	          "that shows on the accessibility bus has taken it",
	          l->target);
	error_hint(e, "a running program may show it now: `deft apps`");
	return -ERR_APP_NOT_ACCESSIBLE;
}

/* --- the operation -------------------------------------------------------------------------- */

static int start_new(struct atspi *a, struct call c, const struct program *p,
                     const struct rb_launch *l, json_t **ret, struct error *e)
{
	struct started s;
	const struct atspi_app *app = NULL;
	int r = launch_start(a, p, l, &s, e);
	if (r == 0)
		r = wait_for(a, c, p, &s, &app, e);
	return r < 0 ? r : raise_instance(a, c, app, l, true, ret, e);
}

static int end_instance(struct atspi *a, struct call c, const struct atspi_app *app,
                        struct error *e)
{
	bool left = false;
	char id[sizeof(app->id)];
	memcpy(id, app->id, sizeof(id));
	int r = launch_end(a, c, app->pid, false, &left, e);
	if (r < 0 || !left)
		return r;
	error_set(e, ERR_COMMAND_FAILED, "%s did not close when it was asked to", id);
	error_reason(e, "still_running");
	error_hint(e, "it may ask whether to save: look with `deft snapshot`, or end it with "
	              "`deft close --force`");
	return -ERR_COMMAND_FAILED;
}

/* A target such as "galculator#4711" names what runs already. */
static int by_app_id(struct atspi *a, struct call c, const struct rb_launch *l, json_t **ret,
                     bool *ret_done, struct error *e)
{
	const struct atspi_apps *apps;
	const struct atspi_app *app;
	*ret_done = false;
	if (!strchr(l->target, '#') || strchr(l->target, '/') || strchr(l->target, ':'))
		return 0;
	int r = atspi_apps_refresh(a, c, 0, &apps, e);
	if (r == 0)
		r = atspi_app_find(apps, l->target, &app, e);
	if (r < 0)
		return r;
	if (l->relaunch || json_array_size(l->args) > 0)
		return error_set(e, ERR_INVALID_ARGS,
		                 "%s is a running program: it can be raised, not started", l->target);
	*ret_done = true;
	return raise_instance(a, c, app, l, false, ret, e);
}

/* A name that no entry or file has may still be that of a running application (a script, say). Keeps the
 * error of the search for a program when nothing runs under that name. */
static int by_running_name(struct atspi *a, struct call c, const struct rb_launch *l, json_t **ret,
                           struct error *e)
{
	auto_error struct error why = ERROR_INIT;
	const struct atspi_apps *apps;
	const struct atspi_app *app;
	if (strpbrk(l->target, "/:") || l->relaunch || json_array_size(l->args) > 0)
		return -ERR_APP_NOT_FOUND;
	int r = atspi_apps_refresh(a, c, 0, &apps, &why);
	if (r == 0)
		r = atspi_app_find(apps, l->target, &app, &why);
	if (r == 0) {
		error_clear(e);
		return raise_instance(a, c, app, l, false, ret, e);
	}
	if (r != -ERR_AMBIGUOUS_MATCH)
		return -ERR_APP_NOT_FOUND;
	error_move(e, &why);
	return r;
}

int atspi_launch(struct atspi *a, struct call c, const struct rb_launch *l, json_t **ret,
                 struct error *e)
{
	struct program p = { .argv = NULL };
	const struct atspi_app *running = NULL;
	bool done = false;
	int r = by_app_id(a, c, l, ret, &done, e);
	if (r == 0 && !done)
		r = program_resolve(l->target, l->args, &p, e);
	if (r == -ERR_APP_NOT_FOUND)
		return by_running_name(a, c, l, ret, e);
	if (r < 0 || done)
		return r;
	/* Arguments must reach the program: only a start delivers them. */
	if (p.kind != PROGRAM_OPENER && (!p.has_args || l->relaunch))
		r = find_instance(a, c, &p, &running, e);
	if (r == 0 && running && l->relaunch)
		r = end_instance(a, c, running, e);
	if (r == 0) {
		if (p.kind == PROGRAM_OPENER)
			r = open_target(a, c, &p, l, ret, e);
		else if (running && !l->relaunch)
			r = raise_instance(a, c, running, l, false, ret, e);
		else
			r = start_new(a, c, &p, l, ret, e);
	}
	program_done(&p);
	return r;
}
