/* Runs one after the other on one session, each judged. One thread. */
#ifndef DEFT_TESTS_CAMPAIGN_SERIES_H
#define DEFT_TESTS_CAMPAIGN_SERIES_H

#include "figures.h"
#include "world.h"

struct series;

struct series *series_new(const struct world_ops *ops, const char *dir, const char *const *argv);
/* False: the session could not be brought into the state that the plan wants. */
bool series_run(struct series *s, const struct plan *plan, struct figures *f);
/* Ends the session; what was reported as not carried out is looked at once more. */
void series_free(struct series *s, struct figures *f);

#endif
