/* What the runner's lifecycle costs, with a real virtual runner:
 *
 *   lifecycle [--taps N] RUNNER [ARGUMENT…]
 *
 * "Client's share" is the time of a whole cl_send() without what its exchanges took. The last column is
 * the figure aimed at. */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jx.h"
#include "base/log.h"
#include "base/number.h"
#include "client/http_provider.h"
#include "client/internal.h"
#include "platform/sequence.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS_MAX = 100000, ROUNDS = 20 };

/* The real provider, watched. */
static struct {
	struct cl_provider real;
	int64_t exchanges_us;   /* time spent in exchanges */
	int64_t noticed_us;     /* when a runner was last given up */
	bool lose_reply;        /* the next one that is no question */
	_Atomic int posts;      /* begun */
	int steps[64], n_steps; /* of the sequences sent */
} line;

static int64_t sample[TAPS_MAX];

extern char **environ;

static void note_steps(const json_t *request)
{
	size_t n = json_array_size(json_object_get(request, "steps"));
	if (n > 0 && line.n_steps < (int)ARRAY_SIZE(line.steps))
		line.steps[line.n_steps++] = (int)n;
}

static int post(void *ctx, const struct cl_endpoint *ep, const char *body, size_t len,
                struct call c, struct buf *reply, enum cl_failure *ret_failure, struct error *e)
{
	json_t auto_json *request = jx_parse(body, len, NULL);
	const char *command = jx_get_str(request, "command", "");
	note_steps(request);
	line.posts++;
	int64_t from = clock_now_us();
	int r = line.real.post(ctx, ep, body, len, c, reply, ret_failure, e);
	line.exchanges_us += clock_now_us() - from;
	if (r < 0 || !line.lose_reply || strcmp(command, "tap") != 0)
		return r;
	line.lose_reply = false;
	buf_reset(reply);
	*ret_failure = CL_LOST;
	return error_set(e, ERR_RUNNER_LOST_REPLY, "lost by the benchmark");
}

static void stop(void *ctx, struct cl_endpoint *ep, int64_t grace_ms)
{
	line.noticed_us = clock_now_us();
	line.real.stop(ctx, ep, grace_ms);
}

static struct cl_session *open_session(const char *const *argv)
{
	const struct cl_http_opts o = { .argv = argv, .env = (const char *const *)environ };
	struct cl_session *s = NULL;
	if (cl_http_provider_new(&line.real, &o, NULL) < 0)
		exit(2);
	struct cl_provider watched = line.real;
	watched.post = post;
	watched.stop = stop;
	if (cl_session_new(&s, &watched, NULL) < 0)
		exit(2);
	return s;
}

/* --- commands -------------------------------------------------------------------------------------- */

static int send_request(struct cl_session *s, json_t *request_stolen, struct cl_trace *ret)
{
	json_t auto_json *request = request_stolen;
	json_t auto_json *data = NULL;
	struct error auto_error e = ERROR_INIT;
	int r = cl_send(s, (struct call){ deadline_in(30000), NULL }, request, &data, ret, &e);
	if (r < 0)
		fprintf(stderr, "%s: %s\n", jx_get_str(request, "command", "?"), e.message);
	return r;
}

static void launch(struct cl_session *s)
{
	struct cl_trace trace;
	if (send_request(s, json_pack("{s:s, s:s}", "command", "launch", "target", "demo"), &trace) < 0)
		exit(1);
}

static int tap(struct cl_session *s, struct cl_trace *ret)
{
	return send_request(s, json_pack("{s:s, s:i, s:i}", "command", "tap", "x", 5, "y", 5), ret);
}

static void must_tap(struct cl_session *s, struct cl_trace *ret)
{
	if (tap(s, ret) < 0)
		exit(1);
}

static void *tap_quietly(void *session)
{
	struct cl_trace trace;
	json_t auto_json *request = json_pack("{s:s, s:i, s:i}", "command", "tap", "x", 5, "y", 5);
	json_t auto_json *data = NULL;
	struct call c = { deadline_in(30000), NULL };
	cl_send(session, c, request, &data, &trace, NULL);
	return NULL;
}

/* --- the table ------------------------------------------------------------------------------------- */

static void row(const char *what, double value, const char *unit, const char *aim)
{
	printf("%-58s%9.2f %-9s%s\n", what, value, unit, aim);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static double quantile_ms(int n, double q)
{
	qsort(sample, (size_t)n, sizeof *sample, compare);
	return (double)sample[(int)(q * (n - 1))] / 1000;
}

static void rows(const char *what, int n, const char *aim)
{
	char text[80];
	snprintf(text, sizeof text, "%s, p50", what);
	row(text, quantile_ms(n, 0.5), "ms", aim);
	snprintf(text, sizeof text, "%s, p99", what);
	row(text, quantile_ms(n, 0.99), "ms", "");
}

/* --- measurements ----------------------------------------------------------------------------------- */

static void hot_loop(struct cl_session *s, int taps, bool skip)
{
	struct cl_trace trace;
	static int64_t whole[TAPS_MAX];
	int requests = 0;
	must_tap(s, &trace);
	for (int i = 0; i < taps; i++) {
		if (!skip)
			cl_step(s, CL_EV_DOUBTED, NULL);
		line.exchanges_us = 0;
		int64_t from = clock_now_us();
		must_tap(s, &trace);
		whole[i] = clock_now_us() - from;
		sample[i] = whole[i] - line.exchanges_us;
		requests += trace.requests;
	}
	const char *kind = skip ? "preflight skipped" : "with a preflight";
	char text[80];
	snprintf(text, sizeof text, "%d taps, %s: requests per tap", taps, kind);
	row(text, (double)requests / taps, "", skip ? "1.00" : "2.00");
	snprintf(text, sizeof text, "client's share of a tap, %s", kind);
	rows(text, taps, "");
	memcpy(sample, whole, (size_t)taps * sizeof *sample);
	snprintf(text, sizeof text, "whole tap, %s", kind);
	rows(text, taps, "");
}

static void lost_replies(struct cl_session *s)
{
	struct cl_trace trace;
	int requests = 0, recovered = 0;
	must_tap(s, &trace);
	for (int i = 0; i < ROUNDS; i++) {
		must_tap(s, &trace); /* hot again: the loss took the proof away */
		line.lose_reply = true;
		int64_t from = clock_now_us();
		must_tap(s, &trace);
		sample[i] = clock_now_us() - from;
		requests += trace.requests;
		recovered +=
		    trace.recovery && strcmp(trace.recovery, "completed_with_retained_response") == 0;
	}
	row("tap whose reply is lost: requests", (double)requests / ROUNDS, "", "<= 2.00");
	row("tap whose reply is lost: recovered", (double)recovered / ROUNDS, "", "1.00");
	rows("tap whose reply is lost", ROUNDS, "");
}

static void kill_runner(struct proc_id id)
{
	proc_id_signal(id, SIGKILL);
	while (proc_id_alive(id))
		sched_yield();
}

static void dead_runners(struct cl_session *s)
{
	struct cl_trace trace;
	for (int i = 0; i < ROUNDS; i++) {
		must_tap(s, &trace);
		kill_runner(cl_session_process(s));
		int64_t from = clock_now_us();
		tap_quietly(s); /* on a new runner, without an app: it is refused */
		sample[i] = line.noticed_us - from;
		launch(s);
	}
	rows("a dead runner is noticed before use", ROUNDS, "<= 5");
}

/* The runner stands still when the tap is sent, so that it is waiting when the runner dies. */
static void runners_that_die(struct cl_session *s)
{
	struct cl_trace trace;
	pthread_t thread;
	for (int i = 0; i < ROUNDS; i++) {
		must_tap(s, &trace);
		struct proc_id id = cl_session_process(s);
		int posts = line.posts;
		proc_id_signal(id, SIGSTOP);
		pthread_create(&thread, NULL, tap_quietly, s);
		while (line.posts == posts)
			sched_yield();
		clock_wait(20, NULL, NULL); /* it is on its way; only what follows is measured */
		int64_t from = clock_now_us();
		proc_id_signal(id, SIGKILL);
		pthread_join(thread, NULL);
		sample[i] = line.noticed_us > from ? line.noticed_us - from : clock_now_us() - from;
		launch(s);
	}
	rows("a runner that dies under a command is noticed", ROUNDS, "<= 5");
}

static int run_for_series(struct pf_device *d, struct call c, json_t *request, json_t **ret,
                          struct error *e)
{
	return cl_send(d->runner, c, request, ret, &d->trace, e);
}

static void holds(struct cl_session *s)
{
	static const struct pf_ops ops = { .run = run_for_series };
	struct pf_device d = { .ops = &ops, .runner = s };
	struct pf_step steps[20];
	json_t auto_json *data = NULL;
	struct error auto_error e = ERROR_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		steps[i] = PF_STEP("longPress", .has_point = true, .x = 5, .y = 5, );
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		steps[i].duration_ms = 2000;
	line.n_steps = 0;
	struct call c = { deadline_in(120000), NULL };
	if (pf_sequence_run(&d, c, NULL, steps, ARRAY_SIZE(steps), &data, &e) < 0)
		fprintf(stderr, "%s\n", e.message);
	struct buf auto_buf text;
	buf_init(&text, 256);
	for (int i = 0; i < line.n_steps; i++)
		buf_addf(&text, "%s%d", i ? ", " : "", line.steps[i]);
	printf("%-58s%9s %-9s%s\n", "20 holds of 2 s: steps of each request", text.data, "", "8, 8, 4");
}

int main(int argc, char **argv)
{
	int64_t taps = 200;
	const char *const *runner = (const char *const *)argv + 1;
	if (argc > 3 && strcmp(argv[1], "--taps") == 0 && number_parse_int(argv[2], &taps))
		runner += 2;
	if (!*runner || taps < 1 || taps > TAPS_MAX) {
		fprintf(stderr, "lifecycle [--taps N] RUNNER [ARGUMENT…]\n");
		return 2;
	}
	log_set_level(LOG_ERROR);
	printf("%-58s%9s %-9s%s\n", "Runner lifecycle, virtual runner", "deft", "", "aim");
	struct cl_session *s = open_session(runner);
	launch(s);
	hot_loop(s, (int)taps, true);
	hot_loop(s, (int)taps, false);
	lost_replies(s);
	dead_runners(s);
	runners_that_die(s);
	holds(s);
	cl_session_free(s);
	return 0;
}
