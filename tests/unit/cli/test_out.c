/* What is printed where, and with which exit status. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "cli/out.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* Both streams into files while something is printed. */
struct capture {
	int saved[3];
	int file[3];
	char text[3][4000];
};

static void capture_start(struct capture *c)
{
	fflush(stdout);
	for (int fd = 1; fd <= 2; fd++) {
		c->saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
		c->file[fd] = memfd_create("out", MFD_CLOEXEC);
		dup2(c->file[fd], fd);
	}
}

static void capture_end(struct capture *c)
{
	for (int fd = 1; fd <= 2; fd++) {
		dup2(c->saved[fd], fd);
		close(c->saved[fd]);
		ssize_t n = pread(c->file[fd], c->text[fd], sizeof(c->text[fd]) - 1, 0);
		c->text[fd][n > 0 ? n : 0] = '\0';
		close(c->file[fd]);
	}
}

static struct cli_reply reply(const char *text)
{
	return (struct cli_reply){ .data = json_pack("{s:i}", "a", 1),
		                       .text = text ? strdup(text) : NULL };
}

static int print_reply(struct cli_out *o, const char *text, struct capture *c)
{
	auto_reply struct cli_reply r = reply(text);
	capture_start(c);
	int status = cli_out_reply(o, &r);
	capture_end(c);
	return status;
}

static void a_result_is_text_or_an_envelope(void **state)
{
	struct cli_out text = { 0 }, json = { .json = true };
	struct capture c;
	assert_int_equal(print_reply(&text, "done\n", &c), 0);
	assert_string_equal(c.text[1], "done\n");
	assert_string_equal(c.text[2], "");
	assert_int_equal(print_reply(&text, NULL, &c), 0);
	assert_string_equal(c.text[1], "{\"a\":1}\n");
	assert_int_equal(print_reply(&json, "done\n", &c), 0);
	assert_string_equal(c.text[1], "{\"success\":true,\"data\":{\"a\":1}}\n");
	json.term.out_is = true;
	assert_int_equal(print_reply(&json, "done\n", &c), 0);
	assert_string_equal(c.text[1],
	                    "{\n  \"success\": true,\n  \"data\": {\n    \"a\": 1\n  }\n}\n");
	assert_string_equal(c.text[2], "");
}

static void make_error(struct error *e)
{
	json_t *candidates = json_array();
	for (int i = 1; i <= 7; i++)
		json_array_append_new(candidates, json_sprintf("@e%d [button]", i));
	error_set(e, ERR_AMBIGUOUS_MATCH, "7 match");
	error_detail(e, "candidates", candidates);
	error_detail_int(e, "matches", 7);
}

static int show_error(struct cli_out *o, struct capture *c)
{
	auto_error struct error e = ERROR_INIT;
	make_error(&e);
	capture_start(c);
	int status = cli_out_error(o, &e);
	capture_end(c);
	return status;
}

static void an_error_goes_to_stderr(void **state)
{
	struct cli_out o = { 0 };
	struct capture c;
	assert_int_equal(show_error(&o, &c), error_exit_status(ERR_AMBIGUOUS_MATCH));
	assert_string_equal(c.text[1], "");
	auto_free char *want = NULL;
	assert_true(
	    asprintf(&want,
	             "Error (AMBIGUOUS_MATCH): 7 match\nCandidates:\n  @e1 [button]\n  @e2 [button]\n"
	             "  @e3 [button]\n  @e4 [button]\n  @e5 [button]\n  +2 more\nHint: %s\n",
	             error_default_hint(ERR_AMBIGUOUS_MATCH)) > 0);
	assert_string_equal(c.text[2], want);
}

static void matches_that_are_not_named_are_counted(void **state)
{
	struct cli_out o = { 0 };
	struct capture c;
	auto_error struct error e = ERROR_INIT;
	error_set(&e, ERR_AMBIGUOUS_MATCH, "9 match");
	error_detail(&e, "candidates", json_pack("[s]", "@e1 [button] \"\033[31mred\""));
	error_detail_int(&e, "matches", 9);
	capture_start(&c);
	cli_out_error(&o, &e);
	capture_end(&c);
	assert_non_null(strstr(c.text[2], "  @e1 [button] \"\xef\xbf\xbd[31mred\"\n  +8 more\n"));
}

static void details_are_shown_when_asked_for(void **state)
{
	struct cli_out o = { .debug = true };
	struct capture c;
	show_error(&o, &c);
	assert_non_null(strstr(c.text[2], "Details: {"));
	assert_non_null(strstr(c.text[2], "\"matches\": 7"));
}

static void an_error_as_json_goes_to_stdout(void **state)
{
	struct cli_out o = { .json = true };
	struct capture c;
	assert_int_equal(show_error(&o, &c), error_exit_status(ERR_AMBIGUOUS_MATCH));
	assert_string_equal(c.text[2], "");
	auto_json json_t *j = jx_parse(c.text[1], strlen(c.text[1]), NULL);
	assert_true(json_is_false(json_object_get(j, "success")));
	json_t *error = json_object_get(j, "error");
	assert_string_equal(jx_get_str(error, "code", ""), "AMBIGUOUS_MATCH");
	assert_non_null(json_object_get(error, "hint"));
	assert_int_equal(
	    json_array_size(json_object_get(json_object_get(error, "details"), "candidates")), 7);
}

static void progress_is_for_terminals(void **state)
{
	struct cli_out plain = { 0 }, terminal = { .term.progress = true };
	struct capture c;
	capture_start(&c);
	cli_out_progress(&plain, "step", 1, 2);
	cli_out_progress(&terminal, "step", 1, 2);
	cli_out_progress(&terminal, "other", -1, -1);
	cli_out_notice(&terminal, "note");
	capture_end(&c);
	assert_string_equal(c.text[1], "");
	assert_string_equal(c.text[2], "step (1/2)\r\033[Kother\r\033[Knote\n");
}

static void nobody_reads(void **state)
{
	struct cli_out o = { 0 };
	struct capture c;
	auto_reply struct cli_reply r = reply("done\n");
	int ends[2];
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	capture_start(&c);
	dup2(ends[1], 1);
	close(ends[1]);
	int status = cli_out_reply(&o, &r);
	capture_end(&c);
	assert_int_equal(status, CLI_READER_GONE);
	assert_string_equal(c.text[2], "");
}

static void the_disk_is_full(void **state)
{
	struct cli_out o = { 0 };
	struct capture c;
	auto_reply struct cli_reply r = reply("done\n");
	auto_close int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (full < 0)
		skip();
	capture_start(&c);
	dup2(full, 1);
	int status = cli_out_reply(&o, &r);
	capture_end(&c);
	assert_int_equal(status, error_exit_status(ERR_IO_ERROR));
	assert_non_null(strstr(c.text[2], "the command itself was carried out"));
}

/* --- colour ------------------------------------------------------------------------------------- */

static bool color_with(const char *no_color, const char *force, const char *term,
                       const char *choice)
{
	struct cli_term t;
	struct capture c;
	unsetenv("NO_COLOR");
	unsetenv("FORCE_COLOR");
	unsetenv("TERM");
	if (no_color)
		setenv("NO_COLOR", no_color, 1);
	if (force)
		setenv("FORCE_COLOR", force, 1);
	if (term)
		setenv("TERM", term, 1);
	capture_start(&c); /* no terminal for sure */
	cli_term_detect(&t, choice);
	capture_end(&c);
	assert_int_equal(t.out_color, t.err_color);
	assert_false(t.progress);
	assert_int_equal(t.width, 0);
	return t.out_color;
}

static void colour_is_asked_for_or_not(void **state)
{
	assert_false(color_with(NULL, NULL, "xterm", NULL));
	assert_true(color_with(NULL, "1", "xterm", NULL));
	assert_true(color_with(NULL, "1", NULL, "auto"));
	assert_false(color_with(NULL, "0", "xterm", NULL));
	assert_false(color_with("1", "1", "xterm", NULL));
	assert_true(color_with("", "1", "xterm", NULL));
	assert_true(color_with("1", NULL, "dumb", "always"));
	assert_false(color_with(NULL, "1", "xterm", "never"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_text_or_an_envelope),
		cmocka_unit_test(an_error_goes_to_stderr),
		cmocka_unit_test(matches_that_are_not_named_are_counted),
		cmocka_unit_test(details_are_shown_when_asked_for),
		cmocka_unit_test(an_error_as_json_goes_to_stdout),
		cmocka_unit_test(progress_is_for_terminals),
		cmocka_unit_test(nobody_reads),
		cmocka_unit_test(the_disk_is_full),
		cmocka_unit_test(colour_is_asked_for_or_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
