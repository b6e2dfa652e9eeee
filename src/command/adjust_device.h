/* The engine's operations over a device: what is asked of a runner and how its answers read. */
#ifndef DEFT_COMMAND_ADJUST_DEVICE_H
#define DEFT_COMMAND_ADJUST_DEVICE_H

#include "command/adjust_find.h"
#include "command/element_id.h"

struct adjust_device {
	struct dm_request *rq;
	struct call call; /* of the whole adjustment */
	const struct adjust_ask *ask;
	struct act_target target;
	char element_id[ELEMENT_ID_SIZE]; /* "": none */
	char print_before[17];            /* fingerprint of the screen, "" when not taken */
	json_t *readings;                 /* given by the last reply and not used up, from `next` on */
	size_t next;
	bool read_before; /* since the last operation: a further request lets time pass first */
	bool hidden;      /* something lies over the track: an operation was told so */
	struct deadline settling;
	unsigned ops;
	struct ct_reading first, last;
	bool has_first;
	int64_t resolve_ms; /* wall time of the trace's steps */
	int64_t op_ms[CT_MAX_ATTEMPTS + 1], read_ms[CT_MAX_ATTEMPTS + 1];
	struct error find_error, last_error;
};

void adjust_device_init(struct adjust_device *d, struct dm_request *rq,
                        const struct adjust_ask *ask);
void adjust_device_done(struct adjust_device *d);
struct ct_ops adjust_device_ops(struct adjust_device *d);
/* The screen's fingerprint, best effort: "" when it can't be read. */
void adjust_device_print(struct adjust_device *d, char out[17]);
/* A reading as readControl and its kin answer it. Pure. */
struct ct_reading adjust_reading(const json_t *control, enum ui_role role);

#endif
