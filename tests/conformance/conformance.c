/* The runner protocol's conformance suite: black box, over HTTP, against any runner.
 *
 *   conformance [--point X,Y] [--launch TARGET] CASES.json… --runner PROGRAM [ARGUMENT…]
 *   conformance [--point X,Y] [--launch TARGET] [--token T] --port N CASES.json…
 *
 * The cases want a program in front: --launch starts one through the runner first. --point is a point
 * of it where a press does no harm (1,1).
 *
 * With --runner the program is started with a token of its own, its announcements are checked, and its
 * end: status 0 after the last case (which shuts it down) and nothing else on its stdout. Results are
 * TAP; what a runner says it cannot do is skipped with its reason. Exit status 1 when a case failed. */
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/jx.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/proc.h"
#include "base/sock.h"
#include "case.h"
#include "raw_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "conformance-token"
#define CASE_FILE_MAX (1 << 20)

struct suite {
	struct runner_address runner;
	struct proc process;
	struct line_reader out;
	bool started; /* by us */
	json_t *cases;
	const char *launch; /* NULL: something is in front already */
	int number, failures;
};

__attribute__((format(printf, 1, 2), noreturn)) static void bail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("Bail out! ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	exit(2);
}

/* --- the runner ------------------------------------------------------------------------------ */

static char *next_line(struct suite *s, int64_t ms)
{
	struct call c = { deadline_in(ms), NULL };
	char *line = NULL;
	size_t len;

	return line_reader_next(&s->out, c, &line, &len, NULL) > 0 ? line : NULL;
}

static void start_runner(struct suite *s, char **argv)
{
	const struct proc_opts opts = { .argv = (const char *const *)argv,
		                            .pipe_out = true,
		                            .die_with_parent = true };
	static const char port[] = "DEFT_RUNNER_PORT=";
	struct error auto_error e = ERROR_INIT;
	int64_t n = 0;
	char *line;

	setenv("DEFT_RUNNER_TOKEN", TOKEN, 1);
	if (proc_start(&s->process, &opts, &e) < 0)
		bail("%s", e.message);
	line_reader_init(&s->out, s->process.out, 4096);
	line = next_line(s, LIM_RUNNER_STARTUP_MS);
	if (!line || strncmp(line, port, strlen(port)) != 0 ||
	    !number_parse_int(line + strlen(port), &n) || n < 1 || n > 65535)
		bail("the runner did not announce its port: %s", line ? line : "nothing");
	line = next_line(s, LIM_RUNNER_STARTUP_MS);
	if (!line || strcmp(line, "DEFT_RUNNER_READY") != 0)
		bail("the runner did not announce that it is ready: %s", line ? line : "nothing");
	s->runner.port = (uint16_t)n;
	s->runner.token = TOKEN;
	s->started = true;
}

static void launch_app(const struct suite *s)
{
	auto_json json_t *command = json_pack("{s:s,s:s}", "command", "launch", "target", s->launch);
	auto_close int fd = http_open(s->runner.port);
	struct buf auto_buf body;

	buf_init(&body, 10000);
	if (fd < 0 || !jx_dump(command, false, &body))
		bail("the runner does not accept a connection");
	http_post(fd, s->runner.token, NULL, body.data, body.len);
	struct http_answer auto_answer a = http_receive(fd);
	if (!json_is_true(json_object_get(a.json, "ok")))
		bail("%s can't be launched: %s", s->launch, a.body ? a.body : "no answer");
}

static void report(struct suite *s, enum verdict v, const char *id, const char *title,
                   const char *why)
{
	s->number++;
	s->failures += v == FAILED;
	printf("%sok %d - %s %s", v == FAILED ? "not " : "", s->number, id, title);
	printf(v == SKIPPED  ? " # SKIP %s\n"
	       : v == FAILED ? "\n# %s\n"
	                     : "%s\n",
	       v == PASSED ? "" : why);
	fflush(stdout);
}

static void end_runner(struct suite *s)
{
	struct call c = { deadline_in(LIM_RUNNER_SHUTDOWN_MS), NULL };
	const char *rest = next_line(s, LIM_RUNNER_SHUTDOWN_MS);
	struct buf auto_buf why;
	int status = -1;

	buf_init(&why, 1000);
	buf_addf(&why, "stdout goes on with: %s", rest ? rest : "");
	report(s, rest ? FAILED : PASSED, "E1", "stdout carries the announcements only", why.data);
	buf_reset(&why);
	proc_wait(&s->process, c, &status, NULL);
	buf_addf(&why, "exit status %d", status);
	report(s, status == 0 ? PASSED : FAILED, "E2", "the program ends with status 0", why.data);
	proc_end(&s->process, 1000);
	line_reader_done(&s->out);
}

/* --- cases ----------------------------------------------------------------------------------- */

static void load(struct suite *s, const char *path)
{
	struct error auto_error e = ERROR_INIT;
	struct buf auto_buf text;

	buf_init(&text, CASE_FILE_MAX);
	if (fs_read(path, CASE_FILE_MAX, &text, &e) < 0)
		bail("%s", e.message);
	auto_json json_t *list = jx_parse(text.data, text.len, &e);
	if (!json_is_array(list))
		bail("%s: %s", path, e.message ? e.message : "not an array of cases");
	json_array_extend(s->cases, list);
}

static void run_all(struct suite *s)
{
	json_t *one;
	size_t i;

	printf("TAP version 13\n1..%zu\n", json_array_size(s->cases) + (s->started ? 2 : 0));
	json_array_foreach(s->cases, i, one)
	{
		struct buf auto_buf why;

		buf_init(&why, 100000);
		enum verdict v = case_run(&s->runner, one, &why);
		report(s, v, jx_get_str(one, "id", "?"), jx_get_str(one, "title", ""), why.data);
	}
}

static bool is_option(const char *argument, const char *name, const char *value)
{
	if (strcmp(argument, name) != 0)
		return false;
	if (!value)
		bail("%s needs a value", name);
	return true;
}

static void parse(struct suite *s, char **argv)
{
	int64_t n = 0;

	for (int i = 1; argv[i]; i++) {
		if (is_option(argv[i], "--runner", argv[i + 1])) {
			start_runner(s, argv + i + 1);
			return;
		}
		if (is_option(argv[i], "--port", argv[i + 1])) {
			if (!number_parse_int(argv[++i], &n) || n < 1 || n > 65535)
				bail("--port must be 1..65535");
			s->runner.port = (uint16_t)n;
		} else if (is_option(argv[i], "--token", argv[i + 1])) {
			s->runner.token = argv[++i];
		} else if (is_option(argv[i], "--launch", argv[i + 1])) {
			s->launch = argv[++i];
		} else if (is_option(argv[i], "--point", argv[i + 1])) {
			if (sscanf(argv[++i], "%lf,%lf", &s->runner.x, &s->runner.y) != 2)
				bail("--point must be X,Y");
		} else {
			load(s, argv[i]);
		}
	}
}

int main(int argc, char **argv)
{
	struct suite s = { .runner = { .x = 1, .y = 1 }, .cases = json_array() };

	parse(&s, argv);
	if (!s.runner.port)
		bail("--runner PROGRAM or --port N is needed");
	if (s.launch)
		launch_app(&s);
	run_all(&s);
	if (s.started)
		end_runner(&s);
	json_decref(s.cases);
	return s.failures > 0;
}
