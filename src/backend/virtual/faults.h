/* The faults of one device: which there are, how often each was met, and the hooks by which they reach
 * the runner core. */
#ifndef DEFT_BACKEND_VIRTUAL_FAULTS_H
#define DEFT_BACKEND_VIRTUAL_FAULTS_H

#include "backend/virtual/fault.h"
#include "runner/runner.h"

struct vd_faults;

/* specs: NULL-terminated or NULL. per_request: a request may bring its own. -ERR_INVALID_ARGS. */
int vd_faults_new(struct vd_faults **ret, const char *const *specs, bool per_request,
                  struct error *e);
void vd_faults_free(struct vd_faults *f);
/* Replaces those of the scene before; counting begins anew. The list has been checked; NULL: none.
 * [executor] */
void vd_faults_set_scene(struct vd_faults *f, const json_t *list);
/* Hooks that borrow f. */
struct rc_hooks vd_faults_hooks(struct vd_faults *f);

/* The fault of this kind that the command at work meets; NULL: none. Valid until the next command.
 * [executor] */
const struct vd_fault *vd_faults_met(const struct vd_faults *f, enum vd_fault_kind kind);
/* Whether one of this kind could still be met by some command. [executor] */
bool vd_faults_expects(struct vd_faults *f, enum vd_fault_kind kind);
/* All of them with their counts; new reference. [any] */
json_t *vd_faults_json(struct vd_faults *f);

#endif
