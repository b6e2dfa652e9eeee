/* scroll --until: pass after pass until an element is in view. */
#ifndef DEFT_COMMAND_SCROLL_UNTIL_H
#define DEFT_COMMAND_SCROLL_UNTIL_H

#include "command/acting.h"

/* Scrolls until a node that matches args.until lies inside its viewport; what is in view already is
 * not scrolled for (case C14), what is cut off by the edge gets one more short pass, and counts as
 * shown even if that brings nothing (case C11). direction NULL: towards the element where the tree
 * knows its place, else down. The container is t (kind NONE: the one around the element, else the
 * largest that scrolls, else the app's window).
 *
 * The end is met when LIM_SCROLL_IDLE_PASSES passes in a row bring nothing that was not seen before,
 * which also ends a container that bounces (case C13): -ERR_ELEMENT_OFFSCREEN when the program holds
 * the element, else -ERR_ELEMENT_NOT_FOUND, both with reason scroll_end_reached. -ERR_LIMIT_EXCEEDED
 * with scroll_pass_limit after LIM_SCROLL_PASSES. Every failure has details.passes. */
int scroll_until(struct dm_request *rq, const struct act_target *t, const char *direction,
                 json_t **ret_data, struct error *e);

#endif
