/* What a launch target means, what a started program gets, and what /proc says about it. */
#include "backend/atspi/launch.h"

#include "backend/atspi/desktop_entry.h"
#include "backend/atspi/process.h"
#include "base/cleanup.h"
#include "base/fs.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

static char *home;

static void put_file(const char *name, const char *text, mode_t mode)
{
	auto_free char *full = fs_join(home, name);
	auto_free char *dir = strdup(full);
	*strrchr(dir, '/') = '\0';
	assert_int_equal(fs_mkdirs(dir, 0700, NULL), 0);
	assert_int_equal(fs_write(full, text, strlen(text), mode, NULL), 0);
}

static int start(void **state)
{
	(void)state;
	char template[] = "/tmp/deft-launch-XXXXXX";
	home = realpath(mkdtemp(template), NULL);
	put_file("bin/frobnicator", "#!/bin/sh\nexit 0\n", 0700);
	put_file("bin/calc-gtk", "#!/bin/sh\nexit 0\n", 0700);
	put_file("bin/chromium", "#!/bin/sh\nexit 0\n", 0700);
	put_file("notes.txt", "text", 0600);
	put_file("applications/org.example.Calc.desktop",
	         "[Desktop Entry]\nName=Calculator\nExec=calc-gtk --new %f\n", 0600);
	put_file("applications/other.desktop", "[Desktop Entry]\nName=Twice\nExec=calc-gtk\n", 0600);
	put_file("applications/another.desktop", "[Desktop Entry]\nName=twice\nExec=calc-gtk\n", 0600);
	put_file("applications/term.desktop", "[Desktop Entry]\nName=T\nTerminal=true\nExec=calc-gtk\n",
	         0600);
	auto_free char *bin = fs_join(home, "bin");
	setenv("PATH", bin, 1);
	setenv("XDG_DATA_HOME", home, 1);
	setenv("XDG_DATA_DIRS", "/no/such/dir", 1);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	static const char *const files[] = {
		"bin/frobnicator",
		"bin/calc-gtk",
		"bin/chromium",
		"bin/xdg-open",
		"bin",
		"notes.txt",
		"applications/org.example.Calc.desktop",
		"applications/other.desktop",
		"applications/another.desktop",
		"applications/term.desktop",
		"applications",
		"",
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *path = fs_join(home, files[i]);
		remove(path);
	}
	free(home);
	return 0;
}

/* --- targets -------------------------------------------------------------------------------- */

static struct program resolved(const char *target, const char *arg)
{
	struct program p = { .argv = NULL };
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *args = arg ? json_pack("[s]", arg) : NULL;
	if (program_resolve(target, args, &p, &e) < 0)
		fail_msg("%s: %s", target, e.message);
	return p;
}

static void a_target_is_an_entry_a_program_or_a_path(void **state)
{
	(void)state;
	static const char *const entries[] = { "org.example.Calc", "org.example.Calc.desktop",
		                                   "ORG.EXAMPLE.CALC", "calculator" };
	auto_free char *calc = fs_join(home, "bin/calc-gtk");
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		struct program p = resolved(entries[i], "a file");
		assert_int_equal(p.kind, PROGRAM_ENTRY);
		assert_string_equal(p.id, "org.example.Calc");
		assert_string_equal(p.exe, calc);
		assert_string_equal(p.argv[1], "--new");
		assert_string_equal(p.argv[2], "a file");
		assert_null(p.argv[3]);
		assert_true(p.has_args);
		program_done(&p);
	}
	struct program p = resolved("frobnicator", NULL);
	assert_int_equal(p.kind, PROGRAM_FILE);
	assert_false(p.by_path || p.has_args);
	program_done(&p);
	p = resolved(calc, NULL);
	assert_int_equal(p.kind, PROGRAM_FILE);
	assert_true(p.by_path);
	assert_string_equal(p.id, "calc-gtk");
	program_done(&p);
	auto_free char *file = fs_join(home, "applications/other.desktop");
	p = resolved(file, NULL);
	assert_int_equal(p.kind, PROGRAM_ENTRY);
	assert_string_equal(p.id, "other");
	program_done(&p);
}

static void expect_refused(const char *target, enum err_code code, const char *hint)
{
	struct program p = { .argv = NULL };
	auto_error struct error e = ERROR_INIT;
	int r = program_resolve(target, NULL, &p, &e);
	if (r != -(int)code)
		fail_msg("%s: %d", target, r);
	assert_null(p.argv);
	assert_non_null(strstr(error_hint_text(&e), hint));
}

static void says_what_is_wrong_with_a_target(void **state)
{
	(void)state;
	expect_refused("frobnicatr", ERR_APP_NOT_FOUND, "deft apps");
	expect_refused("calculatro", ERR_APP_NOT_FOUND, "Calculator");
	expect_refused("org.example.clac", ERR_APP_NOT_FOUND, "org.example.Calc");
	expect_refused("/no/such/file", ERR_APP_NOT_FOUND, "deft apps");
	expect_refused("twice", ERR_AMBIGUOUS_MATCH, "by its id");
	expect_refused("term", ERR_UNSUPPORTED_OPERATION, "terminal");
	expect_refused("https://example.org/?a=1&b=2", ERR_TOOL_MISSING, "xdg-utils");
}

static void documents_and_urls_go_to_the_opener_whole(void **state)
{
	(void)state;
	put_file("bin/xdg-open", "#!/bin/sh\nexit 0\n", 0700);
	auto_free char *notes = fs_join(home, "notes.txt");
	const char *const targets[] = { notes, "https://example.org/?a=1&b=2 $x;'\"#f", "mailto:a@b" };
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		struct program p = resolved(targets[i], NULL);
		assert_int_equal(p.kind, PROGRAM_OPENER);
		assert_string_equal(p.argv[1], targets[i]);
		assert_null(p.argv[2]);
		program_done(&p);
	}
}

static void knows_an_instance_by_its_program(void **state)
{
	(void)state;
	char exe[PATH_MAX];
	assert_true(process_exe(getpid(), exe, sizeof(exe)));
	struct atspi_app self = { .pid = getpid(), .name = "something else" };
	struct atspi_app other = { .pid = getppid(), .name = "test_launch" };
	struct program p = resolved(exe, NULL);
	assert_true(program_is(&p, &self));
	assert_false(program_is(&p, &other)); /* this very file was meant */
	program_done(&p);
	p = resolved("org.example.Calc", NULL);
	struct atspi_app named = { .pid = getpid(), .name = "calc" };
	assert_true(program_is(&p, &named)); /* the last part of its id */
	assert_false(program_is(&p, &self));
	program_done(&p);
}

/* --- environment ---------------------------------------------------------------------------- */

static const char *in(char **env, const char *name)
{
	size_t n = strlen(name);
	const char *found = NULL;
	for (char **at = env; *at; at++)
		if (strncmp(*at, name, n) == 0 && (*at)[n] == '=') {
			assert_null(found); /* each name once */
			found = *at + n + 1;
		}
	return found;
}

static void a_program_gets_what_makes_it_accessible(void **state)
{
	(void)state;
	const struct atspi no_display = { .x11 = NULL };
	setenv("NO_AT_BRIDGE", "1", 1);
	setenv("GTK_A11Y", "none", 1);
	setenv("QT_ACCESSIBILITY", "0", 1);
	setenv("DEFT_RUNNER_TOKEN", "secret", 1);
	setenv("WAYLAND_DISPLAY", "wayland-0", 1);
	unsetenv("GSK_RENDERER");
	char **env = NULL;
	auto_error struct error e = ERROR_INIT;
	auto_json json_t *extra = json_pack("{s:s, s:s}", "LANG", "de_DE.UTF-8", "MINE", "a=b");
	assert_int_equal(launch_env(&no_display, extra, "DEFT_LAUNCH_ID=7", &env, &e), 0);
	assert_null(in(env, "NO_AT_BRIDGE"));
	assert_null(in(env, "GTK_A11Y"));
	assert_null(in(env, "DEFT_RUNNER_TOKEN"));
	assert_string_equal(in(env, "QT_ACCESSIBILITY"), "1");
	assert_string_equal(in(env, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"), "1");
	assert_string_equal(in(env, "GNOME_ACCESSIBILITY"), "1");
	assert_string_equal(in(env, "ACCESSIBILITY_ENABLED"), "1");
	assert_string_equal(in(env, "GSK_RENDERER"), "cairo");
	assert_string_equal(in(env, "WAYLAND_DISPLAY"), "wayland-0"); /* no X display to prefer */
	assert_string_equal(in(env, "LANG"), "de_DE.UTF-8");
	assert_string_equal(in(env, "MINE"), "a=b");
	assert_string_equal(in(env, "DEFT_LAUNCH_ID"), "7");
	desktop_argv_free(env);
	setenv("GSK_RENDERER", "gl", 1);
	auto_json json_t *hide = json_pack("{s:s}", "NO_AT_BRIDGE", "1");
	assert_int_equal(launch_env(&no_display, hide, "DEFT_LAUNCH_ID=8", &env, &e), 0);
	assert_string_equal(in(env, "GSK_RENDERER"), "gl");
	assert_string_equal(in(env, "NO_AT_BRIDGE"), "1"); /* the caller's own word is the last */
	desktop_argv_free(env);
	auto_json json_t *bad = json_pack("{s:i}", "A", 1);
	assert_int_equal(launch_env(&no_display, bad, "X=1", &env, &e), -ERR_INVALID_ARGS);
	unsetenv("WAYLAND_DISPLAY");
}

static void browsers_are_told_on_the_command_line(void **state)
{
	(void)state;
	assert_true(program_is_chromium("/usr/bin/chromium"));
	assert_true(program_is_chromium("code"));
	assert_false(program_is_chromium("/opt/chromium/helper"));
	assert_false(program_is_chromium("chromium-bsu"));
}

/* --- processes ------------------------------------------------------------------------------ */

static void a_process_is_known_by_what_it_runs(void **state)
{
	(void)state;
	const char *argv[] = { "/bin/sleep", "60", NULL };
	const char *env[] = { "PATH=/bin", "MARK=1", NULL };
	struct proc p;
	auto_error struct error e = ERROR_INIT;
	auto_free char *program = realpath("/bin/sleep", NULL);
	assert_int_equal(proc_start(&p, &(struct proc_opts){ .argv = argv, .env = env }, &e), 0);
	assert_true(process_runs(p.id.pid, program));
	assert_false(process_runs(p.id.pid, "/bin/nothing"));
	assert_true(process_has_env(p.id.pid, "MARK=1"));
	assert_false(process_has_env(p.id.pid, "MARK="));
	assert_false(process_has_env(p.id.pid, "ARK=1"));
	proc_end(&p, 1000);
	assert_false(process_runs(p.id.pid, program));
	assert_false(process_has_env(p.id.pid, "MARK=1"));
}

/* A script is what its interpreter was given. */
static void a_script_is_a_program_too(void **state)
{
	(void)state;
	put_file("bin/frobnicator", "#!/bin/sh\nread x < \"$1\"\n", 0700);
	auto_free char *script = fs_join(home, "bin/frobnicator");
	auto_free char *fifo = fs_join(home, "bin/fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	const char *argv[] = { script, fifo, NULL };
	struct proc p;
	auto_error struct error e = ERROR_INIT;
	assert_int_equal(proc_start(&p, &(struct proc_opts){ .argv = argv }, &e), 0);
	assert_true(process_runs(p.id.pid, script));
	proc_end(&p, 1000);
	unlink(fifo);
}

static void ends_only_the_process_that_is_meant(void **state)
{
	(void)state;
	const char *argv[] = { "/bin/sleep", "60", NULL };
	struct atspi no_display = { .x11 = NULL };
	struct call c = { deadline_in(20000), NULL };
	auto_error struct error e = ERROR_INIT;
	struct proc p;
	bool left = true;
	assert_int_equal(proc_start(&p, &(struct proc_opts){ .argv = argv }, &e), 0);
	/* Stopped, it can't hear the polite signal: only force ends it. */
	kill(p.id.pid, SIGSTOP);
	assert_int_equal(waitpid(p.id.pid, NULL, WUNTRACED), p.id.pid);
	assert_int_equal(launch_end(&no_display, c, p.id.pid, true, &left, &e), 0);
	assert_false(left);
	proc_end(&p, 0);
	left = true;
	assert_int_equal(launch_end(&no_display, c, p.id.pid, false, &left, &e), 0); /* gone already */
	assert_false(left);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_is_an_entry_a_program_or_a_path),
		cmocka_unit_test(says_what_is_wrong_with_a_target),
		cmocka_unit_test(documents_and_urls_go_to_the_opener_whole),
		cmocka_unit_test(knows_an_instance_by_its_program),
		cmocka_unit_test(a_program_gets_what_makes_it_accessible),
		cmocka_unit_test(browsers_are_told_on_the_command_line),
		cmocka_unit_test(a_process_is_known_by_what_it_runs),
		cmocka_unit_test(a_script_is_a_program_too),
		cmocka_unit_test(ends_only_the_process_that_is_meant),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
