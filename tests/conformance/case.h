/* One conformance case: a list of steps, carried out in order.
 *
 *   {"id": "T18", "title": "…", "optional": bool?, "steps": [step, …]}
 *
 * A step has one of
 *   send      a command object: POST, answer, expect
 *   body      a body as text; bodyHex: as hex digits; bodySize: so many blanks after it
 *   raw       a whole request as text; ${token} is a token header line or empty; rawPieces: byte by byte
 *   start     a command object, sent on a connection named by `as`; its answer is not waited for
 *   receive   the name of such a connection: its answer is read, kept, and held against expect
 *   until     a command object, sent again and again until expect is met (at most UNTIL_TRIES times), or
 *             until what is under `skipIf` is met: then the case is skipped
 *   same      two names: their kept answers are the same bytes
 *   sameGesture  two names: both answers tell of the same gesture (start and end)
 *   ordered   two names: the gesture of the first ended before that of the second began
 *   closed    true: the connection of the last step is closed by the runner
 * and may have
 *   expect    see expect.h
 *   header    further header lines for send and body, each ended by \r\n
 *   again     true: the connection of the step before is used again
 *   repeat    so many times, with ${i} from 1
 *   save      {"name": "hittable"}: nodeId of the first hittable node of the tree answered; a tree
 *             without one makes the case a skip
 *
 * Variables: ${id} (differs from case to case and run to run), ${token}, ${x}, ${y}, and what was saved.
 * A case with "tokenOnly" is skipped when the runner was given no token. An optional case is skipped when the runner answers UNSUPPORTED_OPERATION or DEVICE_UNAVAILABLE. */
#ifndef TESTS_CONFORMANCE_CASE_H
#define TESTS_CONFORMANCE_CASE_H

#include "base/buf.h"

#include <jansson.h>
#include <stdint.h>

struct runner_address {
	uint16_t port;
	const char *token; /* NULL: none */
	double x, y;       /* a point that may be pressed */
};

enum verdict { PASSED, FAILED, SKIPPED };

/* `why` is filled unless it passed. */
enum verdict case_run(const struct runner_address *runner, const json_t *one_case, struct buf *why);

#endif
