/* What `adjust` (command line) and `adjust_control` (MCP tool) share: one wish, the engine of
 * control/control.h driven over the session's device, one envelope as the answer. The public contract
 * is docs/adjust-control.md. */
#ifndef DEFT_COMMAND_ADJUSTING_H
#define DEFT_COMMAND_ADJUSTING_H

#include "control/control.h"
#include "daemon/daemon.h"

struct adjust_ask {
	const char *selector;   /* a selector or @ref; NULL: absent */
	const char *element_id; /* NULL: absent */
	const char *property;   /* "value", "raw_value"; others are refused by the engine */
	double target;
	bool has_tolerance;
	double tolerance;
	int64_t max_attempts;
	bool fingerprints; /* captures a tree before and after, where none was captured anyway */
};

/* Runs the adjustment. Success: the envelope, with the sentence for people as `message`. Failure: one of
 * ELEMENT_NOT_FOUND, ELEMENT_NOT_INTERACTABLE, CONTROL_CONVERGENCE_FAILED, UNKNOWN with the envelope in
 * details.envelope; -ERR_INVALID_ARGS before the device is asked for anything when the target can't be
 * read; -ERR_CANCELED. */
int adjust_perform(struct dm_request *rq, const struct adjust_ask *ask, json_t **ret_data,
                   struct error *e);

#endif
