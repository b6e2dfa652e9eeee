/* The linux and virtual modules: what is there, why not, and what a runner is started with. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/proc.h"
#include "base/sock.h"
#include "platform/caller_env.h"
#include "platform/linux/a11y_bus.h"
#include "platform/linux/linux.h"
#include "platform/runner_program.h"
#include "platform/virtual/virtual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

/* A descriptor that is only to be open until the end of the test. */
#define held auto_close __attribute__((unused))

static char dir[64];
static json_t *env;
static struct pf_caller caller;

/* A directory with both runner programs and an environment in which nothing is running. */
static int set_up(void **state)
{
	memcpy(dir, "/tmp/deft-test-dev-XXXXXX", 26);
	if (!mkdtemp(dir))
		return -1;
	static const char *const names[] = { "deft-runner-linux", "deft-runner-virtual" };
	for (size_t i = 0; i < 2; i++) {
		char auto_free *path = fs_join(dir, names[i]);
		fs_write(path, "#!/bin/sh\nenv >&2\n", 18, 0755, NULL);
	}
	setenv("DEFT_RUNNER_DIR", dir, 1);
	env = json_pack("{s:s}", "HOME", "/home/x");
	caller = (struct pf_caller){ .env = env, .state_dir = dir };
	return 0;
}

static int tear_down(void **state)
{
	json_decref(env);
	char command[100];
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static void set(const char *name, const char *value)
{
	json_object_set_new(env, name, json_string(value));
}

static struct pf_device_info look(const struct pf_module *m)
{
	struct pf_device_info list[2];
	struct error auto_error e = ERROR_INIT;
	size_t n = 0;
	assert_int_equal(m->devices(&caller, CALL_FOREVER, list, 2, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_int_equal(m->devices(&caller, CALL_FOREVER, list, 0, &n, &e), 0);
	assert_int_equal(n, 0);
	assert_string_equal(list[0].platform, m->platform);
	return list[0];
}

static void assert_lack(const char *code, const char *text)
{
	struct pf_device_info info = look(&pf_linux_module);
	assert_string_equal(info.reason_code, code);
	assert_int_equal(info.available, code[0] == '\0');
	if (!strstr(info.reason, text))
		fail_msg("\"%s\" does not say \"%s\"", info.reason, text);
	if (info.available)
		return;
	struct error auto_error e = ERROR_INIT;
	struct pf_device *d = NULL;
	assert_int_equal(pf_linux_module.attach(&caller, &info, &d, &e), -ERR_DEVICE_UNAVAILABLE);
	assert_string_equal(jx_get_str(e.details, "reason", ""), code);
}

/* A listening socket; a '@' in front makes the name abstract. */
static int listen_on(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t n = strlen(name);
	memcpy(a.sun_path, name, n);
	if (name[0] == '@')
		a.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + (name[0] != '@'));
	assert_int_equal(bind(fd, (struct sockaddr *)&a, size), 0);
	assert_int_equal(listen(fd, 5), 0);
	return fd;
}

/* X servers on abstract sockets, with numbers nobody uses. */
static int listen_on_display(char *display, size_t size)
{
	static int number = 40000;
	char name[64];
	snprintf(display, size, ":%d", ++number + (int)(getpid() % 10000));
	snprintf(name, sizeof name, "@/tmp/.X11-unix/X%s", display + 1);
	return listen_on(name);
}

static void no_display(void **state)
{
	assert_lack("no_display", "neither DISPLAY nor WAYLAND_DISPLAY");
	struct pf_device_info info = look(&pf_linux_module);
	assert_string_equal(info.id, "linux");
	set("DISPLAY", "");
	assert_lack("no_display", "neither DISPLAY nor WAYLAND_DISPLAY");
}

static void nobody_answers_on_the_display(void **state)
{
	set("DISPLAY", ":59999");
	set("DBUS_SESSION_BUS_ADDRESS", "tcp:host=localhost,port=1");
	assert_lack("display_unreachable", "display :59999");
	set("DISPLAY", "nonsense");
	assert_lack("display_unreachable", "nonsense");
}

/* N01, third variant, and its relatives. */
static void n01_no_session_bus(void **state)
{
	char display[32];
	int held x = listen_on_display(display, sizeof display);
	set("DISPLAY", display);
	assert_lack("no_session_bus", "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR");
	set("XDG_RUNTIME_DIR", dir);
	assert_lack("no_session_bus", "nobody answers on");
	char address[128];
	snprintf(address, sizeof address, "unix:path=%s/none,guid=1", dir);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("session_bus_unreachable", "DBUS_SESSION_BUS_ADDRESS=unix:path=");
}

static void a_whole_desktop(void **state)
{
	char display[32], want[64];
	int held x = listen_on_display(display, sizeof display);
	char auto_free *path = fs_join(dir, "bus");
	int held bus = listen_on(path);
	set("AT_SPI_BUS_ADDRESS", "given"); /* then nobody is asked for it */
	set("DISPLAY", display);
	set("XDG_RUNTIME_DIR", dir);
	assert_lack("", "");
	struct pf_device_info info = look(&pf_linux_module);
	snprintf(want, sizeof want, "linux:%s@", display);
	assert_memory_equal(info.id, want, strlen(want));
	assert_int_equal(strlen(info.id), strlen(want) + 6);
	snprintf(want, sizeof want, "%s", info.id);
	assert_string_equal(info.kind, "desktop");
	assert_string_equal(info.target, "desktop");
	struct error auto_error e = ERROR_INIT;
	struct pf_device *d = NULL;
	assert_int_equal(pf_linux_module.attach(&caller, &info, &d, &e), 0);
	assert_ptr_equal(d->ops, &pf_runner_ops);
	assert_string_equal(d->info.id, want);
	d->ops->close(d);
}

/* Two buses on one display are two desktops; one bus is one, however it is written. */
static void an_id_is_of_one_display_and_one_bus(void **state)
{
	char usual[64], one[96], two[96];
	snprintf(usual, sizeof usual, "unix:path=/run/user/%u/bus", (unsigned)geteuid());
	const struct {
		const char *display, *bus, *id;
	} cases[] = {
		{ ":7", NULL, "linux::7" },      { ":7", usual, "linux::7" },
		{ ":7.0", usual, "linux::7" },   { "unix:7", usual, "linux::7" },
		{ ":7.1", usual, "linux::7.1" }, { "far:7", usual, "linux:far:7" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		set("DISPLAY", cases[i].display);
		set("DBUS_SESSION_BUS_ADDRESS", cases[i].bus ? cases[i].bus : "");
		assert_string_equal(look(&pf_linux_module).id, cases[i].id);
	}
	set("DISPLAY", ":7");
	set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/tmp/dbus-a,guid=1");
	snprintf(one, sizeof one, "%s", look(&pf_linux_module).id);
	set("DBUS_SESSION_BUS_ADDRESS", "unix:guid=2,path=/tmp/dbus%2da");
	assert_string_equal(look(&pf_linux_module).id, one);
	set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/tmp/dbus-b");
	snprintf(two, sizeof two, "%s", look(&pf_linux_module).id);
	assert_string_not_equal(one, two);
	set("DBUS_SESSION_BUS_ADDRESS", "unix:abstract=/tmp/dbus-b");
	assert_string_not_equal(look(&pf_linux_module).id, two);
	set("DBUS_SESSION_BUS_ADDRESS", "unixexec:path=x");
	assert_string_not_equal(look(&pf_linux_module).id, two);
	json_object_del(env, "DBUS_SESSION_BUS_ADDRESS");
	set("XDG_RUNTIME_DIR", "/tmp/dbus-dir");
	snprintf(one, sizeof one, "%s", look(&pf_linux_module).id);
	set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/tmp/dbus-dir/bus");
	assert_string_equal(look(&pf_linux_module).id, one);
}

static void bus_addresses(void **state)
{
	char display[32], path[80], abstract[80], address[300];
	int held x = listen_on_display(display, sizeof display);
	snprintf(path, sizeof path, "%s/b us", dir);
	snprintf(abstract, sizeof abstract, "@%s/abs", dir);
	int held bus = listen_on(path);
	int held other = listen_on(abstract);
	set("AT_SPI_BUS_ADDRESS", "given"); /* then nobody is asked for it */
	set("DISPLAY", display);
	snprintf(address, sizeof address, "unix:path=%s/b%%20us,guid=abc", dir);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("", "");
	snprintf(address, sizeof address, "unix:guid=1,abstract=%s/abs", dir);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("", "");
	snprintf(address, sizeof address, "unix:path=%s/none;unix:path=%s/b%%20us", dir, dir);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("", "");
	set("DBUS_SESSION_BUS_ADDRESS", "unixexec:path=x"); /* can't be judged cheaply */
	assert_lack("", "");
}

static void wayland_alone_and_beside_a_dead_x(void **state)
{
	char auto_free *bus_path = fs_join(dir, "bus");
	int held bus = listen_on(bus_path);
	set("AT_SPI_BUS_ADDRESS", "given"); /* then nobody is asked for it */
	set("WAYLAND_DISPLAY", "wayland-9");
	assert_lack("display_unreachable", "XDG_RUNTIME_DIR");
	set("XDG_RUNTIME_DIR", dir);
	assert_lack("display_unreachable", "no Wayland compositor");
	char auto_free *path = fs_join(dir, "wayland-9");
	int held compositor = listen_on(path);
	assert_lack("", "");
	struct pf_device_info info = look(&pf_linux_module);
	assert_memory_equal(info.id, "linux:wayland-9@", 16);
	set("DISPLAY", ":59999");
	assert_lack("", "");
}

/* A real session bus that can start what lies in <dir>/services. */
static void start_bus(struct proc *ret, char *address, size_t size)
{
	struct buf auto_buf config;
	buf_init(&config, 2000);
	buf_addf(&config,
	         "<busconfig><type>session</type><listen>unix:dir=%s</listen>"
	         "<servicedir>%s/services</servicedir><policy context='default'>"
	         "<allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/>"
	         "</policy></busconfig>",
	         dir, dir);
	char auto_free *path = fs_join(dir, "bus.conf");
	assert_int_equal(fs_write(path, config.data, config.len, 0600, NULL), 0);
	char option[128];
	snprintf(option, sizeof option, "--config-file=%s", path);
	const struct proc_opts o = {
		.argv = (const char *const[]){ "dbus-daemon", option, "--print-address", "--nofork", NULL },
		.pipe_out = true,
	};
	assert_int_equal(proc_start(ret, &o, NULL), 0);
	struct line_reader reader;
	char *line;
	size_t len;
	line_reader_init(&reader, ret->out, 1000);
	assert_int_equal(line_reader_next(&reader, CALL_FOREVER, &line, &len, NULL), 1);
	snprintf(address, size, "%s", line);
	line_reader_done(&reader);
}

/* N01, first and second variant: a session bus, and nobody who provides the accessibility bus. */
static void n01_no_accessibility_bus(void **state)
{
	char display[32], address[256];
	int held x = listen_on_display(display, sizeof display);
	char auto_free *services = fs_join(dir, "services");
	char auto_free *service = fs_join(services, "org.a11y.Bus.service");
	static const char content[] = "[D-BUS Service]\nName=org.a11y.Bus\nExec=/bin/false\n";
	fs_mkdirs(services, 0700, NULL);
	set("DISPLAY", display);
	struct proc bus;
	start_bus(&bus, address, sizeof address);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("no_accessibility_bus", "org.a11y.Bus (package at-spi2-core)");
	proc_end(&bus, 1000);
	assert_lack("session_bus_unreachable", "no session bus answers");
	fs_write(service, content, sizeof content - 1, 0600, NULL);
	start_bus(&bus, address, sizeof address);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("", "");
	proc_end(&bus, 1000);
}

/* N03: somebody accepts and never says a word. The bound is the call's own. */
static void n03_a_bus_that_never_answers(void **state)
{
	char display[32], address[128];
	int held x = listen_on_display(display, sizeof display);
	char auto_free *path = fs_join(dir, "mute");
	int held mute = listen_on(path);
	snprintf(address, sizeof address, "unix:path=%s", path);
	assert_int_equal(pf_a11y_check(address, (struct call){ deadline_in(20), NULL }),
	                 PF_A11Y_NO_ANSWER);
	set("DISPLAY", display);
	set("DBUS_SESSION_BUS_ADDRESS", address);
	assert_lack("session_bus_unreachable", "does not answer");
}

static void a_missing_runner_program(void **state)
{
	char display[32];
	int held x = listen_on_display(display, sizeof display);
	set("AT_SPI_BUS_ADDRESS", "given");
	set("DISPLAY", display);
	set("DBUS_SESSION_BUS_ADDRESS", "tcp:");
	setenv("DEFT_RUNNER_DIR", "/no/such/dir", 1);
	struct pf_device_info info = look(&pf_linux_module);
	assert_string_equal(info.reason_code, "runner_missing");
	assert_false(info.available);
	info = look(&pf_virtual_module);
	assert_false(info.available);
	struct error auto_error e = ERROR_INIT;
	struct pf_device *d = NULL;
	assert_int_equal(pf_virtual_module.attach(&caller, &info, &d, &e), -ERR_TOOL_MISSING);
	assert_string_equal(jx_get_str(e.details, "reason", ""), "runner_missing");
}

static void the_virtual_device_is_always_there(void **state)
{
	struct pf_device_info info = look(&pf_virtual_module);
	assert_true(info.available);
	assert_string_equal(info.id, "virtual");
	assert_string_equal(info.reason, "");
	struct error auto_error e = ERROR_INIT;
	struct pf_device *d = NULL;
	assert_int_equal(pf_virtual_module.attach(&caller, &info, &d, &e), 0);
	/* The stand-in prints its environment and leaves: that is told, with what it printed. */
	json_t auto_json *data = NULL;
	assert_int_equal(d->ops->info(d, CALL_FOREVER, &data, &e), -ERR_RUNNER_UNAVAILABLE);
	assert_non_null(strstr(jx_get_str(e.details, "logTail", ""), "HOME=/home/x\n"));
	assert_non_null(strstr(jx_get_str(e.details, "log", ""), "/runner-virtual.log"));
	d->ops->close(d);
}

/* --- the environment of a runner --------------------------------------------------------------------- */

static const char *value_in(char **list, const char *name)
{
	size_t n = strlen(name);
	const char *found = NULL;
	for (; *list; list++)
		if (strncmp(*list, name, n) == 0 && (*list)[n] == '=') {
			assert_null(found); /* never twice */
			found = *list + n + 1;
		}
	return found;
}

static void a_runner_stands_where_its_caller_stands(void **state)
{
	setenv("DISPLAY", ":daemon", 1);
	setenv("XAUTHORITY", "/daemon", 1);
	setenv("OTHER", "kept", 1);
	setenv("HOME", "/daemon", 1);
	set("DISPLAY", ":caller");
	set("LD_PRELOAD", "/evil.so");
	char **list = pf_caller_env(&caller);
	assert_string_equal(value_in(list, "DISPLAY"), ":caller");
	assert_null(value_in(list, "XAUTHORITY"));
	assert_string_equal(value_in(list, "HOME"), "/home/x");
	assert_string_equal(value_in(list, "OTHER"), "kept");
	assert_null(value_in(list, "LD_PRELOAD"));
	assert_non_null(value_in(list, "PATH"));
	pf_env_free(list);
}

static void a_caller_who_tells_nothing_stands_where_the_daemon_stands(void **state)
{
	setenv("DISPLAY", ":daemon", 1);
	json_object_clear(env);
	char **list = pf_caller_env(&caller);
	assert_string_equal(value_in(list, "DISPLAY"), ":daemon");
	assert_string_equal(pf_caller_get(&caller, "DISPLAY"), ":daemon");
	pf_env_free(list);
	pf_env_free(NULL);
}

static void the_list_of_modules_can_be_replaced(void **state)
{
	assert_ptr_equal(pf_modules()[0], &pf_linux_module);
	assert_ptr_equal(pf_modules()[1], &pf_virtual_module);
	assert_null(pf_modules()[2]);
	static const struct pf_module *const own[] = { &pf_virtual_module, NULL };
	pf_set_modules(own);
	assert_ptr_equal(pf_modules(), own);
	pf_set_modules(NULL);
	assert_ptr_equal(pf_modules()[0], &pf_linux_module);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_display),
		TEST(nobody_answers_on_the_display),
		TEST(n01_no_session_bus),
		TEST(a_whole_desktop),
		TEST(an_id_is_of_one_display_and_one_bus),
		TEST(bus_addresses),
		TEST(wayland_alone_and_beside_a_dead_x),
		TEST(n01_no_accessibility_bus),
		TEST(n03_a_bus_that_never_answers),
		TEST(a_missing_runner_program),
		TEST(the_virtual_device_is_always_there),
		TEST(a_runner_stands_where_its_caller_stands),
		TEST(a_caller_who_tells_nothing_stands_where_the_daemon_stands),
		cmocka_unit_test(the_list_of_modules_can_be_replaced),
	};
	return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
