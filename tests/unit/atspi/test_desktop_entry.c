#include "backend/atspi/desktop_entry.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct desktop_entry parsed(const char *text)
{
	struct desktop_entry d = { NULL };
	auto_error struct error e = ERROR_INIT;
	if (desktop_entry_parse(text, strlen(text), &d, &e) < 0)
		fail_msg("%s", e.message);
	return d;
}

static void reads_the_keys_of_its_group_only(void **state)
{
	(void)state;
	struct desktop_entry d = parsed("# comment = no key\n"
	                                "[Other]\nName=wrong\nExec=wrong\n"
	                                "[Desktop Entry]\r\n"
	                                " Type = Application \n"
	                                "Name=Caf\xc3\xa9\n"
	                                "Name[de]=Kaffeehaus\n"
	                                "Exec=prog %U\n"
	                                "Exec=second is ignored\n"
	                                "TryExec=prog\n"
	                                "Path=/tmp\nIcon=an icon\nStartupWMClass=Prog\n"
	                                "Terminal=false\nNoDisplay=true\nHidden=TRUE\n"
	                                "DBusActivatable=true\n"
	                                "no equals sign\n=no key\n"
	                                "[Desktop Action new]\nName=New window\nExec=prog --new\n"
	                                "[Desktop Entry]\nTerminal=true\n");
	assert_string_equal(d.type, "Application");
	assert_string_equal(d.name, "Caf\xc3\xa9");
	assert_string_equal(d.exec, "prog %U");
	assert_string_equal(d.try_exec, "prog");
	assert_string_equal(d.path, "/tmp");
	assert_string_equal(d.icon, "an icon");
	assert_string_equal(d.wm_class, "Prog");
	assert_null(d.generic_name);
	assert_false(d.terminal);
	assert_true(d.no_display);
	assert_false(d.hidden); /* only "true" is true */
	assert_true(d.dbus);
	desktop_entry_done(&d);
}

static void undoes_the_escapes_of_values(void **state)
{
	(void)state;
	struct desktop_entry d = parsed("[Desktop Entry]\nName=a\\sb\\tc\\nd\\\\e\\qf\\\nExec=x\xff\n");
	assert_string_equal(d.name, "a b\tc\nd\\e\\qf\\");
	assert_string_equal(d.exec, "x\xef\xbf\xbd"); /* ill-formed text is repaired */
	desktop_entry_done(&d);
}

static void refuses_what_is_no_entry(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "Name=x\n", "[Desktop  Entry]\nName=x\n", "\0\0" };
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct desktop_entry d = { NULL };
		auto_error struct error e = ERROR_INIT;
		assert_int_equal(desktop_entry_parse(texts[i], strlen(texts[i]), &d, &e),
		                 -ERR_INVALID_ARGS);
		assert_null(d.name);
	}
}

/* --- Exec ----------------------------------------------------------------------------------- */

/* The words between bars. */
static void expect_words(const char *exec, const char *args, const char *wanted)
{
	struct desktop_entry d = { .id = (char *)"id",
		                       .exec = strdup(exec),
		                       .name = (char *)"My App",
		                       .icon = (char *)"pic",
		                       .file = (char *)"/a/b.desktop" };
	const char *list[8];
	size_t n = 0;
	auto_free char *copy = strdup(args);
	for (char *at = copy; *at; n++) {
		list[n] = at;
		at += strcspn(at, "|");
		if (*at)
			*at++ = '\0';
	}
	char **argv = NULL;
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf got;
	buf_init(&got, 4096);
	if (desktop_entry_argv(&d, n ? list : NULL, n, &argv, &e) < 0)
		buf_adds(&got, error_code_name(e.code));
	for (size_t i = 0; argv && argv[i]; i++)
		buf_addf(&got, "%s%s", i ? "|" : "", argv[i]);
	if (strcmp(got.data, wanted) != 0)
		fail_msg("%s with %s: %s, not %s", exec, args, got.data, wanted);
	desktop_argv_free(argv);
	free(d.exec);
}

static void splits_and_expands_command_lines(void **state)
{
	(void)state;
	static const struct {
		const char *exec, *args, *wanted;
	} cases[] = {
		{ "prog", "", "prog" },
		{ "  prog \t a  b ", "", "prog|a|b" },
		{ "prog %f", "", "prog" },
		{ "prog %f", "/x y", "prog|/x y" },
		{ "prog %f end", "a|b|c", "prog|a|end|b|c" },
		{ "prog %F", "a|b", "prog|a|b" },
		{ "prog %U --end", "http://x/?a=1&b=2#f;$x", "prog|http://x/?a=1&b=2#f;$x|--end" },
		{ "prog --file=%f", "a", "prog|--file=a" },
		{ "prog --files=%F", "a|b", "prog|--files=|a|b" },
		{ "prog", "a|b", "prog|a|b" }, /* no code takes them: at the end */
		{ "prog %i", "", "prog|--icon|pic" },
		{ "prog %c %k", "", "prog|My App|/a/b.desktop" },
		{ "prog %d %D %n %N %v %m x", "", "prog|x" },
		{ "prog 100%%", "", "prog|100%" },
		{ "prog %", "", "prog|%" },
		{ "\"my prog\" \"a b\" \"\"", "", "my prog|a b|" },
		{ "prog \"a\\\"b\\`c\\$d\\\\e\"", "", "prog|a\"b`c$d\\e" },
		{ "prog a\"b c\"d", "", "prog|ab cd" },
		{ "prog $HOME `id` $(id);x", "", "prog|$HOME|`id`|$(id);x" }, /* no shell */
		{ "prog \"open", "", "INVALID_ARGS" },
		{ "", "", "INVALID_ARGS" },
		{ "   ", "", "INVALID_ARGS" },
		{ "%f", "", "INVALID_ARGS" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_words(cases[i].exec, cases[i].args, cases[i].wanted);
}

static void limits_the_number_of_words(void **state)
{
	(void)state;
	auto_buf struct buf exec;
	buf_init(&exec, 65536);
	for (int i = 0; i < LIM_LAUNCH_ARGS + 1; i++)
		buf_adds(&exec, "w ");
	expect_words(exec.data, "", "LIMIT_EXCEEDED");
}

/* --- finding -------------------------------------------------------------------------------- */

static char *home;

static void put_file(const char *path, const char *text)
{
	auto_free char *full = fs_join(home, path);
	auto_free char *dir = strdup(full);
	*strrchr(dir, '/') = '\0';
	assert_int_equal(fs_mkdirs(dir, 0700, NULL), 0);
	assert_int_equal(fs_write(full, text, strlen(text), 0600, NULL), 0);
}

#define ENTRY(name, rest) "[Desktop Entry]\nType=Application\nName=" name "\nExec=/bin/true\n" rest

static int make_home(void **state)
{
	(void)state;
	char template[] = "/tmp/deft-entries-XXXXXX";
	home = strdup(mkdtemp(template));
	put_file("data/applications/org.example.Two.desktop", ENTRY("Two of the user", ""));
	put_file("data/applications/gone.desktop", ENTRY("Gone", "Hidden=true\n"));
	put_file("sys/applications/org.example.Two.desktop", ENTRY("Two of the system", ""));
	put_file("sys/applications/gone.desktop", ENTRY("Gone", ""));
	put_file("sys/applications/kde/deep.desktop", ENTRY("Deep", "NoDisplay=true\n"));
	put_file("sys/applications/broken.desktop", "nothing of the kind");
	put_file("sys/applications/link.desktop", "[Desktop Entry]\nType=Link\nExec=/bin/true\n");
	put_file("sys/applications/missing.desktop", ENTRY("M", "TryExec=/no/such/program\n"));
	put_file("sys/applications/notes.txt", ENTRY("Text", ""));
	put_file("rel/applications/relative.desktop", ENTRY("Relative", ""));
	assert_int_equal(chdir(home), 0);
	auto_free char *data = fs_join(home, "data"), *sys = fs_join(home, "sys");
	auto_buf struct buf dirs;
	buf_init(&dirs, 4096);
	buf_addf(&dirs, "rel:%s:/no/such/dir", sys);
	setenv("XDG_DATA_HOME", data, 1);
	setenv("XDG_DATA_DIRS", dirs.data, 1);
	return 0;
}

static int remove_home(void **state)
{
	(void)state;
	static const char *const files[] = {
		"data/applications/org.example.Two.desktop",
		"data/applications/gone.desktop",
		"data/applications",
		"data",
		"sys/applications/org.example.Two.desktop",
		"sys/applications/gone.desktop",
		"sys/applications/kde/deep.desktop",
		"sys/applications/kde",
		"sys/applications/broken.desktop",
		"sys/applications/link.desktop",
		"sys/applications/missing.desktop",
		"sys/applications/notes.txt",
		"sys/applications",
		"sys",
		"rel/applications/relative.desktop",
		"rel/applications",
		"rel",
		"",
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *path = fs_join(home, files[i]);
		remove(path);
	}
	free(home);
	return 0;
}

static void lists_usable_entries_the_first_of_an_id(void **state)
{
	(void)state;
	struct desktop_entries all;
	desktop_entries_read(&all);
	assert_int_equal(all.n, 2);
	assert_string_equal(all.list[0].id, "kde-deep");
	assert_true(all.list[0].no_display);
	assert_string_equal(all.list[1].id, "org.example.Two");
	assert_string_equal(all.list[1].name, "Two of the user");
	assert_ptr_equal(desktop_entries_find(&all, "org.example.Two.desktop"), &all.list[1]);
	assert_ptr_equal(desktop_entries_find(&all, "ORG.example.two"), &all.list[1]);
	assert_null(desktop_entries_find(&all, "two"));
	assert_null(desktop_entries_find(&all, "gone")); /* hidden by the user's own file */
	desktop_entries_done(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_keys_of_its_group_only),
		cmocka_unit_test(undoes_the_escapes_of_values),
		cmocka_unit_test(refuses_what_is_no_entry),
		cmocka_unit_test(splits_and_expands_command_lines),
		cmocka_unit_test(limits_the_number_of_words),
		cmocka_unit_test_setup_teardown(lists_usable_entries_the_first_of_an_id, make_home,
		                                remove_home),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
