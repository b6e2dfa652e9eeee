/* Finding the bus, and saying what is missing when there is none. Every wait is bounded by the
 * documented limits; the tests check the errors, not the clock. */
#include "atspi_fixture.h"

#include "backend/atspi/bus.h"
#include "stub_live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void clear_env(void)
{
	unsetenv("AT_SPI_BUS_ADDRESS");
	unsetenv("DBUS_SESSION_BUS_ADDRESS");
	unsetenv("XDG_RUNTIME_DIR");
}

static int setup(void **state)
{
	clear_env();
	return fx_setup(state);
}

static int connect_bus(struct fx *f)
{
	return atspi_bus_connect(&f->atspi, fx_call(), &f->e);
}

static void expect_unavailable(struct fx *f, const char *reason)
{
	assert_int_equal(connect_bus(f), -ERR_DEVICE_UNAVAILABLE);
	assert_string_equal(fx_reason(f), reason);
	assert_non_null(f->e.hint);
	assert_null(f->atspi.bus);
}

static void test_no_session_bus(void **state)
{
	clear_env();
	expect_unavailable(*state, "no_session_bus");
}

static void test_session_bus_that_is_not_there(void **state)
{
	clear_env();
	setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
	expect_unavailable(*state, "no_session_bus");
	setenv("DBUS_SESSION_BUS_ADDRESS", "nonsense", 1);
	expect_unavailable(*state, "no_session_bus");
	unsetenv("DBUS_SESSION_BUS_ADDRESS");
	setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
	expect_unavailable(*state, "no_session_bus");
}

/* --- stubs of org.a11y.Bus -------------------------------------------------------------------- */

enum launcher_kind { LAUNCHER_ANSWERS, LAUNCHER_MUTE, LAUNCHER_NOT_ACTIVATABLE, LAUNCHER_EMPTY };

struct launcher_stub {
	struct stub_line line;
	enum launcher_kind kind;
	const char *address;
};

static int on_launcher(sd_bus_message *m, void *ctx, sd_bus_error *e)
{
	struct launcher_stub *l = ctx;

	if (!sd_bus_message_is_method_call(m, "org.a11y.Bus", "GetAddress"))
		return 0;
	switch (l->kind) {
	case LAUNCHER_MUTE: return 1;
	case LAUNCHER_NOT_ACTIVATABLE:
		sd_bus_reply_method_errorf(m, SD_BUS_ERROR_NOT_SUPPORTED, "The name is not activatable");
		return 1;
	case LAUNCHER_EMPTY: sd_bus_reply_method_return(m, "s", ""); return 1;
	case LAUNCHER_ANSWERS: break;
	}
	sd_bus_reply_method_return(m, "s", l->address);
	return 1;
}

/* The stub bus serves as the session bus of the test too. */
static void start_launcher(struct fx *f, struct launcher_stub *l, enum launcher_kind kind,
                           const char *address)
{
	clear_env();
	setenv("DBUS_SESSION_BUS_ADDRESS", stub_bus_address(f->bus), 1);
	l->kind = kind;
	l->address = address;
	assert_true(
	    stub_line_start(&l->line, stub_bus_address(f->bus), "org.a11y.Bus", on_launcher, l));
	stub_line_run(&l->line);
}

static void test_address_from_the_session_bus(void **state)
{
	struct fx *f = *state;
	struct launcher_stub l;

	start_launcher(f, &l, LAUNCHER_ANSWERS, stub_bus_address(f->bus));
	assert_int_equal(connect_bus(f), 0);
	assert_int_equal(strlen(f->atspi.bus->id), 16);
	stub_line_stop(&l.line);
}

static void test_launcher_that_never_answers(void **state)
{
	struct fx *f = *state;
	struct launcher_stub l;

	start_launcher(f, &l, LAUNCHER_MUTE, NULL);
	expect_unavailable(f, "accessibility_bus_silent");
	stub_line_stop(&l.line);
}

static void test_launcher_that_refuses(void **state)
{
	struct fx *f = *state;
	struct launcher_stub l;

	start_launcher(f, &l, LAUNCHER_NOT_ACTIVATABLE, NULL);
	expect_unavailable(f, "no_accessibility_bus");
	stub_line_stop(&l.line);
	start_launcher(f, &l, LAUNCHER_EMPTY, NULL);
	expect_unavailable(f, "no_accessibility_bus");
	stub_line_stop(&l.line);
}

/* A socket that takes connections and says nothing. */
static int mute_socket(char *address, size_t size)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char dir[] = "/tmp/atspi-test-XXXXXX";

	assert_non_null(mkdtemp(dir));
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/bus", dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	assert_int_equal(listen(fd, 4), 0);
	snprintf(address, size, "unix:path=%s", un.sun_path);
	return fd;
}

static void remove_socket(int fd, const char *address)
{
	char path[256];

	snprintf(path, sizeof(path), "%s", address + strlen("unix:path="));
	close(fd);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

static void test_bus_that_never_shakes_hands(void **state)
{
	struct fx *f = *state;
	struct launcher_stub l;
	char address[256];
	int fd = mute_socket(address, sizeof(address));

	start_launcher(f, &l, LAUNCHER_ANSWERS, address);
	expect_unavailable(f, "accessibility_bus_silent");
	stub_line_stop(&l.line);
	remove_socket(fd, address);
}

static void test_session_bus_that_never_shakes_hands(void **state)
{
	struct fx *f = *state;
	char address[256];
	int fd = mute_socket(address, sizeof(address));

	clear_env();
	setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
	expect_unavailable(f, "no_session_bus");
	remove_socket(fd, address);
}

static void test_address_that_leads_nowhere(void **state)
{
	struct fx *f = *state;

	setenv("AT_SPI_BUS_ADDRESS", "unix:path=/nonexistent/at-spi", 1);
	expect_unavailable(f, "accessibility_bus_refused");
}

static void test_canceled_while_connecting(void **state)
{
	struct fx *f = *state;
	struct cancel cancel;
	char address[256];
	int fd = mute_socket(address, sizeof(address));

	clear_env();
	setenv("AT_SPI_BUS_ADDRESS", address, 1);
	assert_int_equal(cancel_init(&cancel, NULL), 0);
	cancel_fire(&cancel);
	assert_int_equal(
	    atspi_bus_connect(&f->atspi, (struct call){ deadline_in(20000), &cancel }, &f->e),
	    -ERR_CANCELED);
	cancel_done(&cancel);
	remove_socket(fd, address);
}

static void test_registry_that_never_answers(void **state)
{
	struct fx *f = *state;
	const struct atspi_apps *apps;

	stub_bus_mute(f->bus);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), 0, &apps, &f->e),
	                 -ERR_DEVICE_UNAVAILABLE);
	assert_string_equal(fx_reason(f), "accessibility_registry_silent");
}

static int ask(struct fx *f, const char *id, const char *iface, const char *member)
{
	char path[128];
	struct bus_target t = { bus_peer(f->atspi.bus, stub_app_bus(f->app)), path, iface, member };

	snprintf(path, sizeof(path), STUB_PATH "%s", id);
	return bus_call(f->atspi.bus, fx_call(), t, NULL, &f->e, NULL);
}

static void test_what_error_replies_mean(void **state)
{
	static const struct stub_node nodes[] = {
		{ .id = "1", .role = 23, .name = "Main", .states = STUB_SHOWN },
		{ .id = "2", .parent = "1", .role = 43, .quirks = STUB_GTK4_GONE },
	};
	struct fx *f = *state;

	fx_program(f, nodes, "gtk", STUB_CACHE_NEW);
	assert_int_equal(connect_bus(f), 0);
	assert_int_equal(ask(f, "1", ATSPI_I_ACCESSIBLE, "GetRole"), 0);
	assert_int_equal(ask(f, "9", ATSPI_I_ACCESSIBLE, "GetRole"), -ERR_ELEMENT_STALE);
	assert_int_equal(ask(f, "2", ATSPI_I_ACCESSIBLE, "GetRole"), -ERR_ELEMENT_STALE);
	assert_int_equal(ask(f, "1", ATSPI_I_COMPONENT, "GetExtents"), -ERR_UNSUPPORTED_OPERATION);
	assert_non_null(json_object_get(f->e.details, "dbus"));
	stub_app_freeze(f->app, true);
	assert_int_equal(ask(f, "1", ATSPI_I_ACCESSIBLE, "GetRole"), -ERR_APP_NOT_RESPONDING);
	stub_app_freeze(f->app, false);
	assert_int_equal(ask(f, "1", ATSPI_I_ACCESSIBLE, "GetRole"), 0);
}

static void test_program_that_dies_during_a_call(void **state)
{
	static const struct stub_node nodes[] = { { .id = "1", .role = 23, .name = "Main" } };
	struct fx *f = *state;
	struct bus_target t = { NULL, STUB_PATH "1", ATSPI_I_ACCESSIBLE, "GetRole" };

	fx_program(f, nodes, "gtk", STUB_CACHE_NEW);
	assert_int_equal(connect_bus(f), 0);
	t.peer = bus_peer(f->atspi.bus, stub_app_bus(f->app));
	stub_app_stop(f->app);
	f->app = NULL;
	assert_int_equal(bus_call(f->atspi.bus, fx_call(), t, NULL, &f->e, NULL), -ERR_APP_NOT_RUNNING);
}

/* The bus is restarted between two commands: the next one works. */
static void test_bus_that_comes_back(void **state)
{
	struct fx *f = *state;
	const struct atspi_apps *apps;
	char id[17];

	assert_int_equal(connect_bus(f), 0);
	memcpy(id, f->atspi.bus->id, sizeof(id));
	stub_bus_stop(f->bus);
	f->bus = stub_bus_start();
	assert_non_null(f->bus);
	assert_int_equal(atspi_apps_refresh(&f->atspi, fx_call(), 0, &apps, &f->e), 0);
	assert_string_not_equal(f->atspi.bus->id, id);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, fx_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_no_session_bus),
		CASE(test_session_bus_that_is_not_there),
		CASE(test_address_from_the_session_bus),
		CASE(test_launcher_that_never_answers),
		CASE(test_launcher_that_refuses),
		CASE(test_bus_that_never_shakes_hands),
		CASE(test_session_bus_that_never_shakes_hands),
		CASE(test_address_that_leads_nowhere),
		CASE(test_canceled_while_connecting),
		CASE(test_registry_that_never_answers),
		CASE(test_what_error_replies_mean),
		CASE(test_program_that_dies_during_a_call),
		CASE(test_bus_that_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
