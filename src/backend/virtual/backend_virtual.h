/* The virtual backend: a scene in memory behind runner/backend.h. */
#ifndef DEFT_BACKEND_VIRTUAL_BACKEND_VIRTUAL_H
#define DEFT_BACKEND_VIRTUAL_BACKEND_VIRTUAL_H

#include "backend/virtual/kinds.h"
#include "runner/backend.h"

struct vd_options {
	const char *scene_dir;  /* where bundled apps (<name>.json) are, borrowed */
	const char *flavour;    /* NULL: the scene's own, else android */
	bool dark;
};

int vd_backend_open(struct rb_backend **ret, const struct vd_options *o, struct error *e);

#endif
