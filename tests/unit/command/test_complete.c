/* The completion scripts: complete, and loaded by the shells that are there. */
#include "command/spec.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void scripts_know_every_command_and_flag(void **state)
{
	static const char *const shells[] = { "bash", "zsh", "fish" };
	size_t n;
	const struct cmd_spec *const *all = cmd_specs(&n);

	for (size_t k = 0; k < ARRAY_SIZE(shells); k++) {
		auto_buf struct buf script;

		buf_init(&script, LIM_HELP_TEXT);
		assert_true(cmd_completion(shells[k], &script));
		assert_false(script.over);
		for (size_t i = 0; i < n; i++) {
			if (!cmd_on_cli(all[i]))
				continue;
			assert_non_null(strstr(script.data, all[i]->name));
			for (size_t p = 0; p < all[i]->n_params; p++) {
				char flag[64];

				cmd_flag_name(&all[i]->params[p], flag, sizeof(flag));
				if (!all[i]->params[p].positional && all[i]->params[p].where != CMD_ONLY_MCP)
					assert_non_null(strstr(script.data, flag + 2));
			}
		}
	}
}

static void an_unknown_shell_has_no_script(void **state)
{
	auto_buf struct buf script;

	buf_init(&script, LIM_HELP_TEXT);
	assert_false(cmd_completion("tcsh", &script));
	assert_int_equal(script.len, 0);
}

/* Runs bash with the script loaded and `line` completed at its end; gives the proposals. */
static void bash_completes(const char *words, int at, struct buf *out)
{
	auto_buf struct buf script;
	auto_error struct error e = ERROR_INIT;
	int status = -1;

	buf_init(&script, LIM_HELP_TEXT);
	assert_true(cmd_completion("bash", &script));
	buf_addf(&script,
	         "\nCOMP_WORDS=(%s); COMP_CWORD=%d; _deft; printf '%%s ' \"${COMPREPLY[@]}\"\n", words,
	         at);
	const char *const argv[] = { "bash", "--norc", "-c", script.data, NULL };
	const struct proc_opts o = { .argv = argv };

	assert_int_equal(
	    proc_run(&o, (struct call){ deadline_in(20000), NULL }, out, NULL, &status, &e), 0);
	assert_int_equal(status, 0);
}

static void bash_proposes_what_fits(void **state)
{
	static const struct {
		const char *words;
		int at;
		const char *want, *not_want;
	} cases[] = {
		{ "deft sna", 1, "snapshot ", "press" },
		{ "deft press --co", 2, "--count --color ", "--raw" },
		{ "deft click --do", 2, "--double-tap ", NULL },
		{ "deft press --button ''", 3, "primary secondary middle ", "--count" },
		{ "deft scroll ''", 2, "up down left right top bottom ", NULL },
		{ "deft help scr", 2, "screenshot scroll ", "press" },
		{ "deft completion z", 2, "zsh ", "bash" },
	};
	auto_free char *bash = fs_which("bash", NULL);

	if (!bash)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_buf struct buf out;

		buf_init(&out, LIM_HELP_TEXT);
		bash_completes(cases[i].words, cases[i].at, &out);
		if (strstr(cases[i].want, out.data) == NULL && strstr(out.data, cases[i].want) == NULL)
			fail_msg("%s: %s", cases[i].words, out.data);
		if (cases[i].not_want)
			assert_null(strstr(out.data, cases[i].not_want));
	}
}

/* The shell reads the script without running it; one that is not installed is passed over. */
static void check_syntax(const char *shell, const char *flag)
{
	auto_free char *path = fs_which(shell, NULL);
	auto_buf struct buf script;
	auto_error struct error e = ERROR_INIT;
	char file[] = "/tmp/deft-completion-XXXXXX";
	auto_close int fd = -1;
	int status = -1;

	buf_init(&script, LIM_HELP_TEXT);
	assert_true(cmd_completion(shell, &script));
	if (!path)
		return;
	fd = mkstemp(file);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, script.data, script.len), script.len);
	const char *const argv[] = { shell, flag, file, NULL };
	const struct proc_opts o = { .argv = argv };

	assert_int_equal(
	    proc_run(&o, (struct call){ deadline_in(20000), NULL }, NULL, NULL, &status, &e), 0);
	unlink(file);
	assert_int_equal(status, 0);
}

static void the_shells_read_their_scripts(void **state)
{
	check_syntax("bash", "-n");
	check_syntax("zsh", "-n");
	check_syntax("fish", "--no-execute");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scripts_know_every_command_and_flag),
		cmocka_unit_test(an_unknown_shell_has_no_script),
		cmocka_unit_test(bash_proposes_what_fits),
		cmocka_unit_test(the_shells_read_their_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
