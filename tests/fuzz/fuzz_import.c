/* Any bytes as a recorded screen: a typed error, or a scene. What it makes is well-formed and passes
 * the checker, or is refused by it as too large. */
#include "backend/virtual/import.h"
#include "backend/virtual/scene.h"
#include "base/cleanup.h"
#include "base/limits.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_error struct error e = ERROR_INIT;
	auto_buf struct buf made;
	struct vd_scene *scene = NULL;
	const char *text = (const char *)data;
	buf_init(&made, LIM_SCENE);
	if (!vd_import_wanted(text, size))
		return 0;
	if (vd_import(text, size, "dump", &made, &e) < 0) {
		if (!e.message)
			abort();
		return 0;
	}
	if (vd_scene_parse(made.data, made.len, "dump", &scene, &e) < 0 &&
	    !strstr(e.message, "nested deeper") && !strstr(e.message, "more than"))
		abort();
	vd_scene_free(scene);
	return 0;
}
