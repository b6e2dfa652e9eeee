/* Inside of the checker: which properties an object of a scene may have, of which type, and how a
 * mistake is told. */
#ifndef DEFT_BACKEND_VIRTUAL_SCENE_KEYS_H
#define DEFT_BACKEND_VIRTUAL_SCENE_KEYS_H

#include "backend/virtual/position.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum vd_object {
	VD_OBJECT_SCENE,
	VD_OBJECT_APP,
	VD_OBJECT_SCREEN,
	VD_OBJECT_WIDGET,
	VD_OBJECT_CONTROL,
	VD_OBJECT_ACTION,
	VD_OBJECT_BUTTON,
	VD_OBJECT_RULE,
};

/* One run of the checker; everything is borrowed. */
struct vd_check {
	const json_t *root;
	const char *text, *name;
	size_t len;
	struct error *e;
};

/* Fills e with "name:line:column: path: what": -ERR_INVALID_ARGS. */
__attribute__((format(printf, 3, 4))) int vd_wrong(const struct vd_check *c,
                                                   const struct vd_where *at, const char *fmt, ...);
/* o is an object with no other properties than its kind has, each of the type it must have. */
int vd_check_keys(const struct vd_check *c, const json_t *o, const struct vd_where *at,
                  enum vd_object object);
int vd_check_required(const struct vd_check *c, const json_t *o, const struct vd_where *at,
                      const char *key);
/* A number within LIM_SCENE_NUMBER. */
bool vd_is_scene_number(const json_t *v);

#endif
