/* Any bytes as a scene file: refused with line and column, or played: every screen is opened, read and
 * pressed all over without a crash. */
#include "backend/virtual/device.h"
#include "backend/virtual/scene.h"
#include "backend/virtual/tree.h"
#include "base/cleanup.h"
#include "base/jx.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct vd_device *d)
{
	auto_tree struct ui_tree t = { 0 };
	if (vd_device_screen(d) && vd_tree_make(d, &t, NULL) < 0)
		abort();
}

static void use(struct vd_device *d)
{
	for (double y = 40; y < d->height; y += 60) {
		vd_press(d, 100, y, 1, y > 500 ? VD_LONG_PRESS_MS : 0);
		vd_device_sweep(d);
		vd_key(d, "enter");
	}
	vd_drag(d, 100, 500, 110, 100, 100);
	vd_key(d, "tab");
	vd_device_advance(d, 5000);
	vd_rotate(d, true);
	look(d);
	vd_back(d);
	vd_device_sweep(d);
}

static void play(struct vd_scene *scene)
{
	const json_t *screens = json_object_get(scene->json, "screens");
	struct vd_device d;
	vd_device_init(&d, scene->flavour ? scene->flavour : vd_flavour(VD_ANDROID));
	if (vd_device_open(&d, scene, NULL) < 0) {
		vd_device_done(&d);
		return;
	}
	for (size_t i = 0; i < json_array_size(screens) && i < 4; i++) {
		d.in_front = true;
		vd_navigate(&d, jx_get_str(json_array_get(screens, i), "id", ""));
		vd_device_layout(&d);
		look(&d);
		use(&d);
	}
	vd_device_done(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_error struct error e = ERROR_INIT;
	struct vd_scene *scene = NULL;
	if (vd_scene_parse((const char *)data, size, "scene", &scene, &e) == 0)
		play(scene);
	else if (e.code != ERR_INVALID_ARGS || !e.message)
		abort();
	return 0;
}
