/* What a campaign counts, and what it finds wrong. Each thread has figures of its own. */
#ifndef DEFT_TESTS_CAMPAIGN_FIGURES_H
#define DEFT_TESTS_CAMPAIGN_FIGURES_H

#include "client/client.h"
#include "fault_proxy.h"
#include "plan.h"

/* X(NAME, what must hold) */
#define PROPERTIES(X)                                                                  \
	X(AT_MOST_ONCE, "no mutation is carried out twice")                                \
	X(SUCCESS_IS_TRUE, "a reported success was carried out exactly once")              \
	X(FAILURE_IS_TRUE, "a reported failure tells the truth about it")                  \
	X(NOT_TORN_DOWN, "no session is torn down that could answer")                      \
	X(NO_HANG, "no command outlives its deadline")                                     \
	X(BOOKS_AGREE, "the app and the runner's own counts agree with what was observed") \
	X(RECOVERS, "the next command without a fault succeeds")

enum property {
#define PROPERTY_ENUM(name, text) name,
	PROPERTIES(PROPERTY_ENUM)
#undef PROPERTY_ENUM
	    PROPERTY_COUNT
};

enum outcome {
	DONE,
	FAILED_NO,
	FAILED_YES,
	FAILED_UNKNOWN,
	FAILED_REFUSED,
	READ,
	READ_FAILED,
	OUTCOMES
};

enum { WORDS_MAX = 24 };

/* Static texts, counted. */
struct words {
	const char *text[WORDS_MAX];
	uint64_t n[WORDS_MAX];
};

struct figures {
	uint64_t runs, commands, unmet; /* unmet: runs whose fault found no exchange */
	uint64_t outcomes[OUTCOMES];
	uint64_t unknown_done, unknown_not_done; /* what became of those of unknown end */
	uint64_t asked_early;                    /* the status question overtook the command itself */
	uint64_t from[START_STATES];
	uint64_t requests, preflights, skipped, retries, runners;
	struct words recoveries, invalidations;
	struct fault_figures line;
	int64_t longest_us, longest_over_us; /* of all commands; beyond the deadline */
	uint64_t broken[PROPERTY_COUNT];
};

void figures_add(struct figures *to, const struct figures *f);
void figures_word(struct words *w, const char *text, uint64_t n);
/* Prints what was broken, with the plan to run it again by; any thread. */
void figures_broken(struct figures *f, enum property p, const struct plan *plan, const char *how);
void figures_print(const struct figures *f, const char *world, double seconds);
/* One TAP line for each property; returns how many were broken. */
int figures_judge(const struct figures *f, int first_number);

#endif
