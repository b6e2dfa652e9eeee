#include "atspi_fixture.h"

#include "base/clock.h"

#include <string.h>

int fx_setup(void **state)
{
	struct fx *f = calloc(1, sizeof(*f));

	f->bus = stub_bus_start();
	if (!f->bus)
		return -1;
	*state = f;
	return 0;
}

int fx_teardown(void **state)
{
	struct fx *f = *state;

	/* Whatever a test did: no program was ever asked for all its properties or for a secret. */
	if (f->app) {
		struct stub_seen seen = stub_app_seen(f->app);

		assert_int_equal(seen.get_all, 0);
		assert_int_equal(seen.password_reads, 0);
	}
	atspi_bus_close(&f->atspi);
	stub_bus_stop(f->bus);
	error_clear(&f->e);
	free(f);
	return 0;
}

struct call fx_call(void)
{
	return (struct call){ deadline_in(20000), NULL };
}

struct stub_app *fx_start(struct fx *f, const struct stub_program *p)
{
	struct stub_app *a = stub_app_start(f->bus, p);

	assert_non_null(a);
	if (!f->app)
		f->app = a;
	return a;
}

void fx_snapshot(struct fx *f, struct ui_tree *ret)
{
	const struct rb_snapshot_opts o = { .app = stub_app_bus(f->app),
		                                .surface = "app",
		                                .depth = -1 };
	int r = atspi_snapshot(&f->atspi, fx_call(), &o, ret, &f->e);

	if (r < 0)
		fail_msg("snapshot: %s", f->e.message);
}

static const struct ui_node *find(const struct ui_tree *t, const char *label)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->nodes[i].label && strcmp(t->nodes[i].label, label) == 0)
			return &t->nodes[i];
	return NULL;
}

const struct ui_node *fx_node(const struct ui_tree *t, const char *label)
{
	const struct ui_node *n = find(t, label);

	if (!n)
		fail_msg("no node %s", label);
	return n;
}

bool fx_has(const struct ui_tree *t, const char *label)
{
	return find(t, label) != NULL;
}

char *fx_handle(struct fx *f, const char *label)
{
	struct ui_tree t;
	char *handle;

	fx_snapshot(f, &t);
	assert_non_null(fx_node(&t, label)->handle);
	handle = strdup(fx_node(&t, label)->handle);
	ui_tree_done(&t);
	return handle;
}

const char *fx_reason(const struct fx *f)
{
	const char *reason = json_string_value(json_object_get(f->e.details, "reason"));

	return reason ? reason : "";
}
