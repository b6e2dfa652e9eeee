/* Faults on demand: what real devices and connections do to a driver, made to happen at the Nth command
 * of a kind. A fault comes from a scene ("faults"), from the runner's command line (--fault SPEC) or,
 * where the runner was started with --faults, from a single request ("fault": "SPEC").
 * docs/virtual-device.md explains each.
 *
 *   SPEC   delay,ms=700,command=snapshot,nth=2,times=1
 *   scene  { "fault": "delay", "ms": 700, "command": "snapshot", "nth": 2, "times": 1 } */
#ifndef DEFT_BACKEND_VIRTUAL_FAULT_H
#define DEFT_BACKEND_VIRTUAL_FAULT_H

#include "base/buf.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a fault strikes. */
enum vd_fault_stage {
	VF_ARRIVED, /* read by the transport, nothing carried out */
	VF_BEFORE,  /* on the executor, before the command is carried out */
	VF_LOOK,    /* in what the accessibility tells, while the command is carried out */
	VF_ANSWER,  /* the command was carried out, its answer is about to leave */
};

/* X(NAME, word, stage, default ms, default count, what it does) */
/* clang-format off */
#define VD_FAULTS(X) \
	X(DELAY,        "delay",        VF_BEFORE,  500,  0,     "the command begins `ms` late") \
	X(BLOCK,        "block",        VF_BEFORE,  2000, 0,     "the main thread is blocked for `ms` and heeds neither deadline nor cancellation") \
	X(EXCEPTION,    "exception",    VF_BEFORE,  0,    0,     "the command fails with INTERNAL_ERROR before it does anything") \
	X(EXIT,         "exit",         VF_BEFORE,  0,    0,     "the runner process ends before the command is carried out") \
	X(EXIT_AFTER,   "exit-after",   VF_ANSWER,  0,    0,     "the command is carried out, then the runner process ends without an answer") \
	X(RESET,        "reset",        VF_ARRIVED, 0,    0,     "the connection is reset before the command is delivered") \
	X(RESET_AFTER,  "reset-after",  VF_ANSWER,  0,    0,     "the command is carried out, then the connection is reset") \
	X(LOST,         "lost",         VF_ANSWER,  0,    0,     "the command is carried out, its answer never comes: the connection is closed") \
	X(TRUNCATED,    "truncated",    VF_ANSWER,  0,    0,     "the command is carried out, half of its answer comes") \
	X(ROOT_FAILURE, "root-failure", VF_LOOK,    0,    0,     "the accessibility can't read the root: APP_NOT_ACCESSIBLE") \
	X(SPARSE,       "sparse",       VF_LOOK,    0,    0,     "the tree holds the application and nothing in it, and says it is sparse") \
	X(COLLAPSED,    "collapsed",    VF_LOOK,    0,    0,     "everything below the screen's parts is merged into one leaf each") \
	X(DEEP,         "deep",         VF_LOOK,    0,    400,   "the tree has a chain of `count` nested groups more") \
	X(NODES,        "nodes",        VF_LOOK,    0,    50000, "the tree has `count` nodes more, and is cut where the limit is met") \
	X(STALE,        "stale",        VF_LOOK,    0,    0,     "the tree is the one of the reading before") \
	X(NON_FINITE,   "non-finite",   VF_LOOK,    0,    0,     "rects, ranges and values of controls are not finite numbers")
/* clang-format on */

enum vd_fault_kind {
#define VD_FAULT_ENUM(name, word, stage, ms, count, what) VF_##name,
	VD_FAULTS(VD_FAULT_ENUM)
#undef VD_FAULT_ENUM
	    VD_FAULT_COUNT
};

struct vd_fault_info {
	const char *word;
	enum vd_fault_stage stage;
	int64_t ms, count; /* defaults; 0: the fault takes none */
	const char *what;  /* one sentence, without a full stop */
};
const struct vd_fault_info *vd_fault_info(enum vd_fault_kind kind);

struct vd_fault {
	enum vd_fault_kind kind;
	int command; /* enum wire_command; -1: every command but `status` and `uptime`, for faults
	                     * of the tree: `snapshot` */
	int64_t nth, times; /* from the nth such command on, so many of them; times 0: all */
	int64_t ms, count;
	uint64_t matched, fired; /* how many such commands came, how many met the fault */
};

/* What a fault may carry beside its name: for the checker and its tests; NULL-terminated. */
extern const char *const vd_fault_keys[];

/* -ERR_INVALID_ARGS names what is wrong; details.key says which key of the object, when it is one. */
int vd_fault_from_json(const json_t *o, struct vd_fault *ret, struct error *e);
int vd_fault_from_spec(const char *spec, struct vd_fault *ret, struct error *e);
/* {"fault","command"?,"nth","times","ms"?,"count"?,"matched","fired"}; new reference. */
json_t *vd_fault_to_json(const struct vd_fault *f);

/* A command has come: counts it where the fault is about it, and says whether it meets the fault. */
bool vd_fault_meets(struct vd_fault *f, int command);

#endif
