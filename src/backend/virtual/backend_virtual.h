/* The virtual backend: a scene in memory behind runner/backend.h. */
#ifndef DEFT_BACKEND_VIRTUAL_BACKEND_VIRTUAL_H
#define DEFT_BACKEND_VIRTUAL_BACKEND_VIRTUAL_H

#include "backend/virtual/kinds.h"
#include "runner/backend.h"
#include "runner/runner.h"

struct vd_options {
	const char *scene_dir; /* where bundled apps (<name>.json) are, borrowed */
	const char *flavour;   /* NULL: the scene's own, else android */
	bool dark;
	const char *const *faults; /* specs (fault.h), NULL-terminated, borrowed; NULL: none */
	bool request_faults;       /* a request may bring a fault of its own */
};

int vd_backend_open(struct rb_backend **ret, const struct vd_options *o, struct error *e);
/* By which the device's faults reach the runner core; valid as long as the backend. */
struct rc_hooks vd_backend_hooks(struct rb_backend *b);

#endif
