/* Series of gestures on the runner's `sequence` command (runner protocol 5.4-5.7): checked, cut into
 * chunks by a time budget, sent chunk after chunk, put together again. */
#ifndef DEFT_PLATFORM_SEQUENCE_H
#define DEFT_PLATFORM_SEQUENCE_H

#include "platform/platform.h"

struct pf_step {
	const char *kind; /* tap | doubleTap | longPress | drag */
	bool has_point;   /* false: the request's element; never for drag */
	double x, y, x2, y2;
	int duration_ms; /* -1: none */
	int pause_ms;    /* -1: none */
	bool synthesized;
};
#define PF_STEP(kind_, ...) \
	((struct pf_step){ .kind = (kind_), .duration_ms = -1, .pause_ms = -1, __VA_ARGS__ })

/* Every step is of a known kind and within limits; max 0: any number of them. Typed as
 * runner protocol 5.4 says, with details.stepIndex. */
int pf_sequence_check(const struct pf_step *steps, size_t n, size_t max, struct error *e);
/* How many of the first steps go into one request: at most LIM_SEQUENCE_STEPS that cost together no
 * more than LIM_SEQUENCE_BUDGET_MS, but always one. */
size_t pf_sequence_chunk(const struct pf_step *steps, size_t n);
/* A copy of base (command and what all chunks share) with these steps; new reference. */
json_t *pf_sequence_request(const json_t *base, const struct pf_step *steps, size_t n);
/* The one reading of a sequence's reply: a failed step is an error. Always tells how many steps were
 * completed. */
int pf_sequence_parse(const json_t *data, int64_t *ret_completed, struct error *e);
/* All of it. base: borrowed object with what every request carries ("nodeId", "appBundleId", …). */
int pf_sequence_run(struct pf_device *d, struct call c, const json_t *base,
                    const struct pf_step *steps, size_t n, json_t **ret, struct error *e);

#endif
