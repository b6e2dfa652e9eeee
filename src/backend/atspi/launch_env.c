#include "backend/atspi/desktop_entry.h"
#include "backend/atspi/launch.h"
#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <string.h>

extern char **environ;

/* NAME=value strings; of one name the last one set stays. */
struct env {
	char **list;
	size_t n, cap;
	bool failed;
};

static bool same_name(const char *assignment, const char *name)
{
	size_t n = strcspn(name, "=");
	return strncmp(assignment, name, n) == 0 && assignment[n] == '=';
}

static void env_unset(struct env *v, const char *name)
{
	size_t n = 0;
	for (size_t i = 0; i < v->n; i++) {
		if (same_name(v->list[i], name))
			free(v->list[i]);
		else
			v->list[n++] = v->list[i];
	}
	v->n = n;
	if (v->list)
		v->list[n] = NULL;
}

static const char *env_get(const struct env *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (same_name(v->list[i], name))
			return strchr(v->list[i], '=') + 1;
	return NULL;
}

static void env_put(struct env *v, const char *assignment)
{
	env_unset(v, assignment);
	if (v->n + 2 > v->cap) {
		size_t cap = v->cap ? v->cap * 2 : 128;
		char **grown = realloc(v->list, cap * sizeof(*grown));
		v->failed = v->failed || !grown;
		if (!grown)
			return;
		v->list = grown;
		v->cap = cap;
	}
	v->list[v->n] = strdup(assignment);
	v->failed = v->failed || !v->list[v->n];
	v->n += v->list[v->n] != NULL;
	v->list[v->n] = NULL;
}

static void env_set(struct env *v, const char *name, const char *value)
{
	auto_buf struct buf b;
	buf_init(&b, LIM_RUNNER_REQUEST);
	buf_addf(&b, "%s=%s", name, value);
	env_put(v, b.data);
	v->failed = v->failed || b.over;
}

static bool starts_with(const char *s, const char *prefix)
{
	return s && strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The toolkits' own switches: what hides a program goes, what shows it is set. */
static void accessible(struct env *v)
{
	env_unset(v, "NO_AT_BRIDGE");
	if (starts_with(env_get(v, "GTK_A11Y"), "none"))
		env_unset(v, "GTK_A11Y");
	env_set(v, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
	env_set(v, "QT_ACCESSIBILITY", "1");
	env_set(v, "GNOME_ACCESSIBILITY", "1");
	env_set(v, "ACCESSIBILITY_ENABLED", "1");
	/* With a software GL renderer GTK 4 draws without end and never registers. */
	if (!env_get(v, "GSK_RENDERER"))
		env_set(v, "GSK_RENDERER", "cairo");
}

/* A program has to come up on the display that this runner drives. */
static void on_display(struct env *v, const struct x11 *x)
{
	if (!x11_available(x))
		return;
	env_unset(v, "WAYLAND_DISPLAY");
	env_set(v, "DISPLAY", x11_display(x));
	if (starts_with(env_get(v, "XDG_SESSION_TYPE"), "wayland"))
		env_set(v, "XDG_SESSION_TYPE", "x11");
	if (starts_with(env_get(v, "GDK_BACKEND"), "wayland"))
		env_unset(v, "GDK_BACKEND");
	if (starts_with(env_get(v, "QT_QPA_PLATFORM"), "wayland"))
		env_unset(v, "QT_QPA_PLATFORM");
}

static int add_extra(struct env *v, const json_t *extra, struct error *e)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)extra, name, value)
	{
		if (!*name || strchr(name, '=') || !json_is_string(value))
			return error_set(e, ERR_INVALID_ARGS, "env must be an object of strings");
		env_set(v, name, json_string_value(value));
	}
	return 0;
}

int launch_env(const struct atspi *a, const json_t *extra, const char *mark, char ***ret,
               struct error *e)
{
	struct env v = { NULL };
	for (char **at = environ; at && *at; at++)
		if (strchr(*at, '=') && !starts_with(*at, "DEFT_RUNNER_"))
			env_put(&v, *at);
	accessible(&v);
	on_display(&v, a->x11);
	int r = add_extra(&v, extra, e);
	env_put(&v, mark);
	if (r == 0 && v.failed)
		r = error_set(e, ERR_COMMAND_FAILED, "memory ran out");
	if (r < 0) {
		desktop_argv_free(v.list);
		return r;
	}
	*ret = v.list;
	return 0;
}
