/* Inside of the ops table: its state, and the operations by file. */
#ifndef DEFT_BACKEND_VIRTUAL_BACKEND_INTERNAL_H
#define DEFT_BACKEND_VIRTUAL_BACKEND_INTERNAL_H

#include "backend/virtual/backend_virtual.h"
#include "backend/virtual/device.h"
#include "backend/virtual/faults.h"

struct vd {
	struct rb_backend backend;
	struct vd_device device;
	char *scene_dir;
	const struct vd_flavour *asked; /* NULL: the scene decides */
	struct vd_faults *faults;
	struct ui_tree last; /* the reading before, kept while a fault may ask for it */
};

static inline struct vd *vd_of(struct rb_backend *b)
{
	return (struct vd *)b;
}

/* Starts a command: time moves on, what fell due has happened. */
struct vd_device *vd_tick(struct rb_backend *b);
/* The widget behind a handle; -ERR_ELEMENT_STALE when it is not shown any more. */
int vd_find(struct vd_device *d, const char *node, struct vd_widget **ret, struct error *e);
/* -ERR_APP_NOT_RUNNING when no app is in front. */
int vd_need_app(const struct vd_device *d, struct error *e);

/* backend_input.c */
int vd_tap(struct rb_backend *b, struct call c, const struct rb_tap *t, struct error *e);
int vd_drag_op(struct rb_backend *b, struct call c, const struct rb_drag *g, struct error *e);
int vd_scroll_op(struct rb_backend *b, struct call c, const struct rb_scroll *s, int *ret_moved,
                 struct error *e);
int vd_perform(struct rb_backend *b, struct call c, const char *node, const char *action,
               const char **ret_name, struct error *e);
int vd_focus_op(struct rb_backend *b, struct call c, const char *node, struct error *e);
int vd_text(struct rb_backend *b, struct call c, const struct rb_text *t,
            struct rb_text_result *ret, struct error *e);
int vd_read_text(struct rb_backend *b, struct call c, const char *node, struct buf *out,
                 struct error *e);
int vd_key_op(struct rb_backend *b, struct call c, const char *chord, struct error *e);
/* backend_control.c */
int vd_control_read(struct rb_backend *b, struct call c, const char *node, struct rb_control *ret,
                    struct error *e);
int vd_control_set(struct rb_backend *b, struct call c, const char *node, double value,
                   struct error *e);
int vd_control_step(struct rb_backend *b, struct call c, const char *node, int direction,
                    struct error *e);
/* backend_apps.c */
int vd_prepare(struct rb_backend *b, struct call c, const char *app, bool interaction,
               struct error *e);
int vd_apps(struct rb_backend *b, struct call c, bool installed, json_t **ret, struct error *e);
int vd_launch(struct rb_backend *b, struct call c, const struct rb_launch *l, json_t **ret,
              struct error *e);
int vd_activate(struct rb_backend *b, struct call c, const char *app, struct error *e);
int vd_terminate(struct rb_backend *b, struct call c, const char *app, bool force, bool *ret_left,
                 struct error *e);
int vd_navigate_op(struct rb_backend *b, struct call c, const char *what, struct error *e);
int vd_alert(struct rb_backend *b, struct call c, const char *action, json_t **ret,
             struct error *e);
int vd_idle(struct rb_backend *b, struct call c, int64_t ms, int64_t *ret_now_ms, struct error *e);

#endif
