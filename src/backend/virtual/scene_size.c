#include "backend/virtual/scene_size.h"

#include "base/jx.h"
#include "base/limits.h"

#include <math.h>

static void measure(const json_t *list, double times, unsigned depth, struct vd_scene_size *io)
{
	size_t i;
	json_t *w;
	if (json_array_size(list) && depth > io->depth)
		io->depth = depth;
	if (depth > LIM_SCENE_DEPTH)
		return;
	json_array_foreach(list, i, w)
	{
		double n = times * fmax(1, (double)jx_get_int(w, "repeat", 1));
		const char *key;
		json_t *value;
		io->widgets += n;
		json_object_foreach(w, key, value) io->bytes += n * (double)json_string_length(value);
		measure(json_object_get(w, "children"), n, depth + 1, io);
	}
}

void vd_scene_size(const json_t *widgets, struct vd_scene_size *io)
{
	measure(widgets, 1, 1, io);
}
