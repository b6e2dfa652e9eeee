/* Real programs of three toolkits under a private X server and session bus: what the tree says is
 * where it says, and does what it says. A case skips when its program is not installed. */
#include "atspi_fixture.h"

#include "backend/atspi/x11.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/proc.h"
#include "xserver.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MS 30000
#define POLL_MS 20

struct desk {
	struct xserver x;
	struct proc bus;
	struct atspi atspi;
	char dir[64];
	bool ready;
};

static struct desk desk;

static struct call soon(void)
{
	return (struct call){ deadline_in(WAIT_MS), NULL };
}

/* --- the desk --------------------------------------------------------------------------------- */

static bool start_session_bus(void)
{
	static const char *const argv[] = { "dbus-daemon", "--session",         "--nofork",
		                                "--nopidfile", "--print-address=1", NULL };
	struct proc_opts o = { .argv = argv, .pipe_out = true, .die_with_parent = true };
	char address[256];
	size_t n = 0;

	if (proc_start(&desk.bus, &o, NULL) < 0)
		return false;
	while (n < sizeof(address) - 1 && read(desk.bus.out, address + n, 1) == 1 && address[n] != '\n')
		n++;
	address[n] = '\0';
	setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
	return n > 0;
}

static int desk_up(void **state)
{
	snprintf(desk.dir, sizeof(desk.dir), "/tmp/deft-atspi-XXXXXX");
	if (!mkdtemp(desk.dir) || !xserver_start(&desk.x, "1920x1200x24"))
		return 0; /* every case skips */
	setenv("DISPLAY", desk.x.display, 1);
	setenv("XDG_RUNTIME_DIR", desk.dir, 1);
	setenv("HOME", desk.dir, 1);
	/* The GL renderer of GTK 4 starves its accessibility on a software display. */
	setenv("GSK_RENDERER", "cairo", 1);
	setenv("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1", 1);
	unsetenv("AT_SPI_BUS_ADDRESS");
	unsetenv("NO_AT_BRIDGE");
	unsetenv("GTK_A11Y");
	unsetenv("WAYLAND_DISPLAY");
	xserver_start_wm(&desk.x);
	desk.ready = start_session_bus();
	desk.atspi.x11 = xserver_connect(&desk.x);
	return 0;
}

static int remove_dir(void)
{
	const char *const argv[] = { "rm", "-rf", desk.dir, NULL };
	struct proc_opts o = { .argv = argv };

	return proc_run(&o, soon(), NULL, NULL, NULL, NULL);
}

static int desk_down(void **state)
{
	if (desk.ready) {
		atspi_bus_close(&desk.atspi);
		x11_close(desk.atspi.x11);
		proc_end(&desk.bus, 2000);
	}
	xserver_stop(&desk.x);
	return remove_dir();
}

/* --- programs --------------------------------------------------------------------------------- */

static bool start_program(struct proc *p, const char *pattern)
{
	auto_free char *found = NULL;
	glob_t g;

	if (!desk.ready)
		return false;
	if (!strchr(pattern, '/'))
		found = fs_which(pattern, NULL);
	else if (glob(pattern, 0, NULL, &g) == 0) {
		found = strdup(g.gl_pathv[0]);
		globfree(&g);
	}
	if (!found)
		return false;
	const char *const argv[] = { found, NULL };
	struct proc_opts o = { .argv = argv, .die_with_parent = true };

	assert_int_equal(proc_start(p, &o, NULL), 0);
	return true;
}

#define START(p, pattern)               \
	do {                                \
		if (!start_program(p, pattern)) \
			skip();                     \
	} while (0)

static const struct ui_node *find(const struct ui_tree *t, enum ui_role role, uint32_t flags)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->nodes[i].role == role && (t->nodes[i].flags & flags) == flags)
			return &t->nodes[i];
	return NULL;
}

static int look(const struct proc *p, bool interactive_only, struct ui_tree *ret)
{
	auto_buf struct buf id;
	struct rb_snapshot_opts o = { .surface = "app",
		                          .interactive_only = interactive_only,
		                          .depth = -1 };

	buf_init(&id, 32);
	buf_addf(&id, "#%d", (int)p->id.pid);
	o.app = id.data;
	return atspi_snapshot(&desk.atspi, soon(), &o, ret, NULL);
}

/* The program's tree once it shows a node of this role that can be hit. */
static void await_tree(const struct proc *p, enum ui_role role, struct ui_tree *ret)
{
	struct deadline end = deadline_in(WAIT_MS);

	while (!deadline_over(end)) {
		if (look(p, true, ret) == 0) {
			if (find(ret, role, UI_HITTABLE))
				return;
			ui_tree_done(ret);
		}
		clock_wait(POLL_MS, NULL, NULL);
	}
	fail_msg("the program does not show a %s", ui_role_name(role));
}

static void raise_program(const struct proc *p)
{
	struct x11_window w;

	assert_int_equal(x11_window_for(desk.atspi.x11, soon(), p->id.pid, NULL, &w, NULL), 0);
	assert_int_equal(x11_raise(desk.atspi.x11, soon(), w.id, NULL), 0);
}

static bool checked(const char *handle)
{
	struct atspi_node n;

	assert_int_equal(atspi_node_find(&desk.atspi, soon(), handle, &n, NULL), 0);
	return (n.flags & UI_CHECKED) != 0;
}

/* A click on the point that locate tells changes this very element. */
static void click_toggles(const char *handle)
{
	struct deadline end = deadline_in(WAIT_MS);
	struct rb_located at;
	bool before = checked(handle);

	assert_int_equal(atspi_locate(&desk.atspi, soon(), handle, &at, NULL), 0);
	assert_true(at.has_point);
	assert_false(at.covered);
	assert_int_equal(x11_click(desk.atspi.x11, soon(), at.x, at.y, X11_LEFT, 1, 0, NULL), 0);
	while (checked(handle) == before && !deadline_over(end))
		clock_wait(POLL_MS, NULL, NULL);
	assert_true(checked(handle) != before);
}

static void check_control(const struct ui_tree *t, double value)
{
	const struct ui_node *n = find(t, UI_SLIDER, UI_HITTABLE | UI_HAS_RANGE);
	struct rb_control k;

	assert_non_null(n);
	assert_int_equal(atspi_control_set(&desk.atspi, soon(), n->handle, value, NULL), 0);
	assert_int_equal(atspi_control_read(&desk.atspi, soon(), n->handle, &k, NULL), 0);
	assert_true(k.value == value);
	assert_int_equal(atspi_control_set(&desk.atspi, soon(), n->handle, k.max + 1, NULL),
	                 -ERR_INVALID_ARGS);
}

static void check_text(const struct ui_tree *t)
{
	const struct ui_node *n = find(t, UI_TEXT_FIELD, UI_HITTABLE | UI_EDITABLE);
	struct atspi_node field;
	bool verified = false;
	auto_buf struct buf text;

	buf_init(&text, 4096);
	assert_non_null(n);
	assert_int_equal(atspi_node_find(&desk.atspi, soon(), n->handle, &field, NULL), 0);
	assert_int_equal(
	    atspi_set_text(&desk.atspi, soon(), &field, "Fünf 你好", &verified, NULL, NULL), 0);
	assert_true(verified);
	assert_int_equal(atspi_insert_text(&desk.atspi, soon(), &field, "ß!", &verified, NULL, NULL),
	                 0);
	assert_true(verified);
	assert_int_equal(atspi_read_text(&desk.atspi, soon(), n->handle, &text, NULL), 0);
	assert_non_null(strstr(text.data, "ß!"));
}

/* What a fresh look says of every node is what the tree said. */
static void check_labels(const struct ui_tree *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct ui_node *n = &t->nodes[i];
		struct atspi_node now;

		if (!n->handle || !ui_has(n, UI_HITTABLE))
			continue;
		assert_int_equal(atspi_node_find(&desk.atspi, soon(), n->handle, &now, NULL), 0);
		assert_int_equal(now.ui_role, n->role);
		assert_string_equal(now.label, n->label ? n->label : "");
	}
}

static void check_program(const char *pattern, double value)
{
	const struct ui_node *box;
	struct proc p;
	struct ui_tree t;

	START(&p, pattern);
	await_tree(&p, UI_CHECK_BOX, &t);
	ui_tree_done(&t);
	raise_program(&p);
	await_tree(&p, UI_CHECK_BOX, &t);
	assert_string_equal(t.quality.state, "healthy");
	assert_non_null(find(&t, UI_WINDOW, UI_ACTIVE));
	box = find(&t, UI_CHECK_BOX, UI_HITTABLE);
	click_toggles(box->handle);
	click_toggles(box->handle);
	check_control(&t, value);
	if (find(&t, UI_TEXT_FIELD, UI_HITTABLE | UI_EDITABLE))
		check_text(&t);
	ui_tree_done(&t);
	assert_int_equal(look(&p, false, &t), 0);
	check_labels(&t);
	ui_tree_done(&t);
	proc_end(&p, 2000);
}

static void test_gtk3(void **state)
{
	check_program("gtk3-widget-factory", 65);
}

static void test_gtk4(void **state)
{
	check_program("gtk4-widget-factory", 65);
}

static void test_qt5(void **state)
{
	check_program("/usr/lib/*/qt5/examples/widgets/widgets/sliders/sliders", 12);
}

/* A stopped program costs its own part of the tree and nothing else. */
static void test_stopped_program(void **state)
{
	const struct rb_snapshot_opts o = { .surface = "desktop",
		                                .interactive_only = true,
		                                .depth = -1 };
	struct proc stopped, other;
	struct ui_tree t;
	unsigned silent = 0;

	START(&stopped, "galculator");
	if (!start_program(&other, "gtk3-widget-factory")) {
		proc_end(&stopped, 2000);
		skip();
	}
	await_tree(&stopped, UI_TOGGLE_BUTTON, &t);
	ui_tree_done(&t);
	await_tree(&other, UI_CHECK_BOX, &t);
	ui_tree_done(&t);
	kill(stopped.id.pid, SIGSTOP);
	assert_int_equal(atspi_snapshot(&desk.atspi, soon(), &o, &t, NULL), 0);
	assert_string_equal(t.quality.state, "partial");
	assert_non_null(find(&t, UI_CHECK_BOX, UI_HITTABLE));
	for (uint32_t i = 0; i < t.count; i++)
		silent += ui_has(&t.nodes[i], UI_UNRESPONSIVE);
	assert_int_equal(silent, 1);
	ui_tree_done(&t);
	kill(stopped.id.pid, SIGCONT);
	await_tree(&stopped, UI_TOGGLE_BUTTON, &t);
	ui_tree_done(&t);
	proc_end(&stopped, 2000);
	proc_end(&other, 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gtk3),
		cmocka_unit_test(test_gtk4),
		cmocka_unit_test(test_qt5),
		cmocka_unit_test(test_stopped_program),
	};
	return cmocka_run_group_tests(tests, desk_up, desk_down);
}
