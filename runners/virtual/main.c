/* deft-runner-virtual: the runner core on a scene in memory.
 *
 *   --flavour android|ios|linux   which kind of device it plays
 *   --scenes DIR                  where the bundled apps are; else DEFT_SCENES, else the installed
 *                                 share/deft/scenes, else the source tree's
 *   --dark                        dark colours in screenshots
 *   --fault SPEC                  a fault on demand (docs/virtual-device.md); may be given several times
 *   --faults                      a request may bring a fault of its own ("fault": "SPEC")
 * All other options are the runner core's (--port, --token, …). */
#include "backend/virtual/backend_virtual.h"
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/log.h"
#include "runner/runner.h"

#include <string.h>

struct specs {
	const char
	    *list[LIM_FAULTS + 2]; /* one more than allowed, so that it is refused with its name */
	size_t n;
};

static void add_spec(struct specs *s, const char *spec)
{
	if (s->n < ARRAY_SIZE(s->list) - 1)
		s->list[s->n++] = spec;
}

/* Takes our own options out of argv; what is left is the core's. */
static void take_options(int *argc, char **argv, struct vd_options *ret, struct specs *specs)
{
	int kept = 1;
	for (int i = 1; i < *argc; i++) {
		bool value = i + 1 < *argc;
		if (strcmp(argv[i], "--flavour") == 0 && value)
			ret->flavour = argv[++i];
		else if (strcmp(argv[i], "--scenes") == 0 && value)
			ret->scene_dir = argv[++i];
		else if (strcmp(argv[i], "--dark") == 0)
			ret->dark = true;
		else if (strcmp(argv[i], "--fault") == 0 && value)
			add_spec(specs, argv[++i]);
		else if (strcmp(argv[i], "--faults") == 0)
			ret->request_faults = true;
		else
			argv[kept++] = argv[i];
	}
	*argc = kept;
	argv[kept] = NULL;
	ret->faults = specs->list;
}

static char *find_scenes(void)
{
	const char *asked = getenv("DEFT_SCENES");
	if (asked && *asked)
		return strdup(asked);
	static const char *const places[] = { "../share/deft/scenes", "../../share/deft/scenes" };
	auto_free char *exe = fs_exe_dir();
	for (size_t i = 0; exe && i < ARRAY_SIZE(places); i++) {
		char *path = fs_join(exe, places[i]);
		if (path && fs_exists(path))
			return path;
		free(path);
	}
	return strdup(DEFT_SOURCE_SCENES);
}

int main(int argc, char **argv)
{
	struct vd_options o = { 0 };
	struct specs specs = { 0 };
	struct rb_backend *backend = NULL;
	auto_error struct error e = ERROR_INIT;
	log_init_from_env();
	take_options(&argc, argv, &o, &specs);
	auto_free char *scenes = o.scene_dir ? NULL : find_scenes();
	if (scenes)
		o.scene_dir = scenes;
	int r = vd_backend_open(&backend, &o, &e);
	if (r < 0) {
		log_msg(LOG_ERROR, "virtual", "%s", e.message);
		return error_exit_status(e.code);
	}
	const struct rc_hooks hooks = vd_backend_hooks(backend);
	return rc_run_hooked(argc, argv, backend, &hooks);
}
