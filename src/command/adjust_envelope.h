/* The answer to an adjustment: the common envelope of actions with what an adjustment adds to it, and
 * its sentence for people. Pure: everything comes in through struct adjust_facts. The shape is described
 * in docs/adjust-control.md. */
#ifndef DEFT_COMMAND_ADJUST_ENVELOPE_H
#define DEFT_COMMAND_ADJUST_ENVELOPE_H

#include "base/buf.h"
#include "command/adjusting.h"

struct adjust_facts {
	const struct adjust_ask *ask;
	const struct ct_result *result;
	const struct pf_device_info *device; /* NULL: none was asked */
	const struct ui_tree *tree;          /* NULL: nothing was resolved */
	uint32_t node;
	const char *element_id;                 /* NULL: it has none, or no whole tree was at hand */
	const struct ct_reading *first, *last;  /* NULL: never read */
	const char *print_before, *print_after; /* fingerprints, 16 hex digits; NULL: not taken */
	int64_t started_ms, ended_ms;           /* wall time */
	int64_t resolve_ms;
	const int64_t *op_ms, *read_ms; /* of operation i; reading after i operations */
	unsigned sequence;              /* of the action id: grows with every action */
	const struct error *find_error; /* why nothing was resolved; NULL: something was */
	const struct error *last_error; /* what the device said last; NULL or code 0: nothing */
};

json_t *adjust_envelope(const struct adjust_facts *f);
/* "Brightness was 40, asked 63 → stop 65; now 65 (set directly, 1 attempt)" */
void adjust_sentence(const struct adjust_facts *f, struct buf *out);
/* The next step after a failure; NULL: what the error table says. */
const char *adjust_hint(const struct adjust_facts *f);

#endif
