/* The control that was meant: by selector, @ref or element_id. */
#ifndef DEFT_COMMAND_ADJUST_FIND_H
#define DEFT_COMMAND_ADJUST_FIND_H

#include "command/acting.h"
#include "command/adjusting.h"

/* Before any device is asked: -ERR_INVALID_ARGS for a selector that can't be parsed and for a point.
 * *ret_names_one: exactly one of selector and element_id is given and is more than blanks. */
int adjust_check_target(const struct adjust_ask *ask, bool *ret_names_one, struct error *e);

/* Looks until something matches, at most LIM_ADJUST_RESOLVE_MS of device time (a ref: once; it belongs to
 * its snapshot). Of several matches the only one that is a control with a proven way to be changed is
 * meant; else -ERR_AMBIGUOUS_MATCH with details.candidates. -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_STALE.
 * The caller runs act_target_done(). */
int adjust_find(struct dm_request *rq, struct call c, const struct adjust_ask *ask,
                struct act_target *ret, struct error *e);

#endif
