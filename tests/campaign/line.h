/* A runner client's provider with a fault proxy in the line: runner process and HTTP are the real
 * ones, only the port that is connected to is the proxy's. A second, direct way to the same runner is
 * the auditor's. */
#ifndef DEFT_TESTS_CAMPAIGN_LINE_H
#define DEFT_TESTS_CAMPAIGN_LINE_H

#include "client/client.h"
#include "fault_proxy.h"

struct line;

struct line_opts {
	const char *const *argv; /* the runner program */
	const char *log_path;    /* of the runner */
	/* Called after each start, before the client sees the runner: brings the app to the front. */
	bool (*prepare)(struct line *l, void *ctx);
	void *ctx;
};

/* NULL: out of memory. The session that takes line_provider() ends it. */
struct line *line_new(const struct line_opts *o);
struct cl_provider line_provider(struct line *l);

/* Faults for the next exchanges; what has not struck when the runner is replaced waits for the first
 * exchanges with its successor. */
void line_plan(struct line *l, const struct fault faults[FAULTS_PLANNED]);
/* Which have struck since: bit i for faults[i]. */
unsigned line_struck(struct line *l);
/* As fault_proxy_flush(). */
void line_flush(struct line *l);
/* Of all the proxies there were. */
struct fault_figures line_figures(struct line *l);
/* The caller that a fault of kind CANCEL stops; NULL: nobody. */
void line_set_cancel(struct line *l, struct cancel *cancel);
/* The runner was killed by a fault since the last call of this; its process is gone then. */
bool line_was_killed(struct line *l);
/* The runner that the session still has was killed. */
bool line_is_dead(struct line *l);
/* There is a runner, and no fault has killed it. */
bool line_is_up(struct line *l);
/* One command straight to the runner; NULL: it has none, or did not answer ok. */
json_t *line_ask(struct line *l, json_t *request_stolen);

#endif
