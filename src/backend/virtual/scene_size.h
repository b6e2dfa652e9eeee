/* How large a scene gets once its repetitions are written out, so that no file makes a device that
 * does not fit into memory. */
#ifndef DEFT_BACKEND_VIRTUAL_SCENE_SIZE_H
#define DEFT_BACKEND_VIRTUAL_SCENE_SIZE_H

#include <jansson.h>

struct vd_scene_size {
	double widgets; /* of all screens together */
	double bytes;   /* of their texts */
	unsigned depth; /* of the deepest nesting of children */
};

/* Of a list of widgets, added to *io. Tolerates whatever the JSON holds. */
void vd_scene_size(const json_t *widgets, struct vd_scene_size *io);

#endif
