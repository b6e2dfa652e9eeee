/* A control played from a script, and the cases of tests/data/control/cases.json that run on it.
 *
 * A fixture is a reading written as JSON: "value", "min", "max", "step" (numbers, null, "nan", "inf"),
 * "raw": {the same}, "text", "caps": ["SET", "SET2", "INC", "DEC"], "rect": [left, top, right, bottom],
 * and the flags "enabled", "visible" (true unless said), "vertical", "rtl", "readOnly", "rating", "stale".
 * A patch changes some of it.
 *
 * A case: "control": fixture; "start": patch; "looks": readings before the first operation, a list of
 * patches, the last one stays; "after": one entry an operation, the last one stays for further ones: a patch,
 * or a list of patches read one after the other of which the last one stays. A patch may hold "answer":
 * "gone" | "lost" | "over" instead of a reading. "answers": what the operations answer, "done" |
 * "rejected" | "lost" | "gone" | "over", the last one stays. "resolve": the same for resolving. */
#ifndef DEFT_TESTS_CONTROL_SCRIPT_H
#define DEFT_TESTS_CONTROL_SCRIPT_H

#include "base/buf.h"
#include "control/control.h"

#include <jansson.h>

struct script {
	const json_t *fixtures, *play; /* borrowed */
	json_t *state;                 /* the reading as it stands */
	unsigned ops, reads;           /* reads: since the last operation */
	unsigned total_reads, resolves;
	struct buf log;                /* "SET 0.65; INC; TAP 620,530" */
};

void script_init(struct script *s, const json_t *fixtures, const json_t *play);
void script_done(struct script *s);
struct ct_ops script_ops(struct script *s);
/* "request" of a case: target, property, tolerance, maxAttempts (5). */
struct ct_request script_request(const json_t *play);
/* A reading as a JSON object describes it. */
struct ct_reading script_reading(const json_t *state);

#endif
