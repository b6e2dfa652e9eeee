/* Scenes: an app as data. A scene is a JSON file (docs/scenes.md, share/scene.schema.json) that names
 * screens, what stands on them and what a press does. Loading checks everything at once, so that a
 * running device meets no surprise; an error names line, column and what would be right. */
#ifndef DEFT_BACKEND_VIRTUAL_SCENE_H
#define DEFT_BACKEND_VIRTUAL_SCENE_H

#include "backend/virtual/kinds.h"
#include "backend/virtual/widget.h"
#include "base/error.h"

#include <jansson.h>

struct vd_scene {
	json_t *json; /* the checked source; screens and bindings borrow from it */
	char *app_id, *app_name, *start;
	const struct vd_flavour *flavour; /* NULL: the file names none */
};

/* Parses and checks. -ERR_INVALID_ARGS with details {line, column, path}. `name` is for messages. */
int vd_scene_parse(const char *text, size_t len, const char *name, struct vd_scene **ret,
                   struct error *e);
/* The same from a file (LIM_SCENE bytes at most). A uiautomator dump (XML) or a recorded
 * `snapshot --raw --json` becomes a static scene. */
int vd_scene_load(const char *path, struct vd_scene **ret, struct error *e);
void vd_scene_free(struct vd_scene *s);

/* The screen's description, borrowed; NULL: no such screen. */
const json_t *vd_scene_screen(const struct vd_scene *s, const char *id);

/* Makes the widget of a checked description, as often as it says, with all that is in it, below parent;
 * uids are drawn from *uid. False: memory ran out. */
bool vd_scene_add(struct vd_widget *parent, const json_t *spec, uint32_t *uid);
bool vd_scene_add_all(struct vd_widget *parent, const json_t *list, uint32_t *uid);

/* --- for the checker and its tests ---- */
struct vd_action_info {
	const char *verb;
	const char *keys[6]; /* what the action may carry beside "do"; "!" in front: required */
};
extern const struct vd_action_info vd_actions[];
extern const size_t vd_n_actions;

#endif
