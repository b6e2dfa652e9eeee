#include "stub_live.h"

#include "base/clock.h"
#include "base/proc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_APPS 8

struct stub_bus {
	struct proc daemon;
	char address[256];
	struct stub_line registry;
	pthread_mutex_t lock;
	struct stub_app *apps[MAX_APPS];
	unsigned empty_first;
	bool mute;
};

/* --- a connection and its thread -------------------------------------------------------------- */

static void *serve(void *arg)
{
	struct stub_line *l = arg;

	while (!atomic_load(&l->stop)) {
		struct pollfd fds[2] = { { l->wake[0], POLLIN, 0 }, { -1, 0, 0 } };
		char drop[16];

		if (!atomic_load(&l->frozen)) {
			if (sd_bus_process(l->bus, NULL) > 0)
				continue;
			fds[1] = (struct pollfd){ sd_bus_get_fd(l->bus), (short)sd_bus_get_events(l->bus), 0 };
		}
		poll(fds, 2, -1);
		if (fds[0].revents && read(l->wake[0], drop, sizeof(drop)) < 0)
			break;
	}
	return NULL;
}

static void wake(struct stub_line *l)
{
	while (write(l->wake[1], "w", 1) < 0 && errno == EINTR)
		;
}

bool stub_line_start(struct stub_line *l, const char *address, const char *own_name,
                     sd_bus_message_handler_t handler, void *ctx)
{
	*l = (struct stub_line){ .bus = NULL };
	if (pipe(l->wake) < 0 || sd_bus_new(&l->bus) < 0 || sd_bus_set_address(l->bus, address) < 0 ||
	    sd_bus_set_bus_client(l->bus, true) < 0 || sd_bus_start(l->bus) < 0 ||
	    sd_bus_add_filter(l->bus, NULL, handler, ctx) < 0)
		return false;
	if (own_name && sd_bus_request_name(l->bus, own_name, 0) < 0)
		return false;
	return true;
}

void stub_line_run(struct stub_line *l)
{
	l->running = pthread_create(&l->thread, NULL, serve, l) == 0;
}

void stub_line_stop(struct stub_line *l)
{
	if (l->running) {
		atomic_store(&l->stop, true);
		wake(l);
		pthread_join(l->thread, NULL);
	}
	sd_bus_close(l->bus);
	sd_bus_unref(l->bus);
	close(l->wake[0]);
	close(l->wake[1]);
}

/* --- the registry ----------------------------------------------------------------------------- */

static int reply_apps(struct stub_bus *b, sd_bus_message *m)
{
	sd_bus_message *reply = NULL;
	bool empty = b->empty_first > 0;

	if (empty)
		b->empty_first--;
	sd_bus_message_new_method_return(m, &reply);
	sd_bus_message_open_container(reply, 'a', "(so)");
	for (unsigned i = 0; i < MAX_APPS && !empty; i++)
		if (b->apps[i])
			sd_bus_message_append(reply, "(so)", b->apps[i]->bus_name, STUB_PATH "root");
	sd_bus_message_close_container(reply);
	sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return 1;
}

static int on_registry(sd_bus_message *m, void *ctx, sd_bus_error *e)
{
	struct stub_bus *b = ctx;
	int r = 0;

	if (!sd_bus_message_is_method_call(m, NULL, NULL))
		return 0;
	pthread_mutex_lock(&b->lock);
	if (b->mute)
		r = 1;
	else if (sd_bus_message_is_method_call(m, NULL, "GetChildren"))
		r = reply_apps(b, m);
	else if (sd_bus_message_is_method_call(m, NULL, "RegisterEvent"))
		r = sd_bus_message_get_expect_reply(m) ? sd_bus_reply_method_return(m, NULL) + 1 : 1;
	pthread_mutex_unlock(&b->lock);
	return r;
}

/* --- the daemon ------------------------------------------------------------------------------- */

static bool read_address(struct stub_bus *b)
{
	size_t n = 0;

	while (n < sizeof(b->address) - 1) {
		ssize_t got = read(b->daemon.out, b->address + n, 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || b->address[n] == '\n')
			break;
		n++;
	}
	b->address[n] = '\0';
	return n > 0;
}

struct stub_bus *stub_bus_start(void)
{
	static const char *const argv[] = { "dbus-daemon", "--session",         "--nofork",
		                                "--nopidfile", "--print-address=1", NULL };
	struct proc_opts opts = { .argv = argv, .pipe_out = true, .die_with_parent = true };
	struct stub_bus *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	pthread_mutex_init(&b->lock, NULL);
	if (proc_start(&b->daemon, &opts, NULL) < 0) {
		free(b);
		return NULL;
	}
	if (!read_address(b) ||
	    !stub_line_start(&b->registry, b->address, "org.a11y.atspi.Registry", on_registry, b)) {
		proc_end(&b->daemon, 1000);
		free(b);
		return NULL;
	}
	stub_line_run(&b->registry);
	setenv("AT_SPI_BUS_ADDRESS", b->address, 1);
	return b;
}

void stub_bus_stop(struct stub_bus *b)
{
	if (!b)
		return;
	for (unsigned i = 0; i < MAX_APPS; i++)
		stub_app_stop(b->apps[i]);
	stub_line_stop(&b->registry);
	proc_end(&b->daemon, 1000);
	pthread_mutex_destroy(&b->lock);
	free(b);
	unsetenv("AT_SPI_BUS_ADDRESS");
}

const char *stub_bus_address(const struct stub_bus *b)
{
	return b->address;
}

void stub_bus_empty_first(struct stub_bus *b, unsigned times)
{
	pthread_mutex_lock(&b->lock);
	b->empty_first = times;
	pthread_mutex_unlock(&b->lock);
}

void stub_bus_mute(struct stub_bus *b)
{
	pthread_mutex_lock(&b->lock);
	b->mute = true;
	pthread_mutex_unlock(&b->lock);
}

/* --- programs --------------------------------------------------------------------------------- */

struct stub_live *stub_find(struct stub_app *a, const char *id)
{
	for (size_t i = 0; i < a->program.n; i++)
		if (strcmp(a->live[i].node.id, id) == 0 && !a->live[i].removed)
			return &a->live[i];
	return NULL;
}

/* What is a made-up child's own: its name and its place. */
static int answer_made_up(sd_bus_message *m, const char *id)
{
	const char *iface, *name;
	int r = 0;

	if (sd_bus_message_is_method_call(m, "org.a11y.atspi.Accessible", "GetIndexInParent"))
		return sd_bus_reply_method_return(m, "i", atoi(id + 1));
	if (!sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Properties", "Get"))
		return 0;
	if (sd_bus_message_read(m, "ss", &iface, &name) > 0 && strcmp(name, "Name") == 0)
		r = sd_bus_reply_method_return(m, "v", "s", id);
	sd_bus_message_rewind(m, true);
	return r;
}

static int dispatch(struct stub_app *a, sd_bus_message *m)
{
	const char *path = sd_bus_message_get_path(m), *id = path;
	struct stub_live *o = NULL;
	bool root;

	if (strcmp(path, "/org/a11y/atspi/cache") == 0)
		return stub_answer_cache(a, m);
	if (strncmp(path, STUB_PATH, strlen(STUB_PATH)) == 0)
		id = path + strlen(STUB_PATH);
	root = strcmp(id, "root") == 0;
	if (!root)
		o = stub_find(a, id);
	if (id[0] == 'x' && !o) {
		int r = answer_made_up(m, id);

		if (r != 0)
			return r;
		o = stub_find(a, "extra");
	}
	if (o && (o->node.quirks & STUB_GTK4_GONE))
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_METHOD, "Object does not exist at path “/x”");
	if (!root && (!o || (o->node.quirks & STUB_GONE)))
		return stub_refuse(m, SD_BUS_ERROR_UNKNOWN_OBJECT, "no such object");
	if (sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Properties", "GetAll"))
		a->seen.get_all++;
	if (strcmp(sd_bus_message_get_interface(m), "org.a11y.atspi.Accessible") == 0)
		return stub_answer_accessible(a, o, m);
	return stub_answer_other(a, o, m);
}

static int on_call(sd_bus_message *m, void *ctx, sd_bus_error *e)
{
	struct stub_app *a = ctx;
	int r;

	if (!sd_bus_message_is_method_call(m, NULL, NULL))
		return 0;
	pthread_mutex_lock(&a->lock);
	a->seen.calls++;
	r = dispatch(a, m);
	pthread_mutex_unlock(&a->lock);
	return r < 0 ? r : 1;
}

static void make_live(struct stub_app *a)
{
	for (size_t i = 0; i < a->program.n; i++) {
		struct stub_live *o = &a->live[i];

		o->node = a->program.nodes[i];
		o->value = o->node.value;
		snprintf(o->name, sizeof(o->name), "%s", o->node.name ? o->node.name : "");
		snprintf(o->text, sizeof(o->text), "%s", o->node.text ? o->node.text : "");
	}
}

static void enlist(struct stub_app *a, bool on)
{
	pthread_mutex_lock(&a->on->lock);
	for (unsigned i = 0; i < MAX_APPS; i++) {
		if (a->on->apps[i] == (on ? NULL : a)) {
			a->on->apps[i] = on ? a : NULL;
			break;
		}
	}
	pthread_mutex_unlock(&a->on->lock);
}

struct stub_app *stub_app_start(struct stub_bus *b, const struct stub_program *p)
{
	struct stub_app *a = calloc(1, sizeof(*a));
	const char *name = NULL;

	if (!a)
		return NULL;
	a->on = b;
	a->program = *p;
	a->live = calloc(p->n + 1, sizeof(*a->live));
	pthread_mutex_init(&a->lock, NULL);
	make_live(a);
	if (!stub_line_start(&a->line, b->address, NULL, on_call, a) ||
	    sd_bus_get_unique_name(a->line.bus, &name) < 0) {
		free(a->live);
		free(a);
		return NULL;
	}
	snprintf(a->bus_name, sizeof(a->bus_name), "%s", name);
	stub_line_run(&a->line);
	enlist(a, true);
	return a;
}

void stub_app_stop(struct stub_app *a)
{
	if (!a)
		return;
	enlist(a, false);
	stub_line_stop(&a->line);
	pthread_mutex_destroy(&a->lock);
	free(a->live);
	free(a);
}

void stub_app_freeze(struct stub_app *a, bool frozen)
{
	atomic_store(&a->line.frozen, frozen);
	wake(&a->line);
}

const char *stub_app_bus(const struct stub_app *a)
{
	return a->bus_name;
}

struct stub_seen stub_app_seen(struct stub_app *a)
{
	struct stub_seen seen;

	pthread_mutex_lock(&a->lock);
	seen = a->seen;
	pthread_mutex_unlock(&a->lock);
	return seen;
}

void stub_app_set_role(struct stub_app *a, const char *id, uint32_t role)
{
	pthread_mutex_lock(&a->lock);
	stub_find(a, id)->node.role = role;
	pthread_mutex_unlock(&a->lock);
}

void stub_app_set_name(struct stub_app *a, const char *id, const char *name)
{
	pthread_mutex_lock(&a->lock);
	snprintf(stub_find(a, id)->name, sizeof(a->live->name), "%s", name);
	pthread_mutex_unlock(&a->lock);
}

void stub_app_set_states(struct stub_app *a, const char *id, uint64_t states)
{
	pthread_mutex_lock(&a->lock);
	stub_find(a, id)->node.states = states;
	pthread_mutex_unlock(&a->lock);
}

void stub_app_set_caret(struct stub_app *a, const char *id, int caret)
{
	pthread_mutex_lock(&a->lock);
	stub_find(a, id)->caret = caret;
	pthread_mutex_unlock(&a->lock);
}

void stub_app_remove(struct stub_app *a, const char *id)
{
	pthread_mutex_lock(&a->lock);
	stub_find(a, id)->removed = true;
	pthread_mutex_unlock(&a->lock);
}

void stub_app_text(struct stub_app *a, const char *id, char *out, size_t size)
{
	pthread_mutex_lock(&a->lock);
	snprintf(out, size, "%s", stub_find(a, id)->text);
	pthread_mutex_unlock(&a->lock);
}

double stub_app_value(struct stub_app *a, const char *id)
{
	double value;

	pthread_mutex_lock(&a->lock);
	value = stub_find(a, id)->value;
	pthread_mutex_unlock(&a->lock);
	return value;
}
