/* Trees of programs that behave oddly. */
#include "atspi_fixture.h"

#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/clock.h"

#include <string.h>
#include <unistd.h>

#define FRAME(title)                                                            \
	{                                                                           \
		.id = "1", .role = 23, .name = title, .states = STUB_SHOWN | S(ACTIVE), \
		.ifaces = "Component", .rect = {                                        \
			100,                                                                \
			100,                                                                \
			400,                                                                \
			300                                                                 \
		}                                                                       \
	}

static const struct stub_node plain[] = {
	FRAME("Main"),
	{ .id = "2",
	  .parent = "1",
	  .role = 39,
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { 100, 100, 400, 300 } },
	{ .id = "3",
	  .parent = "2",
	  .role = 43,
	  .name = "Save",
	  .states = STUB_SHOWN | S(FOCUSABLE),
	  .ifaces = "Component Action",
	  .rect = { 110, 110, 80, 30 },
	  .actions = "click menu.popup" },
	{ .id = "4",
	  .parent = "2",
	  .role = 43,
	  .name = "Off",
	  .states = S(VISIBLE) | S(SHOWING),
	  .ifaces = "Component Action",
	  .rect = { 200, 110, 80, 30 },
	  .actions = "click" },
	{ .id = "5",
	  .parent = "2",
	  .role = 51,
	  .name = "Volume",
	  .states = STUB_SHOWN,
	  .ifaces = "Component Value",
	  .rect = { 110, 150, 200, 20 },
	  .min = 1,
	  .max = 100,
	  .step = 1,
	  .value = 40.5 },
	{ .id = "6",
	  .parent = "2",
	  .role = 61,
	  .name = "User",
	  .states = STUB_SHOWN | S(EDITABLE),
	  .ifaces = "Component Text EditableText",
	  .rect = { 110, 180, 200, 20 },
	  .text = "Jörg" },
	{ .id = "7",
	  .parent = "2",
	  .role = 40,
	  .name = "Secret",
	  .states = STUB_SHOWN | S(EDITABLE),
	  .ifaces = "Component Text EditableText",
	  .rect = { 110, 210, 200, 20 },
	  .text = "geheim" },
};

static void check_plain(const struct ui_tree *t)
{
	const struct ui_node *n = fx_node(t, "Save");

	assert_int_equal(t->count, 8);
	assert_string_equal(t->quality.state, "healthy");
	assert_string_equal(t->window_title, "Main");
	assert_int_equal(n->role, UI_BUTTON);
	assert_true(n->rect.x == 110 && n->rect.y == 110 && n->rect.width == 80 &&
	            n->rect.height == 30);
	assert_true(ui_has(n, UI_HITTABLE) && ui_has(n, UI_ENABLED) && ui_has(n, UI_VISIBLE));
	assert_int_equal(n->n_actions, 2);
	assert_string_equal(n->actions[0], "click");
	assert_string_equal(n->actions[1], "menu.popup");
	n = fx_node(t, "Off");
	assert_false(ui_has(n, UI_ENABLED));
	assert_false(ui_has(n, UI_HITTABLE));
	n = fx_node(t, "Volume");
	assert_true(ui_has(n, UI_HAS_RANGE));
	assert_true(n->range.min == 1 && n->range.max == 100 && n->range.step == 1);
	assert_string_equal(n->value, "40.5");
	assert_string_equal(fx_node(t, "User")->value, "Jörg");
}

static void check_with_cache(struct fx *f, enum stub_cache kind, const char *backend)
{
	struct ui_tree t;

	fx_program(f, plain, "gtk", kind);
	fx_snapshot(f, &t);
	check_plain(&t);
	assert_string_equal(t.quality.backend, backend);
	ui_tree_done(&t);
}

static void test_cache(void **state)
{
	check_with_cache(*state, STUB_CACHE_NEW, "atspi-cache");
}

static void test_cache_with_holes(void **state)
{
	check_with_cache(*state, STUB_CACHE_HOLES, "atspi-cache");
}

static void test_cache_with_a_stale_object(void **state)
{
	check_with_cache(*state, STUB_CACHE_STALE, "atspi-cache");
}

static void test_cache_of_the_old_form(void **state)
{
	check_with_cache(*state, STUB_CACHE_OLD, "atspi-cache");
}

static void test_empty_cache(void **state)
{
	check_with_cache(*state, STUB_CACHE_EMPTY_OLD, "atspi-walk");
}

static void test_no_cache(void **state)
{
	check_with_cache(*state, STUB_CACHE_REFUSED, "atspi-walk");
}

static void test_password_gives_only_its_length(void **state)
{
	struct fx *f = *state;
	struct ui_tree t;
	const struct ui_node *n;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	n = fx_node(&t, "Secret");
	assert_int_equal(n->role, UI_PASSWORD_FIELD);
	assert_true(ui_has(n, UI_PASSWORD));
	assert_null(n->value);
	assert_int_equal(n->hidden_count, 6);
	ui_tree_done(&t);
	assert_int_equal(stub_app_seen(f->app).password_reads, 0);
}

static void test_interactive_only_reads_no_action_names(void **state)
{
	struct fx *f = *state;
	struct rb_snapshot_opts o = { .surface = "app", .interactive_only = true, .depth = -1 };
	struct ui_tree t;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	o.app = stub_app_bus(f->app);
	assert_int_equal(atspi_snapshot(&f->atspi, fx_call(), &o, &t, &f->e), 0);
	assert_int_equal(t.count, 8);
	assert_int_equal(fx_node(&t, "Save")->n_actions, 0);
	assert_true(ui_has(fx_node(&t, "Save"), UI_HAS_RECT));
	ui_tree_done(&t);
}

static void test_depth(void **state)
{
	struct fx *f = *state;
	struct rb_snapshot_opts o = { .surface = "app", .depth = 2 };
	struct ui_tree t;

	fx_program(f, plain, "gtk", STUB_CACHE_REFUSED);
	o.app = stub_app_bus(f->app);
	assert_int_equal(atspi_snapshot(&f->atspi, fx_call(), &o, &t, &f->e), 0);
	assert_int_equal(t.count, 3);
	assert_int_equal(t.nodes[2].depth, 2);
	ui_tree_done(&t);
}

/* --- odd objects (an object of every kind that broke somebody's whole snapshot) --------------- */

static const struct stub_node odd[] = {
	FRAME("Odd"),
	{ .id = "2", .parent = "1", .role = 39, .name = "bare", .states = STUB_SHOWN },
	{ .id = "3",
	  .parent = "1",
	  .role = 43,
	  .name = "placeless",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .quirks = STUB_NO_EXTENTS },
	{ .id = "4",
	  .parent = "1",
	  .role = 43,
	  .name = "orphan",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .quirks = STUB_NO_PARENT,
	  .rect = { 110, 110, 20, 20 } },
	{ .id = "5",
	  .parent = "1",
	  .role = 43,
	  .name = "phantom",
	  .states = STUB_SHOWN,
	  .quirks = STUB_GONE },
	{ .id = "6",
	  .parent = "1",
	  .role = 39,
	  .name = "looping",
	  .states = STUB_SHOWN,
	  .quirks = STUB_LOOP },
	{ .id = "7",
	  .parent = "1",
	  .role = 43,
	  .name = "minimum",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { INT32_MIN, INT32_MIN, 1, 1 } },
	{ .id = "8", .parent = "1", .role = 70, .name = "check box", .states = STUB_SHOWN },
	{ .id = "9",
	  .parent = "1",
	  .role = 39,
	  .name = "shy",
	  .states = STUB_SHOWN,
	  .quirks = STUB_SHY },
	{ .id = "10",
	  .parent = "1",
	  .role = 43,
	  .name = "far away",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { 0, 0, 60, 25 } },
	{ .id = "12",
	  .parent = "1",
	  .role = 43,
	  .name = "nobody",
	  .states = STUB_SHOWN,
	  .quirks = STUB_NO_ROLE },
	{ .id = "13",
	  .parent = "1",
	  .role = 43,
	  .name = "gone in words",
	  .states = STUB_SHOWN,
	  .quirks = STUB_GTK4_GONE },
	{ .id = "11",
	  .parent = "1",
	  .role = 43,
	  .name = "last",
	  .states = STUB_SHOWN,
	  .ifaces = "Component",
	  .rect = { 120, 120, 60, 25 } },
};

static void check_odd(struct fx *f, enum stub_cache kind)
{
	struct ui_tree t;

	fx_program(f, odd, "Qt", kind);
	fx_snapshot(f, &t);
	assert_string_equal(t.quality.state, "healthy");
	assert_true(fx_has(&t, "bare"));
	assert_false(ui_has(fx_node(&t, "placeless"), UI_HAS_RECT));
	assert_false(ui_has(fx_node(&t, "placeless"), UI_HITTABLE));
	assert_true(ui_has(fx_node(&t, "orphan"), UI_HAS_RECT));
	assert_true(fx_has(&t, "looping"));
	assert_false(fx_has(&t, "minimum"));
	assert_int_equal(fx_node(&t, "check box")->role, UI_CHECK_BOX);
	assert_false(ui_has(fx_node(&t, "far away"), UI_HAS_RECT));
	assert_true(ui_has(fx_node(&t, "last"), UI_HITTABLE));
	ui_tree_done(&t);
}

static void test_odd_objects_by_walking(void **state)
{
	check_odd(*state, STUB_CACHE_EMPTY_OLD);
}

static void test_odd_objects_from_the_cache(void **state)
{
	check_odd(*state, STUB_CACHE_NEW);
}

static void test_vanished_objects_are_dropped_and_counted(void **state)
{
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, odd, "Qt", STUB_CACHE_EMPTY_OLD);
	fx_snapshot(f, &t);
	assert_false(fx_has(&t, "phantom"));
	assert_false(fx_has(&t, "nobody"));
	assert_false(fx_has(&t, "gone in words"));
	assert_int_equal(t.dropped, 3);
	ui_tree_done(&t);
}

static void test_raw_keeps_what_is_hidden(void **state)
{
	struct fx *f = *state;
	struct rb_snapshot_opts o = { .surface = "app", .raw = true, .depth = -1 };
	struct ui_tree t;

	fx_program(f, odd, "Qt", STUB_CACHE_NEW);
	o.app = stub_app_bus(f->app);
	assert_int_equal(atspi_snapshot(&f->atspi, fx_call(), &o, &t, &f->e), 0);
	assert_true(fx_has(&t, "minimum"));
	assert_false(ui_has(fx_node(&t, "minimum"), UI_VISIBLE));
	assert_false(ui_has(fx_node(&t, "minimum"), UI_HAS_RECT));
	ui_tree_done(&t);
}

/* --- silence ---------------------------------------------------------------------------------- */

static const struct stub_node mute_child[] = {
	FRAME("Mute"),
	{ .id = "2", .parent = "1", .role = 39, .name = "first", .states = STUB_SHOWN },
	{ .id = "3",
	  .parent = "1",
	  .role = 39,
	  .name = "second",
	  .states = STUB_SHOWN,
	  .quirks = STUB_MUTE_CHILDREN },
	{ .id = "4", .parent = "1", .role = 39, .name = "third", .states = STUB_SHOWN },
	{ .id = "5", .parent = "2", .role = 29, .name = "below the first", .states = STUB_SHOWN },
	{ .id = "6", .parent = "3", .role = 29, .name = "below the second", .states = STUB_SHOWN },
	{ .id = "7", .parent = "4", .role = 29, .name = "below the third", .states = STUB_SHOWN },
};

static void test_one_mute_object(void **state)
{
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, mute_child, "Qt", STUB_CACHE_EMPTY_OLD);
	fx_snapshot(f, &t);
	assert_true(ui_has(fx_node(&t, "second"), UI_UNRESPONSIVE));
	assert_false(ui_has(fx_node(&t, "first"), UI_UNRESPONSIVE));
	assert_true(fx_has(&t, "below the first"));
	assert_false(fx_has(&t, "below the second"));
	assert_true(fx_has(&t, "below the third"));
	assert_string_equal(t.quality.state, "partial");
	assert_string_equal(t.quality.reason_code, "not_responding");
	ui_tree_done(&t);
}

static void desktop(struct fx *f, struct ui_tree *ret)
{
	const struct rb_snapshot_opts o = { .surface = "desktop", .depth = -1 };

	if (atspi_snapshot(&f->atspi, fx_call(), &o, ret, &f->e) < 0)
		fail_msg("desktop: %s", f->e.message);
}

static void test_frozen_program_among_others(void **state)
{
	static const struct stub_node other[] = { FRAME("Other") };
	static const struct stub_program second = { "second", "gtk", other, 1, STUB_CACHE_NEW };
	struct fx *f = *state;
	struct stub_app *frozen;
	struct ui_tree t;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	frozen = fx_start(f, &second);
	desktop(f, &t);
	assert_string_equal(t.quality.state, "healthy");
	assert_true(fx_has(&t, "Other"));
	ui_tree_done(&t);

	stub_app_freeze(frozen, true);
	desktop(f, &t);
	assert_true(fx_has(&t, "Save"));
	assert_true(ui_has(fx_node(&t, "second"), UI_UNRESPONSIVE));
	assert_string_equal(t.quality.state, "partial");
	assert_int_equal(json_array_size(t.warnings), 1);
	ui_tree_done(&t);

	/* Its thaw is noticed without a new connection. */
	stub_app_freeze(frozen, false);
	desktop(f, &t);
	assert_string_equal(t.quality.state, "healthy");
	assert_true(fx_has(&t, "Other"));
	ui_tree_done(&t);
}

static void test_canceled(void **state)
{
	struct fx *f = *state;
	const struct rb_snapshot_opts o = { .surface = "desktop", .depth = -1 };
	struct cancel cancel;
	struct ui_tree t;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	desktop(f, &t);
	ui_tree_done(&t);
	stub_app_freeze(f->app, true);
	assert_int_equal(cancel_init(&cancel, NULL), 0);
	cancel_fire(&cancel);
	assert_int_equal(
	    atspi_snapshot(&f->atspi, (struct call){ deadline_in(20000), &cancel }, &o, &t, &f->e),
	    -ERR_CANCELED);
	stub_app_freeze(f->app, false);
	cancel_done(&cancel);
}

/* --- more ------------------------------------------------------------------------------------- */

static void test_list_fills_late(void **state)
{
	struct fx *f = *state;
	const struct atspi_apps *apps;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	stub_bus_empty_first(f->bus, 3);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), -1, &apps, &f->e), 0);
	assert_int_equal(apps->n, 1);
	assert_int_equal(apps->frontmost, 0);
	/* Taken as it is when the caller does not want to wait. */
	stub_bus_empty_first(f->bus, 1);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), 0, &apps, &f->e), 0);
	assert_int_equal(apps->n, 0);
}

static void test_active_and_not_showing_is_not_in_front(void **state)
{
	static const struct stub_node hidden[] = {
		{ .id = "1", .role = 23, .name = "Hidden", .states = S(ACTIVE) | S(SENSITIVE) },
	};
	static const struct stub_program second = { "shown", "gtk", plain, 7, STUB_CACHE_NEW };
	struct fx *f = *state;
	const struct atspi_apps *apps;

	fx_start(f, &second);
	fx_program(f, hidden, "gtk", STUB_CACHE_NEW);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), -1, &apps, &f->e), 0);
	assert_int_equal(apps->n, 2);
	assert_true(apps->frontmost >= 0);
	assert_string_equal(apps->apps[apps->frontmost].name, "shown");
}

static void test_two_programs_of_one_name(void **state)
{
	static const struct stub_program same = { "stub", "gtk", plain, 7, STUB_CACHE_NEW };
	struct fx *f = *state;
	const struct atspi_apps *apps;
	const struct atspi_app *app;

	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	fx_start(f, &same);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), -1, &apps, &f->e), 0);
	assert_int_equal(atspi_app_find(apps, "STUB", &app, &f->e), -ERR_AMBIGUOUS_MATCH);
	assert_int_equal(json_array_size(json_object_get(f->e.details, "candidates")), 2);
	assert_int_equal(atspi_app_find(apps, "nobody", &app, &f->e), -ERR_APP_NOT_RUNNING);
	assert_int_equal(atspi_app_find(apps, stub_app_bus(f->app), &app, &f->e), 0);
	assert_string_equal(app->bus, stub_app_bus(f->app));
	assert_int_equal(app->pid, getpid());
	assert_int_equal(atspi_app_find(apps, app->id, &app, &f->e), 0);
}

static void test_browser_with_accessibility_off(void **state)
{
	static const struct stub_node empty[] = { FRAME("Browser") };
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, empty, "Chromium", STUB_CACHE_REFUSED);
	fx_snapshot(f, &t);
	assert_string_equal(t.quality.state, "sparse");
	assert_string_equal(t.quality.reason_code, "accessibility_off");
	assert_int_equal(json_array_size(t.warnings), 1);
	ui_tree_done(&t);
}

static void test_closed_combo_box_of_qt(void **state)
{
	static const struct stub_node combo[] = {
		FRAME("Combo"),
		{ .id = "2",
		  .parent = "1",
		  .role = 11,
		  .name = "Normal",
		  .states = STUB_SHOWN | S(EXPANDABLE),
		  .ifaces = "Component",
		  .rect = { 110, 110, 100, 25 },
		  .labelled_by = "5" },
		{ .id = "3",
		  .parent = "2",
		  .role = 31,
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 0, 0, 756, 75 } },
		{ .id = "4",
		  .parent = "3",
		  .role = 32,
		  .name = "row",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 0, 0, 756, 25 } },
		{ .id = "5", .parent = "1", .role = 29, .name = "Mode:", .states = STUB_SHOWN },
	};
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, combo, "Qt", STUB_CACHE_EMPTY_OLD);
	fx_snapshot(f, &t);
	assert_false(fx_has(&t, "row"));
	/* Called by its label; what Qt gives as its name is what it shows. */
	for (uint32_t i = 0; i < t.count; i++)
		if (t.nodes[i].role == UI_COMBO_BOX) {
			assert_string_equal(t.nodes[i].label, "Mode:");
			assert_string_equal(t.nodes[i].value, "Normal");
		}
	ui_tree_done(&t);
	stub_app_set_states(f->app, "2", STUB_SHOWN | S(EXPANDABLE) | S(EXPANDED));
	fx_snapshot(f, &t);
	assert_true(fx_has(&t, "row"));
	ui_tree_done(&t);
}

static void test_gtk4_without_showing_and_enabled(void **state)
{
	static const struct stub_node gtk4[] = {
		FRAME("Gtk4"),
		{ .id = "2",
		  .parent = "1",
		  .role = 43,
		  .name = "Go",
		  .states = S(SENSITIVE) | S(VISIBLE),
		  .ifaces = "Component",
		  .rect = { 10, 10, 50, 20 } },
		{ .id = "3",
		  .parent = "1",
		  .role = 51,
		  .name = "GtkScale",
		  .states = S(SENSITIVE) | S(VISIBLE),
		  .ifaces = "Component",
		  .rect = { 10, 40, 50, 20 } },
		{ .id = "4",
		  .parent = "1",
		  .role = 43,
		  .name = "unmapped",
		  .states = S(SENSITIVE) | S(VISIBLE),
		  .ifaces = "Component",
		  .rect = { 0, 0, 0, 0 } },
	};
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, gtk4, "GTK", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	assert_true(ui_has(fx_node(&t, "Go"), UI_VISIBLE));
	assert_true(ui_has(fx_node(&t, "Go"), UI_ENABLED));
	/* Without an X server nobody knows where the window is: no place rather than a wrong one. */
	assert_false(ui_has(fx_node(&t, "Go"), UI_HAS_RECT));
	assert_false(fx_has(&t, "GtkScale"));
	assert_false(fx_has(&t, "unmapped"));
	ui_tree_done(&t);
}

/* The pages of a GTK 4 stack lie at one place and look alike. */
static void test_pages_beneath_another_are_hidden(void **state)
{
	static const struct stub_node stack[] = {
		{ .id = "1",
		  .role = 23,
		  .name = "Stack",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 0, 0, 300, 200 },
		  .at_point = "7" },
		{ .id = "2",
		  .parent = "1",
		  .role = 39,
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 0, 0, 300, 100 } },
		{ .id = "3", .parent = "2", .role = 39, .name = "page one", .states = STUB_SHOWN },
		{ .id = "4",
		  .parent = "3",
		  .role = 39,
		  .name = "first",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 10, 10, 280, 80 } },
		{ .id = "5", .parent = "2", .role = 39, .name = "page two", .states = STUB_SHOWN },
		{ .id = "6",
		  .parent = "5",
		  .role = 39,
		  .name = "second",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 10, 10, 280, 80 } },
		{ .id = "7",
		  .parent = "6",
		  .role = 43,
		  .name = "shown",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 20, 20, 50, 20 } },
		{ .id = "8",
		  .parent = "2",
		  .role = 39,
		  .name = "aside",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 10, 100, 280, 80 } },
	};
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, stack, "GTK", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	assert_false(fx_has(&t, "page one"));
	assert_false(fx_has(&t, "first"));
	assert_true(fx_has(&t, "second"));
	assert_true(fx_has(&t, "shown"));
	assert_true(fx_has(&t, "aside"));
	ui_tree_done(&t);
}

/* On Wayland a program's "screen" is its own window: no place is better than a wrong one. */
static void test_no_places_without_an_x_server(void **state)
{
	const struct x11_env wayland = { NULL, "wayland-0", "wayland" };
	struct fx *f = *state;
	struct rb_located at;
	struct ui_tree t;
	auto_free char *handle = NULL;

	assert_int_equal(x11_open(&f->atspi.x11, &wayland, &f->e), 0);
	fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	assert_int_equal(t.count, 8);
	assert_false(ui_has(fx_node(&t, "Save"), UI_HAS_RECT));
	assert_true(ui_has(fx_node(&t, "Save"), UI_VISIBLE));
	handle = strdup(fx_node(&t, "Save")->handle);
	ui_tree_done(&t);
	assert_int_equal(atspi_locate(&f->atspi, fx_call(), handle, &at, &f->e), 0);
	assert_false(at.has_point);
	assert_non_null(at.no_point_reason);
	assert_true(at.semantic);
	x11_close(f->atspi.x11);
	f->atspi.x11 = NULL;
}

static void test_huge_table(void **state)
{
	static const struct stub_node huge[] = {
		FRAME("Huge"),
		{ .id = "2",
		  .parent = "1",
		  .role = 55,
		  .name = "rows",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 100, 100, 400, 300 },
		  .extra_children = 100000 },
		{ .id = "extra", .parent = "2", .role = 56, .states = STUB_SHOWN },
	};
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, huge, "Qt", STUB_CACHE_EMPTY_OLD);
	fx_snapshot(f, &t);
	assert_int_equal(t.count, 2 + 1 + 500);
	assert_true(fx_has(&t, "x0") && fx_has(&t, "x50000"));
	assert_false(fx_has(&t, "x1000"));
	assert_true(t.truncated);
	assert_string_equal(t.quality.reason_code, "children_limit");
	assert_int_equal(json_array_size(t.warnings), 1);
	ui_tree_done(&t);
}

static void test_identifiers(void **state)
{
	static const struct stub_node named[] = {
		{ .id = "1",
		  .role = 23,
		  .name = "Ids",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 100, 100, 400, 300 },
		  .accessible_id = "main-window" },
		{ .id = "2",
		  .parent = "1",
		  .role = 43,
		  .name = "Go",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 110, 110, 50, 20 },
		  .accessible_id = "go-button" },
		{ .id = "3",
		  .parent = "1",
		  .role = 43,
		  .name = "No",
		  .states = STUB_SHOWN,
		  .ifaces = "Component",
		  .rect = { 110, 140, 50, 20 } },
	};
	struct fx *f = *state;
	struct ui_tree t;

	fx_program(f, named, "Qt", STUB_CACHE_EMPTY_OLD);
	fx_snapshot(f, &t);
	assert_string_equal(fx_node(&t, "Ids")->identifier, "main-window");
	assert_string_equal(fx_node(&t, "Go")->identifier, "go-button");
	assert_null(fx_node(&t, "No")->identifier);
	ui_tree_done(&t);
}

/* A row is called by the text in it, in the tree and when it is looked at afresh: another row in
 * the same object does not pass for it. */
static void test_rows_are_called_by_their_text(void **state)
{
	static const struct stub_node rows[] = {
		FRAME("Rows"),
		{ .id = "2", .parent = "1", .role = 31, .states = STUB_SHOWN },
		{ .id = "3", .parent = "2", .role = 32, .states = STUB_SHOWN },
		{ .id = "4", .parent = "3", .role = 39, .states = STUB_SHOWN },
		{ .id = "5", .parent = "4", .role = 27, .name = "icon", .states = STUB_SHOWN },
		{ .id = "6", .parent = "4", .role = 29, .name = "Anna", .states = STUB_SHOWN },
		{ .id = "7", .parent = "3", .role = 29, .name = "second text", .states = STUB_SHOWN },
	};
	struct fx *f = *state;
	struct ui_tree t;
	struct atspi_node n;
	char handle[512] = "";

	fx_program(f, rows, "gtk", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	for (uint32_t i = 0; i < t.count; i++)
		if (t.nodes[i].role == UI_LIST_ITEM) {
			assert_string_equal(t.nodes[i].label, "Anna");
			snprintf(handle, sizeof(handle), "%s", t.nodes[i].handle);
		}
	ui_tree_done(&t);
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), 0);
	assert_string_equal(n.label, "Anna");
	stub_app_set_name(f->app, "6", "Berta");
	assert_int_equal(atspi_node_find(&f->atspi, fx_call(), handle, &n, &f->e), 0);
	assert_string_equal(n.label, "Berta");
}

static void test_program_that_leaves(void **state)
{
	struct fx *f = *state;
	const struct rb_snapshot_opts o = { .surface = "app", .app = "stub", .depth = -1 };
	struct ui_tree t;
	struct stub_app *a;

	a = fx_program(f, plain, "gtk", STUB_CACHE_NEW);
	fx_snapshot(f, &t);
	ui_tree_done(&t);
	stub_app_stop(a);
	f->app = NULL;
	assert_int_equal(atspi_snapshot(&f->atspi, fx_call(), &o, &t, &f->e), -ERR_APP_NOT_RUNNING);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_cache),
		CASE(test_cache_with_holes),
		CASE(test_cache_with_a_stale_object),
		CASE(test_cache_of_the_old_form),
		CASE(test_empty_cache),
		CASE(test_no_cache),
		CASE(test_password_gives_only_its_length),
		CASE(test_interactive_only_reads_no_action_names),
		CASE(test_depth),
		CASE(test_odd_objects_by_walking),
		CASE(test_odd_objects_from_the_cache),
		CASE(test_vanished_objects_are_dropped_and_counted),
		CASE(test_raw_keeps_what_is_hidden),
		CASE(test_one_mute_object),
		CASE(test_frozen_program_among_others),
		CASE(test_canceled),
		CASE(test_list_fills_late),
		CASE(test_active_and_not_showing_is_not_in_front),
		CASE(test_two_programs_of_one_name),
		CASE(test_browser_with_accessibility_off),
		CASE(test_closed_combo_box_of_qt),
		CASE(test_gtk4_without_showing_and_enabled),
		CASE(test_pages_beneath_another_are_hidden),
		CASE(test_no_places_without_an_x_server),
		CASE(test_huge_table),
		CASE(test_identifiers),
		CASE(test_rows_are_called_by_their_text),
		CASE(test_program_that_leaves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
