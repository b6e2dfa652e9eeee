/* scroll top and scroll bottom: pass after pass until the tree says that nothing is hidden beyond. */
#ifndef DEFT_COMMAND_SCROLL_EDGE_H
#define DEFT_COMMAND_SCROLL_EDGE_H

#include "command/acting.h"

/* edge: "top" or "bottom". The container is t (kind NONE: the largest one that scrolls on the
 * screen). At most LIM_SCROLL_PASSES; -ERR_NO_EFFECT when LIM_SCROLL_IDLE_PASSES in a row change
 * nothing although more is hidden. */
int scroll_to_edge(struct dm_request *rq, const struct act_target *t, const char *edge,
                   json_t **ret_data, struct error *e);

#endif
