/* The checker of scene files: tables of what may stand where. */
#ifndef DEFT_BACKEND_VIRTUAL_SCENE_CHECK_H
#define DEFT_BACKEND_VIRTUAL_SCENE_CHECK_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

/* The text is needed only to name line and column. */
int vd_scene_check(const json_t *root, const char *text, size_t len, const char *name,
                   struct error *e);
/* The i-th property that a "scene", "app", "screen", "widget", "control", "action", "button" or "rule"
 * may have; NULL after the last one. */
const char *vd_scene_key(const char *object, size_t i);

#endif
